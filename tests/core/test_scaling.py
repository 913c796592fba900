"""Data of any scale from 1e-100 to 1e100: the same partition as at scale 1; beyond, an error."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from credalbench.baselines import MMC, ConstrainedFuzzyCMeans, COPKMeans, FuzzyCMeans, GustafsonKessel
from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import (
    CECM,
    ECM,
    EGMM,
    EVCLUS,
    MECM,
    RECM,
    ActiveLearner,
    ECMdd,
    EKNNclus,
    delta_for_rejection_rate,
)
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi, transformed
from credalbench.cluster.testing.problem import LINKS, N, X, memberships
from credalbench.core.checks import near_zero
from tests.test_estimators import ESTIMATORS

SCALES = [1e-100, 1e-21, 1e20, 1e98]  # X reaches up to 24
IN_SINGLE_PRECISION = [1e-29, 1e-21, 1e20, 1e28]
SINGLES = FocalSets.simple(2, omega=False)  # the empty set and single clusters
STARTS = X[[0, N - 1]]
DESCENTS = {"gradient": 20, "lbfgs": 5}  # iterations: later ones decide by differences that are rounding
#: Beside the estimators of every test: lengths are given, and scaled along.
WITH_LENGTHS = [
    ECM(2, delta=8.0, init=STARTS, metric="mahalanobis"),
    EGMM(2, covariance_type="diag", init=STARTS),
    CECM(2, delta=8.0, init=STARTS),
    RECM(2, delta=20.0, random_state=0),
    RECM(2, delta=4.0, square=False, random_state=0),
    MECM(2, delta=20.0, focal_sets=SINGLES, random_state=0),
    MECM(2, delta=4.0, focal_sets=SINGLES, square=False, random_state=0),
    MECM(2, delta=20.0, gamma=0.0, random_state=0),
    EVCLUS(2, d0=12.0, random_state=0),
    EVCLUS(2, d0=12.0, n_pairs=9, random_state=0),
    EKNNclus(b=2.0, random_state=0),
    FuzzyCMeans(2, init=STARTS),
    GustafsonKessel(2, init=STARTS),
    ConstrainedFuzzyCMeans(2, init=STARTS),
    COPKMeans(2, init=STARTS),
]
OF_NUMBERS = [model for model in ESTIMATORS if not get_tags(model).input_tags.categorical]
every_estimator = pytest.mark.parametrize("estimator", OF_NUMBERS + WITH_LENGTHS, ids=repr)


def scaled(estimator, scale):
    """A clone whose lengths are those of data at this scale."""
    given = estimator.get_params()
    lengths = {"delta": math.sqrt(scale) if given.get("square") is False else scale, "d0": scale}
    changed = {
        name: given[name] * by for name, by in lengths.items() if given.get(name) not in (None, "auto")
    }
    if isinstance(given.get("init"), np.ndarray):
        changed["init"] = given["init"] * scale
    if given.get("solver") in DESCENTS:
        changed["max_iter"] = DESCENTS[given["solver"]]
    return clone(estimator).set_params(**changed)


def links(estimator):
    """Those that an estimator heeds, but for CECM, which weighs them against squared lengths."""
    heeded = [name for name in LINKS if has_fit_parameter(estimator, name)]
    return {} if isinstance(estimator, CECM) else {name: LINKS[name] for name in heeded}


def fitted(estimator, scale=1.0, data=X):
    return scaled(estimator, scale).fit(data * scale, **links(estimator))


@cache
def first_fit(estimator):
    return fitted(estimator)


def weighs_lengths_against_squares(estimator):
    """With several clusters in a set, MECM (by `gamma`) and ECMdd do: partitions depend on the scale."""
    if isinstance(estimator, ECMdd):
        return True
    return isinstance(estimator, MECM) and isinstance(estimator.focal_sets, str) and estimator.gamma > 0


def refuses_constant_columns(estimator):
    """A mixture does, since its likelihood has no bounds, unless it has one variance for all columns."""
    return isinstance(estimator, EGMM) and estimator.covariance_type != "spherical"


def numbers(fit):
    """Everything that a fit tells in numbers, as arrays by name."""
    for name, value in vars(fit).items():
        value = value.masses if isinstance(value, CredalPartition) else value
        if name.endswith("_") and isinstance(value, np.ndarray | np.generic | float | int):
            yield name, np.asarray(value, dtype=float)


def not_finite(fit):
    return [name for name, value in numbers(fit) if not np.isfinite(value).all()]


# ---------------------------------------------------------------- the same partition


def expect_the_same(fit, first, at, scale=1.0, shift=0.0):
    single = {"n_pairs", "n_bootstrap"} & {k for k, v in fit.get_params().items() if v is not None}
    rounding = 1e-6 if single else 1e-9  # of single precision, or of X * scale
    assert not_finite(fit) == [], at
    if isinstance(fit, MMC):
        np.testing.assert_allclose(fit.metric_, first.metric_, rtol=rounding, err_msg=at)
        return
    np.testing.assert_array_equal(fit.labels_, first.labels_, err_msg=at)
    if memberships(fit) is not None:
        np.testing.assert_allclose(memberships(fit), memberships(first), atol=rounding, err_msg=at)
    if hasattr(fit, "cluster_centers_"):
        centers = fit.cluster_centers_ / scale - shift
        np.testing.assert_allclose(centers, first.cluster_centers_, rtol=rounding, err_msg=at)


@pytest.mark.parametrize("estimator", OF_NUMBERS + WITH_LENGTHS, ids=repr)
def test_partitions_do_not_depend_on_the_scale_of_the_data(estimator):
    first = first_fit(estimator)
    in_single = estimator.get_params().get("n_pairs") and isinstance(estimator, EVCLUS)
    for scale in IN_SINGLE_PRECISION if in_single else SCALES:
        fit, at = fitted(estimator, scale), f"at scale {scale:g}"
        if weighs_lengths_against_squares(fit):
            assert not_finite(fit) == [], at
        else:
            expect_the_same(fit, first, at, scale)


@every_estimator
def test_nor_on_the_origin(estimator):
    moved = clone(estimator)
    if isinstance(estimator.get_params().get("init"), np.ndarray):
        moved.set_params(init=estimator.init + 64.0)
    expect_the_same(fitted(moved, data=X + 64.0), first_fit(estimator), "moved", shift=64.0)


@pytest.mark.parametrize("cls", [RECM, MECM, EVCLUS, EKNNclus])
def test_neither_do_those_of_dissimilarities(cls):
    D = squareform(pdist(X))
    options = {"metric": "precomputed", "random_state": 0} | ({"focal_sets": SINGLES} if cls is MECM else {})
    first = cls(**options).fit(D)
    for scale in SCALES:
        fit = cls(**options).fit(scale * D)
        assert not_finite(fit) == []
        np.testing.assert_allclose(memberships(fit), memberships(first), atol=1e-9)  # rounding of D * scale


@pytest.mark.parametrize("scale", IN_SINGLE_PRECISION)
def test_nor_those_of_sampled_dissimilarities(scale):
    partners = EVCLUS(n_pairs=9, pair_sampling="independent", random_state=0).fit(X).conflict_pairs_.partners
    d = squareform(pdist(X))[np.arange(N)[:, None], partners]
    fits = [
        EVCLUS(metric="precomputed", random_state=0).fit(by * d, partners=partners) for by in (1.0, scale)
    ]
    np.testing.assert_allclose(memberships(fits[1]), memberships(fits[0]), atol=1e-6)  # single precision


@pytest.mark.parametrize("scale", [1e-100, 1e98])
@pytest.mark.parametrize("model", [ECM(2, delta=8.0), FuzzyCMeans(2), GustafsonKessel(2)], ids=repr)
def test_other_objects_are_judged_at_the_same_scale(model, scale):
    new = np.random.default_rng(5).normal(6.0, 6.0, (20, 2))
    predict = "predict_partition" if isinstance(model, ECM) else "predict_membership"
    model.set_params(init=STARTS)
    first, fit = fitted(model), fitted(model, scale)
    expected, found = (getattr(each, predict)(new * by) for each, by in ((first, 1.0), (fit, scale)))
    expected, found = (getattr(each, "masses", each) for each in (expected, found))
    np.testing.assert_allclose(found, expected, atol=1e-9)  # rounding of X * scale
    np.testing.assert_array_equal(fit.predict(X * scale), fit.labels_)


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
def test_constraints_weigh_as_much_where_xi_is_scaled_along(metric):
    """xi / (1 - xi) has squared units of the data, as the objective over 1 - xi."""
    first = CECM(2, xi=0.5, init=STARTS, delta=10, metric=metric).fit(X, **LINKS)
    for scale in (1e-90, 0.1):
        xi, delta = scale**2 / (1 + scale**2), 10 * scale
        fit = CECM(2, xi=xi, init=STARTS * scale, delta=delta, metric=metric).fit(X * scale, **LINKS)
        np.testing.assert_allclose(memberships(fit), memberships(first), atol=1e-9)  # rounding of X * scale
    assert fit.objective_ / (1 - xi) == pytest.approx(scale**2 * first.objective_ / 0.5, rel=1e-7)


@pytest.mark.parametrize("scale", [1e-100, 1e98])
def test_questions_and_outliers_do_not_depend_on_the_scale(scale):
    asked = [ActiveLearner(CECM(2, init=STARTS * by, delta=8 * by), X * by).propose(5) for by in (1.0, scale)]
    np.testing.assert_array_equal(*asked)
    found = [delta_for_rejection_rate(ECM(2, init=STARTS * by), X * by, 0.1) for by in (1.0, scale)]
    assert found[1].delta / scale == pytest.approx(found[0].delta, rel=1e-9)  # rounding of X * scale
    assert found[1].rate == found[0].rate


# ---------------------------------------------------------------- columns of different scales


@every_estimator
@pytest.mark.filterwarnings("ignore::UserWarning")  # flat clusters: the small column is lost
def test_a_column_that_is_lost_to_rounding_makes_nothing_infinite(estimator):
    """As a constant one, it leaves the other to decide."""
    if isinstance(estimator.get_params().get("init"), np.ndarray):
        estimator = clone(estimator).set_params(init=STARTS * [1.0, 0.0])
    if refuses_constant_columns(estimator):
        with pytest.raises(ValueError, match=r"constant columns \[1\]"):
            fitted(estimator, 1e98, X * [1.0, 1e-300])
        return
    first, fit = fitted(estimator, data=X * [1.0, 0.0]), fitted(estimator, 1e25, X * [1.0, 1e-300])
    assert not_finite(fit) == []
    if hasattr(fit, "labels_") and not weighs_lengths_against_squares(estimator):
        np.testing.assert_array_equal(fit.labels_, first.labels_)


@every_estimator
@pytest.mark.filterwarnings("ignore::UserWarning")  # the same in every direction of the constant column
def test_a_constant_column_far_away_changes_nothing(estimator):
    if isinstance(estimator, MMC) or isinstance(estimator.get_params().get("init"), np.ndarray):
        pytest.skip("a metric, or starts, in the dimensions of the data")
    far = np.column_stack([X, np.full(N, 1e100)])
    near = np.column_stack([X, np.zeros(N)])
    if refuses_constant_columns(estimator):
        with pytest.raises(ValueError, match=r"constant columns \[2\]"):
            fitted(estimator, data=far)
        return
    first, fit = fitted(estimator, data=near), fitted(estimator, data=far)
    assert not_finite(fit) == []
    np.testing.assert_array_equal(fit.labels_, first.labels_)


# ---------------------------------------------------------------- clear errors


@every_estimator
def test_data_beyond_the_range_are_refused_with_the_way_out(estimator):
    for scale, message in (
        (1e101, r"values of X up to 1e\+100; rescale them, got .*e\+10"),
        (1e-102, r"values of X that are all equal or differ by at least 1e-100; rescale them, got .*e-101"),
    ):
        with pytest.raises(ValueError, match=message):
            clone(estimator).fit(X * scale)


@pytest.mark.parametrize("cls", [RECM, MECM, EVCLUS, EKNNclus])
@pytest.mark.parametrize("scale", [1e100, 1e-103])
def test_so_are_dissimilarities(cls, scale):
    with pytest.raises(ValueError, match="rescale them, got"):
        cls(metric="precomputed").fit(squareform(pdist(X)) * scale)


@pytest.mark.parametrize(
    ("model", "scale", "message"),
    [
        (ECM(2, delta=1e101), 1.0, "delta < 1e"),
        (ECM(2, init=STARTS * 1e101), 1.0, r"init up to 1e\+100"),
        (FuzzyCMeans(2, init=STARTS * 1e101), 1.0, r"init up to 1e\+100"),
        (EVCLUS(2, d0=1e60), 1.0, "d0 between .* times the largest dissimilarity"),
        (EVCLUS(2, d0=1e60, n_pairs=9), 1.0, "d0 between"),
        (EKNNclus(b=100.0), 1e-20, "b for which gamma"),
        (RECM(20, alpha=100, focal_sets="simple"), 1.0, "alpha with n_clusters"),
        (MECM(20, alpha=-100, focal_sets="simple"), 1.0, "alpha with n_clusters"),
        (MECM(2, metric="sqeuclidean"), 1e60, "dissimilarities whose largest is 0, or from"),
        (EVCLUS(2, n_pairs=9), 1e-40, "for single precision; rescale X"),
        (EVCLUS(2, n_pairs=9), 1e40, "for single precision; rescale X"),
        (EVCLUS(2, n_pairs=9, pair_sampling="independent"), 1e40, "for single precision; rescale X"),
        (EVCLUS(2, metric=lambda a, b: 1e50 * np.abs(a - b).sum(), n_pairs=9), 1.0, "single precision"),
    ],
)
def test_arguments_out_of_range_are_named(model, scale, message):
    with pytest.raises(ValueError, match=f"expected.*{message}"):
        model.fit(X * scale)


def test_new_objects_beyond_the_range_are_refused():
    for fit in (ECM(2).fit(X), FuzzyCMeans(2).fit(X), RECM(2).fit(X)):
        with pytest.raises(ValueError, match="values of X up to"):
            fit.predict(1e101 * X)


def test_medoids_that_are_almost_duplicates_make_nothing_infinite():
    for model in (MECM(2, eta=1e-300, random_state=0), MECM(2, init=[0, 1], max_iter=1)):
        D = squareform(pdist(X))
        D[0, 1] = D[1, 0] = 1e-250
        assert not_finite(model.set_params(metric="precomputed").fit(D)) == []


def test_data_far_from_zero_get_an_origin_of_their_own():
    """So the only point there is lies at 0 exactly, and what lies 1e11 away is told apart as nearby."""
    same = np.full((52, 2), -0.4)
    moved, origin = near_zero(same)
    np.testing.assert_array_equal(moved, 0.0)
    np.testing.assert_array_equal(origin, same[0])
    assert near_zero(X)[0] is X
    near = np.round(X * 2**10)  # whole numbers: sums of them are exact
    for model in (FuzzyCMeans(2), GustafsonKessel(2, m=1.5), ConstrainedFuzzyCMeans(2)):
        model.set_params(init="random", random_state=0)
        first = clone(model).fit(near - (near.min(axis=0) + np.ptp(near, axis=0) / 2))
        fit = model.fit(near + 2.0**40)
        np.testing.assert_array_equal(fit.objective_trace_, first.objective_trace_)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_transformed_dissimilarities_depend_on_their_ratio_to_d0_alone(dtype):
    d = np.random.default_rng(0).uniform(0, 3, 50).astype(dtype)
    expected = phi(d, gamma_from_d0(1.5, 0.05))
    np.testing.assert_array_equal(transformed(d, 1.5, 0.05), expected)
    for exponent in (-100, -40, 40, 100):
        found = transformed(np.ldexp(d, exponent), 1.5 * 2.0**exponent, 0.05)
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == dtype
    far = transformed(np.array([0.0, 1e-30, 1.0], dtype), 1e-30, 0.05)
    np.testing.assert_allclose(far, [0, 0.95, 1], rtol=1e-6)  # single precision
