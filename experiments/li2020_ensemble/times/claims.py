"""What the last paragraphs of Sections 3.3 and 5 say of costs, checked on our times."""

from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd

from credalbench.core.intervals import ratio, slope
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, all_of, below, claim
from credalbench.papers.reasons import TIMES

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


@stated(
    "the average of N relations takes O(n² N) operations: its time grows at most with the square of n, and "
    f"in proportion to N (slopes below 2 and 1, and {SLACK})",
    sentence="S29",
    caveat=TIMES,
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
    caveat=TIMES,
)
def minimum_closure_is_quadratic(params, tables):
    return below(2 + SLACK, {"slope": slope(params.sizes, seconds(params, tables, "minimum closure"))}, ".2f")


@stated(
    "the closure takes O(n²) operations: so it does under the product and the Łukasiewicz t-norm (slopes "
    f"below 2 and {SLACK})",
    sentence="S30",
    explanation="Lee's algorithm is for the minimum; under other t-norms the closure asks for the best paths "
    "between all pairs, which takes O(n³)",
    caveat=TIMES,
)
def other_closures_are_quadratic(params, tables):
    names = ("product", "lukasiewicz")
    found = {name: slope(params.sizes, seconds(params, tables, f"{name} closure")) for name in names}
    return below(2 + SLACK, found, ".2f")


@stated("recovering the credal partition is the most demanding step", sentence="S31")
def recovery_in_their_program(params, tables):
    raise NotCheckable(
        "a statement about a program that was not published: how long a row takes depends on how it is "
        "written"
    )


@stated(
    "fewer focal sets keep the time of the search in bounds: as many sweeps take longer with pairs than with "
    "simple focal sets, and longer still with all sets",
    sentence="S32",
    caveat=TIMES,
)
def focal_sets_cost_time(params, tables):
    numbers = numbers_of_sets(tables)
    times = {f: seconds(params, tables, "consensus", n_sets=f)[-1] for f in numbers}
    ratios = {f"{b} over {a} sets": ratio(times[b], times[a]) for a, b in pairwise(numbers)}
    return above(1, ratios, ".2f")


@stated("very large data sets with many clusters are a challenge", sentence="S67")
def large_sets_are_a_challenge(params, tables):
    raise NotCheckable(
        "what is a challenge is not said in numbers; with sampled pairs 20 000 objects need seconds, and no "
        "closure (benchmarks/ensemble.py)"
    )
