"""Precision, recall and Rand index of a credal partition against true classes, from decided pairs [zhou2015].

=========================  =============================================================================
`evidential_precision`     share of the pairs assigned to one cluster that are in one class
`evidential_recall`        share of the pairs in one class that are assigned to one cluster
`evidential_rand`          share of all pairs that are decided correctly
=========================  =============================================================================
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.metrics.credal import read_labels


def evidential_precision(y_true: ArrayLike, partition: CredalPartition | ArrayLike) -> float:
    """Compute the share of the pairs assigned to one cluster that are in one class.

    An object is assigned to a cluster if the set of its largest mass is that cluster alone. Objects whose set
    is imprecise or empty are in no such pair: imprecision lowers recall, and errors lower precision
    [zhou2015]. The formulas are taken from the literature and are unverified.

    Parameters
    ----------
    y_true : array of shape (n,)
        Classes.
    partition : CredalPartition, or array of shape (n,) of labels
        Partition of the same n objects; labels mean a hard partition.

    Returns
    -------
    float
        In [0, 1]; the precision of pairs for a hard partition. 1 if no pair is assigned to one cluster.

    Raises
    ------
    ValueError
        If the numbers of objects differ.

    See Also
    --------
    evidential_recall : Share of the pairs in one class that are found.
    evidential_rand : Share of all pairs that are decided correctly.

    Notes
    -----
    O(n f + n log n). The sets of largest mass are those of ``partition.hard_credal()``.

    References
    ----------
    [zhou2015]

    Examples
    --------
    The last object may be in either cluster: two of three pairs remain undecided.

    >>> from credalbench.belief import FocalSets
    >>> unsure = CredalPartition([[1, 0, 0], [1, 0, 0], [0, 0, 1]], FocalSets.simple(2, empty=False))
    >>> [score([0, 0, 0], unsure) for score in (evidential_precision, evidential_recall)]
    [1.0, 0.3333333333333333]
    """
    pairs = _decided_pairs(y_true, partition)
    return pairs.rightly_together / pairs.together if pairs.together else 1.0


def evidential_recall(y_true: ArrayLike, partition: CredalPartition | ArrayLike) -> float:
    """Compute the share of the pairs in one class that a credal partition assigns to one cluster.

    Parameters
    ----------
    y_true : array of shape (n,)
        Classes.
    partition : CredalPartition, or array of shape (n,) of labels
        Partition of the same n objects; labels mean a hard partition.

    Returns
    -------
    float
        In [0, 1]; the recall of pairs for a hard partition. 1 if no class has two objects.

    Raises
    ------
    ValueError
        If the numbers of objects differ.

    References
    ----------
    [zhou2015]

    Examples
    --------
    >>> round(evidential_recall([0, 0, 0, 1], [0, 0, 1, 1]), 2)
    0.33
    """
    pairs = _decided_pairs(y_true, partition)
    return pairs.rightly_together / pairs.in_one_class if pairs.in_one_class else 1.0


def evidential_rand(y_true: ArrayLike, partition: CredalPartition | ArrayLike) -> float:
    """Compute the share of all pairs that a credal partition decides correctly.

    A decision is correct if both objects are in one cluster and one class, or in two clusters and two
    classes.

    Parameters
    ----------
    y_true : array of shape (n,)
        Classes.
    partition : CredalPartition, or array of shape (n,) of labels
        Partition of the same n objects; labels mean a hard partition.

    Returns
    -------
    float
        In [0, 1]; the Rand index for a hard partition, 0 if no object is assigned to a cluster, 1 if there is
        no pair (n = 1).

    Raises
    ------
    ValueError
        If the numbers of objects differ.

    References
    ----------
    [zhou2015]

    Examples
    --------
    >>> evidential_rand([0, 0, 1, 1], [0, 0, 0, 1])
    0.5
    """
    pairs = _decided_pairs(y_true, partition)
    return (pairs.rightly_together + pairs.rightly_apart) / pairs.number if pairs.number else 1.0


class DecidedPairs(NamedTuple):
    """Numbers of pairs: all, in one class, in one cluster, in both, in two clusters and two classes."""

    number: int
    in_one_class: int
    together: int
    rightly_together: int
    rightly_apart: int


def _decided_pairs(y_true: ArrayLike, partition: CredalPartition | ArrayLike) -> DecidedPairs:
    if isinstance(partition, CredalPartition):
        clusters = partition.hard_credal()
        decided = partition.focal_sets.cardinality[clusters] == 1
    else:
        clusters, decided = partition, slice(None)
    y, clusters = read_labels(y_true), read_labels(clusters)
    if y.size != clusters.size:
        raise ValueError(f"expected classes of the same objects, got {y.size} for {clusters.size}")
    both = y * (clusters.max() + 1) + clusters
    right, together, alike = (_pairs_of_equals(of[decided]) for of in (both, clusters, y))
    apart = _pairs(y[decided].size) - together
    return DecidedPairs(_pairs(y.size), _pairs_of_equals(y), together, right, apart - (alike - right))


def _pairs_of_equals(labels: np.ndarray) -> int:
    return int(_pairs(np.unique(labels, return_counts=True)[1]).sum())


def _pairs(count: int | np.ndarray) -> int | np.ndarray:
    return count * (count - 1) // 2
