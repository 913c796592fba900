"""Paired differences of runs by data set and k: their names, tables, and means with intervals.

A study passes ``differences(runs, measure)``, which returns one row per paired run with the columns dataset,
k, repetition and value.
"""

from collections.abc import Callable

import pandas as pd

from credalbench.core.intervals import Estimate, mean
from credalbench.papers import NotCheckable

Differences = Callable[[pd.DataFrame, str], pd.DataFrame]


def stands_in(params, tables, name: str) -> bool:
    """Return whether the runs called by this name are on a stand-in."""
    runs = tables["runs"]
    return bool(runs.loc[runs["dataset"] == name, "stand_in"].any())


def changes(params, tables, name: str, measure: str, differences: Differences) -> dict[str, Estimate]:
    """Return the mean paired differences on one data set, for each k in order."""
    if name not in params.data_sets:
        raise NotCheckable(f"{name} is not among the data sets of this run")
    table = differences(tables["runs"], measure)
    table = table[table["dataset"] == name]
    if table.empty:
        failures = tables["failures"]
        reason = failures.loc[failures["dataset"] == name, "reason"].iloc[0]
        raise NotCheckable(f"left out: {reason.splitlines()[0].rstrip(':')}")
    return {f"k = {k}": mean(part) for k, part in table.groupby("k")["value"]}
