"""Relational representation of a credal partition: what it says about pairs of objects.

For two objects the frame is Theta = {s, not s}, "same cluster" or "different clusters". A hard, fuzzy, rough
or credal partition with any number of clusters becomes one mass function on Theta per pair, which makes
partitions comparable.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from credalbench.resources import expect_memory

from .combine import disjoint_mass
from .focal import FocalSets
from .transforms import check_masses, singleton_belief

WITHOUT_MATRICES = "metrics.credal_rand or pairwise_nonspecificity, which keep no pairs, or fewer objects"


class RelationalMasses(NamedTuple):
    """Masses on {s, not s} for pairs of objects; four arrays of one shape that sum to 1.

    Attributes
    ----------
    empty : m(∅)
    same : m({s}), the two objects surely share their cluster
    different : m({not s})
    ignorance : m(Theta)
    """

    empty: np.ndarray
    same: np.ndarray
    different: np.ndarray
    ignorance: np.ndarray

    def nonspecificity(self) -> float:
        """Mean of m(∅) + m(Theta) over the pairs i < j of square arrays; in [0, 1]; 0 with one object."""
        n = self.empty.shape[0]
        if n < 2:
            return 0.0
        vague = self.empty + self.ignorance
        return float((vague.sum() - np.trace(vague)) / (n * (n - 1)))


def relational(masses: ArrayLike, focal_sets: FocalSets) -> RelationalMasses:
    """Relational representation of all pairs of objects [li2020_ensemble (9a)] to [li2020_ensemble (9d)].

    Parameters
    ----------
    masses : array of shape (n, f)
    focal_sets : FocalSets

    Returns
    -------
    RelationalMasses with arrays of shape (n, n)
        Symmetric. On the diagonal "same" is certain: the formula speaks of two different objects.

    Raises
    ------
    NotEnoughMemory
        Four (n, n) arrays do not fit. A ValueError and a MemoryError.

    Notes
    -----
    O(n^2 f) time and four (n, n) arrays; `relational_block` gives some rows only.

    References
    ----------
    li2020_ensemble
    """
    M = np.atleast_2d(check_masses(masses, focal_sets))
    n = len(M)
    expect_memory(32 * n**2, f"masses of all pairs of {n} objects", WITHOUT_MATRICES)
    table = relational_block(M, M, focal_sets)
    for name, part in zip(table._fields, table):
        np.fill_diagonal(part, 1.0 if name == "same" else 0.0)
    return table


def relational_block(first: ArrayLike, second: ArrayLike, focal_sets: FocalSets) -> RelationalMasses:
    """Pairwise masses of two groups of objects on one family.

    m(∅) [li2020_ensemble (9a)], [antoine2012_cecm (17)], m({s}) [li2020_ensemble (9b)], m({not s})
    [li2020_ensemble (9c)] and m(Theta) [li2020_ensemble (9d)]. Each is written as a sum of products of masses
    rather than as the paper's difference of two sums, so that rounding makes none negative.

    Parameters
    ----------
    first, second : arrays of shape (a, f) and (b, f)
    focal_sets : FocalSets

    Returns
    -------
    RelationalMasses with arrays of shape (a, b); the two groups are taken to be different objects.

    References
    ----------
    li2020_ensemble
    """
    P = np.atleast_2d(check_masses(first, focal_sets))
    Q = np.atleast_2d(check_masses(second, focal_sets))
    total = P.sum(axis=1)
    empty_p, empty_q = _empty(P, focal_sets), _empty(Q, focal_sets)
    single_p, single_q = singleton_belief(P, focal_sets), singleton_belief(Q, focal_sets)
    P, Q = _without_empty(P, focal_sets), _without_empty(Q, focal_sets)
    away = _without_empty(disjoint_mass(P, focal_sets), focal_sets)  # (a, f): mass disjoint from each set
    meets = total[:, None] - empty_p[:, None] - away
    one = focal_sets.singletons[focal_sets.singletons >= 0]
    meets[:, one] -= P[:, one]  # equal singletons are "same", not ignorance
    empty = empty_p[:, None] + empty_q - empty_p[:, None] * empty_q
    return RelationalMasses(empty, single_p @ single_q.T, away @ Q.T, np.maximum(meets, 0.0) @ Q.T)


def pair_matrices(focal_sets: FocalSets) -> tuple[np.ndarray, np.ndarray]:
    """Matrices S and D of the masses of two objects on {s} and on {not s}: ``m @ S @ m'``, ``m @ D @ m'``.

    S is 1 where two focal sets are the same singleton [li2020_ensemble (20)], D where they are disjoint and
    neither is empty. Two float arrays of shape (f, f).

    References
    ----------
    li2020_ensemble
    """
    same = np.diag((focal_sets.cardinality == 1).astype(float))
    different = np.array(focal_sets.conflict)
    if focal_sets.has_empty:
        different[0], different[:, 0] = 0.0, 0.0
    return same, different


def _empty(M: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    return M[:, 0] if focal_sets.has_empty else np.zeros(len(M))


def _without_empty(M: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """The same columns with 0 in the column of the empty set."""
    return np.where(focal_sets.bits == 0, 0.0, M)
