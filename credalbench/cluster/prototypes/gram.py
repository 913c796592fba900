r"""Distances to prototypes without coordinates: by the Gram matrix of squared dissimilarities.

For objects about their mean, :math:`G = -\frac12 Q D Q` with the *squared* dissimilarities D and
:math:`Q = I - 11^T/n`; if these are Euclidean, G contains the inner products of the objects.
"""

from typing import NamedTuple, Self

import numpy as np
from scipy.linalg import cholesky, eigvalsh

from credalbench.belief import FocalSets
from credalbench.cluster.inputs.dissimilarities import WITHOUT_MATRICES
from credalbench.core.resources import MATRIX_GAIN, warn_if_slow

NEGLIGIBLE = 1e-9  # eigenvalues above minus this share of the sum of all eigenvalues count as rounding
ROUNDING = 1e-14  # squared distances below this share of the largest G_ii are rounding
CHUNK = 1 << 17  # entries of the Gram matrix that are formed at a time: a mebibyte


def squared_distances(G: np.ndarray, weights: np.ndarray, focal_sets: FocalSets) -> tuple[np.ndarray, int]:
    """Return the squared distances (n, f') of all objects to the barycentres of the non-empty focal sets.

    With :math:`w_A` the mean of the weights (c, n) of the clusters in A and the Gram matrix G (n, n):
    :math:`G_{ii} - 2 (w_A^T G)_i + w_A^T G w_A`, as three matrix products in O(n^2 c + n f c). Values
    below zero or within rounding of it are 0. Also returns how many were negative by more than rounding.
    """
    first = int(focal_sets.has_empty)
    S = focal_sets.membership[first:] / focal_sets.cardinality[first:, None]  # (f', c), rows sum to 1
    VX = weights @ G  # (c, n) inner products of prototypes and objects
    VV = VX @ weights.T  # (c, c) of prototypes and prototypes
    norms = np.diag(G)
    squared = norms[:, None] - 2 * (S @ VX).T + np.sum(S @ VV * S, axis=1)
    rounding = ROUNDING * norms.max()
    negative = int((squared < -rounding).sum())
    squared[squared < rounding] = 0.0
    return squared, negative


def gram_matrix(squared: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Return the Gram matrix of the centred objects, G = -Q D Q / 2, from squared dissimilarities D (n, n).

    The result is written into the array `out` if it is given; `out` may be `squared` itself.
    """
    mean = squared.mean(axis=0)
    G = np.empty(squared.shape) if out is None else out
    step = max(1, CHUNK // len(squared))
    for begin in range(0, len(squared), step):
        rows = slice(begin, begin + step)
        np.subtract(mean[rows, None] + mean, squared[rows], out=G[rows])
    G -= mean.mean()
    G /= 2
    return G


def negative_eigenvalues(G: np.ndarray) -> np.ndarray:
    """Return the negative eigenvalues of `G` (n, n) beyond rounding, increasing; none if G is Euclidean.

    It needs one more (n, n) array.
    """
    tolerance = NEGLIGIBLE * np.trace(G)
    shifted = G.copy()
    shifted[np.diag_indices_from(G)] += tolerance
    try:
        cholesky(shifted.T, overwrite_a=True, check_finite=False)  # of columns, as LAPACK has them
        return np.empty(0)
    except np.linalg.LinAlgError:
        del shifted
    what = f"finding the eigenvalues of {len(G)} objects, whose dissimilarities are not Euclidean,"
    warn_if_slow(len(G) ** 3 / MATRIX_GAIN, what, WITHOUT_MATRICES)
    values = eigvalsh(G)
    return values[values < -tolerance]


def shifted_gram_matrix(G: np.ndarray, shift: float) -> np.ndarray:
    """Return the Gram matrix (n, n) after adding `shift` to the squared dissimilarities: G + shift Q / 2."""
    G = G - shift / (2 * len(G))
    G[np.diag_indices_from(G)] += shift / 2
    return G


class WeightedMeans(NamedTuple):
    r"""Prototypes that are weighted means of objects, :math:`V = W X`, seen from other objects.

    From an object at squared distances :math:`s_j` of those that have the Gram matrix G, the barycentre of
    the clusters A, with mean weights :math:`w_A`, which sum to 1, is at

    .. math:: d_A^2 = w_A^T (s - g) + w_A^T G w_A, \qquad g_j = G_{jj} .

    Attributes
    ----------
    weights : (c, n) array
        W, rows that sum to 1.
    offsets : (c,) array
        W g.
    products : (c, c) array
        W G W^T, inner products of the prototypes.
    rounding : float
        Squared distances below this count as zero.
    """

    weights: np.ndarray
    offsets: np.ndarray
    products: np.ndarray
    rounding: float

    @classmethod
    def of(cls, weights: np.ndarray, G: np.ndarray) -> Self:
        """Make means from weights (c, n) and the Gram matrix (n, n) of the objects about their mean.

        If weights sum to less than 1, for a cluster without mass, the rest lies at that mean. O(n^2 c).
        """
        norms = np.diag(G)
        W = weights + (1 - weights.sum(axis=1, keepdims=True)) / len(G)
        return cls(W, W @ norms, W @ G @ W.T, ROUNDING * float(norms.max()))

    def squared_distances(self, squared: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
        """Compute the squared distances to barycentres from those to the n objects: (b, n) -> (b, f').

        Negative squared distances, which occur if dissimilarities are not Euclidean, are replaced by zero.
        O(n c + f c) each.
        """
        first = int(focal_sets.has_empty)
        S = focal_sets.membership[first:] / focal_sets.cardinality[first:, None]  # (f', c), rows sum to 1
        found = (squared @ self.weights.T - self.offsets) @ S.T + np.sum(S @ self.products * S, axis=1)
        found[found < self.rounding] = 0.0
        return found
