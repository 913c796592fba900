"""Fits of several methods to one table: their partitions under the same numbers, and how well they agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.base import clone

from credalbench.belief import CredalPartition, match_clusters, renumber_clusters
from credalbench.metrics import adjusted_rand, credal_rand
from credalbench.report.methods import Method, data_of
from credalbench.select.stability import partition_of
from credalbench.tables import UserTable

TRUE_CLASSES = "true classes"


@dataclass(frozen=True, eq=False)
class Found:
    """What a method found in a table.

    Attributes
    ----------
    method : Method
    partition : CredalPartition or None
        Hard and fuzzy ones as credal ones; clusters numbered as by the main method. None: there is no fit.
    remarks : tuple of str
        What the fit warned of, or why there is none.
    """

    method: Method
    partition: CredalPartition | None
    remarks: tuple[str, ...] = ()


def found_by(method: Method, table: UserTable, main: CredalPartition | None = None) -> Found:
    """Fit a method to a table; the clusters get the numbers of the `main` partition that they match best.

    What refuses the data by a ValueError leaves no partition, but its reason.
    """
    data = data_of(table, method.takes)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            fit = clone(method.estimator).fit(data)
        except ValueError as error:
            return Found(method, None, (f"no fit: {error}",))
    partition = partition_of(fit, data)
    if isinstance(partition, np.ndarray):
        partition = CredalPartition.from_labels(partition, method.estimator.n_clusters)
    partition = partition.named(table.index)
    if main is not None:
        partition = renumber_clusters(partition, match_clusters(partition, [main]))
    told = [str(one.message) for one in caught if issubclass(one.category, UserWarning)]
    return Found(method, partition, tuple(dict.fromkeys(told)))


def sizes(found: Sequence[Found]) -> pd.DataFrame:
    """Return how many objects each method puts into each cluster, between clusters, and outside.

    By the set of largest mass: columns ``{1}``, ``{2}``, ..., ``several`` and ``outlier``, a row per method.
    """
    rows = {}
    for one in found:
        family, sets = one.partition.focal_sets, one.partition.hard_credal()
        alone = family.cardinality[sets] == 1
        clusters = np.bincount(family.membership[sets[alone]].argmax(axis=1), minlength=family.n_clusters)
        outliers = int(one.partition.outliers().sum())
        numbered = {f"{{{k + 1}}}": int(count) for k, count in enumerate(clusters)}
        several = len(sets) - int(clusters.sum()) - outliers
        rows[one.method.name] = numbered | {"several": several, "outlier": outliers}
    return pd.DataFrame(rows).T


def agreements(found: Sequence[Found], y: np.ndarray | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return how well the methods agree, two and two.

    Parameters
    ----------
    found : sequence of Found
        m of them, with partitions.
    y : (n,) int array, optional
        True classes, which are compared as if a method had found them.

    Returns
    -------
    labels : DataFrame
        Adjusted Rand index of the clusters that are most plausible; 1 is full agreement, 0 that of chance.
    masses : DataFrame
        Credal Rand index of the masses, in [0, 1].

    Notes
    -----
    O(m^2 n^2 f).
    """
    partitions = {one.method.name: one.partition for one in found}
    if y is not None:
        partitions[TRUE_CLASSES] = CredalPartition.from_labels(y)
    labels = {name: partition.labels() for name, partition in partitions.items()}
    names = list(partitions)
    return (
        _table(names, lambda a, b: adjusted_rand(labels[a], labels[b])),
        _table(names, lambda a, b: credal_rand(partitions[a], partitions[b])),
    )


def _table(names: Sequence[str], index: Callable[[str, str], float]) -> pd.DataFrame:
    """A symmetric index of all pairs; each is computed once, and what agrees with itself is 1."""
    values = np.eye(len(names))
    for i, j in zip(*np.triu_indices(len(names), 1)):
        values[i, j] = values[j, i] = index(names[i], names[j])
    return pd.DataFrame(values, index=names, columns=names)
