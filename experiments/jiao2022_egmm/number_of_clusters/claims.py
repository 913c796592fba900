"""How often criteria, and the recommendation that is made of them, find the number of classes; and why."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, bootstrap, difference, mean, proportion
from credalbench.papers import EXPECTATION, CannotBeChecked, printed_values
from credalbench.papers.claims import above, all_of, below, claim
from credalbench.papers.reasons import OURS

from .lead import KINDS, gain_behind, more_parameters, objects_needed

ARTEFACT, LEAD = "egmm-ours-01", "egmm-ours-02"
NAMES = {
    "one_class": "One class (drawn)",
    "two_class": "Two-class (drawn)",
    "four_class": "Four-class (drawn)",
    "t4": "t4 (drawn)",
    "iris": "Iris",
    "seeds": "Seeds",
    "wine": "Wine",
    "mixture": "Mixtures (drawn)",
}
METHODS = {"fcm": "FCM", "ecm": "ECM", "evclus": "EVCLUS", "egmm": "EGMM", "gmm": "GMM (constrained)"}
SETS = {"single": "single clusters", "pairs": "with pairs and the frame", "full": "all non-empty sets"}
CRITERIA = {
    "ebic": "EBIC",
    "bic": "BIC",
    "nonspecificity": "nonspecificity",
    "modified_partition_coefficient": "the modified partition coefficient",
    "xie_beni": "the index of Xie and Beni",
    "elbow": "the elbow of the objective",
    "stability": "stability",
}
#: Why some differ: classes need not be clusters, and an index need not be about their number.
OF_IRIS = "two of the three classes of Iris touch, and two clusters are preferred"
OF_MIXTURES = (
    "with some hundred objects the penalty hides classes that overlap (egmm-ours-02), and where classes are "
    "not Gaussian with one covariance, as in Iris and Wine, a better density needs more components"
)
BECAUSE = {
    "ebic": OF_MIXTURES,
    "bic": OF_MIXTURES,
    "nonspecificity": "a partition into too few clusters need not be vague",
    "modified_partition_coefficient": OF_IRIS,
    "xie_beni": OF_IRIS,
    "stability": OF_IRIS,
}
AGREEMENTS = ("full", "partial", "single")
DRAW = ["dataset", "repetition"]
RUN = [*DRAW, "method"]
FEWEST = 4  # draws: the interval of a share of fewer always reaches to both sides of one half
#: Table 4: what the paper prints of EBIC on Four-class.
PRINTED = printed_values(__file__, "four_class")
expected = partial(claim, ARTEFACT, basis=EXPECTATION)


# ---------------------------------------------------------------- reading the runs


def judged(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of data with two classes or more, with a column ``right``."""
    several = table[table["n_classes"] > 1]
    return several.assign(right=several["c"] == several["n_classes"])


def votes_of(tables, criterion: str) -> pd.DataFrame:
    """Return what a criterion prefers on data with two classes or more."""
    rows = judged(tables["votes"])
    rows = rows[rows["criterion"] == criterion]
    if rows.empty:
        raise CannotBeChecked(f"no clusterer in these tables has {CRITERIA[criterion]}")
    return rows


def by_draw(rows: pd.DataFrame, column: str = "right") -> pd.Series:
    """Return the share of runs on each draw: clusterers on the same objects are not independent."""
    return rows.groupby(DRAW, sort=False)[column].mean()


def on_draws(rows: pd.DataFrame, column: str = "right") -> Estimate:
    """Return the share of the draws on which more than half of the runs are right."""
    return proportion(by_draw(rows, column) > 0.5)


def shares(tables) -> dict[str, dict[str, Estimate]]:
    """Return the share of right numbers: of each criterion, also where clear; of the recommendation."""
    found = {}
    for criterion, part in judged(tables["votes"]).groupby("criterion", sort=False):
        groups = {"all": part, "clear": part[part["clear"]]}
        found[CRITERIA[criterion]] = {name: on_draws(rows) for name, rows in groups.items() if len(rows)}
    advice = judged(tables["recommendations"])
    for agreement in AGREEMENTS:
        rows = advice[advice["agreement"] == agreement]
        if len(rows):
            found[f"recommended, {agreement} agreement"] = {"all": on_draws(rows)}
    return found


def how_often_right(params, tables) -> pd.DataFrame:
    """Return the share of draws with two classes or more in which most runs prefer the number of classes."""
    rows = {
        name: {group: f"{estimate:.2f}, {estimate.n} draws" for group, estimate in groups.items()}
        for name, groups in shares(tables).items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").fillna("")


def right_by_agreement(params, tables) -> pd.DataFrame:
    """Count how many recommendations with each agreement are right on each data set.

    On one class no clear answer is right, or one cluster; elsewhere "none" is never right.
    """
    advice = tables["recommendations"]
    right = answers(advice) == advice["n_classes"]
    groups = right.groupby([advice["agreement"], advice["dataset"]], sort=False)
    words = groups.agg(lambda hits: f"{hits.sum()} of {len(hits)}").unstack(fill_value="")
    rows = [name for name in (*AGREEMENTS, "none") if name in words.index]
    return words.loc[rows].rename(columns=NAMES).rename_axis(columns=None)


def answers(advice: pd.DataFrame) -> pd.Series:
    """Return the recommended numbers; where there is one class, no clear answer counts as one cluster."""
    return advice["c"].where(advice["c"] != 0, (advice["n_classes"] == 1).astype(int))


def where_right(params, tables) -> pd.DataFrame:
    """Count how often each criterion is right on each data set, and in brackets its most frequent choice.

    No clear answer counts as one cluster where there is one class, else as 0.
    """
    advice = tables["recommendations"]
    parts = {"recommended": advice.assign(c=answers(advice))}
    parts |= {CRITERIA[name]: part for name, part in tables["votes"].groupby("criterion", sort=False)}
    found = {}
    for words, part in parts.items():
        for dataset, rows in part.groupby("dataset", sort=False):
            right = (rows["c"] == rows["n_classes"]).sum()
            usual = f" ({rows['c'].mode().iloc[0]:.0f})" if dataset != "mixture" else ""
            found.setdefault(words, {})[heading(dataset, rows)] = f"{right} of {len(rows)}{usual}"
    return pd.DataFrame.from_dict(found, orient="index").fillna("")


def heading(dataset: str, rows: pd.DataFrame) -> str:
    """Return a data set with its number of classes; those of drawn mixtures differ."""
    return NAMES[dataset] if dataset == "mixture" else f"{NAMES[dataset]}, {rows['n_classes'].iloc[0]}"


def enough_objects(params, tables) -> pd.DataFrame:
    """Compare what four clusters gain per object over two with their cost; from how many objects it pays.

    The gain is that of our largest draws; the last row follows from the printed EBIC of Table 4 alone.
    """
    rows = {words: cost_row(largest_gain(tables, kind), kind) for kind, words in SETS.items()}
    gain = gain_behind(printed_lead(), int(PRINTED["n_objects"].value), "pairs")
    rows["Table 4, as printed (pairs)"] = cost_row(gain, "pairs")
    return pd.DataFrame.from_dict(rows, orient="index")


def cost_row(gain: float, focal_sets: str) -> dict[str, object]:
    """Return the gain in log-likelihood per object, parameters more, objects that are needed."""
    needed = f"{objects_needed(gain, focal_sets):.0f}" if gain > 0 else "never"
    return {
        "gain per object": f"{gain:.3f}",
        "parameters more": more_parameters(focal_sets),
        "objects needed": needed,
    }


def largest_gain(tables, focal_sets: str) -> float:
    """Return the mean gain per object from two clusters to four, on the draws with the most objects."""
    rows = tables["lead"][tables["lead"]["focal_sets"] == focal_sets]
    return float(rows["gain_per_object"][rows["n"] == rows["n"].max()].mean())


def printed_lead() -> float:
    """Return by how much the printed EBIC of Four-class is higher with four clusters than with two."""
    return PRINTED["ebic_4"].value - PRINTED["ebic_2"].value


# ---------------------------------------------------------------- claims


def more_often(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the difference of two mean shares."""
    return np.nanmean(first, axis=-1) - np.nanmean(second, axis=-1)


@expected(
    "{words} is best at the number of classes in more than half of the runs on data with two classes or "
    "more, with every clusterer that has it",
    explanation="{because}",
    cause=OURS,
    each=[
        {"criterion": name, "words": words, "because": BECAUSE.get(name, "")}
        for name, words in CRITERIA.items()
    ],
)
def finds_the_classes(params, tables, criterion):
    rows = votes_of(tables, criterion)
    found = {METHODS[name]: proportion(part["right"]) for name, part in rows.groupby("method", sort=False)}
    return above(0.5, found, ".2f")


@expected(
    "criteria are right more often where their vote is clear than where their curve is flat",
    explanation="a wrong number can be preferred as surely as the right one: too few clusters need not be "
    "vague",
)
def clear_votes_are_better(params, tables):
    rows = judged(tables["votes"])
    clear, flat = (by_draw(rows[rows["clear"] == value]) for value in (True, False))
    if clear.empty or flat.empty:
        raise CannotBeChecked("all votes in these tables are clear, or none is")
    gain = bootstrap(more_often, clear, flat)
    return above(0, {"more often, by a share of": gain}, "+.2f")


@expected(
    "stability finds the number of classes more often than nonspecificity, with the same clusterer and draws"
)
def stability_beats_nonspecificity(params, tables):
    pair = ("stability", "nonspecificity")
    right = {name: votes_of(tables, name).set_index(RUN)["right"] for name in pair}
    wide = pd.DataFrame(right).dropna().astype(float).groupby(level=DRAW).mean()
    gain = difference(wide["stability"], wide["nonspecificity"])
    return above(0, {"more often, by a share of": gain}, "+.2f")


@expected(
    "a number on which there is full agreement is that of the classes on more than half of the draws with "
    "two classes or more",
    explanation="criteria agree on two clusters of Iris, which has three classes",
)
def full_agreement_is_right(params, tables):
    advice = judged(tables["recommendations"])
    full = advice[advice["agreement"] == "full"]
    if full.empty:
        raise CannotBeChecked("there is no full agreement in these tables")
    parts = f"on drawn mixtures {counted(full, True)}, elsewhere {counted(full, False)}"
    note = f"full in {len(full)} of {len(advice)} runs: {parts}"
    return above(0.5, {"right": on_draws(full)}, ".2f", note)


def counted(rows: pd.DataFrame, drawn: bool) -> str:
    """Return how many runs are right, on drawn mixtures or on the other data."""
    right = rows["right"][(rows["dataset"] == "mixture") == drawn]
    return f"{right.sum()} of {len(right)} right"


@expected(
    "recommendations with full agreement are right more often than those with partial agreement",
    explanation="criteria agree on two clusters of Iris, which has three classes",
)
def more_agreement_is_better(params, tables):
    advice = judged(tables["recommendations"])
    full, partly = (by_draw(advice[advice["agreement"] == level]) for level in ("full", "partial"))
    if full.empty or partly.empty:
        raise CannotBeChecked("there is no full or no partial agreement in these tables")
    gain = bootstrap(more_often, full, partly)
    return above(0, {"more often, by a share of": gain}, "+.2f")


@expected(
    "of a single Gaussian two or more clusters are recommended on less than half of the draws",
    explanation="most criteria have no value for one cluster, and some larger number is then best",
)
def one_class_is_no_reason_for_clusters(params, tables):
    advice = tables["recommendations"]
    alone = advice[advice["n_classes"] == 1]
    if alone.empty:
        raise CannotBeChecked("there is no data set with one class in these tables")
    wrong = alone.assign(wrong=alone["c"] > 1)
    if len(by_draw(wrong, "wrong")) < FEWEST:
        raise CannotBeChecked(f"fewer than {FEWEST} draws of it")
    return below(
        0.5, {"share": on_draws(wrong, "wrong")}, ".2f", f"in {wrong['wrong'].sum()} of {len(wrong)} runs"
    )


# ---------------------------------------------------------------- why EBIC prefers too few clusters


def leads(tables, n: int) -> dict[str, Estimate]:
    """Return the mean lead of four clusters over fewer on the draws of n objects, by focal sets."""
    rows = tables["lead"][tables["lead"]["n"] == n].groupby("focal_sets")["lead"]
    return {SETS[focal_sets]: mean(rows.get_group(focal_sets)) for focal_sets in KINDS}


@claim(
    LEAD,
    "on Four-class, where the model of EGMM is true, EBIC is lower with four clusters than with fewer where "
    "there are few objects, with any focal sets, and with many it is higher but for all non-empty sets",
    EXPECTATION,
)
def objects_decide(params, tables):
    if min(params.sizes) > 200 or max(params.sizes) < 800:
        raise CannotBeChecked("200 objects or fewer and 800 or more are needed")
    many = leads(tables, max(params.sizes))
    del many[SETS["full"]]
    return all_of(
        below(
            0, {f"{min(params.sizes)} objects, {k}": v for k, v in leads(tables, min(params.sizes)).items()}
        ),
        above(0, {f"{max(params.sizes)} objects, {k}": v for k, v in many.items()}),
    )


@claim(
    LEAD,
    "imprecise focal sets lower the lead of four clusters on draws of any size: their mixing probabilities "
    "are paid for, and of no use there",
    EXPECTATION,
)
def imprecise_sets_cost(params, tables):
    rows = tables["lead"].pivot(index=["n", "repetition"], columns="focal_sets", values="lead")
    cost = {f"{n} objects": difference(part["single"], part["pairs"]) for n, part in rows.groupby("n")}
    return above(0, cost, "+.1f")
