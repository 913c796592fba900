"""What Section 4.1.2 says of the closures, checked on data that stand in for the lost ones."""

from functools import partial

import pandas as pd

from credalbench.core.intervals import Estimate, difference, mean, proportion
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, below, claim

from ..shared.ensembles import CLOSURES, TITLES

FIG = "ensemble-fig-2"
NOISE = "ensemble-fig-2-noise"
RINGS, JAIN = "half-rings", "jain"
SHOWN_NOISE = 0.5  # of the half-rings in the figure and in what is judged
SEPARATED = 0.95  # adjusted Rand index from which both arcs are recovered, read so by us
SIMILAR = 0.8  # adjusted Rand index of two partitions that are similar, read so by us
#: Artefact -> the data set that it shows, and how texts call it.
STAND_INS = {FIG: (RINGS, "half-rings"), f"{FIG}-jain": (JAIN, "Jain")}
BORDERS = (
    "objects at the borders of the bases' clusters are surely together with few others: some of them are "
    "left to the other arc"
)
EACH = [
    {"artefact": artefact, "dataset": name, "title": title} for artefact, (name, title) in STAND_INS.items()
]
on_stand_ins = partial(claim, "{artefact}", stand_in=True, each=EACH)


def of(tables, dataset: str, closure: str, noise: float | None = None) -> pd.DataFrame:
    """Return the rows of one closure by ensemble; of the half-rings at the noise that is shown or given."""
    level = (SHOWN_NOISE if noise is None else noise) if dataset == RINGS else 0.0
    rows = tables["closures"]
    rows = rows[(rows["dataset"] == dataset) & (rows["noise"] == level) & (rows["closure"] == closure)]
    if rows.empty:
        raise NotCheckable(f"{dataset} was not run with noise {level:g}")
    return rows.set_index("repetition").sort_index()


def other(tables, dataset: str, column: str, noise: float | None = None) -> pd.Series:
    """Return what another method finds in the same data, by ensemble."""
    level = (SHOWN_NOISE if noise is None else noise) if dataset == RINGS else 0.0
    rows = tables["alone"]
    found = rows[(rows["dataset"] == dataset) & (rows["noise"] == level)]
    return found.set_index("repetition")[column].sort_index()


def gap(tables, dataset: str, first: str, second: str) -> Estimate:
    """Return the first closure less the second, by the adjusted Rand index."""
    return difference(of(tables, dataset, first)["ari"], of(tables, dataset, second)["ari"])


def by_closure(params, tables) -> pd.DataFrame:
    """Return the mean adjusted Rand index of each closure, and of ECM and single linkage."""
    index = ["dataset", "noise"]
    wide = tables["closures"].pivot_table(index=index, columns="closure", values="ari", sort=False)
    wide = wide[[name for name in CLOSURES if name in wide]].rename(columns=TITLES)
    names = {"ari_ecm": "ECM alone", "ari_single": "single linkage", "ari_nearer": "nearer arc"}
    others = tables["alone"].groupby(index, sort=False)[[*names]].mean()
    return wide.join(others.rename(columns=names)).round(3).reset_index()


# ---------------------------------------------------------------- Figure 2, on both stand-ins


@on_stand_ins(
    "{title}: the arcs are difficult to identify: ECM with two clusters, the best of its starts, has "
    f"a mean adjusted Rand index below {SEPARATED}",
    sentence="S45",
)
def arcs_are_difficult(params, tables, dataset):
    return below(SEPARATED, {"ECM alone": mean(other(tables, dataset, "ari_ecm"))}, ".3f")


@on_stand_ins(
    "{title}: the minimum closure finds both arcs, which no closure leaves mixed, on most ensembles "
    f"(adjusted Rand index above {SEPARATED} and not above, read so by us)",
    sentence="S47 S20",
    explanation=BORDERS,
)
def minimum_separates_and_none_does_not(params, tables, dataset):
    closed, unclosed = (of(tables, dataset, name)["ari"] for name in ("minimum", "none"))
    both = (closed > SEPARATED) & (unclosed <= SEPARATED)
    chains = other(tables, dataset, "ari_single")
    misplaced = of(tables, dataset, "minimum")["n_misplaced"]
    words = f"{misplaced.min()} to {misplaced.max()}"
    note = (
        f"minimum {(closed > SEPARATED).sum()}, none {(unclosed > SEPARATED).sum()} of {len(closed)}; mean "
        f"indices {closed.mean():.3f} and {unclosed.mean():.3f}; single linkage of the objects finds the "
        f"arcs on {(chains > SEPARATED).sum()}; objects misplaced by the minimum: {words}"
    )
    return above(0.5, {"share of the ensembles": proportion(both)}, ".2f", note)


@on_stand_ins(
    "{title}: the minimum closure has a higher adjusted Rand index than every other, and than none",
    sentence="S47 S02",
    explanation=BORDERS,
)
def minimum_is_best(params, tables, dataset):
    others = [name for name in CLOSURES if name != "minimum"]
    gaps = {f"over {TITLES[name]}": gap(tables, dataset, "minimum", name) for name in others}
    return above(0, gaps, "+.3f")


@on_stand_ins(
    "{title}: the partition after the Łukasiewicz closure is similar to the one without: adjusted Rand index "
    f"of the two above {SIMILAR} (read so by us)",
    sentence="S46",
)
def lukasiewicz_is_like_none(params, tables, dataset):
    product = of(tables, dataset, "product")["ari_to_none"].mean()
    found = of(tables, dataset, "lukasiewicz")["ari_to_none"]
    return above(SIMILAR, {"mean": mean(found)}, ".3f", f"after the product closure {product:.3f}")


# ---------------------------------------------------------------- noise
