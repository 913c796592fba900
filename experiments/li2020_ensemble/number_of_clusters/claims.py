"""Which number of clusters each criterion prefers, and how often it is that of the classes."""

from typing import NamedTuple

import pandas as pd

from credalbench.core.intervals import Estimate, proportion
from credalbench.papers import NotCheckable
from credalbench.papers.claims import below, claim

from ..shared.classified import NAMES
from ..shared.consensus_steps import PHRASES, TRIED

ARTEFACT = "ensemble-ours-01"
DIGITS = 12  # to which two values count as equal; of equal ones the fewest clusters are taken
ENSEMBLE = ["dataset", "repetition", "closure"]


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
        raise NotCheckable(f"{criterion} has no value in these tables")
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


@claim(
    ARTEFACT,
    "no criterion prefers the number of classes in more than half of the ensembles on every data set, with a "
    "closure or without",
    sentence="S66",
    explanation="one of the criteria that were tried does",
)
def problem_is_open(params, tables):
    """Count the criteria: at least those that do with their interval, at most those that may."""
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
