"""Runs that are gone through: iteration k is the estimator after k iterations from the same start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Self

import numpy as np
from sklearn.base import BaseEstimator, clone

from credalbench.belief import CredalPartition, renumber_clusters

if TYPE_CHECKING:
    from credalbench.explore.sources import Subject


@dataclass(frozen=True, eq=False)
class Run:
    """A fitted estimator, and how it gets to any of its iterations.

    Attributes
    ----------
    subject : Subject
        The data.
    estimator : BaseEstimator
        At the end of the run; of several starts that of the best.
    numbers : ndarray of int, shape (c,)
        What its clusters are called, from the start to the end: cluster k is ``numbers[k]``.
    fit : callable
        Fits an estimator to the data, and returns it.
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
        numbered: Callable[[CredalPartition], np.ndarray],
    ) -> Self:
        """Fit an estimator; `numbered` says what the clusters of its partition are called."""
        began = perf_counter()
        numbers = numbered(fit(estimator).partition_)
        return cls(subject, estimator, numbers, fit, 1e3 * (perf_counter() - began))

    @property
    def n_iter(self) -> int:
        """Iterations until the end."""
        return int(self.estimator.n_iter_)

    @property
    def converged(self) -> bool:
        """Whether it ended by itself."""
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
        """Return the estimator after so many iterations, fitted."""
        if iteration == self.n_iter:
            return self.estimator
        return self.fit(clone(self.estimator).set_params(**repeating(self.estimator), max_iter=iteration))


#: What `repeating` gives, as source, of a fitted ``model``.
REPEATING = {
    "init": "model.start_",
    "focal_sets": "model.partition_.focal_sets",
    "pair_neighbors": "None",
}


def repeating(estimator: BaseEstimator) -> dict[str, object]:
    """Return the parameters with which a fitted estimator repeats the run that it has kept, and no other."""
    parameters = {"init": estimator.start_}
    if estimator.get_params().get("pair_neighbors"):  # the second of two runs
        parameters |= {"focal_sets": estimator.partition_.focal_sets, "pair_neighbors": None}
    return parameters


@dataclass(frozen=True, eq=False)
class Stepped:
    """An iteration of a run: what is known of it whatever the method is."""

    run: Run
    iteration: int

    @property
    def subject(self) -> Subject:
        """The data."""
        return self.run.subject

    @property
    def fit_ms(self) -> float:
        """Time of the run."""
        return self.run.fit_ms

    @property
    def n_iter(self) -> int:
        """Iterations until the end of the run."""
        return self.run.n_iter

    @property
    def converged(self) -> bool:
        """Whether the run ended by itself."""
        return self.run.converged

    @property
    def ended(self) -> bool:
        """Whether the run has no further iteration."""
        return self.iteration == self.n_iter

    @property
    def objective_trace(self) -> np.ndarray:
        """The objective of the run at its start and after each iteration, (n_iter + 1,)."""
        return self.run.objective_trace

    @property
    def objective(self) -> float:
        """The objective after the iterations done."""
        return float(self.objective_trace[self.iteration])
