r"""Barycentres, distances and the adaptive metric of ECM and CECM.

Cluster l has a prototype :math:`v_l` and a norm :math:`\|x\|^2 = x^T S_l x` with :math:`\det S_l = 1`. A
focal set A has the means of both, :math:`\bar v_A` and :math:`\bar S_A`, and
:math:`d_{iA}^2 = (x_i - \bar v_A)^T \bar S_A (x_i - \bar v_A)`. Where all :math:`S_l` are the identity, this
is the Euclidean metric, `S` = None here.

Everything that the prototypes and norms need from the objects are sums over the objects for each focal set:
of :math:`m^\beta`, of :math:`m^\beta x` and, for the norms, of :math:`m^\beta x x^T`. So the printed
(cp, np) matrix F is never formed.

Ridge
-----
Constant or collinear attributes, or too few objects, make a covariance singular, and no metric of determinant
1 minimises the objective: it tends to zero. The smallest multiple of the identity is added that brings all
eigenvalues to `RIDGE` times their mean, and the cluster is reported. Attributes whose spreads differ by more
than a factor of 1e5 look singular, too: bring them to similar units.
"""

from collections.abc import Iterator

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.prototype_step import barycentres, set_moments, solve_scaled
from credalbench.core.progress import check_cancelled
from credalbench.core.threads import room

RIDGE = 1e-10  # least eigenvalue of a covariance, as a share of the mean eigenvalue
FEW_ATTRIBUTES = 10  # up to here, adding up one after the other is the quicker way
BLOCK_ELEMENTS = 2**17  # of the differences at hand at a time: a mebibyte, what a core's cache holds

__all__ = [
    "barycentres",
    "covariances",
    "distances_by_set",
    "identity_norms",
    "norm_matrices",
    "norm_matrices_from_covariances",
    "prototypes_mahalanobis",
    "set_norm_matrices",
    "squared_distances",
]


def identity_norms(c: int, p: int) -> np.ndarray:
    """Return the Euclidean metric as norm matrices.

    Parameters
    ----------
    c : int
        Number of clusters.
    p : int
        Number of attributes.

    Returns
    -------
    (c, p, p) array
        Identities.
    """
    return np.tile(np.eye(p), (c, 1, 1))


def set_norm_matrices(S: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return the norm matrix of each non-empty focal set: the mean over its clusters.

    Computes [antoine2012_cecm (22)].

    Parameters
    ----------
    S : (c, p, p) array
        Norm matrices of the clusters.
    focal_sets : FocalSets
        Subsets of the c clusters.

    Returns
    -------
    (f', p, p) array
        One matrix per non-empty focal set, in their order.
    """
    first = int(focal_sets.has_empty)
    shares = focal_sets.membership[first:] / focal_sets.cardinality[first:, None]
    return np.tensordot(shares, S, axes=1)


def squared_distances(
    X: np.ndarray, V: np.ndarray, focal_sets: FocalSets, S: np.ndarray | None = None
) -> np.ndarray:
    """Return squared distances of the objects to the barycentres of the non-empty focal sets.

    Euclidean, [antoine2012_cecm (13)], or under the norms of the sets, [antoine2012_cecm (23)]. Computed
    from differences, so that an object on a barycentre is at distance exactly 0 and none is below.

    Parameters
    ----------
    X : (n, p) array
        Objects.
    V : (c, p) array
        Prototypes.
    focal_sets : FocalSets
        Subsets of the c clusters.
    S : (c, p, p) array, optional
        Norm matrices of the clusters; the Euclidean metric when None.

    Returns
    -------
    (n, f') array
        Squared distances, in squared units of the attributes.
    """
    return np.ascontiguousarray(distances_by_set(X, V, focal_sets, S).T)


def distances_by_set(
    X: np.ndarray,
    V: np.ndarray,
    focal_sets: FocalSets,
    S: np.ndarray | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """Return the transpose of `squared_distances`: long rows are quick to work on.

    O(n f p), with norms O(n f p^2), and a mebibyte of working memory.

    Parameters
    ----------
    X : (n, p) array
        Objects.
    V : (c, p) array
        Prototypes.
    focal_sets : FocalSets
        Subsets of the c clusters.
    S : (c, p, p) array, optional
        Norm matrices of the clusters; the Euclidean metric when None.
    out : (f', n) array, optional
        Where to write them.

    Returns
    -------
    (f', n) array
        One row per non-empty focal set.
    """
    centres = barycentres(V, focal_sets)
    squared = np.empty((len(centres), len(X))) if out is None else out
    if S is None and X.shape[1] <= FEW_ATTRIBUTES:
        for rows in row_blocks(len(X), len(centres)):
            _add_up_attributes(X[rows], centres, squared[:, rows])
        return squared
    roots = None if S is None else np.linalg.cholesky(set_norm_matrices(S, focal_sets)).swapaxes(1, 2)
    for rows in row_blocks(len(X), centres.size):
        differences = X[rows].T - centres[:, :, None]  # (f', p, b)
        if roots is not None:
            differences = roots @ differences  # |L^T d|^2 = d^T S d, never negative
        np.einsum("apb,apb->ab", differences, differences, out=squared[:, rows])
    return squared


def _add_up_attributes(X: np.ndarray, centres: np.ndarray, squared: np.ndarray) -> None:
    """Write squared distances of a block into `squared`, by attributes: (b, p), (f', p), (f', b)."""
    squared[:] = 0.0
    differences = room("differences", squared.shape)
    for values, places in zip(X.T, centres.T):
        np.subtract(values, places[:, None], out=differences)
        squared += np.square(differences, out=differences)


def row_blocks(n: int, elements_per_row: int) -> Iterator[slice]:
    """Yield slices that cover n rows in order, each of at most `BLOCK_ELEMENTS` elements (at least 32 rows).

    Checks before each block whether the fit has been cancelled.
    """
    size = max(32, BLOCK_ELEMENTS // elements_per_row)
    for begin in range(0, n, size):
        check_cancelled()
        yield slice(begin, min(begin + size, n))


def prototypes_mahalanobis(
    X: np.ndarray,
    masses: np.ndarray,
    S: np.ndarray,
    focal_sets: FocalSets,
    alpha: float,
    beta: float = 2.0,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Return the prototypes that minimise the objective, masses and norms fixed: G V = F X.

    Parameters
    ----------
    X : (n, p) array
        Objects.
    masses : (n, f) array
        Masses of the objects on the focal sets.
    S : (c, p, p) array
        Norm matrices of the clusters.
    focal_sets : FocalSets
        Subsets of the c clusters.
    alpha, beta : float
        Exponents of the cardinality and of the masses; the paper has beta = 2.
    start : (c, p) array, optional
        Prototypes from which the step is taken: a cluster without any mass keeps its own. By default all are
        at the mean of the objects.

    Returns
    -------
    (c, p) array
        Prototypes, in the units of the attributes.
    """
    origin = X.mean(axis=0)
    start = np.zeros((focal_sets.n_clusters, X.shape[1])) if start is None else start - origin
    weights, sums = set_moments(X - origin, masses, focal_sets, beta, start)
    return origin + start + prototypes_mahalanobis_from_moments(weights, sums, S, focal_sets, alpha)


def prototypes_mahalanobis_from_moments(
    weights: np.ndarray, sums: np.ndarray, S: np.ndarray, focal_sets: FocalSets, alpha: float
) -> np.ndarray:
    """Return the move of prototypes to the solution of G V = F X, [antoine2012_cecm (33)], from moments.

    (f',), (f', p), (c, p, p) -> (c, p), in O(f c^2 p^2 + c^3 p^3).
    """
    return prototypes_from_set_norms(weights, sums, set_norm_matrices(S, focal_sets), focal_sets, alpha)


def prototypes_from_set_norms(
    weights: np.ndarray, sums: np.ndarray, norms: np.ndarray, focal_sets: FocalSets, alpha: float
) -> np.ndarray:
    """Return the move of the prototypes to their optimum, whatever the norm of each focal set.

    The blocks of G, [antoine2012_cecm (31)], need only the sum of m^beta for each set. F X with the blocks
    [antoine2012_cecm (30)] is, cluster by cluster, the sum over its sets of |A|^(alpha-1) times the matrix of
    the set times its sum of m^beta x; neither F nor the stacked matrices [antoine2012_cecm (32)] in full are
    formed. The least solution is taken for clusters without any mass.

    (f',), (f', p), (f', p, p) -> (c, p), in O(f c^2 p^2 + c^3 p^3).
    """
    first = int(focal_sets.has_empty)
    member = focal_sets.membership[first:].astype(float)  # (f', c)
    card = focal_sets.cardinality[first:].astype(float)
    c, p = member.shape[1], sums.shape[1]
    pairs = (member[:, :, None] * member[:, None, :]).reshape(len(card), c * c)
    G = (pairs * (card ** (alpha - 2) * weights)[:, None]).T @ norms.reshape(len(card), p * p)
    G = G.reshape(c, c, p, p).swapaxes(1, 2).reshape(c * p, c * p)
    pulled = np.einsum("apq,aq->ap", norms, card[:, None] ** (alpha - 1) * sums)
    return solve_scaled(G, (member.T @ pulled).reshape(c * p, 1)).reshape(c, p)


def covariances(
    X: np.ndarray, V: np.ndarray, masses: np.ndarray, focal_sets: FocalSets, alpha: float, beta: float = 2.0
) -> np.ndarray:
    """Return the evidential covariance of each cluster.

    Computes [antoine2012_cecm (37)], in O(n f p^2).

    Parameters
    ----------
    X : (n, p) array
        Objects.
    V : (c, p) array
        Prototypes.
    masses : (n, f) array
        Masses of the objects on the focal sets.
    focal_sets : FocalSets
        Subsets of the c clusters.
    alpha, beta : float
        Exponents of the cardinality and of the masses; the paper has beta = 2.

    Returns
    -------
    (c, p, p) array
        Positive semi-definite matrices.
    """
    powers = (masses[:, int(focal_sets.has_empty) :] ** beta).T
    return covariances_from_scatters(set_scatters(X, powers, barycentres(V, focal_sets)), focal_sets, alpha)


def set_scatters(X: np.ndarray, powers: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return sums of m^beta (x - v)(x - v)^T for each focal set: (n, p), (f', n), (f', p) -> (f', p, p)."""
    scatters = np.zeros((*centres.shape, centres.shape[1]))
    for rows in row_blocks(len(X), centres.size):
        differences = X[rows].T - centres[:, :, None]  # (f', p, b)
        scatters += (differences * powers[:, None, rows]) @ differences.swapaxes(1, 2)
    return scatters


def covariances_from_scatters(scatters: np.ndarray, focal_sets: FocalSets, alpha: float) -> np.ndarray:
    """Sum over the sets of each cluster of |A|^(alpha-1) times the scatter: (f', p, p) -> (c, p, p)."""
    first = int(focal_sets.has_empty)
    factors = focal_sets.membership[first:] * focal_sets.cardinality[first:, None] ** float(alpha - 1)
    return np.tensordot(factors.T, scatters, axes=1)


def norm_matrices(
    X: np.ndarray,
    V: np.ndarray,
    masses: np.ndarray,
    focal_sets: FocalSets,
    alpha: float,
    beta: float = 2.0,
    previous: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the norm matrices of determinant 1 that minimise the objective, masses and prototypes fixed.

    Parameters
    ----------
    X : (n, p) array
        Objects.
    V : (c, p) array
        Prototypes.
    masses : (n, f) array
        Masses of the objects on the focal sets.
    focal_sets : FocalSets
        Subsets of the c clusters.
    alpha, beta : float
        Exponents of the cardinality and of the masses; the paper has beta = 2.
    previous : (c, p, p) array, optional
        Matrices to keep where those of a ridged covariance would raise the objective.

    Returns
    -------
    S : (c, p, p) array
        Norm matrices of the clusters.
    ridged : (c,) bool array
        Clusters whose covariance was numerically singular.
    """
    return norm_matrices_from_covariances(covariances(X, V, masses, focal_sets, alpha, beta), previous)


def norm_matrices_from_covariances(
    covariances: np.ndarray, previous: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the inverse of each covariance, scaled to determinant 1; see `norm_matrices`.

    Computes [antoine2012_cecm (42)] from eigenvalues and their logarithms, so that no determinant under- or
    overflows. The objective is the sum of the traces of covariance times norm, which shows whether a ridge
    has spoilt the minimum.

    Parameters
    ----------
    covariances : (c, p, p) array
        Positive semi-definite matrices.
    previous : (c, p, p) array, optional
        Matrices to keep where those of a ridged covariance would raise the objective.

    Returns
    -------
    S : (c, p, p) array
        Norm matrices of the clusters.
    ridged : (c,) bool array
        Clusters whose covariance was numerically singular.
    """
    p = covariances.shape[-1]
    covariances = (covariances + covariances.swapaxes(1, 2)) / 2
    mean = np.trace(covariances, axis1=1, axis2=2) / p
    mean = np.where(mean > 0, mean, 1.0)[:, None, None]  # no spread at all: the ridge alone, hence identity
    values, vectors = np.linalg.eigh(covariances / mean)  # ascending
    values = np.maximum(values, 0.0)  # below is rounding, which is large where an object is far
    ridge = np.maximum(RIDGE - values[:, :1], 0.0)
    values = values + ridge
    factors = np.exp(np.log(values).mean(axis=1, keepdims=True)) / values
    S = np.einsum("lpe,le,lqe->lpq", vectors, factors, vectors)
    ridged = ridge[:, 0] > 0
    if previous is not None:
        cost, before = (np.einsum("lpq,lpq->l", covariances, norms) for norms in (S, previous))
        S = np.where((ridged & (before < cost))[:, None, None], previous, S)
    return S, ridged
