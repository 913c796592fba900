"""What Figure 11 and the text around it say of computing times, judged on the runs."""

import numpy as np
import pandas as pd

from credalbench.core.intervals import (
    bootstrap,
    difference,
    difference_of_slopes,
    log_log_slope,
    ratio,
    slope,
)
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, below, claim, within
from credalbench.papers.reasons import OURS, TIMES

from ..shared.paired_claims import PRINTED, TIMES_EXPLAINED
from ..shared.paired_runs import SOLVERS

#: Method -> its name in figures and tables: the paper's optimisers of EVCLUS, and RECM.
OPTIMISERS = {solver: SOLVERS[solver] for solver in ("gradient", "irqp")}
METHODS = OPTIMISERS | {"recm": "RECM"}


# ---------------------------------------------------------------- reading the table


def usual(params) -> list[int]:
    """Return the numbers of objects that the paper has."""
    return sorted(params.sizes)


def cube(tables, column: str, sizes) -> dict[str, np.ndarray]:
    """Return the column for each method: (number of sizes, of data sets); NaN if a case failed."""
    runs = tables["runs"][tables["runs"]["n"].isin(sizes)]
    wide = runs.pivot(index="n", columns=["method", "dataset"], values=column)
    return {m: wide[m].to_numpy(dtype=float) for m in wide.columns.get_level_values("method").unique()}


def growth(params, tables) -> pd.DataFrame:
    """Tabulate slopes over the paper's n, times at its ends, and at the largest n, by method."""
    runs, sizes = tables["runs"], usual(params)
    times, rows = cube(tables, "time_s", sizes), {}
    for method, name in METHODS.items():
        row = {"slope of time (95 % interval)": f"{slope(sizes, times[method]):.2f}"}
        for word, column in (("iterations", "n_iter"), ("operations", "n_operations")):
            row[f"slope of {word}"] = round(
                float(log_log_slope(sizes, cube(tables, column, sizes)[method])), 2
            )
        mine = runs[runs["method"] == method].groupby("n")
        for n in sorted({sizes[0], sizes[-1], *params.large_sizes} & set(mine.groups)):
            row[f"time at n = {n} (ms)"] = round(1e3 * mine["time_s"].median()[n], 1)
            row[f"evaluations at n = {n}"] = mine["n_evaluations"].median()[n]
        rows[name] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method").dropna(axis=1, how="all")


# ---------------------------------------------------------------- claims

MUCH = PRINTED["speed_protein"].value  # what "much faster" comes to where the paper gives a number
SEVERAL = 2  # orders of magnitude, at least
HUNDREDS = 300  # "several hundred objects"
SLOPE_EXPLAINED = (
    "time is iterations times the cost of one, and the cost is O(f n^2) for an iteration of the gradient and "
    "for a sweep of IRQP alike: the slopes differ as far as the numbers of iterations do"
)


def ratios(tables, slow: str, fast: str, sizes, column: str = "time_s") -> dict:
    """Return the ratio of the medians of two methods at every n."""
    values = cube(tables, column, sizes)
    return {f"n = {n}": ratio(values[slow][k], values[fast][k]) for k, n in enumerate(sorted(sizes))}


def in_words(found: dict, form: str = ".0f") -> str:
    return ", ".join(f"{estimate.value:{form}} at {label}" for label, estimate in found.items())


@claim(
    "evclus-fig-11",
    "the computing time of Gradient grows faster with n than that of {name} (log-log slopes)",
    sentence="S30",
    explanation=SLOPE_EXPLAINED,
    each=[{"fast": m, "name": METHODS[m]} for m in ("irqp", "recm")],
    caveat=TIMES,
)
def grows_faster(params, tables, fast):
    sizes, pair = usual(params), ("gradient", fast)
    times, iterations = cube(tables, "time_s", sizes), cube(tables, "n_iter", sizes)
    slopes = ", ".join(f"{METHODS[m]} {slope(sizes, times[m]):.2f}" for m in pair)
    counts = ", ".join(f"{METHODS[m]} {log_log_slope(sizes, iterations[m]):.2f}" for m in pair)
    factors = " and ".join(f"{np.divide(*np.nanmedian(times[m][[-1, 0]], axis=1)):.0f}" for m in pair)
    note = (
        f"slopes of time: {slopes}; of the number of iterations: {counts}; from n = {sizes[0]} to "
        f"{sizes[-1]}, times grow {factors} times"
    )
    gap = difference_of_slopes(sizes, times["gradient"], times[fast])
    return above(0, {f"Gradient - {METHODS[fast]}": gap}, ".2f", note)


@claim(
    "evclus-fig-11",
    f"IRQP is much faster than Gradient at every n: more than {MUCH:g} times, as the paper puts it for its "
    "two data sets (medians)",
    sentence="S01",
    explanation=TIMES_EXPLAINED,
    caveat=TIMES,
)
def much_faster_at_every_n(params, tables):
    in_evaluations = in_words(ratios(tables, "gradient", "irqp", usual(params), "n_evaluations"))
    note = f"Gradient / IRQP; in evaluations of the stress {in_evaluations}"
    return above(MUCH, ratios(tables, "gradient", "irqp", usual(params)), ".0f", note)


@claim(
    "evclus-fig-11",
    "IRQP gains several orders of magnitude over Gradient, at least a factor of "
    f"{10**SEVERAL}, for several hundred to a few thousand objects (medians)",
    sentence="S36",
    explanation=f"at the lower end the factor is smaller; {TIMES_EXPLAINED}",
    cause=OURS,
)
def orders_of_magnitude(params, tables):
    sizes = [n for n in sorted({*params.sizes, *params.large_sizes}) if n >= HUNDREDS]
    if not sizes:
        raise NotCheckable(f"needs some n of {HUNDREDS} or more")
    counts = in_words(ratios(tables, "gradient", "irqp", sizes, "n_evaluations"))
    note = f"Gradient / IRQP; in evaluations of the stress {counts}"
    return above(10**SEVERAL, ratios(tables, "gradient", "irqp", sizes), ".0f", note)


@claim(
    "evclus-fig-11",
    "IRQP is behind RECM by much less than Gradient: by less than a "
    f"{MUCH:g}th of its distance, at every n (medians)",
    sentence="S33",
)
def much_nearer_to_recm(params, tables):
    times = cube(tables, "time_s", usual(params))
    three = (times["irqp"], times["gradient"], times["recm"])
    gaps = {
        f"n = {n}": bootstrap(share_of_distance, *(t[k] for t in three)) for k, n in enumerate(usual(params))
    }
    return below(1 / MUCH, gaps, ".3f", "(IRQP - RECM) / (Gradient - RECM); below 0 where IRQP is the faster")


def share_of_distance(near: np.ndarray, far: np.ndarray, base: np.ndarray) -> np.ndarray:
    near, far, base = (np.nanmedian(values, axis=-1) for values in (near, far, base))
    return (near - base) / (far - base)


@claim(
    "evclus-fig-11",
    "EVCLUS and RECM give similar partitions: mean ARI differ by less than a deviation between data sets",
    sentence="S34",
    explanation="both methods may end in a local optimum, and not in the same data sets",
)
def partitions_are_similar(params, tables):
    ari = cube(tables, "ari", usual(params))
    spread = float(np.nanstd(ari["irqp"], axis=1, ddof=1).mean())
    alike = tables["runs"]["agreement"].median()
    note = f"deviation {spread:.3f}; ARI of the one partition with the other: median {alike:.3f}"
    gap = {"EVCLUS (IRQP) - RECM": difference(ari["irqp"], ari["recm"])}
    return within(-spread, spread, gap, ".3f", note)


@claim(
    "evclus-fig-11",
    "the first EVCLUS, with Gradient, is slower than RECM and than EK-NNclus at every n (medians)",
    sentence="S77",
    explanation=TIMES_EXPLAINED,
    caveat=TIMES,
)
def first_evclus_is_slower(params, tables):
    times, fits = cube(tables, "time_s", usual(params)), cube(tables, "fit_time_s", usual(params))
    others = {"RECM": times["recm"], "EK-NNclus": fits["eknnclus"]}
    found = {
        f"Gradient / {name}, n = {n}": ratio(times["gradient"][k], other[k])
        for name, other in others.items()
        for k, n in enumerate(usual(params))
    }
    return above(1, found, ".1f", "of EK-NNclus the whole fit is timed, of the others the iterations")


@claim(
    "evclus-fig-11",
    "an iteration of the first EVCLUS takes of the order of f^3 n^2 operations",
    sentence="S05",
    caveat=TIMES,
)
def cost_of_the_gradient(params, tables):
    raise NotCheckable(
        "about the program of the first EVCLUS, which is not at hand; the gradient itself can be had in two "
        "products of matrices, of the order of f n^2 operations, as here"
    )
