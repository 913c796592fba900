"""How much a closure costs, and where."""

from functools import partial

import pandas as pd

from credalbench.core.intervals import difference
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, claim

from ..shared.consensus_steps import NONE, PHRASES
from ..shared.ensembles import CLOSURES

ARTEFACT = "ensemble-ours-03"
SIMILAR = 0.05  # ARI that counts as the same
#: Kind of data -> what its severest level is called, and its knob.
PARTS = {
    "overlap": ("clusters that overlap", "distance of the centres"),
    "bridge": ("clusters that are bridged", "objects on the bridge"),
    "outliers": ("clusters among outliers", "share of outliers"),
    "many": ("many round clusters", "number of clusters"),
    "rings": ("noisy arcs", "noise of the arcs"),
}
CLOSED = [closure for closure in CLOSURES if closure != NONE]
stated = partial(claim, ARTEFACT)


def measure(tables, part: str, column: str, step: int) -> pd.DataFrame:
    """Return a column of the runs at one level, the mildest 0, the severest -1: repetitions by closures."""
    runs = tables["runs"]
    runs = runs[runs["part"] == part]
    if runs.empty:
        raise NotCheckable(f"no runs on {PARTS[part][0]} in these tables")
    steps = sorted(runs["step"].unique())
    return runs[runs["step"] == steps[step]].pivot(index="repetition", columns="closure", values=column)


def losses(params, tables) -> pd.DataFrame:
    """Return the mean ARI without closure, and what each closure loses, at every level."""
    found = {}
    for part, (_, knob) in PARTS.items():
        for step, level in enumerate(getattr(params, part)):
            wide = measure(tables, part, "ari", step)
            row = {f"ARI {PHRASES[NONE]}": wide[NONE].mean()}
            row |= {f"loss {PHRASES[name]}": (wide[NONE] - wide[name]).mean() for name in CLOSED}
            found[knob, f"{level:g}"] = row
    return pd.DataFrame.from_dict(found, orient="index").round(3)


def loss_at_the_severest(tables, part: str):
    """Return by how much ARI is lower after the minimum closure than without, at the severest level."""
    wide = measure(tables, part, "ari", -1)
    note = f"mean ARI without closure {wide[NONE].mean():.2f}"
    return above(0, {"lower by": difference(wide[NONE], wide["minimum"])}, "+.3f", note)


HARMLESS = "pairs across are joined by belief, but less than pairs inside, and the consensus tells them apart"


@stated(
    "{data}: the minimum closure has a lower ARI than no closure",
    sentence="{sentence}",
    explanation=HARMLESS,
    each=[
        {"part": "overlap", "data": "two round clusters whose centres are near", "sentence": "S62"},
        {"part": "many", "data": "many round clusters near each other", "sentence": "S65"},
    ],
)
def hurts_near_clusters(params, tables, part):
    return loss_at_the_severest(tables, part)


@stated("two arcs with little noise: the minimum closure has a higher ARI than no closure", sentence="S61")
def helps_chains(params, tables):
    wide = measure(tables, "rings", "ari", 0)
    note = f"mean ARI after the minimum closure {wide['minimum'].mean():.2f}"
    return above(0, {"higher by": difference(wide["minimum"], wide[NONE])}, "+.3f", note)


REASON = '{words}: after the minimum closure, pairs of different classes have more belief in "same" at the '
REASON += "severest level than at the mildest, and by more than without closure"


@stated(REASON.format(words=PARTS["overlap"][0]), sentence="S63")
def overlap_makes_similar(params, tables):
    return belief_across_grows(tables, "overlap")


def belief_across_grows(tables, part: str):
    """Return the growth of the mean m({s}) across classes from the mildest to the severest level."""
    mild, severe = (measure(tables, part, "same_between", step) for step in (0, -1))
    grown = severe - mild
    gains = {"more": difference(severe["minimum"], mild["minimum"])}
    gains["more than without closure"] = difference(grown["minimum"], grown[NONE])
    return above(0, gains, "+.3f")
