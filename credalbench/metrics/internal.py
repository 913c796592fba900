"""Validity indices: the quality of a partition without true classes.

Use them to compare numbers of clusters. `BETTER` says whether each index is to be high or low. Memberships U
are (n, c) arrays with rows on the simplex; a hard partition has ones and zeros.

Two further indices are the methods ``CredalPartition.nonspecificity`` and
``RelationalMasses.nonspecificity``; `pairwise_nonspecificity` is the latter without an (n, n) array.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist, pdist
from scipy.special import xlogy
from sklearn.metrics import silhouette_samples

from credalbench.belief import CredalPartition
from credalbench.belief.relational import pair_matrices
from credalbench.core.arguments import LARGEST, Count, Number, as_floats, expect, expect_instance
from credalbench.core.checks import near_zero

#: Direction in which each index is better.
BETTER = {
    "partition_coefficient": "higher",
    "modified_partition_coefficient": "higher",
    "partition_entropy": "lower",
    "xie_beni": "lower",
    "fuzzy_silhouette": "higher",
    "bic": "higher",
    "nonspecificity": "lower",
    "pairwise_nonspecificity": "lower",
}
ON_THE_SIMPLEX = 1e-6  # largest error of the sum of a row, as after printing with six digits
COINCIDENT = 1e-200  # centres with a smaller squared distance coincide; a quotient by a larger one is finite


# ---------------------------------------------------------------------- fuzzy partitions


def partition_coefficient(membership: ArrayLike) -> float:
    r"""Compute the partition coefficient, :math:`PC = \frac1n \sum_{ik} u_{ik}^2` [bezdek1981].

    Parameters
    ----------
    membership : (n, c) array
        Memberships; rows on the simplex.

    Returns
    -------
    float
        In [1/c, 1]: 1 for a hard partition, 1/c if all memberships are equal. It tends to prefer few
        clusters.

    Raises
    ------
    ValueError
        If a row is off the simplex.

    Examples
    --------
    >>> partition_coefficient([[1.0, 0.0], [0.5, 0.5]])
    0.75
    """
    U = _memberships(membership)
    return float(np.sum(U**2) / len(U))


def modified_partition_coefficient(membership: ArrayLike) -> float:
    r"""Compute the partition coefficient scaled to [0, 1], :math:`1 - \frac{c}{c-1} (1 - PC)` [dave1996].

    Parameters
    ----------
    membership : (n, c) array
        Memberships; rows on the simplex, c >= 2.

    Returns
    -------
    float
        In [0, 1]: 1 for a hard partition, 0 if all memberships are equal.

    Raises
    ------
    ValueError
        If a row is off the simplex, or there are fewer than two clusters.

    Examples
    --------
    >>> modified_partition_coefficient([[1.0, 0.0], [0.5, 0.5]])
    0.5
    """
    U = _memberships(membership)
    c = _several_clusters(U)
    return float(1 - c / (c - 1) * (1 - partition_coefficient(U)))


def partition_entropy(membership: ArrayLike) -> float:
    r"""Compute the mean entropy in nats, :math:`-\frac1n \sum_{ik} u_{ik} \log u_{ik}` [bezdek1981].

    Parameters
    ----------
    membership : (n, c) array
        Memberships; rows on the simplex.

    Returns
    -------
    float
        In [0, log c]; 0 for a hard partition. It tends to prefer few clusters.

    Raises
    ------
    ValueError
        If a row is off the simplex.

    Examples
    --------
    >>> round(partition_entropy([[1.0, 0.0], [0.5, 0.5]]), 3)
    0.347
    """
    U = _memberships(membership)
    return float(-np.sum(xlogy(U, U)) / len(U) + 0.0)


def xie_beni(X: ArrayLike, membership: ArrayLike, centers: ArrayLike, m: float = 2.0) -> float:
    r"""Compute the compactness of the clusters divided by their separation [xie1991].

    .. math:: \frac{\sum_{ik} u_{ik}^m \|x_i - v_k\|^2}{n \min_{k \neq l} \|v_k - v_l\|^2}

    Parameters
    ----------
    X : (n, p) array
        Attributes.
    membership : (n, c) array
        Memberships; rows on the simplex, c >= 2.
    centers : (c, p) array
        Centres of the clusters.
    m : float, default 2.0
        Exponent of the memberships, at least 1.

    Returns
    -------
    float
        At least 0; lower is better. It tends to fall as c approaches n.

    Raises
    ------
    ValueError
        If shapes do not match, a row is off the simplex, there are fewer than two clusters, or two centres
        coincide.

    Examples
    --------
    >>> xie_beni([[0.0], [2.0], [8.0], [10.0]], [[1, 0], [1, 0], [0, 1], [0, 1]], [[1.0], [9.0]])
    0.015625
    """
    U = _memberships(membership)
    c = _several_clusters(U)
    X, V = as_floats("X", X), as_floats("centers", centers)
    expect(X.ndim == 2 and len(X) == len(U), f"X of shape ({len(U)}, p)", X.shape)
    expect(V.shape == (c, X.shape[1]), f"centers of shape ({c}, {X.shape[1]})", V.shape)
    largest = float(max(np.abs(X).max(), np.abs(V).max()))
    expect(largest <= LARGEST, f"finite X and centers up to {LARGEST:g}", largest)
    m = Number(low=1).read("m", m)
    X, origin = near_zero(X)
    V = V - origin
    separation = pdist(V, "sqeuclidean").min()
    expect(separation > COINCIDENT, "different centres", "two that coincide")
    return float(np.sum(U**m * cdist(X, V, "sqeuclidean")) / (len(U) * separation))


def fuzzy_silhouette(
    X: ArrayLike, membership: ArrayLike, alpha: float = 1.0, *, metric: str = "euclidean"
) -> float:
    r"""Compute the mean silhouette, weighted by how clear the cluster of each object is [campello2006].

    With memberships :math:`u_{i1} \geq u_{i2} \geq \dots` and silhouettes :math:`s_i` of the clusters of
    largest membership,

    .. math:: \frac{\sum_i (u_{i1} - u_{i2})^\alpha s_i}{\sum_i (u_{i1} - u_{i2})^\alpha}.

    Parameters
    ----------
    X : (n, p) array, or (n, n) array if `metric` is "precomputed"
        Attributes, or dissimilarities.
    membership : (n, c) array
        Memberships; rows on the simplex, c >= 2.
    alpha : float, default 1.0
        Exponent, at least 0; 0 gives the mean silhouette.
    metric : str, default "euclidean"
        Any metric of scikit-learn.

    Returns
    -------
    float
        In [-1, 1]; higher is better.

    Raises
    ------
    ValueError
        If a row is off the simplex, there are fewer than two clusters, all objects are in one cluster, each
        object is in its own cluster, or no object belongs more to one cluster than to the others.

    Notes
    -----
    O(n^2 p).

    Examples
    --------
    >>> round(fuzzy_silhouette([[0.0], [1.0], [9.0]], [[1, 0], [0.9, 0.1], [0, 1]]), 3)
    0.567
    """
    U = _memberships(membership)
    _several_clusters(U)
    alpha = Number(low=0).read("alpha", alpha)
    expect_instance("metric", metric, str)
    expect((np.abs(as_floats("X", X)) < LARGEST).all(), f"finite X below {LARGEST:g}", X)
    labels = U.argmax(axis=1)
    count = len(np.unique(labels))
    expect(1 < count < len(U), f"2 to n - 1 = {len(U) - 1} non-empty clusters", count)
    largest = np.partition(U, -2, axis=1)
    weights = (largest[:, -1] - largest[:, -2]) ** alpha
    expect(weights.sum() > 0, "an object that belongs more to one cluster than to the others", "none")
    return float(np.average(silhouette_samples(X, labels, metric=metric), weights=weights))


def _memberships(membership: ArrayLike) -> np.ndarray:
    """Return memberships as a float array (n, c); raise an error that names the first bad row."""
    U = as_floats("memberships", membership)
    expect(U.ndim == 2 and U.size > 0, "memberships of shape (n, c)", U.shape)
    with np.errstate(over="ignore"):  # refused below
        right = (U >= 0).all(axis=1) & (np.abs(U.sum(axis=1) - 1) <= ON_THE_SIMPLEX)
    if not right.all():
        i = int(np.argmin(right))
        raise ValueError(
            f"expected memberships of at least 0 that sum to 1, got minimum {U[i].min():.6g} and sum "
            f"{U[i].sum():.6g} in row {i}"
        )
    return U


def _several_clusters(U: np.ndarray) -> int:
    expect(U.shape[1] >= 2, "memberships in at least two clusters", U.shape[1])
    return U.shape[1]


# ---------------------------------------------------------------------- mixtures


def bic(log_likelihood: float, n_parameters: int, n_objects: int) -> float:
    r"""Compute the Bayesian information criterion [jiao2022_egmm (32)], of the form [jiao2022_egmm (31)].

    .. math:: \log L - \frac{\upsilon}{2} \log n

    With the likelihood and the parameters of an evidential mixture it is EBIC [jiao2022_egmm (33)].

    Parameters
    ----------
    log_likelihood : float
        Maximum of log L of all objects.
    n_parameters : int
        :math:`\upsilon`, the number of independent parameters.
    n_objects : int
        Number of objects n.

    Returns
    -------
    float
        To be maximised. scikit-learn's `bic` is -2 times this, to be minimised.

    Examples
    --------
    >>> round(bic(-100.0, 4, 50), 3)
    -107.824
    """
    log_likelihood = Number().read("log_likelihood", log_likelihood)
    n_parameters = Count(0).read("n_parameters", n_parameters)
    return log_likelihood - n_parameters / 2 * float(np.log(Count().read("n_objects", n_objects)))


# ---------------------------------------------------------------------- credal partitions


def pairwise_nonspecificity(partition: CredalPartition) -> float:
    r"""Compute the mean uninformative mass of all pairs of objects: on ∅ and on Theta = {s, not s}.

    .. math:: \frac{2}{n(n-1)} \sum_{i<j} m_{ij}(\emptyset) + m_{ij}(\Theta)

    with the masses of `CredalPartition.relational`. The R package evclust calls it nonspecificity.

    Parameters
    ----------
    partition : CredalPartition
        Partition of n objects.

    Returns
    -------
    float
        In [0, 1]: 0 for a hard partition and if there is no pair; 1 if all mass is on ∅ and on sets of
        several clusters that intersect.

    Notes
    -----
    O(n f + f^2): the sum over pairs is a quadratic form of the sum of all mass functions.

    Examples
    --------
    >>> pairwise_nonspecificity(CredalPartition.from_labels([0, 0, 1]))
    0.0
    """
    expect_instance("partition", partition, CredalPartition)
    M, n = partition.masses, partition.n_objects
    if n == 1:
        return 0.0
    same, different = pair_matrices(partition.focal_sets)
    known = same + different
    total = M.sum(axis=0)
    specific = total @ known @ total - np.einsum("if,if->", M @ known, M)  # twice the sum over pairs
    return float(np.clip(1 - specific / (n * (n - 1)), 0.0, 1.0))  # rounding
