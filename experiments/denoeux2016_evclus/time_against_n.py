"""Experiment 2 of [denoeux2016_evclus], second part: computing time against the number of objects.

Figure 11. The paper varies n from 100 to 600 and draws 20 data sets for each n; the step of 100 is ours, as
is the statistic (medians and quartiles), because the paper names neither. Every data set gets one random
start, the same for the three optimisers of EVCLUS and, without its mass on the empty set, for RECM.

Times are those of the iterations alone. Outside lie, for EVCLUS, d0 and the transformation of the
dissimilarities, and for RECM the centring of their squares and the test whether they are Euclidean. For IRQP
and RECM the whole fit, from the matrix of dissimilarities to the credal partition, is timed beside it.
"""

import time
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS, RECM
from credalbench.cluster.conflict.transformation import d0_from_quantile
from credalbench.cluster.recm import alternate, gram_matrix
from credalbench.datasets import make_t4
from credalbench.metrics.external import adjusted_rand, misclassified
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import TICK_SIZE, log_axis
from credalbench.runner import Claim, Experiment, Finding, case_rng, case_seed, knob

from .shared.paired_runs import (
    OURS,
    PRINTED,
    RESAMPLES,
    SOLVERS,
    TIMES_EXPLAINED,
    paired_run,
    random_start,
)

#: Method -> its name in figures and tables: the optimisers of EVCLUS, and RECM.
METHODS = SOLVERS | {"recm": "RECM"}
SIMILAR = 0.1  # mean ARI of similar results, as the catalogue of claims reads "yield similar results"


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
    """The three optimisers and RECM on one data set from one start: table ``runs``."""
    axes = ("t4", case["n"], case["dataset"])
    data = make_t4(case["n"], case_seed(params.seed, *axes))
    D = data.dissimilarities()
    start = random_start(case["n"], data.n_clusters, case_rng(params.seed, *axes, 0))
    options = {"d0_quantile": params.d0_quantile, "tol": params.tol, "max_iter": params.max_iter}
    evclus = paired_run(D, data.y, start, n_repeats=params.n_repeats, **options)["runs"]

    irqp = EVCLUS(data.n_clusters, init=start, metric="precomputed", **options)
    seconds = fastest(lambda: irqp.fit(D), params.n_repeats)
    evclus["fit_time_s"] = np.where(evclus["solver"] == "irqp", seconds, np.nan)
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
    fit_time = fastest(lambda: fit.fit(D), params.n_repeats)
    G, family = gram_matrix(D**2), FocalSets.simple(c)
    labels = fit.partition_.labels()
    return {
        "solver": "recm",
        "time_s": fastest(lambda: alternate(G, masses, family, **options), params.n_repeats),
        "fit_time_s": fit_time,
        "n_iter": fit.n_iter_,
        "converged": fit.converged_,
        "misclassified": misclassified(y, labels),
        "ari": adjusted_rand(y, labels),
        "labels": labels,
    }


def fastest(action, n_repeats: int) -> float:
    """Seconds of the fastest of several calls, which all do the same work."""
    seconds = []
    for _ in range(n_repeats):
        began = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


# ---------------------------------------------------------------- reading the table


def cube(runs: pd.DataFrame, column: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Sizes (s,) and, for each method, the column as an array (s, number of data sets); NaN where a case
    failed."""
    wide = runs.pivot(index="n", columns=["solver", "dataset"], values=column)
    return wide.index.to_numpy(dtype=float), {
        solver: wide[solver].to_numpy(dtype=float) for solver in METHODS
    }


def slope(sizes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Least-squares slope of log median value against log n; (s,), (..., s, m) -> (...)."""
    x = np.log(sizes) - np.log(sizes).mean()
    return np.log(np.nanmedian(values, axis=-1)) @ x / (x @ x)


def resampled(values: np.ndarray) -> np.ndarray:
    """Bootstrap over the data sets that did not fail, for each n apart: (s, m) -> (resamples, s, m).

    The draws are the same for every method.
    """
    order = np.argsort(np.isnan(values), axis=1, kind="stable")  # failed ones last, where no draw goes
    finite = np.take_along_axis(values, order, axis=1)
    uniform = case_rng(0, "bootstrap").random((RESAMPLES, *values.shape))
    draws = (uniform * np.isfinite(values).sum(axis=1, keepdims=True)).astype(np.intp)
    return np.take_along_axis(np.broadcast_to(finite, draws.shape), draws, axis=-1)


def with_interval(value: float, draws: np.ndarray, digits: int = 2) -> str:
    """A value with the 95 % interval of its bootstrap draws, in words."""
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def growth(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per method: log-log slopes of time and of iterations, medians at the smallest and largest n."""
    sizes, times = cube(runs, "time_s")
    _, iterations = cube(runs, "n_iter")
    rows = {
        name: {
            "slope of time (95 % interval)": with_interval(
                slope(sizes, times[s]), slope(sizes, resampled(times[s]))
            ),
            "slope of iterations": round(float(slope(sizes, iterations[s])), 2),
            f"median time at n = {sizes[0]:.0f} (ms)": round(1e3 * np.nanmedian(times[s][0]), 1),
            f"median time at n = {sizes[-1]:.0f} (ms)": round(1e3 * np.nanmedian(times[s][-1]), 1),
        }
        for s, name in METHODS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Figure 11: (a) all, linear; (b) IRQP and RECM, linear; (c) all, both axes logarithmic."""
    sizes, times = cube(tables["runs"], "time_s")
    runs = tables["runs"].assign(time_ms=1e3 * tables["runs"]["time_s"])
    lowest = runs["solver"].isin(["irqp", "recm"])
    figure = new_figure(11, 3.8)
    everything, zoom, logarithmic = figure.subplots(1, 3)
    named = runs.assign(solver=runs["solver"].map(METHODS))
    zoomed = named.assign(time_ms=named["time_ms"].where(lowest))  # the others keep their colours
    slopes = {s: f"{name}, slope {slope(sizes, times[s]):.2f}" for s, name in METHODS.items()}
    steep = runs.assign(solver=runs["solver"].map(slopes))
    curve_with_errors(everything, named, "n", "time_ms", "solver", title="(a) Computing time")
    curve_with_errors(zoom, zoomed, "n", "time_ms", "solver", title="(b) Zoom on IRQP and RECM")
    curve_with_errors(logarithmic, steep, "n", "time_ms", "solver", title="(c) Logarithmic axes", log=True)
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


def grows_faster(steep: str, flat: str):
    """Check: the log-log slope of one method's time is larger than the other's."""

    def check(params, tables):
        sizes, times = cube(tables["runs"], "time_s")
        _, iterations = cube(tables["runs"], "n_iter")
        slopes = {s: slope(sizes, times[s]) for s in (steep, flat)}
        draws = {s: slope(sizes, resampled(times[s])) for s in slopes}
        difference = with_interval(slopes[steep] - slopes[flat], draws[steep] - draws[flat])
        ours = ", ".join(f"{METHODS[s]} {with_interval(slopes[s], draws[s])}" for s in slopes)
        counts = ", ".join(f"{METHODS[s]} {slope(sizes, iterations[s]):.2f}" for s in slopes)
        note = f"slopes of the number of iterations: {counts}"
        low, high = np.quantile(draws[steep] - draws[flat], [0.025, 0.975])
        if low <= 0 <= high:
            note = f"the interval of the difference includes 0: undecided; {note}"
        return Finding(slopes[steep] > slopes[flat], f"{ours}; difference {difference}", note)

    return check


def ratios(runs: pd.DataFrame, column: str, slow: str, fast: str) -> tuple[np.ndarray, str]:
    """Ratios of medians at each n, and in words."""
    sizes, times = cube(runs, column)
    values = np.nanmedian(times[slow], axis=1) / np.nanmedian(times[fast], axis=1)
    return values, ", ".join(f"{ratio:.1f} at n = {n:.0f}" for n, ratio in zip(sizes, values))


def faster_at_every_n(slow: str, fast: str):
    """Check: the fast method's median time is smaller at each n."""

    def check(params, tables):
        values, listed = ratios(tables["runs"], "time_s", slow, fast)
        note = ""
        if {slow, fast} == {"irqp", "recm"}:
            note = f"whole fits instead of iterations: {ratios(tables['runs'], 'fit_time_s', slow, fast)[1]}"
        return Finding(
            np.all(values > 1), f"{METHODS[slow]} / {METHODS[fast]}, ratio of medians: {listed}", note
        )

    return check


def check_orders_of_magnitude(params, tables):
    """The ratio of medians at the largest n is at least 100."""
    sizes, times = cube(tables["runs"], "time_s")
    last = {s: np.stack([times[s][-1]]) for s in ("gradient", "irqp")}
    ratio = np.nanmedian(last["gradient"]) / np.nanmedian(last["irqp"])
    draws = [np.nanmedian(resampled(last[s])[:, 0], axis=1) for s in last]
    return Finding(
        ratio >= PRINTED["large_ratio"].value,
        f"at n = {sizes[-1]:.0f}: factor {with_interval(ratio, draws[0] / draws[1], digits=0)}",
    )


def check_similar(params, tables):
    """Mean difference of the adjusted Rand indices of IRQP and RECM, over all data sets and by n."""
    sizes, ari = cube(tables["runs"], "ari")
    differences = ari["irqp"] - ari["recm"]
    mean = float(np.nanmean(differences))
    draws = resampled(differences).mean(axis=(1, 2))
    by_size = np.nanmean(differences, axis=1)
    worst = int(np.argmax(np.abs(by_size)))
    agreement = tables["runs"]["agreement"].median()
    return Finding(
        abs(mean) < SIMILAR,
        f"EVCLUS (IRQP) minus RECM: {with_interval(mean, draws, digits=3)}",
        f"largest mean difference {by_size[worst]:.3f}, at n = {sizes[worst]:.0f}; ARI of the one partition "
        f"with the other: median {agreement:.3f}",
    )


def check_converged(params, tables):
    """No run of any method meets the cap on iterations."""
    runs = tables["runs"]
    capped = runs[~runs["converged"].astype(bool)]["solver"].map(METHODS).value_counts()
    found = ", ".join(f"{count} of {name}" for name, count in capped.items()) or "none"
    return Finding(capped.empty, f"runs that met the cap: {found} of {len(runs)} in all")


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
CLAIMS = (
    Claim(
        "evclus-fig-11",
        "The computing time of Gradient grows faster with n than that of IRQP (log-log slopes)",
        "paper",
        grows_faster("gradient", "irqp"),
        explanation=SLOPE_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "The computing time of Gradient grows faster with n than that of RECM (log-log slopes)",
        "paper",
        grows_faster("gradient", "recm"),
        explanation=SLOPE_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "RECM is faster than IRQP at every n (medians)",
        "paper",
        faster_at_every_n("irqp", "recm"),
        explanation=RECM_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "The computing time of IRQP grows faster with n than that of RECM (log-log slopes)",
        "paper",
        grows_faster("irqp", "recm"),
        explanation=RECM_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "IRQP is faster than Gradient at every n (medians)",
        "paper",
        faster_at_every_n("gradient", "irqp"),
        explanation=TIMES_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "EVCLUS and RECM give similar partitions (mean ARI differs by less than 0.1)",
        "paper, tolerance ours",
        check_similar,
        published="similar results",
        explanation="both methods may end in a local optimum, and not in the same data sets",
    ),
    Claim(
        "evclus-fig-11",
        "At the largest n, IRQP gains at least two orders of magnitude over Gradient",
        "paper, tolerance ours",
        check_orders_of_magnitude,
        published="several orders of magnitude, from several hundred to a few thousand objects",
        explanation=TIMES_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "The computing time of L-BFGS grows faster with n than that of IRQP (log-log slopes)",
        OURS,
        grows_faster("lbfgs", "irqp"),
        explanation=SLOPE_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "IRQP is faster than L-BFGS at every n (medians)",
        OURS,
        faster_at_every_n("lbfgs", "irqp"),
        explanation="a ratio of times belongs to the programs as much as to the algorithms",
    ),
    Claim(
        "evclus-fig-11",
        "Every run of the four methods reaches the tolerance before the cap on iterations",
        OURS,
        check_converged,
        explanation="runs that meet the cap stay in all tables and figures, with the time they had then",
    ),
)

experiment = Experiment(
    paper="denoeux2016_evclus",
    study="time_against_n",
    title="Computing time of EVCLUS, with three optimisers, and of RECM against the number of objects",
    artefacts={"evclus-fig-11": "Computing time against n: gradient descent, L-BFGS, IRQP, and RECM"},
    parameters=Parameters,
    cases=cases,
    compute=compute,
    draw=draw,
    claims=CLAIMS,
    smoke={"n_repeats": 1, "sizes": (60, 120, 240), "n_datasets": 3},
    timed=True,
)
