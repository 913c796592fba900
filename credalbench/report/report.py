"""Compute a report on a user table, and write its page and its partition."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from credalbench.belief import ClusterProfiles, CredalPartition
from credalbench.core.arguments import Count, expect, expect_count
from credalbench.report.ambiguous import (
    MAX_EXPLAINED,
    AmbiguousObject,
    ambiguous_rows,
    explain_objects,
    outlier_rows,
)
from credalbench.report.assignment import write_partition
from credalbench.report.choice import NumberChoice, choose_n_clusters
from credalbench.report.comparison import MethodResult, agreements, count_objects, fit_method
from credalbench.report.methods import suitable_methods
from credalbench.report.page import render_page
from credalbench.report.script import function_call, report_script
from credalbench.select.methods import Method
from credalbench.tables import UserTable

N_SCRIPT_OBJECTS = 3  # objects that the script explains


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
    reading_code: str
    random_state: int = 0
    everything: UserTable | None = None

    @property
    def fitted(self) -> list[MethodResult]:
        """Results with a partition, the main method first."""
        return [one for one in self.results if one.partition is not None]

    @property
    def partition(self) -> CredalPartition:
        """Partition of the main method."""
        return self.results[0].partition

    @cached_property
    def other_reading(self) -> CredalPartition | None:
        """Partition of the main method with the next best number of clusters; None if the choice is clear."""
        chosen, main = self.choice.silhouettes, self.results[0].method
        if chosen is None or chosen.is_clear or chosen.second is None:
            return None
        methods = suitable_methods(self.table, chosen.second, self.random_state)
        method = next(one for one in methods if one.name == main.name)
        return fit_method(method, self.table, self.partition).partition

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
    [6, 5, 0, 1]
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
    results = _fit_methods(table, methods, on_step)
    code = reading_code or function_call("read_user_table", table.name)
    everything = everything if table is not everything else None
    return Report(table, choice, tuple(results), code, random_state, everything)


def _fit_methods(
    table: UserTable, methods: Iterable[Method], on_step: Callable[[str], object]
) -> list[MethodResult]:
    """Fit the methods; results without a partition come last."""
    results, main = [], None
    for method in methods:
        on_step(method.name)
        results.append(fit_method(method, table, main))
        main = results[-1].partition if main is None else main
    results.sort(key=lambda one: one.partition is None)
    first = results[0]
    reasons = "; ".join(f"{one.method.name}: {one.remarks[0]}" for one in results if one.partition is None)
    credal = first.partition is not None and first.method.kind == "credal"
    expect(credal, f"a credal method that can be fitted to {table.name}", reasons)
    return results
