"""Assign all objects of a table to the clusters of a fit to a sample, in blocks."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
from sklearn.base import BaseEstimator

from credalbench.report.comparison import count_sets
from credalbench.tables import UserTable

BLOCK = 1 << 16  # objects at a time; with dissimilarities at most as many as the sample has


def write_partition(
    fit: BaseEstimator,
    table: UserTable,
    sample: UserTable,
    path: str | Path,
    input: str = "X",
    *,
    on_rows: Callable[[int], object] = lambda number: None,
) -> pd.Series:
    """Assign all objects of a table to the clusters of a fit to a sample, and write their partition.

    Parameters
    ----------
    fit : BaseEstimator
        A clusterer with `predict_partition`, fitted to the sample.
    table : UserTable
        All objects.
    sample : UserTable
        The sample (see `UserTable.sample`).
    path : str or os.PathLike
        CSV file to write (see `CredalPartition.to_frame`). An existing file is replaced.
    input : {"X", "frame", "D"}, default="X"
        Attribute of the sample to which `fit` was fitted.
    on_rows : callable, optional
        Function that is called with the number of objects of each block after it is written.

    Returns
    -------
    Series
        Number of objects in each cluster, between clusters (``several``) and outside (``outlier``).

    Raises
    ------
    OSError
        If the file cannot be written.

    See Also
    --------
    cluster_report : Fit several methods to a table, or to a sample of it.

    Notes
    -----
    At most 65536 objects are in memory at a time. For Gower's dissimilarities of new objects, numbers beyond
    the range of the sample are replaced by its ends.

    Examples
    --------
    >>> from credalbench.cluster import ECM
    >>> from credalbench.report import write_partition
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table([[i % 3 * 9.0 + i / 100, i % 2] for i in range(60)], columns={})
    >>> sample = table.sample(20)
    >>> fit = ECM(3, delta=50, random_state=0).fit(sample.X)
    >>> int(write_partition(fit, table, sample, "all.csv").sum())  # doctest: +SKIP
    60
    """
    total: pd.Series | int = 0
    with open(path, "w", encoding="utf-8", newline="") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about categories that the sample lacks
        for rows, data in _blocks(table, sample, input):
            partition = fit.predict_partition(data).named(table.index[rows])
            partition.to_frame().to_csv(file, header=rows.start == 0)
            total = count_sets(partition) + total
            on_rows(partition.n_objects)
    return total


def _blocks(table: UserTable, sample: UserTable, input: str) -> Iterator[tuple[slice, pd.DataFrame]]:
    """Yield the rows of each block, and their attributes or their dissimilarities to the sample."""
    of_pairs = input == "D"
    step = min(BLOCK, sample.n_objects) if of_pairs else BLOCK
    if of_pairs and table.kind == "dissimilarities":
        columns = table.index.get_indexer(sample.index)
    for start in range(0, table.n_objects, step):
        rows = slice(start, min(start + step, table.n_objects))
        if not of_pairs:
            yield rows, table.frame.iloc[rows]
        elif table.kind == "dissimilarities":
            yield rows, table.frame.iloc[rows, columns]
        else:
            yield rows, _dissimilarities(table.frame.iloc[rows], sample)


def _dissimilarities(frame: pd.DataFrame, sample: UserTable) -> pd.DataFrame:
    """Return the dissimilarities (m, n) between objects and those of the sample."""
    numbers = sample.frame.select_dtypes("number")
    inside = frame[numbers.columns].clip(numbers.min(), numbers.max(), axis="columns")
    both = pd.concat([sample.frame, frame.assign(**inside)], keys=["sample", "new"])
    n = sample.n_objects
    D = replace(sample, frame=both).D.iloc[n:, :n]
    return D.set_axis(frame.index, axis="index").set_axis(sample.index, axis="columns")
