"""Focal sets: the subsets of clusters that may carry mass.

A credal partition gives every object a mass on some subsets of the frame Omega = {omega_1, ..., omega_c}. A
`FocalSets` holds the subsets, which are the same for all objects. Each is a bit mask (bit k is cluster k):
intersection, union and inclusion take one machine instruction each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from math import comb
from operator import index as as_integer
from typing import Annotated, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import (
    Choice,
    Count,
    Flag,
    Instance,
    as_array,
    expect,
    expect_count,
    expect_instance,
)
from credalbench.core.resources import expect_memory

MAX_FOCAL_SETS = 2**16  # full(16); with more, the masses of a few thousand objects do not fit into memory
MAX_MATRIX_SETS = 2**13  # an (f, f) matrix of doubles then takes half a gibibyte
MAX_CLUSTERS = 62  # a set of clusters is one signed 64-bit integer


@dataclass(frozen=True, repr=False)
class FocalSets:
    """Subsets of {0, ..., c-1} that may carry mass, in a fixed order.

    Build one with `full`, `simple`, `pairs`, `up_to` or `from_sets`. Two of them are equal if they hold the
    same sets in the same order. Clusters are counted from 0 in code and from 1 in labels.

    Parameters
    ----------
    n_clusters : int
        Number of clusters c, between 1 and 62.
    masks : tuple of int
        One bit mask per focal set. They are distinct; the empty set (0) comes first if it is present.

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
            repeated = next(mask for place, mask in enumerate(masks) if mask in masks[:place])
            label = set_label(members_of(repeated), c)
            raise ValueError(f"expected distinct focal sets, got {label} more than once")
        if 0 in masks[1:]:
            raise ValueError(f"expected the empty set at index 0, got it at index {masks.index(0)}")
        object.__setattr__(self, "n_clusters", c)
        object.__setattr__(self, "masks", masks)

    # ------------------------------------------------------------------ constructors

    @classmethod
    def full(cls, c: int, *, empty: bool = True, omega: bool = True) -> FocalSets:
        """Return all 2^c subsets, by cardinality and then lexicographically.

        Parameters
        ----------
        c : int
            Number of clusters, at most 16.
        empty, omega : bool, default True
            Whether to include the empty set and Omega.

        Returns
        -------
        FocalSets
            The 2^c subsets, without those that are excluded.

        Examples
        --------
        >>> FocalSets.full(2).labels
        ['∅', '{1}', '{2}', 'Ω']
        """
        c = check_n_clusters(c)
        return cls.up_to(c, c, empty=empty, omega=omega)

    @classmethod
    def simple(cls, c: int, *, empty: bool = True, omega: bool = True) -> FocalSets:
        """Return the empty set, the c singletons and Omega.

        Parameters
        ----------
        c : int
            Number of clusters.
        empty, omega : bool, default True
            Whether to include the empty set and Omega.

        Returns
        -------
        FocalSets
            The c + 2 sets, without those that are excluded.

        Examples
        --------
        >>> FocalSets.simple(2, empty=False).labels
        ['{1}', '{2}', 'Ω']
        """
        return cls.up_to(c, 1, empty=empty, omega=omega)

    @classmethod
    def pairs(
        cls, c: int, pairs: Iterable[Iterable[int]] | None = None, *, empty: bool = True, omega: bool = True
    ) -> FocalSets:
        """Return the simple focal sets plus pairs of clusters.

        Parameters
        ----------
        c : int
            Number of clusters.
        pairs : array-like of shape (m, 2), optional
            Cluster numbers from 0; order and repetitions do not matter. None: all c(c-1)/2 pairs.
        empty, omega : bool, default True
            Whether to include the empty set and Omega.

        Returns
        -------
        FocalSets
            Singletons first, then the pairs in lexicographic order.

        Raises
        ------
        ValueError
            If a pair does not consist of two different clusters of 0..c-1.

        Examples
        --------
        >>> FocalSets.pairs(3, [(0, 2)], empty=False).labels
        ['{1}', '{2}', '{3}', '{1,3}', 'Ω']
        """
        c = check_n_clusters(c)
        if pairs is None:
            return cls.up_to(c, min(c, 2), empty=empty, omega=omega)  # one cluster has no pairs
        expect(np.iterable(pairs), "a list of pairs", pairs)
        chosen = {tuple(sorted(read_set(pair, c))) for pair in pairs}
        wrong = [pair for pair in chosen if len(pair) != 2]
        if wrong:
            raise ValueError(f"expected pairs of two different clusters, got {wrong[0]}")
        return cls._in_order(c, chain(((k,) for k in range(c)), sorted(chosen)), empty, omega)

    @classmethod
    def up_to(cls, c: int, size: int, *, empty: bool = True, omega: bool = True) -> FocalSets:
        """Return all non-empty subsets of at most `size` clusters, the empty set and Omega.

        Parameters
        ----------
        c : int
            Number of clusters.
        size : int
            Largest cardinality, 1 to c.
        empty, omega : bool, default True
            Whether to include the empty set and Omega.

        Returns
        -------
        FocalSets
            By cardinality, then lexicographically.

        Raises
        ------
        ValueError
            If `size` lies outside 1..c, or there are more than 65536 sets (full(17) has 131072).

        Examples
        --------
        >>> len(FocalSets.up_to(5, 2))
        17
        """
        c = check_n_clusters(c)
        size = expect_count("size", size, 1, c, "c")
        count = sum(comb(c, r) for r in range(0, size + 1)) + (size < c)
        if count > MAX_FOCAL_SETS:
            raise ValueError(_too_many(count))
        subsets = chain.from_iterable(combinations(range(c), r) for r in range(1, size + 1))
        return cls._in_order(c, subsets, empty, omega)

    @classmethod
    def from_sets(cls, c: int, sets: Iterable[Iterable[int]]) -> FocalSets:
        """Return the given sets in the given order.

        Parameters
        ----------
        c : int
            Number of clusters.
        sets : iterable of iterables of int
            Cluster numbers from 0. The empty set, if any, must come first.

        Returns
        -------
        FocalSets
            The sets in this order.

        Raises
        ------
        ValueError
            If a set is repeated or outside the frame, or the empty set is not first.

        Examples
        --------
        >>> FocalSets.from_sets(3, [[], [0], [0, 1]]).labels
        ['∅', '{1}', '{1,2}']
        """
        c = check_n_clusters(c)
        expect(np.iterable(sets), "a list of sets", sets)
        return cls(c, tuple(mask_of_members(read_set(A, c)) for A in sets))

    @classmethod
    def from_membership(cls, membership: ArrayLike) -> FocalSets:
        """Return the rows of a 0/1 array as focal sets, in that order.

        Parameters
        ----------
        membership : array-like of shape (f, c)
            Whether cluster k belongs to set j.

        Returns
        -------
        FocalSets
            The f sets.

        Raises
        ------
        ValueError
            If the array is not a table of 0 and 1, or its rows are not valid focal sets.
        """
        table = as_array("membership", membership)
        if table.ndim != 2 or not np.isin(table, (0, 1)).all():
            raise ValueError(
                f"expected a 0/1 array of shape (f, c), got {table.dtype} of shape {table.shape}"
            )
        return cls.from_sets(table.shape[1], [np.flatnonzero(row) for row in table])

    @classmethod
    def from_masks(cls, c: int, masks: Iterable[int]) -> FocalSets:
        """Return the sets with the given bit masks, without repetitions, in canonical order.

        Parameters
        ----------
        c : int
            Number of clusters.
        masks : iterable of int
            Bit masks in 0..2^c - 1.

        Returns
        -------
        FocalSets
            By cardinality, then lexicographically.
        """
        expect(np.iterable(masks), "a list of masks", masks)
        whole = Count(0, (1 << check_n_clusters(c)) - 1)
        distinct = {whole.read("each mask", mask) for mask in masks}
        return cls(c, tuple(sorted(distinct, key=lambda mask: (mask.bit_count(), members_of(mask)))))

    @classmethod
    def _in_order(cls, c: int, subsets: Iterable[Iterable[int]], empty: bool, omega: bool) -> FocalSets:
        empty, omega = Flag().read("empty", empty), Flag().read("omega", omega)
        whole = (1 << c) - 1
        inner = [mask for mask in map(mask_of_members, subsets) if mask != whole]
        return cls(c, (0,) * empty + tuple(inner) + (whole,) * omega)

    # ------------------------------------------------------------------ the sets

    @cached_property
    def bits(self) -> np.ndarray:
        """Bit masks as a read-only int64 array of shape (f,)."""
        return read_only(np.array(self.masks, dtype=np.int64))

    @cached_property
    def membership(self) -> np.ndarray:
        """Whether cluster k is in focal set j, read-only bool (f, c) [jiao2022_egmm (15)]."""
        return read_only((self.bits[:, None] >> np.arange(self.n_clusters)) & 1 == 1)

    @cached_property
    def cardinality(self) -> np.ndarray:
        """Number of clusters in each focal set, read-only int (f,)."""
        return read_only(self.membership.sum(axis=1))

    @cached_property
    def sets(self) -> tuple[frozenset[int], ...]:
        """Focal sets as frozensets of cluster numbers from 0."""
        return tuple(frozenset(np.flatnonzero(row).tolist()) for row in self.membership)

    @property
    def labels(self) -> list[str]:
        """Readable names of the sets: ∅, {1}, {1,2}, Ω, with clusters counted from 1."""
        return [set_label(A, self.n_clusters) for A in self.sets]

    @property
    def has_empty(self) -> bool:
        """Whether the empty set is a focal set; it is then at index 0."""
        return self.masks[0] == 0

    @property
    def has_omega(self) -> bool:
        """Whether the whole frame is a focal set."""
        return self.omega_mask in self._positions

    @property
    def omega_mask(self) -> int:
        """Bit mask of the whole frame, 2^c - 1."""
        return (1 << self.n_clusters) - 1

    def __len__(self) -> int:
        return len(self.masks)

    def __iter__(self) -> Iterator[frozenset[int]]:
        return iter(self.sets)

    def __contains__(self, A: Iterable[int]) -> bool:
        return self.mask_of(A) in self._positions

    def index(self, A: Iterable[int]) -> int:
        """Return the position of a set.

        Parameters
        ----------
        A : iterable of int, or bool array of shape (c,)
            Cluster numbers from 0.

        Returns
        -------
        int
            The column of masses that belongs to the set.

        Raises
        ------
        ValueError
            If A is not a focal set.

        Examples
        --------
        >>> FocalSets.simple(3).index({0, 1, 2})
        4
        """
        mask = self.mask_of(A)
        if mask not in self._positions:
            label = set_label(members_of(mask), self.n_clusters)
            raise ValueError(f"expected one of the {len(self)} focal sets, got {label}")
        return self._positions[mask]

    def mask_of(self, A: Iterable[int]) -> int:
        """Return the bit mask of any subset of the frame.

        Parameters
        ----------
        A : iterable of int, or bool array of shape (c,)
            Cluster numbers from 0.

        Returns
        -------
        int
            Bit k is set if cluster k is in A.
        """
        return mask_of_members(read_set(A, self.n_clusters))

    def positions(self, masks: ArrayLike) -> np.ndarray:
        """Return the positions of the sets with the given bit masks.

        Parameters
        ----------
        masks : array-like of int
            Bit masks, in an array of any shape.

        Returns
        -------
        int array of the same shape
            Positions; -1 where a set is not a focal set.
        """
        flat = as_array("masks", masks)
        expect(flat.dtype.kind in "iu" or not flat.size, "bit masks as integers", masks)
        flat = flat.astype(np.int64, copy=False)
        order = np.argsort(self.bits)
        nearest = np.minimum(np.searchsorted(self.bits, flat, sorter=order), len(self) - 1)
        found = order[nearest]
        return np.where(self.bits[found] == flat, found, -1)

    @cached_property
    def singletons(self) -> np.ndarray:
        """Position of each {k}, or -1 where it is not a focal set; read-only int (c,)."""
        return read_only(self.positions(1 << np.arange(self.n_clusters, dtype=np.int64)))

    @cached_property
    def _positions(self) -> dict[int, int]:
        return {mask: position for position, mask in enumerate(self.masks)}

    # ------------------------------------------------------------------ relations between sets

    @cached_property
    def intersects(self) -> np.ndarray:
        """Whether F_k and F_l share a cluster, read-only bool (f, f)."""
        self.expect_matrix()
        return read_only(self.bits[:, None] & self.bits != 0)

    @cached_property
    def disjoint(self) -> np.ndarray:
        """Whether the intersection of F_k and F_l is empty, read-only bool (f, f).

        The empty set is disjoint from every set, itself included.
        """
        return read_only(~self.intersects)

    @cached_property
    def conflict(self) -> np.ndarray:
        """Matrix C with C_kl = 1 if F_k and F_l are disjoint, else 0 [denoeux2016_evclus (18)].

        Read-only float array of shape (f, f); the row of the empty set is all ones.

        Raises
        ------
        ValueError
            If there are more than 8192 focal sets.

        References
        ----------
        [denoeux2016_evclus]
        """
        return read_only(self.disjoint.astype(float))

    @cached_property
    def jaccard(self) -> np.ndarray:
        """Jaccard matrix: size of F_k ∩ F_l over size of F_k ∪ F_l, read-only float (f, f).

        The empty set has similarity 1 to itself and 0 to every other set.
        """
        self.expect_matrix()
        table = self.membership.astype(float)
        common = table @ table.T
        united = self.cardinality[:, None] + self.cardinality - common
        both_empty = united == 0
        return read_only(np.where(both_empty, 1.0, common / np.where(both_empty, 1.0, united)))

    def expect_matrix(self) -> None:
        """Raise an error if there are too many focal sets for (f, f) matrices.

        Raises
        ------
        ValueError
            If there are more than 8192 focal sets.
        """
        if len(self) > MAX_MATRIX_SETS:
            raise ValueError(
                f"expected at most {MAX_MATRIX_SETS} focal sets for a matrix of pairs, got {len(self)}; "
                "choose fewer, for instance FocalSets.up_to(c, 2)"
            )

    # ------------------------------------------------------------------ more sets

    def with_omega(self) -> FocalSets:
        """Return these focal sets with Omega, appended if it is missing.

        Returns
        -------
        FocalSets
            These focal sets themselves if Omega is one of them.
        """
        return self if self.has_omega else FocalSets(self.n_clusters, (*self.masks, self.omega_mask))

    def union(self, other: FocalSets) -> FocalSets:
        """Return the sets of both, in canonical order.

        Parameters
        ----------
        other : FocalSets
            Focal sets of the same frame.

        Returns
        -------
        FocalSets
            These focal sets themselves if both are equal.

        Raises
        ------
        ValueError
            If the frames differ.
        """
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


def check_same_frame(first: FocalSets, second: FocalSets) -> None:
    """Raise a ValueError unless the frames of both arguments have the same size."""
    expect_instance("focal sets", second, FocalSets)
    if first.n_clusters != second.n_clusters:
        raise ValueError(
            f"expected focal sets of the same frame, got {first.n_clusters} and {second.n_clusters} clusters"
        )


def _too_many(count: int) -> str:
    return (
        f"expected at most {MAX_FOCAL_SETS} focal sets (full(16)), got {count}; "
        "use FocalSets.simple, .pairs or .up_to with a smaller size"
    )


# ---------------------------------------------------------------------- sets: bit masks, and readable names


def set_label(A: Iterable[int], c: int) -> str:
    """Return the readable name of a set of clusters: ∅, {1,2}, Ω."""
    members = sorted(A)
    if not members:
        return "∅"
    return "Ω" if len(members) == c and c > 1 else "{" + ",".join(str(k + 1) for k in members) + "}"


def check_n_clusters(c: SupportsIndex) -> int:
    """Return c as an int; raise an error unless it lies in 1..62."""
    try:
        value = as_integer(c)
    except TypeError:
        raise TypeError(f"expected the number of clusters as an integer, got {type(c).__name__}") from None
    if not 1 <= value <= MAX_CLUSTERS:
        raise ValueError(f"expected between 1 and {MAX_CLUSTERS} clusters, got {value}")
    return value


def read_set(A: Iterable[int], c: int) -> set[int]:
    """Return the members of a subset of 0..c-1, given as numbers or as a bool array of shape (c,)."""
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


def mask_of_members(members: Iterable[int]) -> int:
    """Return the bit mask of a set of cluster numbers from 0."""
    return sum(1 << k for k in members)


def members_of(mask: int) -> list[int]:
    """Return the cluster numbers of a bit mask, in increasing order."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def canonical_order(mask: int) -> tuple[int, list[int]]:
    """Return the key that sorts sets by cardinality, then lexicographically."""
    members = members_of(mask)
    return len(members), members


def first_repeated(masks: Sequence[int], c: int) -> str:
    """Return the readable name of the first bit mask that occurs twice."""
    repeated = next(mask for place, mask in enumerate(masks) if mask in masks[:place])
    return set_label(members_of(repeated), c)


def read_only(array: np.ndarray) -> np.ndarray:
    """Return an array after making it read-only."""
    array.setflags(write=False)
    return array


# ---------------------------------------------------------------------- the argument of the clusterers

FEWER_SETS = 'fewer focal sets, such as focal_sets="pairs" or "simple"'  # advice if there are too many
NAMED_SETS = {"simple": FocalSets.simple, "full": FocalSets.full, "pairs": FocalSets.pairs}
FOCAL_SETS = Instance(FocalSets) | Choice(*NAMED_SETS)
FocalSetsLike = Annotated[str | FocalSets, FOCAL_SETS]
FocalSetsOrAuto = Annotated[str | FocalSets, FOCAL_SETS | Choice("auto")]
MASS_ARRAYS = 3  # (n, f) arrays that a fit has in memory at a time, at least
ALL_SETS_UP_TO = 3  # clusters; with more, barycentres of sets often lie where other clusters are


def resolve_focal_sets(
    focal_sets: str | FocalSets, n_clusters: int, *, empty: bool = True, n_objects: int = 0
) -> FocalSets:
    """Return the focal sets that a constructor argument specifies.

    Parameters
    ----------
    focal_sets : {"simple", "full", "pairs", "auto"} or FocalSets
        "auto": "full" for at most three clusters, else "simple".
    n_clusters : int
        c, the size of their frame.
    empty : bool, default True
        Whether named sets include the empty set, and given sets may include it.
    n_objects : int, default 0
        Number of objects whose masses will be in memory at a time.

    Raises
    ------
    ValueError
        If there is no such name, the frame has another size, a cluster belongs to no focal set, or the empty
        set is not allowed.
    NotEnoughMemory
        If the masses of so many objects on all 2^c sets do not fit into memory.
    """
    if isinstance(focal_sets, str) and focal_sets == "auto":
        focal_sets = "simple" if are_in_two_steps(focal_sets, n_clusters) else "full"
    focal_sets = FOCAL_SETS.read("focal_sets", focal_sets)
    if focal_sets == "full":
        need = 8.0 * MASS_ARRAYS * n_objects * 2.0**n_clusters
        expect_memory(need, f"masses of {n_objects} objects on 2^{n_clusters} focal sets", FEWER_SETS)
    if isinstance(focal_sets, str):
        return NAMED_SETS[focal_sets](n_clusters, empty=empty)
    expect(
        focal_sets.n_clusters == n_clusters, f"focal sets over {n_clusters} clusters", focal_sets.n_clusters
    )
    everywhere = focal_sets.membership.any(axis=0)
    expect(everywhere.all(), "focal sets that contain every cluster", focal_sets)
    expect(empty or not focal_sets.has_empty, "focal sets without the empty set", focal_sets)
    return focal_sets


def are_in_two_steps(focal_sets: str | FocalSets, n_clusters: int) -> bool:
    """Return whether focal sets are simple in a first run, after which pairs of clusters are added."""
    return isinstance(focal_sets, str) and focal_sets == "auto" and n_clusters > ALL_SETS_UP_TO
