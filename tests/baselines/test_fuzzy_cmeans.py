"""FuzzyCMeans: laws, reductions, oracle."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from credalbench.baselines import FuzzyCMeans
from credalbench.baselines.fuzzy_cmeans import memberships, objective, squared_distances, weighted_means

SEEDS = st.integers(0, 2**32 - 1)
EXPONENTS = st.sampled_from([1.05, 1.5, 2.0, 3.0])


def problem(seed, n=12, p=2, c=3):
    """Random objects and different centres to start from."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.uniform(0.5, 3, p)
    return X, rng.normal(size=(c, p))


# ---------------------------------------------------------------- laws


@given(SEEDS, EXPONENTS)
def test_memberships_lie_on_the_simplex(seed, m):
    """[antoine2012_cecm (1)] and [antoine2012_cecm (2)], with distances from 0 to 1e300."""
    rng = np.random.default_rng(seed)
    squared = 10.0 ** rng.uniform(-300, 300, (20, 3)) * (rng.random((20, 3)) < 0.8)
    U = memberships(squared, m)
    assert U.min() >= 0
    np.testing.assert_allclose(U.sum(axis=1), 1, rtol=1e-14)  # rounding


@given(SEEDS, EXPONENTS)
def test_no_other_memberships_have_a_lower_objective(seed, m):
    rng = np.random.default_rng(seed)
    squared = rng.gamma(1.0, size=(1, 4))
    best = objective(memberships(squared, m), squared, m)
    for other in rng.dirichlet(np.ones(4), size=20):
        assert best <= objective(other[None], squared, m) * (1 + 1e-12)  # rounding


@given(SEEDS, EXPONENTS)
def test_objective_never_rises(seed, m):
    X, V = problem(seed, n=30)
    trace = FuzzyCMeans(3, m=m, init=V, tol=0.0, max_iter=30).fit(X).objective_trace_
    assert len(trace) == 31 or trace[-1] == trace[-2]
    assert np.diff(trace).max() <= 1e-12 * trace[0]  # rounding


def test_object_on_centres_belongs_to_them_in_equal_shares():
    U = memberships(np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]), 2)
    np.testing.assert_array_equal(U, [[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]])


def test_centre_that_no_object_belongs_to_stays():
    X = np.array([[0.0], [0.0], [1.0]])
    fit = FuzzyCMeans(3, init=[[0.0], [1.0], [50.0]]).fit(X)
    np.testing.assert_array_equal(fit.cluster_centers_, [[0], [1], [50]])
    np.testing.assert_array_equal(fit.labels_, [0, 0, 1])
    assert fit.objective_ == 0


def test_prediction_for_the_same_objects_is_the_fit():
    X, _ = problem(1, n=50)
    fit = FuzzyCMeans(3, random_state=0).fit(X)
    np.testing.assert_allclose(fit.predict_membership(X), fit.membership_, rtol=1e-13)  # rounding
    np.testing.assert_array_equal(fit.predict(X), fit.labels_)
    np.testing.assert_array_equal(fit.predict(fit.cluster_centers_), [0, 1, 2])


# ---------------------------------------------------------------- reductions and oracle


def test_exponent_near_one_is_c_means():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(30, 2)) + center for center in ([0, 0], [8, 0], [0, 8])])
    V = X[[0, 30, 60]]
    fit = FuzzyCMeans(3, m=1.02, init=V, tol=1e-9).fit(X)
    kmeans = KMeans(3, init=V, n_init=1, tol=0.0).fit(X)
    np.testing.assert_array_equal(fit.labels_, kmeans.labels_)
    np.testing.assert_allclose(fit.cluster_centers_, kmeans.cluster_centers_, atol=1e-6)  # m is not 1


def test_squared_distances_are_exact_at_zero_far_from_the_origin():
    X = np.array([[1e8 + 1, 3.0], [1e8, 3.0]])
    np.testing.assert_array_equal(squared_distances(X, X), [[0, 1], [1, 0]])


def test_means_are_weighted():
    X, weights = np.array([[0.0], [3.0]]), np.array([[2.0, 0.0], [1.0, 0.0]])
    np.testing.assert_allclose(weighted_means(X, weights, np.array([[7.0], [9.0]])), [[1.0], [9.0]])
