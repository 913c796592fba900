"""Whether the kind of the base partitions matters. All of it is ours; the paper has ECM's only."""

import pandas as pd

from credalbench.core.intervals import difference, mean
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, claim

from ..shared.base_kinds import KINDS
from ..shared.classified import NAMES, by_dataset
from ..shared.consensus_steps import PHRASES

ARTEFACT = "ensemble-ours-04"
SIMILAR = 0.05  # ARI that counts as the same
PAPER_KIND = "two_steps"
OTHERS = [kind for kind in KINDS if kind != PAPER_KIND]


def leads(tables, closure: str, first: str, second: str) -> dict:
    """Return by how much the mean ARI with one kind of bases is above that with another, by data set."""
    found = {}
    for name, wide in by_dataset(tables["runs"], closure, "kind", "ari").items():
        if missing := {first, second} - {*wide.columns}:
            raise NotCheckable(f"no bases of {', '.join(sorted(missing))} in these tables")
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
