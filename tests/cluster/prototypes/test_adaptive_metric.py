"""Distances, prototypes and norms of the ECM family: oracles, optimality, singular covariances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes import prototype_step
from credalbench.cluster.prototypes.mass_update import focal_costs, objective
from credalbench.cluster.prototypes.prototype_step import (
    RIDGE,
    barycentres,
    covariances,
    norm_matrices,
    norm_matrices_from_covariances,
    prototypes,
    prototypes_mahalanobis,
    set_norm_matrices,
    squared_distances,
)
from tests.oracles import ecm as literal

SUBSETS = {"full": FocalSets.full, "simple": FocalSets.simple, "pairs": FocalSets.pairs}
SEEDS = st.integers(0, 2**32 - 1)


def random_problem(seed, n=12, c=3, p=3, subsets="full"):
    """Random objects of unequal spreads, masses, prototypes, norms of determinant 1 and focal sets."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.uniform(0.3, 3, p)
    focal_sets = SUBSETS[subsets](c)
    M = rng.dirichlet(np.ones(len(focal_sets)), size=n)
    roots = rng.normal(size=(c, p, p)) + 2 * np.eye(p)
    S = roots @ roots.swapaxes(1, 2)
    return X, M, rng.normal(size=(c, p)), S / np.linalg.det(S)[:, None, None] ** (1 / p), focal_sets


def cost(X, M, V, S, focal_sets, alpha=1.0, beta=2.0):
    return objective(M, focal_costs(squared_distances(X, V, focal_sets, S), focal_sets, alpha, 1.0), beta)


# ---------------------------------------------------------------- oracles


@pytest.mark.parametrize("subsets", ["full", "simple", "pairs"])
def test_distances_follow_the_printed_formulas(subsets):
    """[antoine2012_cecm (11)] with [antoine2012_cecm (12)], [antoine2012_cecm (13)],
    [antoine2012_cecm (22)], [antoine2012_cecm (23)]."""
    X, _, V, S, focal_sets = random_problem(0, subsets=subsets)
    for j, A in enumerate(focal_sets.sets[1:]):
        np.testing.assert_allclose(barycentres(V, focal_sets)[j], literal.barycentre(V, A), rtol=1e-12)
        np.testing.assert_allclose(set_norm_matrices(S, focal_sets)[j], literal.set_norm(S, A), rtol=1e-12)
    expected = literal.distances(X, V, focal_sets.sets, S)[:, 1:]
    np.testing.assert_allclose(squared_distances(X, V, focal_sets, S), expected, rtol=1e-10)  # rounding
    expected = literal.distances(X, V, focal_sets.sets, [np.eye(3)] * 3)[:, 1:]
    np.testing.assert_allclose(squared_distances(X, V, focal_sets), expected, rtol=1e-12)


@pytest.mark.parametrize("subsets", ["full", "simple", "pairs"])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 2.0), (-1.0, 2.0), (2.0, 1.5)])
def test_prototypes_solve_the_printed_system(subsets, alpha, beta):
    """[antoine2012_cecm (30)], [antoine2012_cecm (31)], [antoine2012_cecm (32)], [antoine2012_cecm (33)]."""
    X, M, _, S, focal_sets = random_problem(1, subsets=subsets)
    expected = literal.prototypes(X, M, S, focal_sets.sets, 3, alpha, beta)
    V = prototypes_mahalanobis(X, M, S, focal_sets, alpha, beta)
    np.testing.assert_allclose(V, expected, atol=1e-10)  # two ways to solve a system of condition 1e3
    start = np.random.default_rng(2).normal(size=(3, 3))
    again = prototypes_mahalanobis(X, M, S, focal_sets, alpha, beta, start=start)
    np.testing.assert_allclose(again, expected, atol=1e-10)  # wherever the step begins


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 2.0), (-1.0, 2.0), (2.0, 1.5)])
def test_norms_follow_the_printed_formulas(alpha, beta):
    """[antoine2012_cecm (37)], [antoine2012_cecm (42)]."""
    X, M, V, _, focal_sets = random_problem(3)
    expected = literal.covariances(X, V, M, focal_sets.sets, 3, alpha, beta)
    ours = covariances(X, V, M, focal_sets, alpha, beta)
    np.testing.assert_allclose(ours, expected, rtol=1e-11, atol=1e-13)  # rounding of 12 terms
    S, ridged = norm_matrices(X, V, M, focal_sets, alpha, beta)
    np.testing.assert_allclose(S, literal.norms(expected), rtol=1e-9, atol=1e-12)  # inverses two ways
    assert not ridged.any()


# ---------------------------------------------------------------- optimality


@given(SEEDS, st.sampled_from([-1.0, 0.0, 1.0]), st.sampled_from([1.5, 2.0]))
def test_gradient_is_zero_at_the_prototypes(seed, alpha, beta):
    """By central differences, which are exact for a quadratic function."""
    X, M, _, S, focal_sets = random_problem(seed)
    V, step = prototypes_mahalanobis(X, M, S, focal_sets, alpha, beta), 0.5
    scale = cost(X, M, V, S, focal_sets, alpha, beta)
    for index in np.ndindex(V.shape):
        move = np.zeros_like(V)
        move[index] = step
        up, down = (cost(X, M, V + sign * move, S, focal_sets, alpha, beta) for sign in (1, -1))
        assert abs(up - down) / (2 * step) <= 1e-10 * scale  # rounding of the difference of two costs


@given(SEEDS, st.sampled_from([1.5, 2.0]))
def test_no_other_norms_of_determinant_one_cost_less(seed, beta):
    X, M, V, _, focal_sets = random_problem(seed)
    S, ridged = norm_matrices(X, V, M, focal_sets, 1.0, beta)
    np.testing.assert_allclose(np.linalg.det(S), 1.0, rtol=1e-9)  # of well-conditioned matrices
    np.testing.assert_allclose(S, S.swapaxes(1, 2), rtol=1e-12, atol=1e-12)
    best, rng = cost(X, M, V, S, focal_sets, beta=beta), np.random.default_rng(seed)
    for _ in range(10):
        roots = np.eye(3) + 0.1 * rng.normal(size=(3, 3, 3))
        other = roots @ S @ roots.swapaxes(1, 2)
        other /= np.linalg.det(other)[:, None, None] ** (1 / 3)
        assert cost(X, M, V, other, focal_sets, beta=beta) >= best * (1 - 1e-12)  # rounding
    assert not ridged.any()


# ---------------------------------------------------------------- accuracy, blocks


def test_object_on_a_barycentre_is_at_distance_zero():
    """Far from the origin, where an expanded square would leave 1e-6."""
    V = 1e5 + np.array([[0.0, 1.0], [2.0, 3.0], [4.0, -1.0]])
    focal_sets = FocalSets.full(3)
    S = np.tile(np.array([[2.0, 1.0], [1.0, 1.0]]), (3, 1, 1))
    X = barycentres(V, focal_sets)
    for norms in (None, S):
        d2 = squared_distances(X, V, focal_sets, norms)
        np.testing.assert_array_equal(np.diag(d2), 0.0)
        assert (d2 >= 0).all()


def test_blocks_change_nothing(monkeypatch):
    X, M, V, S, focal_sets = random_problem(5, n=200)
    whole = squared_distances(X, V, focal_sets, S), norm_matrices(X, V, M, focal_sets, 1.0)[0]
    monkeypatch.setattr(prototype_step, "SLICE_ELEMENTS", 1)  # so the least size, 32 rows
    np.testing.assert_allclose(squared_distances(X, V, focal_sets, S), whole[0], rtol=1e-13)  # rounding
    np.testing.assert_allclose(norm_matrices(X, V, M, focal_sets, 1.0)[0], whole[1], rtol=1e-11, atol=1e-13)


# ---------------------------------------------------------------- singular covariances, empty clusters


def singular(kind):
    X, M, V, _, focal_sets = random_problem(6)
    if kind == "constant":
        X[:, 1] = V[:, 1] = 7.0
    elif kind == "collinear":
        X[:, 2], V[:, 2] = X[:, 0] - X[:, 1], V[:, 0] - V[:, 1]
    else:
        X[:] = V[:] = X[0]
    return X, M, V, focal_sets


@pytest.mark.parametrize("kind", ["constant", "collinear", "one place"])
def test_singular_covariance_gets_the_smallest_ridge_and_is_reported(kind):
    X, M, V, focal_sets = singular(kind)
    Sigma = covariances(X, V, M, focal_sets, 1.0)
    S, ridged = norm_matrices(X, V, M, focal_sets, 1.0)
    assert ridged.all()
    assert np.isfinite(S).all()
    np.testing.assert_allclose(np.linalg.slogdet(S)[1], 0.0, atol=1e-5)  # condition up to 1e10
    if kind == "one place":
        np.testing.assert_allclose(S, np.tile(np.eye(3), (3, 1, 1)), atol=1e-12)
        return
    for l in range(3):
        ridge = RIDGE * np.trace(Sigma[l]) / 3 * np.eye(3)
        expected = literal.norms((Sigma[l] + ridge)[None])[0]
        np.testing.assert_allclose(S[l], expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())
        # the least eigenvalue of Sigma is rounding of 1e-16, a millionth of the ridge


def test_ridged_norm_that_would_cost_more_is_not_taken():
    """The sum of traces is the cost; the previous norm is better when it ridges less."""
    Sigma = np.diag([1.0, 1.0, 0.0])[None]
    better = np.diag([1e-5, 1e-5, 1e10])[None]
    S, ridged = norm_matrices_from_covariances(Sigma)
    assert np.trace(Sigma[0] @ S[0]) > np.trace(Sigma[0] @ better[0])
    unchanged, still = norm_matrices_from_covariances(Sigma, previous=better)
    np.testing.assert_array_equal(unchanged, better)
    assert ridged.all()
    assert still.all()


def test_attributes_in_very_different_units_are_not_singular():
    X, M, V, _, focal_sets = random_problem(7)
    units = np.array([1.0, 1e2, 1e-2])
    S, ridged = norm_matrices(X * units, V * units, M, focal_sets, 1.0)
    expected, _ = norm_matrices(X, V, M, focal_sets, 1.0)
    assert not ridged.any()
    np.testing.assert_allclose(S * np.outer(units, units), expected, rtol=1e-5, atol=1e-6)  # condition 1e8


def test_cluster_without_mass_keeps_its_prototype():
    X, M, V, S, focal_sets = random_problem(8)
    M[:, focal_sets.membership[:, 2]] = 0.0
    moved = prototypes_mahalanobis(X, M, S, focal_sets, 1.0, start=V)
    np.testing.assert_allclose(moved[2], V[2], rtol=1e-12)  # from the mean of the data and back
    reduced = FocalSets.full(2)
    unchanged = [focal_sets.index(A) for A in reduced.sets]
    expected = prototypes_mahalanobis(X, M[:, unchanged], S[:2], reduced, 1.0)
    np.testing.assert_allclose(moved[:2], expected, rtol=1e-9)
    np.testing.assert_allclose(prototypes(X, M, focal_sets, 1.0, 2.0, start=V)[2], V[2], rtol=1e-12)
