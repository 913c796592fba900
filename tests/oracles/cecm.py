"""Literal transcriptions of CECM: joint masses over the product space, loop by loop as printed; for a dozen
objects at most.

`sets` are frozensets of clusters from 0, the empty set first where present; `m` is one row of masses, `M` all
of them. Distances, prototypes and norms are in ``tests/oracles/ecm.py``.
"""

from itertools import product

import numpy as np

from tests.oracles import ecm


def joint_masses(m_i, m_j, sets):
    """Masses on sets of pairs of clusters, [antoine2012_cecm (16)] and [antoine2012_cecm (17)]."""
    joint = {}
    empty_i = sum(mass for mass, A in zip(m_i, sets) if not A)
    empty_j = sum(mass for mass, B in zip(m_j, sets) if not B)
    joint[frozenset()] = empty_i + empty_j - empty_i * empty_j
    for a, A in enumerate(sets):
        for b, B in enumerate(sets):
            if A and B:
                pairs = frozenset(product(A, B))
                joint[pairs] = joint.get(pairs, 0.0) + m_i[a] * m_j[b]
    return joint


def joint_plausibility(joint, event):
    """Mass of the sets of pairs that meet the `event`, a set of pairs, [antoine2012_cecm (4)]."""
    return sum(mass for pairs, mass in joint.items() if pairs & event)


def same_cluster(c):
    """The event theta."""
    return frozenset((k, k) for k in range(c))


def different_clusters(c):
    """Its complement in the product space."""
    return frozenset(product(range(c), repeat=2)) - same_cluster(c)


def printed_plausibilities(m_i, m_j, sets):
    """The two sums as printed, [antoine2012_cecm (18)] and [antoine2012_cecm (19)]."""
    same = sum(m_i[a] * m_j[b] for a, A in enumerate(sets) for b, B in enumerate(sets) if A & B)
    joint = joint_masses(m_i, m_j, sets)
    both = sum(m_i[a] * m_j[a] for a, A in enumerate(sets) if len(A) == 1)
    return same, 1 - joint[frozenset()] - both


def constraint_cost(M, must_link, cannot_link, sets, c):
    """[antoine2012_cecm (20)]; all certain."""
    total = 0.0
    for i, j in must_link:
        total += joint_plausibility(joint_masses(M[i], M[j], sets), different_clusters(c))
    for i, j in cannot_link:
        total += joint_plausibility(joint_masses(M[i], M[j], sets), same_cluster(c))
    return total / (len(must_link) + len(cannot_link))


def objective(X, M, V, S, sets, alpha, delta, xi, must_link, cannot_link):
    """[antoine2012_cecm (21)], with the number of focal sets in place of 2^c."""
    n, f = M.shape
    d2 = ecm.distances(X, V, sets, S)
    data = 0.0
    for i in range(n):
        for j, A in enumerate(sets):
            data += M[i, j] ** 2 * (len(A) ** alpha * d2[i, j] if A else delta**2)
    violation = constraint_cost(M, must_link, cannot_link, sets, len(V))
    return (1 - xi) * data / (f * n) + xi * violation


def separable_minimum(a, b):
    """Minimiser of the sum of a m^2 + b m on the simplex, and the minimum, by trying every set of masses.

    Stationary points with exactly the masses of a support: curved ones at one slope, and of the flat ones
    (a = 0) a single one, which fixes the slope.
    """
    curved = [k for k in range(len(a)) if a[k] > 0]
    flat = [k for k in range(len(a)) if a[k] == 0]
    best, least = None, np.inf
    for chosen in product([False, True], repeat=len(curved)):
        support = [k for k, inside in zip(curved, chosen) if inside]
        for last in [None, *flat]:
            m = np.zeros(len(a))
            if last is None:
                if not support:
                    continue
                width = sum(1 / (2 * a[k]) for k in support)
                slope = (1 + sum(b[k] / (2 * a[k]) for k in support)) / width
            else:
                slope = b[last]
            for k in support:
                m[k] = (slope - b[k]) / (2 * a[k])
            if last is not None:
                m[last] = 1 - m.sum()
            value = sum(a[k] * m[k] ** 2 + b[k] * m[k] for k in range(len(a)))
            if m.min() >= 0 and value < least:
                best, least = m, value
    return best, least


def kkt_violation(m, gradient):
    """How far masses on the simplex are from stationary: mass times its excess slope, and a negative excess.

    At a minimum, sets with mass have the least slope: the sum of mass times (slope - least slope) is 0.
    """
    return float(m @ (gradient - gradient.min()))
