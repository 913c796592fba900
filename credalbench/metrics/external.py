"""Agreement between labels and classes of the same objects.

Labels may be of any kind, but not missing; scores depend only on which objects have the same label. For
credal partitions see ``credal.py`` and ``evidential.py``.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, rand_score
from sklearn.metrics.cluster import contingency_matrix

from credalbench.metrics.credal import read_labels


def adjusted_rand(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Compute the adjusted Rand index (Hubert and Arabie) [jiao2022_egmm (36)].

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Labels of the same objects.

    Returns
    -------
    float
        At most 1; 0 is the expectation by chance.

    Examples
    --------
    >>> adjusted_rand([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    """
    return float(adjusted_rand_score(*_labels(y_true, y_pred)))


def rand_index(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Compute the share of the n(n-1)/2 pairs on which both partitions agree [antoine2012_cecm (43)].

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Labels of the same objects.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> round(rand_index([0, 0, 1], [0, 1, 1]), 2)
    0.33
    """
    return float(rand_score(*_labels(y_true, y_pred)))


def nmi(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Compute the mutual information divided by the mean of both entropies [jiao2022_egmm (35)].

    The paper does not state by which mean it divides; the arithmetic mean is that of the book that it cites.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Labels of the same objects.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> nmi([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return float(normalized_mutual_info_score(*_labels(y_true, y_pred), average_method="arithmetic"))


def purity(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Compute the share of objects in the majority class of their cluster [jiao2022_egmm (34)].

    It grows with the number of clusters and is not symmetric.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Classes and clusters.

    Returns
    -------
    float
        In (0, 1].

    Examples
    --------
    >>> purity([0, 0, 1, 1], [0, 0, 0, 1])
    0.75
    """
    table = contingency_matrix(*_labels(y_true, y_pred))
    return float(table.max(axis=0).sum() / table.sum())


def misclassified(y_true: ArrayLike, y_pred: ArrayLike) -> int:
    """Count the objects that are wrong under the best one-to-one matching of clusters with classes.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Classes and clusters. Their numbers may differ; objects of clusters without a class count as wrong.

    Returns
    -------
    int
        In 0..n-1.

    Examples
    --------
    >>> misclassified([0, 0, 1, 1, 1], [2, 2, 2, 5, 5])
    1
    """
    table = contingency_matrix(*_labels(y_true, y_pred))
    rows, columns = linear_sum_assignment(table, maximize=True)
    return int(table.sum() - table[rows, columns].sum())


def accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Compute the share of objects that are right under the best one-to-one matching, 1 - misclassified / n.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n,)
        Classes and clusters.

    Returns
    -------
    float
        In (0, 1].

    Examples
    --------
    >>> accuracy([0, 0, 1, 1, 1], [2, 2, 2, 5, 5])
    0.8
    """
    wrong = misclassified(y_true, y_pred)
    return (len(y_true) - wrong) / len(y_true)


def _labels(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    first, second = read_labels(y_true), read_labels(y_pred)
    if first.size != second.size:
        raise ValueError(f"expected two partitions of the same objects, got {first.size} and {second.size}")
    return first, second
