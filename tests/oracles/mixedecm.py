"""A literal transcription of MixedECM's model, loop by loop; for a dozen objects at most.

`X` are rows of numbers, `C` rows of categories; `v[k]` is the point of cluster k, `w[k][l][t]` the weight of
value t of attribute l; `u` are the weights of the attributes, numbers first. None is a missing value. Masses
and objective are those of cat-ECM and ECM.
"""

import numpy as np

from . import catecm


def factor(x, c, u):
    """Weight of all attributes over that of those that an object has."""
    return sum(u) / sum(weight for weight, value in zip(u, [*x, *c]) if value is not None)


def dissimilarity(x, c, v, w, A, domains, weight, u):
    """Squared distance of an object and a set of clusters."""
    total = 0.0
    for l, value in enumerate(x):
        if value is not None:
            total += u[l] * (value - sum(v[k][l] for k in A) / len(A)) ** 2
    for l, value in enumerate(c):
        if value is not None:
            for t in catecm.differing(c, l, domains):
                total += weight * u[len(x) + l] * catecm.set_weight(w, A, l, t)
    return factor(x, c, u) * total


def dissimilarities(X, C, v, w, sets, domains, weight, u):
    """Of all objects and sets; 0 in the column of the empty set."""
    rows = zip(X, C)
    return np.array(
        [[dissimilarity(x, c, v, w, A, domains, weight, u) if A else 0.0 for A in sets] for x, c in rows]
    )


def points(X, C, M, sets, c, alpha, beta, u):
    """The points that minimise the objective: a linear system for each attribute."""
    v = np.zeros((c, len(X[0])))
    for l in range(len(X[0])):
        H, b = np.zeros((c, c)), np.zeros(c)
        for i, x in enumerate(X):
            for j, A in enumerate(sets):
                if x[l] is not None:
                    cost = factor(x, C[i], u) * M[i][j] ** beta
                    for k in A:
                        b[k] += cost * len(A) ** (alpha - 1.0) * x[l]
                        for m in A:
                            H[k, m] += cost * len(A) ** (alpha - 2.0)
        v[:, l] = np.linalg.solve(H, b)
    return v


def weights(X, C, M, sets, c, domains, alpha, beta, u):
    """The weights that minimise it: all on the value that counts most; those that tie share it."""
    w = []
    for k in range(c):
        w.append([])
        for l, values in enumerate(domains):
            f = np.zeros(len(values))
            for t, value in enumerate(values):
                for i, row in enumerate(C):
                    for j, A in enumerate(sets):
                        if k in A and row[l] == value:
                            f[t] += factor(X[i], row, u) * len(A) ** (alpha - 1.0) * M[i][j] ** beta
            tied = f >= max(f) * (1 - catecm.SAME)
            w[k].append((tied / tied.sum()).tolist())
    return w
