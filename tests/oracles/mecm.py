"""Literal transcription of the dissimilarities of MECM; for a dozen objects at most."""

import numpy as np


def representative(tau, medoids, A, eta):
    """The object about equally far from the medoids of the clusters in A, and not far."""
    scores = []
    for p in range(len(tau)):
        far = [tau[p, medoids[k]] for k in A]
        mean = sum(far) / len(A)
        scores.append(sum((t - mean) ** 2 for t in far) / len(A) + eta * mean)
    return int(np.argmin(scores))


def dissimilarity(tau, i, medoids, A, gamma, eta):
    """Dissimilarity of object i to the set of clusters A."""
    if len(A) == 1:
        (k,) = A
        return tau[i, medoids[k]]
    uneven = sum(abs(tau[i, medoids[k]] - tau[i, medoids[l]]) for k in A for l in A)
    apart = sum(tau[medoids[k], medoids[l]] for k in A for l in A)
    rho = uneven / (eta * apart) if apart > 0 else 0.0
    nearest = min(tau[i, medoids[k]] for k in A)
    return (gamma * tau[i, representative(tau, medoids, A, eta)] + rho * nearest) / (gamma + 1)
