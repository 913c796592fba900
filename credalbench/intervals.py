r"""Estimates from repeated runs with 95 % intervals: mean, median, proportion, difference, ratio, slope.

Means and mean differences carry Student's interval, proportions Wilson's, everything else the percentile
interval of a bootstrap over the runs. The resamples are always the same, so that an interval is a function of
the numbers alone. A single run tells nothing of its own error: its interval is the whole line.

An `Estimate` prints itself: ``f"{mean(values):.3f}"`` is ``0.863 (0.851 to 0.875)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

LEVEL = 0.95
RESAMPLES = 2000
TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


@dataclass(frozen=True)
class Estimate:
    """A value between `low` and `high`, from `n` runs; the three agree where nothing is random."""

    value: float
    low: float
    high: float
    n: int = 0

    @property
    def is_exact(self) -> bool:
        return self.low == self.value == self.high

    def __format__(self, spec: str) -> str:
        spec = spec or ".3g"
        if self.is_exact:
            return format(self.value, spec)
        if self.n == 1:
            return f"{format(self.value, spec)} (one run)"
        return f"{format(self.value, spec)} ({format(self.low, spec)} to {format(self.high, spec)})"

    def __str__(self) -> str:
        return format(self, "")


def exact(value: float) -> Estimate:
    """A value without sampling error."""
    return Estimate(float(value), float(value), float(value))


def mean(values: npt.ArrayLike) -> Estimate:
    """Mean of the runs that are not NaN, with Student's interval.

    Raises
    ------
    ValueError
        No run is left.
    """
    values = _finite_runs(values)
    centre, n = float(values.mean()), len(values)
    if n == 1:
        return Estimate(centre, -np.inf, np.inf, 1)
    reach = float(stats.t.ppf(TAILS[1], n - 1) * values.std(ddof=1) / np.sqrt(n))
    return Estimate(centre, centre - reach, centre + reach, n)


def proportion(hits: npt.ArrayLike) -> Estimate:
    """Share of the runs that are true, with Wilson's interval.

    Raises
    ------
    ValueError
        There is no run.
    """
    hits = _finite_runs(hits).astype(bool)
    found = stats.binomtest(int(hits.sum()), len(hits)).proportion_ci(LEVEL, "wilson")
    return Estimate(float(hits.mean()), float(found.low), float(found.high), len(hits))


def median(values: npt.ArrayLike) -> Estimate:
    """Median of the runs, with its bootstrap interval; infinite values are allowed."""
    return bootstrap(_median, values)


def deviation(values: npt.ArrayLike) -> Estimate:
    """Standard deviation over the runs, pooled over the rows of (s, m), with its bootstrap interval."""
    return bootstrap(pooled_deviation, np.atleast_2d(values))


def difference(first: npt.ArrayLike, second: npt.ArrayLike, of: Callable | None = None) -> Estimate:
    """First minus second over paired runs: of the means (Student), or of another statistic (bootstrap).

    Parameters
    ----------
    first, second : (m,) or (s, m) arrays
        Entries at the same place are a pair.
    of : callable, optional
        A statistic along the last axis, such as `numpy.median`.
    """
    if of is None:
        return mean(np.subtract(np.asarray(first, float), np.asarray(second, float)))
    return bootstrap(lambda a, b: of(a, axis=-1) - of(b, axis=-1), first, second)


def ratio(first: npt.ArrayLike, second: npt.ArrayLike, of: Callable = np.nanmedian) -> Estimate:
    """First over second: the ratio of their medians, or of another statistic, with its bootstrap interval.

    Arrays of one shape are paired, others independent.
    """
    return bootstrap(lambda a, b: of(a, axis=-1) / of(b, axis=-1), first, second)


def slope(x: npt.ArrayLike, values: npt.ArrayLike) -> Estimate:
    """Exponent of growth: the least-squares slope of log median `values` (s, m) against log `x` (s,)."""
    return bootstrap(lambda v: log_log_slope(x, v), values)


def difference_of_slopes(x: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike) -> Estimate:
    """Slope of `first` minus slope of `second`, (s, m) each, over paired runs."""
    return bootstrap(lambda a, b: log_log_slope(x, a) - log_log_slope(x, b), first, second)


def pooled_deviation(values: np.ndarray) -> np.ndarray:
    """Root of the mean over rows of the variance over runs: (..., s, m) -> (...)."""
    return np.sqrt(np.nanvar(values, axis=-1, ddof=1).mean(axis=-1))


def log_log_slope(x: npt.ArrayLike, values: np.ndarray) -> np.ndarray:
    """Least-squares slope of log median value against log x: (s,), (..., s, m) -> (...)."""
    log_x = np.log(np.asarray(x, dtype=float))
    log_x -= log_x.mean()
    return np.log(_median(values)) @ log_x / (log_x @ log_x)


def bootstrap(statistic: Callable, *samples: npt.ArrayLike) -> Estimate:
    """A statistic of one or more samples, with the percentile interval over resamples of the runs.

    Parameters
    ----------
    statistic : callable
        Of arrays (..., m) or (..., s, m), whose last axis are the runs; gives numbers (...).
    *samples : (m,) or (s, m) arrays
        Runs are drawn with replacement, for each row apart. Samples of one shape are paired: they get the
        same draws. NaN marks a run that failed: no draw picks it, unless a row has no other.

    Raises
    ------
    ValueError
        A sample has no run, or nothing but NaN.
    """
    arrays = [np.asarray(sample, dtype=float) for sample in samples]
    for values in arrays:
        if values.size == 0 or np.isnan(values).all():
            raise ValueError("expected at least one run, got none")
    value = float(statistic(*arrays))
    n = max(values.shape[-1] for values in arrays)
    if n == 1:
        return Estimate(value, -np.inf, np.inf, 1)
    rng = np.random.default_rng(0)
    uniform = {shape: rng.random((RESAMPLES, *shape)) for shape in dict.fromkeys(a.shape for a in arrays)}
    draws = statistic(*(_resampled(values, uniform[values.shape]) for values in arrays))
    low, high = np.nanquantile(draws, TAILS, method="nearest")  # between infinite draws nothing lies
    return Estimate(value, float(low), float(high), n)


def _resampled(values: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    """Runs drawn with replacement by uniform numbers (resamples, ..., m): failed ones stand last, undrawn."""
    order = np.argsort(np.isnan(values), axis=-1, kind="stable")
    finite = np.take_along_axis(values, order, axis=-1)
    draws = (uniform * (~np.isnan(values)).sum(axis=-1, keepdims=True)).astype(np.intp)
    return np.take_along_axis(np.broadcast_to(finite, draws.shape), draws, axis=-1)


def _finite_runs(values: npt.ArrayLike) -> np.ndarray:
    values = np.asarray(values, dtype=float).ravel()
    values = values[~np.isnan(values)]
    if len(values) == 0:
        raise ValueError("expected at least one run, got none")
    return values


def _median(values: np.ndarray) -> np.ndarray:
    return np.nanmedian(values, axis=-1)
