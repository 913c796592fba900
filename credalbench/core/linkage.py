"""Trees of linkages: outlying objects to leave out first, and the clusters of a cut."""

import numpy as np
from scipy.cluster.hierarchy import fcluster

NEIGHBOUR = 5  # an object is far if its neighbour of this rank is far
FAR_IQR = 6.0  # interquartile ranges beyond the third quartile of these distances
FAR_SHARE = 0.1  # of the objects; if more are far, none is an outlier


def far_by_neighbour(apart: np.ndarray) -> np.ndarray:
    """Return whether each object is far from all others, (n,); none is if more than a tenth would be.

    `apart` (n,) is the dissimilarity of each object to its neighbour number `NEIGHBOUR`. If most objects are
    repeated and more than a tenth are not, these are compared with each other.
    """
    far = apart > _fence(apart)
    if far.mean() > FAR_SHARE and np.quantile(apart, 0.75) == 0:
        far = apart > _fence(apart[far])
    return far & (far.mean() <= FAR_SHARE)


def _fence(values: np.ndarray):
    low, high = np.quantile(values, [0.25, 0.75])
    return high + FAR_IQR * max(high - low, high / FAR_IQR)


def cut(tree: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return the labels (n,) of exactly `n_clusters` clusters, 1 to n, by undoing the last merges; O(n).

    The `tree` (n - 1, 4) is that of `scipy.cluster.hierarchy.linkage`; its heights may tie. Labels are
    counted from 0, and all are in use.
    """
    ordered = tree.copy()
    ordered[:, 2] = np.arange(len(tree))  # heights may tie, but not their order
    return fcluster(ordered, len(tree) + 0.5 - n_clusters, "distance") - 1
