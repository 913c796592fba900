"""Whether numbers fall apart in two: a valley between two groups, which no single group has."""

import numpy as np
from scipy.stats import binom

LEAST_DISTINCT = 10  # values; fewer leave gaps that are no valleys
SURELY = 1e-3  # chance of so deep a valley in one group, at most


def fall_apart(values: np.ndarray, least: int) -> np.ndarray | None:
    """Divide numbers where they have a deep valley.

    Two groups are found that differ least within, in squares. In three windows of equal width, around the two
    medians and half-way between them, numbers with a single mode lie half-way at least as often as in the
    emptier of the others. So they do within the limits of chance unless the sign test says that they do not.

    Parameters
    ----------
    values : (m,) array
        Without NaN.
    least : int
        Smallest size of a group.

    Returns
    -------
    (m,) bool array or None
        The upper group, or None if there is no valley. O(m log m).
    """
    ordered = np.sort(values)
    m = len(ordered)
    if m < 2 * least or len(np.unique(ordered)) < LEAST_DISTINCT:
        return None
    sizes, sums = np.arange(least, m - least + 1), np.cumsum(ordered)
    lower, upper = sums[sizes - 1] / sizes, (sums[-1] - sums[sizes - 1]) / (m - sizes)
    size = sizes[np.argmax(sizes * (m - sizes) * (upper - lower) ** 2)]
    low, high = np.median(ordered[:size]), np.median(ordered[size:])
    if not low < high:
        return None
    centres = np.array([low, (low + high) / 2, high])[:, None]
    around_low, half_way, around_high = (np.abs(ordered - centres) <= (high - low) / 6).sum(axis=1)
    peak = min(around_low, around_high)
    if binom.cdf(half_way, half_way + peak, 0.5) > SURELY:
        return None
    return values >= ordered[size]
