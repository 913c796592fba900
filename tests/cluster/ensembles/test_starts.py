"""Starts of a consensus: clusters of a tree, ties or not; rotations about the axis of equal masses."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

from credalbench.belief import FocalSets, RelationalMasses
from credalbench.cluster.ensembles.consensus import consensus_stress, recovered
from credalbench.cluster.ensembles.starts import (
    clusters_of_tree,
    consensus_starts,
    is_rotatable,
    procrustes_rotation,
    rotate,
)
from credalbench.metrics import adjusted_rand

SIMPLE = FocalSets.simple(3, empty=False)


@given(st.integers(2, 12), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_clusters_are_those_of_scipy_where_nothing_ties(n, c, seed):
    tree = linkage(pdist(np.random.default_rng(seed).random((n, 2))), "average")
    labels = clusters_of_tree(tree, min(c, n))
    assert sorted(set(labels)) == list(range(min(c, n)))
    assert adjusted_rand(fcluster(tree, min(c, n), "maxclust"), labels) == pytest.approx(1)


def test_ties_leave_so_many_clusters_as_requested():
    tree = linkage(np.ones(15), "average")  # six objects, all as far from each other
    assert len(set(fcluster(tree, 3, "maxclust"))) == 1
    assert len(set(clusters_of_tree(tree, 3))) == 3


def starts(same, init, n_init, seed=0, focal_sets=SIMPLE):
    return list(consensus_starts(same, 3, focal_sets, init, n_init, np.random.RandomState(seed)))


def test_linkage_comes_first_and_random_masses_follow():
    y = np.array([0, 0, 1, 1, 2, 2])
    same = (y[:, None] == y).astype(float)
    hard, *others = starts(same, "linkage", 3)
    assert adjusted_rand(y, hard.argmax(axis=1)) == 1
    assert (hard.max(axis=1) == 1).all()
    assert len(others) == 2
    for ours, theirs in zip(others, starts(same, "random", 2), strict=True):
        assert (ours == theirs).all()
        np.testing.assert_allclose(ours.sum(axis=1), 1, atol=1e-15)  # one division


def test_of_sampled_pairs_all_starts_are_random():
    same = np.full((6, 2), 0.5)
    for ours, theirs in zip(starts(same, "linkage", 2), starts(same, "random", 2), strict=True):
        assert (ours == theirs).all()


def test_clusters_that_are_no_focal_sets_start_on_the_smallest_sets_around_them():
    focal_sets = FocalSets.from_sets(3, [[0], [1], [0, 2], [0, 1, 2]])
    (hard,) = starts(np.eye(3), "linkage", 1, focal_sets=focal_sets)
    assert sorted(hard.argmax(axis=1)) == [0, 1, 2]


SEEDS = st.integers(0, 2**32 - 1)


def a_rotation(c, seed):
    return procrustes_rotation(np.random.default_rng(seed).normal(size=(c, c)))


def near_equal(c, seed, n=20):
    """Masses so near to equal ones that any turn leaves them above zero; some on Omega."""
    rng = np.random.default_rng(seed)
    clusters = rng.dirichlet(np.ones(c), n)
    omega = rng.random((n, 1)) / 2
    return np.hstack([(0.7 + 0.3 * clusters / clusters.max(axis=1, keepdims=True)) / c, omega])


def on_simplex(M):
    return M / M.sum(axis=1, keepdims=True)


def weakly_related(y):
    """Two objects of a class are together in three bases of ten, two of different ones in none: (n, n)."""
    same = np.where(y[:, None] == y, 0.3, 0.0)
    np.fill_diagonal(same, 1.0)
    return RelationalMasses(np.zeros_like(same), same, 1 - same, np.zeros_like(same))


@given(SEEDS, st.integers(3, 6))
def test_a_rotation_is_orthogonal_and_keeps_the_axis(seed, c):
    Q = a_rotation(c, seed)
    np.testing.assert_allclose(Q @ Q.T, np.eye(c), atol=1e-12)  # rounding of two decompositions
    np.testing.assert_allclose(Q.sum(axis=1), 1, atol=1e-12)


@given(SEEDS, st.integers(3, 6))
def test_no_other_rotation_is_nearer_to_a_slope(seed, c):
    slope = np.random.default_rng(seed).normal(size=(c, c))
    best = np.vdot(procrustes_rotation(slope), slope)
    for other in range(20):
        assert np.vdot(a_rotation(c, other), slope) <= best + 1e-12  # rounding


@given(SEEDS, st.integers(3, 6))
def test_the_stress_is_the_same_for_rotated_masses(seed, c):
    M, Q = on_simplex(near_equal(c, seed)), a_rotation(c, seed)
    rotated = np.hstack([M[:, :c] @ Q, M[:, c:]])
    assert rotated.min() >= 0
    relation = weakly_related(np.arange(len(M)) % c)
    stress = consensus_stress(relation, FocalSets.simple(c, empty=False))
    assert stress.value(rotated, None) == pytest.approx(stress.value(M, None), rel=1e-12)


@given(SEEDS, st.integers(3, 6))
@settings(max_examples=25)
def test_the_sum_of_cubes_does_not_fall_and_masses_stay_masses(seed, c):
    M, focal_sets = on_simplex(near_equal(c, seed)), FocalSets.simple(c, empty=False)
    found = rotate(M, focal_sets)
    assert (found**3).sum() >= (M**3).sum() * (1 - 1e-12)  # rounding
    assert found.min() >= 0
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    assert (found[:, -1] == M[:, -1]).all()


@given(SEEDS, st.integers(3, 6))
@settings(max_examples=25)
def test_no_small_rotation_makes_the_sum_of_cubes_larger(seed, c):
    rng = np.random.default_rng(seed)
    module = "credalbench.cluster.ensembles.starts"
    with patch.multiple(module, ROTATIONS=100_000, SETTLED=1e-15):  # to the maximum: steps are small there
        M = rotate(on_simplex(near_equal(c, seed)), FocalSets.simple(c, empty=False))
    if M[:, :c].min() > 0.01:  # none was cut
        best = (M[:, :c] ** 3).sum()
        for scale in (1e-2, 1e-3):
            other = M[:, :c] @ procrustes_rotation(np.eye(c) + scale * rng.normal(size=(c, c)))
            assert (other**3).sum() <= best * (1 + 1e-9)  # rounding


def test_masses_that_do_not_fit_are_cut_and_stay_masses():
    M = np.random.default_rng(0).dirichlet([0.1] * 5, 30)
    found = rotate(M, FocalSets.simple(4, empty=False))
    assert found.min() >= 0
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    hard = np.eye(5)[np.arange(30) % 4]
    np.testing.assert_allclose(rotate(hard, FocalSets.simple(4, empty=False)), hard, atol=1e-12)


def test_what_the_start_decided_is_decided_by_the_relation():
    """Objects around three directions, little related: labels of a run are those of its start.

    Their masses lie on a circle within the simplex: no turn changes the stress.
    """
    y = np.repeat(np.arange(3), 10)
    apart = np.linspace(-1, 1, 10)
    angle = 2 * np.pi * y / 3 + np.tile(0.9 * apart * np.abs(apart), 3)
    same = 1 / 3 + 0.1 * np.cos(angle[:, None] - angle)
    relation = RelationalMasses(np.zeros_like(same), same, 1 - same, np.zeros_like(same))

    def agreement(orient):
        rngs = (np.random.RandomState(seed) for seed in range(4))
        rule = {"init": "random", "tol": 1e-9, "orient": orient}
        runs = [recovered(relation, 3, rng=rng, **rule) for rng in rngs]
        assert max(run.objective_trace[-1] for run in runs) == 0  # all of them are solutions
        return min(adjusted_rand(y, run.partition.labels()) for run in runs)

    assert agreement(False) < 0.9
    assert agreement(True) == 1


@given(SEEDS)
@settings(max_examples=25)
def test_turning_never_costs_stress(seed):
    same = np.random.default_rng(seed).random((12, 12))
    same = (same + same.T) / 2
    relation = RelationalMasses(np.zeros_like(same), same, 1 - same, np.zeros_like(same))
    rule = {"init": "random", "tol": 1e-4}
    plain, rotated = (
        recovered(relation, 3, orient=orient, rng=np.random.RandomState(seed), **rule)
        for orient in (False, True)
    )
    assert rotated.objective_trace[-1] <= plain.objective_trace[-1] * (1 + 1e-4)  # the tolerance of both


def test_which_focal_sets_are_rotatable():
    assert is_rotatable(FocalSets.simple(3, empty=False))
    assert is_rotatable(FocalSets.simple(4, empty=False, omega=False))
    assert not is_rotatable(FocalSets.simple(2, empty=False))  # two clusters change places, and that is all
    assert not is_rotatable(FocalSets.pairs(3, empty=False))
    assert not is_rotatable(FocalSets.from_sets(3, [[0], [1], [0, 1, 2]]))
