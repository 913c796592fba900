"""Evidence of partitions about pairs of objects: masses on "same cluster" and on "different clusters".

For a normalised partition the masses are inner products of vectors of both objects
(``belief/relational.py``). The masses of a tile of pairs are therefore a product of two small matrices.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition, RelationalMasses
from credalbench.belief.combine import disjoint_mass
from credalbench.belief.relations.rules import Masses, ignorance
from credalbench.belief.transforms import singleton_belief
from credalbench.core.arguments import Array, Instance, Table, expect, expect_count
from credalbench.core.kernels import kernel, warm_up

PARTITION = Instance(CredalPartition) | Array()


class Soft(NamedTuple):
    """A normalised credal partition as the factors of its pairwise masses."""

    singletons: np.ndarray  # (n, c) masses on them
    masses: np.ndarray  # (n, g), on focal sets that are disjoint from others
    disjoint: np.ndarray  # (n, g) mass disjoint from each of these

    def tile(self, rows: slice, columns: slice) -> Masses:
        """Return masses on "same" and on "different" of two groups of objects, (a, b) each."""
        same = self.singletons[rows] @ self.singletons[columns].T
        return same, self.disjoint[rows] @ self.masses[columns].T

    def of_partners(self, rows: slice, partners: np.ndarray) -> Masses:
        """Return the same masses of some objects and their `partners` (b, k): (b, k) each."""
        same, different = np.empty(partners.shape), np.empty(partners.shape)
        pair_products(self.singletons[rows], self.singletons, partners, same)
        pair_products(self.disjoint[rows], self.masses, partners, different)
        return same, different


class Hard(NamedTuple):
    """A partition by labels (n,), into any number of clusters; -1: there is no evidence about an object."""

    labels: np.ndarray

    def tile(self, rows: slice, columns: slice) -> Masses:
        """Return what `Soft.tile` returns."""
        return self._masses(self.labels[rows, None], self.labels[None, columns])

    def of_partners(self, rows: slice, partners: np.ndarray) -> Masses:
        """Return what `Soft.of_partners` returns."""
        return self._masses(self.labels[rows, None], self.labels[partners])

    def _masses(self, first: np.ndarray, second: np.ndarray):
        known, alike = (first >= 0) & (second >= 0), first == second
        return (known & alike).astype(float), (known & ~alike).astype(float)


def as_base(partition: CredalPartition | np.ndarray) -> Soft | Hard:
    """Return the factors of pairwise evidence, normalised as in [li2020_ensemble (16)].

    An object with m(∅) = 1 becomes vacuous. Rows whose sum is not exactly 1 are divided by their sum.

    References
    ----------
    [li2020_ensemble]
    """
    if isinstance(partition, np.ndarray):
        return Hard(partition)
    normalised = partition.normalized("dempster")
    masses = normalised.masses / normalised.masses.sum(axis=1, keepdims=True)
    disjoint = disjoint_mass(masses, normalised.focal_sets)
    relevant = masses.any(axis=0) & disjoint.any(axis=0)  # without Omega and sets without mass
    singletons = singleton_belief(masses, normalised.focal_sets)
    parts = singletons, masses[:, relevant], disjoint[:, relevant]
    return Soft(*map(np.ascontiguousarray, parts))


def read_partitions(partitions: Sequence[CredalPartition | ArrayLike]) -> list[CredalPartition | np.ndarray]:
    """Check credal partitions and (n,) arrays of labels of the same n objects; return them in a list.

    Raises
    ------
    ValueError
        If there are no partitions, one has the wrong type, or one has objects other than those of the first.
    """
    given = Table().read("partitions", partitions)
    expect(np.iterable(given), "a list of partitions", given)
    read = [_read(PARTITION.read(f"partition {b}", one), b) for b, one in enumerate(given)]
    expect(len(read) > 0, "at least one partition", "none")
    sizes = [len(one) for one in read]
    other = next((b for b, size in enumerate(sizes) if size != sizes[0]), 0)
    got = f"{sizes[0]} objects and, in partition {other}, {sizes[other]}"
    if other:
        raise ValueError(f"expected partitions of the same objects, got {got}")
    return read


def _read(partition: CredalPartition | ArrayLike, number: int):
    if isinstance(partition, CredalPartition):
        return partition
    labels = np.asarray(partition)
    right = labels.ndim == 1 and labels.size > 0 and labels.dtype.kind in "iu" and labels.min() >= -1
    expect(right, f"partition {number} as a CredalPartition or as integer labels (n,) >= -1", partition)
    return labels.astype(np.int64)


def evidence_of_pair(partitions: Sequence[CredalPartition | ArrayLike], i: int, j: int) -> RelationalMasses:
    """Return the evidence of each of N partitions, normalised, about two different objects i and j.

    Parameters
    ----------
    partitions : sequence of N CredalPartition or (n,) int arrays of labels
        Partitions of the same objects.
    i, j : int
        Numbers of objects, from 0.

    Returns
    -------
    RelationalMasses
        Arrays of shape (N,).

    Raises
    ------
    ValueError
        If there are no such objects, i and j are equal, or the partitions have different objects.

    Examples
    --------
    >>> evidence_of_pair([[0, 0, 1], [0, 1, 1]], 0, 1).same
    array([1., 0.])
    """
    partitions = read_partitions(partitions)
    n = len(partitions[0])
    i, j = (expect_count(name, x, 0, n - 1, "n - 1") for name, x in (("i", i), ("j", j)))
    expect(i != j, "two different objects", (i, j))
    both = [i, j]
    bases = [
        as_base(partition.take(both) if isinstance(partition, CredalPartition) else partition[both])
        for partition in partitions
    ]
    same, different = masses_of_pair(bases, 0, 1)
    return RelationalMasses(np.zeros_like(same), same, different, ignorance(same, different))


def masses_of_pair(bases: Sequence[Soft | Hard], i: int, j: int) -> Masses:
    """Return masses of N bases on "same" and on "different" of one pair: (N,) each."""
    tiles = np.array([base.tile(slice(i, i + 1), slice(j, j + 1)) for base in bases])
    return tiles[:, 0, 0, 0], tiles[:, 1, 0, 0]


@kernel(nogil=True, fastmath=True)
def pair_products(first: np.ndarray, others: np.ndarray, partners: np.ndarray, products: np.ndarray) -> None:
    """Compute inner products of rows of `first` (b, g) and their `partners` (b, k) of `others` (n, g)."""
    for i in range(partners.shape[0]):
        for r in range(partners.shape[1]):
            total, j = 0.0, partners[i, r]
            for p in range(first.shape[1]):
                total += first[i, p] * others[j, p]
            products[i, r] = total


@warm_up
def compile_pair_products() -> None:
    """Compile the kernel on two objects."""
    M = np.full((2, 2), 0.5)
    pair_products(M, M, np.array([[1], [0]], np.int32), np.empty((2, 1)))
