"""A cache of fits over the number of clusters: the points of the EBIC curve."""

import warnings
from collections.abc import Callable, Hashable
from typing import NamedTuple

from sklearn.exceptions import ConvergenceWarning

from credalbench.cluster import EGMM
from credalbench.explore.cache import ResultCache
from credalbench.explore.steady_numbers import without_numbers

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
        return tuple(_point(c, attempt) for c, attempt in sorted(self.known(settings).items()))


def _attempt(c: int, fit: Callable[[int], EGMM]) -> Attempt:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)  # the page shows whether a run converged
        try:
            estimator, error = fit(c), None
        except ValueError as refusal:  # too many sets, too few objects, or an unbounded likelihood
            estimator, error = None, refusal
    return Attempt(estimator, error, tuple(without_numbers(warning.message) for warning in caught))


def _point(c: int, attempt: Attempt) -> Point:
    if attempt.estimator is None:
        return Point(c, None, str(attempt.error))
    return Point(c, float(attempt.estimator.ebic_), "")


def best_point(curve: tuple[Point, ...]) -> Point | None:
    """Return the point of highest EBIC, ties broken by fewer clusters; None if there is none."""
    found = [point for point in curve if point.ebic is not None]
    return max(found, key=lambda point: (point.ebic, -point.n_clusters), default=None)
