"""Belief, plausibility, contour, pignistic and commonality functions from masses, and back.

Every function takes masses of shape (n, f), one row per object, and the `FocalSets` that name the columns. A
single mass function of shape (f,) is accepted too; the result then loses its first axis. Unless stated
otherwise, masses are not normalised: mass on the empty set lowers beliefs and plausibilities, as in the
papers.
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import as_floats

from .focal import FocalSets, check_n_clusters, check_same_frame, read_only, set_label

SUM_TOLERANCE = 1e-6  # largest error of the sum of a row, as after printing with six digits, or of a solver
NEGATIVE_TOLERANCE = 1e-9  # rounding below zero; such entries are set to 0
MAX_TABLE = 2**27  # entries of an array over the whole power set: one gibibyte of doubles


def check_masses(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Return masses as a float array with one column per focal set, without checking the simplex."""
    M = as_floats("masses", masses)
    if M.ndim not in (1, 2) or M.shape[-1] != len(focal_sets):
        raise ValueError(f"expected masses of shape (n, {len(focal_sets)}), got shape {M.shape}")
    return M


def read_simplex(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Return a read-only float copy of masses (n, f); raise a ValueError if a row is off the simplex."""
    try:
        M = np.array(as_floats("masses", masses), order="C")
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"expected masses as a numeric array of shape (n, f), got {type(masses).__name__}: {error}"
        ) from None
    if M.ndim != 2 or M.shape[1] != len(focal_sets):
        raise ValueError(
            f"expected masses of shape (n, {len(focal_sets)}), got shape {M.shape} "
            f"for {len(focal_sets)} focal sets"
        )
    _refuse(~np.isfinite(M).all(axis=1), M, "finite masses")
    _refuse((M < -NEGATIVE_TOLERANCE).any(axis=1), M, "masses of at least 0")
    M[M <= 0] = 0.0
    _refuse(np.abs(M.sum(axis=1) - 1) > SUM_TOLERANCE, M, "masses that sum to 1")
    return read_only(M)


def _refuse(bad: np.ndarray, M: np.ndarray, expected: str) -> None:
    if not bad.any():
        return
    row = int(bad.argmax())
    more = f" ({int(bad.sum())} such rows)" if bad.sum() > 1 else ""
    got = f"minimum {M[row].min():.6g}, sum {M[row].sum():.10g}"
    raise ValueError(f"expected {expected}, got {got} in row {row}{more}")


# ---------------------------------------------------------------------- functions of one set


def belief(masses: ArrayLike, focal_sets: FocalSets, A: Iterable[int] | FocalSets) -> np.ndarray:
    """Compute Bel(A), the sum of m(B) over the non-empty B contained in A.

    [denoeux2016_evclus (2a)], [antoine2012_cecm (5)], [jiao2022_egmm (2)]. A is any subset of the frame,
    focal or not: a set of cluster numbers from 0 or a bool array (c,), which gives (n,) beliefs in O(n f), or
    a `FocalSets` of g sets, which gives (n, g) beliefs in O(n f g).

    References
    ----------
    [denoeux2016_evclus]

    Examples
    --------
    >>> belief([[0.3, 0.4, 0.3]], FocalSets.from_sets(3, [{0}, {1}, {0, 2}]), {0, 2})
    array([0.6])
    """
    M, single, masks = _arguments(masses, focal_sets, A)
    inside = (focal_sets.bits[:, None] & ~masks == 0) & (focal_sets.bits != 0)[:, None]
    values = M @ inside.astype(float)
    return values[..., 0] if single else values


def plausibility(masses: ArrayLike, focal_sets: FocalSets, A: Iterable[int] | FocalSets) -> np.ndarray:
    """Compute Pl(A), the sum of m(B) over B that meet A [denoeux2016_evclus (2b)], [antoine2012_cecm (4)].

    Parameters, results and cost are those of `belief`. Pl(A) = 1 - m(∅) - Bel(complement of A),
    [antoine2012_cecm (6)], [jiao2022_egmm (2)].

    References
    ----------
    [denoeux2016_evclus]
    """
    M, single, masks = _arguments(masses, focal_sets, A)
    values = M @ (focal_sets.bits[:, None] & masks != 0).astype(float)
    return values[..., 0] if single else values


def _arguments(
    masses: ArrayLike, focal_sets: FocalSets, A: Iterable[int] | FocalSets
) -> tuple[np.ndarray, bool, np.ndarray]:
    M = check_masses(masses, focal_sets)
    if isinstance(A, FocalSets):
        check_same_frame(focal_sets, A)
        return M, False, A.bits
    return M, True, np.array([focal_sets.mask_of(A)], dtype=np.int64)


# ---------------------------------------------------------------------- functions of single clusters


def contour(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Compute the plausibility of every cluster: pl_k, the sum of m(A) over A with k. (n, f) -> (n, c)."""
    return check_masses(masses, focal_sets) @ focal_sets.membership.astype(float)


def singleton_belief(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Compute Bel({k}) = m({k}) for every cluster, 0 where {k} is not a focal set. (n, f) -> (n, c)."""
    M = check_masses(masses, focal_sets)
    position = focal_sets.singletons
    return np.where(position >= 0, M[..., position], 0.0)


def pignistic(masses: ArrayLike, focal_sets: FocalSets, *, normalize: bool = True) -> np.ndarray:
    """Compute pignistic probabilities (n, c): each mass is shared equally among the clusters of its set.

    BetP_k is the sum over A with k of m(A) / card(A), [antoine2012_cecm (7)], [jiao2022_egmm (3)], of the
    Dempster-normalised masses by default: rows sum to 1, and an object with m(∅) = 1 gets 1/c everywhere.
    Without `normalize`, the mass on the empty set is left out and rows sum to 1 - m(∅).

    >>> pignistic([0.5, 0.1, 0.4], FocalSets.simple(2, empty=False))
    array([0.7, 0.3])
    """
    M = check_masses(masses, focal_sets)
    share = focal_sets.membership / np.maximum(focal_sets.cardinality, 1)[:, None]
    return _divide_rows(M @ share, non_empty_mass(M, focal_sets)) if normalize else M @ share


def plausibility_transform(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Divide the contour by its sum: a probability on clusters. (n, f) -> (n, c); 1/c where m(∅) = 1."""
    pl = contour(masses, focal_sets)
    return _divide_rows(pl, pl.sum(axis=-1))


def _divide_rows(values: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Divide rows by their totals; return the uniform row where the total is 0."""
    empty = totals == 0
    uniform = 1.0 / values.shape[-1]
    return np.where(empty[..., None], uniform, values / np.where(empty, 1.0, totals)[..., None])


def non_empty_mass(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Compute 1 - m(∅) as the sum of the other masses, which is accurate when m(∅) is nearly 1. (n,)."""
    M = np.asarray(masses, dtype=float)
    return M[..., 1:].sum(axis=-1) if focal_sets.has_empty else M.sum(axis=-1)


def nonspecificity(masses: ArrayLike, focal_sets: FocalSets) -> float:
    r"""Compute the average nonspecificity of a credal partition [denoeux2016_evclus (24)].

    .. math:: N^* = \frac{1}{n \log_2 c} \sum_i \Big[ \sum_{A \neq \emptyset} m_i(A) \log_2 |A|
              + m_i(\emptyset) \log_2 c \Big]

    The empty set counts as much as Omega. The result is in [0, 1]: 0 if all masses are on single clusters,
    for one cluster, and without objects.

    References
    ----------
    [denoeux2016_evclus]
    """
    M, c = np.atleast_2d(check_masses(masses, focal_sets)), focal_sets.n_clusters
    if c == 1 or not len(M):
        return 0.0
    size = np.where(focal_sets.cardinality == 0, c, focal_sets.cardinality)
    return float(M.mean(axis=0) @ np.log2(size) / np.log2(c))


# ---------------------------------------------------------------------- the whole power set


def zeta_subsets(values: ArrayLike) -> np.ndarray:
    """Compute g(A), the sum of v(B) over B contained in A, along a last axis of 2^c entries in mask order.

    Entry a belongs to the set whose bit mask is a. O(c 2^c) per row.
    """
    return _over_bits(values, lambda without, having: np.add(having, without, out=having))


def moebius_subsets(values: ArrayLike) -> np.ndarray:
    """Invert `zeta_subsets`."""
    return _over_bits(values, lambda without, having: np.subtract(having, without, out=having))


def zeta_supersets(values: ArrayLike) -> np.ndarray:
    """Compute g(A), the sum of v(B) over B containing A, along a last axis of 2^c entries in mask order."""
    return _over_bits(values, lambda without, having: np.add(without, having, out=without))


def moebius_supersets(values: ArrayLike) -> np.ndarray:
    """Invert `zeta_supersets`."""
    return _over_bits(values, lambda without, having: np.subtract(without, having, out=without))


def _over_bits(values: ArrayLike, step: Callable[[np.ndarray, np.ndarray], object]) -> np.ndarray:
    """Apply `step` in place to the halves without and with each bit in turn."""
    out = np.array(values, dtype=float, order="C")
    c = out.shape[-1].bit_length() - 1
    if out.shape[-1] != 1 << c:
        raise ValueError(f"expected a last axis of 2**c entries, got {out.shape[-1]}")
    for bit in range(c):
        halves = out.reshape(-1, 2, 1 << bit)  # a view: axis 1 is the bit
        step(halves[:, 0], halves[:, 1])
    return out


def to_power_set(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Return the masses of all 2^c subsets in mask order. (n, f) -> (n, 2^c)."""
    M = check_masses(masses, focal_sets)
    width = 1 << focal_sets.n_clusters
    if M.size // M.shape[-1] * width > MAX_TABLE:
        raise ValueError(
            f"expected a table of at most {MAX_TABLE} entries over the power set, got "
            f"{M[..., 0].size} rows of 2**{focal_sets.n_clusters}; work on blocks of rows"
        )
    table = np.zeros((*M.shape[:-1], width))
    table[..., focal_sets.bits] = M
    return table


def from_power_set(table: ArrayLike, focal_sets: FocalSets, *, tolerance: float = 1e-12) -> np.ndarray:
    """Return the masses of the focal sets from a table over the power set. (n, 2^c) -> (n, f).

    Raises
    ------
    ValueError
        If a set that is not focal has more mass than `tolerance` (rounding of the Moebius sums).
    """
    values = as_floats("the table", table)
    if values.shape[-1] != 1 << focal_sets.n_clusters:
        raise ValueError(f"expected 2**{focal_sets.n_clusters} columns, got {values.shape[-1]}")
    heaviest = np.abs(values.reshape(-1, values.shape[-1])).max(axis=0)
    heaviest[focal_sets.bits] = 0.0
    worst = int(heaviest.argmax())
    if heaviest[worst] > tolerance:
        members = np.flatnonzero(worst >> np.arange(focal_sets.n_clusters) & 1)
        label = set_label(members, focal_sets.n_clusters)
        raise ValueError(f"expected no mass outside the focal sets, got {heaviest[worst]:.3g} on {label}")
    return values[..., focal_sets.bits]


def commonality(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Compute q(A), the sum of m(B) over B containing A. (n, f) -> (n, 2^c) in mask order."""
    return zeta_supersets(to_power_set(masses, focal_sets))


def masses_from_commonality(q: ArrayLike, focal_sets: FocalSets | None = None) -> np.ndarray:
    """Compute masses from a commonality function. (n, 2^c) -> (n, f), or (n, 2^c) in mask order."""
    table = moebius_supersets(q)
    return table if focal_sets is None else from_power_set(table, focal_sets)


def implicability(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Compute b(A) = Bel(A) + m(∅): the sum of m(B) over B in A. (n, f) -> (n, 2^c) in mask order."""
    return zeta_subsets(to_power_set(masses, focal_sets))


def masses_from_implicability(b: ArrayLike, focal_sets: FocalSets | None = None) -> np.ndarray:
    """Compute masses from an implicability function; shapes are those of `masses_from_commonality`."""
    table = moebius_subsets(b)
    return table if focal_sets is None else from_power_set(table, focal_sets)


def power_set(c: int) -> FocalSets:
    """Return all subsets in mask order: the columns of `commonality` and `implicability`."""
    c = check_n_clusters(c)
    if c > 16:
        raise ValueError(f"expected at most 16 clusters for the power set, got {c}")
    return FocalSets(c, tuple(range(1 << c)))


def rearrange(masses: ArrayLike, focal_sets: FocalSets, onto: FocalSets) -> np.ndarray:
    """Return the same masses with the columns of other focal sets; new sets get mass 0. (n, f) -> (n, g).

    Raises
    ------
    ValueError
        If a set with mass is missing in `onto`.
    """
    check_same_frame(focal_sets, onto)
    M = check_masses(masses, focal_sets)
    target = onto.positions(focal_sets.bits)
    lost = np.flatnonzero((target < 0) & (M.reshape(-1, M.shape[-1]) != 0).any(axis=0))
    if lost.size:
        raise ValueError(
            f"expected focal sets with every set of positive mass, got none for {focal_sets.labels[lost[0]]}"
        )
    out = np.zeros((*M.shape[:-1], len(onto)))
    out[..., target[target >= 0]] = M[..., target >= 0]
    return out
