"""Programmes that share a matrix: the answers of the active set, for each row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.cluster.simplex.shared_matrix import minimise_rows
from credalbench.cluster.simplex.simplex_qp import kkt_residual, solve_simplex_qp


def problem(seed, f, rank, n_rows=9):
    rng = np.random.default_rng(seed)
    factor = rng.random((rank, f))
    X = rng.dirichlet(np.full(f, 0.3), size=n_rows)
    X[X < 0.05] = 0.0
    linear = rng.normal(size=(n_rows, rank)) @ factor  # as of residuals: on what G does not see, no slope
    return factor.T @ factor, linear, X / X.sum(axis=1, keepdims=True)


def cost(G, linear, X):
    return np.sum((X @ G) * X) - 2 * np.sum(linear * X)


@given(st.integers(0, 10**6), st.integers(2, 20), st.integers(1, 30))
def test_each_row_is_the_minimiser_and_the_fall_is_that_of_the_cost(seed, f, rank):
    G, linear, start = problem(seed, f, rank)
    X = start.copy()
    fall, value = minimise_rows(G, linear, len(X), X, 0)
    scale = np.abs(G).max() + np.abs(linear).max()
    assert fall >= -1e-13 * scale  # rounding
    assert value == pytest.approx(cost(G, linear, X), abs=1e-9 * scale)  # near-singular supports
    assert fall == pytest.approx(cost(G, linear, start) - cost(G, linear, X), abs=1e-9 * scale)
    np.testing.assert_allclose(X.sum(axis=1), 1, atol=1e-14)  # rounding
    assert (X >= 0).all()
    assert max(kkt_residual(G, a, x) for a, x in zip(linear, X)) < 1e-8 * max(1, scale)  # as the active set
    if rank >= f:
        others = [solve_simplex_qp(G, a, x) for a, x in zip(linear, start)]
        np.testing.assert_allclose(cost(G, linear, np.array(others)), value, atol=1e-9 * scale)


def test_a_second_call_keeps_every_row_and_other_rows_stay():
    G, linear, X = problem(0, 6, 12, n_rows=20)
    before = X.copy()
    minimise_rows(G, linear, 5, X, 7)
    np.testing.assert_array_equal(np.delete(X, np.arange(7, 12), 0), np.delete(before, np.arange(7, 12), 0))
    found = X.copy()
    fall, _ = minimise_rows(G, linear, 5, X, 7)
    np.testing.assert_allclose(X, found, atol=1e-10)  # rounding
    assert 0 <= fall < 1e-15


def test_without_a_matrix_rows_keep_their_start():
    _, linear, X = problem(1, 4, 4)
    before = X.copy()
    assert minimise_rows(np.zeros((4, 4)), linear, len(X), X, 0)[0] == 0
    np.testing.assert_array_equal(X, before)
