"""Pairs of objects: all, or a fixed sample if there are too many."""

import numpy as np


def some_pairs(n: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return at most `most` pairs i < j of n objects: two arrays (m,), sorted by i, then j.

    The sample is the same at each call. O(n + m) memory, and 4 n² bytes if pairs are sampled.
    """
    count = n * (n - 1) // 2
    if count <= most:
        return np.triu_indices(n, 1)
    chosen = np.sort(np.random.default_rng(0).choice(count, most, replace=False))
    firsts = np.cumsum(np.arange(n, 1, -1)) - n  # for each row i, the index of the pair (i, i + 1)
    rows = np.searchsorted(firsts, chosen, "right") - 1
    return rows, chosen - firsts[rows] + rows + 1
