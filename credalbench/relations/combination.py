"""What several partitions say of every pair of objects, combined by a rule of belief function theory.

Partitions may have any numbers of clusters, and names of clusters mean nothing: only pairs of objects count.
Each partition is normalised [li2020_ensemble (16)] and gives every pair its opinion (``opinions.py``); the
opinions of a pair are combined by one of five rules (``rules.py``). The average of hard partitions is the
co-association matrix of evidence accumulation. What the partitions say of outliers, their masses on the empty
set, is averaged on the side and put back into the partition that is found in the end.

Opinions are never kept. Tile by tile of pairs, those of one partition after the other are formed in the cache
and joined to what is kept of the earlier ones: beside the masses of the objects, memory does not grow with
the number of partitions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from credalbench.arguments import expect
from credalbench.belief import CredalPartition, FocalSets, RelationalMasses
from credalbench.kernels import map_blocks
from credalbench.relations.pairwise_evidence import Hard, Soft, as_base, of_pair, read_partitions
from credalbench.relations.rules import RULE, RULES, concluded, ignorance
from credalbench.resources import MATRIX_GAIN, expect_memory, warn_if_slow

__all__ = ["RULES", "combine_pairs", "combine_partitions", "denormalize", "mean_empty_mass"]

SIDE = 128  # objects along either side of a tile: arrays of 128 KiB, some of which a cache holds
PAIR_WORK = 20  # multiplications that an opinion costs beside those of its inner products, about
FEWER = "n_pairs=100, which compares each object with 100 others only, or fewer objects"


def combine_partitions(
    partitions: Sequence[CredalPartition | ArrayLike], rule: str = "average"
) -> RelationalMasses:
    """The relational representations of N partitions of the same objects, combined, for all pairs.

    Parameters
    ----------
    partitions : N CredalPartition or (n,) int arrays of labels
        Credal partitions are normalised first [li2020_ensemble (16)]. Of labels, -1 stands for "in none of
        the clusters", as in scikit-learn: nothing is known of that object then. Clusters may be different
        ones, and differ in number.
    rule : {"average", "dempster", "disjunctive", "dubois_prade", "dubois_prade_sequential"}
        See ``rules.py``.

    Returns
    -------
    RelationalMasses with arrays of shape (n, n)
        Symmetric, without mass on the empty set (a read-only array). On the diagonal "same" is certain.

    Raises
    ------
    ValueError
        No partitions, or of different objects; no such rule; total conflict under Dempster's rule, where one
        partition is sure that two objects share their cluster, and another one that they do not: the message
        names a pair and both partitions.
    NotEnoughMemory

    Warns
    -----
    UserWarning
        It takes more than half a minute.

    Notes
    -----
    O(n^2 g) time for g focal sets of all partitions together, on all threads. Memory is three (n, n) arrays
    and three times the masses of the objects.

    Examples
    --------
    >>> combine_partitions([[0, 0, 1], [0, 0, 0], [0, 1, 1]]).same.round(2)
    array([[1.  , 0.67, 0.33],
           [0.67, 1.  , 0.67],
           [0.33, 0.67, 1.  ]])

    References
    ----------
    li2020_ensemble
    """
    rule, partitions = RULE.read("rule", rule), read_partitions(partitions)
    n = len(partitions[0])
    _estimate(partitions, n**2, n**2 / 2, MATRIX_GAIN)
    bases = [as_base(partition) for partition in partitions]
    same, different, unknown = (np.empty((n, n)) for _ in range(3))

    def fill(rows: slice) -> None:
        for begin in range(rows.start, n, SIDE):
            columns = slice(begin, min(begin + SIDE, n))
            s, d = concluded((base.tile(rows, columns) for base in bases), rule, len(bases))
            if begin == rows.start:  # the tile holds each of its pairs twice, and objects with themselves
                s, d = (np.triu(part, 1) + np.triu(part, 1).T for part in (s, d))
            _refuse_total_conflict(s, bases, rows, np.broadcast_to(np.arange(n)[columns], s.shape))
            for whole, part in ((same, s), (different, d), (unknown, ignorance(s, d))):
                whole[rows, columns], whole[columns, rows] = part, part.T

    for _ in map_blocks(fill, n, SIDE):
        pass
    for whole, of_itself in ((same, 1.0), (different, 0.0), (unknown, 0.0)):
        np.fill_diagonal(whole, of_itself)
    return RelationalMasses(np.broadcast_to(0.0, (n, n)), same, different, unknown)


def combine_pairs(
    partitions: Sequence[CredalPartition | ArrayLike], partners: np.ndarray, rule: str = "average"
) -> RelationalMasses:
    """The same for sampled pairs: each object with its k `partners`, (n, k) int32, never itself.

    Returns
    -------
    RelationalMasses with arrays of shape (n, k)

    Raises
    ------
    ValueError
        As in `combine_partitions`.
    NotEnoughMemory

    Warns
    -----
    UserWarning
        It takes more than half a minute.

    Notes
    -----
    O(n k g) time for g focal sets of all partitions together, on all threads, and three (n, k) arrays.

    References
    ----------
    li2020_ensemble
    """
    rule, partitions = RULE.read("rule", rule), read_partitions(partitions)
    partners = np.ascontiguousarray(partners, np.int32)
    (n, k), n_objects = partners.shape, len(partitions[0])
    expect(n == n_objects, f"partners of {n_objects} objects", n)
    _estimate(partitions, n * k, n * k, 1)
    bases = [as_base(partition) for partition in partitions]
    same, different = np.empty((n, k)), np.empty((n, k))

    def fill(rows: slice) -> None:
        of_block = partners[rows]
        opinions = (base.sampled(rows, of_block) for base in bases)
        same[rows], different[rows] = concluded(opinions, rule, len(bases))
        _refuse_total_conflict(same[rows], bases, rows, of_block)

    for _ in map_blocks(fill, n, max(1, SIDE**2 // k)):
        pass
    return RelationalMasses(np.broadcast_to(0.0, (n, k)), same, different, ignorance(same, different))


def _estimate(partitions: list[CredalPartition | np.ndarray], numbers: int, pairs: float, gain: int):
    """Refuse three arrays of so many `numbers` that do not fit into memory; warn of too many `pairs`."""
    n, N = len(partitions[0]), len(partitions)
    families = [one.focal_sets for one in partitions if isinstance(one, CredalPartition)]
    width = sum(2 * len(family) + family.n_clusters for family in families)
    what = f"what {N} partitions say of pairs of {n} objects"
    expect_memory(8 * (3 * numbers + n * width), what, FEWER)
    warn_if_slow(pairs * (N * PAIR_WORK + width / gain), what, FEWER)


def _refuse_total_conflict(same: np.ndarray, bases: list[Soft | Hard], rows: slice, others: np.ndarray):
    """Raise where `same` (b, k), of the pairs of objects `rows` with `others` (b, k), is marked by NaN."""
    if not np.isnan(same).any():
        return
    a, b = np.argwhere(np.isnan(same))[0]
    i, j = rows.start + int(a), int(others[a, b])
    s, d = of_pair(bases, i, j)
    t = ignorance(s, d)
    together, apart = int((d + t == 0).argmax()), int((s + t == 0).argmax())
    raise ValueError(
        f"expected opinions that Dempster's rule can combine, got total conflict about objects {i} and {j}: "
        f"partition {together} is sure that they share a cluster, partition {apart} that they do not. "
        "Instead: another rule"
    )


# ---------------------------------------------------------------------- mass on the empty set


def mean_empty_mass(partitions: Sequence[CredalPartition | ArrayLike]) -> np.ndarray:
    """Mean mass of each object on the empty set [li2020_ensemble (15)]: (n,), in [0, 1].

    Before normalisation; the label -1 has mass 1 there.

    References
    ----------
    li2020_ensemble
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
    """A normalised credal partition with mass on the empty set put back [li2020_ensemble (30)].

    Parameters
    ----------
    partition : CredalPartition
        n objects, without mass on the empty set.
    empty_mass : array of shape (n,)
        In [0, 1]; the other masses are multiplied by what it leaves of 1.

    Returns
    -------
    CredalPartition
        On the empty set and the same other focal sets.

    Raises
    ------
    ValueError
        The partition has mass on the empty set; `empty_mass` has another shape, or leaves [0, 1].

    References
    ----------
    li2020_ensemble
    """
    empty, family, n = np.asarray(empty_mass, dtype=float), partition.focal_sets, len(partition)
    expect(empty.shape == (n,), f"empty_mass of shape ({n},)", empty.shape)
    expect(bool(((empty >= 0) & (empty <= 1)).all()), "empty_mass in [0, 1]", empty)
    first = int(family.has_empty)
    expect(not partition.masses[:, :first].any(), "a partition without mass on the empty set", partition)
    sets = FocalSets(family.n_clusters, (0, *family.masks[first:]))
    masses = np.column_stack([empty, (1 - empty)[:, None] * partition.masses[:, first:]])
    return CredalPartition(masses, sets, partition.index)
