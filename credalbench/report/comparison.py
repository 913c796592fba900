"""Fit several methods to a table and compare their partitions, with matched cluster numbers."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone

from credalbench.belief import CredalPartition, match_clusters, renumber_clusters
from credalbench.metrics import adjusted_rand, credal_rand
from credalbench.select.methods import Method, credal_partition
from credalbench.tables import UserTable

TRUE_CLASSES = "true classes"


@dataclass(frozen=True, eq=False)
class MethodResult:
    """Result of a method on a table.

    Parameters
    ----------
    method : Method
        Fitted method.
    partition : CredalPartition or None
        Its partition, a credal partition even for hard and fuzzy methods. Clusters are numbered as in the
        main method. None if the fit failed.
    remarks : tuple of str, default=()
        Warnings of the fit, or the reason why it failed.
    fit : BaseEstimator or None, default=None
        The fitted estimator.
    """

    method: Method
    partition: CredalPartition | None
    remarks: tuple[str, ...] = ()
    fit: BaseEstimator | None = None


def fit_method(method: Method, table: UserTable, main: CredalPartition | None = None) -> MethodResult:
    """Fit a method to a table, and number its clusters like the best matching ones of `main`.

    If the fit raises a ValueError, the result has its message instead of a partition.
    """
    data = getattr(table, method.input)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            fit = clone(method.estimator).fit(data)
        except ValueError as error:
            return MethodResult(method, None, (f"no fit: {error}",))
    partition = credal_partition(fit, data, method.estimator.n_clusters).named(table.index)
    if main is not None:
        partition = renumber_clusters(partition, match_clusters(partition, [main]))
    remarks = [str(one.message) for one in caught if issubclass(one.category, UserWarning)]
    return MethodResult(method, partition, tuple(dict.fromkeys(remarks)), fit)


def count_objects(results: Sequence[MethodResult]) -> pd.DataFrame:
    """Count the objects in each cluster, between clusters, and outside, by their set of largest mass.

    The columns are ``{1}``, ``{2}``, ..., ``several`` and ``outlier``, with a row for each method.
    """
    return pd.DataFrame({one.method.name: count_sets(one.partition) for one in results}).T


def count_sets(partition: CredalPartition) -> pd.Series:
    """Count the objects of a partition (see `count_objects`)."""
    focal_sets, sets = partition.focal_sets, partition.hard_credal()
    singletons = focal_sets.membership[sets[focal_sets.cardinality[sets] == 1]].argmax(axis=1)
    clusters = np.bincount(singletons, minlength=focal_sets.n_clusters)
    outliers = int(partition.outliers().sum())
    counts = {f"{{{k + 1}}}": int(count) for k, count in enumerate(clusters)}
    return pd.Series(counts | {"several": len(sets) - int(clusters.sum()) - outliers, "outlier": outliers})


def agreements(
    results: Sequence[MethodResult], y: np.ndarray | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compute the agreement of each pair of methods.

    Parameters
    ----------
    results : sequence of m MethodResult
        Results with a partition.
    y : (n,) int array, optional
        True classes, which are compared like the result of a method.

    Returns
    -------
    labels : DataFrame of shape (m, m)
        Adjusted Rand index of the most plausible clusters: 1 for identical partitions, 0 expected by chance.
    masses : DataFrame of shape (m, m)
        Credal Rand index of the masses, in [0, 1].

    Notes
    -----
    O(m² n² f).
    """
    partitions = {one.method.name: one.partition for one in results}
    if y is not None:
        partitions[TRUE_CLASSES] = CredalPartition.from_labels(y)
    labels = {name: partition.labels() for name, partition in partitions.items()}
    names = list(partitions)
    return (
        _pairwise(names, lambda a, b: adjusted_rand(labels[a], labels[b])),
        _pairwise(names, lambda a, b: credal_rand(partitions[a], partitions[b])),
    )


def _pairwise(names: Sequence[str], index: Callable[[str, str], float]) -> pd.DataFrame:
    """Return the matrix of a symmetric index, with ones on the diagonal."""
    values = np.eye(len(names))
    for i, j in zip(*np.triu_indices(len(names), 1)):
        values[i, j] = values[j, i] = index(names[i], names[j])
    return pd.DataFrame(values, index=names, columns=names)
