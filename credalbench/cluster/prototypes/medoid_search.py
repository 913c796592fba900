"""The loop of MECM and ECMdd: medoids and masses are updated as long as the objective decreases."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import resolve_focal_sets
from credalbench.cluster.inputs.dissimilarities import dissimilarity_matrix
from credalbench.cluster.inputs.new_objects import FittedObjects
from credalbench.cluster.prototypes.mass_update import (
    Setting,
    expect_moderate_powers,
    focal_costs,
    masses_from_costs,
    objective,
)
from credalbench.cluster.prototypes.medoids import SetMedoids, SetPrototypes
from credalbench.cluster.prototypes.relational import RelationalPredictions
from credalbench.core.arguments import Array, Choice, checked, expect, expect_count
from credalbench.core.checks import at_rest, keep_trace, read_objects, warn_if_coincident
from credalbench.core.estimators import DistancesToPrototypes
from credalbench.core.progress import track, track_iterations
from credalbench.core.threads import one_blas_thread

DELTA_QUANTILE = 0.95  # of the squared dissimilarities, for delta^2
MASS_ARRAYS = 6  # (n, f) arrays at a time in an iteration, measured
SET_WORK = 64  # multiplications of an object and a focal set in an iteration, about
ROUNDING = 1e-12  # relative error of a sum of dissimilarities
MedoidStart = Annotated[str | npt.ArrayLike, Choice("spread", "random") | Array()]


class MedoidClusterer(RelationalPredictions, DistancesToPrototypes, ClusterMixin, BaseEstimator):
    """Base of the clusterers whose prototypes are objects.

    A subclass has `_places`, and `square`: whether dissimilarities to sets enter the objective squared. It
    may choose other prototypes than single medoids by `_start`, `_move` and `_describe`.
    """

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Compute the credal partition of objects.

        Parameters
        ----------
        X : (n, p) or (n, n) array or DataFrame
            Attributes of the objects, or with ``metric="precomputed"`` their dissimilarities.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        Self
            The fitted estimator.
        """
        X, focal_sets = self._validate(X)
        rng = check_random_state(self.random_state)
        tau = dissimilarity_matrix(X, self.metric, self.symmetrize)
        expect(tau.any(), "some positive dissimilarity", "zeros only")
        setting = Setting(focal_sets, self.alpha, self.beta, self._resolve_delta(tau))
        self.delta_ = setting.delta
        squared = tau**2 if self.square else tau

        def masses_at(prototypes: np.ndarray) -> tuple[np.ndarray, float]:
            d = self._places(tau, prototypes, focal_sets).dissimilarities(tau)
            costs = focal_costs(d**2 if self.square else d, focal_sets, self.alpha, setting.delta)
            masses = masses_from_costs(costs, self.beta)
            return masses, objective(masses, costs, self.beta)

        def move(masses: np.ndarray) -> np.ndarray:
            return self._move(squared, masses[:, focal_sets.singletons] ** self.beta)

        with one_blas_thread():
            runs = [
                alternate(self._start(medoids, len(X)), masses_at, move, self.tol, self.max_iter)
                for medoids in self._starts(tau, rng)
            ]
            best = min(runs, key=lambda run: run.objective[-1])
            self._fitted_places = self._places(tau, best.prototypes, focal_sets)
        self._objects, self._setting = FittedObjects.of(X, self.metric), setting
        self._squares = self.square
        self.partition_ = CredalPartition(best.masses, focal_sets, self._index)
        self.labels_ = labels_of(self.partition_)
        self._describe(best.prototypes, len(X))
        if not self._precomputed():
            self.cluster_centers_ = X[self.medoid_indices_]
        keep_trace(self, best.objective, best.converged)
        to_medoids = tau[:, self.medoid_indices_]
        within = np.median(to_medoids.min(axis=1))
        warn_if_coincident(self, to_medoids[self.medoid_indices_], within, tau.max())
        return self

    @abstractmethod
    def _places(
        self, tau: np.ndarray, prototypes: np.ndarray, focal_sets: FocalSets
    ) -> SetMedoids | SetPrototypes:
        """Return the objects that represent the focal sets, from the prototypes of the clusters."""

    def _start(self, medoids: np.ndarray, n: int):
        """Return starting prototypes."""
        return medoids

    def _move(self, squared: np.ndarray, weights: np.ndarray):
        """Return the next prototypes, from what enters the objective (n, n) and weights (n, c)."""
        return next_medoids(squared, weights)

    def _describe(self, prototypes: np.ndarray, n: int):
        """Set ``medoid_indices_``."""
        self.medoid_indices_ = prototypes

    def _distances(self, X: npt.ArrayLike):
        focal_sets = self._setting.focal_sets
        clusters = focal_sets.singletons - int(focal_sets.has_empty)
        found = [self._fitted_places.dissimilarities(D)[:, clusters] for D in self._objects.compared(self, X)]
        return np.concatenate(found)

    def _squared_distances(self, D: np.ndarray):
        """Compute the squared distances to the focal sets from new dissimilarities: (b, n) -> (b, f')."""
        d = self._fitted_places.dissimilarities(D)
        return d**2 if self._squares else d

    def _resolve_delta(self, tau: np.ndarray):
        if self.delta is not None:
            return float(self.delta)
        squared = squareform(tau, checks=False)  # each pair once
        if self.square:
            np.square(squared, out=squared)
        quantile = np.quantile(squared, DELTA_QUANTILE, overwrite_input=True)
        expect(quantile > 0, "delta, since most dissimilarities are 0 relative to the largest", None)
        return float(np.sqrt(quantile))

    def _starts(self, tau: np.ndarray, rng: np.random.RandomState) -> Iterator[np.ndarray]:
        """Yield the given starting medoids, or `n_init` choices."""
        if not isinstance(self.init, str):
            yield np.array(self.init)
            return
        for number in track(range(self.n_init), "start"):
            if self.init == "spread" and number == 0:
                yield spread_medoids(tau, self.n_clusters)
            else:
                yield rng.choice(len(tau), self.n_clusters, replace=False)

    def _validate(self, X: npt.ArrayLike):
        X = read_objects(self, X)
        n = len(X)
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=n)
        expect_moderate_powers(self.alpha, self.n_clusters)
        expect((focal_sets.singletons >= 0).all(), "focal sets with every singleton", focal_sets)
        if not isinstance(self.init, str):
            init = np.asarray(self.init)
            fits = init.shape == (self.n_clusters,) and init.dtype.kind in "iu"
            fits = fits and len(np.unique(init)) == self.n_clusters and init.min() >= 0 and init.max() < n
            expect(fits, f"init of {self.n_clusters} different objects in 0..{n - 1}", self.init)
        return X, focal_sets


class MedoidSearch(NamedTuple):
    """Result of the search for prototypes, with the objective after each move."""

    prototypes: np.ndarray
    masses: np.ndarray
    objective: list
    converged: bool


def alternate(
    prototypes: np.ndarray,
    masses_at: Callable[[np.ndarray], tuple[np.ndarray, float]],
    move: Callable[[np.ndarray], np.ndarray],
    tol: float,
    max_iter: int,
) -> MedoidSearch:
    """Update masses and prototypes in turn, as long as the objective decreases.

    `prototypes` are the start; ``masses_at(prototypes)`` returns (masses (n, f), objective), ``move(masses)``
    the next prototypes.
    """
    masses, value = masses_at(prototypes)
    trace = [value]
    for _ in track_iterations(max_iter, "iteration"):
        candidate = move(masses)
        if np.array_equal(candidate, prototypes):
            return MedoidSearch(prototypes, masses, trace, True)
        new_masses, value = masses_at(candidate)
        converged = at_rest([*trace[-2:], value], tol * value)
        if value < trace[-1]:
            prototypes, masses = candidate, new_masses
            trace.append(value)
        if converged:
            return MedoidSearch(prototypes, masses, trace, True)
    return MedoidSearch(prototypes, masses, trace, False)


def next_medoids(squared: np.ndarray, weights: np.ndarray) -> np.ndarray:
    r"""Find for each cluster the object p that minimises :math:`\sum_i w_{ik} \tau(i, p)^2`, none twice.

    (n, n), (n, c) -> (c,), O(n^2 c).
    """
    return distinct_minima(squared @ weights)


def distinct_minima(scores: np.ndarray) -> np.ndarray:
    """Return the row of the lowest score in each column, no row twice: (n, c) -> (c,).

    Each column in turn gets one of the rows that earlier columns have not got; `scores` is overwritten.
    """
    rows = np.empty(scores.shape[1], dtype=np.intp)
    for k in range(len(rows)):
        rows[k] = np.argmin(scores[:, k])
        scores[rows[k]] = np.inf
    return rows


def spread_medoids(tau: np.ndarray, n_clusters: int) -> np.ndarray:
    """Choose medoids one by one, each to reduce the sum of dissimilarities to the nearest the most.

    This is the start of the k-medoids algorithm. (n, n), c -> (c,), O(n^2 c).
    """
    medoids = np.empty(n_clusters, dtype=np.intp)
    near = np.full(len(tau), np.inf)
    for k in range(n_clusters):
        sums = np.minimum(near, tau).sum(axis=1)  # tau is symmetric: row p has the dissimilarities to p
        sums[medoids[:k]] = np.inf
        medoids[k] = np.argmax(sums <= sums.min() * (1 + ROUNDING))  # the first of equal ones, at any scale
        near = np.minimum(near, tau[medoids[k]])
    return medoids
