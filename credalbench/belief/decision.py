"""Decisions from masses: one cluster, a set of clusters, or none, for every object.

Ties: values that differ by less than `TIE_TOLERANCE` count as equal, and the functions choose the lowest
index. The result thus depends neither on the order of additions nor on chance. Interval dominance chooses no
index and compares the numbers directly. An object with m(∅) = 1 has no evidence for any cluster. It is
treated as vacuous: its label is 0, all its clusters are undominated, and it is an outlier.

`masses` has shape (n, f), one column for each of the f sets of `focal_sets`; a single mass function of shape
(f,) is accepted too.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import Choice, Flag
from credalbench.core.resources import user_stacklevel

from .focal import FocalSets
from .transforms import check_masses, contour, non_empty_mass, pignistic, singleton_belief

if TYPE_CHECKING:
    from .partition import CredalPartition

TIE_TOLERANCE = 1e-12
LABEL_RULES = ("pignistic", "plausibility", "belief")
SET_RULES = ("interval_dominance", "maximum_mass")


def first_maximum(values: ArrayLike) -> np.ndarray:
    """Return the index of the largest entry of every row, the lowest one among ties. (n, c) -> (n,)."""
    values = np.asarray(values, dtype=float)
    return (values >= values.max(axis=-1, keepdims=True) - TIE_TOLERANCE).argmax(axis=-1)


def decide(masses: ArrayLike, focal_sets: FocalSets, rule: str = "pignistic") -> np.ndarray:
    """Assign every object to one cluster, (n,) in 0..c-1; for ties and m(∅) = 1 see the module.

    It is the cluster with the highest "pignistic" probability, "plausibility" [denoeux2016_evclus (6)]
    [li2020_ensemble (6)], or "belief".

    References
    ----------
    [denoeux2016_evclus], [li2020_ensemble]
    """
    M = check_masses(masses, focal_sets)
    if Choice(*LABEL_RULES).read("rule", rule) == "pignistic":
        return first_maximum(pignistic(M, focal_sets))
    measures = {"plausibility": contour, "belief": singleton_belief}
    return first_maximum(measures[rule](_scaled(M, focal_sets), focal_sets))


def interval_dominance(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Return the clusters that no other cluster dominates [denoeux2016_evclus (7)] [li2020_ensemble (7)].

    Cluster k is excluded if some l has Bel({l}) > Pl({k}); equality does not dominate. Only single clusters
    dominate: m({1,2}) = 1 excludes no cluster, not even one of plausibility 0. The bool result (n, c) has at
    least one True per row; all are True where m(∅) = 1.

    Notes
    -----
    The papers leave open whether to normalise first. It makes no difference: Dempster's normalisation divides
    both sides by the same 1 - m(∅). The function does not normalise and compares the sums without tolerance,
    as the R package evclust does. In floating point 0.45 > 0.3 + 0.15: rounding may break a tie that exists
    on paper, but always in the same way.

    References
    ----------
    [denoeux2016_evclus], [li2020_ensemble]

    Examples
    --------
    The mass function of the paper's Example 2 [denoeux2016_evclus (8)] leaves the first two clusters:

    >>> interval_dominance([0.3, 0.4, 0.3], FocalSets.from_sets(3, [{0}, {1}, {0, 2}]))
    array([ True,  True, False])
    """
    bel, pl = singleton_belief(masses, focal_sets), contour(masses, focal_sets)
    return bel.max(axis=-1, keepdims=True) <= pl


def _scaled(M: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Divide non-empty masses by their sum (0 where there are none), and set the empty set to 0."""
    total = non_empty_mass(M, focal_sets)
    M = M.copy()
    M[..., : int(focal_sets.has_empty)] = 0.0  # over a sum near 0 it would overflow
    return M / np.where(total == 0, 1.0, total)[..., None]


def maximum_mass(masses: ArrayLike, focal_sets: FocalSets, *, allow_empty: bool = True) -> np.ndarray:
    """Return the index of the focal set with the largest mass: the hard credal partition. (n, f) -> (n,).

    Unless `allow_empty`, the empty set is not chosen; an object with m(∅) = 1 then gets Omega, or the first
    non-empty focal set if Omega is not a focal set.
    """
    M = check_masses(masses, focal_sets)
    if Flag().read("allow_empty", allow_empty) or not focal_sets.has_empty:
        return first_maximum(M)
    if len(focal_sets) == 1:
        raise ValueError("expected a non-empty focal set to choose, got the empty set only")
    vacuous = focal_sets.index(range(focal_sets.n_clusters)) if focal_sets.has_omega else 1
    chosen = first_maximum(_scaled(M, focal_sets)[..., 1:]) + 1
    return np.where(non_empty_mass(M, focal_sets) == 0, vacuous, chosen)


def outliers(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """Return the objects with more mass on the empty set than on any other focal set. (n, f) -> (n,) bool.

    The comparison is strict: a tie is not an outlier.
    """
    M = check_masses(masses, focal_sets)
    if not focal_sets.has_empty:
        return np.zeros(M.shape[:-1], dtype=bool)
    rest = M[..., 1:].max(axis=-1, initial=0.0)
    return M[..., 0] > rest + TIE_TOLERANCE


def selected_clusters(
    masses: ArrayLike, focal_sets: FocalSets, rule: str = "interval_dominance"
) -> np.ndarray:
    """Return whether each cluster is in the set A_i of every object, bool (n, c).

    A_i has the undominated clusters (rule "interval_dominance"), or is the focal set of largest mass,
    possibly empty ("maximum_mass"). The papers use both rules.
    """
    if Choice(*SET_RULES).read("rule", rule) == "interval_dominance":
        return interval_dominance(masses, focal_sets)
    return focal_sets.membership[maximum_mass(masses, focal_sets)]


def lower_approximation(
    masses: ArrayLike,
    focal_sets: FocalSets,
    rule: str = "interval_dominance",
    *,
    exclude_outliers: bool = True,
) -> np.ndarray:
    """Return the objects surely in each cluster: A_i = {k} [denoeux2016_evclus (9)] [li2020_ensemble (8a)].

    For the rules see `selected_clusters`. `exclude_outliers` leaves out the objects of `outliers`, as Fig. 8
    of the EVCLUS paper does. The bool result (n, c) has at most one True per row.

    References
    ----------
    [denoeux2016_evclus], [li2020_ensemble]
    """
    exclude_outliers = Flag().read("exclude_outliers", exclude_outliers)
    A = selected_clusters(masses, focal_sets, rule)
    lower = A & (A.sum(axis=-1, keepdims=True) == 1)
    return lower & ~outliers(masses, focal_sets)[..., None] if exclude_outliers else lower


def upper_approximation(
    masses: ArrayLike, focal_sets: FocalSets, rule: str = "interval_dominance"
) -> np.ndarray:
    """Return the objects possibly in each cluster: k in A_i [denoeux2016_evclus (10)] [li2020_ensemble (8b)].

    For the rules see `selected_clusters`. The bool result (n, c) includes outliers: under interval dominance
    an object with m(∅) = 1 is in every upper approximation.

    References
    ----------
    [denoeux2016_evclus], [li2020_ensemble]
    """
    return selected_clusters(masses, focal_sets, rule)


class EmptyClusters(UserWarning):
    """Warning about clusters without objects; `brief` has their count without their numbers."""

    def __init__(self, brief: str, numbers: str, advice: str) -> None:
        super().__init__(brief, numbers, advice)
        self.brief, self.numbers, self.advice = brief, numbers, advice

    def __str__(self) -> str:
        return f"{self.brief}: {self.numbers}. Labels skip such clusters. Try {self.advice}"


def labels_of(partition: CredalPartition, advice: str = "fewer clusters, or another start") -> np.ndarray:
    """Return the label of every object, (n,) in 0..c-1; warn of clusters without objects.

    Such a cluster leaves a gap in the labels, which remain indices of ``contour`` and ``cluster_centers_``.
    The warning gives the `advice`.
    """
    labels, c = partition.labels(), partition.n_clusters
    empty = np.flatnonzero(np.bincount(labels, minlength=c) == 0)
    if empty.size:
        brief = f"{empty.size} of {c} clusters {'have' if empty.size > 1 else 'has'} no object"
        numbers = ", ".join(f"{{{k + 1}}}" for k in empty)
        warnings.warn(EmptyClusters(brief, numbers, advice), stacklevel=user_stacklevel())
    return labels
