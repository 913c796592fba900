"""What the last paragraphs of Sections 3.3 and 5 say of costs, checked on our times."""

from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd

from credalbench.core.intervals import ratio, slope
from credalbench.papers import EXPECTATION, CannotBeChecked
from credalbench.papers.claims import above, all_of, below, claim
from credalbench.papers.reasons import OURS

TXT = "ensemble-txt-1"
CLUSTERS = 6  # of the result: 7 simple focal sets, 22 with pairs, 63 in all
SLACK = 0.3  # that a slope on a logarithmic scale may have beyond the counted power: caches fill up
stated = partial(claim, TXT)


def seconds(params, tables, step: str, **where) -> np.ndarray:
    """Return the times of a step by number of objects and draw: (s, m)."""
    rows = tables["steps"]
    rows = rows[rows["step"] == step]
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows.pivot(index="n", columns="repetition", values="time_s").loc[[*params.sizes]].to_numpy()


def average_seconds(params, tables) -> np.ndarray:
    """Return the times of the average at the largest size, by number of bases and draw."""
    rows = tables["steps"].query("step == 'average'")
    rows = rows[rows["n"] == max(params.sizes)]
    wide = rows.pivot(index="n_bases", columns="repetition", values="time_s")
    return wide.loc[[*params.ensembles]].to_numpy()


def numbers_of_sets(tables) -> list[int]:
    """Return how many focal sets the results have, from few to many."""
    return sorted(tables["steps"].query("step == 'consensus'")["n_sets"].unique())


def medians(params, tables) -> pd.DataFrame:
    """Return the median seconds of each step, by number of objects."""
    index = ["step", "n_bases", "n_sets"]
    return (
        tables["steps"]
        .pivot_table(index=index, columns="n", values="time_s", aggfunc="median", sort=False)
        .reset_index()
    )


@claim(
    TXT,
    "the time of the masses of all pairs of a base grows at most with the square of n (slope below 2 and "
    f"{SLACK})",
    EXPECTATION,
    explanation="there are three masses for each pair, as the paper counts; small matrices stay in the "
    "cache, large ones do not",
    cause=OURS,
)
def pairs_are_quadratic(params, tables):
    found = slope(params.sizes, seconds(params, tables, "pairs of a base"))
    return below(2 + SLACK, {"slope": found}, ".2f")


@stated(
    "the average of N relations takes O(n² N) operations: its time grows at most with the square of n, and "
    f"in proportion to N (slopes below 2 and 1, and {SLACK})",
    sentence="S29",
)
def average_is_linear_in_the_bases(params, tables):
    of_objects = seconds(params, tables, "average", n_bases=max(params.ensembles))
    return all_of(
        below(2 + SLACK, {"slope in n": slope(params.sizes, of_objects)}, ".2f"),
        below(1 + SLACK, {"slope in N": slope(params.ensembles, average_seconds(params, tables))}, ".2f"),
    )


@stated(
    "the closure takes O(n²) operations: under the minimum its time grows at most with the square of n "
    f"(slope below 2 and {SLACK})",
    sentence="S30",
)
def minimum_closure_is_quadratic(params, tables):
    return below(2 + SLACK, {"slope": slope(params.sizes, seconds(params, tables, "minimum closure"))}, ".2f")


@stated(
    "the closure takes O(n²) operations: so it does under the product and the Łukasiewicz t-norm (slopes "
    f"below 2 and {SLACK})",
    sentence="S30",
    explanation="Lee's algorithm is for the minimum; under other t-norms the closure asks for the best paths "
    "between all pairs, which takes O(n³)",
)
def other_closures_are_quadratic(params, tables):
    names = ("product", "lukasiewicz")
    found = {name: slope(params.sizes, seconds(params, tables, f"{name} closure")) for name in names}
    return below(2 + SLACK, found, ".2f")


@stated("recovering the credal partition is the most demanding step", sentence="S31")
def recovery_in_their_program(params, tables):
    raise CannotBeChecked(
        "a statement on a program that was not published: how long a row takes depends on how it is written"
    )


@claim(
    TXT,
    "in ours, recovering the credal partition takes more time than the average of all bases and the minimum "
    "closure together, at the largest number of objects",
    EXPECTATION,
    explanation="with compiled loops the rows cost little, and the bases' relations are formed anew for each "
    "pair",
    cause=OURS,
)
def recovery_is_most_demanding(params, tables):
    """Compare with simple focal sets and as many sweeps as are timed."""
    before = seconds(params, tables, "average", n_bases=max(params.ensembles))[-1:]
    before = before + seconds(params, tables, "minimum closure")[-1:]
    recovery = seconds(params, tables, "consensus", n_sets=numbers_of_sets(tables)[0])[-1:]
    note = f"{params.n_sweeps} sweeps, {numbers_of_sets(tables)[0]} focal sets"
    return above(1, {"ratio of medians": ratio(recovery[0], before[0])}, ".2f", note)


@stated(
    "fewer focal sets keep the time of the search in bounds: as many sweeps take longer with pairs than with "
    "simple focal sets, and longer still with all sets",
    sentence="S32",
)
def focal_sets_cost_time(params, tables):
    numbers = numbers_of_sets(tables)
    times = {f: seconds(params, tables, "consensus", n_sets=f)[-1] for f in numbers}
    ratios = {f"{b} over {a} sets": ratio(times[b], times[a]) for a, b in pairwise(numbers)}
    return above(1, ratios, ".2f")


@claim(TXT, "the minimum closure is faster than the product closure, and at no size the reverse", EXPECTATION)
def minimum_is_fastest(params, tables):
    slow, fast = (seconds(params, tables, f"{name} closure") for name in ("product", "minimum"))
    return above(1, {f"n = {n}": ratio(slow[k], fast[k]) for k, n in enumerate(params.sizes)}, ".1f")


@stated("very large data sets with many clusters are a challenge", sentence="S67")
def large_sets_are_a_challenge(params, tables):
    raise CannotBeChecked(
        "what is a challenge is not said in numbers; with sampled pairs 20 000 objects need seconds, and no "
        "closure (benchmarks/ensemble.py)"
    )
