"""What evidential clusterers say of objects that were not in the fit: one contract for all of them."""

import copy
from functools import cache

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from credalbench import cluster
from credalbench.belief import FocalSets
from credalbench.cluster import (
    CECM,
    ECM,
    EGMM,
    EVCLUS,
    MECM,
    RECM,
    BootGMM,
    CatECM,
    ECMdd,
    EKNNclus,
    MixedECM,
)
from credalbench.cluster.inputs import new_objects
from credalbench.cluster.testing.problem import NEW, N, X, suited
from tests.test_estimators import ESTIMATORS
from tests.test_properties import OF_DISSIMILARITIES

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # unseen categories, other than Euclidean

METHODS = ("predict", "predict_partition", "score")
EVIDENTIAL = [model for model in ESTIMATORS if type(model).__name__ in cluster.__all__]
PREDICTING = [model for model in EVIDENTIAL if hasattr(model, "predict_partition")]
SCORING = [model for model in EVIDENTIAL if hasattr(model, "score")]
every_predicting = pytest.mark.parametrize("model", PREDICTING, ids=repr)
every_scoring = pytest.mark.parametrize("model", SCORING, ids=repr)
every_relational = pytest.mark.parametrize("model", [EVCLUS(), RECM(), MECM(), EKNNclus()], ids=repr)

D = squareform(pdist(X))
SHUFFLED = np.random.default_rng(0).permutation(N)  # so that folds have objects of both groups
ROUNDING = 1e-9


@cache
def fit_of(model):
    """A clone, fitted to `X` without constraints."""
    return clone(model).fit(suited(model, X))


# ---------------------------------------------------------------- the same name, the same meaning


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", EVIDENTIAL, ids=repr)
def test_every_estimator_has_a_method_or_names_the_reason_why_not(model, method):
    for place in (model, type(model)):
        if hasattr(place, method):
            assert callable(getattr(place, method))
            continue
        with pytest.raises(AttributeError) as refused:
            getattr(place, method)
        reason = str(refused.value).removeprefix(f"{type(model).__name__} has no {method!r}: ")
        assert reason != str(refused.value)
        assert len(reason.split()) > 5


@every_relational
def test_blocks_of_new_objects_are_put_together_in_their_order(model, monkeypatch):
    fit = clone(model).set_params(metric="precomputed", random_state=0).fit(D)
    between = cdist(NEW, X)
    before = fit.predict_partition(between).masses, getattr(fit, "score", len)(between)
    monkeypatch.setattr(new_objects, "CHUNK", 7 * N)  # seven objects at a time, the last two alone
    np.testing.assert_allclose(fit.predict_partition(between).masses, before[0], atol=ROUNDING)
    assert getattr(fit, "score", len)(between) == pytest.approx(before[1], rel=ROUNDING)


# ---------------------------------------------------------------- objects of the fit

#: Where masses follow from prototypes or densities, an object of the fit gets its own again.
BY_PROTOTYPES = (CECM, CatECM, ECM, EGMM, MECM, MixedECM, RECM)
#: Elsewhere it meets itself, too, one among N.
ONE_OF_N = 2 / N


@every_predicting
def test_an_object_of_the_fit_gets_its_masses_again(model):
    fit = fit_of(model)
    again = fit.predict_partition(suited(model, X)).masses
    if isinstance(model, BY_PROTOTYPES):
        np.testing.assert_allclose(again, fit.partition_.masses, atol=ROUNDING)
    elif isinstance(model, EKNNclus):  # its own evidence is the strongest: surer of its label than before
        own = np.arange(N), 1 + fit.labels_
        assert (again[own] >= fit.partition_.masses[own] - ROUNDING).all()
    else:
        assert np.abs(again - fit.partition_.masses).mean() <= ONE_OF_N


@pytest.mark.parametrize("metric", ["cityblock", "sqeuclidean", "precomputed"])
@pytest.mark.parametrize(
    "model",
    [
        RECM(3, random_state=0),
        RECM(3, spectral_shift=True, random_state=0),
        RECM(3, square=False, focal_sets="pairs", random_state=0),
        MECM(3, random_state=0),
        MECM(3, square=False, random_state=0),
    ],
    ids=repr,
)
def test_masses_are_the_same_again_where_dissimilarities_are_not_euclidean(model, metric):
    given = np.sqrt(D) + D**2 if metric == "precomputed" else X
    fit = clone(model).set_params(metric=metric).fit(given)
    again = fit.predict_partition(given).masses
    np.testing.assert_allclose(again, fit.partition_.masses, atol=1e-7)  # rounding of squares up to 1e9


@pytest.mark.parametrize("focal_sets", ["simple", "full", FocalSets.pairs(2, empty=False)], ids=str)
def test_masses_of_evclus_are_those_of_a_row_among_the_others(focal_sets):
    """Without the term of the object and itself, at convergence: the programme of its last sweep."""
    fit = EVCLUS(2, focal_sets=focal_sets, tol=1e-14, max_iter=2000, random_state=0).fit(NEW)
    for i in (0, 5, 20):
        others = np.delete(np.arange(len(NEW)), i)
        rest = copy.copy(fit)
        rest.partition_ = fit.partition_.take(others)
        rest.reference_ = np.arange(len(others))
        rest._objects = fit._objects._replace(n_objects=len(others), attributes=NEW[others])
        found, own = rest.predict_partition(NEW[i : i + 1]).masses[0], fit.partition_.masses[i]
        seen = fit.partition_.focal_sets.conflict @ rest.partition_.masses.T  # all that the stress sees
        np.testing.assert_allclose(found @ seen, own @ seen, atol=1e-5)  # where the sweeps ended


# ---------------------------------------------------------------- attributes or dissimilarities


def manhattan(first, second):
    return np.abs(first - second).sum()


#: Metrics, with what they take from the data.
OF_METRICS = {
    "euclidean": {},
    "mahalanobis": {"VI": np.linalg.inv(np.cov(X.T))},
    "seuclidean": {"V": X.var(axis=0, ddof=1)},
    manhattan: {},
}


@pytest.mark.parametrize("metric", OF_METRICS)
@pytest.mark.parametrize("model", OF_DISSIMILARITIES, ids=repr)
def test_dissimilarities_that_are_given_agree_with_attributes(model, metric):
    if model.get_params().get("n_pairs") and OF_METRICS[metric]:
        pytest.skip("metrics that take something from the data are not for sampled pairs")
    between = cdist(NEW, X, metric, **OF_METRICS[metric])
    own = squareform(pdist(X, metric, **OF_METRICS[metric]))
    by_attributes = clone(model).set_params(metric=metric).fit(X)
    given = clone(model).set_params(metric="precomputed").fit(own)
    first, again = by_attributes.predict_partition(NEW), given.predict_partition(between)
    descends = model.get_params().get("solver") in ("gradient", "lbfgs") or model.get_params().get("n_pairs")
    rounding = 1e-3 if descends else 1e-6  # single precision; descent magnifies it
    np.testing.assert_allclose(again.masses, first.masses, atol=rounding)


def test_a_fit_to_dissimilarities_of_partners_needs_those_to_all_objects():
    common = {"d0_quantile": 0.9, "init": np.full((len(X), 4), 0.25)}
    partners = EVCLUS(n_pairs=9, pair_sampling="independent", random_state=0).fit(X).conflict_pairs_.partners
    own, between = np.take_along_axis(D, partners.astype(int), axis=1), cdist(NEW, X)
    given = EVCLUS(metric="precomputed", **common).fit(own, partners=partners)
    by_attributes = EVCLUS(**common).fit(X, partners=partners)
    expected = by_attributes.predict_partition(NEW).masses
    found = given.predict_partition(between).masses
    np.testing.assert_allclose(found, expected, atol=1e-4)  # single precision
    with pytest.raises(ValueError, match=r"expected dissimilarities to each of the 40 objects .*\(30, 9\)"):
        given.predict(between[:, :9])


# ---------------------------------------------------------------- units

SINGLES = FocalSets.simple(2, omega=False)  # the empty set and single clusters
IN_UNITS = {  # models, and which of their parameters are lengths
    RECM(2, random_state=0): (),
    RECM(2, delta=20.0, random_state=0): ("delta",),
    MECM(2, delta=20.0, focal_sets=SINGLES, random_state=0): ("delta",),
    EVCLUS(2, random_state=0): (),
    EVCLUS(2, d0=12.0, random_state=0): ("d0",),
    EKNNclus(b=2.0, random_state=0): (),
}


@pytest.mark.parametrize("scale", [1e-90, 1e90])
@pytest.mark.parametrize("model", IN_UNITS, ids=repr)
def test_masses_do_not_depend_on_the_unit_of_the_data(model, scale):
    lengths = {name: model.get_params()[name] * scale for name in IN_UNITS[model]}
    by_attributes = clone(model).set_params(**lengths).fit(X * scale)
    given = clone(model).set_params(metric="precomputed", **lengths).fit(D * scale)
    expected = fit_of(model).predict_partition(NEW).masses
    for found in (
        by_attributes.predict_partition(NEW * scale),
        given.predict_partition(cdist(NEW, X) * scale),
    ):
        np.testing.assert_allclose(found.masses, expected, atol=1e-7)  # rounding of X * scale


@pytest.mark.parametrize("scale", [1e-60, 1e60])
@pytest.mark.parametrize("model", [EGMM(random_state=0), BootGMM(n_bootstrap=2, random_state=0)], ids=repr)
def test_likelihoods_are_of_densities_in_the_units_of_the_data(model, scale):
    expected = fit_of(model).score(NEW) - 2 * np.log(scale)
    assert clone(model).fit(X * scale).score(NEW * scale) == pytest.approx(expected, rel=1e-6)  # two ascents


# ---------------------------------------------------------------- scores, and selection by them

OF_OBJECTIVE = {  # the score of the objects of the fit, by what the fit tells
    ECM: lambda fit: -fit.objective_ * len(fit.partition_.focal_sets),
    CECM: lambda fit: -fit.objective_ * len(fit.partition_.focal_sets),
    CatECM: lambda fit: -fit.objective_ / N,
    MixedECM: lambda fit: -fit.objective_ / N,
    RECM: lambda fit: -fit.objective_ / N,
    MECM: lambda fit: -fit.objective_ / N,
    ECMdd: lambda fit: -fit.objective_ / N,
    EGMM: lambda fit: fit.objective_ / N,
    BootGMM: lambda fit: fit.mixture_.score(X),
    EVCLUS: lambda fit: -np.mean((conflicts(fit) + np.expm1(-fit.gamma_ * D**2)) ** 2),
}


def conflicts(fit):
    """Of the objects of the fit, taken as new, with themselves as they are in the fit: (n, n)."""
    masses, focal_sets = fit.predict_partition(X).masses, fit.partition_.focal_sets
    return masses @ focal_sets.conflict @ fit.partition_.masses.T


@pytest.mark.parametrize("model", [model for model in SCORING if type(model) in OF_OBJECTIVE], ids=repr)
def test_the_score_of_the_objects_of_the_fit_is_their_objective(model):
    fit = fit_of(model)
    score = fit.score(suited(model, X))
    assert isinstance(score, float)
    assert score == pytest.approx(OF_OBJECTIVE[type(model)](fit), rel=1e-7)  # sums in another order


@every_scoring
def test_two_clusters_of_two_groups_score_higher_than_one(model):
    one, two = (clone(model).set_params(n_clusters=c).fit(suited(model, X[::2])) for c in (1, 2))
    new = suited(
        model, X[::2] if isinstance(model, CatECM | MixedECM) else X[1::2]
    )  # values that the fit has seen
    assert two.score(new) > one.score(new)


def test_scikit_learn_selects_by_score():
    found = GridSearchCV(ECM(random_state=0), {"n_clusters": [1, 2]}, cv=3).fit(X[SHUFFLED])
    assert found.best_params_ == {"n_clusters": 2}
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize(
    "model", [RECM(random_state=0), MECM(random_state=0), EVCLUS(random_state=0)], ids=repr
)
def test_scikit_learn_divides_dissimilarities_as_attributes(model):
    by_attributes = cross_val_score(model, X[SHUFFLED], cv=3)
    given = clone(model).set_params(metric="precomputed")
    scores = cross_val_score(given, D[SHUFFLED][:, SHUFFLED], cv=3)
    np.testing.assert_allclose(scores, by_attributes, rtol=1e-6)  # rounding


@pytest.mark.parametrize("model", [EKNNclus(), cluster.EvidentialEnsemble()], ids=repr)
def test_scikit_learn_refuses_at_once_where_there_is_no_score(model):
    with pytest.raises(TypeError, match="should have a 'score' method"):
        GridSearchCV(model, {"n_clusters": [1, 2]}).fit(X)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "got NaN in row"),
        (-1.0, r"non-negative dissimilarities, got -1 at \[3, 5\]"),
        (1e101, "up to 1e"),
    ],
)
@every_relational
def test_dissimilarities_that_are_none_are_refused(model, value, message):
    fit = clone(model).set_params(metric="precomputed", random_state=0).fit(D)
    bad = cdist(NEW, X)
    bad[3, 5] = value
    with pytest.raises(ValueError, match=message):
        fit.predict_partition(bad)
    with pytest.raises(ValueError, match=r"2 features, but .* is expecting 40"):
        fit.predict(NEW)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@every_relational
def test_objects_out_of_all_proportion_are_refused(model, metric):
    fit = clone(model).set_params(metric=metric, random_state=0).fit(X)
    with pytest.raises(ValueError, match=r"expected values of X (within|up to) 1e"):
        fit.predict(NEW * 1e200)


def test_more_clusters_than_a_partition_holds_are_labels_with_a_warning_and_are_predicted():
    pairs = np.repeat(np.arange(70.0)[:, None] * 10, 2, axis=0) + np.tile([[0.0], [1.0]], (70, 1))
    with pytest.warns(UserWarning, match="70 clusters"):
        fit = EKNNclus(n_neighbors=1, random_state=0).fit(pairs)
    assert fit.n_clusters_ == 70 and fit.partition_ is None
    np.testing.assert_array_equal(fit.predict(pairs + 0.1), fit.labels_)
    with pytest.raises(ValueError, match=r"at most 62 clusters .*predict gives labels.*got 70"):
        fit.predict_partition(pairs)
