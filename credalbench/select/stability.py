"""Stability: is the partition of all objects found again in half of them?

A number of clusters that is not in the data makes a clusterer cut somewhere, and elsewhere the next time.
Subsamples of half of the objects, drawn without replacement, are partitioned anew, and compared with what the
partition of all objects says of them [levine2001], [hennig2007]; see [vonluxburg2010] for what such a
stability can tell. The comparison is corrected for chance, since few clusters agree more often by chance.

Half of the objects, because the criteria themselves then vary over the subsamples as much as they would over
samples of all n objects: the variance of a mean of n / 2 out of n is that of a mean of n [shao1989].
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator

from credalbench.arguments import expect
from credalbench.belief import CredalPartition
from credalbench.metrics import adjusted_credal_rand, adjusted_rand

Partition = CredalPartition | np.ndarray  # masses, or labels (n,)

SHARE = 0.5  # of the objects in a subsample
COMPARED = 1000  # objects of a subsample whose pairs are compared at most, where there are masses


def partition_of(fit: BaseEstimator, X: npt.ArrayLike) -> Partition:
    """What a fit found in `X`: its masses, its memberships as masses, or its labels."""
    if getattr(fit, "partition_", None) is not None:
        return fit.partition_
    if getattr(fit, "membership_", None) is not None:
        return CredalPartition.from_fuzzy(fit.membership_)
    return np.asarray(fit.labels_ if hasattr(fit, "labels_") else fit.predict(X))


def part_of(X: npt.ArrayLike, rows: np.ndarray, pairwise: bool) -> npt.ArrayLike:
    """Some of the objects of a table (n, p), or of dissimilarities (n, n); a DataFrame stays one."""
    if isinstance(X, pd.DataFrame):
        return X.iloc[rows, rows] if pairwise else X.iloc[rows]
    X = np.asarray(X)
    return X[np.ix_(rows, rows)] if pairwise else X[rows]


def agreement(whole: Partition, rows: np.ndarray, part: Partition) -> float:
    """How well the partition of a subsample agrees with that of all objects, corrected for chance.

    Parameters
    ----------
    whole : CredalPartition or (n,) array of labels
    rows : (m,) int array
        The objects of the subsample, in random order.
    part : CredalPartition or (m,) array of labels
        Of these objects, in this order.

    Returns
    -------
    float
        At most 1; 0 is what chance gives. Adjusted credal Rand index, of labels the adjusted Rand index.

    Raises
    ------
    ValueError
        One of the two says the same of all objects: a single cluster, or nothing, is always found again.

    Notes
    -----
    O(m) for labels; for masses O(min(m, 1000)^2 (f + log m)): of larger subsamples the first 1000 objects are
    compared, which are drawn at random.
    """
    hard = isinstance(whole, np.ndarray) and isinstance(part, np.ndarray)
    count = len(rows) if hard else min(len(rows), COMPARED)
    pair = taken(whole, rows[:count]), taken(part, np.arange(count))
    for one in pair:
        sets = one if isinstance(one, np.ndarray) else one.hard_credal()
        expect(np.unique(sets).size > 1, "objects in different clusters, or focal sets", "all alike")
    return adjusted_rand(*pair) if hard else adjusted_credal_rand(*pair)


def taken(partition: Partition, rows: np.ndarray) -> Partition:
    """The partition of some of the objects."""
    return partition[rows] if isinstance(partition, np.ndarray) else partition.take(rows)
