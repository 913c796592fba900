"""What is concluded from paired runs on blocks of pairs and on independent pairs.

Table ``runs``: one row per part, data set, repetition, k, way of drawing, number of orders and start.
Differences are blocks minus independent pairs.
"""

import pandas as pd

from credalbench.core.intervals import Estimate, mean
from credalbench.papers import EXPECTATION, PROPERTY, CannotBeChecked, Finding
from credalbench.papers.claims import above, below, claim
from credalbench.papers.reasons import OURS

from ..shared.paired_differences import changes, mean_differences, stands_in

ARTEFACT = "evclus-ours-07"
INDEPENDENT, BLOCKS = "independent", "blocks"
DRAW, ORDERS_PART = "draw", "orders"
RISE = 1e-9  # share of J_k above the rounding of its sums
MORE_STRESS, LESS_ARI = 2.0, -0.02  # per cent of J, and of the index, that a quicker fit may cost
MANY = 10_000  # objects from which time is compared
#: What is compared -> its axis label, and how its numbers are written.
MEASURES = {
    "judged_stress": ("change of $J$ (%)", "+.2f"),
    "ari": ("difference of ARI", "+.3f"),
    "time_s": ("processor time, share", ".2f"),
}


def differences(runs: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return blocks against independent pairs, one row per paired run: dataset, k, repetition, value.

    Differences of the index, per cent of J, shares of the time.
    """
    part = runs[runs["part"] == DRAW]
    axes = ["dataset", "k", "repetition"]
    wide = part.pivot(index=axes, columns="way", values=measure).astype(float)
    wide = wide.reindex(part["dataset"].drop_duplicates(), level="dataset")
    if measure == "ari":
        value = wide[BLOCKS] - wide[INDEPENDENT]
    elif measure == "judged_stress":
        value = 100 * (wide[BLOCKS] / wide[INDEPENDENT] - 1)
    else:
        value = wide[BLOCKS] / wide[INDEPENDENT]
    return value.rename("value").reset_index()


def by_draw(params, tables) -> pd.DataFrame:
    """Tabulate mean paired differences, blocks against independent pairs, with intervals."""
    return mean_differences(tables["runs"], differences, MEASURES)


def by_orders(params, tables) -> pd.DataFrame:
    """Tabulate where fits on blocks end, by data set, start and number of orders."""
    runs = tables["runs"]
    part = runs[runs["part"] == ORDERS_PART]
    groups = part.groupby(["dataset", "start", "orders"], sort=False)
    table = groups[["judged_stress", "ari", "n_iter", "time_s"]].mean()
    table["least ARI"] = groups["ari"].min()
    names = {"judged_stress": "J", "ari": "ARI", "n_iter": "sweeps", "time_s": "processor time (s)"}
    return table.rename(columns=names).round(4)


@claim(ARTEFACT, "no sweep over blocks raises J_k", PROPERTY)
def blocks_never_rise(params, tables):
    rises = tables["runs"].loc[tables["runs"]["way"] == BLOCKS, "largest_rise"]
    return Finding(bool((rises <= RISE).all()), f"largest rise {rises.max():.1g} in {len(rises)} runs")


EACH = [{"name": name} for name in ("t4:1000", "t4:10000", "s2", "digits", "protein")]


@claim(
    ARTEFACT,
    f"{{name}}: J on unseen pairs is at most {MORE_STRESS:g} % higher after a fit on blocks, at every k",
    EXPECTATION,
    explanation="with few partners, J on other pairs varies from draw to draw more than by the way of "
    "drawing: then these runs cannot tell",
    substitute=stands_in,
    each=EACH,
)
def same_stress(params, tables, name):
    return below(
        MORE_STRESS, changes(params, tables, name, "judged_stress", differences), "+.2f", "in % of J"
    )


@claim(
    ARTEFACT,
    f"{{name}}: the adjusted Rand index is at most {-LESS_ARI:g} lower after a fit on blocks, at every k",
    EXPECTATION,
    explanation="a few objects between clusters fall on either side by chance; where k is too small, neither "
    "way finds the classes, and the spread of the differences is wider than the bound",
    substitute=stands_in,
    each=EACH,
)
def same_index(params, tables, name):
    return above(LESS_ARI, changes(params, tables, name, "ari", differences), "+.3f")


@claim(
    ARTEFACT,
    f"from {MANY} objects on, a fit on blocks takes less than half of the processor time, at every k",
    EXPECTATION,
    explanation="row programmes take the same time either way, and at small k they are most of the work",
    cause=OURS,
)
def less_time(params, tables):
    table = differences(tables["runs"], "time_s")
    sizes = table["dataset"].str.partition(":")[2].replace("", "0").astype(int)
    table = table[(sizes >= MANY) & (sizes < 100_000)]
    if table.empty:
        raise CannotBeChecked(f"no generated data set of {MANY} objects in this run")
    return below(0.5, {f"k = {k}": mean(part) for k, part in table.groupby("k")["value"]}, ".2f")


def lost_index(params, tables, few: int) -> dict[str, Estimate]:
    """Return the mean ARI that fits from random starts lose with `few` orders, to each larger number."""
    runs = tables["runs"]
    part = runs[(runs["part"] == ORDERS_PART) & (runs["start"] == "random")]
    wide = part.pivot(index=["dataset", "repetition"], columns="orders", values="ari")
    more = [s for s in wide.columns if s > few]
    if few not in wide or not more:
        raise CannotBeChecked(f"this run has not {few} orders and more")
    return {
        f"{name}, s = {s}": mean(values)
        for s in more
        for name, values in (wide[s] - wide[few]).groupby("dataset")
    }


@claim(
    ARTEFACT,
    "one cyclic order is too few: from random starts, its fits lose more than 0.1 of the adjusted Rand index",
    EXPECTATION,
    explanation="where blocks are large, they settle among themselves before the ring matters",
)
def one_order_is_too_few(params, tables):
    return above(0.1, lost_index(params, tables, 1), "+.3f")


@claim(
    ARTEFACT,
    "four orders are enough: from random starts, they lose less than 0.03 of the index to more orders",
    EXPECTATION,
    explanation="from random starts EVCLUS ends in one of several minima, whatever the pairs; a few runs "
    "in a poorer one widen the intervals",
)
def four_orders_are_enough(params, tables):
    return below(0.03, lost_index(params, tables, 4), "+.3f")
