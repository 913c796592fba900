"""Literal transcription of EK-NNclus; for a dozen objects at most."""

import numpy as np

from tests.oracles.belief import combine, dempster_normalised


def nearest(D, K):
    """The K nearest others of each object by a full sort; the lower index first among equally far ones."""
    n = len(D)
    return [sorted((j for j in range(n) if j != i), key=lambda j: D[i, j])[:K] for i in range(n)]


def sweep(y, neighbours, v, order):
    """Visit the objects in turn; each takes the label that its neighbours support most, the first on ties.

    Returns the new labels and the sum of the gains in support.
    """
    y, gains = list(y), 0.0
    for i in order:
        u = [0.0] * (max(y) + 1)
        for j, weight in zip(neighbours[i], v[i]):
            u[y[j]] += weight
        best = u.index(max(u))
        gains += u[best] - u[y[i]]
        y[i] = best
    return y, gains


def energy(y, neighbours, v):
    """Minus half the weight between objects and neighbours of the same label."""
    n = len(y)
    return -0.5 * sum(weight for i in range(n) for j, weight in zip(neighbours[i], v[i]) if y[i] == y[j])


def combined(i, y, neighbours, strength, c):
    """Dempster's rule over the simple mass functions of the neighbours of object i, one after another."""
    frame = frozenset(range(c))
    m = {frame: 1.0}
    for j, a in zip(neighbours[i], strength[i]):
        m = combine(m, {frozenset([int(y[j])]): float(a), frame: 1.0 - float(a)}, "conjunctive", frame)
    return dempster_normalised(m)


def mass_vector(m, sets):
    return np.array([m.get(A, 0.0) for A in sets])
