"""The nearest objects of each object, found once."""

from __future__ import annotations

import numpy as np

#: As many nearest objects are named.
NEAREST = 3


def nearest_by_dissimilarity(D: np.ndarray, count: int = NEAREST) -> np.ndarray:
    """Return the `count` nearest other objects of each, nearest first: (n, count). O(n²)."""
    count = min(count, len(D) - 1)
    D = D.astype(float)
    np.fill_diagonal(D, np.inf)
    near = np.sort(np.argpartition(D, count - 1, axis=1)[:, :count], axis=1)
    order = np.take_along_axis(D, near, axis=1).argsort(axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1).astype(np.int32)
