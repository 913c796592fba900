"""Stability: agreement of the partition of all objects with those of halves of them.

With a number of clusters that is not in the data, a clusterer cuts somewhere, and elsewhere the next time.
Subsamples of half of the objects, drawn without replacement, are partitioned again and compared with the
partition of all objects [levine2001], [hennig2007]; see [vonluxburg2010] for what such a stability can show.
The comparison is adjusted for chance, since few clusters agree more often by chance.

Halves are used because criteria then vary over the subsamples as much as over samples of all n objects: the
variance of a mean of n / 2 out of n is that of a mean of n [shao1989].
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator

from credalbench.belief import CredalPartition
from credalbench.core.arguments import expect
from credalbench.metrics import adjusted_credal_rand, adjusted_rand

Partition = CredalPartition | np.ndarray  # masses, or labels (n,)

SHARE = 0.5  # of the objects in a subsample
COMPARED = 1000  # objects of a subsample whose pairs are compared at most, where there are masses


def partition_of(fit: BaseEstimator, X: npt.ArrayLike) -> Partition:
    """Return what a fit found in `X`: its masses, its memberships as masses, or its labels."""
    if getattr(fit, "partition_", None) is not None:
        return fit.partition_
    if getattr(fit, "membership_", None) is not None:
        return CredalPartition.from_fuzzy(fit.membership_)
    return np.asarray(fit.labels_ if hasattr(fit, "labels_") else fit.predict(X))


def select_objects(X: npt.ArrayLike, rows: np.ndarray, pairwise: bool) -> npt.ArrayLike:
    """Return some of the objects of a table (n, p) or of dissimilarities (n, n); a DataFrame stays one."""
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
        The objects of the subsample, in random order.
    part : CredalPartition or (m,) array of labels
        Partition of these objects, in this order.

    Returns
    -------
    float
        At most 1; 0 is the expectation by chance. Adjusted credal Rand index, or adjusted Rand index of
        labels.

    Raises
    ------
    ValueError
        If one of the two is the same for all objects: a single cluster is always found again.

    Notes
    -----
    O(m) for labels; for masses O(min(m, 1000)^2 (f + log m)): of larger subsamples the first 1000 objects are
    compared, which are drawn at random.
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
