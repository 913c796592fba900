"""Tables 7 to 9 of [antoine2012_cecm]: times and iterations, CECM and constrained fuzzy c-means.

Tables 7 and 8: draws of 100 random constraints on Iris, Wine, Glass and Letters, both algorithms with both
metrics. Table 9: CECM with c = 4 on Two-class, all 16 focal sets against the empty set, the clusters, their
pairs and the frame. Data and delta are those of ``shared/protocol.py``; both algorithms have the same
starting prototypes and the same draws. The paper has 20 draws. We time the same number; iterations
are counted on 100 draws, from random starts. Where the paper leaves a choice:

- *Start.* Its algorithms start from random prototypes: random objects here. Starts from the centres of
  k-means, which Tables 5 and 6 need, are run as well.
- *Stopping.* No threshold is printed. CECM stops when prototypes hardly move, by its default; the other
  algorithm stops when memberships hardly change, by a threshold that we chose by Table 8.
- *Truth with c = 4.* The data have two classes, but four clusters and a Rand index of 0.99 fit only the four
  Gaussians: constraints and Rand index are about these. The table ``classes`` has the alternative.
- *Seconds.* The paper's programs and machine differ from ours, so only orders and ratios can be compared.
  Each fit is repeated, and the fastest counts. The table ``steps`` times single mass steps on the data of
  Table 9: ours, and the interior-point method over all objects that the paper uses.
"""

import time
import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from credalbench.baselines import ConstrainedFuzzyCMeans
from credalbench.belief import FocalSets
from credalbench.cluster import CECM
from credalbench.cluster.constrained.masses import constraint_terms
from credalbench.cluster.prototypes.mass_update import focal_costs
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.core.intervals import mean
from credalbench.core.kernels import compile_kernels
from credalbench.metrics import rand_index
from credalbench.papers import case_rng, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.style import LABEL_SIZE, colour, legend_of_rings, log_axis, marker, style_axes

from ..shared.interior_point import InteriorPoint
from ..shared.paths import in_a_minimum
from ..shared.protocol import draw_constraints, prepared, starting_prototypes
from .claims import (
    DATASETS,
    INTERIOR,
    KMEANS,
    LIMITED,
    METHODS,
    METRICS,
    OURS,
    PRINTED,
    RANDOM,
    of,
    side_by_side,
)

GAUSSIANS = 4
#: Those of the columns of Table 9.
FOCAL_SETS = {"full": FocalSets.full(GAUSSIANS), "limited": FocalSets.up_to(GAUSSIANS, 2)}


@dataclass(frozen=True)
class Parameters:
    """The paper's values; repetitions, thresholds and seed are ours."""

    n_constraints: int = knob(100, "random constraints (Tables 7 to 9)", low=1)
    n_trials: int = knob(100, "draws of the constraints for iterations (the paper has 20)", low=2)
    n_timed_trials: int = knob(20, "of these draws, how many are timed (Tables 7 to 9)", low=2)
    n_repeats: int = knob(2, "repetitions of a timed fit, of which the fastest counts (ours)", low=1)
    xi: float = knob(0.5, "weight of the constraints, 0 to 1 (Section 5.1.5)", low=0.0, high=0.99)
    alpha: float = knob(1.0, "penalty of large sets: exponent of their size (Section 5.1.5)")
    tol: float = knob(1e-3, "threshold of CECM, share of the data's spread (not stated)", low=0.0)
    cfcm_tol: float = knob(1e-5, "threshold of constrained fuzzy c-means (chosen by Table 8)", low=0.0)
    max_iter: int = knob(1000, "cap on iterations (ours)", low=1)
    n_step_trials: int = knob(5, "draws on which single mass steps are timed (slow)", low=2)
    seed: int = knob(0, "seed of the drawn constraints (not stated)", low=0)


def cases(params):
    """Return one case per data set and draw, in turn, so that load affects all."""
    return [{"dataset": d, "repetition": t} for t in range(params.n_trials) for d in (*DATASETS, "two_class")]


def compute(params, case):
    """Run all methods from both starts on one draw: table ``runs``, one row per start and method."""
    warm_up()
    dataset, trial = case["dataset"], case["repetition"]
    if dataset == "two_class":
        return two_class_tables(params, trial)
    problem = prepared(dataset)
    return {"runs": runs(params, problem, problem.y, problem.n_clusters, four_methods, dataset, trial)}


def two_class_tables(params, trial: int) -> dict:
    """Compute Table 9 on one draw: its ``runs``, one fit to the two ``classes``, single mass ``steps``."""
    problem, rng = prepared("two_class"), case_rng(params.seed, "two_class", "classes", trial)
    y = gaussians(problem.y)
    tables = {"runs": runs(params, problem, y, GAUSSIANS, limited_and_full, "two_class", trial)}
    if trial < params.n_step_trials:
        start = starting_prototypes("two_class", GAUSSIANS)
        model = cecm(params, problem, start, "euclidean", "full")
        links = draw_constraints(problem.y, params.n_constraints, rng)
        model.fit(problem.X, must_link=links.must_link, cannot_link=links.cannot_link)
        tables["classes"] = pd.DataFrame([{"ri": rand_index(problem.y, model.labels_)}])
        links = draw_constraints(y, params.n_constraints, rng)
        tables["steps"] = pd.DataFrame(timed_steps(params, problem, start, links))
    return tables


def gaussians(classes) -> np.ndarray:
    """Return the four Gaussians (n,) of Two-class, which the generator draws one after another."""
    return np.repeat(np.arange(GAUSSIANS), len(classes) // GAUSSIANS)


def runs(params, problem, y, c: int, methods, dataset: str, trial: int) -> pd.DataFrame:
    """Run every one of the `methods` with constraints drawn from the truth `y` (n,), timed from both starts.

    After `n_timed_trials` draws, each runs once, from random objects and without times.
    """
    rng = case_rng(params.seed, dataset, params.n_constraints, trial)
    constraints = draw_constraints(y, params.n_constraints, rng)
    random = problem.X[rng.choice(len(y), c, replace=False)]
    is_timed = trial < params.n_timed_trials
    starts = {RANDOM: random} | ({KMEANS: starting_prototypes(dataset, c)} if is_timed else {})
    rows = []
    for name, start in starts.items():
        for method, model in methods(params, problem, start).items():
            row = timed(model, problem.X, y, constraints, params.n_repeats if is_timed else 1)
            rows.append({"start": name, "method": method} | row | ({} if is_timed else {"time_s": np.nan}))
    return pd.DataFrame(rows)


def timed_steps(params, problem, start, constraints):
    """Time one mass step at the prototypes `start` (c, p), with all and with few focal sets."""
    for kind, focal_sets in FOCAL_SETS.items():
        distances = squared_distances(problem.X, start, focal_sets)
        costs = focal_costs(distances, focal_sets, params.alpha, problem.delta)
        terms = constraint_terms(constraints, focal_sets, params.xi)
        for way, mass_step in ((OURS, in_a_minimum), (INTERIOR, InteriorPoint)):
            begin = time.process_time()
            mass_step(terms)(costs)
            yield {"focal_sets": kind, "way": way, "time_s": time.process_time() - begin}


def four_methods(params, problem, start) -> dict:
    """Return both algorithms with both metrics, named as the columns of Tables 7 and 8."""
    options = {"init": start, "max_iter": params.max_iter}
    models = {}
    for short, metric in METRICS.items():
        fcm = ConstrainedFuzzyCMeans(problem.n_clusters, metric=metric, tol=params.cfcm_tol, **options)
        models[f"cfcm_{short}"] = fcm
        models[f"cecm_{short}"] = cecm(params, problem, start, metric, "full")
    return models


def limited_and_full(params, problem, start) -> dict:
    """Return CECM with all and with few focal sets, both metrics, named as the columns of Table 9."""
    return {
        f"{kind}_{short}": cecm(params, problem, start, metric, sets)
        for short, metric in METRICS.items()
        for kind, sets in FOCAL_SETS.items()
    }


def cecm(params, problem, start, metric: str, focal_sets) -> CECM:
    """Return CECM with as many clusters as `start` (c, p) has rows."""
    return CECM(
        len(start),
        xi=params.xi,
        alpha=params.alpha,
        delta=problem.delta,
        metric=metric,
        focal_sets=focal_sets,
        init=start,
        tol=params.tol,
        max_iter=params.max_iter,
    )


@cache
def warm_up() -> None:
    """Compile the kernels and call both algorithms once on 20 objects, before any clock starts."""
    compile_kernels()
    X = np.random.default_rng(0).random((20, 2))
    for metric in METRICS.values():
        for model in (CECM, ConstrainedFuzzyCMeans):
            model(2, metric=metric, random_state=0).fit(X, must_link=[(0, 1)], cannot_link=[(2, 3)])


def timed(model, X, y, constraints, n_repeats: int) -> dict:
    """Fit repeatedly; the time of the fastest fit, and its result."""
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    seconds = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # singular covariances: counted in column ``singular``
        for _ in range(n_repeats):
            begin = time.process_time()
            model.fit(X, **links)
            seconds.append(time.process_time() - begin)
    return {
        "time_s": min(seconds),
        "n_iter": model.n_iter_,
        "ri": rand_index(y, model.labels_),
        "n_violated": len(model.violated_),
        "converged": model.converged_,
        "singular": bool(np.any(getattr(model, "ridged_", getattr(model, "n_capped_", False)))),
    }


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Draw means with 95 % intervals from random starts, printed means as rings."""
    runs = tables["runs"]
    figures = {}
    for artefact, column, label in (
        ("cecm-tab-07", "time_s", "mean time of a fit (s)"),
        ("cecm-tab-08", "n_iter", "mean number of iterations"),
    ):
        figures[artefact] = new_figure(7.4, 4.2)
        ax = figures[artefact].subplots()
        draw_groups(ax, runs, column, {name: [(d, name) for d in DATASETS] for name in METHODS}, label)
        ax.set_xticks(range(len(DATASETS)), DATASETS.values())
        legend_of_rings(figures[artefact], ax, list(METHODS.values()), ncols=3)
    figures["cecm-tab-09"] = figure = new_figure(7.8, 3.9)
    for ax, column, label in zip(
        figure.subplots(1, 2), ("time_s", "n_iter"), ("mean time of a fit (s)", "mean number of iterations")
    ):
        series = {kind: [("two_class", f"{kind}_{short}") for short in METRICS] for kind in LIMITED}
        draw_groups(ax, runs, column, series, label, log=column == "time_s")
        ax.set_xticks(range(len(METRICS)), ["Euclidean", "adaptive"])
    legend_of_rings(figure, ax, list(LIMITED.values()), ncols=4)
    return figures


def draw_groups(ax, runs, column: str, series: dict, label: str, log: bool = True) -> None:
    """Draw one marker and colour per entry of `series`, side by side in each (data set, method)."""
    for k, places in enumerate(series.values()):
        at = np.arange(len(places)) + 0.16 * (k - (len(series) - 1) / 2)
        found = [mean(of(runs, *place)[column]) for place in places]
        means, lows, highs = np.transpose([(e.value, e.low, e.high) for e in found])
        # with few trials an interval may reach below 0, where a logarithmic axis ends
        errors = [means - np.maximum(lows, means / 10), highs - means]
        look = {"color": colour(k), "markeredgecolor": "white", "markeredgewidth": 0.5, "capsize": 3}
        ax.errorbar(at, means, errors, fmt=marker(k), markersize=7, elinewidth=1.2, **look)
        quantity = {"time_s": "time", "n_iter": "iter"}[column]
        printed = [PRINTED[quantity, *place].value for place in places]
        rings = {"markerfacecolor": "none", "markeredgecolor": colour(k), "markeredgewidth": 1.1}
        ax.plot(at, printed, marker(k), markersize=9.5, **rings)
    if log:
        log_axis(ax.yaxis)
    else:
        ax.set_ylim(bottom=0)
    style_axes(ax, ylabel=label)
    ax.tick_params(axis="x", labelsize=LABEL_SIZE, length=0)
    ax.set_xlim(-0.5, len(places) - 0.5)


experiment = declare(
    __name__,
    title="CECM and constrained fuzzy c-means: times and iterations",
    artefacts={
        "cecm-tab-07": "Times of CECM and constrained fuzzy c-means, 100 constraints",
        "cecm-tab-08": "Iterations of CECM and constrained fuzzy c-means, 100 constraints",
        "cecm-tab-09": "All focal sets against few: times and iterations on Two-class, c = 4",
    },
    summaries=(side_by_side,),
    smoke={"n_trials": 3, "n_timed_trials": 2, "n_repeats": 1, "n_step_trials": 2},
    timed=True,
    data=("iris_uci", "glass", "letters_ijl"),
)
