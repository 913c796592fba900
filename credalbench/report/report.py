"""Compute a report on a user table, and write its page and its partition."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from credalbench.belief import ClusterProfiles, CredalPartition
from credalbench.belief.frames import ambiguous_rows, outlier_rows
from credalbench.core.arguments import Count, expect, expect_count
from credalbench.core.names import name_of
from credalbench.metrics import adjusted_rand
from credalbench.report.ambiguous import MAX_EXPLAINED, AmbiguousObject, explain_objects
from credalbench.report.assignment import write_partition
from credalbench.report.choice import NumberChoice, choose_n_clusters
from credalbench.report.comparison import (
    MethodResult,
    agreements,
    count_objects,
    disputed_rows,
    empty_clusters,
    fit_method,
    mean_agreements,
    numbered_as,
    result_to_write,
)
from credalbench.report.methods import suitable_methods
from credalbench.report.page import render_page
from credalbench.report.script import function_call, report_script
from credalbench.select.methods import Method
from credalbench.tables import UserTable

N_SCRIPT_OBJECTS = 3  # objects that the script explains
LEAST_STRENGTH = 0.2  # of a column that distinguishes a cluster (see `ClusterProfiles.frame`)
AGREED = 0.6  # mean adjusted Rand index of the first method with the others: less is not clear


class SilentColumns(NamedTuple):
    """Columns that do not distinguish the clusters.

    Parameters
    ----------
    columns : list of hashable
        Their names.
    n_clusters : int
        Number of clusters that is chosen without them.
    agreement : float
        Adjusted Rand index of the partitions with and without them.
    """

    columns: list[Hashable]
    n_clusters: int
    agreement: float


@dataclass(frozen=True, eq=False)
class Report:
    """Results of several methods on a user table, as returned by `cluster_report`.

    Parameters
    ----------
    table : UserTable
        The data.
    choice : NumberChoice
        Number of clusters and its origin.
    results : tuple of MethodResult
        Results of the methods, the main one first and those that could not be fitted last.
    reason : str
        Why the partition of the first suitable method is not the main one; empty if it is.
    reading_code : str
        Python code that reads the table.
    random_state : int, default=0
        Seed of the random numbers.
    everything : UserTable or None, default=None
        Table from which `table` is a sample; None if `table` is not a sample.

    See Also
    --------
    cluster_report : Compute a report.
    """

    table: UserTable
    choice: NumberChoice
    results: tuple[MethodResult, ...]
    reason: str
    reading_code: str
    random_state: int = 0
    everything: UserTable | None = None

    @property
    def fitted(self) -> list[MethodResult]:
        """Results with a partition, the main method first."""
        return [one for one in self.results if one.partition is not None]

    @property
    def main(self) -> str:
        """Name of the main method."""
        return self.results[0].method.name

    @property
    def partition(self) -> CredalPartition:
        """Partition of the main method."""
        return self.results[0].partition

    @cached_property
    def is_clear(self) -> bool:
        """Whether the number of clusters is clear, and the methods find nearly the same clusters."""
        chosen = self.choice.silhouettes
        return chosen is not None and chosen.is_clear and self._agree

    @cached_property
    def _agree(self) -> bool:
        return not empty_clusters(self.partition) and mean_agreements(self.fitted)[0] >= AGREED

    @property
    def explanation(self) -> str:
        """Why this number of clusters was chosen, how certain it is, and which partition is written."""
        words, chosen = self.choice.explanation, self.choice.silhouettes
        if not self._agree:
            warning = (
                f"The methods do not agree about the clusters: the mean adjusted Rand index of {self.main} "
                f"with the others is {mean_agreements(self.fitted)[0]:.2f}."
            )
            if empty := empty_clusters(self.partition):
                warning = f"No object is surely in {' or '.join(empty)}: look at fewer clusters."
            clear = chosen is not None and chosen.is_clear
            words = words.replace(chosen.certainty, warning) if clear else f"{words} {warning}"
        elif self.is_clear and (read := [*dict.fromkeys(one.about for one in self.table.answered)]):
            words = (
                f"{words} This holds if the table was read rightly: see the notes on {' and '.join(read)}."
            )
        return f"{words} {self.reason}".rstrip()

    @cached_property
    def disputed(self) -> list[Hashable]:
        """Names of the objects that most other methods assign to another cluster."""
        return [name_of(row, self.partition.index) for row in disputed_rows(self.fitted)]

    @cached_property
    def other_reading(self) -> CredalPartition | None:
        """Partition of the main method with the next best number of clusters; None if the choice is clear."""
        chosen = self.choice.silhouettes
        if chosen is None or chosen.is_clear or chosen.second is None:
            return None
        methods = suitable_methods(self.table, chosen.second, self.random_state)
        method = next(one for one in methods if one.name == self.main)
        found = fit_method(method, self.table).partition
        return None if found is None else numbered_as(self.partition, found)

    @cached_property
    def silent(self) -> SilentColumns | None:
        """Columns that do not distinguish the clusters, and what changes without them."""
        chosen = self.choice.silhouettes is not None
        return silent_columns(self.table, self.profiles, self.results[0], chosen, self.random_state)

    @property
    def sizes(self) -> pd.DataFrame:
        """Number of objects in each cluster, between clusters, and outside, for each method."""
        return count_objects(self.fitted)

    @cached_property
    def profiles(self) -> ClusterProfiles:
        """Profiles of the clusters of the main partition, in the units of the table."""
        return self.partition.profiles(self.table.original, supplementary=self.table.supplementary())

    @cached_property
    def agreements(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Adjusted Rand and credal Rand index of each pair of methods."""
        return agreements(self.fitted, self.table.y)

    @cached_property
    def outliers(self) -> list[AmbiguousObject]:
        """Outliers of the main partition, at most 15."""
        return explain_objects(self.table, self.fitted, outlier_rows(self.partition)[:MAX_EXPLAINED])

    @cached_property
    def ambiguous_objects(self) -> list[AmbiguousObject]:
        """Objects that may be in several clusters, the most ambiguous first, at most 15."""
        return explain_objects(self.table, self.fitted, ambiguous_rows(self.partition)[:MAX_EXPLAINED])

    def script(self, target: str) -> str:
        """Return a Python script that repeats the computation.

        Parameters
        ----------
        target : str
            File to which the script writes the partition.

        Returns
        -------
        str
            The script.
        """
        chosen = self.choice.silhouettes
        numbers = None if chosen is None else range(2, chosen.criteria.index[-1] + 1)
        names = [one.name for one in [*self.outliers, *self.ambiguous_objects]][:N_SCRIPT_OBJECTS]
        methods = [one.method for one in self.fitted]
        code = self.reading_code
        sampled = None
        if self.everything is not None:
            code, sampled = f"everything = {code}", (self.table.n_objects, self.random_state)
        return report_script(self.table, code, methods, names, target, self.random_state, numbers, sampled)

    def write(
        self, path: str | Path, on_rows: Callable[[int], object] = lambda number: None
    ) -> tuple[Path, Path, Path]:
        """Write the page ``mine.html``, the partition ``mine-partition.csv`` and ``mine-profiles.csv``.

        Parameters
        ----------
        path : str or os.PathLike
            File of the page. Existing files are replaced.
        on_rows : callable, optional
            Function that is called with the number of objects in each block that is assigned.

        Returns
        -------
        page : Path
            HTML page that loads nothing from the network.
        partition : Path
            CSV file of the partition of the main method (see `CredalPartition.to_frame`). It has all objects,
            even if the methods were fitted to a sample.
        profiles : Path
            CSV file of the profiles and sizes of its clusters (see `CredalPartition.profiles`).

        Raises
        ------
        OSError
            If a file cannot be written.
        """
        path = Path(path)
        partition, profiles = table_paths(path)
        sizes, main = self.sizes, self.results[0]
        if self.everything is None:
            self.partition.to_frame().to_csv(partition)
        else:
            table, source = self.everything, main.method.input
            counts = write_partition(main.fit, table, self.table, partition, source, on_rows=on_rows)
            sizes.loc[f"{main.method.name}, all {table.n_objects} objects"] = counts
        self.profiles.sizes.join(self.profiles.frame.set_index("cluster")).to_csv(profiles)
        path.write_text(render_page(self, partition.name, profiles.name, sizes), "utf-8")
        return path, partition, profiles


def table_paths(path: Path) -> list[Path]:
    """Return the files of the partition and the profiles that belong to a page."""
    return [path.with_name(f"{path.stem}-{name}.csv") for name in ("partition", "profiles")]


def cluster_report(
    table: UserTable,
    n_clusters: int | None = None,
    *,
    max_clusters: int | None = None,
    max_objects: int | None = None,
    also: Iterable[str] = (),
    reading_code: str | None = None,
    random_state: int = 0,
    on_step: Callable[[str], object] = lambda step: None,
) -> Report:
    """Cluster a user table by all suitable methods and compare the results.

    Parameters
    ----------
    table : UserTable
        Table without blocking questions.
    n_clusters : int, optional
        Number of clusters; by default `choose_n_clusters` chooses it.
    max_clusters : int, optional
        Largest number of clusters to try if `n_clusters` is not given (see `choose_n_clusters`).
    max_objects : int, optional
        If the table is larger, the methods are fitted to a sample of this size, and `Report.write` assigns
        all objects to the clusters of the main method. By default they are fitted to all objects.
    also : iterable of {"BPEC", "ECMdd", "NN-EVCLUS"}, default=()
        Further methods to compare (see `suitable_methods`).
    reading_code : str, optional
        Python code that reads the table, for the script of the report. By default it calls `read_user_table`
        with the name of the table.
    random_state : int, default=0
        Seed of the random numbers.
    on_step : callable, optional
        Function that is called with the name of each step before it starts.

    Returns
    -------
    Report
        Results; `Report.write` writes them as a page.

    Raises
    ------
    ValueError
        If a blocking question is open, if there are too few objects, if all objects are identical, or if no
        credal method can be fitted.

    See Also
    --------
    suitable_methods : The methods for each kind of table.
    choose_n_clusters : The choice of the number of clusters.

    Notes
    -----
    Choosing the number of clusters takes a few seconds.

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table(load("butterfly").X, name="butterfly", columns={})
    >>> cluster_report(table, 2).sizes.loc["EVCLUS"].tolist()
    [5, 6, 0, 1]
    """
    table.expect_answers()
    random_state = Count(0).read("random_state", random_state)
    also = list(also)
    suitable_methods(table, 1, also=also)  # raises errors early
    everything, table = table, table if max_objects is None else table.sample(max_objects, random_state)
    if n_clusters is None:
        on_step("number of clusters")
        choice = choose_n_clusters(table, random_state, max_clusters=max_clusters)
    else:
        expect(max_clusters is None, "n_clusters or max_clusters, not both", max_clusters)
        c = expect_count("n_clusters", n_clusters, 1, table.n_objects, "the number of objects")
        choice = NumberChoice(c, f"The number of clusters, {c}, was given.")
    methods = suitable_methods(table, choice.n_clusters, random_state, also=also)
    results, reason = _fit_methods(table, methods, on_step)
    code = reading_code or function_call("read_user_table", table.name)
    everything = everything if table is not everything else None
    return Report(table, choice, results, reason, code, random_state, everything)


def _fit_methods(
    table: UserTable, methods: Iterable[Method], on_step: Callable[[str], object]
) -> tuple[tuple[MethodResult, ...], str]:
    """Return the results, the one to write first and those without a partition last, and why it is first."""
    fitted, failed = [], []
    for method in methods:
        on_step(method.name)
        result = fit_method(method, table)
        (failed if result.partition is None else fitted).append(result)
    reasons = "; ".join(f"{one.method.name}: {one.remarks[0]}" for one in failed)
    credal = any(one.method.kind == "credal" for one in fitted)
    expect(credal, f"{table.name}: a credal method that can be fitted", reasons)
    chosen, reason = result_to_write(fitted)
    main = fitted.pop(chosen)
    others = [replace(one, partition=numbered_as(main.partition, one.partition)) for one in fitted]
    return (main, *others, *failed), reason


def silent_columns(
    table: UserTable, profiles: ClusterProfiles, main: MethodResult, chosen: bool, random_state: int
) -> SilentColumns | None:
    """Return the columns that do not distinguish the clusters; None if there are none or no others."""
    strength = profiles.frame.query("~supplementary").groupby("attribute", sort=False)["strength"].max()
    columns = [name for name in table.frame if strength.get(name, 0.0) < LEAST_STRENGTH]
    if main.partition.n_clusters == 1 or not columns or len(columns) == table.frame.shape[1]:
        return None
    others = replace(table, frame=table.frame.drop(columns=columns))
    c = choose_n_clusters(others, random_state).n_clusters if chosen else main.partition.n_clusters
    found = fit_method(main.method.given(n_clusters=c), others).partition
    if found is None:
        return None
    return SilentColumns(columns, c, adjusted_rand(main.partition.labels(), found.labels()))
