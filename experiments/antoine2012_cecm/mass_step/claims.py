"""What the study concludes from its runs. All of it is ours: the paper does not raise the question."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import difference, mean, proportion
from credalbench.papers import EXPECTATION
from credalbench.papers.claims import above, claim

ARTEFACT = "cecm-ours-01"
#: (way through the mass step, start of the prototypes) of the whole runs.
FIT_WAYS = (
    ("continuation", "k-means"),
    ("simultaneous", "k-means"),
    ("cyclic", "k-means"),
    ("continuation", "other order"),
    ("continuation", "random"),
    ("cyclic", "random"),
    ("continuation", "best of random"),
    ("cyclic", "best of random"),
)
NEAR = 1e-3  # share of the objective that counts as the same end
APART = 1e-2  # share that counts as another end


MARGIN = 0.05  # shares that differ by less count as equal
DRAW = ["dataset", "n_constraints", "repetition"]
expected = partial(claim, ARTEFACT, basis=EXPECTATION)


# ---------------------------------------------------------------- reading the runs


def excess(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a column ``excess``: objective over the lowest of its draw, minus 1."""
    lowest = table.groupby(DRAW)["objective"].transform("min")
    return table.assign(excess=table["objective"] / lowest - 1)


def near(table: pd.DataFrame, columns) -> pd.DataFrame:
    """Return whether a run ends within `NEAR` of the lowest of its draw: a row per draw, a column per arm."""
    return excess(table).pivot(index=DRAW, columns=columns, values="excess") <= NEAR


def summary(table: pd.DataFrame, by) -> pd.DataFrame:
    """Share near the lowest objective, median excess, mean seconds (and Rand index), by the columns `by`."""
    groups = excess(table).groupby(by, sort=False)
    rows = groups["excess"].agg(near=lambda x: (x <= NEAR).mean(), median="median")
    return rows.join(groups[[column for column in ("time_s", "ri") if column in table]].mean())


def steps_by_way(params, tables) -> pd.DataFrame:
    """Tabulate single mass steps, by way."""
    return summary(tables["steps"], "way")


def fits_by_arm(params, tables) -> pd.DataFrame:
    """Tabulate whole runs, by way and start."""
    return summary(tables["fits"], ["way", "start"])


def fits_by_case(params, tables) -> pd.DataFrame:
    """Tabulate whole runs, by data set, number of constraints, way and start."""
    return summary(tables["fits"], ["dataset", "n_constraints", "way", "start"]).round(4)


# ---------------------------------------------------------------- claims


def no_more_often(shares: pd.DataFrame, chosen, others):
    """Check that no arm ends near the lowest objective more often than `chosen`, by more than `MARGIN`."""
    gaps = {str(arm): difference(shares[chosen], shares[arm]) for arm in others}
    note = f"{shares[chosen].mean():.0%} of the draws; the numbers are differences to it"
    return above(-MARGIN, gaps, "+.2f", note)


@expected("one mass step: no way ends within 0.1 % of the lowest objective more often than continuation")
def continuation_ends_lowest_in_a_step(params, tables):
    shares = near(tables["steps"], "way")
    return no_more_often(shares, "continuation", shares.columns.drop("continuation"))


@expected(
    "whole runs from k-means: none of the three ways ends within 0.1 % of their lowest objective more often "
    "than continuation"
)
def continuation_ends_lowest_in_a_fit(params, tables):
    fits = tables["fits"]
    shares = near(fits[fits["start"] == "k-means"], "way")
    return no_more_often(shares, "continuation", shares.columns.drop("continuation"))


@expected(
    "continuation from one random start does not end near the lowest objective of all arms more often than "
    "from k-means"
)
def kmeans_is_a_good_start(params, tables):
    shares = near(tables["fits"], ["way", "start"])["continuation"]
    return no_more_often(shares, "k-means", ["random"])


@expected(
    "the order of the objects, which the sweeps follow, changes the objective by at most 0.1 % in 9 of 10 "
    "draws"
)
def order_changes_little(params, tables):
    fits = tables["fits"]
    wide = fits[fits["way"] == "continuation"].pivot(index=DRAW, columns="start", values="objective")
    change = (wide["other order"] / wide["k-means"] - 1).abs()
    note = f"largest change {change.max():.1%}"
    return above(0.9, {"share of the draws": proportion(change <= NEAR)}, ".0%", note)


def wins_of_lower(draw: pd.DataFrame) -> float:
    """Return how often the lower of two runs more than `APART` apart has the higher Rand index.

    Ties count half; NaN where there is no such pair.
    """
    J, R = draw["objective"].to_numpy(), draw["ri"].to_numpy()
    i, j = np.nonzero(J[:, None] * (1 + APART) < J)
    return float(np.where(R[i] == R[j], 0.5, R[i] > R[j]).mean()) if len(i) else np.nan


@expected(
    "on each data set, of two runs of a draw that end more than 1 % apart, the lower objective more often "
    "has the higher Rand index"
)
def lower_is_better(params, tables):
    shares = {
        name: [wins_of_lower(draw) for _, draw in part.groupby(["n_constraints", "repetition"])]
        for name, part in tables["fits"].groupby("dataset", sort=False)
    }
    apart = {name: wins for name, wins in shares.items() if not np.isnan(wins).all()}
    return above(0.5, {name: mean(wins) for name, wins in apart.items()}, ".0%")
