"""Where expectation-maximisation starts: one covariance for all components, and equal probabilities."""

import numpy as np

from credalbench.cluster.mixture.em import Model
from credalbench.cluster.mixture.parameters import Mixture
from credalbench.core.threads import sum_rows


def start_covariance(
    X: np.ndarray, labels: np.ndarray, n_clusters: int, sample_weight: np.ndarray | None = None
) -> np.ndarray:
    """Average the covariances of clusters of at least two objects: (n, p), (n,) in 0..c-1 -> (p, p).

    Of objects with weights those whose weights sum to more than 1; the sum less 1 is the divisor.
    """
    clusters = range(n_clusters)
    counts = np.bincount(labels, sample_weight, n_clusters)

    def sums(X: np.ndarray, labels: np.ndarray, sample_weight: np.ndarray | None) -> np.ndarray:
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        return np.array([weights[labels == k] @ X[labels == k] for k in clusters])

    means = sum_rows(sums, X, labels, sample_weight) / np.where(counts > 0, counts, 1.0)[:, None]

    def scatters(X: np.ndarray, labels: np.ndarray, sample_weight: np.ndarray | None) -> np.ndarray:
        weights, differences = np.ones(len(X)) if sample_weight is None else sample_weight, X - means[labels]
        own = [(differences[labels == k], weights[labels == k]) for k in clusters]
        return np.array([d.T @ (w[:, None] * d) for d, w in own])

    found, many = sum_rows(scatters, X, labels, sample_weight), counts > 1
    covariances = found[many] / (counts[many] - 1)[:, None, None]
    return covariances.mean(axis=0) if many.any() else np.zeros((X.shape[1],) * 2)


def starting_mixture(centers: np.ndarray, covariance: np.ndarray, model: Model) -> Mixture:
    """Return a mixture of equal probabilities, means (c, p) and one `covariance` (p, p) for all."""
    f = len(model.focal_sets)
    return Mixture(np.full(f, 1 / f), centers, model.covariance_type.like(covariance, f))
