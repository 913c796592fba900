"""Relational representation of a credal partition: masses of pairs of objects.

For two objects the frame is Theta = {s, not s}, "same cluster" or "different clusters". A hard, fuzzy, rough
or credal partition with any number of clusters gives one mass function on Theta per pair, which makes
partitions comparable.

`masses` has shape (n, f), one column for each of the f sets of `focal_sets`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.resources import expect_memory

from .combine import disjoint_mass
from .focal import FocalSets
from .transforms import check_masses, singleton_belief

WITHOUT_MATRICES = "metrics.credal_rand or pairwise_nonspecificity, which store no pairs, or fewer objects"
SIDE = 128  # objects in a block, compared with as many others: arrays of 128 KiB stay in the cache
GATHERED = 1 << 17  # masses of partners in memory at a time: 1 MiB


class RelationalMasses(NamedTuple):
    """Masses on {s, not s} for pairs of objects: four arrays of the same shape that sum to 1.

    Parameters
    ----------
    empty : array
        Masses m(∅).
    same : array
        Masses m({s}): the two objects surely share their cluster.
    different : array
        Masses m({not s}).
    ignorance : array
        Masses m(Theta).
    """

    empty: np.ndarray
    same: np.ndarray
    different: np.ndarray
    ignorance: np.ndarray

    def nonspecificity(self) -> float:
        """Compute the mean of m(∅) + m(Theta) over the pairs i < j of square arrays.

        Returns
        -------
        float
            In [0, 1]; 0 for one object.
        """
        n = self.empty.shape[0]
        if n < 2:
            return 0.0
        vague = self.empty + self.ignorance
        return float((vague.sum() - np.trace(vague)) / (n * (n - 1)))


def relational(masses: ArrayLike, focal_sets: FocalSets) -> RelationalMasses:
    """Compute the masses of all pairs of objects [li2020_ensemble (9a)] to [li2020_ensemble (9d)].

    The results are symmetric (n, n) arrays. On the diagonal "same" is certain, since the formulas are for two
    different objects. O(n^2 f) time and four (n, n) arrays; `relational_block` computes only some rows.

    Raises
    ------
    NotEnoughMemory
        If four (n, n) arrays do not fit into memory. The error is a ValueError and a MemoryError.

    References
    ----------
    [li2020_ensemble]
    """
    M = np.atleast_2d(check_masses(masses, focal_sets))
    n = len(M)
    expect_memory(32 * n**2, f"masses of all pairs of {n} objects", WITHOUT_MATRICES)
    table = relational_block(M, M, focal_sets)
    for name, part in zip(table._fields, table):
        np.fill_diagonal(part, 1.0 if name == "same" else 0.0)
    return table


def relational_block(first: ArrayLike, second: ArrayLike, focal_sets: FocalSets) -> RelationalMasses:
    """Compute pairwise masses (a, b) of different objects with masses (a, f) and (b, f).

    They are m(∅) [li2020_ensemble (9a)], [antoine2012_cecm (17)], m({s}) [li2020_ensemble (9b)], m({not s})
    [li2020_ensemble (9c)] and m(Theta) [li2020_ensemble (9d)]. Each is a sum of products of masses, which
    rounding cannot make negative, instead of the paper's difference of two sums.

    References
    ----------
    [li2020_ensemble]
    """
    P = np.atleast_2d(check_masses(first, focal_sets))
    Q = np.atleast_2d(check_masses(second, focal_sets))
    total = P.sum(axis=1)
    empty_p, empty_q = _empty(P, focal_sets), _empty(Q, focal_sets)
    single_p, single_q = singleton_belief(P, focal_sets), singleton_belief(Q, focal_sets)
    P, Q = without_empty(P, focal_sets), without_empty(Q, focal_sets)
    away = without_empty(disjoint_mass(P, focal_sets), focal_sets)  # (a, f): mass disjoint from each set
    meets = total[:, None] - empty_p[:, None] - away
    one = focal_sets.singletons[focal_sets.singletons >= 0]
    meets[:, one] -= P[:, one]  # equal singletons are "same", not ignorance
    empty = empty_p[:, None] + empty_q - empty_p[:, None] * empty_q
    return RelationalMasses(empty, single_p @ single_q.T, away @ Q.T, np.maximum(meets, 0.0) @ Q.T)


def pair_matrices(focal_sets: FocalSets) -> tuple[np.ndarray, np.ndarray]:
    """Return S and D (f, f): two objects have the masses ``m @ S @ m'`` on {s} and ``m @ D @ m'`` on {not s}.

    S is 1 where two focal sets are the same singleton [li2020_ensemble (20)], D where they are disjoint
    [li2020_ensemble (21)] and neither is empty. The products are the masses on {s} [li2020_ensemble (22a)]
    and on {not s} [li2020_ensemble (22b)].

    References
    ----------
    [li2020_ensemble]
    """
    different = np.array(focal_sets.conflict)  # first, since it raises an error for too many sets
    same = np.diag((focal_sets.cardinality == 1).astype(float))
    if focal_sets.has_empty:
        different[0], different[:, 0] = 0.0, 0.0
    return same, different


def relational_of_partners(
    masses: ArrayLike, focal_sets: FocalSets, partners: np.ndarray
) -> RelationalMasses:
    """Compute pairwise masses of each object and its partners [li2020_ensemble (9)], as `relational_block`.

    Row i of `partners` (n, k) has the objects to compare object i with, never itself. The results are (n, k)
    arrays. O(n k f) time, and a few MiB besides the result.

    References
    ----------
    [li2020_ensemble]
    """
    M = np.atleast_2d(check_masses(masses, focal_sets))
    (n, k), f = partners.shape, M.shape[1]
    empty, inside = _empty(M, focal_sets), without_empty(M, focal_sets)
    own, away = np.where(focal_sets.cardinality == 1, M, 0.0), disjoint_mass(inside, focal_sets)
    meets = np.maximum(inside.sum(axis=1)[:, None] - away - own, 0.0)
    columns = without_empty(np.stack([own, away, meets], axis=1), focal_sets)  # (n, 3, f)
    parts = np.empty((4, n, k))
    step = max(1, GATHERED // (k * f))
    for begin in range(0, n, step):
        rows = slice(begin, begin + step)
        partner_masses = M[partners[rows]].transpose(0, 2, 1)  # (b, f, k)
        parts[1:, rows] = (columns[rows] @ partner_masses).transpose(1, 0, 2)
        first, second = empty[rows, None], empty[partners[rows]]
        parts[0, rows] = first + second - first * second
    return RelationalMasses(*parts)


def jousselme_of_pairs(first: RelationalMasses, second: RelationalMasses) -> np.ndarray:
    """Compute Jousselme's distance of two mass functions per pair, and overwrite `first`.

    It is sqrt(d' J d / 2), with J of [li2020_ensemble (11)] and the empty set added. The arrays of `second`
    broadcast to the shape of those of `first`, which is the shape of the distances.
    """
    e, s, d, t = (np.subtract(a, b, out=a) for a, b in zip(first, second))
    t *= s + d + t  # J has 1/2 between Theta and either singleton
    square = np.square(e, out=e)
    square += np.square(s, out=s)
    square += np.square(d, out=d)
    square += t
    np.maximum(square, 0.0, out=square)
    square /= 2
    return np.sqrt(square, out=square)


def rand_against(
    masses: ArrayLike, focal_sets: FocalSets, relation: RelationalMasses, partners: np.ndarray | None = None
) -> float:
    r"""Compute the credal Rand index between a credal partition and masses of pairs [li2020_ensemble (10)].

    .. math:: \rho = 1 - \frac{2}{n(n-1)} \sum_{i<j} d_J(m_{ij}, m'_{ij})

    The masses of pairs need not come from a credal partition; for two partitions see
    `credalbench.metrics.credal_rand`. The arrays of `relation` are symmetric (n, n). With `partners`
    (n, k) they are (n, k), and the index is the mean over the pairs of each object and its partners. The
    result is in [0, 1], and 1 if there is no pair (n = 1). O(n^2 f) or O(n k f) time; a few MiB of memory, or
    four (n, k) arrays.

    References
    ----------
    [li2020_ensemble]
    """
    M = np.atleast_2d(check_masses(masses, focal_sets))
    n = len(M)
    if n == 1:
        return 1.0

    def distances(rows: slice, columns: slice) -> np.ndarray:
        target = RelationalMasses(*(part[rows, columns] for part in relation))
        return jousselme_of_pairs(relational_block(M[rows], M[columns], focal_sets), target)

    if partners is not None:
        distance = jousselme_of_pairs(relational_of_partners(M, focal_sets, partners), relation).mean()
    else:
        distance = mean_over_pairs(n, distances)
    return float(np.clip(1.0 - distance, 0.0, 1.0))  # rounding of sums of many numbers


def mean_over_pairs(n: int, distances: Callable[[slice, slice], np.ndarray]) -> float:
    """Compute the mean of distances over all pairs i < j, in blocks ``distances(rows, columns)``."""
    total = 0.0
    for row in range(0, n, SIDE):
        for column in range(row, n, SIDE):
            block = distances(slice(row, row + SIDE), slice(column, column + SIDE))
            total += (block if row < column else np.triu(block, k=1)).sum()
    return float(total / (n * (n - 1) / 2))


def _empty(M: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    return M[:, 0] if focal_sets.has_empty else np.zeros(len(M))


def without_empty(M: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return the same columns with 0 in the column of the empty set."""
    return np.where(focal_sets.bits == 0, 0.0, M)
