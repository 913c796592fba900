"""What Tables 3 and 4 say of EBIC, checked on draws of data that stand in for the lost ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from credalbench.intervals import mean, median, proportion
from credalbench.runner import CannotBeChecked, Printed
from credalbench.runner.claims import above, agrees, all_of, below

from .plane import KINDS

CALIBRATED = "means and covariance were chosen so that EBIC is near the printed values at c = 2, 3 and 4"


def ebic(tables, focal_sets: str = "pairs") -> pd.DataFrame:
    """EBIC by draw, numbers of clusters in the columns."""
    rows = tables["index"]
    return rows[rows["focal_sets"] == focal_sets].pivot(index="repetition", columns="c", values="ebic")


def with_printed(params, tables, printed: Mapping[str, Printed]) -> pd.DataFrame:
    """The printed values, and ours as median over the draws with the standard deviation."""
    found = {"printed": {c: f"{printed[f'ebic_{c}'].value:.1f}" for c in params.n_clusters}}
    for focal_sets, name in KINDS.items():
        values = ebic(tables, focal_sets)
        found[name] = {c: f"{values[c].median():.1f} ± {values[c].std(ddof=1):.1f}" for c in values}
    return pd.DataFrame(found).T.rename_axis(columns="c")


def as_printed(tables, c: int, printed: Printed):
    """One sample is printed, so the margin is what one draw scatters."""
    values = ebic(tables)
    if c not in values:
        raise CannotBeChecked(f"c = {c} was not run", [printed])
    note = f"from {values[c].min():.0f} to {values[c].max():.0f}"
    return agrees(printed, mean(values[c]), ".1f", f"{note}; sets of at most two clusters, and the frame")


def largest_on_most_draws(tables, classes: int):
    """Whether EBIC is largest with so many clusters on more than half of the draws."""
    chosen = ebic(tables).idxmax(axis=1)
    counts = ", ".join(f"c = {c} on {n}" for c, n in chosen.value_counts().items())
    return above(0.5, {"share of the draws": proportion(chosen == classes)}, ".2f", counts)


def printed_step(printed: Mapping[str, Printed], c: int) -> float:
    """From c - 1 clusters to c."""
    return printed[f"ebic_{c}"].value - printed[f"ebic_{c - 1}"].value


def printed_steps(printed: Mapping[str, Printed], numbers: Iterable[int]) -> str:
    """Printed steps to these numbers of clusters, in words."""
    return "; ".join(f"to c = {c}: {printed_step(printed, c):.1f}" for c in numbers)


def steps_show_the_focal_sets(tables, printed: Mapping[str, Printed], first: int):
    """Medians over the draws from c = `first` on, in multiples of the printed step."""
    parts = []
    for focal_sets, compare in (("pairs", below), ("full", above)):
        steps = ebic(tables, focal_sets).diff(axis=1)
        ratios = {
            f"{KINDS[focal_sets]}, to c = {c}": median(steps[c] / printed_step(printed, c))
            for c in steps.columns[steps.columns >= first]
        }
        parts.append(compare(2, ratios, ".1f"))
    return all_of(*parts)
