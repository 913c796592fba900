"""`credalbench.cluster.testing` on foreign clusterers: one keeps every promise, the others each break one."""

import copy
import warnings
from typing import Annotated
from unittest import SkipTest

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, check_random_state, validate_data

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.testing import check_clusterer, clusterer_checks
from credalbench.cluster.testing.fits import CHECKS
from credalbench.core.arguments import (
    Array,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    Seed,
    checked,
    expect_count,
)
from credalbench.core.checks import warn_if_not_converged
from credalbench.core.estimators import DistancesToPrototypes, Examples
from credalbench.core.names import names_of
from credalbench.core.progress import track_iterations


class Soft(DistancesToPrototypes, ClusterMixin, BaseEstimator):
    """Means, and masses that fall with the squared distance to them; starts far from each other."""

    examples = Examples(start="objects")
    label = "iteration"

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        init: Annotated[npt.ArrayLike, Array()] | None = None,
        n_init: PositiveInt = 1,
        tol: NonNegativeFloat = 1e-6,
        max_iter: NonNegativeInt = 200,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(self, X, y=None):
        return self._fit(X)

    def _fit(self, X):
        self._index = names_of(X)
        X = validate_data(self, X, dtype=float)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        self.start_ = V = self._start(X)
        trace, converged = [self._objective(X, V)], False
        for _ in track_iterations(self.max_iter, self.label):
            weights = self._masses(X, V)[:, 1:-1] ** 2
            moved = weights.T @ X / weights.sum(axis=0)[:, None]
            converged = np.abs(moved - V).max() <= self.tol
            V = moved
            trace.append(self._objective(X, V))
            if converged:
                break
        self.cluster_centers_ = self._finish(V, X)
        self._focal_sets = FocalSets.simple(len(V))
        self.partition_ = CredalPartition(self._masses(X, V), self._focal_sets, self._index)
        self.labels_ = self.partition_.labels("pignistic")
        self.objective_trace_ = np.array(trace)
        self.objective_, self.n_iter_, self.converged_ = trace[-1], len(trace) - 1, converged
        warn_if_not_converged(self)
        self._after_fit(X)
        return self

    def _after_fit(self, X):
        """Do nothing; in the classes below, break a promise."""

    def _finish(self, V, X):
        return V

    def _start(self, X):
        if self.init is not None:
            return np.array(self.init, dtype=float)
        V = X[[check_random_state(self.random_state).randint(len(X))]]
        while len(V) < self.n_clusters:
            V = np.vstack([V, X[cdist(X, V).min(axis=1).argmax()]])
        return V

    def _masses(self, X, V):
        scores = np.pad(1 / (1e-3 + cdist(X, V, "sqeuclidean")), ((0, 0), (1, 1)), constant_values=1e-3)
        return scores / scores.sum(axis=1, keepdims=True)

    def _objective(self, X, V):
        return float((self._masses(X, V)[:, 1:-1] ** 2 * cdist(X, V, "sqeuclidean")).sum())

    def predict_partition(self, X):
        check_is_fitted(self)
        names, X = names_of(X), validate_data(self, X, dtype=float, reset=False)
        return CredalPartition(self._masses(X, self.cluster_centers_), self._focal_sets, names)

    def predict(self, X):
        return self.predict_partition(X).labels("pignistic")

    def predict_proba(self, X):
        return self.predict_partition(X).pignistic.copy()

    def _distances(self, X):
        return cdist(X, self.cluster_centers_)


# ---------------------------------------------------------------- each breaks one promise


class Heavy(Soft):
    def _after_fit(self, X):
        self.membership_ = 1.1 * self.partition_.masses
        del self.partition_


class Forgetful(Soft):
    def _after_fit(self, X):
        self.noise_ = np.random.default_rng().random()


class ReadsMemory(Soft):
    def _after_fit(self, X):
        if not X.flags.c_contiguous:
            self.partition_ = self.partition_[::-1]


class WritesIntoData(Soft):
    def fit(self, X, y=None):
        super().fit(X)
        np.asarray(X)[0] = 0.0
        return self


class SetsParameters(Soft):
    def fit(self, X, y=None):
        super().fit(X)
        self.tol = 1.0
        return self


class DrawsGlobally(Soft):
    def fit(self, X, y=None):
        np.random.random()  # noqa: NPY002
        return super().fit(X)


class LosesState(Soft):
    def __getstate__(self):
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "objective_"}


class ClonesResults(Soft):
    def __sklearn_clone__(self):
        return copy.copy(self)


class Nameless(Soft):
    def _after_fit(self, X):
        self.partition_ = CredalPartition(self.partition_.masses, self._focal_sets)


class OtherNumbers(Soft):
    def _after_fit(self, X):
        self.labels_ = self.n_clusters - 1 - self.labels_


class TakesAnything(Soft):
    def fit(self, X, y=None):
        given = self.n_clusters
        self.n_clusters = min(max(int(given), 1), len(X))
        super().fit(X)
        self.n_clusters = given
        return self


class CountsRounds(Soft):
    label = "round"


class NeverIdle(Soft):
    def fit(self, X, y=None):
        given = self.max_iter
        self.max_iter = max(given, 1)
        super().fit(X)
        self.max_iter = given
        return self


class StopsSilently(Soft):
    def fit(self, X, y=None):
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            return super().fit(X)


class ForgetsItsStart(Soft):
    def _finish(self, V, X):
        self.start_ = V
        return V


class SortsClusters(Soft):
    def _start(self, X):
        V = super()._start(X)
        return V[np.lexsort(V.T)]


class IgnoresWeights(Soft):
    def fit(self, X, y=None, sample_weight=None):
        return super().fit(X)


class ByPlace(Soft):
    def _after_fit(self, X):
        self.labels_ = np.arange(len(X)) * 2 // len(X)


class FollowsTheFirst(Soft):
    def _start(self, X):
        self._first = 1e-3 * X[0]
        return super()._start(X)

    def _masses(self, X, V):
        return super()._masses(X, V + getattr(self, "_first", 0.0))


class AnswersBeforehand(Soft):
    def predict_partition(self, X):
        return CredalPartition.from_labels(np.zeros(len(X), int), 2)


class OtherSets(Soft):
    def predict_partition(self, X):
        masses = super().predict_partition(X).masses[:, [0, 3, 1, 2]]
        return CredalPartition(masses, FocalSets.from_sets(2, [[], [0, 1], [0], [1]]))


class PlausibleProbabilities(Soft):
    def predict_proba(self, X):
        return self.predict_partition(X).contour


class Similarities(Soft):
    def _distances(self, X):
        return 1 / (1 + super()._distances(X))


class OneLabel(Soft):
    def predict(self, X):
        return 0 * super().predict(X)


class Gregarious(Soft):
    def predict_partition(self, X):
        return super().predict_partition(X - 1e-3 * np.mean(X, axis=0))


class ReadsParameters(Soft):
    def predict_partition(self, X):
        return super().predict_partition(X + (1.0 if self.tol is None else 0.0))


BROKEN = {
    "check_simplex": [Heavy],
    "check_same_seed": [Forgetful],
    "check_layout": [ReadsMemory],
    "check_nothing_else_is_changed": [WritesIntoData, SetsParameters, DrawsGlobally],
    "check_copies": [LosesState],
    "check_clone": [ClonesResults],
    "check_names_of_a_table": [Nameless],
    "check_labels_are_numbered_as_the_partition": [OtherNumbers],
    "check_bad_parameters": [TakesAnything],
    "check_progress": [CountsRounds],
    "check_no_iterations": [NeverIdle],
    "check_convergence_warning": [StopsSilently],
    "check_start_is_repeated": [ForgetsItsStart],
    "check_renamed_clusters": [SortsClusters],
    "check_sample_weight": [IgnoresWeights],
    "check_groups_in_any_order": [ByPlace],
    "check_order_from_the_same_start": [FollowsTheFirst],
    "check_not_fitted": [AnswersBeforehand],
    "check_masses_of_new_objects": [OtherSets],
    "check_probabilities_of_new_objects": [PlausibleProbabilities],
    "check_distances_to_prototypes": [Similarities],
    "check_labels_of_new_objects": [OneLabel],
    "check_new_objects_are_independent": [Gregarious],
    "check_answers_rest_on_the_fit": [ReadsParameters],
}


def test_every_promise_is_broken_by_somebody():
    assert list(BROKEN) == [check.__name__ for check in CHECKS]


@pytest.mark.parametrize("check", clusterer_checks(Soft()), ids=str)
def test_a_good_clusterer_passes_every_check(check):
    check()


@pytest.mark.parametrize(
    ("name", "cls"), [(name, cls) for name, classes in BROKEN.items() for cls in classes]
)
def test_a_broken_promise_is_found(name, cls):
    check = {check.name: check for check in clusterer_checks(cls())}[name]
    with pytest.raises(AssertionError, match=r"expected .*(got|\n)"):
        check()


def test_all_broken_promises_are_named_with_what_came():
    with pytest.raises(AssertionError) as failed:
        check_clusterer(OneLabel())
    whole, promise, came, *others = str(failed.value).splitlines()
    assert whole == "OneLabel does not keep 1 of 24 promises"
    assert promise.startswith("check_labels_of_new_objects: New objects get the cluster of highest pignistic")
    assert came.startswith("    AssertionError: expected labels of their masses, got")
    assert len(others) <= 1


def test_a_report_has_a_row_for_each_check():
    report = check_clusterer(OneLabel(), expected_failed_checks={"check_labels_of_new_objects": "one label"})
    assert report.outcome.value_counts().to_dict() == {"passed": 22, "skipped": 1, "expected failure": 1}
    assert report.loc["check_labels_of_new_objects", "reason"] == "one label"
    assert (
        report.loc["check_clone", "promise"] == "A clone of a fit has its parameters and none of its results."
    )
    with pytest.raises(ValueError, match=r"names of checks in expected_failed_checks, got .*'check_me'"):
        check_clusterer(Soft(), expected_failed_checks={"check_me": "because"})


def test_checks_that_do_not_apply_are_skipped_with_a_reason():
    """A clusterer of scikit-learn: no masses, no prediction by masses, no progress."""
    with pytest.raises(SkipTest, match="neither partition_ nor membership_"):
        clusterer_checks(KMeans(2))[0]()
    report = check_clusterer(KMeans(2, n_init=1))
    assert set(report.outcome) == {"passed", "skipped"}
    assert report[report.outcome == "skipped"].reason.str.len().min() > 10
