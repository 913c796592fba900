"""Turns about the axis of equal masses: what they leave as it is, which one is taken, what it is good for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets, RelationalMasses
from credalbench.cluster.ensembles.consensus import consensus_stress, recovered
from credalbench.cluster.ensembles.orientation import may_turn, nearest_turn, oriented
from credalbench.metrics import adjusted_rand

SEEDS = st.integers(0, 2**32 - 1)


def a_turn(c, seed):
    return nearest_turn(np.random.default_rng(seed).normal(size=(c, c)))


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
def test_a_turn_is_orthogonal_and_keeps_the_axis(seed, c):
    Q = a_turn(c, seed)
    np.testing.assert_allclose(Q @ Q.T, np.eye(c), atol=1e-12)  # rounding of two decompositions
    np.testing.assert_allclose(Q.sum(axis=1), 1, atol=1e-12)


@given(SEEDS, st.integers(3, 6))
def test_no_other_turn_is_nearer_to_a_slope(seed, c):
    slope = np.random.default_rng(seed).normal(size=(c, c))
    best = np.vdot(nearest_turn(slope), slope)
    for other in range(20):
        assert np.vdot(a_turn(c, other), slope) <= best + 1e-12  # rounding


@given(SEEDS, st.integers(3, 6))
def test_the_stress_does_not_tell_turned_masses_apart(seed, c):
    M, Q = on_simplex(near_equal(c, seed)), a_turn(c, seed)
    turned = np.hstack([M[:, :c] @ Q, M[:, c:]])
    assert turned.min() >= 0
    relation = weakly_related(np.arange(len(M)) % c)
    stress = consensus_stress(relation, FocalSets.simple(c, empty=False))
    assert stress.value(turned, None) == pytest.approx(stress.value(M, None), rel=1e-12)


@given(SEEDS, st.integers(3, 6))
def test_the_sum_of_cubes_does_not_fall_and_masses_stay_masses(seed, c):
    M, focal_sets = on_simplex(near_equal(c, seed)), FocalSets.simple(c, empty=False)
    found = oriented(M, focal_sets)
    assert (found**3).sum() >= (M**3).sum() * (1 - 1e-12)  # rounding
    assert found.min() >= 0
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    assert (found[:, -1] == M[:, -1]).all()


def test_masses_that_do_not_fit_are_cut_and_stay_masses():
    M = np.random.default_rng(0).dirichlet([0.1] * 5, 30)
    found = oriented(M, FocalSets.simple(4, empty=False))
    assert found.min() >= 0
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    hard = np.eye(5)[np.arange(30) % 4]
    np.testing.assert_allclose(oriented(hard, FocalSets.simple(4, empty=False)), hard, atol=1e-12)


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
def test_turning_never_costs_stress(seed):
    same = np.random.default_rng(seed).random((12, 12))
    same = (same + same.T) / 2
    relation = RelationalMasses(np.zeros_like(same), same, 1 - same, np.zeros_like(same))
    rule = {"init": "random", "tol": 1e-4}
    plain, turned = (
        recovered(relation, 3, orient=orient, rng=np.random.RandomState(seed), **rule)
        for orient in (False, True)
    )
    assert turned.objective_trace[-1] <= plain.objective_trace[-1] * (1 + 1e-4)  # the tolerance of both


def test_which_families_may_turn():
    assert may_turn(FocalSets.simple(3, empty=False))
    assert may_turn(FocalSets.simple(4, empty=False, omega=False))
    assert not may_turn(FocalSets.simple(2, empty=False))  # two clusters change places, and that is all
    assert not may_turn(FocalSets.pairs(3, empty=False))
    assert not may_turn(FocalSets.from_sets(3, [[0], [1], [0, 1, 2]]))
