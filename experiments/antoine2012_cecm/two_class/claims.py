"""Sentences of Section 5.2.1 of [antoine2012_cecm] on the two-class data, checked on our runs.

The paper shows one run of each method; our boundaries are named after the nearest of four directions, so that
"diagonal" and "horizontal" need no tolerance. The classes are the two sides of a vertical one.
"""

import numpy as np
import pandas as pd

from credalbench.core.intervals import difference, mean, proportion
from credalbench.papers import Finding, NotCheckable, printed_values
from credalbench.papers.claims import above, agrees, all_of, claim

PRINTED = printed_values(__file__)
KINDS = ("horizontal", "rising", "vertical", "falling")  # at 0, 45, 90 and 135 degrees
DIAGONAL, STRAIGHT = KINDS[1::2], KINDS[::2]


def boundary_kind(degrees: float) -> str:
    """Return the nearest of `KINDS` to a direction in [0, 180)."""
    return KINDS[round(degrees / 45) % 4]


def runs_of(tables, method: str) -> pd.DataFrame:
    """Return runs of a method, with the kind of their boundary."""
    runs = tables["runs"]
    runs = runs[runs["method"] == method]
    return runs.assign(kind=[boundary_kind(value) for value in runs["boundary_deg"]])


def only(expected: tuple[str, ...], tables, method: str) -> Finding:
    """Return whether every boundary is one of the `expected` kinds."""
    kinds = runs_of(tables, method)["kind"]
    counts = ", ".join(f"{kind} {count}" for kind, count in kinds.value_counts().items())
    return Finding(kinds.isin(expected).all(), counts)


def share_with_all(expected: tuple[str, ...], tables, method: str) -> Finding:
    """Return the share of draws on which all `expected` kinds occur among the starts."""
    seen = runs_of(tables, method).groupby("repetition")["kind"].agg(lambda kinds: {*expected} <= {*kinds})
    return above(0, {"share of the draws with both": seen.mean()})


def spread(values) -> str:
    low, middle, high = np.quantile(values, [0.0, 0.5, 1.0])
    return f"Rand index: median {middle:.3f}, from {low:.3f} to {high:.3f}"


# ---------------------------------------------------------------- Figures 1 and 2: the data, a sketch


@claim(
    "cecm-fig-02",
    "on a sketch like the paper's, some constraints change nothing and some lead towards the classes",
    sentence="S20",
    published="a sketch without numbers",
)
def useless_and_informative(params, tables):
    ri = tables["sketch"].set_index("panel")["ri"]
    words = f"Rand index {ri['useless']:.2f} with useless ones, {ri['no constraints']:.2f} with none"
    useless = Finding(ri["useless"] == ri["no constraints"], words)
    return all_of(useless, above(ri["useless"], {"with informative ones": ri["informative"]}, ".2f"))


# ---------------------------------------------------------------- Figures 3 and 4: without constraints

SADDLE = "some starts stop near a saddle, with a boundary half way between two minima"


@claim("cecm-fig-03", "the boundary is diagonal in every run", sentence="S29", explanation=SADDLE)
def euclidean_is_diagonal(params, tables):
    return only(DIAGONAL, tables, "ecm_euclidean")


@claim("cecm-fig-03", "which diagonal depends on the start", sentence="S29")
def diagonal_depends_on_start(params, tables):
    return share_with_all(DIAGONAL, tables, "ecm_euclidean")


@claim(
    "cecm-fig-03",
    "the Rand index of one run is the printed one",
    published=PRINTED["ri_euclidean"],
    explanation="it depends on how far the boundary turns from 45 degrees, so on the sample, which is lost",
)
def euclidean_rand(params, tables):
    """Allow for the scatter of one run, because one run is printed."""
    runs = runs_of(tables, "ecm_euclidean")
    ri = runs.loc[runs["start"] == 0, "ri"]
    return agrees(PRINTED["ri_euclidean"], mean(ri), ".3f", f"{spread(ri)}; the printed one is of one sample")


@claim(
    "cecm-fig-04", "the boundary is horizontal or vertical in every run", sentence="S30", explanation=SADDLE
)
def adaptive_is_straight(params, tables):
    return only(STRAIGHT, tables, "ecm_mahalanobis")


@claim("cecm-fig-04", "both a horizontal and a vertical boundary occur from different starts", sentence="S30")
def straight_depends_on_start(params, tables):
    return share_with_all(STRAIGHT, tables, "ecm_mahalanobis")


@claim(
    "cecm-fig-04",
    "with a horizontal boundary the Rand index is the printed one",
    sentence="S31",
    published=PRINTED["ri_mahalanobis"],
)
def horizontal_rand(params, tables):
    runs = runs_of(tables, "ecm_mahalanobis")
    ri = runs.loc[runs["kind"] == "horizontal", "ri"]
    if ri.empty:
        raise NotCheckable("no horizontal boundary occurred", [PRINTED["ri_mahalanobis"]])
    return agrees(PRINTED["ri_mahalanobis"], mean(ri), ".3f", spread(ri))


# ---------------------------------------------------------------- Figure 5: ten constraints


@claim(
    "cecm-fig-05",
    "with ten random constraints, from one random start, CECM finds the classes on some draws (one is shown)",
    sentence="S32",
)
def classes_found(params, tables):
    found, without = (
        proportion(runs_of(tables, method).query("start == 0")["kind"] == "vertical")
        for method in ("cecm_mahalanobis", "ecm_mahalanobis")
    )
    note = f"{found:.0%} of the draws; without constraints the same starts find them on {without:.0%}"
    return above(0, {"share of the draws": found.value}, ".0%", note)


@claim(
    "cecm-fig-05",
    "from the same random starts, CECM finds the classes more often with ten constraints than without",
    sentence="S32",
    explanation="the start decides on which side a run ends; the start of lowest objective finds the classes",
)
def constraints_guide(params, tables):
    with_them, without = (
        (runs["kind"] == "vertical").groupby(runs["repetition"]).mean()
        for runs in (runs_of(tables, method) for method in ("cecm_mahalanobis", "ecm_mahalanobis"))
    )
    note = f"of all starts {with_them.mean():.0%} find them with constraints, {without.mean():.0%} without"
    return above(0, {"difference of the shares": difference(with_them, without)}, "+.1%", note)
