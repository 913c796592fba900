"""Combination of mass functions, normalisation, conflict and distance.

Two mass arrays, possibly on different focal sets of the same frame, are combined row by row. The product of
the masses of each pair of focal sets goes to one set. The rules differ in that set:

============  ==========================================================
conjunctive   B ∩ C                                  [li2020_ensemble (3a)]
Dempster      B ∩ C, then normalised                 [li2020_ensemble (4)]
disjunctive   B ∪ C                                  [li2020_ensemble (3b)]
Dubois-Prade  B ∩ C, or B ∪ C if disjoint            [li2020_ensemble (5)]
Yager         B ∩ C, or Omega if disjoint
============  ==========================================================

The rules of Dubois and Prade and of Yager are not associative: the order of three or more sources matters.

Below, `masses` has shape (n, f), one column for each of the f sets of `focal_sets`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from credalbench.core.arguments import Choice
from credalbench.core.resources import expect_memory

from .focal import MAX_MATRIX_SETS, FocalSets, check_same_frame
from .transforms import check_masses, implicability, non_empty_mass, rearrange

MAX_PAIRS = 2**25  # pairs of focal sets in one combination
BLOCK = 2**22  # products of masses in memory at a time


# ---------------------------------------------------------------------- combination


def conjunctive(
    m1: ArrayLike,
    focal_sets1: FocalSets,
    m2: ArrayLike,
    focal_sets2: FocalSets,
    onto: FocalSets | None = None,
) -> tuple[np.ndarray, FocalSets]:
    """Combine two sources that are both reliable, without normalisation [li2020_ensemble (3a)].

    Parameters
    ----------
    m1, m2 : arrays of shape (n, f1) and (n, f2), or (1, f), or (f,)
        Masses; a single row is combined with every row of the other.
    focal_sets1, focal_sets2 : FocalSets
        Focal sets of the same frame.
    onto : FocalSets, optional
        Focal sets of the result. None: the sets that the rule can reach, in canonical order.

    Returns
    -------
    masses : array of shape (n, g)
        Masses of the result.
    focal_sets : FocalSets
        Its g focal sets.

    Raises
    ------
    ValueError
        If the frames or numbers of rows differ, or `onto` lacks a set that receives mass.

    Notes
    -----
    O(n f1 f2), in blocks of rows.

    References
    ----------
    [li2020_ensemble]

    Examples
    --------
    >>> focal_sets = FocalSets.simple(2)
    >>> masses, found = conjunctive([0, 0.5, 0, 0.5], focal_sets, [0, 0, 0.5, 0.5], focal_sets)
    >>> found.labels, masses
    (['∅', '{1}', '{2}', 'Ω'], array([0.25, 0.25, 0.25, 0.25]))
    """
    return _combine(m1, focal_sets1, m2, focal_sets2, onto, lambda B, C, omega: B & C)


def disjunctive(
    m1: ArrayLike,
    focal_sets1: FocalSets,
    m2: ArrayLike,
    focal_sets2: FocalSets,
    onto: FocalSets | None = None,
) -> tuple[np.ndarray, FocalSets]:
    """Combine two sources, at least one of which is reliable [li2020_ensemble (3b)].

    Parameters and results are those of `conjunctive`.
    """
    return _combine(m1, focal_sets1, m2, focal_sets2, onto, lambda B, C, omega: B | C)


def dubois_prade(
    m1: ArrayLike,
    focal_sets1: FocalSets,
    m2: ArrayLike,
    focal_sets2: FocalSets,
    onto: FocalSets | None = None,
) -> tuple[np.ndarray, FocalSets]:
    """Combine by the intersection, or by the union of sets in conflict [li2020_ensemble (5)].

    Parameters and results are those of `conjunctive`. The empty set is disjoint from every set B, so that
    their product goes to B.
    """
    return _combine(
        m1, focal_sets1, m2, focal_sets2, onto, lambda B, C, omega: np.where(B & C == 0, B | C, B & C)
    )


def yager(
    m1: ArrayLike,
    focal_sets1: FocalSets,
    m2: ArrayLike,
    focal_sets2: FocalSets,
    onto: FocalSets | None = None,
) -> tuple[np.ndarray, FocalSets]:
    """Combine by the intersection, or by Omega for sets in conflict: Yager's rule.

    Parameters and results are those of `conjunctive`.
    """
    return _combine(
        m1, focal_sets1, m2, focal_sets2, onto, lambda B, C, omega: np.where(B & C == 0, omega, B & C)
    )


def dempster(
    m1: ArrayLike,
    focal_sets1: FocalSets,
    m2: ArrayLike,
    focal_sets2: FocalSets,
    onto: FocalSets | None = None,
) -> tuple[np.ndarray, FocalSets]:
    """Combine by the conjunctive rule, then normalise: Dempster's rule [li2020_ensemble (4)].

    Parameters and results are those of `conjunctive`. Total conflict gives the vacuous mass function,
    m(Omega) = 1, never NaN. The empty set is a focal set of the result only if `onto` contains it.
    """
    masses, focal_sets = normalize(*conjunctive(m1, focal_sets1, m2, focal_sets2), "dempster")
    if focal_sets.has_empty and len(focal_sets) > 1:
        masses, focal_sets = masses[..., 1:], FocalSets(focal_sets.n_clusters, focal_sets.masks[1:])
    return (masses, focal_sets) if onto is None else (rearrange(masses, focal_sets, onto), onto)


def _combine(
    m1: ArrayLike,
    focal_sets1: FocalSets,
    m2: ArrayLike,
    focal_sets2: FocalSets,
    onto: FocalSets | None,
    target: Callable[[np.ndarray, np.ndarray, int], np.ndarray],
) -> tuple[np.ndarray, FocalSets]:
    check_same_frame(focal_sets1, focal_sets2)
    M1, M2 = check_masses(m1, focal_sets1), check_masses(m2, focal_sets2)
    single = M1.ndim == M2.ndim == 1
    M1, M2 = np.atleast_2d(M1), np.atleast_2d(M2)
    if M1.shape[0] != M2.shape[0] and 1 not in (M1.shape[0], M2.shape[0]):
        raise ValueError(f"expected equal numbers of rows (or one row), got {M1.shape[0]} and {M2.shape[0]}")
    pairs = len(focal_sets1) * len(focal_sets2)
    if pairs > MAX_PAIRS:
        raise ValueError(f"expected at most {MAX_PAIRS} pairs of focal sets, got {pairs}")
    reached = target(focal_sets1.bits[:, None], focal_sets2.bits, focal_sets1.omega_mask).ravel()
    focal_sets = FocalSets.from_masks(focal_sets1.n_clusters, np.unique(reached).tolist())
    masses = _sum_products(M1, M2, focal_sets.positions(reached), len(focal_sets))
    if onto is not None:
        masses, focal_sets = rearrange(masses, focal_sets, onto), onto
    return (masses[0] if single else masses), focal_sets


def _sum_products(M1: np.ndarray, M2: np.ndarray, column: np.ndarray, width: int) -> np.ndarray:
    """Add products of all pairs of masses by target column. (n, f1), (n, f2), (f1 f2,) -> (n, width)."""
    n, pairs = max(M1.shape[0], M2.shape[0]), column.size
    collect = csr_array((np.ones(pairs), (np.arange(pairs), column)), shape=(pairs, width))
    M1, M2 = np.broadcast_to(M1, (n, M1.shape[1])), np.broadcast_to(M2, (n, M2.shape[1]))
    out = np.empty((n, width))
    step = max(1, BLOCK // pairs)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        out[rows] = (M1[rows, :, None] * M2[rows, None, :]).reshape(-1, pairs) @ collect
    return out


# ---------------------------------------------------------------------- normalisation


def normalize(
    masses: ArrayLike, focal_sets: FocalSets, rule: str = "dempster"
) -> tuple[np.ndarray, FocalSets]:
    """Remove the mass of the empty set [li2020_ensemble (2)].

    The rule "dempster" divides the other masses by 1 - m(∅); a row with m(∅) = 1 becomes vacuous, m(Omega) =
    1. The rule "yager" moves m(∅) to Omega. The results are masses (n, f) or (n, f + 1) without mass on the
    empty set, and their focal sets: the given ones, with Omega appended if it is missing and needed.

    References
    ----------
    [li2020_ensemble]
    """
    Choice("dempster", "yager").read("rule", rule)
    M = check_masses(masses, focal_sets).copy()
    if not focal_sets.has_empty:
        return M, focal_sets
    total = non_empty_mass(M, focal_sets)
    if rule == "dempster":
        M[..., 0] = np.where(total == 0, 1.0, 0.0)  # m(A) / (1 - m(∅)); the mass left on ∅ goes to Omega
        M[..., 1:] /= np.where(total == 0, 1.0, total)[..., None]
    moved = M[..., 0].copy()
    M[..., 0] = 0.0
    if not moved.any():
        return M, focal_sets
    with_omega = focal_sets.with_omega()
    M = rearrange(M, focal_sets, with_omega)
    M[..., with_omega.index(range(with_omega.n_clusters))] += moved
    return M, with_omega


# ---------------------------------------------------------------------- conflict


def disjoint_mass(masses: ArrayLike, focal_sets: FocalSets, onto: FocalSets | None = None) -> np.ndarray:
    """Compute the mass (n, g) on the sets disjoint from each set A: M C, with C of [denoeux2016_evclus (18)].

    The g sets A are those of `onto`, by default the same focal sets. O(n f g), or O(n c 2^c) for very many
    focal sets, where the result is the implicability of the complement of A.

    References
    ----------
    [denoeux2016_evclus]
    """
    onto = onto or focal_sets
    check_same_frame(focal_sets, onto)
    M = check_masses(masses, focal_sets)
    if len(focal_sets) * len(onto) <= MAX_MATRIX_SETS**2 // 4:
        C = focal_sets.conflict if onto is focal_sets else focal_sets.bits[:, None] & onto.bits == 0
        return M @ C.astype(float, copy=False)
    complement = onto.bits ^ onto.omega_mask
    rows = np.atleast_2d(M)
    values = np.stack([implicability(row, focal_sets)[complement] for row in rows])
    return values.reshape(*M.shape[:-1], len(onto))


def degree_of_conflict(
    m1: ArrayLike, focal_sets1: FocalSets, m2: ArrayLike, focal_sets2: FocalSets
) -> np.ndarray:
    """Compute kappa, the sum of m1(A) m2(B) over disjoint A, B, row by row [denoeux2016_evclus (3)].

    Parameters
    ----------
    m1, m2 : arrays of shape (n, f1) and (n, f2), or (f,)
        Masses.
    focal_sets1, focal_sets2 : FocalSets
        Focal sets of the same frame.

    Returns
    -------
    array of shape (n,), or a number for two single mass functions
        In [0, 1].

    References
    ----------
    [denoeux2016_evclus]

    Examples
    --------
    Two persons of one nationality, the paper's Example 1: m1 [denoeux2016_evclus (4a)] and
    m2 [denoeux2016_evclus (4b)] on {Singapore, Thailand, France, Canada} give
    kappa [denoeux2016_evclus (5a)] = 0.4 [denoeux2016_evclus (5b)].

    >>> asian, french = FocalSets.from_sets(4, [{0, 1}, range(4)]), FocalSets.from_sets(4, [{2, 3}, range(4)])
    >>> float(degree_of_conflict([0.8, 0.2], asian, [0.5, 0.5], french))
    0.4
    """
    M2 = check_masses(m2, focal_sets2)
    return np.sum(disjoint_mass(m1, focal_sets1, focal_sets2) * M2, axis=-1)


def conflict_matrix(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Compute degrees of conflict (n, n) between all objects, M C M' [denoeux2016_evclus (17)].

    The diagonal is the conflict of each mass function with itself, which is not 0 in general.

    Raises
    ------
    NotEnoughMemory
        If two (n, n) arrays do not fit into memory. The error is a ValueError and a MemoryError.

    References
    ----------
    [denoeux2016_evclus]
    """
    M = np.atleast_2d(check_masses(masses, focal_sets))
    n = len(M)
    advice = "fewer objects at a time, with take"
    expect_memory(16 * n**2, f"degrees of conflict of {n} x {n} objects", advice)
    K = disjoint_mass(M, focal_sets) @ M.T
    return (K + K.T) / 2  # symmetric to the last bit


# ---------------------------------------------------------------------- distance


def jousselme(
    m1: ArrayLike, focal_sets1: FocalSets, m2: ArrayLike, focal_sets2: FocalSets | None = None
) -> np.ndarray:
    r"""Compute the Jousselme distance between mass functions, row by row [li2020_ensemble (11)].

    .. math:: d(m, m') = \sqrt{\tfrac12 (m - m')^T J (m - m')}, \quad J_{AB} = |A \cap B| / |A \cup B|

    The empty set has no special role: its similarity is 1 to itself and 0 to all others.

    Parameters
    ----------
    m1, m2 : arrays of shape (n, f1) and (n, f2), or (f,)
        Masses.
    focal_sets1, focal_sets2 : FocalSets
        Focal sets of the same frame; by default the second are equal to the first.

    Returns
    -------
    array of shape (n,), or a number for two single mass functions
        Distances in [0, 1].

    Notes
    -----
    O(n f^2), where f is the number of focal sets in the union of both.

    References
    ----------
    [li2020_ensemble]

    Examples
    --------
    >>> float(jousselme([1, 0, 0], FocalSets.simple(2, empty=False), [0, 1, 0]))
    1.0
    """
    focal_sets2 = focal_sets1 if focal_sets2 is None else focal_sets2
    check_same_frame(focal_sets1, focal_sets2)
    focal_sets = focal_sets1.union(focal_sets2)
    M1 = rearrange(check_masses(m1, focal_sets1), focal_sets1, focal_sets)
    difference = M1 - rearrange(check_masses(m2, focal_sets2), focal_sets2, focal_sets)
    square = np.sum(difference @ focal_sets.jaccard * difference, axis=-1) / 2
    return np.sqrt(np.maximum(square, 0.0))  # J is positive definite; rounding may still give -1e-17
