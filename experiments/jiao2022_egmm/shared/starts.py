"""Random starts as in the programs that the paper names, and the most frequent of their results."""

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.mixture import GaussianMixture

from credalbench.cluster import EGMM

MAX_ITER = 100  # of kmeans, fcm and fitgmdist in Matlab


def k_means(X, c: int, seed: int) -> KMeans:
    """Run k-means as Matlab does: one start, its seeds by k-means++ with a single trial for each."""
    seeds, _ = kmeans_plusplus(X, c, n_local_trials=1, random_state=seed)
    return KMeans(c, init=seeds, n_init=1, max_iter=MAX_ITER).fit(X)


def online_phase(X, labels) -> np.ndarray:
    """Return the labels (n,) after moves of single objects to other clusters, as kmeans makes them last.

    While a move lowers the sum of squared distances to the means of the clusters, the best one is made.
    O(n c p) for each.
    """
    labels, rows = labels.copy(), np.arange(len(X))
    while True:
        of = np.eye(labels.max() + 1)[labels]
        size = of.sum(axis=0)
        squares = cdist(X, (of.T @ X) / size[:, None], "sqeuclidean")
        gain = squares[rows, labels] * size[labels] / np.maximum(size[labels] - 1, 1e-300)
        cost = np.where(of > 0, np.inf, squares * size / (size + 1))
        gain = np.where(size[labels] > 1, gain, 0.0) - cost.min(axis=1)
        best = gain.argmax()
        if gain[best] <= 1e-9 * squares.max():
            return labels
        labels[best] = cost[best].argmin()


def fuzzy_c_means(X, c: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Run fuzzy c-means as Matlab's fcm does; return prototypes (c, p) and memberships (n, c).

    The exponent is 2, memberships start at random, and the run ends when the objective changes by less than
    1e-5, whatever the unit of the data.
    """
    memberships = np.random.RandomState(seed).random_sample((len(X), c))
    memberships /= memberships.sum(axis=1, keepdims=True)
    before = np.inf
    for _ in range(MAX_ITER):
        weights = memberships**2
        prototypes = (weights.T @ X) / weights.sum(axis=0)[:, None]
        squares = np.maximum(cdist(X, prototypes, "sqeuclidean"), 1e-300)
        memberships = 1 / (squares * (1 / squares).sum(axis=1, keepdims=True))
        objective = (weights * squares).sum()
        if abs(before - objective) < 1e-5:
            break
        before = objective
    return prototypes, memberships


def egmm(params, X, c: int, seed: int, **options) -> EGMM:
    """Fit EGMM as its authors do: from the centres of `k_means`, with their ridge and stopping rule."""
    paper = {"focal_sets": "full", "noise": False, "reg_covar": params.reg_covar, "tol": params.tol}
    return EGMM(c, init=k_means(X, c, seed).cluster_centers_, **paper | options).fit(X)


def gaussian_mixture(
    X, c: int, seed: int, covariance_type: str = "full", reg_covar: float = 0.0
) -> GaussianMixture:
    """Return a Gaussian mixture as Matlab's fitgmdist fits it.

    Means start at objects that k-means++ chooses, covariances at the diagonal of the data's variances, mixing
    probabilities at 1/c. By default there is no ridge. A singular covariance is a ValueError, as in
    fitgmdist.
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

    Of equally frequent values, the largest counts. NaN if there is no value.
    """
    values = values.dropna()
    if values.empty:
        return float("nan")
    counts = values.round(digits).value_counts()
    most = counts[counts == counts.max()].index.max()
    return float(values[values.round(digits) == most].median())
