"""How often criteria, and the recommendation that is made of them, find the number of classes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from credalbench.intervals import Estimate, bootstrap, difference, proportion
from credalbench.runner import EXPECTATION, CannotBeChecked
from credalbench.runner.claims import above, below, claim

ARTEFACT = "egmm-ours-01"
NAMES = {
    "one_class": "One class (drawn)",
    "two_class": "Two-class (drawn)",
    "four_class": "Four-class (drawn)",
    "t4": "t4 (drawn)",
    "iris": "Iris",
    "seeds": "Seeds",
    "wine": "Wine",
}
METHODS = {"fcm": "FCM", "ecm": "ECM", "evclus": "EVCLUS", "egmm": "EGMM"}
CRITERIA = {
    "ebic": "EBIC",
    "nonspecificity": "nonspecificity",
    "modified_partition_coefficient": "the modified partition coefficient",
    "xie_beni": "the index of Xie and Beni",
    "elbow": "the elbow of the objective",
    "stability": "stability",
}
#: Why some differ: classes need not be clusters, and an index need not be about their number.
OF_IRIS = "two of the three classes of Iris touch, and two clusters are preferred"
BECAUSE = {
    "nonspecificity": "a partition into too few clusters need not be vague",
    "modified_partition_coefficient": OF_IRIS,
    "xie_beni": OF_IRIS,
    "stability": OF_IRIS,
}
CONFIDENCES = ("high", "moderate", "low", "none")
RUN = ["dataset", "repetition", "method"]


# ---------------------------------------------------------------- reading the runs


def judged(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of data with two classes or more, with a column ``right``."""
    several = table[table["n_classes"] > 1]
    return several.assign(right=several["c"] == several["n_classes"])


def opinions_of(tables, criterion: str) -> pd.DataFrame:
    """What a criterion prefers on data with two classes or more."""
    rows = judged(tables["opinions"])
    rows = rows[rows["criterion"] == criterion]
    if rows.empty:
        raise CannotBeChecked(f"no clusterer in these tables has {CRITERIA[criterion]}")
    return rows


def shares(tables) -> dict[str, dict[str, Estimate]]:
    """Share of right numbers: of each criterion, in all runs and where it is clear; of the recommendation."""
    found = {}
    for criterion, part in judged(tables["opinions"]).groupby("criterion", sort=False):
        groups = {"all": part["right"], "clear": part["right"][part["clear"]]}
        found[CRITERIA[criterion]] = {name: proportion(hits) for name, hits in groups.items() if len(hits)}
    advice = judged(tables["recommendations"])
    for confidence in CONFIDENCES[:-1]:
        hits = advice["right"][advice["confidence"] == confidence]
        if len(hits):
            found[f"recommended, {confidence} confidence"] = {"all": proportion(hits)}
    return found


def how_often_right(params, tables) -> pd.DataFrame:
    """Share of the runs on data with two classes or more in which the number of classes is preferred."""
    rows = {
        name: {group: f"{estimate:.2f}, {estimate.n} runs" for group, estimate in groups.items()}
        for name, groups in shares(tables).items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").fillna("")


def where_right(params, tables) -> pd.DataFrame:
    """In how many runs each criterion is right on each data set, and in brackets what it prefers most often.

    No clear answer counts as one cluster where there is one class, else as 0.
    """
    advice = tables["recommendations"]
    parts = {"recommended": advice.assign(c=advice["c"].where(advice["c"] != 0, advice["n_classes"] == 1))}
    parts |= {CRITERIA[name]: part for name, part in tables["opinions"].groupby("criterion", sort=False)}
    found = {}
    for words, part in parts.items():
        for dataset, rows in part.groupby("dataset", sort=False):
            right = (rows["c"] == rows["n_classes"]).sum()
            name = f"{NAMES[dataset]}, {rows['n_classes'].iloc[0]}"
            found.setdefault(words, {})[name] = f"{right} of {len(rows)} ({rows['c'].mode().iloc[0]:.0f})"
    return pd.DataFrame.from_dict(found, orient="index")


# ---------------------------------------------------------------- claims


@claim(
    ARTEFACT,
    "{words} is best at the number of classes in more than half of the runs on data with two classes or "
    "more, with every clusterer that has it",
    EXPECTATION,
    explanation="{because}",
    each=[
        {"criterion": name, "words": words, "because": BECAUSE.get(name, "")}
        for name, words in CRITERIA.items()
    ],
)
def finds_the_classes(params, tables, criterion):
    rows = opinions_of(tables, criterion)
    found = {METHODS[name]: proportion(part["right"]) for name, part in rows.groupby("method", sort=False)}
    return above(0.5, found, ".2f")


@claim(
    ARTEFACT,
    "criteria are right more often where their opinion is clear than where their curve is flat",
    EXPECTATION,
    explanation="a wrong number can be preferred as surely as the right one: too few clusters need not be "
    "vague",
)
def clear_opinions_are_better(params, tables):
    rows = judged(tables["opinions"])
    clear, flat = (rows["right"][rows["clear"] == value].astype(float) for value in (True, False))
    if clear.empty or flat.empty:
        raise CannotBeChecked("all opinions in these tables are clear, or none is")
    gain = bootstrap(lambda a, b: np.nanmean(a, axis=-1) - np.nanmean(b, axis=-1), clear, flat)
    return above(0, {"more often, by a share of": gain}, "+.2f")


@claim(
    ARTEFACT,
    "stability finds the number of classes more often than nonspecificity, with the same clusterer and draws",
    EXPECTATION,
)
def stability_beats_nonspecificity(params, tables):
    pair = ("stability", "nonspecificity")
    right = {name: opinions_of(tables, name).set_index(RUN)["right"] for name in pair}
    wide = pd.DataFrame(right).dropna().astype(float)
    gain = difference(wide["stability"], wide["nonspecificity"])
    return above(0, {"more often, by a share of": gain}, "+.2f")


@claim(
    ARTEFACT,
    "a number that is recommended with high confidence is that of the classes in more than half of the runs "
    "on data with two classes or more",
    EXPECTATION,
    explanation="criteria agree on two clusters of Iris, which has three classes",
)
def high_confidence_is_right(params, tables):
    advice = judged(tables["recommendations"])
    high = advice[advice["confidence"] == "high"]
    if high.empty:
        raise CannotBeChecked("nothing is recommended with high confidence in these tables")
    note = f"in {len(high)} of {len(advice)} runs"
    return above(0.5, {"right": proportion(high["right"])}, ".2f", note)


@claim(
    ARTEFACT,
    "in a single Gaussian two or more clusters are recommended in less than half of the runs",
    EXPECTATION,
    explanation="most criteria have no value for one cluster, and some larger number is then best",
)
def one_class_is_no_reason_for_clusters(params, tables):
    advice = tables["recommendations"]
    alone = advice[advice["n_classes"] == 1]
    if alone.empty:
        raise CannotBeChecked("there is no data set with one class in these tables")
    return below(0.5, {"share": proportion(alone["c"] > 1)}, ".2f")
