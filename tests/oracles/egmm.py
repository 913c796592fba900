"""Literal transcriptions of EGMM, loop by loop as its equations are rebuilt; for a dozen objects at most.

`sets` are frozensets of clusters from 0, none of them empty; `M` has one column per set, `S` one covariance
per set. The means of the components [jiao2022_egmm (14)] are the barycentres of ECM; the matrices of
[jiao2022_egmm (27)] and [jiao2022_egmm (28)] are those of its prototypes with alpha = 0 and beta = 1.
"""

import numpy as np

from tests.oracles.ecm import barycentre
from tests.oracles.recm import system


def log_density(x, mean, covariance):
    """Logarithm of [jiao2022_egmm (5)]."""
    d = x - mean
    squared = d @ np.linalg.inv(covariance) @ d
    return -0.5 * (len(x) * np.log(2 * np.pi) + np.log(np.linalg.det(covariance)) + squared)


def weighted_log_densities(X, weights, V, S, sets):
    """Logarithms of the terms of [jiao2022_egmm (17)]: (n, f)."""
    terms = np.zeros((len(X), len(sets)))
    for i in range(len(X)):
        for j, A in enumerate(sets):
            terms[i, j] = np.log(weights[j]) + log_density(X[i], barycentre(V, A), S[j])
    return terms


def log_likelihood(X, weights, V, S, sets, noise=0.0):
    """[jiao2022_egmm (18)]; `noise` is the mixing probability times the density of the noise."""
    return np.log(noise + np.exp(weighted_log_densities(X, weights, V, S, sets)).sum(axis=1)).sum()


def masses(X, weights, V, S, sets, noise=0.0):
    """[jiao2022_egmm (23)], without that of the noise."""
    terms = np.exp(weighted_log_densities(X, weights, V, S, sets))
    return terms / (noise + terms.sum(axis=1, keepdims=True))


def expected_log_likelihood(X, M, weights, V, S, sets):
    """Q of [jiao2022_egmm (22)]."""
    return (M * weighted_log_densities(X, weights, V, S, sets)).sum()


def maximised(X, M, sets, c):
    """[jiao2022_egmm (25)], [jiao2022_egmm (26)] and [jiao2022_egmm (29)]."""
    H, B = system(M, X, sets, c, alpha=0, beta=1)
    V = np.linalg.solve(H, B)
    covariance = np.zeros((X.shape[1], X.shape[1]))
    for i in range(len(X)):
        for j, A in enumerate(sets):
            d = X[i] - barycentre(V, A)
            covariance += M[i, j] * np.outer(d, d) / M.sum()
    return M.mean(axis=0), V, covariance
