"""Paired differences of runs by data set and k: their names, tables, and means with intervals.

A study passes ``differences(runs, measure)``, which returns one row per paired run with the columns dataset,
k, repetition and value.
"""

from collections.abc import Callable, Mapping

import pandas as pd

from credalbench.core.intervals import Estimate, mean
from credalbench.papers import CannotBeChecked

Differences = Callable[[pd.DataFrame, str], pd.DataFrame]


def names_shown(runs: pd.DataFrame) -> dict[str, str]:
    """Return the names of the data sets in pictures and tables, in order; a stand-in is called one."""
    stand_in = runs.groupby("dataset", sort=False)["stand_in"].any()
    return {name: f"{name} (stand-in)" if stands_in else name for name, stands_in in stand_in.items()}


def stands_in(params, tables, name: str) -> bool:
    """Return whether the runs called by this name are on a stand-in."""
    runs = tables["runs"]
    return bool(runs.loc[runs["dataset"] == name, "stand_in"].any())


def mean_differences(
    runs: pd.DataFrame, differences: Differences, measures: Mapping[str, tuple[str, str]]
) -> pd.DataFrame:
    """Tabulate means with intervals by data set and k; `measures` are axis labels and formats."""
    columns = {}
    for measure, (label, form) in measures.items():
        groups = differences(runs, measure).groupby(["dataset", "k"], sort=False)["value"]
        columns[label.replace("$", "")] = groups.agg(lambda values, form=form: format(mean(values), form))
    return pd.DataFrame(columns).rename(index=names_shown(runs), level="dataset")


def changes(params, tables, name: str, measure: str, differences: Differences) -> dict[str, Estimate]:
    """Return the mean paired differences on one data set, for each k in order."""
    if name not in params.data_sets:
        raise CannotBeChecked(f"{name} is not among the data sets of this run")
    table = differences(tables["runs"], measure)
    table = table[table["dataset"] == name]
    if table.empty:
        failures = tables["failures"]
        reason = failures.loc[failures["dataset"] == name, "reason"].iloc[0]
        raise CannotBeChecked(f"left out: {reason.splitlines()[0].rstrip(':')}")
    return {f"k = {k}": mean(part) for k, part in table.groupby("k")["value"]}
