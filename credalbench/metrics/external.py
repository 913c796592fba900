"""Agreement between two partitions of the same objects.

Labels may be any integers or strings: only which objects share a label counts. Credal partitions are compared
in `credal`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, rand_score
from sklearn.metrics.cluster import contingency_matrix


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
