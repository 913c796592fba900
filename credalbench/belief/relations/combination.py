"""Evidence of several partitions about every pair of objects, combined by a rule of belief function theory.

Partitions may have any numbers of clusters, and the numbers of clusters have no meaning: only pairs of
objects count. Each partition is normalised [li2020_ensemble (16)] and gives evidence about every pair
(``pairwise_evidence.py``); one of five rules combines the evidence about a pair (``rules.py``). The average
of hard partitions is the co-association matrix of evidence accumulation. Masses on the empty set, which mark
outliers, are averaged separately and restored in the consensus.

Evidence is not stored. For each tile of pairs, the evidence of one partition after the other is computed in
the cache and combined with the earlier evidence. Apart from the masses of the partitions, the memory needed
does not depend on their number.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition, FocalSets, RelationalMasses
from credalbench.belief.relations.pairwise_evidence import (
    Hard,
    Soft,
    as_base,
    masses_of_pair,
    read_partitions,
)
from credalbench.belief.relations.rules import RULE, RULES, apply_rule, ignorance
from credalbench.core.arguments import Array, as_floats, expect, expect_instance, expect_partners
from credalbench.core.resources import expect_memory
from credalbench.core.threads import map_rows

__all__ = ["RULES", "combine_pairs", "combine_partitions", "denormalize", "mean_empty_mass"]

SIDE = 128  # objects along either side of a tile: arrays of 128 KiB, some of which a cache holds
FEWER = "n_pairs=100, which compares each object with only 100 others, or fewer objects"


def combine_partitions(
    partitions: Sequence[CredalPartition | ArrayLike], rule: str = "average"
) -> RelationalMasses:
    """Combine the relational representations of N partitions of the same objects, for all pairs.

    Parameters
    ----------
    partitions : sequence of N CredalPartition or (n,) int arrays of labels
        Credal partitions are normalised first [li2020_ensemble (16)]. The label -1 means "in none of the
        clusters", as in scikit-learn: there is no evidence about that object. Clusters and their numbers may
        differ.
    rule : str, default "average"
        One of `RULES` (see ``rules.py``).

    Returns
    -------
    RelationalMasses
        Symmetric (n, n) arrays without mass on the empty set (a read-only array). On the diagonal "same" is
        certain.

    Raises
    ------
    ValueError
        If there are no partitions, their objects differ, there is no such rule, or there is total conflict
        under Dempster's rule: one partition is sure that two objects share their cluster and another that
        they do not. The message names a pair and both partitions.
    NotEnoughMemory
        If the arrays do not fit into memory. The error is a ValueError and a MemoryError.

    Notes
    -----
    O(n^2 g) time for g focal sets of all partitions together, on all threads. Memory is three (n, n) arrays
    and three times the masses of the objects.

    References
    ----------
    [li2020_ensemble]

    Examples
    --------
    >>> combine_partitions([[0, 0, 1], [0, 0, 0], [0, 1, 1]]).same.round(2)
    array([[1.  , 0.67, 0.33],
           [0.67, 1.  , 0.67],
           [0.33, 0.67, 1.  ]])
    """
    rule, partitions = RULE.read("rule", rule), read_partitions(partitions)
    n = len(partitions[0])
    what = f"the evidence of {len(partitions)} partitions about all pairs of {n} objects"
    expect_memory(24 * n**2, what, FEWER)
    bases = [as_base(partition) for partition in partitions]
    same, different, unknown = (np.empty((n, n)) for _ in range(3))

    def fill(rows: slice) -> None:
        for begin in range(rows.start, n, SIDE):
            columns = slice(begin, min(begin + SIDE, n))
            s, d = apply_rule((base.tile(rows, columns) for base in bases), rule, len(bases))
            if begin == rows.start:  # the tile has each of its pairs twice, and the diagonal
                s, d = (np.triu(part, 1) + np.triu(part, 1).T for part in (s, d))
            _refuse_total_conflict(s, bases, rows, np.broadcast_to(np.arange(n)[columns], s.shape))
            for whole, part in ((same, s), (different, d), (unknown, ignorance(s, d))):
                whole[rows, columns], whole[columns, rows] = part, part.T

    for _ in map_rows(fill, n, SIDE):
        pass
    for whole, diagonal in ((same, 1.0), (different, 0.0), (unknown, 0.0)):
        np.fill_diagonal(whole, diagonal)
    return RelationalMasses(np.broadcast_to(0.0, (n, n)), same, different, unknown)


def combine_pairs(
    partitions: Sequence[CredalPartition | ArrayLike], partners: np.ndarray, rule: str = "average"
) -> RelationalMasses:
    """Combine the relational representations of N partitions for sampled pairs.

    Parameters
    ----------
    partitions : sequence of N CredalPartition or (n,) int arrays of labels
        See `combine_partitions`.
    partners : (n, k) int array
        Objects to compare each object with, never itself.
    rule : str, default "average"
        One of `RULES` (see ``rules.py``).

    Returns
    -------
    RelationalMasses
        Arrays of shape (n, k).

    Raises
    ------
    ValueError
        As in `combine_partitions`, or if the partners are not other objects of the partitions.

    Notes
    -----
    O(n k g) time for g focal sets of all partitions together, on all threads, and three (n, k) arrays.

    References
    ----------
    [li2020_ensemble]

    Examples
    --------
    >>> combine_pairs([[0, 0, 1], [0, 0, 0]], [[1], [0], [0]]).same
    array([[1. ],
           [1. ],
           [0.5]])
    """
    rule, partitions = RULE.read("rule", rule), read_partitions(partitions)
    partners, n = np.asarray(Array().read("partners", partners)), len(partitions[0])
    expect_partners(partners, n)
    partners, k = np.ascontiguousarray(partners, np.int32), partners.shape[1]
    bases = [as_base(partition) for partition in partitions]
    same, different = np.empty((n, k)), np.empty((n, k))

    def fill(rows: slice) -> None:
        of_block = partners[rows]
        evidence = (base.of_partners(rows, of_block) for base in bases)
        same[rows], different[rows] = apply_rule(evidence, rule, len(bases))
        _refuse_total_conflict(same[rows], bases, rows, of_block)

    for _ in map_rows(fill, n, max(1, SIDE**2 // k)):
        pass
    return RelationalMasses(np.broadcast_to(0.0, (n, k)), same, different, ignorance(same, different))


def _refuse_total_conflict(same: np.ndarray, bases: list[Soft | Hard], rows: slice, others: np.ndarray):
    """Raise an error if `same` (b, k), of the pairs of objects `rows` with `others` (b, k), has NaN."""
    if not np.isnan(same).any():
        return
    a, b = np.argwhere(np.isnan(same))[0]
    i, j = rows.start + int(a), int(others[a, b])
    s, d = masses_of_pair(bases, i, j)
    t = ignorance(s, d)
    together, apart = int((d + t == 0).argmax()), int((s + t == 0).argmax())

    def text(first: int) -> str:
        return (
            "expected evidence that Dempster's rule can combine, got total conflict about objects "
            f"{i + first} and {j + first}: partition {together + first} is sure that they share a cluster, "
            f"partition {apart + first} that they do not. Use another rule"
        )

    error = ValueError(text(0))
    error.brief = text(1)  # for pages, which count from 1
    raise error


# ---------------------------------------------------------------------- mass on the empty set


def mean_empty_mass(partitions: Sequence[CredalPartition | ArrayLike]) -> np.ndarray:
    """Compute the mean mass of each object on the empty set [li2020_ensemble (15)].

    Parameters
    ----------
    partitions : sequence of CredalPartition or (n,) int arrays of labels
        Partitions that are not normalised; the label -1 has mass 1 on the empty set.

    Returns
    -------
    array of shape (n,)
        In [0, 1].

    References
    ----------
    [li2020_ensemble]

    Examples
    --------
    >>> mean_empty_mass([[0, -1, 1], [0, 0, 1]])
    array([0. , 0.5, 0. ])
    """
    partitions = read_partitions(partitions)
    total = np.zeros(len(partitions[0]))
    for partition in partitions:
        if isinstance(partition, np.ndarray):
            total += partition == -1
        elif partition.focal_sets.has_empty:
            total += partition.masses[:, 0]
    return np.minimum(total / len(partitions), 1.0)


def denormalize(partition: CredalPartition, empty_mass: ArrayLike) -> CredalPartition:
    """Restore mass on the empty set of a normalised credal partition [li2020_ensemble (30)].

    Parameters
    ----------
    partition : CredalPartition
        Partition of n objects without mass on the empty set.
    empty_mass : array of shape (n,)
        Masses in [0, 1]; the other masses are multiplied by 1 - `empty_mass`.

    Returns
    -------
    CredalPartition
        On the empty set and the same other focal sets.

    Raises
    ------
    ValueError
        If the partition has mass on the empty set, or `empty_mass` has another shape or is outside [0, 1].

    References
    ----------
    [li2020_ensemble]

    Examples
    --------
    >>> denormalize(CredalPartition.from_labels([0, 0]), [0.0, 0.25]).masses
    array([[0.  , 1.  ],
           [0.25, 0.75]])
    """
    expect_instance("partition", partition, CredalPartition)
    empty, n = as_floats("empty_mass", empty_mass), len(partition)
    focal_sets = partition.focal_sets
    expect(empty.shape == (n,), f"empty_mass of shape ({n},)", empty.shape)
    expect(bool(((empty >= 0) & (empty <= 1)).all()), "empty_mass in [0, 1]", empty)
    first = int(focal_sets.has_empty)
    expect(not partition.masses[:, :first].any(), "a partition without mass on the empty set", partition)
    with_empty = FocalSets(focal_sets.n_clusters, (0, *focal_sets.masks[first:]))
    masses = np.column_stack([empty, (1 - empty)[:, None] * partition.masses[:, first:]])
    return CredalPartition(masses, with_empty, partition.index)
