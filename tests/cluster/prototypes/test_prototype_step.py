"""The prototype step of the ECM family."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.mass_update import focal_costs, objective
from credalbench.cluster.prototypes.prototype_step import (
    prototype_system,
    prototype_weights,
    prototypes,
    solve_scaled,
)
from tests.oracles import recm as literal


def random_masses(seed, n=10, c=3):
    rng = np.random.default_rng(seed)
    focal_sets = FocalSets.full(c)
    return rng.normal(size=(n, 2)), rng.dirichlet(np.ones(len(focal_sets)), size=n), focal_sets


def cost_of(X, M, focal_sets, alpha, beta):
    """The objective as a function of the prototypes."""

    def cost(V):
        barycentres = (focal_sets.membership[1:] / focal_sets.cardinality[1:, None]) @ V
        d2 = ((X[:, None] - barycentres) ** 2).sum(axis=2)
        return objective(M, focal_costs(d2, focal_sets, alpha, 1.0), beta)

    return cost


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.5), (0.0, 2.0), (2.0, 1.1)])
def test_prototypes_solve_the_printed_system(alpha, beta):
    """[antoine2012_cecm (A.3)], [antoine2012_cecm (A.4)], [antoine2012_cecm (A.5)]."""
    X, M, focal_sets = random_masses(0)
    H, B = literal.system(M, X, focal_sets.sets, 3, alpha, beta)
    ours, U = prototype_system(M, focal_sets, alpha, beta)
    np.testing.assert_allclose(ours, H, rtol=1e-13)  # rounding
    np.testing.assert_allclose(U @ X, B, atol=1e-13)
    V = prototype_weights(M, focal_sets, alpha, beta) @ X
    np.testing.assert_allclose(V, np.linalg.solve(H, B), atol=1e-12)  # the system's condition is below 100
    for start in (None, X[:3]):  # from moments, wherever the step begins
        direct = prototypes(X, M, focal_sets, alpha, beta, start=start)
        np.testing.assert_allclose(direct, np.linalg.solve(H, B), atol=1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from([-1.0, 1.0]), st.sampled_from([1.1, 2.0]))
def test_gradient_is_zero_at_the_prototypes(seed, alpha, beta):
    """By central differences, which are exact for a quadratic function."""
    X, M, focal_sets = random_masses(seed)
    cost = cost_of(X, M, focal_sets, alpha, beta)
    V = prototypes(X, M, focal_sets, alpha, beta)
    for index in np.ndindex(V.shape):
        move = np.zeros_like(V)
        move[index] = 0.5
        assert abs(cost(V + move) - cost(V - move)) <= 1e-10 * cost(V)  # rounding of two costs


def test_prototypes_far_from_the_origin_lose_no_digits():
    X, M, focal_sets = random_masses(3)
    near, far = (prototypes(X + at, M, focal_sets, 1.0, 2.0) - at for at in (0.0, 2.0**30))
    np.testing.assert_allclose(far, near, atol=1e-6)  # 2^30 leaves 2e-7 of the objects themselves

    # near-singular systems of random masses lose some digits


def test_of_nearly_singular_systems_the_least_solution_is_taken():
    """Its Cholesky root exists, but the last pivot is rounding."""
    H = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-52]])
    np.testing.assert_allclose(solve_scaled(H, np.ones((2, 1))), [[0.5], [0.5]], rtol=1e-6)
