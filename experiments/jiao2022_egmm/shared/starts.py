"""Random starts as the programs that the paper names make them, and which of many ends is the usual one."""

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.mixture import GaussianMixture

from credalbench.cluster import EGMM

MAX_ITER = 100  # of kmeans, fcm and fitgmdist in Matlab


def k_means(X, c: int, seed: int) -> KMeans:
    """Run k-means as Matlab does: one start, its seeds by k-means++ with a single trial for each.

    Parameters
    ----------
    X : (n, p) array
    c : int
    seed : int
    """
    seeds, _ = kmeans_plusplus(X, c, n_local_trials=1, random_state=seed)
    return KMeans(c, init=seeds, n_init=1, max_iter=MAX_ITER).fit(X)


def egmm(params, X, c: int, seed: int, **options) -> EGMM:
    """Fit EGMM as its authors do: from the centres of `k_means`, with their ridge and stopping rule."""
    settings = {"reg_covar": params.reg_covar, "tol": params.tol} | options
    return EGMM(c, init=k_means(X, c, seed).cluster_centers_, **settings).fit(X)


def gaussian_mixture(
    X, c: int, seed: int, covariance_type: str = "full", reg_covar: float = 0.0
) -> GaussianMixture:
    """Return a Gaussian mixture as Matlab's fitgmdist fits it.

    Means start at objects that k-means++ chooses, covariances at the diagonal of the data's variances, mixing
    probabilities at 1/c. By default there is no ridge.

    Raises
    ------
    ValueError
        A covariance became singular, where fitgmdist stops with an error, too.
    """
    means, _ = kmeans_plusplus(X, c, n_local_trials=1, random_state=seed)
    precision = np.diag(1 / X.var(axis=0, ddof=1))
    model = GaussianMixture(
        c,
        covariance_type=covariance_type,
        means_init=means,
        precisions_init=precision if covariance_type == "tied" else np.tile(precision, (c, 1, 1)),
        weights_init=np.full(c, 1 / c),
        reg_covar=reg_covar,
        tol=1e-6,
        max_iter=MAX_ITER,
        random_state=seed,
    )
    return model.fit(X)


def usual(values: pd.Series, digits: int = 1) -> float:
    """Return the most frequent of some values when they are rounded: the median of those that round to it.

    Of equally frequent ones the largest counts. NaN where there is no value.
    """
    values = values.dropna()
    if values.empty:
        return float("nan")
    counts = values.round(digits).value_counts()
    most = counts[counts == counts.max()].index.max()
    return float(values[values.round(digits) == most].median())
