"""Masses fitted to targets of sampled pairs: the literal sum, all pairs as a special case, certificates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.belief.relational import pair_matrices
from credalbench.cluster.conflict.pair_sampling import sample_partners
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.pairwise.all_pairs import PairwiseTargets
from credalbench.cluster.pairwise.sampled_pairs import SampledTargets
from credalbench.cluster.simplex.simplex_qp import kkt_residual

SEEDS = st.integers(0, 2**32 - 1)
SUBSETS = {
    "simple": lambda c: FocalSets.simple(c, empty=False),
    "pairs": lambda c: FocalSets.pairs(c, empty=False),
    "full": FocalSets.full,  # with the empty set
    "no singleton": lambda c: FocalSets.from_sets(c, [range(c)]),
}


def problem(seed, n=9, k=3, subsets="pairs", precision=np.float64):
    """Random targets of pairs, focal sets, masses to start from, and the targets of all pairs."""
    rng = np.random.default_rng(seed)
    every = np.triu(rng.random((2, n, n)) / 2, 1)
    every = (every + every.transpose(0, 2, 1)).astype(precision)
    partners = sample_partners(n, k, rng)
    focal_sets = SUBSETS[subsets](3)
    relations = np.hstack(pair_matrices(focal_sets))
    targets = np.take_along_axis(every, np.broadcast_to(partners, (2, n, k)), axis=2)
    return (
        SampledTargets(partners, targets, relations),
        focal_sets,
        rng.dirichlet(np.ones(len(focal_sets)), n),
        PairwiseTargets(np.ascontiguousarray(every.transpose(1, 0, 2)), relations, adds_changes=True),
    )


def descended(stress, focal_sets, M, tol=0.0, max_iter=3):
    return irqp(stress, M, focal_sets.conflict.copy(), has_empty=False, tol=tol, max_iter=max_iter)


@pytest.mark.parametrize("subsets", SUBSETS)
def test_the_value_is_the_literal_sum_over_the_listed_pairs(subsets):
    stress, focal_sets, M, _ = problem(0, subsets=subsets)
    same, different = pair_matrices(focal_sets)
    total = 0.0
    for i, mine in enumerate(stress.partners):
        for r, j in enumerate(mine):
            total += (M[i] @ same @ M[j] - stress.targets[0, i, r]) ** 2
            total += (M[i] @ different @ M[j] - stress.targets[1, i, r]) ** 2
    assert stress.value(M, None) == pytest.approx(total * 8 / 6, rel=1e-12)  # (n - 1) / 2k


@pytest.mark.parametrize("subsets", SUBSETS)
@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_with_all_partners_it_is_the_stress_of_all_pairs(subsets, precision):
    sampled, focal_sets, M, every = problem(1, k=8, subsets=subsets, precision=precision)
    first, second = (descended(stress, focal_sets, M) for stress in (sampled, every))
    np.testing.assert_allclose(first.masses, second.masses, atol=1e-9)  # sums in another order
    np.testing.assert_allclose(first.stress, second.stress, rtol=1e-9)
    np.testing.assert_allclose(first.running_sums, second.running_sums, rtol=1e-6)


@given(SEEDS, st.sampled_from(["pairs", "full"]), st.integers(1, 3))
def test_a_row_meets_its_conditions_after_its_update(seed, subsets, n_sweeps):
    """The last one, beside all in whose lists it stands: nobody moves after it."""
    stress, focal_sets, M, _ = problem(seed, subsets=subsets)
    M = descended(stress, focal_sets, M, max_iter=n_sweeps).masses
    starts, listed, targets = stress.lists
    others = listed[starts[-2] :]
    same, different = (M[others] @ R for R in pair_matrices(focal_sets))
    G = same.T @ same + different.T @ different
    a = targets[0, starts[-2] :] @ same + targets[1, starts[-2] :] @ different
    assert kkt_residual(G, a, M[-1]) < 1e-8  # the project's bound on every row programme


def test_targets_that_are_met_leave_nothing():
    focal_sets = SUBSETS["simple"](3)
    partners = sample_partners(12, 4, np.random.default_rng(0))
    y = np.arange(12) % 3
    same = (y[:, None] == y[partners]).astype(float)
    stress = SampledTargets(partners, np.stack([same, 1 - same]), np.hstack(pair_matrices(focal_sets)))
    start = 0.7 * np.eye(4)[y] + 0.3 / 4
    run = descended(stress, focal_sets, start, tol=1e-9, max_iter=300)
    assert run.stress[-1] == 0.0
    assert run.converged
    assert (run.masses.argmax(axis=1) == y).all()
