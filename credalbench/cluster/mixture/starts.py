"""Where expectation-maximisation starts: one covariance for all components, and equal probabilities."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.metrics import pairwise_distances_argmin

from credalbench.cluster.mixture.em import Model
from credalbench.cluster.mixture.frame import Frame
from credalbench.cluster.mixture.parameters import Mixture
from credalbench.core.blocks import Blocks, sum_over


def start_covariance(
    X: np.ndarray, labels: np.ndarray, n_clusters: int, sample_weight: np.ndarray | None = None
) -> np.ndarray:
    """Average the covariances of clusters of at least two objects: (n, p), (n,) in 0..c-1 -> (p, p).

    Of objects with weights those whose weights sum to more than 1; the sum less 1 is the divisor.
    """
    p, covariances = X.shape[1], []
    for k in range(n_clusters):
        members = X[labels == k]
        weights = None if sample_weight is None else sample_weight[labels == k]
        count = len(members) if weights is None else weights.sum()
        if count > 1:
            share = count / (count - 1)
            biased = None if weights is None else np.cov(members.T, aweights=weights, bias=True)
            covariances.append((np.cov(members.T) if biased is None else share * biased).reshape(p, p))
    return np.mean(covariances, axis=0) if covariances else np.zeros((p, p))


def start_covariance_of_blocks(X: Blocks, V: np.ndarray, frame: Frame) -> np.ndarray:
    """Return the `start_covariance` of the clusters of nearest objects, in a frame, from sums over blocks."""
    counts, sums, squares = sum_over(X, partial(_cluster_sums, V=V, frame=frame))
    many = counts > 1
    counts, sums, squares = counts[many], sums[many], squares[many]
    means = sums / counts[:, None]
    scatters = squares - counts[:, None, None] * np.einsum("kp,kq->kpq", means, means)
    covariances = scatters / (counts - 1)[:, None, None]
    return covariances.mean(axis=0) if many.any() else np.zeros((V.shape[1],) * 2)


class ClusterSums(NamedTuple):
    """Sums over the objects nearest to each centre: of 1, of x and of x x'."""

    counts: np.ndarray  # (c,)
    sums: np.ndarray  # (c, p)
    squares: np.ndarray  # (c, p, p)

    def __add__(self, other: ClusterSums) -> ClusterSums:
        return ClusterSums(*(one + another for one, another in zip(self, other, strict=True)))


def _cluster_sums(X: np.ndarray, V: np.ndarray, frame: Frame):
    nearest, Y = pairwise_distances_argmin(X, V), frame.transform(X)
    members = [Y[nearest == k] for k in range(len(V))]
    return ClusterSums(
        np.array([len(own) for own in members], dtype=float),
        np.array([own.sum(axis=0) for own in members]),
        np.array([own.T @ own for own in members]),
    )


def starting_mixture(centers: np.ndarray, covariance: np.ndarray, model: Model) -> Mixture:
    """Return a mixture of equal probabilities, means (c, p) and one `covariance` (p, p) for all."""
    f = len(model.focal_sets)
    return Mixture(np.full(f, 1 / f), centers, model.covariance_type.like(covariance, f))
