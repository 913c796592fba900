"""The nearest objects of each object, found once."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors

#: As many nearest objects are named.
NEAREST = 3


def nearest_objects(A: np.ndarray, metric: str = "euclidean", count: int = NEAREST) -> np.ndarray:
    """Return the `count` nearest other objects of each, nearest first: (n, count), or fewer of very few.

    `A` is (n, p) attributes, of which no (n, n) matrix is made, or (n, n) dissimilarities with the metric
    "precomputed". Of objects that are as near, any.
    """
    search = NearestNeighbors(n_neighbors=min(count, len(A) - 1), metric=metric).fit(A)
    return search.kneighbors(return_distance=False).astype(np.int32)
