"""Sweeps on several threads: the plain sweep's row programmes, and no bit that depends on the threads."""

import numba
import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster.conflict import threaded_sweep
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.row_sweeps import aligned_product, pair_residuals, sweep_pairs
from credalbench.cluster.conflict.stress import SampledPairs
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi
from credalbench.datasets import make_t4


@pytest.fixture(params=[True, False], ids=["two-sided", "one-sided"])
def problem(request, monkeypatch):
    """Lists, start and conflict matrix of 300 objects; batches of 64 rows, so that many share a batch."""
    monkeypatch.setattr(threaded_sweep, "BATCH_ROWS", 64)
    rng = np.random.default_rng(0)
    X = make_t4(300, random_state=0).X
    partners = sample_partners(300, 20, rng)
    d = pair_dissimilarities(X, partners).astype(float)
    stress = SampledPairs(partners, phi(d, gamma_from_d0(6.0)), two_sided=request.param)
    M = rng.dirichlet(np.ones(6), size=300)
    return stress.row_lists, M, FocalSets.simple(4).conflict.copy()


def after_sweeps(sweep, problem, n_sweeps=3):
    lists, M, C = problem
    M = M.copy()
    A = aligned_product(M, C)
    sums = [sweep(*lists, M, A, C, 1) for _ in range(n_sweeps)]
    return M, A, sums


def test_threaded_sweep_is_the_plain_sweep(problem):
    """Row programmes of [denoeux2016_evclus (20)] with the exchange of moved partners."""
    plain = after_sweeps(lambda *arguments: sweep_pairs(np.arange(300), *arguments), problem)
    batches = after_sweeps(threaded_sweep.sweep_in_threads, problem)
    np.testing.assert_allclose(batches[0], plain[0], atol=1e-9)  # exchange rounds; three sweeps amplify it
    np.testing.assert_allclose(batches[2], plain[2], rtol=1e-9)
    np.testing.assert_allclose(batches[1][:, :6], batches[0] @ problem[2], atol=1e-14)  # kept up to date


def test_number_of_threads_changes_no_bit(problem):
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("this machine has one core")
    lists, _, _ = problem
    results = []
    for n_threads in (1, 2):
        numba.set_num_threads(n_threads)
        try:
            M, A, sums = after_sweeps(threaded_sweep.sweep_in_threads, problem)
            results.append(
                (M.tobytes(), A.tobytes(), sums, threaded_sweep.residuals_in_threads(*lists, M, A))
            )
        finally:
            numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert results[0] == results[1]


def test_residuals_in_threads_are_those_of_all_pairs(problem):
    lists, M, C = problem
    A = aligned_product(M, C)
    whole = pair_residuals(*lists, M, A)
    assert threaded_sweep.residuals_in_threads(*lists, M, A) == pytest.approx(
        whole, rel=1e-12
    )  # order of the sum
