"""Fits to halves of the objects: stability, intervals, and the recommendation that rests on them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans

from credalbench.cluster import EVCLUS
from credalbench.core.intervals import Estimate, mean
from credalbench.select import select_n_clusters
from credalbench.select.criteria import _silhouette
from credalbench.select.recommendation import CriterionVote, criterion_vote, of_halves


@pytest.fixture(scope="module")
def X():
    """Three groups of 15, equally far from each other."""
    angles = 2 * np.pi * (np.arange(45) % 3) / 3
    return np.random.default_rng(0).normal(size=(45, 2)) + 5 * np.column_stack(
        [np.cos(angles), np.sin(angles)]
    )


@pytest.fixture(scope="module")
def curves(X):
    return select_n_clusters(KMeans(n_init=1, random_state=0), X, range(2, 6), n_resamples=12)


def test_the_tables_have_a_row_for_each_criterion_number_and_resample(curves):
    assert curves.criteria == ["silhouette", "stability"]
    counts = curves.table.groupby("criterion", sort=False).size()
    assert counts.to_dict() == {"silhouette": 4, "stability": 4 * 12}
    assert list(curves.resamples.columns) == ["criterion", "c", "resample", "value", "reason"]
    assert set(curves.resamples["criterion"]) == {"silhouette"}
    assert len(curves.resamples) == 4 * 12


def test_three_groups_are_found_with_full_agreement_and_in_words(curves):
    assert curves.best == {"silhouette": 3, "stability": 3}
    found = curves.recommendation
    assert (found.n_clusters, found.agreement) == (3, "full")
    assert found.words.startswith("3 clusters (full agreement): silhouette (in 12 of 12 resamples) and stab")


def test_intervals_are_of_the_value_on_all_objects_and_of_the_mean_stability(curves, X):
    estimates = curves.estimates.set_index(["criterion", "c"])
    silhouette = estimates.loc["silhouette"]
    np.testing.assert_array_equal(silhouette["value"], curves.means.loc["silhouette"])
    assert (silhouette["low"] < silhouette["value"]).all()
    stability = curves.table[(curves.table["criterion"] == "stability") & (curves.table["c"] == 4)]["value"]
    expected = mean(stability)
    assert estimates.loc[("stability", 4)].tolist() == [expected.value, expected.low, expected.high]
    alone = select_n_clusters(KMeans(n_init=1, random_state=0), X, [3]).estimates
    assert alone[["low", "high"]].to_numpy().tolist() == [[-np.inf, np.inf]]


def test_resamples_leave_the_fits_to_all_objects_as_they_are(curves, X):
    plain = select_n_clusters(KMeans(n_init=1, random_state=0), X, range(2, 6))
    np.testing.assert_array_equal(plain.means.loc["silhouette"], curves.means.loc["silhouette"])
    again = select_n_clusters(KMeans(n_init=1, random_state=0), X, range(2, 6), n_resamples=12)
    pd.testing.assert_frame_equal(again.table, curves.table)
    pd.testing.assert_frame_equal(again.resamples, curves.resamples)


class ByValue(ClusterMixin, BaseEstimator):
    """Labels that are the same in every sample: the first attribute modulo the number of clusters."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        self.labels_ = np.asarray(X)[:, 0].astype(int) % self.n_clusters
        return self


class ByChance(ByValue):
    """Labels that have nothing to do with the data, drawn anew by each fit."""

    def __init__(self, n_clusters=2, random_state=None):
        super().__init__(n_clusters)
        self.random_state = random_state

    def fit(self, X, y=None):
        rng = np.random.default_rng(self.random_state)
        self.labels_ = rng.integers(0, self.n_clusters, len(X))
        return self


NUMBERS = np.random.default_rng(3).integers(0, 1000, (200, 1))


def test_a_stable_constant_partition_gives_no_number():
    curves = select_n_clusters(ByValue(), NUMBERS, [2, 3, 4], ["stability"], n_resamples=8, random_state=0)
    np.testing.assert_array_equal(curves.means.loc["stability"], 1)
    (vote,) = curves.votes
    assert vote.margin.value == 0 and not vote.is_clear
    assert curves.recommendation.agreement == "single"


def test_random_partitions_have_no_stability():
    curves = select_n_clusters(ByChance(), NUMBERS, [2, 5], ["stability"], n_resamples=40, random_state=0)
    assert (curves.means.loc["stability"].abs() < 0.015).all()  # of one half: about 0.02


def test_a_single_cluster_has_no_stability():
    curves = select_n_clusters(ByValue(), NUMBERS, [1, 2, 3], ["stability"], n_resamples=2, random_state=0)
    reasons = curves.table.set_index("c")["reason"]
    assert reasons[1].str.startswith("expected objects in different clusters").all()
    assert (reasons[[2, 3]] == "").all()


def test_halves_of_dissimilarities_are_square_and_stress_has_an_elbow(X):
    D = pd.DataFrame(np.linalg.norm(X[:, None] - X, axis=2))
    estimator = EVCLUS(metric="precomputed", focal_sets="pairs", random_state=0)
    curves = select_n_clusters(estimator, D.to_numpy(), range(1, 5), ["elbow", "stability"], n_resamples=3)
    assert curves.criteria == ["elbow", "stability"]
    assert curves.best == {"elbow": 3, "stability": 3}
    assert curves.means.loc["stability", 3] > 0.9
    assert set(curves.resamples["criterion"]) == {"elbow"}


def test_too_small_halves_give_a_reason():
    options = {"n_resamples": 2, "random_state": 0}
    curves = select_n_clusters(KMeans(n_init=1), NUMBERS[:8], [2, 6], ["stability"], **options)
    reasons = curves.table.set_index("c")["reason"]
    assert reasons[6].str.contains("n_samples=4 should be >= n_clusters=6").all()
    assert (reasons[2] == "").all()


def test_three_objects_have_no_halves():
    with pytest.raises(ValueError, match="at least 4 objects for resamples, got 3"):
        select_n_clusters(ByValue(), NUMBERS[:3], [2], n_resamples=2)


def test_without_halves_repetitions_give_the_support(X):
    curves = select_n_clusters(KMeans(n_init=1, random_state=0), X, range(2, 6), n_repeats=6)
    (vote,) = curves.votes
    assert vote.support.n == 6
    assert "of 6 repetitions" in curves.recommendation.words


@pytest.mark.parametrize(
    ("scaling", "factor"), [("mean", 1.0), ("sum", 2.0), ("ratio", 6.0 / np.mean([2.0, 3.0, 5.0, 6.0]))]
)
def test_the_interval_of_halves_is_students_after_scaling(scaling, factor):
    values = np.array([2.0, 3.0, 5.0, 6.0])
    found = of_halves(-6.0, values, scaling)
    reach = stats.t.ppf(0.975, 3) * stats.tstd(values) * factor
    assert (found.value, found.n) == (-6.0, 4)
    assert (found.low, found.high) == pytest.approx((-6 - reach, -6 + reach))


@pytest.mark.parametrize(("lead", "support"), [(-0.9e-3, 1.0), (-1.1e-3, 0.0)])
def test_numbers_within_a_thousandth_are_equally_good(lead, support):
    means = pd.Series({2: 1.0, 3: 0.5})
    runs = pd.DataFrame([[1 + lead] * 4, [1.0] * 4], index=[2, 3])
    vote = criterion_vote("silhouette", means, runs, halves=True)
    assert vote.c == 2 and vote.support.value == support


@pytest.mark.parametrize("unit", [1e-200, 1e-160, 1.0, 1e160, 1e200])
def test_the_silhouette_has_no_unit(X, unit):
    fit = KMeans(3, n_init=1, random_state=0).fit(X)
    assert _silhouette(fit, unit * X) == pytest.approx(_silhouette(fit, X))


@pytest.mark.parametrize(
    ("support", "margin", "clear"),
    [
        ((0.7, 0.51, 0.9), (1, 0.1, 2), True),
        ((0.7, 0.5, 0.9), (1, 0.1, 2), False),
        ((0.7, 0.45, 0.9), (1, 0.1, 2), False),
        ((0.7, 0.51, 0.9), (1, 0, 2), False),
        ((0.7, 0.51, 0.9), None, False),
        (None, None, False),
    ],
)
def test_a_clear_vote_has_more_than_half_of_the_runs_and_a_margin(support, margin, clear):
    known = (None if given is None else Estimate(*given, 20) for given in (support, margin))
    assert CriterionVote("silhouette", 3, *known).is_clear is clear
