"""Literal transcriptions of ECM with prototypes and norms, loop by loop as printed; for a dozen objects at
most.

`sets` are frozensets of clusters from 0, the empty set first; `M` has one column per set. The mass step, the
objective and the Euclidean system of the prototypes are in ``tests/oracles/recm.py``.
"""

import numpy as np


def barycentre(V, A):
    """[antoine2012_cecm (11)]."""
    return sum(V[k] for k in A) / len(A)


def set_norm(S, A):
    """[antoine2012_cecm (22)]."""
    return sum(S[k] for k in A) / len(A)


def distances(X, V, sets, S):
    """Squared distances under the norms, [antoine2012_cecm (23)]; 0 in the column of the empty set."""
    d2 = np.zeros((len(X), len(sets)))
    for i in range(len(X)):
        for j, A in enumerate(sets):
            if A:
                d = X[i] - barycentre(V, A)
                d2[i, j] = d @ set_norm(S, A) @ d
    return d2


def prototypes(X, M, S, sets, c, alpha, beta):
    """G V = F X, [antoine2012_cecm (33)], with the matrices (30) to (32) in full."""
    n, p = X.shape
    F, G = np.zeros((c * p, n * p)), np.zeros((c * p, c * p))
    for l in range(c):
        for i in range(n):
            for j, A in enumerate(sets):
                if l in A:
                    block = len(A) ** (alpha - 1) * M[i, j] ** beta * set_norm(S, A)
                    F[l * p : (l + 1) * p, i * p : (i + 1) * p] += block
        for k in range(c):
            for i in range(n):
                for j, A in enumerate(sets):
                    if l in A and k in A:
                        block = len(A) ** (alpha - 2.0) * M[i, j] ** beta * set_norm(S, A)
                        G[l * p : (l + 1) * p, k * p : (k + 1) * p] += block
    return np.linalg.solve(G, F @ X.ravel()).reshape(c, p)


def covariances(X, V, M, sets, c, alpha, beta):
    """[antoine2012_cecm (37)]."""
    Sigma = np.zeros((c, X.shape[1], X.shape[1]))
    for l in range(c):
        for i in range(len(X)):
            for j, A in enumerate(sets):
                if l in A:
                    d = X[i] - barycentre(V, A)
                    Sigma[l] += M[i, j] ** beta * len(A) ** (alpha - 1.0) * np.outer(d, d)
    return Sigma


def norms(Sigma):
    """[antoine2012_cecm (42)]."""
    p = Sigma.shape[1]
    return np.array(
        [np.linalg.det(covariance) ** (1 / p) * np.linalg.inv(covariance) for covariance in Sigma]
    )
