"""Numbers of clusters: those of one partition after those of others, and a partition under new numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from .focal import FocalSets
from .partition import CredalPartition


def match_clusters(partition: CredalPartition, references: Sequence[CredalPartition]) -> np.ndarray:
    """Numbers for the clusters so that they agree as well as possible with those of other partitions.

    Parameters
    ----------
    partition : CredalPartition
    references : sequence of CredalPartition
        Of the same n objects; the numbers of clusters may differ. Their agreements are added.

    Returns
    -------
    ndarray of int, shape (c,)
        A permutation: cluster k gets number ``numbers[k]``. The overlap of two clusters is the sum over the
        objects of the products of their plausibilities; the sum of overlaps is largest. O(n c c' + c^3).
    """
    c = partition.n_clusters
    overlap = np.zeros((c, c))
    for reference in references:
        shared = min(c, reference.n_clusters)
        overlap[:, :shared] += (partition.contour.T @ reference.contour)[:, :shared]
    return linear_sum_assignment(overlap, maximize=True)[1]


def renumber_clusters(partition: CredalPartition, numbers: ArrayLike) -> CredalPartition:
    """Return the credal partition with its cluster k called ``numbers[k]``, focal sets in canonical order.

    Parameters
    ----------
    partition : CredalPartition
    numbers : (c,) int array
        A permutation of 0, ..., c - 1, as `match_clusters` gives it.

    Notes
    -----
    O(n f). The names of the objects stay.
    """
    renamed = [sorted(int(numbers[k]) for k in members) for members in partition.focal_sets.sets]
    order = sorted(range(len(renamed)), key=lambda k: (len(renamed[k]), renamed[k]))  # as in the families
    focal_sets = FocalSets.from_sets(partition.n_clusters, [renamed[k] for k in order])
    return CredalPartition(partition.masses[:, order], focal_sets, partition.index)
