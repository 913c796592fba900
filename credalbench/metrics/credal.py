"""Comparison of credal partitions by the masses of all pairs of objects.

The comparison uses pairs of objects only: labels of clusters have no meaning, and two partitions may have
different numbers of clusters. The relational representation of a credal partition gives each pair masses m_ij
on Theta = {s, not s}, "same cluster" and "different clusters". `credal_rand` measures how close, or
consistent, the masses of all pairs are [denoeux2018]; `adjusted_credal_rand` measures how much closer they
are than by chance.

A partition close to the truth is consistent with it *and* specific: an uninformative partition contradicts
nothing. Comparisons with classes by the decided pairs are in ``evidential.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import squareform

from credalbench.belief import CredalPartition
from credalbench.belief.combine import disjoint_mass
from credalbench.belief.relational import (
    SIDE,
    jousselme_of_pairs,
    mean_over_pairs,
    relational_block,
    without_empty,
)
from credalbench.belief.transforms import singleton_belief
from credalbench.core.arguments import Choice, as_array
from credalbench.core.resources import MATRIX_GAIN, expect_memory, warn_if_slow

if TYPE_CHECKING:
    from credalbench.belief import RelationalMasses

MASS_ARRAYS = 3  # (n, f) arrays in memory at a time for "conflict"
PAIR_WORK = 30  # approximate multiplications per pair besides those of the products of matrices
CREDAL_RAND_KINDS = ("jousselme", "belief", "conflict")
SORTED_ARRAYS = 10  # (n, n) arrays in memory at a time when beliefs of all pairs are sorted
ALIKE = 1e-12  # a distance by chance below this is rounding: both partitions agree on all pairs


# ---------------------------------------------------------------------- masses of all pairs


def credal_rand(
    P: CredalPartition | ArrayLike, Q: CredalPartition | ArrayLike, kind: str = "jousselme"
) -> float:
    r"""Compute the credal Rand index of two credal partitions [li2020_ensemble (10)] [li2020_ensemble (18)].

    .. math:: \rho(P, Q) = 1 - \frac{2}{n(n-1)} \sum_{i<j} d(m_{ij}, m'_{ij})

    with the relational masses m_ij and m'_ij of objects i and j.

    Parameters
    ----------
    P, Q : CredalPartition, or arrays of shape (n,) of labels
        Partitions of the same n objects; numbers of clusters and focal sets may differ. Labels mean a hard
        partition; for a fuzzy one see `CredalPartition.from_fuzzy`.
    kind : {"jousselme", "belief", "conflict"}, default "jousselme"
        The distance d: Jousselme's (the index of the ensemble paper); half the sum of absolute differences of
        the beliefs of {s}, {not s} and Theta; or the degree of conflict, which is not a distance: the index
        is then the *consistency* of P and Q, and the consistency of P with itself may be below 1.

    Returns
    -------
    float
        In [0, 1]. For two hard partitions all three kinds give the Rand index. 1 if there is no pair (n = 1).

    Raises
    ------
    ValueError
        If the numbers of objects differ or the kind is unknown.

    Warns
    -----
    UserWarning
        If the computation is expected to take more than half a minute.

    See Also
    --------
    pairwise_nonspecificity : The complement of consistency: how vague a partition is.

    Notes
    -----
    "jousselme" and "belief" take O(n^2 f) time. They process pairs block by block, with a few MiB of memory
    besides the masses for any n. "conflict" is bilinear in the masses of i and of j and takes O(n f^2) time
    for all pairs together. In the R package evclust the kinds are "j", "b" and "c".

    Minimising a sum of squared distances, equation (19) of the ensemble paper, does not maximise this index.

    References
    ----------
    [li2020_ensemble], [denoeux2018]

    Examples
    --------
    >>> from credalbench.belief import FocalSets
    >>> soft = CredalPartition([[1, 0, 0], [1, 0, 0], [0, 0, 1]], FocalSets.simple(2, empty=False))
    >>> credal_rand([0, 0, 1], soft, "conflict"), round(credal_rand([0, 0, 1], soft), 3)
    (1.0, 0.529)
    """
    Choice(*CREDAL_RAND_KINDS).read("kind", kind)
    P, Q = _as_credal(P, Q)
    if len(P) == 1:
        return 1.0
    if kind == "conflict":
        index = _consistency(P, Q)
    else:
        index = 1 - _mean_distance({"jousselme": jousselme_of_pairs, "belief": _belief_distance}[kind], P, Q)
    return float(np.clip(index, 0.0, 1.0))  # rounding of sums of many numbers


def _consistency(P: CredalPartition, Q: CredalPartition) -> float:
    """Compute the mean over all pairs of 1 - kappa, where kappa is the degree of conflict of both masses.

    With t = m({s}) + m({not s}) + m(Theta), 1 - kappa = t t' - m({s}) m'({not s}) - m({not s}) m'({s}).
    """
    p, q = (without_empty(R.masses, R.focal_sets).sum(axis=1) for R in (P, Q))
    n, inside = P.n_objects, p * q
    both = float(np.vdot(inside.sum(axis=0), inside.sum(axis=0)) - np.vdot(inside, inside))
    return (both - _same_against_different(P, Q) - _same_against_different(Q, P)) / (n * (n - 1))


def _same_against_different(P: CredalPartition, Q: CredalPartition) -> float:
    """Return the sum over i != j of m_ij({s}) of P times m_ij({not s}) of Q; O(n f^2).

    The first factor is a sum over clusters, the second a sum over disjoint focal sets. The sum over objects
    therefore comes first; it gives a table of clusters of P by focal sets of Q.
    """
    S, M = singleton_belief(P.masses, P.focal_sets), without_empty(Q.masses, Q.focal_sets)
    table = S.T @ M  # (c, f)
    everywhere = np.vdot(disjoint_mass(table, Q.focal_sets), table)
    with_itself = np.einsum("ik,ik->i", S, S) @ np.einsum("ij,ij->i", disjoint_mass(M, Q.focal_sets), M)
    return float(everywhere - with_itself)


def _mean_distance(
    distance: Callable[[RelationalMasses, RelationalMasses], np.ndarray],
    P: CredalPartition,
    Q: CredalPartition,
) -> float:
    """Compute the mean of a distance of pairwise masses over all pairs, block by block."""
    n = P.n_objects
    products = sum(f * (2 + f / SIDE) for f in (len(P.focal_sets), len(Q.focal_sets)))
    work = n**2 / 2 * (PAIR_WORK + products / MATRIX_GAIN)
    warn_if_slow(work, f"comparing all pairs of {n} objects", 'kind="conflict", or fewer objects')

    def distances(rows: slice, columns: slice) -> np.ndarray:
        return distance(*(relational_block(R.masses[rows], R.masses[columns], R.focal_sets) for R in (P, Q)))

    return mean_over_pairs(n, distances)


def _belief_distance(first: RelationalMasses, second: RelationalMasses) -> np.ndarray:
    """Compute half the sum of absolute differences of the beliefs; overwrite the arrays of `first`."""
    _, s, d, t = (np.subtract(a, b, out=a) for a, b in zip(first, second))
    t += s
    t += d
    distance = np.abs(t, out=t)
    distance += np.abs(s, out=s)
    distance += np.abs(d, out=d)
    distance /= 2
    return distance


def _as_credal(*partitions: CredalPartition | ArrayLike) -> list[CredalPartition]:
    """Return two partitions of the same objects, credal ones or labels, as credal partitions."""
    P, Q = found = [
        one if isinstance(one, CredalPartition) else CredalPartition.from_labels(read_labels(one))
        for one in partitions
    ]
    if len(P) != len(Q):
        raise ValueError(f"expected two partitions of the same objects, got {len(P)} and {len(Q)}")
    return found


def read_labels(values: ArrayLike) -> np.ndarray:
    """Return labels (n,) of any kind as numbers 0, 1, ...; raise a ValueError if one is missing."""
    import pandas as pd

    labels = as_array("labels", values)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(f"expected a CredalPartition or labels of shape (n,), got shape {labels.shape}")
    given = pd.Series(values if isinstance(values, list) else labels)  # an array of text spells NaN "nan"
    numbers = pd.factorize(given, sort=True)[0]
    unknown = np.flatnonzero(numbers < 0)
    if unknown.size:
        raise ValueError(
            f"expected labels other than NaN and None, got {given[unknown[0]]} for object {unknown[0]}"
        )
    return numbers


# ---------------------------------------------------------------------- corrected for chance


def adjusted_credal_rand(P: CredalPartition | ArrayLike, Q: CredalPartition | ArrayLike) -> float:
    r"""Compute the credal Rand index of two credal partitions, adjusted for chance.

    .. math:: \frac{\rho(P, Q) - E\rho}{1 - E\rho}

    with the index of kind "belief" and its mean :math:`E\rho` over all orders of the objects of Q. For hard
    partitions it is the adjusted Rand index [hubert1985]; the adjustment for other partitions is ours.

    Parameters
    ----------
    P, Q : CredalPartition, or arrays of shape (n,) of labels
        Partitions of the same n objects, as in `credal_rand`.

    Returns
    -------
    float
        At most 1; 0 is the expectation by chance. 1 if chance alone gives full agreement: both partitions are
        equal and constant over all pairs, or there is no pair (n = 1).

    Raises
    ------
    ValueError
        If the numbers of objects differ.
    NotEnoughMemory
        If beliefs of all pairs do not fit into memory. The error is a ValueError and a MemoryError.

    See Also
    --------
    credal_rand : The index without adjustment.

    Notes
    -----
    O(n^2 (f + log n)) time, about ten (n, n) arrays. The mean over all orders is exact: each pair of P is
    compared with each pair of Q equally often, and the mean of absolute differences of two samples is an area
    between their distribution functions.

    References
    ----------
    [denoeux2018], [hubert1985]

    Examples
    --------
    >>> from credalbench.belief import FocalSets
    >>> masses = [[1, 0, 0], [0.6, 0, 0.4], [0, 1, 0], [0, 1, 0]]
    >>> soft = CredalPartition(masses, FocalSets.simple(2, empty=False))
    >>> round(adjusted_credal_rand([0, 0, 1, 1], soft), 3), adjusted_credal_rand([0, 0, 1, 1], [3, 3, 7, 7])
    (0.78, 1.0)
    """
    P, Q = _as_credal(P, Q)
    n = len(P)
    if n == 1:
        return 1.0
    expect_memory(8 * SORTED_ARRAYS * n**2, f"beliefs of all pairs of {n} objects", "fewer objects")
    first, second = _beliefs_of_pairs(P), _beliefs_of_pairs(Q)
    by_chance = sum(map(_mean_gap, first, second))
    if by_chance < ALIKE:
        return 1.0
    return float(1 - np.abs(first - second).sum(axis=0).mean() / by_chance)


def _beliefs_of_pairs(P: CredalPartition) -> np.ndarray:
    """Return Bel({s}), Bel({not s}) and Bel(Theta) of all pairs i < j, (3, n (n - 1) / 2)."""
    _, same, different, ignorance = P.relational()
    ignorance += same
    ignorance += different
    return np.stack([squareform(part, checks=False) for part in (same, different, ignorance)])


def _mean_gap(first: np.ndarray, second: np.ndarray) -> float:
    """Compute the mean absolute difference between every value of one sample and every value of the other."""
    both = np.concatenate([first, second])
    order = np.argsort(both, kind="stable")
    below = np.cumsum(order < first.size)[:-1]  # values of the first sample up to each place
    F, G = below / first.size, (np.arange(1, both.size) - below) / second.size
    return float(np.diff(both[order]) @ (F * (1 - G) + G * (1 - F)))
