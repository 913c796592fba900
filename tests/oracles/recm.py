"""Literal transcriptions of ECM and RECM, loop by loop as printed; for a dozen objects at most.

`sets` are frozensets of clusters from 0, the empty set first; `M` has one column per set.
"""

import numpy as np


def masses(d2, sets, alpha, beta, delta):
    """The mass step, [antoine2012_cecm (A.1)] and (A.2); `d2[i][j]` is not looked at for the empty set."""
    e = 1 / (beta - 1)
    M = np.zeros((len(d2), len(sets)))
    for i in range(len(d2)):
        share = [
            delta ** (-2 * e) if not A else len(A) ** (-alpha * e) * d2[i][j] ** -e
            for j, A in enumerate(sets)
        ]
        for j, A in enumerate(sets):
            if A:
                M[i, j] = share[j] / sum(share)
        if not sets[0]:
            M[i, 0] = 1 - sum(M[i, 1:])
    return M


def objective(M, d2, sets, alpha, beta, delta):
    """[djiberou2019_catecm (6)]."""
    total = 0.0
    for i in range(len(M)):
        for j, A in enumerate(sets):
            total += M[i, j] ** beta * (len(A) ** alpha * d2[i][j] if A else delta**2)
    return total


def system(M, X, sets, c, alpha, beta):
    """H and B of [antoine2012_cecm (A.4)] and (A.3)."""
    H, B = np.zeros((c, c)), np.zeros((c, X.shape[1]))
    for i in range(len(M)):
        for j, A in enumerate(sets):
            for k in A:
                B[k] += X[i] * len(A) ** (alpha - 1) * M[i, j] ** beta
                for l in A:
                    H[k, l] += len(A) ** (alpha - 2) * M[i, j] ** beta
    return H, B


def ecm_distances(M, X, sets, c, alpha, beta):
    """Squared distances to the barycentres of the sets, by coordinates."""
    H, B = system(M, X, sets, c, alpha, beta)
    V = np.linalg.solve(H, B)
    d2 = np.zeros((len(X), len(sets)))
    for i in range(len(X)):
        for j, A in enumerate(sets):
            if A:
                d2[i, j] = np.sum((X[i] - sum(V[k] for k in A) / len(A)) ** 2)
    return d2


def recm_distances(M, D, sets, c, alpha, beta):
    """The same from squared dissimilarities `D`, as the relational method states it."""
    n = len(D)
    Q = np.eye(n) - np.ones((n, n)) / n
    G = -0.5 * Q @ D @ Q
    H, _ = system(M, np.zeros((n, 1)), sets, c, alpha, beta)
    U = np.zeros((c, n))
    for i in range(n):
        for j, A in enumerate(sets):
            for k in A:
                U[k, i] += len(A) ** (alpha - 1) * M[i, j] ** beta
    VX = np.linalg.inv(H) @ U @ G
    VV = np.linalg.inv(H) @ (U @ VX.T)
    d2 = np.zeros((n, len(sets)))
    for i in range(n):
        for j, A in enumerate(sets):
            if A:
                d2[i, j] = G[i, i] - 2 / len(A) * sum(VX[k, i] for k in A)
                d2[i, j] += sum(VV[k, l] for k in A for l in A) / len(A) ** 2
    return d2


def alternate(distances, M, sets, alpha, beta, delta, steps):
    """`steps` times prototypes, then masses; `distances` is a function of the masses. Masses and trace."""
    trace = []
    for _ in range(steps):
        d2 = distances(M)
        M = masses(d2, sets, alpha, beta, delta)
        trace.append(objective(M, d2, sets, alpha, beta, delta))
    return M, trace
