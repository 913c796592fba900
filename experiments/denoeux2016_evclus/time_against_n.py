"""Experiment 2 of [denoeux2016_evclus], second part: computing time against the number of objects.

Figure 11. The paper varies n from 100 to 600 and draws 20 data sets for each n; the step of 100 is ours, as
is the statistic (medians and quartiles), because the paper names neither. Every data set gets one random
start, the same for the three optimisers of EVCLUS and, without its mass on the empty set, for RECM.

Times are those of the iterations alone. Outside lie, for EVCLUS, d0 and the transformation of the
dissimilarities, and for RECM the centring of their squares and the test whether they are Euclidean. For IRQP
and RECM the whole fit, from the matrix of dissimilarities to the credal partition, is timed beside it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS, RECM
from credalbench.cluster.conflict.transformation import d0_from_quantile
from credalbench.cluster.recm import alternate, gram_matrix
from credalbench.datasets import make_t4
from credalbench.intervals import difference, difference_of_slopes, log_log_slope, ratio, slope
from credalbench.metrics.external import adjusted_rand, misclassified
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import TICK_SIZE, log_axis
from credalbench.runner import EXPECTATION, PAPER, TOLERANCE_OURS, case_rng, case_seed, declare, knob
from credalbench.runner.claims import above, claim, within

from .shared.clock import fastest
from .shared.paired_claims import PRINTED, TIMES_EXPLAINED, all_converged
from .shared.paired_runs import SOLVERS, paired_run, random_start

#: Method -> its name in figures and tables: the optimisers of EVCLUS, and RECM.
METHODS = SOLVERS | {"recm": "RECM"}


@dataclass(frozen=True)
class Parameters:
    """The paper's values; the step of n, repetitions, cap and seed are ours."""

    sizes: tuple[int, ...] = knob(
        (100, 200, 300, 400, 500, 600),
        "numbers of objects n, at least two (Section 3.2; the step is ours)",
        low=8,
    )
    n_datasets: int = knob(20, "data sets for each n (Section 3.2)", low=2)
    n_repeats: int = knob(3, "repetitions of the same run, of which the fastest counts (ours)", low=1)
    d0_quantile: float = knob(
        0.8, "d0 as a quantile of the distances, presumed as for n = 200", low=0.01, high=1.0
    )
    tol: float = knob(
        1e-5, "epsilon: of rule (21) for EVCLUS, presumed; of the change of the masses for RECM", low=0.0
    )
    alpha: float = knob(1.0, "exponent of the cardinality in RECM (Section 3.2)", low=0.0)
    beta: float = knob(1.5, "exponent of the masses in RECM (Section 3.2)", low=1.01)
    max_iter: int = knob(20_000, "cap on sweeps or iterations (ours: the paper has none)", low=1)
    seed: int = knob(0, "seed of data sets and random starts", low=0)


def cases(params):
    """One case per data set, the sizes taking turns: a busy spell of the machine then meets all of them."""
    return [{"n": n, "dataset": d} for d in range(params.n_datasets) for n in params.sizes]


def compute(params, case):
    axes = ("t4", case["n"], case["dataset"])
    data = make_t4(case["n"], case_seed(params.seed, *axes))
    D = data.dissimilarities()
    start = random_start(case["n"], data.n_clusters, case_rng(params.seed, *axes, 0))
    options = {"d0_quantile": params.d0_quantile, "tol": params.tol, "max_iter": params.max_iter}
    evclus = paired_run(D, data.y, start, n_repeats=params.n_repeats, **options)["runs"]
    evclus = evclus.rename(columns={"solver": "method"})

    irqp = EVCLUS(data.n_clusters, init=start, metric="precomputed", **options)
    seconds = fastest(params.n_repeats, irqp.fit, D)
    evclus["fit_time_s"] = np.where(evclus["method"] == "irqp", seconds, np.nan)
    recm = recm_run(D, data.y, start, params)
    recm["agreement"] = adjusted_rand(irqp.partition_.labels(), recm.pop("labels"))
    return {"runs": pd.concat([evclus, pd.DataFrame([recm])], ignore_index=True)}


def recm_run(D, y, start, params) -> dict:
    """RECM with the paper's settings from the same start: one row of the table, and the labels.

    `time_s` is the time of the iterations, as for EVCLUS; `fit_time_s` that of the whole fit.
    """
    c = int(y.max()) + 1
    masses = start.copy()
    masses[:, 0] = 0.0  # RECM starts without mass on the empty set
    masses /= masses.sum(axis=1, keepdims=True)
    d0 = d0_from_quantile(squareform(D), params.d0_quantile, condensed=True)
    options = {"alpha": params.alpha, "beta": params.beta, "delta": d0}
    options |= {"tol": params.tol, "max_iter": params.max_iter}
    fit = RECM(c, focal_sets="simple", init=masses, metric="precomputed", **options)
    fit_time = fastest(params.n_repeats, fit.fit, D)
    G, family = gram_matrix(D**2), FocalSets.simple(c)
    labels = fit.partition_.labels()
    return {
        "method": "recm",
        "time_s": fastest(params.n_repeats, alternate, G, masses, family, **options),
        "fit_time_s": fit_time,
        "n_iter": fit.n_iter_,
        "converged": fit.converged_,
        "misclassified": misclassified(y, labels),
        "ari": adjusted_rand(y, labels),
        "labels": labels,
    }


# ---------------------------------------------------------------- reading the table


def cube(tables, column: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Sizes (s,) and, for each method, the column as an array (s, number of data sets); NaN where a case
    failed."""
    wide = tables["runs"].pivot(index="n", columns=["method", "dataset"], values=column)
    return wide.index.to_numpy(dtype=float), {m: wide[m].to_numpy(dtype=float) for m in METHODS}


def growth(params, tables) -> pd.DataFrame:
    """One row per method: log-log slopes of time and of iterations, medians at the smallest and largest n."""
    sizes, times = cube(tables, "time_s")
    _, iterations = cube(tables, "n_iter")
    rows = {
        name: {
            "slope of time (95 % interval)": f"{slope(sizes, times[m]):.2f}",
            "slope of iterations": round(float(log_log_slope(sizes, iterations[m])), 2),
            f"median time at n = {sizes[0]:.0f} (ms)": round(1e3 * np.nanmedian(times[m][0]), 1),
            f"median time at n = {sizes[-1]:.0f} (ms)": round(1e3 * np.nanmedian(times[m][-1]), 1),
        }
        for m, name in METHODS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Figure 11: (a) all, linear; (b) IRQP and RECM, linear; (c) all, both axes logarithmic."""
    sizes, times = cube(tables, "time_s")
    runs = tables["runs"].assign(time_ms=1e3 * tables["runs"]["time_s"])
    lowest = runs["method"].isin(["irqp", "recm"])
    figure = new_figure(11, 3.8)
    everything, zoom, logarithmic = figure.subplots(1, 3)
    named = runs.assign(method=runs["method"].map(METHODS))
    zoomed = named.assign(time_ms=named["time_ms"].where(lowest))  # the others keep their colours
    slopes = {m: f"{name}, slope {log_log_slope(sizes, times[m]):.2f}" for m, name in METHODS.items()}
    steep = runs.assign(method=runs["method"].map(slopes))
    curve_with_errors(everything, named, "n", "time_ms", "method", title="(a) Computing time")
    curve_with_errors(zoom, zoomed, "n", "time_ms", "method", title="(b) Zoom on IRQP and RECM")
    curve_with_errors(logarithmic, steep, "n", "time_ms", "method", title="(c) Logarithmic axes", log=True)
    handles, labels = zoom.get_legend_handles_labels()
    zoom.legend(handles[2:], labels[2:], frameon=False, fontsize=TICK_SIZE, loc="upper left")
    log_axis(logarithmic.xaxis)
    logarithmic.set_xticks(sizes, [f"{n:.0f}" for n in sizes])
    logarithmic.set_ylim(top=6 * logarithmic.get_ylim()[1])  # room for the legend
    for ax in (everything, zoom, logarithmic):
        ax.set_xlabel("number of objects n")
    for ax in (everything, zoom):
        ax.set_ylim(bottom=0)
        ax.set_xticks(sizes)
    return {"evclus-fig-11": figure}


# ---------------------------------------------------------------- claims

SIMILAR = 0.1  # difference of the mean ARI that still counts as similar; the width is ours
SLOPE_EXPLAINED = (
    "time is iterations times the cost of one, and the cost is O(f n^2) for the gradient and for a sweep of"
    " IRQP alike: the slopes differ as far as the numbers of iterations do, and at these n the fixed cost "
    "of each row or call hides part of the square"
)
RECM_EXPLAINED = (
    "a statement on programs, and the paper compares R programs; here a sweep of IRQP is one compiled loop "
    "and an iteration of RECM some dozen calls of numpy, whose fixed cost dominates at small n, around one "
    "product of a (c, n) with an (n, n) matrix. A whole fit of RECM also tests, by a factorisation in O(n^3),"
    " whether the dissimilarities are Euclidean"
)


def pair(slow: str, fast: str, why: str) -> dict[str, str]:
    """One entry of a family of claims on two methods."""
    return {"slow": slow, "fast": fast, "slow_name": METHODS[slow], "fast_name": METHODS[fast], "why": why}


def steeper(tables, slow: str, fast: str):
    """The difference of two log-log slopes of time; the note has the slopes, of time and of iterations."""
    sizes, times = cube(tables, "time_s")
    _, iterations = cube(tables, "n_iter")
    gap = difference_of_slopes(sizes, times[slow], times[fast])
    slopes = ", ".join(f"{METHODS[m]} {slope(sizes, times[m]):.2f}" for m in (slow, fast))
    counts = ", ".join(f"{METHODS[m]} {log_log_slope(sizes, iterations[m]):.2f}" for m in (slow, fast))
    note = f"slopes of time: {slopes}; of the number of iterations: {counts}"
    return above(0, {f"{METHODS[slow]} - {METHODS[fast]}": gap}, ".2f", note)


def ratios(tables, slow: str, fast: str, column: str = "time_s") -> dict:
    """Ratio of the median times at every n."""
    sizes, times = cube(tables, column)
    return {f"n = {n:.0f}": ratio(times[slow][k], times[fast][k]) for k, n in enumerate(sizes)}


@claim(
    "evclus-fig-11",
    "the computing time of {slow_name} grows faster with n than that of {fast_name} (log-log slopes)",
    PAPER,
    explanation="{why}",
    each=[
        pair("gradient", "irqp", SLOPE_EXPLAINED),
        pair("gradient", "recm", SLOPE_EXPLAINED),
        pair("irqp", "recm", RECM_EXPLAINED),
    ],
)
def grows_faster(params, tables, slow, fast):
    return steeper(tables, slow, fast)


@claim(
    "evclus-fig-11",
    "{fast_name} is faster than {slow_name} at every n (medians)",
    PAPER,
    explanation="{why}",
    each=[pair("irqp", "recm", RECM_EXPLAINED), pair("gradient", "irqp", TIMES_EXPLAINED)],
)
def faster_at_every_n(params, tables, slow, fast):
    note = f"{METHODS[slow]} / {METHODS[fast]}, ratio of medians"
    if {slow, fast} == {"irqp", "recm"}:
        fits = ", ".join(f"{r.value:.1f} at {n}" for n, r in ratios(tables, slow, fast, "fit_time_s").items())
        note += f"; whole fits instead of iterations: {fits}"
    return above(1, ratios(tables, slow, fast), ".1f", note)


@claim(
    "evclus-fig-11",
    f"EVCLUS and RECM give similar partitions (mean ARI differs by less than {SIMILAR:g})",
    TOLERANCE_OURS,
    published="similar results",
    explanation="both methods may end in a local optimum, and not in the same data sets",
)
def partitions_are_similar(params, tables):
    sizes, ari = cube(tables, "ari")
    by_size = np.nanmean(ari["irqp"] - ari["recm"], axis=1)
    worst = int(np.argmax(np.abs(by_size)))
    note = (
        f"largest mean difference {by_size[worst]:.3f}, at n = {sizes[worst]:.0f}; ARI of the one partition "
        f"with the other: median {tables['runs']['agreement'].median():.3f}"
    )
    gap = {"EVCLUS (IRQP) - RECM": difference(ari["irqp"], ari["recm"])}
    return within(-SIMILAR, SIMILAR, gap, ".3f", note)


@claim(
    "evclus-fig-11",
    f"at the largest n, IRQP is at least {PRINTED['large_ratio'].value:g} times faster than Gradient",
    TOLERANCE_OURS,
    published="several orders of magnitude, from several hundred to a few thousand objects",
    explanation=TIMES_EXPLAINED,
)
def orders_of_magnitude(params, tables):
    label, last = list(ratios(tables, "gradient", "irqp").items())[-1]
    return above(PRINTED["large_ratio"].value, {label: last}, ".0f")


@claim(
    "evclus-fig-11",
    "the computing time of L-BFGS grows faster with n than that of IRQP (log-log slopes)",
    EXPECTATION,
    explanation=SLOPE_EXPLAINED,
)
def lbfgs_grows_faster(params, tables):
    return steeper(tables, "lbfgs", "irqp")


@claim(
    "evclus-fig-11",
    "IRQP is faster than L-BFGS at every n (medians)",
    EXPECTATION,
    explanation="a ratio of times belongs to the programs as much as to the algorithms",
)
def faster_than_lbfgs(params, tables):
    return above(1, ratios(tables, "lbfgs", "irqp"), ".1f", "L-BFGS / IRQP, ratio of medians")


CONVERGED = all_converged("evclus-fig-11", METHODS, "method")

experiment = declare(
    __name__,
    title="Computing time of EVCLUS, with three optimisers, and of RECM against the number of objects",
    artefacts={"evclus-fig-11": "Computing time against n: gradient descent, L-BFGS, IRQP, and RECM"},
    summaries=(growth,),
    smoke={"n_repeats": 1, "sizes": (60, 120, 240), "n_datasets": 3},
    timed=True,
)
