"""Elbow of an objective: where it stops decreasing fast with the number of clusters.

An objective decreases with every cluster, and without structure in the data about as a power of c. On
logarithmic axes, a power of c is a straight line; we draw it through the two ends of the range. The elbow of
a number of clusters is the distance of the curve below that line, as a share of the total decrease of the
objective. This is the distance of [satopaa2011], who use linear axes.
"""

from collections.abc import Mapping

import numpy as np

FLOOR = 1e-9  # smallest objective, as a share of the largest, so that an exact fit has a logarithm
LEAST = 1e-9  # smaller elbows are rounding errors
AT_AN_END = "an elbow needs a smaller and a larger number of clusters"


def elbows(objectives: Mapping[int, float]) -> dict[int, tuple[float, str]]:
    """Compute the elbow of each number of clusters, or the reason why there is none.

    Parameters
    ----------
    objectives : mapping
        Number of clusters -> minimised objective, at least 0; NaN if there is no fit.

    Returns
    -------
    dict
        Number of clusters -> value in (-inf, 1) and an empty text, or NaN and a reason. The value is positive
        if the curve lies below the line between its ends. The ends have no value. If the curve is nowhere
        below that line or does not decrease, there are no values at all.

    Examples
    --------
    >>> {c: round(value, 2) for c, (value, _) in elbows({1: 8.0, 2: 4.0, 3: 1.0, 4: 0.8}).items()}
    {1: nan, 2: -0.2, 3: 0.11, 4: nan}
    """
    known = sorted(c for c, value in objectives.items() if value >= 0)  # NaN is not
    found = dict.fromkeys(objectives, (np.nan, "there is no objective of at least 0"))
    found |= {c: (np.nan, AT_AN_END) for c in known}
    if len(known) < 3:
        return found
    heights, reason = _below_the_line(known, [objectives[c] for c in known])
    return found | {c: (height, reason) for c, height in zip(known[1:-1], heights[1:-1])}


def _below_the_line(numbers: list[int], objectives: list[float]) -> tuple[list[float], str]:
    """Return distances (numbers,) of the curve below the line between its ends, or NaN, and the reason.

    Both axes are scaled to [0, 1].
    """
    nothing = [np.nan] * len(numbers)
    x, largest = np.log(numbers), max(objectives)
    if largest == 0:
        return nothing, "the objective is 0 everywhere"
    y = np.log(np.maximum(objectives, FLOOR * largest))
    fall = y[0] - y[-1]
    if fall <= 0:
        return nothing, "the objective does not decrease from the first to the last number of clusters"
    heights = (y[0] - y) / fall - (x - x[0]) / (x[-1] - x[0])
    if heights[1:-1].max() < LEAST:
        return nothing, "the objective has no elbow: it is never below the line between its ends"
    return heights.tolist(), ""
