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
APART = 0.2  # difference of mean adjusted Rand indices by which the first method may agree less than another


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


def fit_method(method: Method, table: UserTable) -> MethodResult:
    """Fit a method to a table; if the fit raises a ValueError, the result has its message as a remark."""
    data = getattr(table, method.input)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            fit = clone(method.estimator).fit(data)
        except ValueError as error:
            return MethodResult(method, None, (f"no fit: {error}",))
    partition = credal_partition(fit, data, method.estimator.n_clusters).named(table.index)
    remarks = [str(one.message) for one in caught if issubclass(one.category, UserWarning)]
    return MethodResult(method, partition, tuple(dict.fromkeys(remarks)), fit)


def numbered_as(main: CredalPartition, partition: CredalPartition) -> CredalPartition:
    """Return a partition whose clusters have the numbers of the best matching ones of `main`."""
    return renumber_clusters(partition, match_clusters(partition, [main]))


def result_to_write(results: Sequence[MethodResult]) -> tuple[int, str]:
    """Return the position of the credal result to write, and why it is not the first.

    It is the first one with objects in each cluster that agrees with the other results: its mean adjusted
    Rand index is at most `APART` below that of the credal result that agrees best.
    """
    agreement = mean_agreements(results)
    credal = [i for i, one in enumerate(results) if one.method.kind == "credal"]
    empty = {i: empty_clusters(results[i].partition) for i in credal}
    complete = [i for i in credal if not empty[i]] or credal
    least = max(agreement[i] for i in complete) - APART
    first, chosen = credal[0], next(i for i in complete if agreement[i] >= least)
    if chosen == first:
        return first, ""
    reason = (
        f"no object is surely in {' or '.join(empty[first])}"
        if empty[first] and chosen == complete[0]
        else f"it agrees with the other methods by {agreement[first]:.2f}, {results[chosen].method.name} by "
        f"{agreement[chosen]:.2f} (mean adjusted Rand index)"
    )
    return chosen, f"The partition of {results[first].method.name} is not written: {reason}."


def mean_agreements(results: Sequence[MethodResult]) -> np.ndarray:
    """Return the mean adjusted Rand index (m,) of each result with the others; 1 if there are none."""
    labels, m = agreements(results)[0].to_numpy(), len(results)
    return (labels.sum(axis=1) - 1) / (m - 1) if m > 1 else np.ones(m)


def empty_clusters(partition: CredalPartition) -> list[str]:
    """Return the clusters that are the set of largest mass of no object."""
    counts = count_sets(partition).drop(["several", "outlier"])
    return counts.index[counts == 0].tolist()


def disputed_rows(results: Sequence[MethodResult]) -> np.ndarray:
    """Return the objects that most other methods assign to another cluster than the first, by position.

    Outliers are not included. Those with the most other opinions come first.
    """
    main, *others = (one.partition for one in results)
    labels = main.labels()
    apart = np.sum([one.labels() != labels for one in others], axis=0) * ~main.outliers()
    rows = np.flatnonzero(2 * apart > len(others))
    return rows[np.argsort(-apart[rows], kind="stable")]


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
        Adjusted Rand index of the labels: 1 for identical partitions, 0 expected by chance.
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
