"""Mass on sets of clusters that is no doubt: a class lies where the mean of a set must lie.

The mean of a set is the average of the means of its clusters. A separated class that happens to lie there is
described by the component of the set: its objects look as if they were between clusters. Such objects are
near one cluster alone (a cluster and the set have the same place), or far from all clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtri

from credalbench.cluster.prototypes.prototype_step import set_scatters
from credalbench.core.threads import one_blas_thread

if TYPE_CHECKING:
    from credalbench.belief import CredalPartition

#: Probability of the single cluster from which on an object is near it alone.
SURE = 0.95
#: Shares of the objects of a cluster that lie nearer to its mean than what is near, and farther than far.
NEAR, FAR = 0.87, 0.01
#: Shares of the objects with most mass on several clusters, and of all objects, from which on it is reported.
SHARE, LEAST = 0.4, 0.05


def misplaced_sets(
    X: np.ndarray,
    partition: CredalPartition,
    centers: np.ndarray,
    means: np.ndarray,
    sample_weight: np.ndarray | None = None,
) -> str:
    """Return a warning if many objects with most mass on several clusters are not between them; else "".

    Objects (n, p), means of the clusters (c, p) and of the components (f, p). Distances are those of
    Mahalanobis, by the average covariance of the components. O(n (f + c) p^2).
    """
    M, cardinality = partition.masses, partition.focal_sets.cardinality
    imprecise = cardinality[partition.hard_credal()] > 1
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    total, between = float(weights.sum()), float(weights[imprecise].sum())
    if between < LEAST * total:
        return ""
    with one_blas_thread():
        scatters = set_scatters(X, (M if sample_weight is None else weights[:, None] * M).T, means)
    inverse = np.linalg.pinv(scatters.sum(axis=0) / total, hermitian=True)
    differences = (X[imprecise] - center for center in centers)
    nearest = np.min([((d @ inverse) * d).sum(axis=1) for d in differences], axis=0)
    single = M[imprecise][:, cardinality == 1]
    sure = single.max(axis=1) >= SURE * single.sum(axis=1)
    p = X.shape[1]
    near_one = sure & (nearest < chdtri(p, 1 - NEAR))
    misplaced = float(weights[imprecise][near_one | (nearest > chdtri(p, FAR))].sum())
    if misplaced < max(SHARE * between, LEAST * total):
        return ""
    return (
        f"{misplaced:.0f} of {between:.0f} objects with most mass on several clusters do not lie between "
        "clusters: they are near one cluster alone, or far from all. A class may lie where the component of "
        "a set has its mean; mass on that set is no doubt. Try another number of clusters, "
        "focal_sets='simple', or another start"
    )
