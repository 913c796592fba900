r"""Compiled sweeps over the constrained objects of CECM.

The masses of one object, all others fixed, solve a separable quadratic programme on the simplex,

.. math:: \min_m \sum_A a_A m_A^2 + b_A m_A \quad\text{s.t.}\quad m \ge 0,\; 1^T m = 1,

with the costs of the object as :math:`a \ge 0` and, as b, what its must- and cannot-links say of the masses
of their other ends. Literal transcriptions are in ``tests/oracles/cecm.py``.
"""

import numpy as np
from numba import njit


@njit(cache=True, error_model="numpy")
def separable_minimiser(a, b, negligible, masses):
    """Fill `masses` with the minimiser of the sum of a m^2 + b m on the simplex; f log f operations.

    All sets with mass have the same slope 2 a m + b, so they are the first ones in the order of b: sets are
    admitted in that order until the slope is below the next b. A set with a up to `negligible` is flat: its
    slope never rises, so it takes all mass that is left.
    """
    f = a.size
    order = np.argsort(b)
    width, shift, slope, admitted, flat = 0.0, 0.0, np.inf, 0, -1
    for k in order:
        if admitted > 0 and slope <= b[k]:
            break
        if a[k] <= negligible:
            slope, flat = b[k], k
            break
        width += 0.5 / a[k]
        shift += 0.5 * b[k] / a[k]
        admitted += 1
        slope = (1.0 + shift) / width
    total = 0.0
    masses[:] = 0.0
    for q in range(admitted):
        k = order[q]
        masses[k] = max(0.5 * (slope - b[k]) / a[k], 0.0)
        total += masses[k]
    if flat >= 0:
        masses[flat] = max(1.0 - total, 0.0)
        total += masses[flat]
    for k in range(f):
        masses[k] /= total


@njit(cache=True, error_model="numpy")
def linear_terms(i, M, network, strength, b):
    """Fill `b` (f,) with `strength` times what the constraints of object i charge for each focal set."""
    starts, ends, must, weights, same, different = network
    f = M.shape[1]
    linked, parted = np.zeros(f), np.zeros(f)  # weighted masses of the objects it must, or cannot, be with
    for t in range(starts[i], starts[i + 1]):
        j = ends[t]
        if must[t]:
            for k in range(f):
                linked[k] += weights[t] * M[j, k]
        else:
            for k in range(f):
                parted[k] += weights[t] * M[j, k]
    for k in range(f):
        total = 0.0
        for q in range(f):
            total += different[k, q] * linked[q] + same[k, q] * parted[q]
        b[k] = strength * total


@njit(cache=True, error_model="numpy")
def sweep_in_turn(costs, M, objects, network, strength, negligible):
    """Each of the `objects` takes its best masses, the others as they are now; `M` (n, f) in place.

    The objective never rises. Returns the largest change of a mass.
    """
    b, masses = np.empty(M.shape[1]), np.empty(M.shape[1])
    change = 0.0
    for i in objects:
        linear_terms(i, M, network, strength, b)
        separable_minimiser(costs[i], b, negligible, masses)
        for k in range(masses.size):
            change = max(change, abs(masses[k] - M[i, k]))
            M[i, k] = masses[k]
    return change


@njit(cache=True, error_model="numpy")
def sweep_together(costs, M, objects, network, strength, negligible, step):
    """All `objects` move a `step` of the way to their best masses, the others as they were before the sweep.

    The objective may rise. Returns the largest distance of a mass from where it was heading.
    """
    b, best = np.empty(M.shape[1]), np.empty((objects.size, M.shape[1]))
    for r in range(objects.size):
        linear_terms(objects[r], M, network, strength, b)
        separable_minimiser(costs[objects[r]], b, negligible, best[r])
    change = 0.0
    for r in range(objects.size):
        i = objects[r]
        for k in range(M.shape[1]):
            change = max(change, abs(best[r, k] - M[i, k]))
            M[i, k] += step * (best[r, k] - M[i, k])
    return change
