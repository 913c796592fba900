"""Select what a page shows of the profiles of its clusters: the strongest attributes, and their table."""

from collections.abc import Hashable
from typing import NamedTuple

import pandas as pd

from credalbench.belief import ClusterProfiles
from credalbench.belief.profiles import LEAST_EFFECTS, number_text

MAX_ROWS = 30  # rows of the table
MIN_VALUES = 3  # values of a category to show; as many as there are clusters if that is more


#: Signs of the clusters in text, like those of `credalbench.plots.style.MARKERS`.
SIGNS = "●■▲◆▼✚✖⬟"


class Cell(NamedTuple):
    """Cell of the table: mean or share, median of a number, and a sign if it is far from the rest."""

    text: str
    median: str
    sign: str


class Row(NamedTuple):
    """Row of the table: a number, or a value of a category.

    Parameters
    ----------
    name : str
        Name of the attribute; for categories with the value.
    supplementary : bool
        Whether the attribute was not used to find the clusters.
    cells : list of Cell
        One for each cluster.
    overall : str
        Mean or share in all clusters together.
    """

    name: str
    supplementary: bool
    cells: list[Cell]
    overall: str


def strongest_rows(profiles: ClusterProfiles) -> list[tuple[Hashable, Hashable]]:
    """Return pairs of a number and None, or of a category and a value, the strongest attributes first.

    Attributes that differ too little to distinguish a cluster come last. The values of a category are those
    whose shares differ most between a cluster and the rest.
    """
    frame = profiles.frame
    differs = frame["effect"].abs() >= frame["value"].isna().map(LEAST_EFFECTS)
    strengths = frame.assign(strength=frame["strength"].where(differs, 0.0))
    strength = strengths.groupby("attribute", sort=False)["strength"].max()
    n_values, pairs = max(MIN_VALUES, len(profiles.sizes)), []
    for name in strength.sort_values(ascending=False, kind="stable").index:
        of_name = frame[frame["attribute"] == name]
        if of_name["value"].isna().all():
            pairs.append((name, None))
        else:
            largest = of_name.assign(size=of_name["effect"].abs()).groupby("value", sort=False)["size"].max()
            values = largest.sort_values(ascending=False, kind="stable").index[:n_values]
            pairs += [(name, value) for value in values]
    return pairs


def profile_table(profiles: ClusterProfiles) -> list[Row]:
    """Return the rows of the table, at most 30, for the strongest attributes."""
    groups = dict(iter(profiles.frame.groupby(["attribute", "value"], sort=False, dropna=False)))
    tables = {(name, None if pd.isna(value) else value): table for (name, value), table in groups.items()}
    return [_row(*pair, tables[pair]) for pair in strongest_rows(profiles)[:MAX_ROWS]]


def _row(name: Hashable, value: Hashable, table: pd.DataFrame) -> Row:
    """Return the row of an attribute or a value, from its c rows of the profiles."""
    spread, number = float(table["overall_std"].iloc[0]), value is None

    def text(mean: float) -> str:
        if pd.isna(mean):
            return "–"
        return number_text(mean, spread) if number else f"{mean:.0%}"

    cells = []
    for one in table.itertuples():
        sign = (
            "↑"
            if one.effect >= LEAST_EFFECTS[number]
            else "↓"
            if one.effect <= -LEAST_EFFECTS[number]
            else ""
        )
        cells.append(Cell(text(one.mean), text(one.median) if number else "", sign))
    label = str(name) if number else f"{name} = {value}"
    return Row(label, bool(table["supplementary"].iloc[0]), cells, text(table["overall_mean"].iloc[0]))
