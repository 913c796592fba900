"""Masses fitted to targets of pairs: the literal objective, its fall, the conditions of each row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.relational import pair_matrices
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.conflict.stress import AllPairs
from credalbench.cluster.pairwise.all_pairs import PairwiseTargets, fitted_rows
from credalbench.cluster.simplex.simplex_qp import kkt_residual
from tests.oracles import bootgmm as literal

SUBSETS = {
    "pairs": lambda c: FocalSets.pairs(c, empty=False, omega=c == 2),
    "full": FocalSets.full,  # with the empty set
    "simple": lambda c: FocalSets.simple(c, empty=False),
    "no singleton of the last": lambda c: FocalSets.from_sets(
        c, [[0], *([k] for k in range(1, c - 1)), range(c)]
    ),
}


def problem(seed, n=8, c=3, subsets="pairs"):
    """Random intervals of all pairs, focal sets and masses to start from."""
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.random((2, n, n)), axis=0).astype(np.float32)
    ends = np.triu(ends, 1) + np.triu(ends, 1).transpose(0, 2, 1)
    targets = np.stack([ends[0], 1 - ends[1]], axis=1)
    targets[np.arange(n), :, np.arange(n)] = 0
    focal_sets = SUBSETS[subsets](c)
    stress = PairwiseTargets(targets, np.hstack(pair_matrices(focal_sets)))
    return stress, ends, focal_sets, rng.dirichlet(np.ones(len(focal_sets)), n)


def descended(stress, focal_sets, M, **options):
    return irqp(stress, M, focal_sets.conflict, has_empty=focal_sets.has_empty, **options)


SEEDS = st.integers(0, 2**32 - 1)
every_subsets = pytest.mark.parametrize("subsets", SUBSETS)


@every_subsets
def test_objective_is_the_literal_sum_over_pairs(subsets):
    stress, ends, focal_sets, M = problem(0, subsets=subsets)
    expected = literal.objective(M, *ends.astype(float), focal_sets.sets)
    assert stress.value(M, None) == pytest.approx(expected, rel=1e-6)  # targets in single precision


@given(SEEDS, st.sampled_from(sorted(SUBSETS)), st.integers(1, 3))
def test_a_row_meets_its_conditions_after_its_update(seed, subsets, n_sweeps):
    """The last one: nobody moves after it."""
    stress, _, focal_sets, M = problem(seed, n=6, subsets=subsets)
    M = descended(stress, focal_sets, M, tol=0.0, max_iter=n_sweeps).masses
    same, different = np.split((M @ stress.relations)[:-1], 2, axis=1)
    G = same.T @ same + different.T @ different
    a = same.T @ stress.targets[-1, 0, :-1] + different.T @ stress.targets[-1, 1, :-1]
    assert kkt_residual(G, a, M[-1]) < 1e-8  # the project's bound on every row programme


def test_one_relation_is_the_stress_of_evclus_but_for_its_factor():
    rng = np.random.default_rng(2)
    delta = np.triu(rng.random((9, 9)), 1).astype(np.float32)
    delta += delta.T
    focal_sets = FocalSets.full(3)
    M = rng.dirichlet(np.ones(8), 9)
    ours = PairwiseTargets(delta[:, None].copy(), focal_sets.conflict)
    theirs = AllPairs(delta.astype(float))
    rule = {"tol": 0.0, "max_iter": 3}
    first, second = (descended(stress, focal_sets, M, **rule) for stress in (ours, theirs))
    np.testing.assert_allclose(first.masses, second.masses, atol=1e-9)  # sums in another order
    np.testing.assert_allclose(np.array(first.stress) * theirs.eta, second.stress, rtol=1e-9)
    np.testing.assert_allclose(np.array(first.running_sums) * theirs.eta, second.running_sums, rtol=1e-6)


def test_other_objects_get_the_best_masses_for_the_fixed_ones():
    """No mixture with any other mass function is better."""
    stress, _, focal_sets, M = problem(3)
    rng = np.random.default_rng(4)
    start = rng.dirichlet(np.ones(len(focal_sets)), 2)
    given = start.copy()
    others = rng.random((2, 2, len(M))).astype(np.float32)
    found = fitted_rows(others, start, M, stress.relations)
    assert (start == given).all()
    parts = np.split(M @ stress.relations, 2, axis=1)

    def cost(m, targets):
        return sum(np.sum((part @ m - target) ** 2) for part, target in zip(parts, targets))

    for m, targets in zip(found, others):
        for other in rng.dirichlet(np.ones(len(focal_sets)), 200):
            assert cost(m, targets) <= cost(0.9 * m + 0.1 * other, targets) + 1e-12  # rounding


@given(SEEDS, st.sampled_from(sorted(SUBSETS)))
def test_changes_of_rows_add_up_to_the_value(seed, subsets):
    """In double precision, where the value is far from 0 and where it is not."""
    stress, _, focal_sets, M = problem(seed, subsets=subsets)
    targets = stress.targets.astype(float)
    added, afresh = (
        descended(PairwiseTargets(targets, stress.relations, way), focal_sets, M, tol=1e-6, max_iter=30)
        for way in (True, False)
    )
    np.testing.assert_allclose(added.stress, afresh.stress, rtol=1e-10)  # sums of thirty sweeps
    assert (added.masses == afresh.masses).all()


@given(SEEDS, st.sampled_from(sorted(SUBSETS)), st.integers(0, 7))
def test_the_programme_of_a_row_is_that_of_the_value(seed, subsets, i):
    """[li2020_ensemble (27)] [li2020_ensemble (28)], for relations of any focal sets."""
    stress, _, focal_sets, M = problem(seed, subsets=subsets)
    stress = PairwiseTargets(stress.targets.astype(float), stress.relations)
    Q, u, c_0 = stress.row_programme(i, M)
    costs, values = [], []
    for m in np.random.default_rng(seed).dirichlet(np.ones(len(focal_sets)), 2):
        M[i] = m
        costs.append(m @ Q @ m + u @ m + c_0)
        values.append(stress.value(M, None))
    assert costs[1] - costs[0] == pytest.approx(values[1] - values[0], abs=1e-12)  # rounding of sums
    assert costs[0] >= 0


def test_a_hard_partition_is_recovered_from_its_pairs():
    """Intervals of length zero at 0 and 1: masses 1, up to the names of clusters, and nothing is left."""
    y = np.array([0, 0, 1, 1, 1, 2, 2])
    same = (y[:, None] == y).astype(np.float32)
    targets = np.stack([same, 1 - same], axis=1)
    targets[np.arange(7), :, np.arange(7)] = 0
    focal_sets = SUBSETS["pairs"](3)
    stress = PairwiseTargets(targets, np.hstack(pair_matrices(focal_sets)))
    start = 0.5 * CredalPartition.from_labels(y, focal_sets).masses + 0.5 / len(focal_sets)
    run = descended(stress, focal_sets, start, tol=1e-9, max_iter=200)
    assert run.stress[-1] == 0.0
    assert run.converged
    assert (CredalPartition(run.masses, focal_sets).labels() == y).all()
