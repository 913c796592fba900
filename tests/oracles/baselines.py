"""Literal transcriptions of the baselines' steps, loop by loop; for a dozen objects at most."""

import numpy as np

from tests.oracles import ecm


def fuzzy_memberships(d2, m):
    U = np.zeros_like(d2)
    for i in range(len(d2)):
        for k in range(d2.shape[1]):
            U[i, k] = 1 / sum((d2[i, k] / d2[i, l]) ** (1 / (m - 1)) for l in range(d2.shape[1]))
    return U


def fuzzy_centers(X, U, m):
    V = np.zeros((U.shape[1], X.shape[1]))
    for k in range(U.shape[1]):
        V[k] = sum(U[i, k] ** m * X[i] for i in range(len(X))) / sum(U[i, k] ** m for i in range(len(X)))
    return V


def norm_matrices(X, U, V, m):
    """S_k = det(F_k)^(1/p) F_k^-1 from the fuzzy covariances F_k."""
    F = []
    for k in range(U.shape[1]):
        scatter = sum(U[i, k] ** m * np.outer(X[i] - V[k], X[i] - V[k]) for i in range(len(X)))
        F.append(scatter / sum(U[i, k] ** m for i in range(len(X))))
    return ecm.norms(np.array(F))


def distances(X, V, S):
    return ecm.distances(X, V, [frozenset([k]) for k in range(len(V))], S)


def objective(U, d2, m):
    return sum(U[i, k] ** m * d2[i, k] for i in range(len(U)) for k in range(U.shape[1]))


def fuzzy_alternation(X, V, m, steps, adaptive):
    """First memberships with identity metrics, then `steps` times centres, metrics, memberships."""
    S = np.array([np.eye(X.shape[1])] * len(V))
    U = fuzzy_memberships(distances(X, V, S), m)
    for _ in range(steps):
        V = fuzzy_centers(X, U, m)
        if adaptive:
            S = norm_matrices(X, U, V, m)
        d2 = distances(X, V, S)
        U = fuzzy_memberships(d2, m)
    return U, V, S, objective(U, d2, m)


def constraint_costs(U, i, must, cannot):
    """C_ik: the penalty of object i for full membership in each cluster."""
    c = U.shape[1]
    costs = np.zeros(c)
    for k in range(c):
        for a, b in must:
            if i in (a, b):
                j = b if i == a else a
                costs[k] += sum(U[j, l] for l in range(c) if l != k)
        for a, b in cannot:
            if i in (a, b):
                j = b if i == a else a
                costs[k] += U[j, k]
    return costs


def constrained_objective(U, d2, a, must, cannot):
    c = U.shape[1]
    total = objective(U, d2, 2)
    for i, j in must:
        total += a * sum(U[i, k] * U[j, l] for k in range(c) for l in range(c) if l != k)
    for i, j in cannot:
        total += a * sum(U[i, k] * U[j, k] for k in range(c))
    return total


def constrained_row(d2, costs, a):
    """The published row, before clipping."""
    c = len(d2)
    mean = sum(costs[k] / d2[k] for k in range(c)) / sum(1 / d2[k] for k in range(c))
    return np.array(
        [
            (1 / d2[k]) / sum(1 / d2[l] for l in range(c)) + a / (2 * d2[k]) * (mean - costs[k])
            for k in range(c)
        ]
    )


def constrained_sweep(U, d2, a, must, cannot):
    """Objects one after another; negative entries become 0, rows sum to 1."""
    U = U.copy()
    for i in range(len(U)):
        row = constrained_row(d2[i], constraint_costs(U, i, must, cannot), a)
        row = np.array([max(u, 0.0) for u in row])
        U[i] = row / sum(row)
    return U


def constrained_alternation(X, V, must, cannot, steps, adaptive):
    """As `fuzzy_alternation` with exponent 2, the weight balanced before each sweep."""
    n, c = len(X), len(V)
    S = np.array([np.eye(X.shape[1])] * c)
    U = fuzzy_memberships(distances(X, V, S), 2)
    for _ in range(steps):
        V = fuzzy_centers(X, U, 2)
        if adaptive:
            S = norm_matrices(X, U, V, 2)
        d2 = distances(X, V, S)
        squares = sum(U[i, k] ** 2 for i in range(n) for k in range(c))
        a = n / (len(must) + len(cannot)) * objective(U, d2, 2) / squares
        U = constrained_sweep(U, d2, a, must, cannot)
    return U, V, a, constrained_objective(U, d2, a, must, cannot)


def cop_assignment(d2, order, must, cannot):
    """Each object in `order` to the nearest cluster that breaks no constraint with those before it, or None.

    `must` and `cannot` are lists of pairs, closed under what they imply.
    """
    labels = {}
    for i in order:
        for k in sorted(range(d2.shape[1]), key=lambda k: (d2[i, k], k)):
            apart = any(
                labels[j] != k for a, b in must if i in (a, b) for j in (a, b) if j != i and j in labels
            )
            together = any(
                labels[j] == k for a, b in cannot if i in (a, b) for j in (a, b) if j != i and j in labels
            )
            if not apart and not together:
                labels[i] = k
                break
        else:
            return None
    return [labels[i] for i in range(len(d2))]


def learned_distances(A, X, pairs):
    return [np.sqrt((X[i] - X[j]) @ A @ (X[i] - X[j])) for i, j in pairs]
