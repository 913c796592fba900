"""The methods of the comparing explorer: hard, fuzzy and credal ones, each run from one given start.

Every result is converted to a credal partition: hard labels become masses of 1 on single clusters, and
memberships become masses on single clusters.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from credalbench.baselines import COPKMeans, FuzzyCMeans
from credalbench.belief import CredalPartition
from credalbench.cluster import BPEC, ECM, EGMM, EVCLUS, NNEVCLUS, ECMdd
from credalbench.cluster.prototypes.medoid_search import distinct_minima
from credalbench.cluster.prototypes.prototype_step import prototype_starts
from credalbench.explore.sources.tables import Table

#: Largest number of iterations of a run, for which the user waits.
MAX_ITER = 500
#: Partners of each object in EVCLUS, where there are more than MANY objects.
PARTNERS, MANY = 100, 500


@dataclass(frozen=True)
class Settings:
    """A method and its settings; each method uses those that it has.

    `exponent` is that of the memberships (m) or masses (β), `far` the quantile of all dissimilarities that
    is the distance to the empty set (δ) of ECM and BPEC, its square in ECMdd, and d0 of EVCLUS and NN-EVCLUS.
    """

    method: str
    exponent: float
    focal_sets: str
    far: float


@dataclass(frozen=True)
class Start:
    """The start of a run: `init` (see `prototype_starts`) and a random seed."""

    init: str
    seed: int

    def prototypes(self, subject: Table, c: int) -> np.ndarray:
        """Return the starting prototypes (c, p)."""
        (drawn,) = prototype_starts(subject.attributes, c, self.init, 1, check_random_state(self.seed))
        return drawn


@dataclass(frozen=True, eq=False)
class Fit:
    """A method after some iterations; `centers` and `start` (c, p) are None for those without prototypes.

    `objective_trace` (n_iter + 1,) begins at the start. The prototypes of BPEC are their own start.
    """

    partition: CredalPartition
    objective_trace: np.ndarray
    converged: bool
    start: np.ndarray | None
    centers: np.ndarray | None

    @property
    def n_iter(self) -> int:
        """Iterations done."""
        return len(self.objective_trace) - 1

    @property
    def objective(self) -> float:
        """The objective after them."""
        return float(self.objective_trace[-1])


@dataclass(frozen=True)
class Method:
    """A method: its label, the kind of its partitions, its settings and its objective.

    `kind` is a key of `FOUND`. `estimator` returns an unfitted estimator for data, number of clusters,
    settings and start. `far` is the default of that setting; None means 1 / c.
    """

    label: str
    kind: str
    settings: tuple[str, ...]
    objective: str
    estimator: Callable[[Table, int, Settings, Start], BaseEstimator]
    maximises: bool = False
    far: float | None = None

    def estimator_of(
        self, subject: Table, c: int, settings: Settings, start: Start, iteration: int | None = None
    ) -> BaseEstimator:
        """Return the unfitted estimator that stops after `iteration` iterations; None: at convergence."""
        estimator = self.estimator(subject, c, settings, start)
        if iteration is not None:  # labels of the start are those of the first iteration
            estimator.set_params(max_iter=max(iteration, 1) if self.kind == "hard" else iteration)
        return estimator

    def fit(
        self, subject: Table, c: int, settings: Settings, start: Start, iteration: int | None = None
    ) -> Fit:
        """Fit from a start, to convergence or for `iteration` iterations."""
        estimator = self.estimator_of(subject, c, settings, start, iteration)
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            estimator.fit(subject.attributes)
        trace = _trace_of(estimator, self.kind, subject)
        centers = getattr(estimator, "cluster_centers_", None)
        start = start_of(estimator)
        if start is None:
            start = centers
        elif start.ndim == 1:  # objects
            start = subject.attributes[start]
        return Fit(
            partition=_partition_of(estimator, self.kind),
            objective_trace=trace if iteration is None else trace[: iteration + 1],
            converged=bool(estimator.converged_),
            start=start,
            centers=start if iteration == 0 else centers,
        )


def start_of(estimator: BaseEstimator) -> np.ndarray | None:
    """Return the start that was given to an estimator: points (c, p), or objects (c,); None if none was."""
    init = getattr(estimator, "init", None)
    return None if isinstance(init, str) else init


def _partition_of(estimator: BaseEstimator, kind: str) -> CredalPartition:
    """Return the result of a fitted estimator as a credal partition."""
    if kind == "credal":
        return estimator.partition_
    if kind == "fuzzy":
        return CredalPartition.from_fuzzy(estimator.membership_)
    return CredalPartition.from_labels(estimator.labels_, estimator.n_clusters)


def _trace_of(estimator: BaseEstimator, kind: str, subject: Table) -> np.ndarray:
    """Return the objective at the start and after each iteration; k-means does not record the start."""
    trace = np.asarray(estimator.objective_trace_, dtype=float)
    if kind != "hard":
        return trace
    at_start = cdist(subject.attributes, estimator.init, "sqeuclidean").min(axis=1).sum()
    return np.concatenate([[at_start], trace])


#: Source code of `_partition_of` a fitted `model`, by kind of method.
FOUND = {
    "hard": "CredalPartition.from_labels(model.labels_, model.n_clusters)",
    "fuzzy": "CredalPartition.from_fuzzy(model.membership_)",
    "credal": "model.partition_",
}


def _k_means(subject: Table, c: int, settings: Settings, start: Start) -> COPKMeans:
    """Return COP-KMeans without constraints: k-means that records its objective at every iteration."""
    return COPKMeans(c, init=start.prototypes(subject, c), max_iter=MAX_ITER)


def _fuzzy_c_means(subject: Table, c: int, settings: Settings, start: Start) -> FuzzyCMeans:
    return FuzzyCMeans(c, m=settings.exponent, init=start.prototypes(subject, c), max_iter=MAX_ITER)


def _ecm(subject: Table, c: int, settings: Settings, start: Start) -> ECM:
    return ECM(
        c,
        beta=settings.exponent,
        delta=subject.distance_at(settings.far),
        focal_sets=settings.focal_sets,
        init=start.prototypes(subject, c),
        max_iter=MAX_ITER,
    )


def _evclus(subject: Table, c: int, settings: Settings, start: Start) -> EVCLUS:
    sampled = {"n_pairs": PARTNERS, "pair_sampling": "independent"}
    return EVCLUS(
        c,
        d0=subject.distance_at(settings.far),
        focal_sets=settings.focal_sets,
        init="random",
        max_iter=MAX_ITER,
        random_state=start.seed,
        **(sampled if subject.n_objects > MANY else {}),
    )


def _egmm(subject: Table, c: int, settings: Settings, start: Start) -> EGMM:
    return EGMM(c, focal_sets=settings.focal_sets, init=start.prototypes(subject, c), max_iter=MAX_ITER)


def _ecmdd(subject: Table, c: int, settings: Settings, start: Start) -> ECMdd:
    """Return ECMdd from the objects nearest to the prototypes that other methods start from."""
    far = cdist(subject.attributes, start.prototypes(subject, c))
    return ECMdd(
        c,
        beta=settings.exponent,
        delta=subject.distance_at(settings.far) ** 0.5,
        focal_sets=settings.focal_sets,
        init=distinct_minima(far),
        max_iter=MAX_ITER,
    )


def _bpec(subject: Table, c: int, settings: Settings, start: Start) -> BPEC:
    far = subject.distance_at(settings.far)
    return BPEC(c, beta=settings.exponent, delta=far, focal_sets=settings.focal_sets, max_iter=MAX_ITER)


def _nnevclus(subject: Table, c: int, settings: Settings, start: Start) -> NNEVCLUS:
    return NNEVCLUS(
        c,
        d0_quantile=settings.far,
        focal_sets=settings.focal_sets,
        max_iter=MAX_ITER,
        random_state=start.seed,
    )


#: The methods by name.
METHODS = {
    "k_means": Method("k-means", "hard", (), "sum of squares", _k_means),
    "fuzzy_c_means": Method("fuzzy c-means", "fuzzy", ("exponent",), "objective J", _fuzzy_c_means),
    "ecm": Method("ECM", "credal", ("exponent", "focal_sets", "far"), "objective J", _ecm),
    "evclus": Method("EVCLUS", "credal", ("focal_sets", "far"), "stress J", _evclus, far=0.9),
    "egmm": Method("EGMM", "credal", ("focal_sets",), "log-likelihood", _egmm, maximises=True),
    "bpec": Method("BPEC", "credal", ("exponent", "focal_sets", "far"), "objective J", _bpec),
    "ecmdd": Method("ECMdd", "credal", ("exponent", "focal_sets", "far"), "objective J", _ecmdd, far=0.95),
    "nnevclus": Method("NN-EVCLUS", "credal", ("focal_sets", "far"), "loss", _nnevclus, far=0.9),
}
