"""Colours of clusters, when classes are known or there are more clusters than colours."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from credalbench.plots import style


def match_colours(labels: np.ndarray, y: np.ndarray, n_clusters: int) -> np.ndarray:
    """Choose a colour number for each cluster so that it agrees with the class it overlaps most.

    Parameters
    ----------
    labels, y : ndarray of int, shape (n,)
        Clusters 0..c-1 and true classes 0..g-1.
    n_clusters : int

    Returns
    -------
    ndarray of int, shape (c,)
        One-to-one: the class number where a class was matched, an unused number elsewhere.
    """
    n_classes = int(y.max()) + 1
    overlap = np.zeros((n_clusters, n_classes))
    np.add.at(overlap, (labels, y), 1)
    clusters, classes = linear_sum_assignment(overlap, maximize=True)
    numbers = np.full(n_clusters, -1)
    numbers[clusters] = classes
    numbers[numbers < 0] = n_classes + np.arange((numbers < 0).sum())
    return numbers


def distinct_colours(places: ArrayLike) -> np.ndarray:
    """Choose colour numbers so that clusters of one colour lie far apart, where colours must repeat.

    Parameters
    ----------
    places : array_like of shape (c, 2)
        Where the clusters lie on the map.

    Returns
    -------
    ndarray of int, shape (c,)
        0, 1, ... as far as there are colours; then, cluster by cluster, the one whose nearest cluster is
        farthest.
    """
    places = np.asarray(places, dtype=float).reshape(-1, 2)
    n_colours = len(style.PALETTE)
    numbers = np.arange(len(places))
    for k in range(n_colours, len(places)):
        distances = np.linalg.norm(places[:k] - places[k], axis=1)
        numbers[k] = max(range(n_colours), key=lambda number: distances[numbers[:k] == number].min())
    return numbers
