"""Literal transcriptions of EVCLUS, loop by loop as printed; for a dozen objects at most."""

import numpy as np


def conflict(m, other, sets):
    """Degree of conflict of two mass functions on the same focal `sets`: the double sum of Eq. (3)."""
    total = 0.0
    for A, mass in zip(sets, m, strict=True):
        for B, other_mass in zip(sets, other, strict=True):
            if not (set(A) & set(B)):
                total += mass * other_mass
    return total


def stress(M, delta, sets):
    """Eq. (12) over i < j, with its normalising constant."""
    n = len(M)
    total, squares = 0.0, 0.0
    for i in range(n):
        for j in range(i + 1, n):
            total += (conflict(M[i], M[j], sets) - delta[i, j]) ** 2
            squares += delta[i, j] ** 2
    return total / squares


def sampled_stress(M, partners, delta, sets):
    """Eqs. (22) and (23): every listed pair once, (n, k) `partners` and `delta`."""
    total, squares = 0.0, 0.0
    for i in range(len(M)):
        for r, j in enumerate(partners[i]):
            total += (conflict(M[i], M[j], sets) - delta[i, r]) ** 2
            squares += delta[i, r] ** 2
    return total / squares


def row_programme(M, i, others, targets, C):
    """Matrix and linear term of Eq. (20) for row i, its residual matrix written out."""
    rows = np.array([M[j] @ C for j in others])
    return rows.T @ rows, rows.T @ np.asarray(targets)
