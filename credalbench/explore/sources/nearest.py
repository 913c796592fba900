"""Nearest neighbours of objects."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

#: Number of nearest objects shown.
NEAREST = 3


def nearest_objects(A: np.ndarray, metric: str = "euclidean", count: int = NEAREST) -> np.ndarray:
    """Return the `count` nearest other objects of each object, nearest first: (n, count), or fewer.

    `A` is (n, p) attributes, of which no (n, n) matrix is made, or (n, n) dissimilarities with the metric
    "precomputed". Ties are broken arbitrarily.
    """
    search = NearestNeighbors(n_neighbors=min(count, len(A) - 1), metric=metric).fit(A)
    return search.kneighbors(return_distance=False).astype(np.int32)
