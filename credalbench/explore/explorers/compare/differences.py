"""Where two credal partitions of the same objects differ, and objects that only one of them tells apart.

By the set of largest mass the two say the same of an object, or they differ in one of three ways. And of each
partition is asked which two objects it tells apart that are alike to the other: what it knows more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist

from credalbench.belief import CredalPartition
from credalbench.belief.explanation import reason_of

#: What two sets of largest mass can be to each other: the same; one has clusters of the other, and more or
#: fewer; one alone is empty; two without a common cluster.
KINDS = ("same", "precision", "outlier", "cluster")
#: Objects are alike up to this difference of any mass; told apart from this share of all mass on.
ALIKE, APART = 0.1, 0.3
#: Objects looked at for what is told apart: of each set those with most mass on it.
LOOKED_AT = 250


@dataclass(frozen=True)
class Disagreement:
    """Two objects that are alike to one partition, and that the other tells apart."""

    first: int
    second: int


@dataclass(frozen=True, eq=False)
class Differences:
    """How two partitions differ, clusters numbered alike.

    Attributes
    ----------
    kinds : ndarray of int, shape (n,)
        Index in `KINDS` of what the two say of each object.
    told_by_left, told_by_right : ToldApart or None
        Objects that are alike to the other side.
    identical : bool
        Whether all masses are the same.
    """

    kinds: np.ndarray
    separated_by_left: Disagreement | None
    separated_by_right: Disagreement | None
    identical: bool

    @cached_property
    def counts(self) -> np.ndarray:
        """How many objects are of each kind, (4,)."""
        return np.bincount(self.kinds, minlength=len(KINDS))


def differences_of(left: CredalPartition, right: CredalPartition) -> Differences:
    """Return how two partitions of n objects, on the same focal sets, differ. O(n f)."""
    return Differences(
        kinds_of(left, right),
        disagreement(right, left),
        disagreement(left, right),
        bool(np.array_equal(left.masses, right.masses)),
    )


def kinds_of(left: CredalPartition, right: CredalPartition) -> np.ndarray:
    """Return the index in `KINDS` of what two partitions say of each object, (n,)."""
    A, B = (one.focal_sets.membership[one.hard_credal()] for one in (left, right))
    empty = (~A.any(axis=1), ~B.any(axis=1))
    meet = (A & B).any(axis=1)
    conditions = [(A == B).all(axis=1), meet, empty[0] ^ empty[1]]
    return np.select(conditions, [0, 1, 2], 3)


def disagreement(coarse: CredalPartition, fine: CredalPartition) -> Disagreement | None:
    """Return the objects that are alike to `coarse` and most different to `fine`, or None.

    Alike: no mass differs by more than `ALIKE`. Different: at least `APART` of all mass lies elsewhere (half
    the sum of the differences). Pairs of which one is an outlier go before others, pairs with different sets
    of largest mass before those with one set; of equal pairs the first.
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
    """Rows of objects, of each set equally many: those with most mass on the set of their largest mass."""
    sets = partition.hard_credal()
    most = partition.masses[np.arange(len(sets)), sets]
    order = np.lexsort((-most, sets))
    firsts = np.searchsorted(sets[order], sets[order])  # where the set of each begins
    rank = np.arange(len(sets)) - firsts
    return np.sort(order[rank < LOOKED_AT // len(np.unique(sets))])


def reason(partition: CredalPartition, i: int) -> str:
    """Why an object is where it is, in one sentence."""
    return reason_of(partition.masses[i], partition.focal_sets)
