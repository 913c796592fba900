"""The methods of the comparing explorer, the two sides after some iterations, and their differences.

Every result is converted to a credal partition: hard labels become masses of 1 on single clusters, and
memberships become masses on single clusters.
"""

import warnings
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.cluster.prototypes.medoid_search import distinct_minima
from credalbench.cluster.prototypes.prototype_step import prototype_starts
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Stepped
from credalbench.metrics import adjusted_rand
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
    trace = np.asarray(estimator.objective_trace_, dtype=float)
    if method.kind == "hard":  # k-means does not record the start
        at_start = cdist(subject.attributes, estimator.init, "sqeuclidean").min(axis=1).sum()
        trace = np.concatenate([[at_start], trace])
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


#: Source code of the partition of a fitted `model`, by kind of method.
FOUND = {
    "hard": "CredalPartition.from_labels(model.labels_, model.n_clusters)",
    "fuzzy": "CredalPartition.from_fuzzy(model.membership_)",
    "credal": "model.partition_",
}


# -- differences of two partitions ---------------------------------------------------------------------


#: Relations between two sets of largest mass: the same; overlapping but different; exactly one is empty; no
#: common cluster.
KINDS = ("same", "precision", "outlier", "cluster")
#: Two objects are alike if no mass differs by more, and separated if at least this share of mass differs.
ALIKE, APART = 0.1, 0.3
#: Number of objects that are compared in pairs: of each set, those with the most mass on it.
LOOKED_AT = 250


@dataclass(frozen=True)
class Disagreement:
    """Two objects that are alike in one partition and separated by the other."""

    first: int
    second: int


@dataclass(frozen=True, eq=False)
class Differences:
    """How two partitions differ, clusters numbered alike.

    Attributes
    ----------
    kinds : ndarray of int, shape (n,)
        Index in `KINDS` for each object.
    separated_by_left, separated_by_right : Disagreement or None
        Objects that are alike on the other side.
    identical : bool
        Whether all masses are the same.
    """

    kinds: np.ndarray
    separated_by_left: Disagreement | None
    separated_by_right: Disagreement | None
    identical: bool

    @cached_property
    def counts(self) -> np.ndarray:
        """Number of objects of each kind, (4,)."""
        return np.bincount(self.kinds, minlength=len(KINDS))


def differences_of(left: CredalPartition, right: CredalPartition) -> Differences:
    """Return the differences of two partitions of n objects on the same focal sets. O(n f)."""
    identical = bool(np.array_equal(left.masses, right.masses))
    return Differences(kinds_of(left, right), disagreement(right, left), disagreement(left, right), identical)


def kinds_of(left: CredalPartition, right: CredalPartition) -> np.ndarray:
    """Return the relation of two partitions for each object, as index in `KINDS`, (n,)."""
    A, B = (one.focal_sets.membership[one.hard_credal()] for one in (left, right))
    empty = (~A.any(axis=1), ~B.any(axis=1))
    meet = (A & B).any(axis=1)
    conditions = [(A == B).all(axis=1), meet, empty[0] ^ empty[1]]
    return np.select(conditions, [0, 1, 2], 3)


def disagreement(coarse: CredalPartition, fine: CredalPartition) -> Disagreement | None:
    """Return the two objects that are alike in `coarse` and most different in `fine`, or None.

    Alike: no mass differs by more than `ALIKE`. Different: at least `APART` of all mass lies elsewhere (half
    the sum of the differences). Pairs with one outlier come before others, pairs with different sets of
    largest mass before those with one set; ties are broken by order.
    """
    rows = _clear_cases(fine)
    distance = cdist(coarse.masses[rows], coarse.masses[rows], "chebyshev")
    apart = 0.5 * cdist(fine.masses[rows], fine.masses[rows], "cityblock")
    candidates = (distance <= ALIKE) & (apart >= APART)
    if not candidates.any():
        return None
    decisions = (fine.outliers()[rows], fine.hard_credal()[rows])
    worth = apart - distance + sum((values[:, None] != values).astype(float) for values in decisions)
    best = np.where(candidates, worth, -1.0).argmax()
    return Disagreement(*sorted(rows[list(np.unravel_index(best, candidates.shape))].tolist()))


def _clear_cases(partition: CredalPartition) -> np.ndarray:
    """Return the rows of the clearest objects of each set, equally many per set."""
    sets = partition.hard_credal()
    most = partition.masses[np.arange(len(sets)), sets]
    order = np.lexsort((-most, sets))
    firsts = np.searchsorted(sets[order], sets[order])  # where the set of each begins
    rank = np.arange(len(sets)) - firsts
    return np.sort(order[rank < LOOKED_AT // len(np.unique(sets))])


# -- sides ---------------------------------------------------------------------------------------------


#: What is run on a side: settings and start.
Request = tuple[Settings, Start]


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of both sides, their ends and their cluster numbers.

    Cluster k of ``ends[side]`` has the number ``numbers[side][k]``. `traces` are as in `Fitted`.
    """

    subject: Table
    requested: tuple[Request, Request]
    ends: tuple[Fit, Fit]
    numbers: tuple[np.ndarray, np.ndarray]
    traces: tuple[np.ndarray, ...]
    fit_ms: float

    @property
    def n_iter(self) -> int:
        """Number of iterations until both have ended."""
        return max(end.n_iter for end in self.ends)

    @property
    def partition(self) -> CredalPartition:
        """The partition of the left side at its end, to which the next fit matches its cluster numbers."""
        return renumber_clusters(self.ends[0].partition, self.numbers[0])

    def after(self, iteration: int) -> list[Fit]:
        """Return both sides after `iteration` iterations; a shorter run stays at its end."""
        c = self.ends[0].partition.n_clusters
        return [
            end
            if iteration >= end.n_iter
            else fit(METHODS[settings.method], self.subject, c, settings, start, iteration)
            for (settings, start), end in zip(self.requested, self.ends)
        ]


@dataclass(frozen=True, eq=False)
class Side:
    """An iteration of one of the two runs; its clusters are numbered as on the other side.

    `partition` is on the focal sets of both sides, `own_partition` on its own. `run` is the whole run, and
    cluster k of it is called ``numbers[k]``. `start` and `prototypes` (c, p) are None if the method has
    no prototypes; `number` is that of the start. `ari` is None if classes are unknown.
    """

    method: Method
    run: Fit
    iteration: int
    number: int
    numbers: np.ndarray
    partition: CredalPartition
    own_partition: CredalPartition
    start: np.ndarray | None
    prototypes: np.ndarray | None
    ari: float | None


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """An iteration of both sides, and their differences."""

    left: Side
    right: Side

    @property
    def traces(self) -> tuple[np.ndarray, ...]:
        """The objectives of all starts that were compared; none with methods."""
        return self.run.traces

    @cached_property
    def differences(self) -> Differences:
        """How the sides differ."""
        return differences_of(self.left.partition, self.right.partition)

    @property
    def partition(self) -> CredalPartition:
        """The partition of the left side."""
        return self.left.own_partition

    @property
    def partitions(self) -> tuple[CredalPartition, CredalPartition]:
        """The partitions of the left and the right side, each on its own focal sets."""
        return self.left.own_partition, self.right.own_partition


def described(run: Runs, iteration: int) -> Fitted:
    """Return both sides after some iterations."""
    fits = run.after(iteration)
    own = [renumber_clusters(fit.partition, numbers) for fit, numbers in zip(fits, run.numbers)]
    common = own[0].focal_sets.union(own[1].focal_sets)
    sides = [_side(run, k, fit, one, one.on(common)) for k, (fit, one) in enumerate(zip(fits, own))]
    return Fitted(run, iteration, *sides)


def _side(run: Runs, k: int, fit: Fit, own: CredalPartition, partition: CredalPartition) -> Side:
    """Return side k of two runs after the iterations of a fit."""
    (settings, start), numbers, y = run.requested[k], run.numbers[k], run.subject.y
    old = np.argsort(numbers)
    return Side(
        method=METHODS[settings.method],
        run=run.ends[k],
        iteration=fit.n_iter,
        number=start.seed,
        numbers=numbers,
        partition=partition,
        own_partition=own,
        start=None if fit.start is None else fit.start[old],
        prototypes=None if fit.centers is None else fit.centers[old],
        ari=None if y is None else float(adjusted_rand(y, own.labels("pignistic"))),
    )
