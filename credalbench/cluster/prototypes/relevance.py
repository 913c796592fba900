r"""Weights of attributes by their agreement with the other attributes: ``attribute_weights="auto"``.

Attributes that do not depend on the clusters, or that divide all of them as the sex of animals does, hide the
others if all have the same weight. Clusters that were found without an attribute show whether it is of this
kind. The weight of attribute l is

.. math:: \lambda_l \propto \varrho_l + 0.2, \qquad \frac{1}{p} \sum_l \lambda_l = 1,

where :math:`\varrho_l` is the share of its variance, or of its Gini index, between the c clusters that Ward's
linkage finds in all other attributes, minus the share that is due to chance. The linkage uses a limited
number of objects and the distances of `MixedECM`, which are limited to those of outliers.

The result depends only on the data and c, not on `init` or `random_state`.
"""

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist

from credalbench.cluster.prototypes.mixed_space import MixedSpace, Rows
from credalbench.core.checks import trimmed_limits
from credalbench.core.linkage import cut

OBJECTS, OBJECTS_OF_CLUSTER = 400, 20  # in the linkage, at most; for each cluster, at most
FLOOR = 0.2  # weight of an attribute that the others do not explain, before they are divided by their mean
LONGEST = 4.0  # squared distance of two objects, in means of these
NUMBERS = 3.5  # of each pair of objects in memory, at most; measured


def sample_size(n: int, n_clusters: int) -> int:
    """Return the number of objects of the linkage."""
    return min(n, max(OBJECTS, OBJECTS_OF_CLUSTER * n_clusters))


def relevance_weights(
    space: MixedSpace, numbers: np.ndarray, codes: np.ndarray | None, n_clusters: int
) -> np.ndarray:
    """Compute the weights (p,) of attributes, with mean 1, by their agreement with the others.

    `numbers` (n, q) are in the units of the data, NaN where missing; `codes` (n, p - q) or None. O(p m^2)
    for m objects of the linkage.
    """
    m = sample_size(len(numbers), n_clusters)
    rows = np.arange(m) * len(numbers) // m
    numbers, codes = numbers[rows], None if codes is None else codes[rows]
    known = space.known(numbers, codes)
    columns = _columns(space, space.complete(numbers, codes))
    total = sum(pdist(column, "sqeuclidean") for column in columns)
    shares = np.zeros(len(columns))
    for l, column in enumerate(columns):
        squared = np.maximum(total - pdist(column, "sqeuclidean"), 0.0)
        squared = np.minimum(squared, 2 * LONGEST * (space.scatter.sum() - space.scatter[l]))
        clusters = cut(linkage(np.sqrt(squared), "ward"), min(n_clusters, m))
        shares[l] = explained_share(column[known[:, l]], clusters[known[:, l]])
    weights = shares + FLOOR
    return weights / weights.mean()


def explained_share(values: np.ndarray, clusters: np.ndarray) -> float:
    """Compute the share of the variance between clusters, minus the share due to chance, in [0, 1].

    `values` (m, k) are a number, or the truth values of the k values of a category. 0 if they are constant.
    """
    numbers, clusters = np.unique(clusters, return_inverse=True)
    counts = np.bincount(clusters)
    if len(values) <= len(numbers):
        return 0.0
    values = np.clip(values, *trimmed_limits(values)) if values.shape[1] == 1 else values
    means = np.array([np.bincount(clusters, column) / counts for column in values.T]).T
    total = np.square(values - values.mean(axis=0)).sum()
    within = np.square(values - means[clusters]).sum()
    if total <= 0:
        return 0.0
    return max(0.0, 1.0 - within / total * (len(values) - 1) / (len(values) - len(numbers)))


def _columns(space: MixedSpace, rows: Rows):
    """Return each attribute as an array (m, k), whose squared distances are those of the objects."""
    numbers, codes = iter(space.inside(rows.numbers).T), iter(() if rows.codes is None else rows.codes.T)
    columns = []
    for is_category in space.is_category:
        if is_category:
            values = next(codes)
            columns.append(np.sqrt(space.weight / 2) * (values[:, None] == np.unique(values)))
        else:
            columns.append(next(numbers)[:, None])
    return columns
