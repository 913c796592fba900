"""MMC: feasibility, certificate of optimality, special cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import eigh
from scipy.optimize import minimize

from credalbench.baselines import MMC
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from tests.baselines.test_fuzzy_cmeans import problem
from tests.oracles import baselines as literal

SEEDS = st.integers(0, 2**32 - 1)
GRID = np.arange(10.0).reshape(5, 2)


def learning(seed, n=40, p=3, size=30):
    """Random objects, and pairs of both kinds."""
    rng = np.random.default_rng(seed)
    X, _ = problem(seed, n=n, p=p)
    given_ = PairwiseConstraints.from_labels(np.arange(n) % 2, random_pairs(n, size, rng))
    return X, {"must_link": given_.must_link, "cannot_link": given_.cannot_link}


def f_and_g(A, X, pairs):
    """Sum of squared learned distances of the must-links, and of distances of the cannot-links."""
    return (
        np.sum(np.square(literal.learned_distances(A, X, pairs["must_link"]))),
        np.sum(literal.learned_distances(A, X, pairs["cannot_link"])),
    )


# ---------------------------------------------------------------- laws and certificates


@given(SEEDS, st.booleans(), st.sampled_from([1, 2, 5]))
def test_metric_is_feasible_and_better_than_the_identity(seed, diagonal, p):
    X, pairs = learning(seed, p=p)
    fit = MMC(diagonal=diagonal).fit(X, **pairs)
    A = fit.metric_
    assert np.isfinite(A).all()
    assert np.linalg.eigvalsh(A).min() >= -1e-12 * np.trace(A)  # rounding
    f, g = f_and_g(A, X, pairs)
    f_identity, g_identity = f_and_g(np.eye(p), X, pairs)
    ridge = 1e-3 * f_identity / p  # counted by f, too: of A its trace, of the identity p
    assert f + ridge * np.trace(A) == pytest.approx(f_identity + ridge * p, rel=1e-9)  # rounding
    assert g >= g_identity * (1 - 1e-12)
    assert fit.objective_ == pytest.approx(g, rel=1e-9)
    assert fit.objective_trace_[0] == pytest.approx(g_identity, rel=1e-9)
    assert np.diff(np.r_[0, fit.objective_trace_]).min() >= -1e-12 * g  # never falls; rounding
    np.testing.assert_allclose(fit.components_.T @ fit.components_, A, atol=1e-9 * np.trace(A))
    if diagonal:
        np.testing.assert_array_equal(A, np.diag(np.diag(A)))


@given(SEEDS, st.booleans())
def test_gap_bounds_what_is_missing_to_the_optimum(seed, diagonal):
    """g is concave, so g(A') <= g(A) + <grad g, A' - A>; the right side is largest at a generalised
    eigenvector of the gradient and the must-link matrix."""
    X, pairs = learning(seed)
    fit = MMC(diagonal=diagonal, tol=1e-4).fit(X, **pairs)
    assert fit.converged_
    near, far = (X[p[:, 0]] - X[p[:, 1]] for p in (pairs["must_link"], pairs["cannot_link"]))
    W = near.T @ near + 1e-3 * np.mean(np.sum(near**2, axis=0)) * np.eye(3)
    G = sum(np.outer(d, d) / (2 * np.sqrt(d @ fit.metric_ @ d)) for d in far)
    if diagonal:
        G, W = np.diag(np.diag(G)), np.diag(np.diag(W))
    missing = np.trace(W) * eigh(G, W, eigvals_only=True)[-1] - np.sum(G * fit.metric_)
    assert missing / fit.objective_ == pytest.approx(fit.gap_, abs=1e-8)  # rounding
    assert fit.gap_ <= 1e-4


def test_optimum_agrees_with_a_general_solver():
    X, pairs = learning(2, p=2)
    fit = MMC(tol=1e-7).fit(X, **pairs)

    def metric(entries):  # scaled to the same f
        F = np.array([[entries[0], 0.0], [entries[1], entries[2]]])
        A = F @ F.T
        f, _ = f_and_g(A, X, pairs)
        f_identity, _ = f_and_g(np.eye(2), X, pairs)
        ridge = 1e-3 * f_identity / 2
        return A * (f_identity + 2 * ridge) / (f + ridge * np.trace(A))

    found = minimize(lambda e: -f_and_g(metric(e), X, pairs)[1], [1.0, 0.0, 1.0], method="Nelder-Mead")
    assert fit.objective_ == pytest.approx(-found.fun, rel=1e-5)  # tolerance of Nelder-Mead
    np.testing.assert_allclose(fit.metric_, metric(found.x), atol=0.02 * np.trace(fit.metric_))  # flat top


# ---------------------------------------------------------------- special cases


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize(
    "pairs", [{}, {"must_link": [(0, 1)]}, {"cannot_link": [(0, 1)]}, {"must_link": [], "cannot_link": []}]
)
def test_without_pairs_of_both_kinds_it_is_the_identity(diagonal, pairs):
    fit = MMC(diagonal=diagonal).fit(GRID, **pairs)
    np.testing.assert_array_equal(fit.metric_, np.eye(2))
    np.testing.assert_array_equal(fit.transform(GRID), GRID)
    assert fit.n_iter_ == len(fit.objective_trace_) == 1  # g of the identity, and no step
    assert fit.converged_


@pytest.mark.parametrize("diagonal", [False, True])
def test_pairs_of_equal_objects_teach_nothing(diagonal):
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [4.0, 2.0]])
    for pairs in (
        {"must_link": [(0, 1)], "cannot_link": [(0, 2)]},
        {"must_link": [(0, 2)], "cannot_link": [(0, 1)]},
    ):
        np.testing.assert_array_equal(MMC(diagonal=diagonal).fit(X, **pairs).metric_, np.eye(2))
    both = MMC(diagonal=diagonal).fit(X, must_link=[(2, 3)], cannot_link=[(0, 1), (0, 2)])
    assert np.isfinite(both.metric_).all()


@pytest.mark.parametrize("diagonal", [False, True])
def test_fewer_must_links_than_attributes_stay_finite(diagonal):
    X, _ = problem(0, n=20, p=13)
    fit = MMC(diagonal=diagonal).fit(X, must_link=[(0, 1)], cannot_link=[(2, 3), (4, 5)])
    assert np.isfinite(fit.metric_).all()
    assert fit.converged_
    if not diagonal:
        with pytest.raises(ValueError, match="span all 13 dimensions, or a larger regularization, got 1"):
            MMC(regularization=0.0).fit(X, must_link=[(0, 1)], cannot_link=[(2, 3)])


def test_without_regularization_spanning_must_links_will_do():
    X, pairs = learning(1)
    exact, ridge = (MMC(regularization=r, tol=1e-7).fit(X, **pairs).metric_ for r in (0.0, 1e-9))
    np.testing.assert_allclose(exact, ridge, atol=1e-4 * np.trace(exact))  # flat top: tol on g, not on A
