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
