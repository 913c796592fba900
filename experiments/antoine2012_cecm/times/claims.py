"""What Tables 7 to 9 and the text about them say, checked on the table ``runs``.

It has one row per data set, repetition, start and method; draws that are not timed have no time. Claims are
judged on random starts, which are those of the paper's algorithms. A ratio is one of means over the same
draws of constraints.
"""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.cluster.constrained.masses import STAGES
from credalbench.core import intervals
from credalbench.core.intervals import Estimate, count_above, deviation, mean
from credalbench.papers import ARITHMETIC, NotCheckable, printed_values, reasons
from credalbench.papers.claims import above, agrees, below, claim, within
from credalbench.papers.reasons import TIMES

from ..shared.choices import CFCM_THRESHOLD, GAUSSIANS

RANDOM, KMEANS = "random objects", "k-means"
DATASETS = {"iris": "Iris", "wine": "Wine", "glass": "Glass", "letters": "Letters"}
METRICS = {"eucl": "euclidean", "mah": "mahalanobis"}
METRIC_NAMES = {"eucl": "Euclidean", "mah": "adaptive metric"}
METHODS = {
    "cfcm_eucl": "CFCM, Euclidean",
    "cfcm_mah": "CFCM, adaptive",
    "cecm_eucl": "CECM, Euclidean",
    "cecm_mah": "CECM, adaptive",
}
OURS, INTERIOR = "our mass step", "interior-point mass step"
LIMITED = {"full": "all 16 focal sets", "limited": "at most two clusters, or all"}
SETS_AND_METRICS = {
    f"{focal_sets}_{short}": f"{name}, {METRIC_NAMES[short]}"
    for short in METRICS
    for focal_sets, name in LIMITED.items()
}
on_times = partial(claim, "cecm-tab-07")


def _printed() -> dict:
    """Return the printed values by quantity (time, iter and their sd), data set and method."""
    values = printed_values(__file__)
    places = [(d, m, f"{d}_{m}") for d in DATASETS for m in METHODS]
    places += [("two_class", m, m) for m in SETS_AND_METRICS]
    quantities = ("time", "iter", "time_sd", "iter_sd")
    table = {(q, d, m): values[f"{q}_{key}"] for q in quantities for d, m, key in places}
    return table | {"ri": values["ri_both"]}


PRINTED = _printed()


# ---------------------------------------------------------------- reading the runs


def of(runs: pd.DataFrame, dataset: str, method: str, start: str = RANDOM) -> pd.DataFrame:
    """Return the draws of a method on a data set from one kind of start, with the time of an iteration."""
    chosen = (runs["dataset"] == dataset) & (runs["method"] == method) & (runs["start"] == start)
    found = runs[chosen].sort_values("repetition")
    return found.assign(iteration_s=found["time_s"] / found["n_iter"])


def ratio(tables, dataset: str, first: str, second: str, column: str) -> Estimate:
    """Return the mean of `first` over mean of `second`."""
    samples = (of(tables["runs"], dataset, method)[column].dropna() for method in (first, second))
    return intervals.ratio(*samples, of=np.mean)


def cecm_to_cfcm(tables, column: str) -> dict[str, Estimate]:
    """Return the ratio of CECM to constrained fuzzy c-means in the same metric, by data set and metric."""
    return {
        f"{DATASETS[d]}, {METRIC_NAMES[m]}": ratio(tables, d, f"cecm_{m}", f"cfcm_{m}", column)
        for d in DATASETS
        for m in METRICS
    }


def printed_ratios(quantity: str, pairs) -> str:
    """Return ratios of printed means, in words, for pairs of (data set, method over, method under)."""
    means = [(PRINTED[quantity, d, a].value, PRINTED[quantity, d, b].value) for d, a, b in pairs]
    return "ratios of the printed means " + ", ".join(f"{a / b:.2f}" for a, b in means)


SAME_METRIC = [(d, f"cecm_{m}", f"cfcm_{m}") for d in DATASETS for m in METRICS]


def side_by_side(params, tables) -> pd.DataFrame:
    """Tabulate Tables 7 to 9 as printed and ours, mean ± standard deviation, and what else the fits say."""
    form = "{:.2f} ± {:.2f}".format
    rows = {}
    for dataset, methods in [*((d, METHODS) for d in DATASETS), ("two_class", SETS_AND_METRICS)]:
        for method, name in methods.items():
            printed = {q: PRINTED[q, dataset, method].value for q in ("time", "time_sd", "iter", "iter_sd")}
            row = {
                ("printed", "time (s)"): form(printed["time"], printed["time_sd"]),
                ("printed", "iterations"): form(printed["iter"], printed["iter_sd"]),
            }
            for start in (RANDOM, KMEANS):
                part = of(tables["runs"], dataset, method, start)
                row |= {
                    (start, "time (ms)"): form(1e3 * part["time_s"].mean(), 1e3 * part["time_s"].std()),
                    (start, "iterations"): form(part["n_iter"].mean(), part["n_iter"].std()),
                    (start, "RI"): round(part["ri"].mean(), 3),
                    (start, "violated"): round(part["n_violated"].mean(), 2),
                    (start, "not converged"): int((~part["converged"]).sum()),
                }
            rows[DATASETS.get(dataset, "Two-class, c = 4"), name] = row
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.columns = pd.MultiIndex.from_tuples(table.columns)
    return table


# ---------------------------------------------------------------- claims

SECONDS = "seconds of other programs on another machine, neither of which is available"
PROGRAM = (
    "this is a statement about programs. Ours visit the objects one after another in compiled loops for both "
    "algorithms; there an update of constrained fuzzy c-means costs c numbers, one of CECM 2^c masses with a "
    f"sorting, and each mass step of CECM takes at least {STAGES} sweeps on its way to the minimum"
)
STOPPING = (
    "no threshold is printed. Of those on memberships from 1e-3 to 1e-8, 1e-5 brings CFCM nearest to the "
    "print; no criterion on the prototypes with one threshold gives all means of CECM. "
    "The authors' program in R needs other numbers, too: 8 and 13 on Iris, 17 and 13 on Wine, "
    "5 and 24 on Glass"
)
on_four_gaussians = partial(claim, "cecm-tab-09", fitted=GAUSSIANS)
SWEEPS = (
    "our mass step goes object by object: fewer focal sets shorten a sweep, but not the way to the minimum. "
    "What the paper takes, an interior-point step over all objects, gains"
)
QUANTITIES = {
    "iter": ("mean number of iterations", mean),
    "iter_sd": ("standard deviation of the number of iterations", deviation),
}
COMPARED_CELLS = [
    *(
        (
            "cecm-tab-08",
            name,
            CFCM_THRESHOLD if m.startswith("cfcm") else (),
            {DATASETS[d]: (d, m) for d in DATASETS},
        )
        for m, name in METHODS.items()
    ),
    ("cecm-tab-09", "Two-class", GAUSSIANS, {name: ("two_class", m) for m, name in SETS_AND_METRICS.items()}),
]
ITERATIONS = [
    {
        "artefact": artefact,
        "name": name,
        "words": words,
        "quantity": quantity,
        "cells": cells,
        "fitted": fitted,
        "printed": ", ".join(f"{PRINTED[quantity, *cell].value:g}" for cell in cells.values()),
    }
    for quantity, (words, _) in QUANTITIES.items()
    for artefact, name, fitted, cells in COMPARED_CELLS
]


CECM_COLUMNS = [(d, m) for d in DATASETS for m in METHODS if m.startswith("cecm")]


def printed_seconds(datasets) -> list:
    """Return the printed times of some data sets and their standard deviations."""
    return [value for key, value in PRINTED.items() if key[0].startswith("time") and key[1] in datasets]


def in_seconds(datasets) -> str:
    """Return the range of the printed mean times of some data sets."""
    means = [value.value for key, value in PRINTED.items() if key[0] == "time" and key[1] in datasets]
    return f"{min(means):g} to {max(means):g} s"


@on_times("mean times and their standard deviations are the printed seconds", published=in_seconds(DATASETS))
def seconds_agree(params, tables):
    raise NotCheckable(SECONDS, printed_seconds(DATASETS))


@on_times(
    "CECM is faster than CFCM in the same metric in most of the eight comparisons (means)",
    sentence="S53",
    published=printed_ratios("time", SAME_METRIC),
    explanation=PROGRAM,
    cause=reasons.OURS,
    fitted=CFCM_THRESHOLD,
    caveat=TIMES,
)
def cecm_often_faster(params, tables):
    times = cecm_to_cfcm(tables, "time_s")
    gains = {name: Estimate(1 - e.value, 1 - e.high, 1 - e.low, e.n) for name, e in times.items()}
    note = "CECM over CFCM " + ", ".join(f"{name}: {e.value:.1f}" for name, e in times.items())
    return above(len(gains) / 2, {f"faster in so many of {len(gains)}": count_above(gains)}, ".0f", note)


def printed_iteration_ratios() -> str:
    seconds = {
        (d, m): PRINTED["time", d, m].value / PRINTED["iter", d, m].value for d in DATASETS for m in METHODS
    }
    ratios = [seconds[d, a] / seconds[d, b] for d, a, b in SAME_METRIC]
    return f"ratios of the printed means from {min(ratios):.1f} to {max(ratios):.0f}"


@claim(
    "cecm-tab-07",
    "the single iteration is not what makes CECM fast: it takes longer than one of CFCM in the same metric, "
    "on every data set",
    ARITHMETIC,
    sentence="S53",
    published=printed_iteration_ratios(),
    explanation=PROGRAM,
    caveat=TIMES,
)
def iterations_take_longer(params, tables):
    return above(1, cecm_to_cfcm(tables, "iteration_s"), ".1f")


@claim(
    "cecm-tab-07",
    "CECM is tractable on all four data sets: no mean time exceeds the printed one, which the paper calls so",
    ARITHMETIC,
    sentence="S52",
    explanation="the machine was busy with something else, or the programs have become slower",
    caveat=TIMES,
)
def tractable(params, tables):
    found = {}
    for dataset, method in CECM_COLUMNS:
        printed = PRINTED["time", dataset, method].value
        seconds = of(tables["runs"], dataset, method)["time_s"].dropna()
        found[f"{DATASETS[dataset]}, {METHODS[method]}"] = mean(seconds / printed)
    return below(1, found, ".1g")


@claim(
    "cecm-tab-08",
    "CECM needs fewer iterations than CFCM in the same metric, on every data set (means)",
    sentence="S53",
    published=printed_ratios("iter", SAME_METRIC),
    explanation=STOPPING,
    fitted=CFCM_THRESHOLD,
)
def cecm_needs_fewer_iterations(params, tables):
    return below(1, cecm_to_cfcm(tables, "n_iter"), ".2f")


@claim(
    "{artefact}",
    "{name}: the {words} over the draws is the printed one in all four cells",
    published="{printed}",
    explanation=STOPPING,
    cause=reasons.UNEXPLAINED,
    fitted="{fitted}",
    each=ITERATIONS,
)
def iterations_agree(params, tables, quantity, cells):
    estimate = QUANTITIES[quantity][1]
    found = {name: estimate(of(tables["runs"], *cell)["n_iter"]) for name, cell in cells.items()}
    return agrees({name: PRINTED[quantity, *cell] for name, cell in cells.items()}, found, ".1f")


@claim(
    "cecm-tab-09",
    "mean times and their standard deviations are the printed seconds",
    published=in_seconds(["two_class"]),
)
def limited_seconds_agree(params, tables):
    raise NotCheckable(SECONDS, printed_seconds(["two_class"]))


@on_four_gaussians(
    "with few focal sets a fit takes less time than with all 16, in both metrics (means)",
    sentence="S55",
    published=printed_ratios("time", [("two_class", f"limited_{m}", f"full_{m}") for m in METRICS]),
    explanation=SWEEPS,
    cause=reasons.AUTHORS_PROGRAM,
    caveat=TIMES,
)
def few_sets_save_time(params, tables):
    found = {
        name: ratio(tables, "two_class", f"limited_{m}", f"full_{m}", "time_s")
        for m, name in METRIC_NAMES.items()
    }
    steps = ", ".join(f"{way} {one.value:.2f}" for way, one in step_ratios(tables["steps"]).items())
    return below(1, found, ".2f", f"a mass step alone: {steps}")


def step_ratios(steps: pd.DataFrame) -> dict[str, Estimate]:
    """Return the median time of a mass step with few focal sets over that with all, by way."""
    found = {}
    for way, part in steps.groupby("way", sort=False):
        wide = part.pivot(index="repetition", columns="focal_sets", values="time_s")
        found[way] = intervals.ratio(wide["limited"], wide["full"])
    return found


@claim(
    "cecm-tab-09",
    "with few and with all focal sets the mean Rand indices differ by at most "
    f"{2 * PRINTED['ri'].precision:g}, which the rounding of both may hide, in both metrics",
    ARITHMETIC,
    sentence="S55",
    published=f"both {PRINTED['ri'].value:g}",
    explanation="fewer sets change the balance between data and constraints",
    fitted=GAUSSIANS,
)
def few_sets_do_no_harm(params, tables):
    gaps = {
        f"few - all, {name}": intervals.difference(
            *(of(tables["runs"], "two_class", f"{kind}_{m}")["ri"] for kind in ("limited", "full"))
        )
        for m, name in METRIC_NAMES.items()
    }
    margin = 2 * PRINTED["ri"].precision
    return within(-margin, margin, gaps, "+.4f")


@on_four_gaussians(
    "the mean Rand index is the printed one in all four columns",
    sentence="S55",
    published=PRINTED["ri"],
    explanation="the sample of the paper is lost",
)
def rand_index_as_printed(params, tables):
    found = {name: mean(of(tables["runs"], "two_class", m)["ri"]) for m, name in SETS_AND_METRICS.items()}
    classes = mean(tables["classes"]["ri"])
    note = f"with constraints and truth from the two classes: {classes:.2f}"
    return agrees(dict.fromkeys(found, PRINTED["ri"]), found, ".4f", note)
