r"""Starting masses and d0 of EVCLUS, chosen from the data.

*Masses.* Ward's linkage of the transformed dissimilarities gives c clusters; every object gets most of its
mass on its own cluster. :math:`\varphi` bounds the dissimilarities, so outliers do not become clusters unless
d0 is large.

*d0.* Several quantiles of the dissimilarities are tried, each in a short fit with the simple focal sets. The
fit tries the masses of three linkages, at a small, a middle and a large quantile, and continues from those
with the lowest stress after one sweep. A d0 that is too small puts objects on the empty set, and a d0 that is
too large leaves them on the set of all clusters; both are nonspecific. The quantile with the smallest sum of
nonspecificity and share of outliers is chosen. A quantile that leaves a cluster without objects is chosen
only if all quantiles do. The numbers below are from the tuning sets of ``benchmarks/evclus_defaults.py``.

*d0 of one cluster.* If d0 is a quantile, 20 to 60 % of Gaussian objects become outliers, because most pairs
then conflict. Instead, an object at Tukey's fence gets a mass of 1/2 on the empty set. The fence is three
interquartile ranges beyond the third quartile of the objects' trimmed mean dissimilarities. For :math:`u_i`
the mass on the cluster, :math:`u_i u_j = \exp(-\gamma d_{ij}^2)`; with the median a for dissimilarities among
most objects, :math:`u_j^2 = \exp(-\gamma a^2)`, so that :math:`u_i = 1/2` at fence F if
:math:`\gamma (F^2 - a^2 / 2) = \log 2`.

Both use a random sample of the objects if there are many.
"""

import math
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.conflict.row_sweeps import aligned_product
from credalbench.cluster.conflict.stress import AllPairs
from credalbench.cluster.conflict.transformation import d0_from_quantile, transformed
from credalbench.core.linkage import cut
from credalbench.core.threads import one_blas_thread

QUANTILES = (0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 0.97)
OWN = 0.9  # mass on an object's own cluster at the start; the rest is spread evenly
OBJECTS, OBJECTS_OF_CLUSTER = 200, 20  # in the sample, at least; for each cluster, at least
DECIMALS = 3  # of nonspecificity and share of outliers; further ones depend on where fits stopped
SWEEPS = 2  # of a short fit
TRIMMED = 0.25  # of an object's dissimilarities, at either end of their order
FENCE = 3.0  # interquartile ranges beyond the third quartile


class ShortFit(NamedTuple):
    """Partition of some objects on the simple focal sets, with its d0 and the quantile of this d0."""

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


def ward_masses(delta: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return starting masses (n, f) by Ward's linkage of condensed transformed dissimilarities: O(n^2)."""
    labels = pd.factorize(cut(linkage(delta, "ward"), focal_sets.n_clusters))[0]  # by their first objects
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
    """Return masses for dissimilarities `D` (n, n): those of the linkage, or of a fit if d0 is to be chosen.

    O(n^2 f) for each of ``SWEEPS`` sweeps at each quantile.
    """
    if n_clusters == 1 and d0 is None and quantile is None:
        d0 = d0_of_one_cluster(D, alpha)
    if d0 is None and quantile is None:
        return chosen(short_fits(D, n_clusters, alpha))
    d, focal_sets = squareform(D, checks=False), FocalSets.simple(n_clusters)
    d0 = d0_from_quantile(d, quantile, condensed=True) if d0 is None else d0
    start = ward_masses(transformed(d, d0, alpha), focal_sets)
    return ShortFit(CredalPartition(start, focal_sets), d0, quantile)


def d0_of_one_cluster(D: np.ndarray, alpha: float) -> float:
    """Return the d0 at which few objects are outliers, for dissimilarities `D` (n, k) to some objects."""
    cut = int(TRIMMED * D.shape[1])
    means = np.sort(D, axis=1)[:, cut : D.shape[1] - cut].mean(axis=1)
    first, middle, third = np.quantile(means, [0.25, 0.5, 0.75])
    fence = third + FENCE * (third - first)
    if fence == 0:  # most objects are alike
        return float(D.max())
    return float(fence * math.sqrt(math.log(alpha, 0.5) * (1 - (middle / fence) ** 2 / 2)))


def short_fits(D: np.ndarray, n_clusters: int, alpha: float) -> list[ShortFit]:
    """Return a fit to dissimilarities `D` (n, n) for each quantile, from the linkage that suits it best."""
    d, focal_sets = squareform(D, checks=False), FocalSets.simple(n_clusters)
    ordered, conflict = np.sort(d), focal_sets.conflict.copy()
    quantiles = [q for q in QUANTILES if q > np.mean(d == 0)] or [1.0]
    d0s = [d0_from_quantile(ordered, q, condensed=True) for q in quantiles]
    deltas = [transformed(d, d0, alpha) for d0 in d0s]
    starts = {M.tobytes(): M for M in (ward_masses(delta, focal_sets) for delta in deltas[1::3] or deltas)}
    fits = []
    with one_blas_thread():
        for quantile, d0, delta in zip(quantiles, d0s, deltas):
            stress = AllPairs(squareform(delta, checks=False))
            swept = [swept_once(stress, start, conflict) for start in starts.values()]
            _, M, A = min(swept, key=itemgetter(0))
            for _ in range(SWEEPS - 1):
                stress.sweep(M, A, conflict, first=1, current=0.0)
            fits.append(ShortFit(CredalPartition(M, focal_sets), d0, quantile))
    return fits


def swept_once(
    stress: AllPairs, start: np.ndarray, conflict: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Sweep once from the `start`: return Algorithm 1's running stress, masses M and ``M @ conflict``."""
    M, A = start.copy(), aligned_product(start, conflict)
    _, running = stress.sweep(M, A, conflict, first=1, current=0.0)
    return running, M, A


def chosen(fits: Sequence[ShortFit]) -> ShortFit:
    """Return the fit with the least sum of nonspecificity and share of outliers; in ties, the largest d0."""
    c = fits[0].partition.n_clusters
    complete = [f for f in fits if np.unique(f.partition.labels("plausibility")).size == c] or fits
    unclear = [f.partition.nonspecificity() + f.partition.outliers().mean() for f in complete]
    return min(zip(complete, unclear), key=lambda one: (round(float(one[1]), DECIMALS), -one[0].d0))[0]
