"""Criteria over numbers of clusters: the same as by hand, for clusterers of every kind."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, KMeans
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

from credalbench import metrics
from credalbench.baselines import COPKMeans, FuzzyCMeans
from credalbench.cluster import BPEC, ECM, EGMM, EVCLUS, BootGMM, EKNNclus
from credalbench.select import CRITERIA, CriterionCurves, select_n_clusters
from credalbench.select.criteria import default_criteria


@pytest.fixture(scope="module")
def X():
    """Three groups of 15."""
    return np.random.default_rng(0).normal(size=(45, 2)) + 9 * np.eye(3, 2)[np.arange(45) % 3]


KINDS = [
    (FuzzyCMeans(), ["modified_partition_coefficient", "xie_beni", "objective", "elbow"]),
    (ECM(delta=5.0), ["nonspecificity", "objective"]),
    (EVCLUS(), ["nonspecificity", "objective", "elbow"]),
    (EGMM(), ["ebic", "nonspecificity"]),
    (BootGMM(n_bootstrap=3), ["bic", "nonspecificity"]),
    (GaussianMixture(), ["bic"]),
    (KMeans(), ["silhouette"]),
    (COPKMeans(init="k-means++"), ["silhouette", "objective", "elbow"]),
]


@pytest.mark.parametrize(("estimator", "expected"), KINDS, ids=repr)
def test_criteria_that_suit_each_kind_of_clusterer(estimator, expected, X):
    estimator.set_params(random_state=0)
    curves = select_n_clusters(estimator, X, range(2, 5))
    assert curves.criteria == expected
    assert len(curves.table) == 3 * len(expected)
    assert list(curves.table.columns) == ["criterion", "c", "repetition", "value", "reason"]
    at_ends = (curves.table["criterion"] == "elbow") & (curves.table["c"] != 3)
    assert (np.isfinite(curves.table["value"]) != at_ends).all()
    assert curves.best.keys() == set(expected) - {"objective"}
    deciding = [name for name in expected if name not in ("objective", "nonspecificity")]
    assert {curves.best[name] for name in deciding} <= {3}


def test_belief_peaks_prefer_the_number_that_bpec_finds_one_included(X):
    for data, c in ((X, 3), (np.random.default_rng(0).normal(size=(300, 2)), 1)):
        curves = select_n_clusters(BPEC(delta=5.0), data, range(1, 6))
        assert curves.criteria == ["prominence_drop", "nonspecificity", "objective"]
        assert curves.best["prominence_drop"] == BPEC().fit(data).n_clusters_ == c
        assert curves.means.loc["prominence_drop", 1] == 0.5


def test_values_are_those_of_the_fits_one_would_make(X):
    curves = select_n_clusters(FuzzyCMeans(random_state=3), X, [2, 4], ["partition_entropy", "objective"])
    for c in (2, 4):
        fit = FuzzyCMeans(c, random_state=3).fit(X)
        assert curves.means.loc["objective", c] == fit.objective_
        assert curves.means.loc["partition_entropy", c] == metrics.partition_entropy(fit.membership_)


def test_every_criterion_can_be_had(X):
    asked = {
        ECM(random_state=0, delta=5.0): ["pairwise_nonspecificity", "silhouette", "stability"],
        BPEC(delta=5.0): ["prominence_drop"],
        FuzzyCMeans(random_state=0): ["partition_coefficient", "partition_entropy", "fuzzy_silhouette"],
    }
    for estimator, criteria in asked.items():
        n_resamples = 2 if "stability" in criteria else 0
        curves = select_n_clusters(estimator, X, [2, 3, 4], criteria, n_resamples=n_resamples)
        assert curves.criteria == criteria
        assert np.isfinite(curves.means[3]).all()
    by_default = {name for _, expected in KINDS for name in expected}
    assert by_default.union(*asked.values()) == set(CRITERIA)


def test_directions_are_those_of_the_indices():
    shared = CRITERIA.keys() & metrics.BETTER.keys()
    assert len(shared) == len(metrics.BETTER)
    assert all(CRITERIA[name].better == metrics.BETTER[name] for name in shared)


class FixedEbic(ClusterMixin, BaseEstimator):
    """An estimator with given values of EBIC by number of clusters; it refuses other numbers."""

    def __init__(self, ebic=(), n_clusters=2, random_state=None):
        self.ebic = ebic
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X, y=None, bonus=0.0):
        if self.n_clusters not in dict(self.ebic):
            raise ValueError(f"expected another number than {self.n_clusters}")
        seed = 0 if self.random_state is None else self.random_state
        self.ebic_ = dict(self.ebic)[self.n_clusters] + bonus + (seed % 7) / 100
        self.labels_ = np.zeros(len(X), int)
        return self


EBIC = ((2, -55.9), (3, -63.1), (4, -55.9))


def test_the_best_is_the_highest_or_the_lowest_and_the_fewest_of_equals(X):
    """[jiao2022_egmm (30)]"""
    assert select_n_clusters(FixedEbic(EBIC), X, [4, 3, 2, 3]).best == {"ebic": 2}
    assert select_n_clusters(FixedEbic(((2, -3.0), (3, -1.0))), X, [2, 3]).best == {"ebic": 3}
    curves = select_n_clusters(KMeans(random_state=0), X, [2, 3, 4], ["silhouette"])
    values = [silhouette_score(X, KMeans(c, random_state=0).fit(X).labels_) for c in (2, 3, 4)]
    assert curves.best == {"silhouette": 2 + int(np.argmax(values))}


def test_fits_that_fail_are_rows_with_a_reason(X):
    curves = select_n_clusters(FixedEbic(EBIC), X, range(1, 6))
    failed = curves.table[curves.table["value"].isna()]
    assert failed["c"].tolist() == [1, 5]
    assert failed["reason"].tolist() == [f"expected another number than {c}" for c in (1, 5)]
    assert (curves.table["reason"] == "").sum() == 3
    assert curves.best == {"ebic": 2}
    with pytest.raises(ValueError, match=r"a number of clusters that can be fitted, .* than 7"):
        select_n_clusters(FixedEbic(EBIC), X, [7, 8])


def test_a_criterion_without_value_is_one_too(X):
    curves = select_n_clusters(FuzzyCMeans(random_state=0), X, [1, 2], ["modified_partition_coefficient"])
    assert curves.table["reason"].iloc[0] == "expected memberships in at least two clusters, got 1"
    assert curves.best == {"modified_partition_coefficient": 2}
    assert select_n_clusters(FuzzyCMeans(random_state=0), X, [1], ["xie_beni"]).best == {}


def test_clusters_without_objects_are_counted_in_every_fit_that_has_labels(X):
    curves = select_n_clusters(FixedEbic(EBIC), X, range(1, 5))
    assert curves.n_empty == {2: 1, 3: 2, 4: 3}  # all labels are 0; one cluster is refused
    assert curves.recommendation.words.endswith("But 1 of the 2 has no object.")
    assert select_n_clusters(GaussianMixture(random_state=0), X, [3]).n_empty == {3: 0}
    assert select_n_clusters(KMeans(random_state=0), X, [2, 3], n_repeats=2).n_empty == {2: 0, 3: 0}


def test_repetitions_have_seeds_of_their_own_the_same_for_every_number(X):
    curves = select_n_clusters(FixedEbic(EBIC), X, [2, 3], n_repeats=6, random_state=5)
    values = curves.table.pivot(index="repetition", columns="c", values="value")
    assert values[2].nunique() > 1
    np.testing.assert_allclose(values[2] + 55.9, values[3] + 63.1, atol=1e-12)  # rounding
    again = select_n_clusters(FixedEbic(EBIC), X, [3], n_repeats=6, random_state=5).table["value"]
    np.testing.assert_array_equal(again, values[3])
    assert curves.means.loc["ebic", 2] == pytest.approx(values[2].mean())
    own = select_n_clusters(FixedEbic(EBIC, random_state=5), X, [3], n_repeats=6).table["value"]
    np.testing.assert_array_equal(own, again)


def test_the_estimator_and_numpys_generator_are_left_alone(X):
    estimator = FuzzyCMeans(random_state=0)
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002
    select_n_clusters(estimator, X, [2, 3], n_repeats=2)
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002
    assert estimator.n_clusters == 2
    assert not hasattr(estimator, "labels_")


def test_fit_params_are_passed_to_fit(X):
    plain, more = (select_n_clusters(FixedEbic(EBIC), X, [2], fit_params=p) for p in (None, {"bonus": 10.0}))
    assert more.means.loc["ebic", 2] - plain.means.loc["ebic", 2] == pytest.approx(10)


def test_given_dissimilarities_are_what_silhouettes_are_taken_of(X):
    D = np.linalg.norm(X[:, None] - X, axis=2)
    fit = EVCLUS(3, metric="precomputed", random_state=0)
    found = select_n_clusters(fit, D, [3], ["silhouette"]).means.loc["silhouette", 3]
    labels = fit.fit(D).labels_
    assert found == pytest.approx(silhouette_score(X, labels))


def test_one_cluster_is_not_preferred_for_leaving_nothing_vague(X):
    """Nonspecificity is 0 and the partition coefficient 1 where there is one cluster."""
    curves = select_n_clusters(ECM(random_state=0, delta=5.0), X, [1, 2, 3], ["nonspecificity"])
    assert curves.best["nonspecificity"] > 1
    assert curves.table["reason"].iloc[0].startswith("expected at least two clusters")
    fuzzy = ["partition_coefficient", "partition_entropy"]
    curves = select_n_clusters(FuzzyCMeans(random_state=0), X, [1, 2, 3], fuzzy)
    assert set(curves.best.values()) <= {2, 3}


def test_a_partition_that_is_none_has_no_nonspecificity(X):
    fit = EKNNclus(random_state=0).fit(X)
    assert "nonspecificity" in default_criteria(fit)
    fit.partition_ = None
    assert "nonspecificity" not in default_criteria(fit)


def test_the_curves_show_themselves(X):
    curves = select_n_clusters(FuzzyCMeans(random_state=0), X, [2, 3])
    lines = repr(curves).splitlines()
    assert lines[0].startswith("modified_partition_coefficient (higher is better): c = 3; 2: 0.")
    assert lines[2].startswith("objective (shown only): look for an elbow; 2: ")
    page = curves._repr_html_()
    assert page.count("★") == 2
    assert page.count("<tr>") == 5
    assert curves.recommendation.words in repr(curves) and curves.recommendation.words in page
    table = curves.table.assign(criterion="objective")
    assert "★" not in CriterionCurves(table)._repr_html_()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": []}, "at least one number of clusters"),
        ({"n_clusters": [0]}, "1 <= n_clusters"),
        ({"n_clusters": [2, 46]}, "n_clusters <= n_samples = 45"),
        ({"n_clusters": [2.5]}, "an integer n_clusters"),
        ({"n_repeats": 0}, "1 <= n_repeats"),
        ({"criteria": ["aic"]}, r"each criterion to be one of \['ebic'.*got 'aic\'"),
        ({"criteria": ["ebic"]}, "criteria that suit FuzzyCMeans, got 'ebic'"),
        ({"random_state": -1}, "0 <= random_state"),
        ({"n_resamples": -1}, "0 <= n_resamples"),
        ({"criteria": ["stability"]}, "n_resamples of at least 1 for stability, got 0"),
        ({"n_resamples": 2, "fit_params": {"must_link": []}}, "no fit_params with resamples"),
    ],
)
def test_bad_arguments_are_refused(options, message, X):
    with pytest.raises(ValueError, match=message):
        select_n_clusters(FuzzyCMeans(random_state=0), X, **options)


def test_an_estimator_without_a_number_of_clusters_is_refused(X):
    with pytest.raises(ValueError, match="an estimator with one of the parameters"):
        select_n_clusters(DBSCAN(), X)


@pytest.mark.parametrize(
    ("model", "numbers"), [(FuzzyCMeans(random_state=0), range(1, 6)), (KMeans(random_state=0), [2])]
)
def test_curves_are_drawn_in_one_call(X, model, numbers):
    curves = select_n_clusters(model, X, numbers)
    figure = curves.plot()
    known = curves.estimates["criterion"].drop_duplicates().tolist()
    assert len(figure.axes) == len(known)
    assert figure.alt == curves.recommendation.words
    stars = [line.get_xdata()[0] for ax in figure.axes for line in ax.lines if line.get_marker() == "*"]
    assert stars == [curves.best[name] for name in known if name in curves.best]
    assert figure._repr_html_().startswith("<img")


def test_curves_without_values_are_refused(X):
    with pytest.raises(ValueError, match="expected a criterion with a value, got 'none'"):
        select_n_clusters(KMeans(random_state=0), X, [1]).plot()
