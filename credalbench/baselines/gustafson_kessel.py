r"""The algorithm of Gustafson and Kessel [gustafson1978]: fuzzy c-means with one metric for each cluster.

.. math:: J(U, V, S) = \sum_i \sum_k u_{ik}^m (x_i - v_k)^T S_k (x_i - v_k), \qquad \det S_k = 1,

by turns over centres, norm matrices (``norm_matrices.py``) and memberships, each step exact.
"""

import warnings
from typing import Self

import numpy as np
import numpy.typing as npt

from credalbench.baselines.fuzzy_cmeans import Alternation, FuzzyCMeans
from credalbench.baselines.norm_matrices import MAX_CONDITION, fuzzy_covariances, norm_roots
from credalbench.core.arguments import checked


class GustafsonKessel(FuzzyCMeans):
    r"""Fuzzy c-means with an adaptive metric.

    The first memberships are Euclidean.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    m : float in (1, 100], default 2.0
        Exponent of the memberships: towards 1 they become hard.
    init : {"k-means++", "random"} or (c, p) array, default "k-means++"
        Centres to start from; "random" takes c different objects.
    n_init : int, default 1
        Number of starts; the run of lowest objective is returned. One when `init` is an array.
    tol : float, default 1e-5
        Stop when no membership changes by `tol` or more.
    max_iter : int, default 1000
        Cap on iterations; 0: the memberships at the starting centres.
    random_state : int, RandomState instance or None
        Seed of the starts.

    Attributes
    ----------
    membership_, labels_, cluster_centers_, objective_, objective_trace_, n_iter_, converged_
        As in `FuzzyCMeans`. The objective never rises unless a covariance was capped.
    norm_matrices_ : (c, p, p) array
        S_k, positive definite with determinant 1; where a covariance was capped, the determinant of these
        matrices is lost in rounding.
    n_capped_ : int
        How many times in all iterations the covariance of a cluster had a condition number above 1e15, or was
        zero, and was replaced: its smallest eigenvalues by 1e-15 of the largest, or all of it by 1.
    n_features_in_ : int

    Raises
    ------
    ValueError
        As `FuzzyCMeans`.

    Warns
    -----
    ConvergenceWarning
        `max_iter` ended the fit.
    UserWarning
        A covariance was capped: clusters are flat, which constant or linearly dependent columns cause.

    Notes
    -----
    O(n c p^2 + c p^3) an iteration. Each cluster needs p + 1 objects or more for a covariance of full rank.

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
            Weights of the objects, at least 0: an object of weight 2 counts as two at its place.

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
    """Warn that covariances were capped, `capped` times in so many `iterations`."""
    warnings.warn(
        f"flat clusters: a covariance with a condition number above {MAX_CONDITION:g} was capped {capped} "
        f"times in {iterations} iterations; constant or dependent columns are the usual cause",
        UserWarning,
        stacklevel=4,
    )
