r"""Compiled sweeps over the constrained objects of CECM.

The masses of one object, all others fixed, solve a separable quadratic programme on the simplex,

.. math:: \min_m \sum_A a_A m_A^2 + b_A m_A \quad\text{s.t.}\quad m \ge 0,\; 1^T m = 1,

with the costs of the object as :math:`a \ge 0` and, as b, the costs of its must- and cannot-links at the
masses of the other objects. Literal transcriptions are in ``tests/oracles/cecm.py``.
"""

from collections.abc import Iterator

import numpy as np

from credalbench.cluster.simplex.simplex_qp import linear_terms
from credalbench.core.kernels import kernel, pieces


@kernel
def order_of(b: np.ndarray, order: np.ndarray) -> None:
    """Fill `order` with the positions of `b` from the smallest up; by insertion, since f is small."""
    for k in range(b.size):
        q = k
        while q > 0 and b[order[q - 1]] > b[k]:
            order[q] = order[q - 1]
            q -= 1
        order[q] = k


@kernel
def separable_minimiser(
    a: np.ndarray, b: np.ndarray, negligible: float, order: np.ndarray, masses: np.ndarray
) -> None:
    """Fill `masses` with the minimiser of the sum of a m^2 + b m on the simplex; `order` (f,) is work space.

    `b` is shifted in place to a least value of 0.

    All sets with mass have the same slope 2 a m + b, so they are the first ones in the order of b: sets are
    admitted in that order until the slope is below the next b. A set with a up to `negligible` is flat: its
    slope never rises, so it takes all mass that is left.
    """
    order_of(b, order)
    b -= b[order[0]]  # a common shift changes nothing; a small a next to large, equal b would be lost
    masses[:] = 0.0
    width, used, level, admitted, flat = 0.0, 0.0, 0.0, 0, -1  # at slope `level` the admitted take `used`
    for k in order:
        more = width * (b[k] - level)
        if used + more >= 1.0:
            break
        used += more
        level = b[k]
        if a[k] <= negligible:
            flat = k
            break
        masses[k] = 0.5 / a[k]  # for now
        width += masses[k]
        admitted += 1
    excess = (1.0 - used) / width if flat < 0 else 0.0  # of the slope over `level`; their sum would lose it
    total = 0.0
    for q in range(admitted):
        k = order[q]
        masses[k] *= (level - b[k]) + excess
        total += masses[k]
    if flat >= 0:
        masses[flat] = 1.0 - used
        total += masses[flat]
    for k in range(a.size):
        masses[k] /= total


@kernel
def _take_turns(
    costs: np.ndarray, M: np.ndarray, objects: np.ndarray, network: tuple, strength: float, negligible: float
):
    """Update the `objects` of a piece of ``sweep_in_turn``."""
    f = M.shape[1]
    b, masses, order, partners = np.empty(f), np.empty(f), np.empty(f, np.int64), np.empty((2, f))
    change = 0.0
    for i in objects:
        linear_terms(i, M, network, strength, partners, b)
        separable_minimiser(costs[i], b, negligible, order, masses)
        for k in range(masses.size):
            change = max(change, abs(masses[k] - M[i, k]))
            M[i, k] = masses[k]
    return change


def sweep_in_turn(
    costs: np.ndarray, M: np.ndarray, objects: np.ndarray, network: tuple, strength: float, negligible: float
) -> float:
    """Set each of the `objects` to its best masses in turn; `M` (n, f) in place.

    The objective never rises. Returns the largest change of a mass.
    """
    change = 0.0
    for some in _pieces_of(objects, network, M.shape[1]):
        change = max(change, _take_turns(costs, M, objects[some], network, strength, negligible))
    return change


@kernel
def _best_masses(
    costs: np.ndarray,
    M: np.ndarray,
    objects: np.ndarray,
    network: tuple,
    strength: float,
    negligible: float,
    best: np.ndarray,
) -> None:
    """Fill `best` with the best masses of each of the `objects`, with the masses of the others as in `M`."""
    f = M.shape[1]
    b, order, partners = np.empty(f), np.empty(f, np.int64), np.empty((2, f))
    for r in range(objects.size):
        linear_terms(objects[r], M, network, strength, partners, b)
        separable_minimiser(costs[objects[r]], b, negligible, order, best[r])


def sweep_together(
    costs: np.ndarray,
    M: np.ndarray,
    objects: np.ndarray,
    network: tuple,
    strength: float,
    negligible: float,
    step: float,
) -> float:
    """Move all `objects` at once a `step` of the way to their best masses.

    The objective may rise. Returns the largest distance of a mass from its target.
    """
    best = np.empty((len(objects), M.shape[1]))
    for some in _pieces_of(objects, network, M.shape[1]):
        _best_masses(costs, M, objects[some], network, strength, negligible, best[some])
    way = best - M[objects]
    M[objects] += step * way
    return float(np.abs(way).max(initial=0.0))


def _pieces_of(objects: np.ndarray, network: tuple, f: int) -> Iterator[slice]:
    """Return slices of the `objects`; each reads the masses of its partners and two (f, f) matrices."""
    _, partners, *_ = network
    operations = f * len(partners) / max(len(objects), 1) + 3 * f**2
    return (slice(*bounds) for bounds in pieces(0, len(objects), operations))
