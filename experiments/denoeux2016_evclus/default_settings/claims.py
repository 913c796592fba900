"""What is concluded about the rules: means over sets, tables, claims. All expectations of ours.

Every set counts once, by its mean over repetitions; intervals are over sets.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, difference, mean, median
from credalbench.papers import EXPECTATION, CannotBeChecked
from credalbench.papers.claims import above, below, claim

from .rules import DEFAULT, EARLIER, RULES
from .sets import TUNING, is_generated

COMPARED, EACH_SET, PROMISES = "evclus-ours-04", "evclus-ours-05", "evclus-ours-06"
ARTEFACTS = {
    COMPARED: "Rules for d0 and the start of EVCLUS",
    EACH_SET: "The default and the earlier one, set by set",
    PROMISES: "Separated Gaussians, far objects and times",
}
HALVES = ("tuning", "unseen")
MARGIN = 0.02  # mean ARI that counts as the same
ASKED_MEAN, ASKED_BLOBS = 0.85, 0.97
ASKED_FOUND, ASKED_FALSE, ASKED_RATIO = 0.9, 0.02, 3.0
LOST = {"five groups": "bars", "r15": "tuning"}  # sets that the earlier default lost
OTHERS = [rule for rule in RULES if rule != DEFAULT]


# ---------------------------------------------------------------- reading the tables


def by_set(table: pd.DataFrame, part: str, value: str = "ari") -> pd.DataFrame:
    """Means over repetitions: a row for each set of a part, a column for each rule."""
    some = table[table["part"] == part]
    if some.empty:
        raise CannotBeChecked(f"no set of the part {part} in these tables")
    wide = some.pivot_table(index="dataset", columns="rule", values=value, sort=False)
    return wide[[rule for rule in RULES if rule in wide]]


def lead(tables: Mapping, part: str, rule: str) -> Estimate:
    """Estimate by how much the mean ARI of the default is above that of a rule; pairs are sets."""
    wide = by_set(tables["runs"], part)
    return difference(wide[DEFAULT], wide[rule])


def left_out(params, tables, *parts: str) -> str:
    """Return in words which sets of a part have no result, or empty."""
    there = set(zip(tables["runs"]["part"], tables["runs"]["dataset"]))
    missing = [name for part in parts for name in getattr(params, part) if (part, name) not in there]
    return f"left out: {', '.join(missing)}" if missing else ""


def plain(rule: str) -> str:
    """Return what a rule is called, in one line."""
    return RULES[rule].replace("\n", " ")


def rules_compared(params, tables) -> pd.DataFrame:
    """Mean ARI of each rule in each half, and the lead of the default over it, with intervals over sets."""
    columns = {}
    for part in HALVES:
        wide = by_set(tables["runs"], part)
        n = f"{part}, {len(wide)} sets"
        columns[f"mean ARI, {n}"] = {plain(r): f"{mean(wide[r]):.3f}" for r in wide}
        columns[f"default minus rule, {part}"] = {plain(r): f"{lead(tables, part, r):+.3f}" for r in OTHERS}
    return pd.DataFrame(columns).fillna("")


def planted(params, tables) -> pd.DataFrame:
    """Shares of far and of other objects that are called outliers, and the ARI of the others, by rule."""
    columns = {}
    for part in HALVES:
        for value, words in (("found", "found"), ("outliers", "others called outliers"), ("ari", "ARI")):
            wide = by_set(tables["far"], part, value)
            columns[f"{words}, {part}"] = {plain(rule): f"{wide[rule].mean():.3f}" for rule in wide}
    return pd.DataFrame(columns)


def sets_compared(params, tables) -> pd.DataFrame:
    """Mean ARI on each set by each rule, with the default's mean quantile."""
    parts = []
    for part in HALVES:
        wide = by_set(tables["runs"], part).round(2)
        quantiles = by_set(tables["runs"], part, "quantile")[DEFAULT].round(2)
        wide.insert(0, "quantile of the default", quantiles)
        parts.append(wide.rename(columns=plain_or_same).assign(half=part).set_index("half", append=True))
    return pd.concat(parts).swaplevel()


def plain_or_same(column: str) -> str:
    return plain(column) if column in RULES else column


# ---------------------------------------------------------------- rules


@claim(
    COMPARED,
    f"on sets that were not tuned on, the mean ARI of the default is at least that of the rule "
    f'"{{words}}", less {MARGIN:g}',
    EXPECTATION,
    explanation="chosen on other sets, the default may be the poorer one on these",
    each=[{"rule": rule, "words": plain(rule)} for rule in OTHERS],
)
def no_worse_on_unseen_sets(params, tables, rule):
    return above(-MARGIN, lead(tables, "unseen", rule), "+.3f", left_out(params, tables, "unseen"))


@claim(
    COMPARED,
    f"on the sets on which it was chosen, the mean ARI of the default is at least that of every other rule, "
    f"less {MARGIN:g}",
    EXPECTATION,
    explanation="best among short fits need not be best among full ones",
)
def no_worse_on_tuning_sets(params, tables):
    leads = {plain(rule): lead(tables, "tuning", rule) for rule in OTHERS}
    return above(-MARGIN, leads, "+.3f", left_out(params, tables, "tuning"))


@claim(
    EACH_SET,
    f"on the {len(TUNING)} tuning sets, the default has a mean ARI of at least {ASKED_MEAN:g} (runs differ "
    "in starts and samples, the sets are given)",
    EXPECTATION,
    explanation="on two shapes, flame and jain, no rule that knows no classes finds them",
)
def mean_of_tuning_sets(params, tables):
    runs = tables["runs"]
    some = runs[(runs["part"] == "tuning") & (runs["rule"] == DEFAULT)]
    if missing := [name for name in TUNING if name not in set(some["dataset"])]:
        raise CannotBeChecked(f"not in these tables: {', '.join(missing)}")
    return above(ASKED_MEAN, mean(some.groupby("repetition")["ari"].mean()), ".3f")


@claim(
    EACH_SET,
    f"the default finds what the earlier one lost, with a median ARI of at least {ASKED_BLOBS:g}: 1000 "
    "points of five Gaussians, one far away, and the 15 groups of r15",
    EXPECTATION,
)
def finds_what_was_lost(params, tables):
    runs, found = tables["runs"], {}
    for name, part in LOST.items():
        some = runs[(runs["part"] == part) & (runs["dataset"] == name)]
        if some.empty:
            raise CannotBeChecked(f"{name} is not in these tables")
        found[name] = median(some.loc[some["rule"] == DEFAULT, "ari"])
    earlier = {name: runs.loc[(runs["dataset"] == name) & (runs["rule"] == EARLIER), "ari"] for name in LOST}
    note = ", ".join(f"{name} {values.median():.2f}" for name, values in earlier.items())
    return above(ASKED_BLOBS, found, ".3f", f"the earlier default: {note}")


# ---------------------------------------------------------------- promises


@claim(
    PROMISES,
    f"on Gaussians 6 standard deviations apart the default has a median ARI of at least {ASKED_BLOBS:g}, for "
    "each number of clusters, with {kind} shares",
    EXPECTATION,
    explanation="near the least distance two Gaussians overlap a little, and the sample may have few "
    "objects of a small one",
    each=[{"kind": "equal"}, {"kind": "unequal"}],
)
def separated_gaussians(params, tables, kind):
    runs = tables["runs"]
    some = runs[(runs["part"] == "bars") & (runs["rule"] == DEFAULT)]
    some = some[some["dataset"].str.match(rf"{kind} \d")]
    found = {f"c = {c}": median(part["ari"]) for c, part in some.groupby("c")}
    return above(ASKED_BLOBS, found, ".3f")


def far(tables, part: str, value: str) -> dict[str, Estimate]:
    """Means over generated and over real sets, of the default."""
    values = by_set(tables["far"], part, value)[DEFAULT]
    drawn = np.array([is_generated(part, name) for name in values.index])
    groups = {"generated": values[drawn], "real": values[~drawn]}
    return {f"{part}, {words}": mean(some) for words, some in groups.items() if len(some)}


@claim(
    PROMISES,
    f"of far objects that were added, the default calls at least {100 * ASKED_FOUND:g} % outliers, on "
    "average over generated and over real sets of either half",
    EXPECTATION,
)
def far_objects_are_found(params, tables):
    found = {key: e for part in HALVES for key, e in far(tables, part, "found").items()}
    return above(ASKED_FOUND, found, ".3f", left_out(params, tables, *HALVES))


@claim(
    PROMISES,
    f"of the other objects, the default calls at most {100 * ASKED_FALSE:g} % outliers, on average over "
    "{words} sets of either half",
    EXPECTATION,
    explanation="{why}",
    each=[
        {"words": "generated", "why": "tails of heavy or long clusters conflict with everything, too"},
        {"words": "real", "why": "real tables have outliers of their own, and clusters with wide tails"},
    ],
)
def other_objects_are_not(params, tables, words):
    found = {key: e for part in HALVES for key, e in far(tables, part, "outliers").items() if words in key}
    return below(ASKED_FALSE, found, ".3f", left_out(params, tables, *HALVES))


@claim(
    PROMISES,
    f"a fit by the default takes at most {ASKED_RATIO:g} times as long as by the earlier one, in the median "
    "over the sets of either half",
    EXPECTATION,
    explanation="the fit itself is short where n is small; the linkage and the short fits are not",
)
def time_of_a_fit(params, tables):
    found = {}
    for part in HALVES:
        ratios = time_ratios(tables, part)
        found[part] = median(ratios)
    return below(ASKED_RATIO, found, ".2f", left_out(params, tables, *HALVES))


def time_ratios(tables, part: str) -> pd.Series:
    """Seconds of the default over those of the earlier one, by set: medians over repetitions."""
    some = tables["times"][tables["times"]["part"] == part]
    if some.empty:
        raise CannotBeChecked(f"no times of the part {part}")
    return (some["default_s"] / some["earlier_s"]).groupby(some["dataset"], sort=False).median()
