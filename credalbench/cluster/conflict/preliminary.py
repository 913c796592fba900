r"""Starting masses and d0 of EVCLUS, chosen from the data.

*Masses.* Ward's linkage of the transformed dissimilarities gives c clusters; every object gets most of its
mass on its own. :math:`\varphi` bounds the dissimilarities, so that no outlier becomes a cluster.

*d0.* For each of some quantiles of the dissimilarities, a short fit with the simple focal sets starts from
these masses. The quantile whose partition has the least nonspecificity is chosen. A d0 that is too small puts
objects on the empty set, one that is too large leaves them on the set of all clusters, and both are
nonspecific. Of equal ones the largest is chosen. A quantile that leaves a cluster without objects is chosen
only where all do.

Both look at a random sample of the objects if there are many.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import squareform

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.conflict.stress import AllPairs
from credalbench.cluster.conflict.transformation import d0_from_quantile, transformed
from credalbench.cluster.inputs.new_objects import BLOCK
from credalbench.threads import one_blas_thread

QUANTILES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97)
OWN = 0.9  # mass on an object's own cluster at the start; the rest is spread evenly
OBJECTS, OBJECTS_OF_CLUSTER = 300, 20  # in the sample, at least; for each cluster, at least
DECIMALS = 3  # of a nonspecificity: less is where the short fits stopped
MATRICES, BLOCKS = 8, 3  # (m, m) arrays and blocks of dissimilarities of new objects at a time, measured
SHORT = {"has_empty": True, "tol": 1e-4, "max_iter": 100}


class ShortFit(NamedTuple):
    """Partition of some objects on the simple focal sets; its d0, and the quantile that d0 is of."""

    partition: CredalPartition
    d0: float
    quantile: float | None


def sample_size(n: int, c: int) -> int:
    """Return the number of objects of a short fit."""
    return min(n, max(OBJECTS, OBJECTS_OF_CLUSTER * c))


def sample_objects(n: int, c: int, rng: np.random.RandomState) -> np.ndarray:
    """Return the objects of a short fit: all, or a random sample of them in ascending order."""
    size = sample_size(n, c)
    return np.arange(n) if n == size else np.sort(rng.choice(n, size, replace=False))


def bytes_of_short_fit(n: int, c: int) -> int:
    """Return the memory of a short fit and of the starting masses of all objects."""
    size = sample_size(n, c)
    others = min(n * size, BLOCK) if size < n else 0
    return 8 * (MATRICES * size**2 + BLOCKS * others)


def ward_masses(delta: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return starting masses (n, f) by Ward's linkage of condensed transformed dissimilarities: O(n^2)."""
    labels = cut_tree(linkage(delta, "ward"), focal_sets.n_clusters)[:, 0]
    masses = np.full((len(labels), len(focal_sets)), (1 - OWN) / (len(focal_sets) - 1))
    masses[np.arange(len(labels)), focal_sets.singletons[labels]] = OWN
    return masses


def starting_masses(first: CredalPartition, focal_sets: FocalSets) -> np.ndarray:
    """Return masses (n, f) on other focal sets: a part as in `first`, the rest spread evenly."""
    masses = np.full((len(first), len(focal_sets)), (1 - OWN) / len(focal_sets))
    for A, column in zip(first.focal_sets, first.masses.T):
        if A in focal_sets:
            masses[:, focal_sets.index(A)] += OWN * column
    return masses / masses.sum(axis=1, keepdims=True)


def short_fit(
    D: np.ndarray, n_clusters: int, alpha: float, d0: float | None = None, quantile: float | None = None
) -> ShortFit:
    """Fit masses to dissimilarities `D` (n, n); choose the quantile of d0 where neither is given.

    Where there is nothing to choose, the masses are those of the linkage. O(n^2 f) for each sweep, of which
    there are at most ``SHORT["max_iter"]`` for each quantile.
    """
    d, focal_sets = squareform(D, checks=False), FocalSets.simple(n_clusters)
    if d0 is not None:
        candidates, middle = [(None, d0)], d0
    else:
        candidates = [(q, d0_from_quantile(d, q, condensed=True)) for q in _quantiles(d, quantile)]
        middle = candidates[len(candidates) // 2][1]
    start = ward_masses(transformed(d, middle, alpha), focal_sets)
    if len(candidates) == 1:
        return ShortFit(CredalPartition(start, focal_sets), middle, candidates[0][0])
    fits = []
    for q, value in candidates:
        delta = squareform(transformed(d, value, alpha), checks=False)
        with one_blas_thread():
            run = irqp(AllPairs(delta), start, focal_sets.conflict.copy(), **SHORT)
        fits.append(ShortFit(CredalPartition(run.masses, focal_sets), value, q))
    return min(fits, key=_lack_of_structure)


def _quantiles(d: np.ndarray, quantile: float | None) -> Sequence[float]:
    """Return the quantiles to try: those at which the dissimilarities `d` are not 0."""
    if quantile is not None:
        return [quantile]
    zeros = np.mean(d == 0)
    return [q for q in QUANTILES if q > zeros] or [1.0]


def _lack_of_structure(fit: ShortFit) -> tuple[bool, float, float]:
    """Return whether a cluster has no object, and the nonspecificity; of equal ones the largest d0 counts."""
    used = np.unique(fit.partition.labels("plausibility")).size
    return used < fit.partition.n_clusters, round(fit.partition.nonspecificity(), DECIMALS), -fit.d0
