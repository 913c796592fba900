"""Whether the kind of the base partitions matters. All of it is ours; the paper has ECM's only."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import difference, mean
from credalbench.papers import EXPECTATION, PROPERTY, CannotBeChecked
from credalbench.papers.claims import above, claim, within
from credalbench.papers.reasons import OURS

from ..shared.base_kinds import KINDS
from ..shared.classified import NAMES, by_dataset
from ..shared.consensus_steps import PHRASES, TRIED

ARTEFACT = "ensemble-ours-04"
SIMILAR = 0.05  # ARI that counts as the same
PAPER_KIND = "two_steps"
OTHERS = [kind for kind in KINDS if kind != PAPER_KIND]
EACH_CLOSURE = [{"closure": closure, "phrase": PHRASES[closure]} for closure in TRIED]
expected_after_each = partial(claim, ARTEFACT, basis=EXPECTATION, each=EACH_CLOSURE)


def leads(tables, closure: str, first: str, second: str) -> dict:
    """Return by how much the mean ARI with one kind of bases is above that with another, by data set."""
    found = {}
    for name, wide in by_dataset(tables["runs"], closure, "kind", "ari").items():
        if missing := {first, second} - {*wide.columns}:
            raise CannotBeChecked(f"no bases of {', '.join(sorted(missing))} in these tables")
        found[NAMES[name]] = difference(wide[first], wide[second])
    return found


def by_kind(params, tables) -> pd.DataFrame:
    """Return ARI (mean ± deviation), nonspecificity and AUC of errors, by data set, closure and bases."""
    rows = {}
    for (name, closure, kind), part in tables["runs"].groupby(["dataset", "closure", "kind"], sort=False):
        rows[NAMES[name], PHRASES[closure], KINDS[kind]] = {
            "ARI": f"{part['ari'].mean():.2f} ± {part['ari'].std(ddof=1):.2f}",
            "nonspecificity": f"{part['nonspecificity'].mean():.2f}",
            "AUC of wrong objects": f"{part['error_auc'].mean():.2f}",
            "ignorance of the relation": f"{part['ignorance'].mean():.2f}",
        }
    return pd.DataFrame.from_dict(rows, orient="index")


@expected_after_each(
    f"{{phrase}}, ensembles of other bases have the mean ARI of the paper's, ECM in two steps, within "
    f"{SIMILAR:g}, on each data set",
    explanation="each kind cuts other borders; and for the minimum closure a cell across the border of two "
    "classes in a few bases may be enough to join them, where memberships do not fade towards borders",
    cause=OURS,
)
def as_good_as_the_papers(params, tables, closure):
    found = {}
    for kind in OTHERS:
        gaps = leads(tables, closure, kind, PAPER_KIND)
        found |= {f"{KINDS[kind]} on {name}": gap for name, gap in gaps.items()}
    return within(-SIMILAR, SIMILAR, found, "+.3f")


@expected_after_each(
    "{phrase}, evidential bases pay: ensembles of ECM have a higher mean ARI than those of k-means, on each "
    "data set",
    explanation="the average of 20 hard partitions is soft already",
)
def evidential_bases_pay(params, tables, closure):
    return above(0, leads(tables, closure, PAPER_KIND, "k-means"), "+.3f")


@expected_after_each(
    "{phrase}, the consensus is less certain of objects that it puts into a wrong cluster than of others, in "
    "over half of the comparisons, whatever the bases, on each data set",
    explanation="where clusters are no unions of cells, whole cells are wrong, and sure of it",
    cause=OURS,
)
def wrong_objects_are_less_certain(params, tables, closure):
    found = {}
    for name, wide in by_dataset(tables["runs"], closure, "kind", "error_auc").items():
        known = wide.columns[wide.notna().any()]
        found |= {f"{KINDS[kind]} on {NAMES[name]}": mean(wide[kind]) for kind in known}
    return above(0.5, found, ".2f")


@claim(ARTEFACT, "the combined relation of hard partitions has no ignorance", PROPERTY)
def hard_bases_have_no_ignorance(params, tables):
    runs = tables["runs"]
    if "k-means" not in set(runs["kind"]):
        raise CannotBeChecked("no bases of k-means in these tables")
    most = float(np.abs(runs.loc[runs["kind"] == "k-means", "ignorance"]).max())
    return within(0, 1e-15, {"largest mean mass on the frame": most}, ".0e")


@claim(
    ARTEFACT,
    "ensembles of {name} give a consensus that meets the classes better than chance, an ARI above 0, on each "
    "data set, without closure or after the minimum one",
    sentence="S68",
    each=[{"kind": kind, "name": KINDS[kind]} for kind in OTHERS if kind != "ecm"],
)
def combines_other_kinds(params, tables, kind):
    """Compare by data set, with the closure of higher mean ARI."""
    runs = tables["runs"]
    found = {}
    for name, part in runs[runs["kind"] == kind].groupby("dataset", sort=False):
        closure = part.groupby("closure", sort=False)["ari"].mean().idxmax()
        found[f"{NAMES[name]}, {PHRASES[closure]}"] = mean(part.loc[part["closure"] == closure, "ari"])
    return above(0, found, ".2f")
