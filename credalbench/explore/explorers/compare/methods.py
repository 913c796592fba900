"""The methods of the comparing explorer: hard, fuzzy and credal ones, each run from one given start.

Every result is converted to a credal partition: hard labels become masses of 1 on single clusters, and
memberships become masses on single clusters.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from credalbench.belief import CredalPartition
from credalbench.cluster.prototypes.medoid_search import distinct_minima
from credalbench.cluster.prototypes.prototype_step import prototype_starts
from credalbench.explore.sources.tables import Table
from credalbench.select.methods import METHODS as ALL
from credalbench.select.methods import Method, credal_partition

#: Largest number of iterations of a run, for which the user waits.
MAX_ITER = 500
#: Partners of each object in EVCLUS, if there are more than MANY objects.
PARTNERS, MANY = 100, 500

#: The methods; k-means is COP-k-means without constraints, which records its objective at every iteration.
METHODS = {"k_means": replace(ALL["COP-k-means"], name="k-means"), "fuzzy_c_means": ALL["fuzzy c-means"]}
METHODS |= {name.lower(): ALL[name] for name in ("ECM", "EVCLUS", "EGMM", "BPEC", "ECMdd")}
METHODS["nnevclus"] = ALL["NN-EVCLUS"]
#: Names of their objectives, if it is not J.
OBJECTIVES = {
    "k-means": "sum of squares",
    "EVCLUS": "stress J",
    "EGMM": "log-likelihood",
    "NN-EVCLUS": "loss",
}
#: The default of the distance quantile; of other methods 1 / c.
FAR = {"evclus": 0.9, "ecmdd": 0.95, "nnevclus": 0.9}
#: Methods that maximise their objective.
MAXIMISED = ("egmm",)


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


def settings_read(method: Method) -> tuple[str, ...]:
    """Return the names of the settings that a method has."""
    parameters = {"exponent": ("m", "beta"), "focal_sets": ("focal_sets",), "far": ("delta", "d0")}
    return tuple(setting for setting, names in parameters.items() if method.has(*names))


def estimator_of(
    method: Method, subject: Table, c: int, settings: Settings, start: Start, iteration: int | None = None
) -> BaseEstimator:
    """Return the unfitted estimator that stops after `iteration` iterations, by default at convergence."""
    given = {"n_clusters": c, "m": settings.exponent, "beta": settings.exponent}
    given |= {"focal_sets": settings.focal_sets, "noise": False, "max_iter": MAX_ITER}
    if method.name == "NN-EVCLUS":
        given |= {"d0_quantile": settings.far, "random_state": start.seed}
    elif method.name == "EVCLUS":
        given |= {"d0": subject.distance_at(settings.far), "init": "random", "random_state": start.seed}
        if subject.n_objects > MANY:
            given |= {"n_pairs": PARTNERS, "pair_sampling": "independent"}
    elif method.name == "ECMdd":  # from the objects nearest to the prototypes that other methods start from
        near = distinct_minima(cdist(subject.attributes, start.prototypes(subject, c)))
        given |= {"delta": subject.distance_at(settings.far) ** 0.5, "init": near}
    else:
        given |= {"delta": subject.distance_at(settings.far), "init": start.prototypes(subject, c)}
    if iteration is not None:  # labels of the start are those of the first iteration
        given["max_iter"] = max(iteration, 1) if method.kind == "hard" else iteration
    return method.given(**given).estimator


def fit(
    method: Method, subject: Table, c: int, settings: Settings, start: Start, iteration: int | None = None
) -> Fit:
    """Fit from a start, to convergence or for `iteration` iterations."""
    estimator = estimator_of(method, subject, c, settings, start, iteration)
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        estimator.fit(subject.attributes)
    trace = _trace_of(estimator, method.kind, subject)
    centers = getattr(estimator, "cluster_centers_", None)
    start = start_of(estimator)
    if start is None:
        start = centers
    elif start.ndim == 1:  # objects
        start = subject.attributes[start]
    return Fit(
        partition=credal_partition(estimator, subject.attributes, c),
        objective_trace=trace if iteration is None else trace[: iteration + 1],
        converged=bool(estimator.converged_),
        start=start,
        centers=start if iteration == 0 else centers,
    )


def start_of(estimator: BaseEstimator) -> np.ndarray | None:
    """Return the start that was given to an estimator: points (c, p), or objects (c,); None if none was."""
    init = getattr(estimator, "init", None)
    return None if isinstance(init, str) else init


def _trace_of(estimator: BaseEstimator, kind: str, subject: Table) -> np.ndarray:
    """Return the objective at the start and after each iteration; k-means does not record the start."""
    trace = np.asarray(estimator.objective_trace_, dtype=float)
    if kind != "hard":
        return trace
    at_start = cdist(subject.attributes, estimator.init, "sqeuclidean").min(axis=1).sum()
    return np.concatenate([[at_start], trace])


#: Source code of the partition of a fitted `model`, by kind of method.
FOUND = {
    "hard": "CredalPartition.from_labels(model.labels_, model.n_clusters)",
    "fuzzy": "CredalPartition.from_fuzzy(model.membership_)",
    "credal": "model.partition_",
}
