"""The result that the EGMM explorer shows, and the fits over the number of clusters for the EBIC curve."""

import warnings
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.cluster import EGMM
from credalbench.explore.fitting import ResultCache
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Run, Stepped, without_numbers
from credalbench.metrics import adjusted_rand

#: Number of combinations of data and settings whose fits are cached.
CACHED = 8


class Attempt(NamedTuple):
    """A fit, or the error that refused it, and its warnings."""

    estimator: EGMM | None
    error: Exception | None
    warned: tuple[str, ...]


class Point(NamedTuple):
    """EBIC at a number of clusters, or None with the reason if the fit was refused."""

    n_clusters: int
    ebic: float | None
    reason: str


class FitsOverClusters:
    """Cache of the attempts to fit c clusters, by data and settings."""

    def __init__(self) -> None:
        self._attempts: ResultCache[dict[int, Attempt]] = ResultCache(CACHED)

    def known(self, settings: Hashable) -> dict[int, Attempt]:
        """Return the attempts under these settings, by number of clusters."""
        return self._attempts.get(settings, dict)

    def attempt(self, settings: Hashable, c: int, fit: Callable[[int], EGMM]) -> Attempt:
        """Return the attempt with c clusters, computing it if it is missing."""
        attempts = self.known(settings)
        if c not in attempts:
            attempts[c] = _attempt(c, fit)
        return attempts[c]

    def curve(self, settings: Hashable) -> tuple[Point, ...]:
        """Return the known points under these settings, by increasing number of clusters."""
        return tuple(
            Point(c, None if one.estimator is None else float(one.estimator.ebic_), str(one.error or ""))
            for c, one in sorted(self.known(settings).items())
        )


def _attempt(c: int, fit: Callable[[int], EGMM]) -> Attempt:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)  # the page shows whether a run converged
        try:
            estimator, error = fit(c), None
        except ValueError as refusal:  # too many sets, too few objects, or an unbounded likelihood
            estimator, error = None, refusal
    return Attempt(estimator, error, tuple(without_numbers(warning.message) for warning in caught))


def best_point(curve: tuple[Point, ...]) -> Point | None:
    """Return the point of highest EBIC, ties broken by fewer clusters; None if there is none."""
    found = [point for point in curve if point.ebic is not None]
    return max(found, key=lambda point: (point.ebic, -point.n_clusters), default=None)


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """An iteration of a run, with everything that panels and read-outs show.

    `centers_on_map` (c, 2) are the means of the clusters; `means_on_map` (f, 2), `covariances_on_map`
    (f, 2, 2) and `weights` (f,) belong to the focal sets of `partition`. `objective` is the log-likelihood.
    `curve` holds the values of EBIC, at convergence, known so far for the numbers of clusters `requested`.
    `ari` is None if classes are unknown.
    """

    partition: CredalPartition
    centers_on_map: np.ndarray
    means_on_map: np.ndarray
    covariances_on_map: np.ndarray
    weights: np.ndarray
    n_parameters: int
    ebic: float
    curve: tuple[Point, ...]
    requested: tuple[int, ...]
    ari: float | None
    nonspecificity: float
    n_imprecise: int

    @property
    def is_complete(self) -> bool:
        """Whether every requested number of clusters has been fitted or refused."""
        return {point.n_clusters for point in self.curve} >= set(self.requested)


def describe(run: Run, iteration: int, curve: tuple[Point, ...], requested: tuple[int, ...]) -> Fitted:
    """Return the `Fitted` of an iteration of an EGMM."""
    subject, estimator, old = run.subject, run.after(iteration), np.argsort(run.numbers)
    sets = estimator.partition_.focal_sets
    partition = renumber_clusters(estimator.partition_, run.numbers)
    order = [sets.index(old[k] for k in members) for members in partition.focal_sets.sets]
    hard = partition.hard_credal()
    labels = partition.labels("pignistic")
    return Fitted(
        run=run,
        iteration=iteration,
        partition=partition,
        centers_on_map=subject.on_the_map(estimator.cluster_centers_[old]),
        means_on_map=subject.on_the_map(estimator.means_[order]),
        covariances_on_map=on_the_map(subject, covariances(estimator)[order]),
        weights=estimator.weights_[order],
        n_parameters=int(estimator.n_parameters_),
        ebic=float(estimator.ebic_),
        curve=curve,
        requested=requested,
        ari=None if subject.y is None else float(adjusted_rand(subject.y, labels)),
        nonspecificity=float(partition.nonspecificity()),
        n_imprecise=int((partition.focal_sets.cardinality[hard] > 1).sum()),
    )


def covariances(estimator: EGMM) -> np.ndarray:
    """Return the covariance of each component, (f, p, p), for every covariance type."""
    f, p = estimator.means_.shape
    held = np.asarray(estimator.covariances_)
    if estimator.covariance_type == "spherical":
        held = held[:, None, None] * np.eye(p)
    elif estimator.covariance_type == "diag":
        held = held[:, :, None] * np.eye(p)
    return np.broadcast_to(held, (f, p, p))


def on_the_map(subject: Table, matrices: np.ndarray) -> np.ndarray:
    """Return covariances (f, p, p) of attributes, projected on the map, (f, 2, 2)."""
    p = matrices.shape[1]
    origin, *steps = subject.on_the_map(np.vstack([np.zeros(p), np.eye(p)]))
    projection = np.array(steps) - origin
    return projection.T @ matrices @ projection
