r"""The algorithm of Gustafson and Kessel [gustafson1978]: fuzzy c-means with a metric for each cluster.

.. math:: J(U, V, S) = \sum_i \sum_k u_{ik}^m (x_i - v_k)^T S_k (x_i - v_k), \qquad \det S_k = 1,

is minimised in turn over centres, norm matrices and memberships, each step exact. With F_k the fuzzy
covariance of a cluster, the best norm matrix is :math:`S_k = (\det F_k)^{1/p} F_k^{-1}`.
"""

import warnings
from typing import Self

import numpy as np
import numpy.typing as npt

from credalbench.baselines.fuzzy_cmeans import Alternation, FuzzyCMeans
from credalbench.core.arguments import checked

MAX_CONDITION = 1e15  # of a covariance: beyond it, the inverse is mostly rounding error
SHAPELESS = MAX_CONDITION * np.finfo(float).tiny  # smaller covariances have eigenvalues of few digits


class GustafsonKessel(FuzzyCMeans):
    r"""Fuzzy c-means with an adaptive metric.

    The first memberships are Euclidean.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    m : float in (1, 100], default 2.0
        Exponent of the memberships: close to 1 they become hard.
    init : {"k-means++", "random"} or (c, p) array, default "k-means++"
        Starting centres; "random" takes c different objects.
    n_init : int, default 1
        Number of starts; the run with the lowest objective is returned. An array `init` is one start.
    tol : float, default 1e-5
        Stop when no membership changes by more than `tol`, and at most five times as
        much is left, which is extrapolated from the last two steps.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the memberships at the starting centres.
    random_state : int, RandomState instance or None
        Seed of the random starts.

    Attributes
    ----------
    membership_, labels_, cluster_centers_, objective_, objective_trace_, n_iter_, converged_
        As in `FuzzyCMeans`. The objective never increases unless a covariance was capped.
    norm_matrices_ : (c, p, p) array
        S_k, positive definite with determinant 1; if a covariance was capped, rounding may hide the
        determinant.
    n_capped_ : int
        Number of times, over all iterations, that the covariance of a cluster had a condition number above
        1e15, and its smallest eigenvalues were set to 1e-15 of the largest; or was 0 and became the identity.
    n_features_in_ : int

    Raises
    ------
    ValueError
        As in `FuzzyCMeans`.

    Warns
    -----
    ConvergenceWarning
        If the fit stopped at `max_iter`.
    UserWarning
        If a covariance was capped: clusters are flat, usually because columns are constant or linearly
        dependent.

    Notes
    -----
    An iteration costs O(n c p^2 + c p^3). A covariance of full rank needs at least p + 1 objects.

    References
    ----------
    [gustafson1978], [bezdek1981]

    Examples
    --------
    >>> X = [[0.0, 0.0], [4.0, 0.1], [8.0, 0.0], [0.0, 2.0], [4.0, 2.1], [8.0, 2.0]]
    >>> fit = GustafsonKessel(2, init=[[4.0, 0.0], [4.0, 2.0]]).fit(X)
    >>> fit.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None, *, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Compute memberships, centres and norm matrices.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.
        sample_weight : (n,) array, optional
            Weights of the objects, at least 0: an object of weight 2 counts as two objects.

        Returns
        -------
        GustafsonKessel
            The fitted estimator.
        """
        super().fit(X, sample_weight=sample_weight)
        if self.n_capped_:
            warn_of_flat_clusters(self.n_capped_, self.n_iter_)
        return self

    def _metric(self, X: np.ndarray, centers: np.ndarray, weights: np.ndarray):
        return norm_roots(fuzzy_covariances(X, centers, weights))

    def _keep_metric(self, run: Alternation):
        c, p = run.centers.shape
        self._roots = np.tile(np.eye(p), (c, 1, 1)) if run.roots is None else run.roots
        self.norm_matrices_ = self._roots @ np.swapaxes(self._roots, 1, 2)
        self.n_capped_ = run.capped


def warn_of_flat_clusters(capped: int, iterations: int) -> None:
    """Warn that covariances were capped, `capped` times in this number of `iterations`."""
    warnings.warn(
        f"flat clusters: a covariance with a condition number above {MAX_CONDITION:g} was capped {capped} "
        f"times in {iterations} iterations; constant or dependent columns are the usual cause",
        UserWarning,
        stacklevel=4,
    )


def fuzzy_covariances(X: np.ndarray, centers: np.ndarray, weights: np.ndarray) -> np.ndarray:
    r"""Return the covariance of each cluster about its centre: (n, p), (c, p), weights (n, c) -> (c, p, p).

    :math:`F_k = \sum_i w_{ik} (x_i - v_k)(x_i - v_k)^T / \sum_i w_{ik}`; 0 for a cluster without weight.
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
    """Return symmetric roots R_k (c, p, p) of the norm matrices, S_k = R_k R_k, det S_k = 1; and a count.

    An eigenvalue below 1 / `MAX_CONDITION` of the largest is raised to that bound, since a covariance of
    lower rank has no inverse. A covariance of 0, or below `SHAPELESS`, gives the identity. The count is the
    number of clusters to which one of these applies.
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
