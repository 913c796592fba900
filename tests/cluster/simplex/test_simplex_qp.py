"""Certificates of the compiled quadratic programme on the simplex."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from credalbench.cluster.simplex.simplex_qp import (
    FEW,
    FLAT,
    MANY,
    _thin_out,
    kkt_residual,
    minimise_on_simplex,
    solve_simplex_qp,
)

KKT_TOLERANCE = 1e-8  # the project's bound; measured values are near 1e-12


def value(G, a, x):
    return 0.5 * x @ G @ x - a @ x


def random_programme(seed, f, rank):
    """A Gram matrix of the given rank with a target in or outside its range, and a start with some zeros."""
    rng = np.random.default_rng(seed)
    columns = rng.random((rank, f)) * rng.integers(0, 2, f)  # some columns vanish, as Omega's does
    target = rng.random(rank)
    start = rng.random(f) * (rng.random(f) < 0.6) + 1e-300
    return columns.T @ columns, columns.T @ target, start / start.sum()


@given(st.integers(0, 2**32 - 1), st.integers(1, 16), st.integers(1, 40))
@example(0, 1, 1)
@settings(max_examples=300)
def test_minimiser_satisfies_kkt_also_when_gram_matrix_is_singular(seed, f, rank):
    """Row programme of [denoeux2016_evclus (20)]: optimality conditions hold, never worse than the start."""
    G, a, start = random_programme(seed, f, rank)
    x = solve_simplex_qp(G, a, start)
    assert kkt_residual(G, a, x) < KKT_TOLERANCE
    assert (x >= 0).all()
    assert x.sum() == pytest.approx(1, abs=1e-14)  # renormalised: rounding of one division per entry
    assert value(G, a, x) <= value(G, a, start) + 1e-14 * max(1, G.max())  # rounding of the two values


@pytest.mark.parametrize(
    ("a", "x", "residual"),
    [
        ([0.0, 0.0], [0.5, 0.5], 0.0),  # 4 x_1^2 + 4 x_2^2
        ([0.0, 0.0], [1.0, 0.0], 1.0),  # slopes 4 and 0
        ([2.0, 0.0], [0.75, 0.5], 0.25),  # slopes 1 and 2, the sum is 1.25
        ([4.0, -2.0], [1.25, -0.25], 0.25),  # equal slopes, the sum is 1, one is negative
    ],
)
def test_kkt_residual_is_the_largest_violation(a, x, residual):
    assert kkt_residual(4 * np.eye(2), np.array(a), np.array(x)) == residual


@given(st.integers(0, 2**32 - 1), st.integers(MANY + 1, 4 * MANY), st.integers(1, 6 * MANY))
@settings(max_examples=50)
def test_minimiser_satisfies_kkt_from_mass_on_many_coordinates_too(seed, f, rank):
    """There pairs of coordinates come first: still never worse than the start, and optimal."""
    G, a, start = random_programme(seed, f, rank)
    x = solve_simplex_qp(G, a, start)
    assert kkt_residual(G, a, x) < KKT_TOLERANCE
    assert (x >= 0).all()
    assert x.sum() == pytest.approx(1, abs=1e-14)  # renormalised
    assert value(G, a, x) <= value(G, a, start) + 1e-14 * max(1, G.max())  # rounding of the two values


@pytest.mark.parametrize("rank", [20, 500])
@pytest.mark.parametrize("seed", range(5))
def test_thinning_out_lowers_the_objective_until_few_coordinates_are_left(seed, rank):
    """Or until no pair can gain: then all slopes are the same where there is mass."""
    G, a, _ = random_programme(seed, 4 * MANY, rank)
    start = np.random.default_rng(seed).dirichlet(np.ones(4 * MANY))
    x, scale = start.copy(), np.diag(G).max()
    _thin_out(G, a, x, scale, np.empty_like(x))
    slope = G @ x - a
    gap = slope[x > 0].max() - slope.min()
    assert np.count_nonzero(x) == FEW or gap <= 1.01 * FLAT * scale  # its slopes are running sums
    assert value(G, a, x) < value(G, a, start)
    assert x.min() >= 0 and x.sum() == pytest.approx(1, abs=1e-12)  # rounding of many steps


@pytest.mark.parametrize("rank", [50, 500])
def test_many_coordinates_do_not_take_a_factorisation_each(rank):
    G, a, _ = random_programme(5, 256, rank)
    x = np.random.default_rng(6).dirichlet(np.ones(256))
    factorisations = minimise_on_simplex(G, a, x, np.empty((260, 256)), np.empty(256, np.int64))
    assert kkt_residual(G, a, x) < KKT_TOLERANCE
    assert factorisations < 50  # dropping one coordinate at a time takes some 200


@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
@settings(max_examples=30)
def test_agrees_with_a_general_purpose_solver(seed, f):
    G, a, start = random_programme(seed, f, 3 * f)
    G += 0.1 * np.eye(f)
    x = solve_simplex_qp(G, a, start)
    slsqp = minimize(
        lambda z: value(G, a, z),
        np.full(f, 1 / f),
        jac=lambda z: G @ z - a,
        bounds=[(0, 1)] * f,
        constraints={"type": "eq", "fun": lambda z: z.sum() - 1, "jac": np.ones_like},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert value(G, a, x) <= slsqp.fun + 1e-10  # SLSQP stops at its own tolerance, so ours may only be lower
    np.testing.assert_allclose(
        x, slsqp.x, atol=1e-5
    )  # strongly convex (0.1): value within 1e-12 puts x within 5e-6


def test_keeps_a_start_that_is_already_optimal_among_many():
    """With a zero matrix and term every point is optimal: the nearest one to the start is the start."""
    start = np.array([0.2, 0.5, 0.3])
    np.testing.assert_array_equal(solve_simplex_qp(np.zeros((3, 3)), np.zeros(3), start), start)


def test_among_many_minimisers_the_nearest_to_the_start_is_taken():
    """The proximal term: without its pull, the barycentre of the minimisers would be taken."""
    alike = solve_simplex_qp(np.ones((2, 2)), np.ones(2), [0.3, 0.7])
    np.testing.assert_allclose(alike, [0.3, 0.7], atol=1e-3)  # pivots of 1e-12 know four digits
    flat = solve_simplex_qp(np.diag([1.0, 0.0, 0.0]), np.zeros(3), [0.2, 0.5, 0.3])
    np.testing.assert_allclose(flat, [0.0, 0.6, 0.4], atol=1e-10)  # a proximal weight of 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_rounding_alone_gives_a_point_of_the_simplex(seed):
    """Where one object knows all there is to know, what is left without it is noise of either sign."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(6, 6)) - 4 * np.eye(6) * (seed % 2)
    x = rng.dirichlet(np.ones(6))
    minimise_on_simplex(
        1e-17 * (noise + noise.T), 1e-17 * rng.normal(size=6), x, np.zeros((10, 6)), np.zeros(6, np.int64)
    )
    assert x.min() >= 0 and x.sum() == pytest.approx(1, abs=1e-12)  # rounding


def test_projection_on_the_simplex_by_hand():
    np.testing.assert_allclose(solve_simplex_qp(np.eye(3), [1.0, 0.5, -2.0]), [0.75, 0.25, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    ("G", "a", "x0", "message"),
    [
        (np.eye(2), np.ones(3), None, "shape"),
        (np.array([[np.nan, 0], [0, 1]]), np.ones(2), None, "finite"),
        (np.eye(2), np.ones(2), [0.7, 0.7], "simplex"),
        (np.eye(2), np.ones(2), [1.5, -0.5], "simplex"),
    ],
)
def test_bad_programmes_are_refused(G, a, x0, message):
    with pytest.raises(ValueError, match=message):
        solve_simplex_qp(G, a, x0)
