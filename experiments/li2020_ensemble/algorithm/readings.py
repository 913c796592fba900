"""What the claims read off the tables: extremes, ends of the search, agreement of its labels."""

import pandas as pd

#: What the partners of an object may be like.
CONFIGURATIONS = ("at random", "all vacuous", "all surely in one cluster", "two clusters without mass")


def largest(tables, column: str) -> dict[str, float]:
    """Return the largest value of a column of the identities, by data set."""
    return tables["identities"].groupby("dataset", sort=False)[column].max().to_dict()


def smallest(tables, column: str) -> dict[str, float]:
    """Return the smallest value of a column of the identities, by data set."""
    return tables["identities"].groupby("dataset", sort=False)[column].min().to_dict()


def ends(params, tables) -> pd.DataFrame:
    """Return where the runs from random masses end: stress and credal Rand index, by relation."""
    by = tables["runs"].groupby(["dataset", "closure"], sort=False)
    table = by["stress"].agg(["count", "min", "max"])
    return table.assign(
        different_ends=by["stress"].agg(lambda values: (values / values.min()).round(4).nunique()),
        highest_rand=by["credal_rand"].max(),
        rand_at_lowest_stress=by.apply(
            lambda runs: runs.loc[runs["stress"].idxmin(), "credal_rand"], include_groups=False
        ),
        sweeps=by["n_iter"].median(),
    ).reset_index()


def lowest(tables) -> pd.DataFrame:
    """Return the run of lowest stress on each relation."""
    runs = tables["runs"].reset_index(drop=True)
    return runs.loc[runs.groupby(["dataset", "closure"], sort=False)["stress"].idxmin()]


def by_configuration(tables) -> dict[str, float]:
    """Return the smallest eigenvalue over the largest, by configuration of the partners."""
    return tables["forms"].groupby("configuration", sort=False)["least"].min().to_dict()
