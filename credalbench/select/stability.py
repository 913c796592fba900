"""Stability: agreement of the partition of all objects with the partitions of random halves.

With a wrong number of clusters, a clusterer divides the data in different places each time. Subsamples of
half of the objects, drawn without replacement, are partitioned again and compared with the partition of all
objects [levine2001], [hennig2007]; see [vonluxburg2010] for what stability can show. The comparison is
adjusted for chance, since a few clusters agree more often by chance.

Halves are used because criteria then vary over the subsamples as much as over samples of all n objects: the
mean of n / 2 of n objects has the variance of a mean of n independent ones [shao1989].
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator

from credalbench.belief import CredalPartition
from credalbench.core.arguments import expect
from credalbench.metrics import adjusted_credal_rand, adjusted_rand

Partition = CredalPartition | np.ndarray  # masses, or labels (n,)

SHARE = 0.5  # of the objects, in a subsample
COMPARED = 1000  # largest number of objects of a subsample whose masses of pairs are compared


def partition_of(fit: BaseEstimator, X: npt.ArrayLike) -> Partition:
    """Return the partition of a fit to `X`: its masses, its memberships as masses, or its labels."""
    if getattr(fit, "partition_", None) is not None:
        return fit.partition_
    if getattr(fit, "membership_", None) is not None:
        return CredalPartition.from_fuzzy(fit.membership_)
    return np.asarray(fit.labels_ if hasattr(fit, "labels_") else fit.predict(X))


def select_objects(X: npt.ArrayLike, rows: np.ndarray, pairwise: bool) -> npt.ArrayLike:
    """Return some objects of a table (n, p) or of dissimilarities (n, n), as a DataFrame if `X` is one."""
    if isinstance(X, pd.DataFrame):
        return X.iloc[rows, rows] if pairwise else X.iloc[rows]
    X = np.asarray(X)
    return X[np.ix_(rows, rows)] if pairwise else X[rows]


def agreement(whole: Partition, rows: np.ndarray, part: Partition) -> float:
    """Compute the agreement of the partition of a subsample with that of all objects, adjusted for chance.

    Parameters
    ----------
    whole : CredalPartition or (n,) array of labels
        Partition of all objects.
    rows : (m,) int array
        Objects of the subsample, in random order.
    part : CredalPartition or (m,) array of labels
        Partition of these objects, in this order.

    Returns
    -------
    float
        Adjusted credal Rand index, or adjusted Rand index for labels. It is at most 1, and 0 is expected by
        chance.

    Raises
    ------
    ValueError
        If all objects are in the same cluster in a partition, since this cluster would always be found again.

    Notes
    -----
    The cost is O(m) for labels and O(min(m, 1000)^2 (f + log m)) for masses: of larger subsamples only the
    first 1000 objects are compared, which are in random order.
    """
    hard = isinstance(whole, np.ndarray) and isinstance(part, np.ndarray)
    count = len(rows) if hard else min(len(rows), COMPARED)
    pair = take(whole, rows[:count]), take(part, np.arange(count))
    for one in pair:
        sets = one if isinstance(one, np.ndarray) else one.hard_credal()
        expect(np.unique(sets).size > 1, "objects in different clusters or focal sets", "all in the same")
    return adjusted_rand(*pair) if hard else adjusted_credal_rand(*pair)


def take(partition: Partition, rows: np.ndarray) -> Partition:
    """Return the partition of some of the objects."""
    return partition[rows] if isinstance(partition, np.ndarray) else partition.take(rows)
