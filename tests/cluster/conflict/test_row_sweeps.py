"""Compiled sweeps: what they return, object by object as printed."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.pair_sampling import sample_partners
from credalbench.cluster.conflict.row_sweeps import aligned_product, sweep_all_pairs, sweep_pairs
from tests.oracles import evclus as literal

N, K = 8, 3
SUBSETS = {"with ∅": FocalSets.full(2), "without ∅": FocalSets.full(3, empty=False)}


@pytest.fixture(params=["all pairs", "listed pairs"])
def sweep(request):
    """A sweep over given rows, and the partners and targets of each row."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 2))
    delta = 1 - np.exp(-(cdist(X, X) ** 2))
    if request.param == "all pairs":
        others = [np.delete(np.arange(N), i) for i in range(N)]
        return lambda rows, *arrays: sweep_all_pairs(rows, delta, *arrays), others, delta
    others = sample_partners(N, K, rng)
    starts, listed = np.arange(N + 1) * K, np.take_along_axis(delta, others.astype(int), axis=1)
    lists = starts, others.ravel(), listed.ravel()
    return lambda rows, *arrays: sweep_pairs(rows, *lists, *arrays), others, delta


@pytest.mark.parametrize("subsets", SUBSETS)
def test_a_sweep_returns_the_change_and_the_running_sum_of_the_residuals(sweep, subsets):
    """The running sum of Algorithm 1 adds each row's squared residuals when the row has been updated."""
    run, others, delta = sweep
    focal_sets = SUBSETS[subsets]
    C, first = focal_sets.conflict.copy(), int(focal_sets.has_empty)
    M = np.random.default_rng(1).dirichlet(np.ones(len(focal_sets)), size=N)

    def residuals(M, i):
        return sum((literal.conflict(M[i], M[j], focal_sets.sets) - delta[i, j]) ** 2 for j in others[i])

    one_by_one, A = M.copy(), aligned_product(M, C)
    change, running = 0.0, 0.0
    for i in range(N):
        before = residuals(one_by_one, i)
        gain, total = run(np.array([i]), one_by_one, A, C, first)
        after = residuals(one_by_one, i)
        assert gain == pytest.approx(after - before, abs=1e-13)  # rounding of squares that cancel
        assert total == pytest.approx(after, abs=1e-13)
        change, running = change + after - before, running + after
    together, A = M.copy(), aligned_product(M, C)
    np.testing.assert_allclose(run(np.arange(N), together, A, C, first), (change, running), atol=1e-12)
    np.testing.assert_allclose(together, one_by_one, atol=1e-9)  # the Gram matrix is kept, not formed anew
