"""``delta="auto"``: what it finds, and what it depends on."""

import warnings

import numpy as np
import pytest

from credalbench.cluster import BPEC, CECM, ECM
from credalbench.cluster.prototypes.outlier_distance import near_objects, ward_labels
from credalbench.cluster.prototypes.prototype_step import OBJECTS, sample_objects
from credalbench.metrics import adjusted_rand

METRICS = ("euclidean", "mahalanobis")


def table(seed, n_outliers=8, heavy=False):
    """Clusters at the corners of a square, 8 standard deviations apart, and far outliers; standardised."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(400 - n_outliers) % 4, np.full(n_outliers, -1))
    noise = rng.normal(size=(400, 3)) * (np.sqrt(3 / rng.chisquare(5, (400, 1))) if heavy else 1.0)
    directions = rng.normal(size=(400, 3))
    directions *= rng.uniform(60, 200, (400, 1)) / np.linalg.norm(directions, axis=1, keepdims=True)
    corners = 8 * np.column_stack([y % 2, y // 2, np.zeros(400)])
    X = np.where(y[:, None] < 0, directions, corners + noise)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.mark.parametrize("model", [ECM, CECM])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("heavy", [False, True])
def test_far_outliers_are_found_by_default_and_few_others(model, metric, heavy):
    """At the earlier default, 10, none of them is found."""
    found, false, agreement = [], [], []
    for seed in range(5):
        X, y = table(seed, heavy=heavy)
        fit = model(4, metric=metric, n_init=3, random_state=seed).fit(X)
        out = fit.partition_.outliers()
        found.append(out[y < 0].mean())
        false.append(out[y >= 0].mean())
        agreement.append(adjusted_rand(y[y >= 0], fit.labels_[y >= 0]))
    assert np.mean(found) >= 0.9
    assert np.mean(false) <= 0.02
    assert np.mean(agreement) > 0.95


@pytest.mark.parametrize("init", ["auto", "k-means++", "k-means", "random"])
def test_no_outlier_is_a_starting_prototype(init):
    for seed in range(20):
        X, y = table(0, n_outliers=8)
        start = ECM(4, init=init, max_iter=0, random_state=seed).fit(X).start_
        assert np.abs(start).max() < np.abs(X[y >= 0]).max() + 1e-9  # k-means: a mean of objects
        assert np.abs(X[y < 0]).max() > 3 * np.abs(start).max()


@pytest.mark.parametrize("metric", METRICS)
def test_it_depends_on_the_data_and_the_objective_alone(metric):
    X, _ = table(1)
    options = {"metric": metric, "focal_sets": "simple"}
    first = ECM(4, **options, random_state=0).fit(X)
    other = ECM(4, **options, init="random", n_init=3, random_state=5).fit(X)
    assert other.delta_ == first.delta_
    weighted = ECM(4, **options).fit(X, sample_weight=np.full(400, 2.0))
    repeated = ECM(4, **options).fit(np.repeat(X, 2, axis=0))
    assert weighted.delta_ == pytest.approx(repeated.delta_, rel=1e-9)  # sums in another order
    again = ECM(4, **options, init=first.start_).fit(X)
    np.testing.assert_array_equal(again.partition_.masses, first.partition_.masses)
    given = ECM(4, **options, init=first.start_, delta=first.delta_).fit(X)
    np.testing.assert_array_equal(given.partition_.masses, first.partition_.masses)
    larger = ECM(4, **options).fit(10 * X)
    assert larger.delta_ == pytest.approx(10 * first.delta_, rel=1e-9)  # rounding of 10 X
    assert CECM(4, **options, n_init=1).fit(X).delta_ == pytest.approx(2 * first.delta_, rel=1e-12)


def test_objects_without_weight_do_not_count():
    X, y = table(2, n_outliers=8)
    fit = ECM(4).fit(X, sample_weight=(y >= 0).astype(float))
    assert fit.delta_ == pytest.approx(ECM(4).fit(X[y >= 0]).delta_, rel=1e-9)  # sums in another order


def test_the_sample_is_spread_over_the_weight():
    np.testing.assert_array_equal(sample_objects(7, 2, None), np.arange(7))
    np.testing.assert_array_equal(sample_objects(4, 2, np.array([2.0, 0.0, 1.0, 3.0])), [0, 0, 2, 3, 3, 3])
    rows = sample_objects(10**7, 2, None)
    assert len(rows) == OBJECTS
    np.testing.assert_array_equal(rows * OBJECTS // 10**7, np.arange(OBJECTS))
    assert np.bincount(rows % 2).min() > 0.4 * OBJECTS  # not in step with a file of alternating rows
    assert len(sample_objects(10**5, 100, np.ones(10**5))) == 2000
    heavy = np.append(np.full(5000, 1e-3), 5.0)
    assert (sample_objects(5001, 2, heavy) == 5000).mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((6, 2)),
        np.array([[0.0], [1.0]]),
        np.repeat(np.eye(3), 4, axis=0),
        np.append(np.zeros(50), [1.0, 2.0])[:, None],
        np.eye(5),
    ],
    ids=["one place", "two objects", "places of clusters", "mostly one place", "all as far"],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_it_is_positive_and_finite_for_degenerate_data(X):
    for c in (1, 2, min(3, len(X))):
        for metric in METRICS:
            fit = ECM(c, metric=metric, random_state=0).fit(X)
            assert 0 < fit.delta_ < np.inf
            assert np.isfinite(fit.partition_.masses).all()


def profiles(k, deviating, seed=0, p=6):
    """Repeat k profiles of answers from 1 to 5, forty rows each; some rows deviate by one in one column."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.permuted(np.tile(np.arange(1.0, 7) % 5 + 1, (k, 1)), axis=1), 40, axis=0)
    rows = rng.choice(len(X), round(deviating * len(X)), replace=False)
    X[rows, rng.integers(p, size=len(rows))] += 1
    return X


@pytest.mark.parametrize("k", [1, 2, 4, 6])
@pytest.mark.parametrize("deviating", [0.0, 0.01, 0.05, 0.1])
@pytest.mark.parametrize("model", [ECM, CECM, BPEC])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_repeated_rows_are_not_outliers_and_far_rows_are(k, deviating, model):
    """Most distances are 0 or rounding; delta must not be."""
    X = profiles(k, deviating)
    masses = model(k).fit(X).partition_.masses[:, 0]
    assert np.median(masses) < 0.1
    if model is BPEC:  # its prototypes are objects, also far ones
        return
    far = np.vstack([X, [[60.0] * 6, [-60.0, 60.0] * 3]])
    for scale, shift in ((1.0, 0.0), (1e6, 0.0), (1e-3, 5.0)):
        fit = model(k, random_state=0).fit(far * scale + shift)
        assert fit.partition_.outliers()[-2:].all()
        assert np.median(fit.partition_.masses[:, 0]) < 0.1


@pytest.mark.parametrize("seed", range(3))
def test_beta_is_small_where_columns_are_noise(seed):
    """At beta = 2 the prototypes coincide, which a warning says."""
    rng = np.random.default_rng(seed)
    y = np.arange(240) % 4
    X = np.hstack([6 * np.eye(4)[y][:, :3] + rng.normal(size=(240, 3)), 3 * rng.normal(size=(240, 9))])
    with pytest.warns(UserWarning, match="prototypes coincide"):
        ECM(4, beta=2.0, random_state=0).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = ECM(4, random_state=0).fit(X)
        again = ECM(4, beta=fit.beta_, random_state=0).fit(X)
    assert fit.beta_ < 2
    np.testing.assert_array_equal(again.partition_.masses, fit.partition_.masses)
    np.testing.assert_array_equal(fit.predict_partition(X).masses, fit.partition_.masses)
    assert ECM(4, random_state=0).fit(1e3 * X - 50).beta_ == fit.beta_
    assert ECM(4, delta=20.0, init="random", random_state=1).fit(X).beta_ == fit.beta_


def test_beta_is_two_where_clusters_are_apart():
    X, _ = table(3)
    assert ECM(4).fit(X).beta_ == ECM(1).fit(X).beta_ == 2


def test_near_objects_and_linkage():
    X = np.random.default_rng(0).normal(size=(100, 2))
    X[:3] = [[50, 0], [0, 50], [-50, 50]]
    np.testing.assert_array_equal(near_objects(X, 2), np.arange(100) >= 3)
    assert near_objects(X, 99).all() and near_objects(X[:10], 2).all()
    labels = ward_labels(np.array([[0.0], [0.0], [5.0], [5.0], [9.0]]), 3)
    assert len(set(labels[[0, 2, 4]])) == 3 and labels[0] == labels[1] and labels[2] == labels[3]
    np.testing.assert_array_equal(np.unique(ward_labels(np.zeros((5, 1)), 4)), np.arange(4))
    np.testing.assert_array_equal(ward_labels(np.zeros((1, 1)), 1), [0])
