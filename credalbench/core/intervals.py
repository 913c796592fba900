"""Estimates from repeated runs with 95 % intervals: mean, median, proportion, difference, ratio, slope.

Means and mean differences have Student's interval, proportions Wilson's, standard deviations of few runs
that of normal values, all others the percentile interval of a bootstrap over the runs. The resamples are
always the same, so that an interval depends only on the numbers. The error of a single run is unknown, and
its interval is the whole line. NaN marks a failed run; runs may be infinite.

Percentile intervals of medians and ratios have their nominal coverage, for 5 runs as for 20. That of a
standard deviation is too narrow for few runs: with five rows of 20 runs it covers the truth in 89 of 100
cases, with five rows of 5 in 70. Samples with fewer than ten degrees of freedom therefore have the interval
of normal values.

An `Estimate` formats itself: ``f"{mean(values):.3f}"`` is ``0.863 (0.851 to 0.875)``.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, ndtri, stdtrit

LEVEL = 0.95
RESAMPLES = 2000
TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
FEW = 10  # least degrees of freedom of a standard deviation with a bootstrap interval


@dataclass(frozen=True)
class Estimate:
    """A value between `low` and `high`, from `n` runs; all three are equal if nothing is random.

    Parameters
    ----------
    value : float
        The estimate.
    low, high : float
        Ends of its 95 % interval.
    n : int, default 0
        Number of runs.
    statistic, runs : callable, tuple of (..., n) arrays, optional
        What it is computed with and from, if the statistic of other numbers of runs can be.
    """

    value: float
    low: float
    high: float
    n: int = 0
    statistic: Callable | None = field(default=None, repr=False, compare=False)
    runs: tuple[np.ndarray, ...] = field(default=(), repr=False, compare=False)

    def __reduce__(self) -> tuple:
        """Leave out the statistic, which need not be a function that can be stored."""
        return Estimate, (self.value, self.low, self.high, self.n)

    @property
    def is_exact(self) -> bool:
        """Whether there is no sampling error."""
        return self.low == self.value == self.high

    def __format__(self, spec: str) -> str:
        spec = spec or ".3g"
        if self.is_exact:
            return format(self.value, spec)
        if self.n == 1 and np.isinf(self.low) and np.isinf(self.high):
            return f"{format(self.value, spec)} (one run)"
        return f"{format(self.value, spec)} ({format(self.low, spec)} to {format(self.high, spec)})"

    def __str__(self) -> str:
        return format(self, "")


def exact(value: float) -> Estimate:
    """Return a value without sampling error."""
    return Estimate(float(value), float(value), float(value))


def mean(values: npt.ArrayLike) -> Estimate:
    """Estimate the mean of the runs (m,) that are not NaN, with Student's interval.

    The interval is the whole line if a run is infinite. Without a run the function raises a ValueError.

    >>> f"{mean([0.8, 0.9, 1.0]):.2f}"
    '0.90 (0.65 to 1.15)'
    """
    values = _runs(values)
    n = len(values)
    with np.errstate(invalid="ignore"):  # inf - inf
        centre = float(values.mean())
    if n == 1 or not np.isfinite(values).all():
        return Estimate(centre, -np.inf, np.inf, n)
    reach = float(stdtrit(n - 1, TAILS[1]) * values.std(ddof=1) / np.sqrt(n))
    return Estimate(centre, centre - reach, centre + reach, n, _mean, (values,))


def proportion(hits: npt.ArrayLike) -> Estimate:
    """Estimate the share of the runs (m,) that are true, in [0, 1], with Wilson's interval.

    NaN marks a failed run. Without a run the function raises a ValueError.

    >>> f"{proportion([True] * 9 + [False]):.2f}"
    '0.90 (0.60 to 0.98)'
    """
    hits = _runs(hits).astype(bool)
    share, n, z = float(hits.mean()), len(hits), float(ndtri(TAILS[1]))
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low, high = (0.0 if share == 0 else centre - reach), (1.0 if share == 1 else centre + reach)
    return Estimate(share, float(low), float(high), n, _mean, (hits.astype(float),))


def median(values: npt.ArrayLike) -> Estimate:
    """Estimate the median of the runs (m,), which may be infinite, with its bootstrap interval."""
    return bootstrap(partial(np.nanmedian, axis=-1), values)


def deviation(values: npt.ArrayLike) -> Estimate:
    """Estimate the standard deviation over the runs, (m,) or (s, m), pooled over rows.

    With at least ten degrees of freedom it has its bootstrap interval, otherwise that of normal values.
    """
    values = np.atleast_2d(np.asarray(values, dtype=float))
    found = bootstrap(pooled_deviation, values)
    n = int((~np.isnan(values)).sum())
    freedom = n - len(values)
    if not 0 < freedom < FEW or found.n <= 1:
        return found
    low, high = (float(found.value * np.sqrt(freedom / chdtri(freedom, tail))) for tail in TAILS)
    return replace(found, low=low, high=high)


def difference(first: npt.ArrayLike, second: npt.ArrayLike, of: Callable | None = None) -> Estimate:
    """Estimate first minus second over paired runs (m,): of means (Student), or of a statistic (bootstrap).

    The statistic `of` is a function, such as numpy.nanmedian, that takes an array and an ``axis`` and ignores
    NaN. Different shapes, or no run, raise a ValueError.

    >>> f"{difference([3.0, 4.0, 5.0], [1.0, 2.0, 3.5]):.2f}"
    '1.83 (1.12 to 2.55)'
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape:
        raise ValueError(f"expected paired runs of the same shape, got {first.shape} and {second.shape}")
    if of is None:
        with np.errstate(invalid="ignore"):  # inf - inf
            return mean(first - second)
    return bootstrap(lambda a, b: of(a, axis=-1) - of(b, axis=-1), first, second)


def unpaired_difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Estimate:
    """Estimate the mean of runs `first` (m,) minus that of independent runs `second` (k,).

    The estimate is exact if neither sample varies, up to rounding.

    >>> f"{unpaired_difference([1.0, 1.0], [0.25, 0.25, 0.25]):.2f}"
    '0.75'
    """
    first, second = without_rounding(first), without_rounding(second)
    if np.ptp(first) == 0 and np.ptp(second) == 0:
        value = float(first[0] - second[0])
        return Estimate(value, value, value, min(len(first), len(second)))
    return bootstrap(lambda a, b: a.mean(axis=-1) - b.mean(axis=-1), first, second)


def without_rounding(values: npt.ArrayLike) -> np.ndarray:
    """Return the runs (m,), all set to the first one if they differ only by rounding."""
    values = np.asarray(values, dtype=float)
    return np.full_like(values, values[0]) if len(values) and np.ptp(values) < 1e-12 else values


def count_above(estimates: Mapping[Any, Estimate], bound: float = 0.0) -> Estimate:
    """Count the estimates above a bound; there must be at least one estimate.

    The lower end counts the intervals that are wholly above the bound, the upper end those that are partly
    above it.
    """
    found = estimates.values()
    counts = [sum(getattr(e, end) > bound for e in found) for end in ("value", "low", "high")]
    return Estimate(*map(float, counts), min(e.n for e in found))


def ratio(first: npt.ArrayLike, second: npt.ArrayLike, of: Callable = np.nanmedian) -> Estimate:
    """Estimate the ratio of the medians of two samples, or of another statistic, with its bootstrap interval.

    Runs (m,) of the same shape are paired, others independent. The statistic is that of `difference`.
    """
    return bootstrap(lambda a, b: of(a, axis=-1) / of(b, axis=-1), first, second)


def slope(x: npt.ArrayLike, values: npt.ArrayLike) -> Estimate:
    """Estimate the exponent of growth: the least-squares slope of log median value against log x.

    `x` (s,) are positive numbers, `values` (s, m) the runs at each.
    """
    return bootstrap(lambda v: log_log_slope(x, v), values)


def difference_of_slopes(x: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike) -> Estimate:
    """Estimate the `slope` of `first` minus that of `second` over paired runs, (s, m) each."""
    return bootstrap(lambda a, b: log_log_slope(x, a) - log_log_slope(x, b), first, second)


def pooled_deviation(values: np.ndarray) -> np.ndarray:
    """Compute the root of the mean over rows of the variance over runs. (..., s, m) -> (...)."""
    return np.sqrt(np.nanvar(values, axis=-1, ddof=1).mean(axis=-1))


_mean = partial(np.mean, axis=-1)


def log_log_slope(x: npt.ArrayLike, values: np.ndarray) -> np.ndarray:
    """Compute the least-squares slopes of log median value against log x. (..., s, m) -> (...)."""
    log_x = np.log(np.asarray(x, dtype=float))
    log_x -= log_x.mean()
    return np.log(np.nanmedian(values, axis=-1)) @ log_x / (log_x @ log_x)


def bootstrap(statistic: Callable, *samples: npt.ArrayLike) -> Estimate:
    """Estimate a statistic of one or more samples, with the percentile interval over resamples of the runs.

    Parameters
    ----------
    statistic : callable
        Function of arrays (..., m) or (..., s, m), whose last axis has the runs; it ignores NaN and returns
        numbers (...).
    *samples : (m,) or (s, m) arrays
        Runs are drawn with replacement, for each row separately. Samples of the same shape are paired: they
        have the same draws. NaN marks a failed run; runs that failed in all paired samples are not drawn.

    Returns
    -------
    Estimate
        The statistic of the samples.

    Raises
    ------
    ValueError
        If a sample has no run, or only NaN.

    Notes
    -----
    A resample without a value (inf / inf) counts against both ends of the interval.
    """
    arrays = [np.atleast_1d(np.asarray(sample, dtype=float)) for sample in samples]
    for values in arrays:
        _runs(values)
    n = min(int((~np.isnan(values)).sum(axis=-1).min()) for values in arrays)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # undefined values are NaN
        value = float(statistic(*arrays))
        if n <= 1:
            return Estimate(value, -np.inf, np.inf, n)
        draws = np.sort(statistic(*_resampled(arrays)))  # NaN last
    undefined = int(np.isnan(draws).sum())
    low, high = (round(tail * (RESAMPLES - 1)) for tail in TAILS)
    return Estimate(
        value,
        float(draws[low - undefined]) if low >= undefined else -np.inf,
        float(draws[high]) if high < RESAMPLES - undefined else np.inf,
        n,
        statistic,
        (arrays[0][~np.isnan(arrays[0])],) if len(arrays) == arrays[0].ndim == 1 else tuple(arrays),
    )


def _resampled(arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Draw runs with replacement, (RESAMPLES, ..., m) each; arrays of one shape get the same draws."""
    rng, draws = np.random.default_rng(0), {}
    for shape in dict.fromkeys(values.shape for values in arrays):
        failed = np.all([np.isnan(values) for values in arrays if values.shape == shape], axis=0)
        order = np.argsort(failed, axis=-1, kind="stable")  # failed runs are last, and not drawn
        places = rng.random((RESAMPLES, *shape)) * (~failed).sum(axis=-1, keepdims=True)
        everywhere = np.broadcast_to(order, places.shape)
        draws[shape] = np.take_along_axis(everywhere, places.astype(np.intp), axis=-1)
    return [
        np.take_along_axis(np.broadcast_to(values, draws[values.shape].shape), draws[values.shape], axis=-1)
        for values in arrays
    ]


def _runs(values: npt.ArrayLike) -> np.ndarray:
    """Return the runs that did not fail, in one row."""
    values = np.asarray(values, dtype=float).ravel()
    values = values[~np.isnan(values)]
    if len(values) == 0:
        raise ValueError("expected at least one run, got none")
    return values
