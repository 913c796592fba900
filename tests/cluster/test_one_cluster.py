"""One cluster and the empty set: noise clustering, and what EVCLUS makes of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.base import clone

from credalbench.belief import FocalSets
from credalbench.cluster import (
    CECM,
    ECM,
    EVCLUS,
    MECM,
    NNEVCLUS,
    RECM,
    ActiveLearner,
    CatECM,
    EKNNclus,
    add_pairs,
)
from credalbench.datasets import load

SEEDS = st.integers(0, 2**32 - 1)
BUTTERFLY = load("butterfly").X


def problem(seed, n=20):
    """A group of objects, and some far from it."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(size=(n - 4, 2)), rng.normal(scale=8, size=(4, 2))])


def noise_clustering(X, v, delta, beta, n_iter):
    """Memberships and prototype by turns, as in noise clustering [dave1991]: (n,), (p,)."""
    for _ in range(n_iter):
        u = 1 / (1 + (np.sum((X - v) ** 2, axis=1) / delta**2) ** (1 / (beta - 1)))
        v = (u**beta) @ X / np.sum(u**beta)
    return 1 / (1 + (np.sum((X - v) ** 2, axis=1) / delta**2) ** (1 / (beta - 1))), v


@given(SEEDS, st.sampled_from([1.5, 2.0, 3.0]), st.floats(-2, 2))
def test_ecm_is_noise_clustering(seed, beta, alpha):
    X = problem(seed)
    fit = ECM(1, alpha=alpha, beta=beta, delta=2.0, init=X[:1], tol=0, max_iter=7).fit(X)
    u, v = noise_clustering(X, X[0], 2.0, beta, 7)
    np.testing.assert_allclose(fit.cluster_centers_[0], v, atol=1e-9)  # rounding
    np.testing.assert_allclose(fit.partition_.masses, np.column_stack([1 - u, u]), atol=1e-9)  # rounding
    squared = np.sum((X - v) ** 2, axis=1)
    expected = np.sum(u**beta * squared + (1 - u) ** beta * 4) / (2 * len(X))
    assert fit.objective_ == pytest.approx(expected, rel=1e-9)  # rounding
    assert np.diff(fit.objective_trace_).max() <= 1e-12 * fit.objective_trace_[0]  # rounding


@given(SEEDS, st.sampled_from([1.5, 2.0]))
def test_recm_is_noise_clustering_too(seed, beta):
    X = problem(seed)
    fit = RECM(1, beta=beta, delta=3.0, tol=0, max_iter=7).fit(X)  # all masses start on the cluster
    u, _ = noise_clustering(X, X.mean(axis=0), 3.0, beta, 6)
    np.testing.assert_allclose(fit.partition_.masses[:, 1], u, atol=1e-9)  # rounding
    assert np.diff(fit.objective_trace_).max() <= 1e-12 * fit.objective_trace_[0]  # rounding


@given(SEEDS)
def test_mecm_is_noise_clustering_about_a_medoid(seed):
    X = problem(seed)
    fit = MECM(1, delta=2.0, random_state=0).fit(X)
    squared = cdist(X, X[fit.medoid_indices_], "sqeuclidean")[:, 0]
    np.testing.assert_allclose(fit.partition_.masses[:, 1], 1 / (1 + squared / 4), rtol=1e-9)  # rounding
    assert (np.diff(fit.objective_trace_) < 0).all()
    costs = fit.partition_.masses[:, 1] ** 2 @ cdist(X, X, "sqeuclidean")
    assert fit.medoid_indices_[0] == np.argmin(costs)


@given(SEEDS, st.sampled_from([1.1, 1.5]), st.floats(-2, 2))
def test_cat_ecm_is_noise_clustering_about_the_most_frequent_values(seed, beta, alpha):
    X = np.random.default_rng(seed).integers(3, size=(21, 4))
    fit = CatECM(1, alpha=alpha, beta=beta, delta=0.7, random_state=0).fit(X)
    squared = np.mean([1 - w[0, x] for w, x in zip(fit.weights_, X.T)], axis=0)
    u = 1 / (1 + (squared / 0.49) ** (1 / (beta - 1)))
    np.testing.assert_allclose(fit.partition_.masses, np.column_stack([1 - u, u]), atol=1e-9)  # rounding
    for weights, x in zip(fit.weights_, X.T):
        counts = np.bincount(x, u**beta)
        most = np.isclose(counts, counts.max(), rtol=1e-9)
        np.testing.assert_allclose(weights[0], (most / most.sum())[np.unique(x)], atol=1e-12)


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
def test_must_links_cost_nothing_and_cannot_links_make_outliers(metric):
    X = problem(0)
    settings = {"metric": metric, "delta": 4.0, "init": X[:1], "tol": 0, "max_iter": 30}
    free = ECM(1, beta=2.0, **settings).fit(X)
    joined = CECM(1, **settings).fit(X, must_link=[(0, 1), (2, 17)])
    np.testing.assert_allclose(joined.partition_.masses, free.partition_.masses, atol=1e-12)  # rounding
    assert joined.constraint_cost_ == 0
    parted = CECM(1, xi=0.9, **settings).fit(X, cannot_link=[(0, 1)])
    first, second = parted.partition_.masses[:2, 1]
    assert parted.constraint_cost_ == pytest.approx(first * second)
    assert first * second < 0.01 * np.prod(free.partition_.masses[:2, 1])
    assert np.diff(parted.objective_trace_).max() <= 1e-12  # rounding


@pytest.mark.parametrize("n_pairs", [None, 8, 4])
@pytest.mark.parametrize("subsets", ["simple", "full", "pairs"])
def test_evclus_matches_one_minus_the_product_of_masses(subsets, n_pairs):
    fit = EVCLUS(1, focal_sets=subsets, n_pairs=n_pairs, tol=1e-12, random_state=0)
    fit.set_params(pair_sampling="tiles" if n_pairs == 4 else "independent").fit(BUTTERFLY)
    assert fit.partition_.focal_sets == FocalSets.simple(1)
    u = fit.partition_.masses[:, 1]
    if n_pairs is None:
        i, j = np.triu_indices(12, 1)
        delta = fit.conflict_pairs_.delta[i, j]
    elif n_pairs == 4:  # in blocks
        i, j = fit.conflict_pairs_.graph.pairs()
        delta = fit.conflict_pairs_.delta
    else:
        i, j = np.repeat(np.arange(12), 8), fit.conflict_pairs_.partners.ravel()
        delta = fit.conflict_pairs_.delta.ravel()
    stress = np.sum((1 - u[i] * u[j] - delta) ** 2) / np.sum(delta.astype(float) ** 2)
    assert fit.objective_ == pytest.approx(stress, rel=1e-9)  # rounding
    assert np.diff(fit.objective_trace_).max() <= 1e-12  # rounding
    # every mass is the least squares answer to the others, kept within [0, 1]
    top, bottom = np.zeros(12), np.zeros(12)
    for one, other in ((i, j), (j, i)):
        np.add.at(top, one, u[other] * (1 - delta))
        np.add.at(bottom, one, u[other] ** 2)
    np.testing.assert_allclose(u, np.clip(top / bottom, 0, 1), atol=1e-4)  # where the sweeps stopped


def fits_of_one_cluster(X):
    """Fits to attributes, a matrix, sampled pairs and given pairs, and those of a network."""
    D = cdist(X, X)
    partners = np.argsort(np.random.default_rng(0).random(D.shape) + 2 * np.eye(len(X)), axis=1)[:, :30]
    one, of_matrix = EVCLUS(1, random_state=0), EVCLUS(1, metric="precomputed", random_state=0)
    yield one.fit(X)
    yield clone(one).set_params(n_pairs=30).fit(X)
    yield clone(one).set_params(n_pairs=30, pair_sampling="independent").fit(X)
    yield clone(of_matrix).fit(np.take_along_axis(D, partners, axis=1), partners=partners)
    yield of_matrix.fit(D)
    yield NNEVCLUS(1, n_init=1, random_state=0).fit(X)


@pytest.mark.parametrize("p", [1, 2, 10])
@pytest.mark.parametrize("draw", ["normal", "uniform"])
def test_few_objects_are_outliers_of_one_cluster_but_all_far_ones(draw, p):
    """With d0 at the 0.9-quantile: 12 to 60 % of the objects."""
    rng = np.random.default_rng([p, 5])
    X = getattr(rng, draw)(size=(300, p))
    far = X.mean(axis=0) + rng.choice([-1, 1], (6, 1)) * np.ptp(X) * rng.uniform(2, 4, (6, p))
    for clean, among_far in zip(fits_of_one_cluster(X), fits_of_one_cluster(np.vstack([X, far]))):
        assert clean.partition_.outliers().mean() <= 0.03
        assert among_far.partition_.outliers()[:300].mean() <= 0.03
        assert among_far.partition_.outliers()[300:].all()


@pytest.mark.parametrize("scale", [1e-90, 1e90])
def test_d0_of_one_cluster_has_the_units_of_the_data(scale):
    X = problem(3)
    for method in (EVCLUS(1, random_state=0), NNEVCLUS(1, n_init=1, max_iter=5, random_state=0)):
        d0 = method.fit(X).d0_
        assert method.fit(X * scale).d0_ == pytest.approx(d0 * scale, rel=1e-12)
    alike = np.vstack([np.zeros((18, 1)), [[scale], [2 * scale]]])
    fit = EVCLUS(1, random_state=0).fit(alike)
    assert fit.d0_ == 2 * scale and fit.d0_quantile_ is None
    np.testing.assert_array_equal(fit.partition_.outliers(), np.arange(20) >= 18)


def test_one_label_stays_one_label():
    fit = EKNNclus(1, n_neighbors=3).fit(BUTTERFLY)
    assert fit.n_clusters_ == fit.n_iter_ == 1
    np.testing.assert_array_equal(fit.partition_.masses[:, 1], 1.0)


def test_one_cluster_has_no_pairs_and_no_question():
    fit = ECM(1).fit(BUTTERFLY)
    with pytest.raises(ValueError, match="n_clusters - 1 = 0"):
        add_pairs(fit.partition_)
    with pytest.raises(ValueError, match="n_clusters - 1 = 0"):
        EVCLUS(1, pair_neighbors=1).fit(BUTTERFLY)
    with pytest.raises(ValueError, match="two clusters or more, got 1"):
        ActiveLearner(CECM(1), BUTTERFLY).propose()
