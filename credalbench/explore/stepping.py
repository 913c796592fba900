"""Runs of estimators: a fit repeated from the same start shows any iteration of a run.

Clusters keep their numbers, and so their colours, from fit to fit.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from time import perf_counter
from typing import TYPE_CHECKING, Generic, Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from credalbench.belief import CredalPartition, match_clusters, renumber_clusters
from credalbench.plots.mass_maps import plane_points

if TYPE_CHECKING:
    from credalbench.explore.sources import Subject

Result = TypeVar("Result")

#: Cells of the plane along each side; the picture is interpolated.
SIDE = 64
#: Width of the plane relative to the larger span of the objects, because panels show some room beside them.
REACH = 1.7


@dataclass(frozen=True, eq=False)
class Run:
    """A fitted estimator, with access to all of its iterations.

    Attributes
    ----------
    subject : Subject
        The data.
    estimator : BaseEstimator
        The estimator at the end of the run, fitted from the best start.
    numbers : ndarray of int, shape (c,)
        Number of each cluster throughout the run: cluster k has the number ``numbers[k]``.
    fit : callable
        Fits an estimator to the data and returns it.
    fit_ms : float
        Time of all starts.
    """

    subject: Subject
    estimator: BaseEstimator
    numbers: np.ndarray
    fit: Callable[[BaseEstimator], BaseEstimator]
    fit_ms: float

    @classmethod
    def of(
        cls,
        subject: Subject,
        estimator: BaseEstimator,
        fit: Callable[[BaseEstimator], BaseEstimator],
        numbered: Callable[[BaseEstimator], np.ndarray],
    ) -> Self:
        """Fit an estimator; `numbered` returns the numbers of the clusters of a fitted one."""
        began = perf_counter()
        numbers = numbered(fit(estimator))
        return cls(subject, estimator, numbers, fit, 1e3 * (perf_counter() - began))

    @property
    def n_iter(self) -> int:
        """Number of iterations."""
        return int(self.estimator.n_iter_)

    @property
    def converged(self) -> bool:
        """Whether the run converged."""
        return bool(self.estimator.converged_)

    @property
    def objective_trace(self) -> np.ndarray:
        """The objective at the start and after each iteration, (n_iter + 1,)."""
        return np.asarray(self.estimator.objective_trace_)

    @cached_property
    def partition(self) -> CredalPartition:
        """The partition at the end."""
        return renumber_clusters(self.estimator.partition_, self.numbers)

    def after(self, iteration: int) -> BaseEstimator:
        """Return the estimator fitted for `iteration` iterations."""
        if iteration == self.n_iter:
            return self.estimator
        stopped = clone(self.estimator).set_params(**repeating(self.estimator), max_iter=iteration)
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            return self.fit(stopped)


#: The parameters of `repeating` as source code, for a fitted ``model``.
REPEATING = {"init": "model.start_", "focal_sets": "model.partition_.focal_sets", "pair_neighbors": "None"}


def repeating(estimator: BaseEstimator) -> dict[str, object]:
    """Return the parameters with which a fitted estimator repeats its best run."""
    parameters = (
        {"init": estimator.start_} if hasattr(estimator, "start_") else {}
    )  # otherwise the start is not a choice
    if estimator.get_params().get("pair_neighbors"):  # the second of two runs
        parameters |= {"focal_sets": estimator.partition_.focal_sets, "pair_neighbors": None}
    return parameters


@dataclass(frozen=True, eq=False)
class Stepped:
    """An iteration of a run of any method.

    `view` is what the map shows, one of `MAP_VIEWS`; `plane` belongs to the view of that name.
    """

    run: Run
    iteration: int
    view: str = field(default="sets", kw_only=True)
    plane: Plane | None = field(default=None, kw_only=True)

    subject = property(attrgetter("run.subject"), doc="The data.")
    fit_ms = property(attrgetter("run.fit_ms"), doc="Time of the run.")
    n_iter = property(attrgetter("run.n_iter"), doc="Number of iterations of the run.")
    converged = property(attrgetter("run.converged"), doc="Whether the run converged.")
    objective_trace = property(
        attrgetter("run.objective_trace"),
        doc="The objective of the run at its start and after each iteration, (n_iter + 1,).",
    )

    @property
    def on_map(self) -> bool:
        """Whether the objects are at their positions on the map, not between the sets of their masses."""
        return self.view != "corners"

    @property
    def ended(self) -> bool:
        """Whether this is the last iteration."""
        return self.iteration == self.n_iter

    @property
    def objective(self) -> float:
        """The objective after the iterations done."""
        return float(self.objective_trace[self.iteration])

    def words(self, method: str) -> str:
        """Return the begin of the description of the picture for screen readers."""
        n, name, c = self.subject.n_objects, self.subject.name, self.partition.n_clusters
        return (
            f"Map of {n} objects of {name} in {c} clusters by {method} after {self.iteration} of "
            f"{self.n_iter} iterations: objective {self.objective:.4g}"
        )


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """An iteration of a run of an evidential clusterer.

    `estimator` is fitted for so many iterations; its clusters have the numbers ``run.numbers``. `settings`
    are the parameters of the explorer.
    """

    estimator: BaseEstimator
    settings: Mapping[str, object]

    @cached_property
    def partition(self) -> CredalPartition:
        """The partition, its clusters numbered as shown."""
        found, numbers = self.estimator.partition_, self.run.numbers
        return found if (numbers[:-1] < numbers[1:]).all() else renumber_clusters(found, numbers)

    @cached_property
    def old_numbers(self) -> np.ndarray:
        """The estimator's number of each cluster that is shown, (c,)."""
        return np.argsort(self.run.numbers)

    @cached_property
    def labels(self) -> np.ndarray:
        """The cluster of highest pignistic probability of each object, (n,)."""
        return self.partition.labels("pignistic")

    @cached_property
    def ari(self) -> float | None:
        """Agreement with the true classes, None if they are unknown."""
        y = self.subject.y
        return None if y is None else float(adjusted_rand_score(y, self.labels))

    @cached_property
    def nonspecificity(self) -> float:
        """Imprecision of the masses, 0 to 1."""
        return float(self.partition.nonspecificity())

    @cached_property
    def n_outliers(self) -> int:
        """Number of outliers."""
        return int(self.partition.outliers().sum())

    @cached_property
    def prototypes(self) -> np.ndarray:
        """The prototypes, (c, p)."""
        return self.estimator.cluster_centers_[self.old_numbers]


# -- what is told of a fit ---------------------------------------------------------------------------------


#: Name, value and meaning of a read-out.
Tile = tuple[str, object, str]


def share(value: float | None) -> str:
    """Return a number with three digits, never -0.000, or a dash if it is unknown."""
    return "–" if value is None else f"{value:z.3f}"


def iterations(n_iter: int, converged: bool) -> str:
    """Return the number of iterations, and whether the limit was reached."""
    return f"{n_iter}{'' if converged else ' (cap)'}"


def measures(fitted: Fitted) -> list[Tile]:
    """Return the read-outs of agreement and imprecision."""
    return [
        ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
        ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
    ]


def objective_tile(fitted: Fitted) -> Tile:
    """Return the read-out of the objective."""
    return "objective J", f"{fitted.objective:.4g}", "After the current iteration"


def outlier_tile(fitted: Fitted) -> Tile:
    """Return the read-out of the number of outliers."""
    return "outliers", fitted.n_outliers, "Objects whose largest mass is on the empty set"


def iteration_tile(fitted: Stepped, hint: str = "Iterations done, and until the end of the run") -> Tile:
    """Return the read-out of the iteration."""
    return "iteration", f"{fitted.iteration} of {iterations(fitted.n_iter, fitted.converged)}", hint


def fit_tiles(fitted: Fitted) -> list[Tile]:
    """Return the read-outs of any fit."""
    return [*measures(fitted), objective_tile(fitted), outlier_tile(fitted), iteration_tile(fitted)]


def fit_text(fitted: Fitted) -> str:
    """Return the description of any picture for screen readers."""
    return f"{fitted.words(type(fitted.estimator).__name__)}, with {outliers(fitted.n_outliers)}."


def outliers(count: int) -> str:
    """Return the number of outliers in words."""
    return "1 outlier" if count == 1 else f"{count} outliers"


# -- the masses of the points between the objects of a map ------------------------------------------------


@dataclass(frozen=True, eq=False)
class Plane:
    """The masses of SIDE * SIDE cells of a `box` (left, bottom, right, top), row by row from the top."""

    partition: CredalPartition
    box: tuple[float, float, float, float]


def has_plane(X: np.ndarray | None) -> bool:
    """Return whether the map of attributes is the space of the attributes: there are two."""
    return X is not None and X.shape[1] == 2


def plane_of(run: Run, iteration: int) -> Plane:
    """Return the masses of the plane around the objects after an iteration of a run.

    Raises
    ------
    ValueError
        If the objects do not have exactly two attributes.
    """
    X = run.subject.attributes
    if not has_plane(X):
        got = "dissimilarities" if X is None else X.shape[1]
        raise ValueError(f"{run.subject.name}: expected two attributes to colour the plane; got {got}")
    middle = (X.min(axis=0) + X.max(axis=0)) / 2
    half = REACH / 2 * float(np.ptp(X, axis=0).max())
    low, high = middle - half, middle + half
    predicted = run.after(iteration).predict_partition(plane_points(low, high, SIDE))
    return Plane(renumber_clusters(predicted, run.numbers), (*low.tolist(), *high.tolist()))


# -- recent results -------------------------------------------------------------------------------------


class ResultCache(Generic[Result]):
    """Cache of the `most` recent results: moving a control recomputes only what depends on it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, Result] = OrderedDict()

    def clear(self) -> None:
        """Remove all results."""
        self._results.clear()

    def get(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return the result of `key`, computing it if it is missing."""
        if key not in self._results:
            self._results[key] = make()
        self._results.move_to_end(key)
        while len(self._results) > self._most:
            self._results.popitem(last=False)
        return self._results[key]


# -- numbers of clusters ---------------------------------------------------------------------------------


class SteadyNumbers:
    """Numbers of clusters that stay the same while parameters change.

    They match the true classes, if known, the last partition of the data, and the first one into as many
    clusters: the last may have lost its clusters, if nearly all objects are outliers, and with the first a
    slider that goes there and back returns to the same numbers.
    """

    def __init__(self) -> None:
        self._subject: Subject | None = None
        self._first: dict[int, CredalPartition] = {}

    def of(self, partition: CredalPartition, subject: Subject, previous: Run | None) -> np.ndarray:
        """Return the numbers of the clusters of a partition after the `previous` run, (c,)."""
        known = [] if subject.y is None else [CredalPartition.from_labels(subject.y)]
        if previous is not None and previous.subject is subject:
            if subject is not self._subject:
                self._subject, self._first = subject, {}
            last = previous.partition
            self._first.setdefault(last.n_clusters, last)
            known += filter(None, [last, self._first.get(partition.n_clusters)])
        return match_clusters(partition, known)


# -- messages -------------------------------------------------------------------------------------------


def page_text(problem: Exception | str) -> str:
    """Return the text of a warning or an error for pages: its `brief` one, if it names objects or clusters.

    Pages count objects from 1, and explorers renumber clusters.
    """
    return getattr(problem, "brief", None) or str(problem)


def as_sentence(error: Exception | str) -> str:
    """Return the text of an exception, or a text, as a sentence."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else page_text(error)
    text = text or type(error).__name__
    if text.split()[0].isalpha():  # not the name of a file, which stays as it is
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")
