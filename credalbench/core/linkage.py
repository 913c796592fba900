"""Trees of linkages: which objects to leave out first, and the clusters that a tree is cut into."""

import numpy as np
from scipy.cluster.hierarchy import fcluster

NEIGHBOUR = 5  # an object is far if this neighbour is
FAR_IQR = 6.0  # interquartile ranges beyond the third quartile of these distances
FAR_SHARE = 0.1  # of the objects; more are no outliers


def far_by_neighbour(apart: np.ndarray) -> np.ndarray:
    """Return which objects are far from all others: none, if that would be more than a tenth.

    Parameters
    ----------
    apart : (n,) array
        Dissimilarity of each object to its neighbour number `NEIGHBOUR`.

    Returns
    -------
    (n,) bool array
    """
    low, high = np.quantile(apart, [0.25, 0.75])
    far = apart > high + FAR_IQR * max(high - low, high / FAR_IQR)
    return far & (far.mean() <= FAR_SHARE)


def cut(tree: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return the clusters that are left before the last merges, exactly so many, also where heights tie.

    Parameters
    ----------
    tree : (n - 1, 4) array
        As of `scipy.cluster.hierarchy.linkage`.
    n_clusters : int
        Between 1 and n.

    Returns
    -------
    (n,) int array
        Labels from 0, all of them in use. O(n).
    """
    ordered = tree.copy()
    ordered[:, 2] = np.arange(len(tree))  # heights may tie, their order does not
    return fcluster(ordered, len(tree) + 0.5 - n_clusters, "distance") - 1
