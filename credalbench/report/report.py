"""A report: everything that is computed for one table, and the page and the file that show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from credalbench.arguments import Count, expect, expect_count
from credalbench.belief import CredalPartition
from credalbench.report.ambiguous import SHOWN, AmbiguousObject, doubtful, doubts, outlying
from credalbench.report.choice import Choice, chosen_number
from credalbench.report.comparison import Found, agreements, found_by, sizes
from credalbench.report.methods import methods_for
from credalbench.report.script import call, script
from credalbench.tables import UserTable

EXPLAINED = 3  # objects in the script


@dataclass(frozen=True, eq=False)
class Report:
    """What several methods found in a table; `report_on` makes it.

    Attributes
    ----------
    table : UserTable
    choice : Choice
        The number of clusters, and where it comes from.
    found : tuple of Found
        What the methods found, the main one first; those without a fit last.
    reading : str
        The call that read the table, in Python.
    random_state : int
    """

    table: UserTable
    choice: Choice
    found: tuple[Found, ...]
    reading: str
    random_state: int = 0

    @property
    def fitted(self) -> list[Found]:
        """Return the methods that have a partition, the main one first."""
        return [one for one in self.found if one.partition is not None]

    @property
    def partition(self) -> CredalPartition:
        """The partition of the main method."""
        return self.found[0].partition

    @property
    def sizes(self) -> pd.DataFrame:
        """Objects in each cluster, by method (`comparison.sizes`)."""
        return sizes(self.fitted)

    @cached_property
    def agreements(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Adjusted Rand and credal Rand index of the methods, two and two (`comparison.agreements`)."""
        return agreements(self.fitted, self.table.y)

    @cached_property
    def outliers(self) -> list[AmbiguousObject]:
        """The outliers of the main partition, at most 15."""
        return doubts(self.table, self.fitted, outlying(self.partition)[:SHOWN])

    @cached_property
    def doubtful(self) -> list[AmbiguousObject]:
        """The objects that more than one cluster may have, the least decided first, at most 15."""
        return doubts(self.table, self.fitted, doubtful(self.partition)[:SHOWN])

    def script(self, target: str) -> str:
        """Return the Python script that computes all this again, and writes the partition to `target`."""
        seed = None if self.choice.curves is None else self.random_state
        explained = [one.name for one in [*self.outliers, *self.doubtful]][:EXPLAINED]
        methods = [one.method for one in self.fitted]
        return script(self.table, self.reading, methods, explained, target, seed)

    def write(self, path: str | Path) -> tuple[Path, Path]:
        """Write the page, and beside it the partition: to ``mine.html`` and ``mine-partition.csv``.

        Parameters
        ----------
        path : str or os.PathLike
            Of the page. Files of both names are replaced.

        Returns
        -------
        page, partition : Path
            Of an HTML page that asks nothing from anywhere, and of `CredalPartition.to_frame` as CSV.

        Raises
        ------
        OSError
        """
        from credalbench.report.page import page

        path = Path(path)
        beside = beside_page(path)
        text = page(self, beside)
        self.partition.to_frame().to_csv(beside)
        path.write_text(text, "utf-8")
        return path, beside


def beside_page(path: Path) -> Path:
    """Return the file of the partition that belongs to a page."""
    return path.with_name(f"{path.stem}-partition.csv")


def report_on(
    table: UserTable,
    n_clusters: int | None = None,
    *,
    reading: str | None = None,
    random_state: int = 0,
    on_step: Callable[[str], object] = lambda what: None,
) -> Report:
    """Cluster a table by the methods that fit it, and compare what they find.

    Parameters
    ----------
    table : UserTable
        As `read_user_table` gives it, without a question that has to be answered first.
    n_clusters : int, optional
        Number of clusters of all methods. None: `chosen_number` looks for it.
    reading : str, optional
        The call that read the table, for the script on the page; by default with nothing but its name.
    random_state : int, default 0
        Seed of all that draws.
    on_step : callable, optional
        Is told what is done next.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        A question is open; there are fewer objects than clusters, or too few to choose their number; all
        objects coincide; or no credal method goes through, with the reason of each.

    Notes
    -----
    Most time goes into the choice of the number of clusters, at 300 objects some seconds.

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table(load("butterfly").X, name="butterfly", columns={})
    >>> report_on(table, 2).sizes.loc["EVCLUS"].tolist()
    [5, 4, 2, 1]
    """
    table.expect_answers()
    random_state = Count(0).read("random_state", random_state)
    if n_clusters is None:
        on_step("number of clusters")
        choice = chosen_number(table, random_state)
    else:
        c = expect_count("n_clusters", n_clusters, 1, table.n_objects, "the number of objects")
        choice = Choice(c, f"{c} cluster{'s' * (c > 1)}, as asked for.")
    found = _found(table, choice.n_clusters, random_state, on_step)
    return Report(table, choice, tuple(found), reading or call("read_user_table", table.name), random_state)


def _found(
    table: UserTable, n_clusters: int, random_state: int, on_step: Callable[[str], object]
) -> list[Found]:
    """What all methods find, those without a fit last."""
    found, main = [], None
    for method in methods_for(table, n_clusters, random_state):
        on_step(method.name)
        one = found_by(method, table, main)
        found.append(one)
        if main is None and one.partition is not None:
            main = one.partition
    found.sort(key=lambda one: one.partition is None)
    first = found[0]
    reasons = "; ".join(f"{one.method.name}: {one.remarks[0]}" for one in found if one.partition is None)
    credal = first.partition is not None and first.method.kind == "credal"
    expect(credal, f"{table.name}: a credal method that goes through", reasons)
    return found
