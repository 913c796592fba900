"""Literal transcriptions for BootGMM, loop by loop; for a dozen objects at most."""

import numpy as np


def pair_probability(p, q):
    """Probability that two objects are in the same component, from their posteriors (c,)."""
    return sum(p[k] * q[k] for k in range(len(p)))


def intervals(posteriors, confidence):
    """Percentile intervals of all pairs from (B, n, c) posteriors: two (n, n), zeros on the diagonal."""
    B, n, _ = posteriors.shape
    lower, upper = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                found = [pair_probability(posteriors[b, i], posteriors[b, j]) for b in range(B)]
                lower[i, j] = np.quantile(found, (1 - confidence) / 2)
                upper[i, j] = np.quantile(found, (1 + confidence) / 2)
    return lower, upper


def pair_masses(m, other, sets):
    """Masses of two objects on "same" and on "different", by a double sum over the focal `sets`."""
    same, different = 0.0, 0.0
    for A, mass in zip(sets, m):
        for B, other_mass in zip(sets, other):
            if len(A) == 1 and set(A) == set(B):
                same += mass * other_mass
            if A and B and not set(A) & set(B):
                different += mass * other_mass
    return same, different


def objective(M, lower, upper, sets):
    """Sum over i < j of the squared distances from belief and plausibility of "same" to the interval."""
    total = 0.0
    for i in range(len(M)):
        for j in range(i + 1, len(M)):
            same, different = pair_masses(M[i], M[j], sets)
            total += (same - lower[i, j]) ** 2 + (different - (1 - upper[i, j])) ** 2
    return total
