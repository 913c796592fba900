"""Pairs of objects: all of them, or a fixed sample where there are too many to be looked at."""

from __future__ import annotations

import numpy as np


def some_pairs(n: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs i < j of n objects, at most so many: two arrays (m,), in the order of i, then j.

    The same ones at each call. O(n + m) memory, and 4 n² bytes where they are drawn.
    """
    count = n * (n - 1) // 2
    if count <= most:
        return np.triu_indices(n, 1)
    chosen = np.sort(np.random.default_rng(0).choice(count, most, replace=False))
    firsts = np.cumsum(np.arange(n, 1, -1)) - n  # of each row i, the number of the pair (i, i + 1)
    rows = np.searchsorted(firsts, chosen, "right") - 1
    return rows, chosen - firsts[rows] + rows + 1
