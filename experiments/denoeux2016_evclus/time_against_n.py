"""Experiment 2 of [denoeux2016_evclus], second part: computing time against the number of objects.

Figure 11 without RECM, which credalbench does not have yet. The paper varies n from 100 to 600 and draws 20
data sets for each n; the step of 100 is ours, as is the statistic (medians and quartiles), because the paper
names neither. Every data set gets one random start, the same for the three optimisers.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.datasets import make_t4
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import log_axis
from credalbench.runner import Claim, Experiment, Finding, case_rng, case_seed, knob

from .paired_runs import (
    OURS,
    PRINTED,
    RESAMPLES,
    SOLVERS,
    TIMES_EXPLAINED,
    all_converged,
    in_milliseconds,
    paired_run,
    random_start,
)


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
    tol: float = knob(1e-5, "epsilon of the stopping rule (21); presumed to be that of Experiment 1", low=0.0)
    max_iter: int = knob(20_000, "cap on sweeps or iterations (ours: the paper has none)", low=1)
    seed: int = knob(0, "seed of data sets and random starts", low=0)


def cases(params):
    """One case per data set, the sizes taking turns: a busy spell of the machine then meets all of them."""
    return [{"n": n, "dataset": d} for d in range(params.n_datasets) for n in params.sizes]


def compute(params, case):
    """The three optimisers on one data set from one start: table ``runs``."""
    axes = ("t4", case["n"], case["dataset"])
    data = make_t4(case["n"], case_seed(params.seed, *axes))
    start = random_start(case["n"], data.n_clusters, case_rng(params.seed, *axes, 0))
    options = {"d0_quantile": params.d0_quantile, "tol": params.tol, "max_iter": params.max_iter}
    return {
        "runs": paired_run(data.dissimilarities(), data.y, start, n_repeats=params.n_repeats, **options)[
            "runs"
        ]
    }


# ---------------------------------------------------------------- reading the table


def cube(runs: pd.DataFrame, column: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Sizes (s,) and, for each solver, the column as an array (s, number of data sets); NaN where a case
    failed."""
    wide = runs.pivot(index="n", columns=["solver", "dataset"], values=column)
    return wide.index.to_numpy(dtype=float), {
        solver: wide[solver].to_numpy(dtype=float) for solver in SOLVERS
    }


def slope(sizes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Least-squares slope of log median value against log n; (s,), (..., s, m) -> (...)."""
    x = np.log(sizes) - np.log(sizes).mean()
    return np.log(np.nanmedian(values, axis=-1)) @ x / (x @ x)


def resampled(values: np.ndarray) -> np.ndarray:
    """Bootstrap over the data sets that did not fail, for each n apart: (s, m) -> (resamples, s, m).

    The draws are the same for every solver.
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
    """One row per solver: log-log slopes of time and of iterations, medians at the smallest and largest n."""
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
        for s, name in SOLVERS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("solver")


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Figure 11: (a) all, linear; (b) IRQP alone, linear; (c) all, both axes logarithmic."""
    sizes, times = cube(tables["runs"], "time_s")
    runs = in_milliseconds(tables["runs"])
    slopes = {name: f"{name}, slope {slope(sizes, times[s]):.2f}" for s, name in SOLVERS.items()}
    irqp = runs.assign(time_ms=runs["time_ms"].where(runs["solver"] == SOLVERS["irqp"]))
    figure = new_figure(11, 3.8)
    everything, zoom, logarithmic = figure.subplots(1, 3)
    curve_with_errors(everything, runs, "n", "time_ms", "solver", title="(a) Computing time")
    curve_with_errors(zoom, irqp, "n", "time_ms", "solver", title="(b) Zoom on IRQP")
    zoom.get_legend().remove()
    named = runs.assign(solver=runs["solver"].map(slopes))
    curve_with_errors(logarithmic, named, "n", "time_ms", "solver", title="(c) Logarithmic axes", log=True)
    log_axis(logarithmic.xaxis)
    logarithmic.set_xticks(sizes, [f"{n:.0f}" for n in sizes])
    for ax in (everything, zoom, logarithmic):
        ax.set_xlabel("number of objects n")
    for ax in (everything, zoom):
        ax.set_ylim(bottom=0)
        ax.set_xticks(sizes)
    return {"evclus-fig-11": figure}


# ---------------------------------------------------------------- claims


def grows_faster(opponent: str):
    """Check: the log-log slope of the opponent's time is larger than IRQP's."""

    def check(params, tables):
        sizes, times = cube(tables["runs"], "time_s")
        _, iterations = cube(tables["runs"], "n_iter")
        slopes = {s: slope(sizes, times[s]) for s in (opponent, "irqp")}
        draws = {s: slope(sizes, resampled(times[s])) for s in slopes}
        difference = with_interval(slopes[opponent] - slopes["irqp"], draws[opponent] - draws["irqp"])
        ours = ", ".join(f"{SOLVERS[s]} {with_interval(slopes[s], draws[s])}" for s in slopes)
        counts = ", ".join(f"{SOLVERS[s]} {slope(sizes, iterations[s]):.2f}" for s in slopes)
        note = f"slopes of the number of iterations: {counts}"
        if np.quantile(draws[opponent] - draws["irqp"], 0.025) <= 0 <= slopes[opponent] - slopes["irqp"]:
            note = f"the interval of the difference includes 0: undecided; {note}"
        return Finding(slopes[opponent] > slopes["irqp"], f"{ours}; difference {difference}", note)

    return check


def faster_at_every_n(opponent: str):
    """Check: IRQP's median time is smaller at each n."""

    def check(params, tables):
        sizes, times = cube(tables["runs"], "time_s")
        ratios = np.nanmedian(times[opponent], axis=1) / np.nanmedian(times["irqp"], axis=1)
        listed = ", ".join(f"{ratio:.1f} at n = {n:.0f}" for n, ratio in zip(sizes, ratios))
        return Finding(np.all(ratios > 1), f"{SOLVERS[opponent]} / IRQP, ratio of medians: {listed}")

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


def needs_recm(params, tables):
    """What the paper says on RECM waits for RECM."""
    return Finding(None, "", "credalbench has no RECM yet: it comes with the second EVCLUS issue")


SLOPE_EXPLAINED = (
    "time is iterations times the cost of one, and the cost is O(f n^2) for the gradient and for a sweep of"
    " IRQP alike: the slopes differ as far as the numbers of iterations do, and at these n the fixed cost "
    "of each row or call hides part of the square"
)
CLAIMS = (
    Claim(
        "evclus-fig-11",
        "The computing time of Gradient grows faster with n than that of IRQP (log-log slopes)",
        "paper",
        grows_faster("gradient"),
        explanation=SLOPE_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "The computing time of Gradient grows faster with n than that of RECM (log-log slopes)",
        "paper",
        needs_recm,
    ),
    Claim("evclus-fig-11", "RECM is faster than IRQP at every n", "paper", needs_recm),
    Claim(
        "evclus-fig-11",
        "IRQP is faster than Gradient at every n (medians)",
        "paper",
        faster_at_every_n("gradient"),
        explanation=TIMES_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "EVCLUS and RECM give similar partitions (mean ARI differs by less than 0.1)",
        "paper, tolerance ours",
        needs_recm,
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
        grows_faster("lbfgs"),
        explanation=SLOPE_EXPLAINED,
    ),
    Claim(
        "evclus-fig-11",
        "IRQP is faster than L-BFGS at every n (medians)",
        OURS,
        faster_at_every_n("lbfgs"),
        explanation="a ratio of times belongs to the programs as much as to the algorithms",
    ),
    all_converged("evclus-fig-11"),
)

experiment = Experiment(
    paper="denoeux2016_evclus",
    study="time_against_n",
    title="Computing time of EVCLUS against the number of objects, for three optimisers",
    artefacts={"evclus-fig-11": "Computing time against n: gradient descent, L-BFGS and IRQP"},
    parameters=Parameters,
    cases=cases,
    compute=compute,
    draw=draw,
    claims=CLAIMS,
    smoke={"n_repeats": 1, "sizes": (60, 120, 240), "n_datasets": 3},
    timed=True,
)
