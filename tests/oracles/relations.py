"""Fuzzy relations as the ensemble paper prints them: t-norms by their formulas, closures by powers.

Slow and plain on purpose.
"""

import numpy as np


def minimum(a, b):
    return np.minimum(a, b)


def product(a, b):
    return a * b


def lukasiewicz(a, b):
    return np.maximum(0.0, a + b - 1.0)


def hamacher(p):
    def T(a, b):
        below = p + (1.0 - p) * (a + b - a * b)
        return np.where(below == 0, 0.0, a * b / np.where(below == 0, 1.0, below))

    return T


def frank(p):
    return lambda a, b: np.log1p((p**a - 1.0) * (p**b - 1.0) / (p - 1.0)) / np.log(p)


def yager(p):
    return lambda a, b: np.maximum(0.0, 1.0 - ((1.0 - a) ** p + (1.0 - b) ** p) ** (1.0 / p))


NAMED = {"minimum": minimum, "product": product, "lukasiewicz": lukasiewicz}
PARAMETRIC = {"hamacher": hamacher, "frank": frank, "yager": yager}


def composition(R, Q, T):
    """(12): all T(R(x, z), Q(z, y)) in an array (x, z, y)."""
    return T(R[:, :, None], Q[None]).max(axis=1)


def closure_by_powers(R, T):
    """(13): the union of R, R^2, R^3, ... up to R^(n-1)."""
    power = union = R
    for _ in range(len(R) - 2):
        power = composition(power, R, T)
        union = np.maximum(union, power)
    return union


def closure_by_squaring(R, T):
    """Repeated squaring up to a fixed point; the squares are taken to contain R, which is reflexive."""
    while True:
        squared = np.maximum(R, composition(R, R, T))
        if np.abs(squared - R).max() < 1e-15:  # rounding of T, which may go on for ever
            return squared
        R = squared


def closed_masses(same, different, T):
    """(17a), (17b), (17c): the masses of {s}, {not s} and Theta."""
    believed = closure_by_squaring(same, T)
    possible = closure_by_squaring(1.0 - different, T)
    return believed, 1.0 - possible, possible - believed


def co_association(partitions):
    """(14), pair by pair."""
    n = len(partitions[0])
    votes = [[sum(y[i] == y[j] for y in partitions) for j in range(n)] for i in range(n)]
    return np.array(votes) / len(partitions)
