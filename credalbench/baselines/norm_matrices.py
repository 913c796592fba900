r"""One metric for each cluster: squared distances :math:`(x - v_k)^T S_k (x - v_k)`.

With :math:`\det S_k = 1` the objective of a fuzzy partition is smallest at
:math:`S_k = (\det F_k)^{1/p} F_k^{-1}`, with F_k the fuzzy covariance of the cluster [gustafson1978].
"""

import numpy as np

MAX_CONDITION = 1e15  # of a covariance; beyond it the inverse is rounding
SHAPELESS = MAX_CONDITION * np.finfo(float).tiny  # covariances below: its eigenvalues have few digits


def squared_distances(X: np.ndarray, centers: np.ndarray, roots: np.ndarray | None = None) -> np.ndarray:
    """Return squared distances of all objects to all centres, exactly 0 where they coincide.

    Parameters
    ----------
    X : (n, p) array
    centers : (c, p) array
    roots : (c, p, p) array, optional
        Symmetric square roots of the norm matrices. None: Euclidean.

    Returns
    -------
    (n, c) array
        In O(n c p), or O(n c p^2) with `roots`.
    """
    squared = np.empty((len(X), len(centers)))
    for k, center in enumerate(centers):
        difference = X - center
        if roots is not None:
            difference = difference @ roots[k]
        squared[:, k] = np.einsum("ij,ij->i", difference, difference)
    return squared


def fuzzy_covariances(X: np.ndarray, centers: np.ndarray, weights: np.ndarray) -> np.ndarray:
    r"""Return covariance of each cluster about its centre.

    :math:`F_k = \sum_i w_{ik} (x_i - v_k)(x_i - v_k)^T / \sum_i w_{ik}`; 0 for a cluster without weight.

    Parameters
    ----------
    X : (n, p) array
    centers : (c, p) array
    weights : (n, c) array
        At least 0: memberships to the power m.

    Returns
    -------
    (c, p, p) array
    """
    p = X.shape[1]
    covariances = np.zeros((len(centers), p, p))
    for k, center in enumerate(centers):
        total = weights[:, k].sum()
        if total > 0:
            difference = X - center
            covariances[k] = (difference * (weights[:, k] / total)[:, None]).T @ difference
    return covariances


def norm_roots(covariances: np.ndarray) -> tuple[np.ndarray, int]:
    """Return symmetric square roots of the norm matrices of determinant 1 that belong to covariances.

    An eigenvalue below 1 / `MAX_CONDITION` of the largest is raised to that, since a covariance of lower rank
    has no inverse. A covariance of 0 (all weight at the centre) has no shape: identity. So has one that is 0
    but for what is left where floating point ends.

    Parameters
    ----------
    covariances : (c, p, p) array

    Returns
    -------
    roots : (c, p, p) array
        R_k, with S_k = R_k R_k and det S_k = 1.
    capped : int
        How many clusters had an eigenvalue raised, or a covariance without shape.
    """
    values, vectors = np.linalg.eigh((covariances + np.swapaxes(covariances, 1, 2)) / 2)
    largest = values[:, -1:]
    flat = largest < SHAPELESS
    values = np.where(flat, 1.0, values)
    floor = np.where(flat, 1.0, largest) / MAX_CONDITION
    capped = int(np.any((values < floor) | flat, axis=1).sum())
    logs = np.log(np.maximum(values, floor))
    scales = np.exp((logs.mean(axis=1, keepdims=True) - logs) / 2)  # (c, p), their product is 1
    return (vectors * scales[:, None, :]) @ np.swapaxes(vectors, 1, 2), capped
