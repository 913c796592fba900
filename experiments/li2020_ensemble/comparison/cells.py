"""The cells of Table 3 from our runs: adjusted Rand indices by repetition, and what follows from them."""

import numpy as np
import pandas as pd

from credalbench.core import intervals
from credalbench.core.intervals import Estimate
from credalbench.papers import NotCheckable

from ..shared.ensembles import TITLES
from ..shared.problems import BASE_CASES, DATASETS

#: Columns that identify a variant of the ensemble on a data set.
VARIANT = ["base_case", "closure", "focal_sets"]
#: Focal sets of the consensus, in the paper's words: single clusters and the frame, or pairs as well.
FOCAL_SETS = ("simple", "pairs")
#: A case that is not of Table 2: twice as many clusters in the bases as in case 3.
LARGER = 4


def of(tables, dataset: str, method: str, standardised: bool = False) -> pd.DataFrame:
    """Return the runs of one method on one data set, `LARGER` bases among them."""
    runs = tables["runs"]
    chosen = (runs["dataset"] == dataset) & (runs["method"] == method)
    found = runs[chosen & (runs["standardised"] == standardised)]
    if found.empty:
        raise NotCheckable(f"no run of {method} on {dataset}")
    return found


def variants(tables, dataset: str, standardised: bool = False, base_cases=tuple(BASE_CASES)) -> pd.DataFrame:
    """Return the ARI of the ensemble: a row for each variant, a column for each repetition."""
    runs = of(tables, dataset, "ensemble", standardised).query("base_case in @base_cases")
    return runs.pivot(index=VARIANT, columns="repetition", values="ari")


def accumulated(
    tables, dataset: str, standardised: bool = False, base_cases=tuple(BASE_CASES)
) -> pd.DataFrame:
    """Return the ARI of evidence accumulation: a row per case of Table 2, a column per repetition."""
    runs = of(tables, dataset, "eac", standardised).query("base_case in @base_cases")
    return runs.pivot(index="base_case", columns="repetition", values="ari")


def single(tables, dataset: str, standardised: bool = False) -> np.ndarray:
    """Return the ARI of ECM alone, by repetition."""
    return of(tables, dataset, "ecm", standardised).sort_values("repetition")["ari"].to_numpy()


def best(cells: pd.DataFrame) -> np.ndarray:
    """Return the ARI of the best row, by repetition; the other half of the repetitions decides which.

    So a row that is the best by chance has no advantage from it.
    """
    even = np.asarray(cells.columns % 2 == 0)
    if even.all() or not even.any():
        raise NotCheckable("one half of the repetitions chooses for the other, and there is only one")
    parts = [cells.loc[cells.loc[:, ~half].mean(axis=1).idxmax(), half] for half in (even, ~even)]
    return pd.concat(parts).sort_index().to_numpy()


def best_of(tables, dataset: str, standardised: bool = False) -> np.ndarray:
    """Return the ARI of the best variant of the ensemble, by repetition."""
    return best(variants(tables, dataset, standardised))


def over_ecm(tables, dataset: str, standardised: bool = False) -> Estimate:
    """Return the lead of the best variant over ECM alone."""
    return intervals.unpaired_difference(
        best_of(tables, dataset, standardised), single(tables, dataset, standardised)
    )


def each_over_ecm(tables, dataset: str, standardised: bool = False) -> dict[tuple, Estimate]:
    """Return the lead of every variant over ECM alone."""
    alone = single(tables, dataset, standardised)
    rows = variants(tables, dataset, standardised)
    return {key: intervals.unpaired_difference(row, alone) for key, row in rows.iterrows()}


def each_over_accumulation(tables, dataset: str, standardised: bool = False) -> dict[tuple, Estimate]:
    """Return the lead of every variant over evidence accumulation in the same case of Table 2."""
    theirs = accumulated(tables, dataset, standardised)
    rows = variants(tables, dataset, standardised)
    return {key: intervals.unpaired_difference(row, theirs.loc[key[0]]) for key, row in rows.iterrows()}


def over_accumulation(tables, dataset: str, standardised: bool = False) -> Estimate:
    """Return the lead of the best variant over evidence accumulation in its best case."""
    theirs = best(accumulated(tables, dataset, standardised))
    return intervals.unpaired_difference(best_of(tables, dataset, standardised), theirs)


# ---------------------------------------------------------------- closures and sizes of the bases


def of_closures(tables, dataset: str, base_cases=tuple(BASE_CASES)) -> pd.DataFrame:
    """Return the mean ARI over cases of Table 2 and both kinds of focal sets: (closures, repetitions)."""
    return variants(tables, dataset, base_cases=base_cases).groupby(level="closure").mean()


def gain(tables, dataset: str, closure: str, other: str) -> Estimate:
    """Return how much the mean ARI of a closure is above that of another, on the same base partitions."""
    means = of_closures(tables, dataset)
    return intervals.mean(intervals.without_rounding(means.loc[closure] - means.loc[other]))


def gain_of_minimum(tables, dataset: str, base_cases=tuple(BASE_CASES)) -> tuple[str, Estimate]:
    """Return the strongest other closure, none among them, and how far the minimum is ahead of it."""
    means = of_closures(tables, dataset, base_cases)
    other = means.drop("minimum").mean(axis=1).idxmax()
    return other, intervals.mean(intervals.without_rounding(means.loc["minimum"] - means.loc[other]))


def gain_of_case(tables, dataset: str, case: int, other: int) -> Estimate:
    """Return how much the mean ARI over all variants is above that in another case of Table 2."""
    means = variants(tables, dataset).groupby(level="base_case").mean()
    return intervals.unpaired_difference(means.loc[case], means.loc[other])


# ---------------------------------------------------------------- how many of several


def near_count(gaps: dict[str, Estimate], margin: float) -> Estimate:
    """Count gaps within a margin of 0: at least those whose interval is, at most those that may be."""
    seen = sum(abs(e.value) <= margin for e in gaps.values())
    sure = sum(-margin <= e.low and e.high <= margin for e in gaps.values())
    maybe = sum(e.low <= margin and -margin <= e.high for e in gaps.values())
    return Estimate(float(seen), float(sure), float(maybe), min(e.n for e in gaps.values()))


# ---------------------------------------------------------------- tables


def in_words(values) -> str:
    """Return the mean (standard deviation)."""
    return f"{values.mean():.2f} ({values.std(ddof=1):.2f})"


def problems(params) -> dict[str, tuple[str, bool]]:
    """Return each data set, and whether it is standardised, by title."""
    found = {DATASETS[name].title: (name, False) for name in params.datasets}
    return found | {f"{DATASETS[name].title}, standardised": (name, True) for name in params.standardised}


def table_3(params, tables) -> pd.DataFrame:
    """Tabulate ARI, mean (standard deviation): ECM, evidence accumulation, ours by closure and focal sets."""
    rows = {}
    for title, which in problems(params).items():
        ours, theirs, alone = variants(tables, *which), accumulated(tables, *which), single(tables, *which)
        for case in BASE_CASES:
            row = {("ECM", ""): in_words(alone), ("EAC", ""): in_words(theirs.loc[case])}
            for closure, name in TITLES.items():
                for focal_sets in FOCAL_SETS:
                    row[name, focal_sets] = in_words(ours.loc[case, closure, focal_sets])
            rows[title, f"case {case}"] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index=["data set", "bases"])


def closures(params, tables) -> pd.DataFrame:
    """Tabulate ARI of each closure, mean (standard deviation) over repetitions of the mean over cells."""
    rows = {}
    for name in params.datasets:
        means = of_closures(tables, name)
        rows[DATASETS[name].title] = {title: in_words(means.loc[c]) for c, title in TITLES.items()}
    return pd.DataFrame.from_dict(rows, orient="index")
