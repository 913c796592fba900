"""Differences between two credal partitions of the same objects.

The sets of largest mass of an object are the same, or differ in one of three ways. In addition, the
functions find two objects that one partition separates although they are alike in the other.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist

from credalbench.belief import CredalPartition

#: Relations between two sets of largest mass: the same; overlapping but different; exactly one is empty; no
#: common cluster.
KINDS = ("same", "precision", "outlier", "cluster")
#: Two objects are alike if no mass differs by more, and separated if at least this share of mass differs.
ALIKE, APART = 0.1, 0.3
#: Number of objects that are compared in pairs: of each set, those with the most mass on it.
LOOKED_AT = 250


@dataclass(frozen=True)
class Disagreement:
    """Two objects that are alike in one partition and separated by the other."""

    first: int
    second: int


@dataclass(frozen=True, eq=False)
class Differences:
    """How two partitions differ, clusters numbered alike.

    Attributes
    ----------
    kinds : ndarray of int, shape (n,)
        Index in `KINDS` for each object.
    separated_by_left, separated_by_right : Disagreement or None
        Objects that are alike on the other side.
    identical : bool
        Whether all masses are the same.
    """

    kinds: np.ndarray
    separated_by_left: Disagreement | None
    separated_by_right: Disagreement | None
    identical: bool

    @cached_property
    def counts(self) -> np.ndarray:
        """Number of objects of each kind, (4,)."""
        return np.bincount(self.kinds, minlength=len(KINDS))


def differences_of(left: CredalPartition, right: CredalPartition) -> Differences:
    """Return the differences of two partitions of n objects on the same focal sets. O(n f)."""
    return Differences(
        kinds_of(left, right),
        disagreement(right, left),
        disagreement(left, right),
        bool(np.array_equal(left.masses, right.masses)),
    )


def kinds_of(left: CredalPartition, right: CredalPartition) -> np.ndarray:
    """Return the relation of two partitions for each object, as index in `KINDS`, (n,)."""
    A, B = (one.focal_sets.membership[one.hard_credal()] for one in (left, right))
    empty = (~A.any(axis=1), ~B.any(axis=1))
    meet = (A & B).any(axis=1)
    conditions = [(A == B).all(axis=1), meet, empty[0] ^ empty[1]]
    return np.select(conditions, [0, 1, 2], 3)


def disagreement(coarse: CredalPartition, fine: CredalPartition) -> Disagreement | None:
    """Return the two objects that are alike in `coarse` and most different in `fine`, or None.

    Alike: no mass differs by more than `ALIKE`. Different: at least `APART` of all mass lies elsewhere (half
    the sum of the differences). Pairs with one outlier come before others, pairs with different sets of
    largest mass before those with one set; ties are broken by order.
    """
    rows = _clear_cases(fine)
    distance = cdist(coarse.masses[rows], coarse.masses[rows], "chebyshev")
    apart = 0.5 * cdist(fine.masses[rows], fine.masses[rows], "cityblock")
    candidates = (distance <= ALIKE) & (apart >= APART)
    if not candidates.any():
        return None
    decisions = (fine.outliers()[rows], fine.hard_credal()[rows])
    worth = apart - distance + sum((values[:, None] != values).astype(float) for values in decisions)
    best = np.where(candidates, worth, -1.0).argmax()
    return Disagreement(*sorted(rows[list(np.unravel_index(best, candidates.shape))].tolist()))


def _clear_cases(partition: CredalPartition) -> np.ndarray:
    """Return the rows of the clearest objects of each set, equally many per set."""
    sets = partition.hard_credal()
    most = partition.masses[np.arange(len(sets)), sets]
    order = np.lexsort((-most, sets))
    firsts = np.searchsorted(sets[order], sets[order])  # where the set of each begins
    rank = np.arange(len(sets)) - firsts
    return np.sort(order[rank < LOOKED_AT // len(np.unique(sets))])
