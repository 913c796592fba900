"""Numbers of clusters: match them with the clusters of other partitions, and renumber a partition."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from credalbench.core.arguments import as_floats, expect, expect_instance

from .focal import FocalSets
from .partition import CredalPartition


def match_clusters(partition: CredalPartition, references: Sequence[CredalPartition]) -> np.ndarray:
    """Return numbers of clusters that agree as well as possible with other partitions.

    Parameters
    ----------
    partition : CredalPartition
        Partition whose c clusters are numbered.
    references : sequence of CredalPartition
        Partitions of the same n objects, with any numbers of clusters c'. Their overlaps are added.

    Returns
    -------
    int array of shape (c,)
        A permutation: cluster k gets number ``numbers[k]``. It maximises the sum of overlaps; the overlap of
        two clusters is the sum over the objects of the products of their plausibilities.

    Raises
    ------
    ValueError
        If an argument is not a partition, or the partitions have different objects.

    Notes
    -----
    O(n c c' + c^3).

    Examples
    --------
    >>> from credalbench.belief import CredalPartition
    >>> ours, theirs = CredalPartition.from_labels([1, 1, 0]), CredalPartition.from_labels([0, 0, 1])
    >>> match_clusters(ours, [theirs])
    array([1, 0])
    """
    expect_instance("references", references, Sequence)
    for each in (partition, *references):
        expect_instance("each partition", each, CredalPartition)
        expect(len(each) == len(partition), f"references of {len(partition)} objects", len(each))
    c = partition.n_clusters
    overlap = np.zeros((c, c))
    for reference in references:
        shared = min(c, reference.n_clusters)
        overlap[:, :shared] += (partition.contour.T @ reference.contour)[:, :shared]
    return linear_sum_assignment(overlap, maximize=True)[1]


def renumber_clusters(partition: CredalPartition, numbers: ArrayLike) -> CredalPartition:
    """Return the partition in which cluster k has the number ``numbers[k]``.

    Parameters
    ----------
    partition : CredalPartition
        Partition into c clusters.
    numbers : int array of shape (c,)
        A permutation of 0, ..., c - 1, as `match_clusters` returns it.

    Returns
    -------
    CredalPartition
        The same masses and names of objects, with focal sets in canonical order.

    Raises
    ------
    ValueError
        If `numbers` is not a permutation.

    Notes
    -----
    O(n f).

    Examples
    --------
    >>> from credalbench.belief import CredalPartition
    >>> renumber_clusters(CredalPartition.from_labels([1, 1, 0]), [1, 0]).labels()
    array([0, 0, 1])
    """
    expect_instance("partition", partition, CredalPartition)
    c = partition.n_clusters
    given = as_floats("numbers", numbers)
    expect(given.ndim == 1 and sorted(given) == [*range(c)], f"a permutation of 0..{c - 1}", numbers)
    renamed = [sorted(int(given[k]) for k in members) for members in partition.focal_sets.sets]
    order = sorted(range(len(renamed)), key=lambda k: (len(renamed[k]), renamed[k]))  # canonical order
    focal_sets = FocalSets.from_sets(c, [renamed[k] for k in order])
    return CredalPartition(partition.masses[:, order], focal_sets, partition.index)
