"""Notes of the claims on Table 3: means of cases and variants in words."""

from credalbench.core.intervals import Estimate, count_above
from credalbench.papers import Finding
from credalbench.papers.claims import above

from ..shared.ensembles import TITLES as CLOSURE_TITLES
from ..shared.problems import DATASETS
from .cells import LARGER, accumulated, single, variants

TITLES = {name: found.title for name, found in DATASETS.items()}


def means_of(found: dict[str, Estimate]) -> str:
    """Return values of estimates by data set."""
    return ", ".join(f"{TITLES[name]} {e.value:+.2f}" for name, e in found.items())


def most(found: dict[str, Estimate], bound: float = 0.0) -> Finding:
    """Return whether more than half of some estimates, by data set, lie above a bound."""
    return above(len(found) / 2, {f"of {len(found)}": count_above(found, bound)}, ".0f", means_of(found))


def ahead_of_ecm(tables, dataset: str) -> str:
    """Return in how many variants the mean is above that of ECM, in words, and which variant is best."""
    cells, alone = variants(tables, dataset), single(tables, dataset).mean()
    means = cells.mean(axis=1)
    case, closure, focal_sets = means.idxmax()
    return (
        f"ECM {alone:.2f}; {(means > alone).sum()} of {len(means)} variants are above it, highest "
        f"{means.max():.2f} in case {case} with closure {CLOSURE_TITLES[closure]}, {focal_sets}"
    )


def means_of_cases(tables, dataset: str) -> str:
    """Return the mean ARI of evidence accumulation and the best variant by case of Table 2, in words."""
    theirs = accumulated(tables, dataset).mean(axis=1)
    ours = variants(tables, dataset).mean(axis=1).groupby(level="base_case").max()
    listed = [f"case {case}: {ours[case]:.2f} and {theirs[case]:.2f}" for case in theirs.index]
    return f"highest mean of ours, and evidence accumulation: {', '.join(listed)}"


def with_larger_bases(params, tables, dataset: str) -> str:
    """Return the same with twice as many clusters in the bases as in case 3, in words."""
    if dataset not in params.larger:
        return ""
    ours = variants(tables, dataset, base_cases=(LARGER,)).mean(axis=1).max()
    theirs = accumulated(tables, dataset, base_cases=(LARGER,)).mean(axis=1).max()
    return f"; with twice as many clusters as in case 3: {ours:.2f} and {theirs:.2f}"


def gains_in_cells(tables, dataset: str) -> str:
    """Return the mean ARI with the minimum closure minus that without, by case and focal sets, in words."""
    means = variants(tables, dataset).mean(axis=1).unstack("closure")
    gains = means["minimum"] - means["none"]
    return ", ".join(f"case {case}, {focal_sets} {value:+.2f}" for (case, focal_sets), value in gains.items())
