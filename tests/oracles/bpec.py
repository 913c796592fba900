"""Literal transcription of the delta-Bel graph and of BPEC's masses in adaptive norms; for few objects."""

import math

import numpy as np

from tests.oracles.eknnclus import nearest

DIGITS = 12  # of a belief that count


def quantile(values, q):
    """Interpolate linearly between the sorted values."""
    values = sorted(values)
    place = q * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def evidence(d, scale):
    """exp(-(d / scale)^2); duplicates support each other, and a scale of 0 nothing else."""
    if d == 0:
        return 1.0
    return 0.0 if scale == 0 else math.exp(-((d / scale) ** 2))


def delta_bel(D, K, q):
    """Belief and delta of each object, by all pairs; of equal beliefs that of the first object is larger."""
    n = len(D)
    neighbours = nearest(D, K)
    scales = [quantile([D[j, k] for k in neighbours[j]], q) for j in range(n)]
    belief = [1 - math.prod(1 - evidence(D[i, j], scales[j]) / K for j in neighbours[i]) for i in range(n)]
    rank = [(-round(belief[i], DIGITS), i) for i in range(n)]
    delta = [min((D[i, j] for j in range(n) if rank[j] < rank[i]), default=-1.0) for i in range(n)]
    return np.array(belief), np.array([max(delta) if d < 0 else d for d in delta])


def adapted(X, V, sets, alpha, beta, delta, n_iter):
    """Masses (n, f) and J after some rounds of norms and masses at fixed prototypes, by their formulas."""
    n, p = X.shape
    c = len(V)
    S = [np.eye(p)] * c
    masses, J = masses_at(X, V, S, sets, alpha, beta, delta)
    for _ in range(n_iter):
        covariances = [np.zeros((p, p)) for _ in range(c)]
        for k in range(c):
            for column, A in enumerate(sets):
                if k in A:
                    for i in range(n):
                        x = X[i] - np.mean([V[j] for j in A], axis=0)
                        covariances[k] += len(A) ** (alpha - 1) * masses[i, column] ** beta * np.outer(x, x)
        S = [np.linalg.det(one) ** (1 / p) * np.linalg.inv(one) for one in covariances]
        masses, J = masses_at(X, V, S, sets, alpha, beta, delta)
    return masses, J


def masses_at(X, V, S, sets, alpha, beta, delta):
    masses = np.zeros((len(X), len(sets)))
    J = 0.0
    for i, x in enumerate(X):
        costs = []
        for A in sets:
            if A:
                x_A = x - np.mean([V[k] for k in A], axis=0)
                costs.append(len(A) ** alpha * (x_A @ np.mean([S[k] for k in A], axis=0) @ x_A))
            else:
                costs.append(delta**2)
        powers = [cost ** (-1 / (beta - 1)) for cost in costs]
        masses[i] = np.array(powers) / sum(powers)
        J += sum(cost * m**beta for cost, m in zip(costs, masses[i]))
    return masses, J / (len(X) * len(sets))
