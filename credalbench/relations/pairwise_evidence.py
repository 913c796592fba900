"""What partitions of n objects say of pairs of them, whatever their clusters: their opinions.

The masses of a pair on "same" and on "different clusters" are inner products of what is known of both objects
(``belief/relational.py``), for a normalised partition. So a tile of pairs is a product of two small matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from credalbench.arguments import Array, Instance, Table, expect
from credalbench.belief import CredalPartition, RelationalMasses
from credalbench.belief.combine import disjoint_mass
from credalbench.belief.transforms import singleton_belief
from credalbench.kernels import kernel, warm_up
from credalbench.relations.rules import Masses, ignorance

PARTITION = Instance(CredalPartition) | Array()


class Soft(NamedTuple):
    """A normalised credal partition, in the factors of its pairwise masses."""

    singletons: np.ndarray  # (n, c) masses on them
    masses: np.ndarray  # (n, g), on focal sets that others are disjoint from
    disjoint: np.ndarray  # (n, g) mass disjoint from each of these

    def tile(self, rows: slice, columns: slice) -> Masses:
        """Masses on "same" and on "different" of two groups of objects, (a, b) each."""
        same = self.singletons[rows] @ self.singletons[columns].T
        return same, self.disjoint[rows] @ self.masses[columns].T

    def sampled(self, rows: slice, partners: np.ndarray) -> Masses:
        """The same of some objects and their `partners` (b, k): (b, k) each."""
        same, different = np.empty(partners.shape), np.empty(partners.shape)
        pair_products(self.singletons[rows], self.singletons, partners, same)
        pair_products(self.disjoint[rows], self.masses, partners, different)
        return same, different


class Hard(NamedTuple):
    """A partition by labels (n,), into any number of clusters; of an object without one nothing is known."""

    labels: np.ndarray

    def tile(self, rows: slice, columns: slice) -> Masses:
        """As `Soft.tile`."""
        return self._opinion(self.labels[rows, None], self.labels[None, columns])

    def sampled(self, rows: slice, partners: np.ndarray) -> Masses:
        """As `Soft.sampled`."""
        return self._opinion(self.labels[rows, None], self.labels[partners])

    def _opinion(self, first: np.ndarray, second: np.ndarray):
        known, alike = (first >= 0) & (second >= 0), first == second
        return (known & alike).astype(float), (known & ~alike).astype(float)


def as_base(partition: CredalPartition | np.ndarray) -> Soft | Hard:
    """What opinions are computed from, with the normalisation of [li2020_ensemble (16)].

    An object with m(∅) = 1 becomes vacuous. Rows that miss 1, as a solver may leave them, are divided by
    their sum.

    References
    ----------
    li2020_ensemble
    """
    if isinstance(partition, np.ndarray):
        return Hard(partition)
    normalised = partition.normalized("dempster")
    masses = normalised.masses / normalised.masses.sum(axis=1, keepdims=True)
    disjoint = disjoint_mass(masses, normalised.focal_sets)
    matter = masses.any(axis=0) & disjoint.any(axis=0)  # no set without mass, and not Omega
    singletons = singleton_belief(masses, normalised.focal_sets)
    parts = singletons, masses[:, matter], disjoint[:, matter]
    return Soft(*map(np.ascontiguousarray, parts))


def read_partitions(partitions: Sequence[CredalPartition | ArrayLike]) -> list[CredalPartition | np.ndarray]:
    """Credal partitions and (n,) arrays of labels of the same n objects, checked, in a list.

    Raises
    ------
    ValueError
        There is none; one is neither, or of other objects than the first.
    """
    given = Table().read("partitions", partitions)
    read = [_read(PARTITION.read(f"partition {b}", one), b) for b, one in enumerate(given)]
    expect(len(read) > 0, "at least one partition", "none")
    sizes = [len(one) for one in read]
    other = next((b for b, size in enumerate(sizes) if size != sizes[0]), 0)
    got = f"{sizes[0]} and, in partition {other}, {sizes[other]}"
    if other:
        raise ValueError(f"expected partitions of the same objects, got {got}")
    return read


def _read(partition: CredalPartition | ArrayLike, number: int):
    if isinstance(partition, CredalPartition):
        return partition
    labels = np.asarray(partition)
    right = labels.ndim == 1 and labels.size > 0 and labels.dtype.kind in "iu" and labels.min() >= -1
    expect(right, f"partition {number} as a CredalPartition or as labels (n,), integers >= -1", partition)
    return labels.astype(np.int64)


def evidence_of_pair(partitions: Sequence[CredalPartition | ArrayLike], i: int, j: int) -> RelationalMasses:
    """What each of N partitions, normalised, says of two different objects i and j.

    Parameters
    ----------
    partitions : N CredalPartition or (n,) int arrays of labels
    i, j : int
        Numbers of objects, from 0.

    Returns
    -------
    RelationalMasses with arrays of shape (N,)

    Raises
    ------
    ValueError
        No such objects, or the same one twice; partitions that do not fit together.
    """
    partitions = read_partitions(partitions)
    n = len(partitions[0])
    expect(i != j and min(i, j) >= 0 and max(i, j) < n, f"two different objects of 0..{n - 1}", (i, j))
    both = [i, j]
    bases = [
        as_base(partition.take(both) if isinstance(partition, CredalPartition) else partition[both])
        for partition in partitions
    ]
    same, different = of_pair(bases, 0, 1)
    return RelationalMasses(np.zeros_like(same), same, different, ignorance(same, different))


def of_pair(bases: Sequence[Soft | Hard], i: int, j: int) -> Masses:
    """Masses of N bases on "same" and on "different" of one pair: (N,) each."""
    tiles = np.array([base.tile(slice(i, i + 1), slice(j, j + 1)) for base in bases])
    return tiles[:, 0, 0, 0], tiles[:, 1, 0, 0]


@kernel(nogil=True, fastmath=True)
def pair_products(mine: np.ndarray, others: np.ndarray, partners: np.ndarray, products: np.ndarray) -> None:
    """Inner products of rows `mine` (b, g) with those of their `partners` (b, k) among `others` (n, g)."""
    for i in range(partners.shape[0]):
        for r in range(partners.shape[1]):
            total, j = 0.0, partners[i, r]
            for p in range(mine.shape[1]):
                total += mine[i, p] * others[j, p]
            products[i, r] = total


@warm_up
def compile_pair_products() -> None:
    """Make the kernel ready, on two objects."""
    M = np.full((2, 2), 0.5)
    pair_products(M, M, np.array([[1], [0]], np.int32), np.empty((2, 1)))
