"""Statistics of studies that do not speak the language of claims yet; see `credalbench.intervals`."""

import numpy as np
from scipy.stats import t as student

from credalbench.runner import EXPECTATION, case_rng

RESAMPLES = 2000
OURS = EXPECTATION


def ratio_of_medians(slow, fast) -> tuple[float, float, float]:
    """median(slow) / median(fast) with its 95 % bootstrap interval over pairs: ratio, low, high."""
    slow, fast = np.asarray(slow), np.asarray(fast)
    draws = case_rng(0, "bootstrap").integers(len(slow), size=(RESAMPLES, len(slow)))
    ratios = np.median(slow[draws], axis=1) / np.median(fast[draws], axis=1)
    return float(np.median(slow) / np.median(fast)), *map(
        float, np.quantile(ratios, [0.025, 0.975], method="nearest")
    )


def mean_with_interval(values):
    """Mean and its 95 % confidence interval (Student): (m,) -> mean, low, high; one value has no interval."""
    values = np.asarray(values, dtype=float)
    if len(values) == 1:
        return values[0], np.nan, np.nan
    reach = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return values.mean(), values.mean() - reach, values.mean() + reach


def slope(sizes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Least-squares slope of log median value against log n; (s,), (..., s, m) -> (...)."""
    x = np.log(sizes) - np.log(sizes).mean()
    return np.log(np.nanmedian(values, axis=-1)) @ x / (x @ x)


def resampled(values: np.ndarray) -> np.ndarray:
    """Bootstrap over the data sets that did not fail, for each n apart: (s, m) -> (resamples, s, m)."""
    order = np.argsort(np.isnan(values), axis=1, kind="stable")
    finite = np.take_along_axis(values, order, axis=1)
    uniform = case_rng(0, "bootstrap").random((RESAMPLES, *values.shape))
    draws = (uniform * np.isfinite(values).sum(axis=1, keepdims=True)).astype(np.intp)
    return np.take_along_axis(np.broadcast_to(finite, draws.shape), draws, axis=-1)


def with_interval(value: float, draws: np.ndarray, digits: int = 2) -> str:
    """A value with the 95 % interval of its bootstrap draws, in words."""
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
