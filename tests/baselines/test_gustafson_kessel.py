"""GustafsonKessel and the norm matrices: laws, reductions, oracle, flat clusters."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.baselines import FuzzyCMeans, GustafsonKessel
from credalbench.baselines.fuzzy_cmeans import squared_distances
from credalbench.baselines.gustafson_kessel import MAX_CONDITION, fuzzy_covariances, norm_roots
from tests.baselines.test_fuzzy_cmeans import problem
from tests.oracles import baselines as literal

SEEDS = st.integers(0, 2**32 - 1)


def lines(seed=0, n=60):
    """Two long parallel clusters that the Euclidean distance cuts across."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * [10, 0.3]
    X[n // 2 :, 1] += 5
    return X, np.repeat([0, 1], n // 2)


# ---------------------------------------------------------------- laws


@given(SEEDS, st.sampled_from([1.5, 2.0]))
def test_objective_never_rises_and_determinants_are_one(seed, m):
    X, V = problem(seed, n=30, p=3)
    fit = GustafsonKessel(3, m=m, init=V, tol=0.0, max_iter=20).fit(X)
    # the first value is Euclidean: identities have determinant 1, too
    assert np.diff(fit.objective_trace_).max() <= 1e-9 * fit.objective_trace_[0]  # rounding of inverses
    np.testing.assert_allclose(np.linalg.det(fit.norm_matrices_), 1, rtol=1e-6)  # of det, if ill-conditioned
    assert np.linalg.eigvalsh(fit.norm_matrices_).min() > 0
    np.testing.assert_allclose(fit.membership_.sum(axis=1), 1, rtol=1e-14)  # rounding


@given(SEEDS)
def test_no_other_metric_of_determinant_one_has_a_lower_objective(seed):
    rng = np.random.default_rng(seed)
    X, weights = rng.normal(size=(20, 3)), rng.random((20, 1))
    center = np.zeros((1, 3))
    best, _ = norm_roots(fuzzy_covariances(X, center, weights))
    other = rng.normal(size=(1, 3, 3))
    other /= np.cbrt(abs(np.linalg.det(other)))
    values = [np.sum(weights * squared_distances(X, center, roots)) for roots in (best, other)]
    assert values[0] <= values[1] * (1 + 1e-9)  # rounding


def test_long_clusters_are_found():
    X, truth = lines()
    fit = GustafsonKessel(2, init=[[0.0, 0.0], [0.0, 5.0]]).fit(X)
    np.testing.assert_array_equal(fit.labels_, truth)
    assert not np.array_equal(FuzzyCMeans(2, random_state=0).fit(X).labels_, truth)
    np.testing.assert_array_equal(fit.predict(X), fit.labels_)


# ---------------------------------------------------------------- reductions and oracle


def test_one_attribute_is_fuzzy_c_means():
    X, V = problem(4, n=40, p=1)
    fits = [Method(3, init=V, tol=1e-9).fit(X) for Method in (FuzzyCMeans, GustafsonKessel)]
    np.testing.assert_allclose(fits[1].membership_, fits[0].membership_, atol=1e-12)  # rounding
    np.testing.assert_allclose(fits[1].norm_matrices_, 1, rtol=1e-14)


def test_round_covariance_gives_the_identity():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    covariance = fuzzy_covariances(X, np.zeros((1, 2)), np.ones((4, 1)))
    np.testing.assert_allclose(norm_roots(covariance)[0], [np.eye(2)], atol=1e-15)  # rounding


def test_covariances_are_weighted_and_about_the_centre():
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(9, 3)), rng.random((9, 2))
    weights[:, 1] = 0
    mean = weights[:, 0] @ X / weights[:, 0].sum()
    covariances = fuzzy_covariances(X, np.array([mean, mean]), weights)
    expected = np.cov(X.T, aweights=weights[:, 0], ddof=0)
    np.testing.assert_allclose(covariances[0], expected, rtol=1e-12)  # rounding
    np.testing.assert_array_equal(covariances[1], 0)


@pytest.mark.parametrize("m", [1.3, 1.5, 2.0, 2.5])
@pytest.mark.parametrize("Method", [FuzzyCMeans, GustafsonKessel])
def test_iterations_agree_with_the_equations(Method, m):
    """[antoine2012_cecm (8)] and the updates that minimise it, five times."""
    X, V = problem(7)
    fit = Method(3, m=m, init=V, tol=0.0, max_iter=5).fit(X)
    U, V, S, J = literal.fuzzy_alternation(X, V, m, 5, adaptive=Method is GustafsonKessel)
    rounding = 1e-10 if Method is FuzzyCMeans else 1e-9  # it grows over five iterations
    np.testing.assert_allclose(fit.membership_, U, atol=rounding)
    np.testing.assert_allclose(fit.cluster_centers_, V, atol=rounding)
    assert fit.objective_ == pytest.approx(J, rel=rounding)
    if Method is GustafsonKessel:
        np.testing.assert_allclose(fit.norm_matrices_, S, rtol=1e-7, atol=1e-9)


# ---------------------------------------------------------------- flat clusters


def test_flat_covariance_is_capped_and_counted():
    smallest = np.diag([1e-310, 0.0])  # a floor below would be 0, its logarithm infinite
    covariances = np.array([np.diag([4.0, 0.0]), np.diag([4.0, 1.0]), np.zeros((2, 2)), smallest])
    roots, capped = norm_roots(covariances)
    S = roots @ roots
    assert capped == 3
    np.testing.assert_allclose(np.linalg.cond(S), [MAX_CONDITION, 4, 1, 1], rtol=1e-2)  # of 1e15 by SVD
    np.testing.assert_array_equal(S[2:], [np.eye(2)] * 2)
    np.testing.assert_allclose(S[1], np.diag([0.5, 2.0]), rtol=1e-14)  # rounding


def test_constant_column_warns_and_never_gives_nan():
    X, truth = lines()
    with pytest.warns(UserWarning, match="capped [0-9]+ times in [0-9]+ iterations"):
        fit = GustafsonKessel(2, init=[[0.0, 0.0, 1.0], [0.0, 5.0, 1.0]]).fit(np.c_[X, np.ones(60)])
    assert fit.n_capped_ >= 2
    assert np.isfinite(fit.membership_).all()
    np.testing.assert_array_equal(fit.labels_, truth)


def test_regular_data_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert GustafsonKessel(2, random_state=0).fit(lines()[0]).n_capped_ == 0
