"""Which number of clusters each criterion prefers, and how often it is that of the classes."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, mean, proportion
from credalbench.papers import EXPECTATION, PROPERTY, CannotBeChecked
from credalbench.papers.claims import above, below, claim
from credalbench.papers.reasons import OURS

from ..shared.classified import NAMES
from ..shared.consensus_steps import NONE, PHRASES, TRIED

ARTEFACT = "ensemble-ours-01"
DIGITS = 12  # to which two values count as equal; of equal ones the fewest clusters are taken
ENSEMBLE = ["dataset", "repetition", "closure"]
expected = partial(claim, ARTEFACT, basis=EXPECTATION)


class Criterion(NamedTuple):
    """A column of the fits, its name, and which of two values is preferred."""

    words: str
    better: str


CRITERIA = {
    "stress": Criterion("the lowest stress", "lower"),
    "bend": Criterion("the sharpest bend of the stress", "higher"),
    "credal_rand": Criterion("the highest credal Rand index with the relation", "higher"),
    "nonspecificity": Criterion("the lowest nonspecificity", "lower"),
    "lifetime": Criterion("the longest lifetime", "higher"),
    "stability": Criterion("the highest stability", "higher"),
    "corrected": Criterion("the highest corrected stability", "higher"),
}


# ---------------------------------------------------------------- reading the runs


def chosen(fits: pd.DataFrame, criterion: str) -> pd.DataFrame:
    """Return the fit that a criterion prefers for each ensemble and closure; with a column ``right``."""
    values = fits[criterion].round(DIGITS)
    values = values if CRITERIA[criterion].better == "higher" else -values
    known = fits.assign(value=values).dropna(subset="value")
    if known.empty:
        raise CannotBeChecked(f"{criterion} has no value in these tables")
    ordered = known.sort_values(["value", "c"], ascending=[False, True])
    best = ordered.drop_duplicates(ENSEMBLE).sort_index()
    return best.assign(right=best["c"] == best["n_classes"])


def at_classes(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the fits with as many clusters as there are classes, by ensemble."""
    return fits[fits["c"] == fits["n_classes"]].set_index(ENSEMBLE)


def chosen_numbers(params, tables) -> pd.DataFrame:
    """Count how often each criterion prefers the number of classes, and in brackets its usual number."""
    found, fits = {}, tables["fits"]
    for criterion, (words, _) in CRITERIA.items():
        for (closure, dataset), part in chosen(fits, criterion).groupby(["closure", "dataset"], sort=False):
            cell = f"{part['right'].sum()} of {len(part)} ({part['c'].mode().iloc[0]})"
            found.setdefault((PHRASES[closure], words), {})[titles(fits)[dataset]] = cell
    return pd.DataFrame.from_dict(found, orient="index").sort_index(level=0, sort_remaining=False)


def cost_of_choosing(params, tables) -> pd.DataFrame:
    """Return the ARI with as many clusters as classes, and what a choice by each criterion costs."""
    true, rows = at_classes(tables["fits"])["ari"], {}
    for criterion, (words, _) in CRITERIA.items():
        best = chosen(tables["fits"], criterion).set_index(ENSEMBLE)["ari"]
        rows[words] = (true - best).groupby("closure", sort=False).mean().rename(PHRASES)
    known = true.groupby("closure", sort=False).mean().rename(PHRASES)
    return pd.DataFrame({"ARI, c known": known} | rows).T.round(3)


def titles(fits: pd.DataFrame) -> dict[str, str]:
    """Return the name of each data set with the number of its classes."""
    classes = fits.groupby("dataset", sort=False)["n_classes"].first()
    return {name: f"{NAMES[name]}, {number} classes" for name, number in classes.items()}


# ---------------------------------------------------------------- claims


@expected(
    "{words} is at the number of classes in more than half of the ensembles, without closure and after the "
    "minimum one",
    explanation="the bases cut every set into small round cells, and what is left of their borders in "
    "the relation is not always the border of a class",
    cause=OURS,
    each=[{"criterion": name, "words": words} for name, (words, _) in CRITERIA.items() if name != "stress"],
)
def finds_the_classes(params, tables, criterion):
    best = chosen(tables["fits"], criterion)
    shares = {PHRASES[closure]: proportion(part["right"]) for closure, part in best.groupby("closure")}
    words = []
    for closure, part in best.groupby("closure", sort=False):
        counts = part.groupby("dataset", sort=False)["right"].agg(["sum", "size"])
        listed = ", ".join(f"{NAMES[name]} {row['sum']} of {row['size']}" for name, row in counts.iterrows())
        words.append(f"{PHRASES[closure]}: {listed}")
    return above(0.5, shares, ".2f", "; ".join(words))


@expected(
    "without closure the stress still falls from the last but one number of clusters to the last, on each "
    "data set: its lowest value says nothing of the classes"
)
def stress_keeps_falling(params, tables):
    fits = tables["fits"][tables["fits"]["closure"] == NONE]
    falls = {}
    for name, part in fits.groupby("dataset", sort=False):
        wide = part.pivot(index="repetition", columns="c", values="stress")
        falls[f"{NAMES[name]}, in %"] = mean(100 * (1 - wide.iloc[:, -1] / wide.iloc[:, -2]))
    return above(0, falls, ".1f")


@expected(
    "nonspecificity says nothing of the classes: it is lowest with three clusters in more than half of the "
    "ensembles of data with another number of classes"
)
def nonspecificity_likes_three(params, tables):
    """Compare with two clusters and the frame, where single clusters cannot say how alike objects are."""
    best = chosen(tables["fits"], "nonspecificity")
    others = best[best["n_classes"] != 3]
    if others.empty:
        raise CannotBeChecked("all data in these tables have three classes")
    groups = (others["c"] == 3).groupby(others["closure"], sort=False)
    return above(0.5, {PHRASES[closure]: proportion(hits) for closure, hits in groups}, ".2f")


@claim(
    ARTEFACT,
    "single linkage keeps each number of clusters as long before the minimum closure as after it",
    PROPERTY,
)
def lifetimes_stay(params, tables):
    wide = tables["fits"].pivot(index=["dataset", "repetition", "c"], columns="closure", values="lifetime")
    gap = float(np.abs(wide[NONE] - wide["minimum"]).max())
    return below(1e-12, {"largest difference": gap}, ".0e")


@expected(
    "{phrase}, the stability finds the number of classes more often when it is corrected for chance",
    explanation="where the consensus is vague, both ensembles agree in saying nothing, and chance would, too",
    each=[{"closure": closure, "phrase": PHRASES[closure]} for closure in TRIED],
)
def correction_helps(params, tables, closure):
    hits = {}
    for criterion in ("stability", "corrected"):
        best = chosen(tables["fits"], criterion).set_index(ENSEMBLE)
        hits[criterion] = best.loc[best.index.get_level_values("closure") == closure, "right"]
    gain = hits["corrected"].astype(float) - hits["stability"].astype(float)
    return above(0, {"more often, by a share of": mean(gain)}, "+.2f")


@claim(
    ARTEFACT,
    "no criterion prefers the number of classes in more than half of the ensembles on every data set, with a "
    "closure or without",
    sentence="S66",
    explanation="one of the criteria that were tried does",
)
def problem_is_open(params, tables):
    """Count the criteria: at least as many as do with their interval, at most as many as may."""
    least = {}
    for criterion, (words, _) in CRITERIA.items():
        groups = chosen(tables["fits"], criterion).groupby(["closure", "dataset"], sort=False)["right"]
        shares = [(closure, proportion(right)) for (closure, _), right in groups]
        for closure in TRIED:
            found = [share for name, share in shares if name == closure]
            least[f"{words} {PHRASES[closure]}"] = min(found, key=lambda share: share.value)
    counts = [sum(getattr(share, end) > 0.5 for share in least.values()) for end in ("value", "low", "high")]
    best = max(least, key=lambda name: least[name].value)
    note = f"most often: {best}, on its worst data set in a share of {least[best].value:.2f}"
    return below(
        1, {f"of {len(least)} criteria": Estimate(*map(float, counts), params.n_repetitions)}, ".0f", note
    )
