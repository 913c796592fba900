"""Families of focal sets on a frame of clusters.

A credal partition gives every object a mass on some subsets of the frame Omega = {omega_1, ..., omega_c}.
Which subsets may carry mass is decided once for all objects: that is a `FocalSets`. A subset is held as a bit
mask (bit k stands for cluster k), so intersection, union and inclusion are one machine instruction each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from math import comb
from operator import index as as_integer
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

MAX_CLUSTERS = 62  # a set of clusters is one signed 64-bit integer
MAX_FOCAL_SETS = 2**16  # full(16); beyond this the masses of a few thousand objects no longer fit in memory
MAX_MATRIX_SETS = 2**13  # an (f, f) matrix of doubles then takes half a gibibyte


@dataclass(frozen=True, repr=False)
class FocalSets:
    """The subsets of {0, ..., c-1} that may carry mass, in a fixed order.

    Build one with `full`, `simple`, `pairs`, `up_to` or `from_sets`. Two families are equal when they
    hold the same sets in the same order. Clusters are counted from 0 in code and from 1 in labels.

    Parameters
    ----------
    n_clusters : int
        c, between 1 and 62.
    masks : tuple of int
        One bit mask per focal set; distinct; the empty set (0), when present, comes first.

    Examples
    --------
    >>> FocalSets.simple(3).labels
    ['∅', '{1}', '{2}', '{3}', 'Ω']
    >>> FocalSets.pairs(3, [(0, 2)]).membership.astype(int)[4]
    array([1, 0, 1])
    """

    n_clusters: int
    masks: tuple[int, ...]

    def __post_init__(self) -> None:
        c = check_n_clusters(self.n_clusters)
        masks = tuple(as_integer(mask) for mask in self.masks)
        if not masks:
            raise ValueError("expected at least one focal set, got none")
        if len(masks) > MAX_FOCAL_SETS:
            raise ValueError(_too_many(len(masks)))
        outside = [mask for mask in masks if not 0 <= mask < 1 << c]
        if outside:
            raise ValueError(f"expected bit masks in 0..2**{c} - 1, got {outside[0]}")
        if len(set(masks)) != len(masks):
            raise ValueError(f"expected distinct focal sets, got {_first_repeated(masks)} more than once")
        if 0 in masks[1:]:
            raise ValueError(f"expected the empty set at index 0, got it at index {masks.index(0)}")
        object.__setattr__(self, "n_clusters", c)
        object.__setattr__(self, "masks", masks)

    # ------------------------------------------------------------------ families

    @classmethod
    def full(cls, c: int, *, empty: bool = True, omega: bool = True) -> FocalSets:
        """All 2^c subsets (c up to 16), by cardinality, then lexicographically."""
        c = check_n_clusters(c)
        return cls.up_to(c, c, empty=empty, omega=omega)

    @classmethod
    def simple(cls, c: int, *, empty: bool = True, omega: bool = True) -> FocalSets:
        """The empty set, the c singletons and Omega: f = c + 2."""
        return cls.up_to(c, 1, empty=empty, omega=omega)

    @classmethod
    def pairs(
        cls, c: int, pairs: Iterable[Iterable[int]] | None = None, *, empty: bool = True, omega: bool = True
    ) -> FocalSets:
        """The simple family plus pairs of clusters: all of them, or the given ones.

        Parameters
        ----------
        c : int
        pairs : array-like of shape (m, 2), optional
            Cluster numbers from 0; order and repetitions do not matter. All c(c-1)/2 pairs when None.

        Raises
        ------
        ValueError
            A pair does not consist of two different clusters of 0..c-1.
        """
        c = check_n_clusters(c)
        if pairs is None:
            return cls.up_to(c, min(c, 2), empty=empty, omega=omega)  # one cluster has no pairs
        chosen = {tuple(sorted(_check_set(pair, c))) for pair in pairs}
        wrong = [pair for pair in chosen if len(pair) != 2]
        if wrong:
            raise ValueError(f"expected pairs of two different clusters, got {wrong[0]}")
        return cls._in_order(c, chain(((k,) for k in range(c)), sorted(chosen)), empty, omega)

    @classmethod
    def up_to(cls, c: int, size: int, *, empty: bool = True, omega: bool = True) -> FocalSets:
        """All non-empty subsets of at most `size` clusters, and the empty set and Omega.

        Raises
        ------
        ValueError
            `size` lies outside 1..c, or the family has more than 65536 sets (full(17) has 131072).
        """
        c, size = check_n_clusters(c), as_integer(size)
        if not 1 <= size <= c:
            raise ValueError(f"expected a size between 1 and c = {c}, got {size}")
        count = sum(comb(c, r) for r in range(0, size + 1)) + (size < c)
        if count > MAX_FOCAL_SETS:
            raise ValueError(_too_many(count))
        subsets = chain.from_iterable(combinations(range(c), r) for r in range(1, size + 1))
        return cls._in_order(c, subsets, empty, omega)

    @classmethod
    def from_sets(cls, c: int, sets: Iterable[Iterable[int]]) -> FocalSets:
        """The given sets in the given order; the empty set, if any, must come first.

        Raises
        ------
        ValueError
            A set is repeated, leaves the frame, or the empty set is not the first.
        """
        c = check_n_clusters(c)
        return cls(c, tuple(_mask(_check_set(A, c)) for A in sets))

    @classmethod
    def from_membership(cls, membership: ArrayLike) -> FocalSets:
        """The rows of a boolean (f, c) array as focal sets, in that order."""
        table = np.asarray(membership)
        if table.ndim != 2 or not np.isin(table, (0, 1)).all():
            raise ValueError(
                f"expected a 0/1 array of shape (f, c), got {table.dtype} of shape {table.shape}"
            )
        return cls.from_sets(table.shape[1], [np.flatnonzero(row) for row in table])

    @classmethod
    def from_masks(cls, c: int, masks: Iterable[int]) -> FocalSets:
        """The sets with the given bit masks, repetitions dropped, in the order of the families."""
        distinct = sorted({as_integer(mask) for mask in masks}, key=lambda mask: _family_order(mask, c))
        return cls(c, tuple(distinct))

    @classmethod
    def _in_order(cls, c: int, subsets: Iterable[Iterable[int]], empty: bool, omega: bool) -> FocalSets:
        whole = (1 << c) - 1
        inner = [mask for mask in map(_mask, subsets) if mask != whole]
        return cls(c, (0,) * bool(empty) + tuple(inner) + (whole,) * bool(omega))

    # ------------------------------------------------------------------ the sets

    @cached_property
    def bits(self) -> np.ndarray:
        """Bit masks as a read-only int64 array of shape (f,)."""
        return _frozen(np.array(self.masks, dtype=np.int64))

    @cached_property
    def membership(self) -> np.ndarray:
        """Read-only bool array (f, c): is cluster k in focal set j? [jiao2022_egmm (15)]"""
        return _frozen((self.bits[:, None] >> np.arange(self.n_clusters)) & 1 == 1)

    @cached_property
    def cardinality(self) -> np.ndarray:
        """Read-only int array (f,): the number of clusters in each focal set."""
        return _frozen(self.membership.sum(axis=1))

    @cached_property
    def sets(self) -> tuple[frozenset[int], ...]:
        """The focal sets as frozensets of cluster numbers from 0."""
        return tuple(frozenset(np.flatnonzero(row).tolist()) for row in self.membership)

    @property
    def labels(self) -> list[str]:
        """Names for people: ∅, {1}, {1,2}, Ω, with clusters counted from 1."""
        return [set_label(A, self.n_clusters) for A in self.sets]

    @property
    def has_empty(self) -> bool:
        """Is the empty set (then at index 0) a focal set?"""
        return self.masks[0] == 0

    @property
    def has_omega(self) -> bool:
        """Is the whole frame a focal set?"""
        return self.omega_mask in self._positions

    @property
    def omega_mask(self) -> int:
        """The bit mask of the whole frame, 2^c - 1."""
        return (1 << self.n_clusters) - 1

    def __len__(self) -> int:
        return len(self.masks)

    def __iter__(self) -> Iterator[frozenset[int]]:
        return iter(self.sets)

    def __contains__(self, A: Iterable[int]) -> bool:
        return self.mask_of(A) in self._positions

    def index(self, A: Iterable[int]) -> int:
        """Position of the set A (cluster numbers from 0).

        Raises
        ------
        ValueError
            A is no focal set of this family.

        Examples
        --------
        >>> FocalSets.simple(3).index({0, 1, 2})
        4
        """
        mask = self.mask_of(A)
        if mask not in self._positions:
            label = set_label(_members(mask), self.n_clusters)
            raise ValueError(
                f"expected one of the {len(self)} focal sets, got {label}, which is none of them"
            )
        return self._positions[mask]

    def mask_of(self, A: Iterable[int]) -> int:
        """Bit mask of any subset of the frame: an iterable of cluster numbers, or a bool array (c,)."""
        return _mask(_check_set(A, self.n_clusters))

    def positions(self, masks: ArrayLike) -> np.ndarray:
        """Positions of the sets with the given bit masks; -1 where a set is no focal set."""
        flat = np.asarray(masks, dtype=np.int64)
        order = np.argsort(self.bits)
        nearest = np.minimum(np.searchsorted(self.bits, flat, sorter=order), len(self) - 1)
        found = order[nearest]
        return np.where(self.bits[found] == flat, found, -1)

    @cached_property
    def singletons(self) -> np.ndarray:
        """Read-only int array (c,): position of {k}, or -1 where it is no focal set."""
        return _frozen(self.positions(1 << np.arange(self.n_clusters, dtype=np.int64)))

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {mask: position for position, mask in enumerate(self.masks)}

    # ------------------------------------------------------------------ relations between sets

    @cached_property
    def intersects(self) -> np.ndarray:
        """Read-only bool array (f, f): do F_k and F_l share a cluster?"""
        self._check_matrix()
        return _frozen(self.bits[:, None] & self.bits != 0)

    @cached_property
    def disjoint(self) -> np.ndarray:
        """Read-only bool array (f, f): is the intersection of F_k and F_l empty?

        The empty set is disjoint from every set, itself included.
        """
        return _frozen(~self.intersects)

    @cached_property
    def conflict(self) -> np.ndarray:
        """The matrix C with C_kl = 1 if F_k and F_l are disjoint, else 0 [denoeux2016_evclus (18)].

        Read-only float array of shape (f, f); the row of the empty set is all ones.

        Raises
        ------
        ValueError
            The family has more than 8192 sets.

        References
        ----------
        denoeux2016_evclus
        """
        return _frozen(self.disjoint.astype(float))

    @cached_property
    def jaccard(self) -> np.ndarray:
        """Jaccard matrix: the size of F_k ∩ F_l over that of F_k ∪ F_l; read-only float array (f, f).

        The empty set has similarity 1 to itself and 0 to every other set.
        """
        self._check_matrix()
        table = self.membership.astype(float)
        common = table @ table.T
        united = self.cardinality[:, None] + self.cardinality - common
        both_empty = united == 0
        return _frozen(np.where(both_empty, 1.0, common / np.where(both_empty, 1.0, united)))

    def _check_matrix(self) -> None:
        if len(self) > MAX_MATRIX_SETS:
            raise ValueError(
                f"expected at most {MAX_MATRIX_SETS} focal sets for a matrix between them, got {len(self)}; "
                "choose a smaller family, for instance FocalSets.up_to(c, 2)"
            )

    # ------------------------------------------------------------------ building on a family

    def with_omega(self) -> FocalSets:
        """This family, with Omega appended if it was missing."""
        return self if self.has_omega else FocalSets(self.n_clusters, (*self.masks, self.omega_mask))

    def union(self, other: FocalSets) -> FocalSets:
        """The sets of both families in the order of the families (frames must agree)."""
        check_same_frame(self, other)
        return (
            self if self == other else FocalSets.from_masks(self.n_clusters, chain(self.masks, other.masks))
        )

    def __repr__(self) -> str:
        labels = self.labels if len(self) <= 8 else [*self.labels[:6], "...", self.labels[-1]]
        return f"FocalSets(c={self.n_clusters}, f={len(self)}: {' '.join(labels)})"

    def __reduce__(self) -> tuple[type[FocalSets], tuple[int, tuple[int, ...]]]:
        # Rebuilt rather than copied: numpy forgets the read-only flag of the cached arrays when pickling.
        return FocalSets, (self.n_clusters, self.masks)


def set_label(A: Iterable[int], c: int) -> str:
    """Name of a set of clusters for people: ∅, {1,2}, Ω."""
    members = sorted(A)
    if not members:
        return "∅"
    return "Ω" if len(members) == c and c > 1 else "{" + ",".join(str(k + 1) for k in members) + "}"


def check_n_clusters(c: SupportsIndex) -> int:
    """c as an int in 1..62, or an error."""
    try:
        value = as_integer(c)
    except TypeError:
        raise TypeError(f"expected the number of clusters as an integer, got {type(c).__name__}") from None
    if not 1 <= value <= MAX_CLUSTERS:
        raise ValueError(f"expected between 1 and {MAX_CLUSTERS} clusters, got {value}")
    return value


def check_same_frame(first: FocalSets, second: FocalSets) -> None:
    """Raise unless both families live on frames of the same size."""
    if first.n_clusters != second.n_clusters:
        raise ValueError(
            f"expected two families on one frame, got {first.n_clusters} and {second.n_clusters} clusters"
        )


def _check_set(A: Iterable[int], c: int) -> set[int]:
    """The members of a subset of 0..c-1, given as numbers or as a bool array of shape (c,)."""
    if isinstance(A, np.ndarray) and A.dtype == bool:
        if A.shape != (c,):
            raise ValueError(f"expected a bool array of shape ({c},), got shape {A.shape}")
        return set(np.flatnonzero(A).tolist())
    try:
        members = {as_integer(k) for k in A}
    except TypeError:
        raise TypeError(f"expected a set of cluster numbers from 0, got {A!r}") from None
    outside = [k for k in members if not 0 <= k < c]
    if outside:
        raise ValueError(f"expected cluster numbers in 0..{c - 1}, got {outside[0]}")
    return members


def _mask(members: Iterable[int]) -> int:
    return sum(1 << k for k in members)


def _members(mask: int) -> list[int]:
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def _family_order(mask: int, c: int) -> tuple[int, list[int]]:
    members = _members(mask)
    return len(members), members


def _first_repeated(masks: Iterable[int]) -> str:
    seen = set()
    for mask in masks:
        if mask in seen:
            return "{" + ",".join(str(k + 1) for k in _members(mask)) + "}"
        seen.add(mask)
    return "none"


def _too_many(count: int) -> str:
    return (
        f"expected at most {MAX_FOCAL_SETS} focal sets (full(16)), got {count}; "
        "use FocalSets.simple, .pairs or .up_to with a smaller size"
    )


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
