"""Agreement between two partitions of the same objects.

Labels may be any integers or strings: only which objects share a label counts. `credal_rand` compares soft
partitions through their pairwise (relational) representation; the two numbers of clusters may differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, rand_score
from sklearn.metrics.cluster import contingency_matrix

from credalbench.belief import CredalPartition
from credalbench.belief.relational import relational_block

if TYPE_CHECKING:
    from credalbench.belief import RelationalMasses

BLOCK = 2**18  # pairs of objects compared at a time: a few arrays of two megabytes
CREDAL_RAND_KINDS = ("jousselme", "belief", "conflict")


# ---------------------------------------------------------------------- hard partitions


def adjusted_rand(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Adjusted Rand index (Hubert and Arabie). Two (n,) label arrays -> at most 1; 0 expected by chance.

    [jiao2022_egmm (36)].
    """
    return float(adjusted_rand_score(*_labels(y_true, y_pred)))


def rand_index(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Fraction of the n(n-1)/2 pairs on which both partitions agree (same or different), in [0, 1].

    [antoine2012_cecm (43)].
    """
    return float(rand_score(*_labels(y_true, y_pred)))


def nmi(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mutual information divided by the arithmetic mean of both entropies, in [0, 1].

    [jiao2022_egmm (35)]; the paper's normaliser is lost, this one is that of the book it cites.
    """
    return float(normalized_mutual_info_score(*_labels(y_true, y_pred), average_method="arithmetic"))


def purity(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Fraction of objects that belong to the majority class of their cluster, in (0, 1].

    [jiao2022_egmm (34)]. Grows with the number of clusters; not symmetric.
    """
    table = contingency_matrix(*_labels(y_true, y_pred))
    return float(table.max(axis=0).sum() / table.sum())


def misclassified(y_true: ArrayLike, y_pred: ArrayLike) -> int:
    """Number of objects left wrong by the best one-to-one matching of clusters with classes.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Classes and clusters; their numbers may differ, the clusters without a class then count as wrong.

    Returns
    -------
    int in 0..n-1

    Examples
    --------
    >>> misclassified([0, 0, 1, 1, 1], [2, 2, 2, 5, 5])
    1
    """
    table = contingency_matrix(*_labels(y_true, y_pred))
    rows, columns = linear_sum_assignment(table, maximize=True)
    return int(table.sum() - table[rows, columns].sum())


def accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """1 - misclassified / n: fraction of objects right under the best one-to-one matching, in (0, 1]."""
    n = len(y_true)
    return (n - misclassified(y_true, y_pred)) / n


def _labels(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    first, second = np.asarray(y_true), np.asarray(y_pred)
    for y in (first, second):
        if y.ndim != 1 or y.size == 0:
            raise ValueError(f"expected labels of shape (n,) with n >= 1, got shape {y.shape}")
    if first.size != second.size:
        raise ValueError(f"expected two partitions of the same objects, got {first.size} and {second.size}")
    return first, second


# ---------------------------------------------------------------------- credal partitions


def credal_rand(
    P: CredalPartition | ArrayLike, Q: CredalPartition | ArrayLike, kind: str = "jousselme"
) -> float:
    r"""Credal Rand index of two credal partitions [li2020_ensemble (10)] [li2020_ensemble (18)].

    .. math:: \rho(P, Q) = 1 - \frac{2}{n(n-1)} \sum_{i<j} d(m_{ij}, m'_{ij})

    where m_ij and m'_ij say whether objects i and j share their cluster (the relational representations).

    Parameters
    ----------
    P, Q : CredalPartition, or arrays of shape (n,) of labels
        Partitions of the same n objects; numbers of clusters and focal sets may differ. Labels stand for
        a hard partition.
    kind : {"jousselme", "belief", "conflict"}
        The distance d: Jousselme's (the index of the ensemble paper); half the sum of absolute differences
        of the beliefs of {s}, {not s} and Theta; or the degree of conflict, which is no distance (the index
        of P with itself may be below 1).

    Returns
    -------
    float in [0, 1]
        For two hard partitions all three kinds are the Rand index. 1 when there is no pair (n = 1).

    Raises
    ------
    ValueError
        The numbers of objects differ or the kind is unknown.

    Notes
    -----
    O(n^2 f) time; pairs are taken block by block, so memory stays at some tens of megabytes for any n.
    Minimising a sum of squared distances, equation (19) of that paper, does not maximise this index.

    References
    ----------
    li2020_ensemble
    """
    distances = {"jousselme": _jousselme, "belief": _belief_distance, "conflict": _conflict}
    if kind not in distances:
        raise ValueError(f"expected a kind out of {CREDAL_RAND_KINDS}, got {kind!r}")
    P, Q = _as_credal(P), _as_credal(Q)
    n = P.n_objects
    if n != Q.n_objects:
        raise ValueError(f"expected two partitions of the same objects, got {n} and {Q.n_objects}")
    if n == 1:
        return 1.0
    total, step = 0.0, max(1, BLOCK // n)
    for start in range(0, n - 1, step):
        first, second = (
            relational_block(R.masses[start : start + step], R.masses[start:], R.focal_sets) for R in (P, Q)
        )
        total += np.triu(distances[kind](first, second), k=1).sum()  # pairs i < j only
    return float(1.0 - total / (n * (n - 1) / 2))


def _as_credal(partition: CredalPartition | ArrayLike) -> CredalPartition:
    if isinstance(partition, CredalPartition):
        return partition
    labels = np.asarray(partition)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(f"expected a CredalPartition or labels of shape (n,), got shape {labels.shape}")
    return CredalPartition.from_labels(np.unique(labels, return_inverse=True)[1])


def _jousselme(first: RelationalMasses, second: RelationalMasses) -> np.ndarray:
    """sqrt(d' J d / 2) per pair, with J of [li2020_ensemble (11)] and the empty set added."""
    e, s, d, t = (a - b for a, b in zip(first, second))
    square = e * e + s * s + d * d + t * t + t * (s + d)  # J has 1/2 between Theta and either singleton
    return np.sqrt(np.maximum(square, 0.0) / 2)


def _belief_distance(first: RelationalMasses, second: RelationalMasses) -> np.ndarray:
    """Half the sum of the absolute differences of Bel({s}), Bel({not s}) and Bel(Theta), per pair."""
    _, s, d, t = (a - b for a, b in zip(first, second))
    return (np.abs(s) + np.abs(d) + np.abs(s + d + t)) / 2


def _conflict(first: RelationalMasses, second: RelationalMasses) -> np.ndarray:
    """Degree of conflict of both relational masses per pair."""
    e1, s1, d1, _ = first
    e2, s2, d2, _ = second
    return e1 + e2 - e1 * e2 + s1 * d2 + d1 * s2
