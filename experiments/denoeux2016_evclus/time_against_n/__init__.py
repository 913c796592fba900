"""Experiment 2 of [denoeux2016_evclus], second part: computing time against the number of objects.

Figure 11. The paper varies n from 100 to 600 and draws 20 data sets for each n; the step of 100 is ours, as
is the statistic (medians and quartiles), because the paper names neither. Every data set gets one random
start, the same for the optimisers of EVCLUS and, without its mass on the empty set, for RECM. The paper's
conclusion reaches to "a few thousand objects": there, fewer data sets are drawn. EK-NNclus, of which the
paper says that the first EVCLUS was slower, has its settings of Section 4.1.

Times are those of the iterations alone, without d0 and the transformation of the dissimilarities (EVCLUS) and
without the centring of their squares and the test whether they are Euclidean (RECM). For IRQP, RECM and
EK-NNclus, the whole fit, from the matrix of dissimilarities to the partition, is also timed.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS, RECM, EKNNclus
from credalbench.cluster.conflict.transformation import d0_from_quantile
from credalbench.cluster.prototypes.mass_update import Setting
from credalbench.cluster.recm import alternate, gram_matrix
from credalbench.datasets import make_t4
from credalbench.metrics.external import adjusted_rand, misclassified
from credalbench.papers import case_random_state, case_rng, case_seed, declare, knob
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.curves import legend_of_bars
from credalbench.plots.style import log_axis

from ..shared.clock import fastest
from ..shared.paired_runs import paired_run, random_start
from .claims import METHODS, OPTIMISERS, growth

#: Method -> multiplications of one evaluation or iteration for (n, f, c). IRQP solves a system of f equations
#: for each row; the count of RECM is the paper's (Section 2.4).
OPERATIONS = {
    "gradient": lambda n, f, c: 2 * f * n**2,
    "irqp": lambda n, f, c: f * n**2 + f**3 * n,
    "recm": lambda n, f, c: c * n**2 + f * c**2 * n,
}


@dataclass(frozen=True)
class Parameters:
    """The paper's values; the step of n, all beyond n = 600, repetitions, cap and seed are ours."""

    sizes: tuple[int, ...] = knob(
        (100, 200, 300, 400, 500, 600),
        "numbers of objects n, at least two (Section 3.2; the step is ours)",
        low=8,
    )
    n_datasets: int = knob(20, "data sets for each n (Section 3.2)", low=2)
    large_sizes: tuple[int, ...] = knob((1000, 3000), "larger n, up to a few thousand (ours)", low=8)
    n_large: int = knob(2, "data sets for each larger n (ours)", low=2)
    n_repeats: int = knob(3, "repetitions of a short run, of which the fastest counts (ours)", low=1)
    d0_quantile: float = knob(
        0.8, "d0 as a quantile of the distances, presumed as for 200 objects", low=0.01, high=1.0
    )
    tol: float = knob(
        1e-5, "epsilon: of the rules of EVCLUS, presumed; of the change of the masses for RECM", low=0.0
    )
    alpha: float = knob(1.0, "penalty of large sets, exponent of their size, in RECM (Section 3.2)", low=0.0)
    beta: float = knob(1.5, "fuzziness, exponent of the masses, in RECM (Section 3.2)", low=1.01)
    max_iter: int = knob(20_000, "cap on sweeps or iterations (ours: the paper has none)", low=1)
    seed: int = knob(0, "seed of data sets and random starts", low=0)


def cases(params):
    """Return cases by data set, the sizes in turn, so that load on the machine affects all."""
    beyond = [n for n in params.large_sizes if n not in params.sizes]
    usual = [{"n": n, "dataset": d} for d in range(params.n_datasets) for n in params.sizes]
    return usual + [{"n": n, "dataset": d} for d in range(params.n_large) for n in beyond]


def compute(params, case):
    n = case["n"]
    axes = ("t4", n, case["dataset"])
    data = make_t4(n, case_seed(params.seed, *axes))
    D, c = data.dissimilarities(), data.n_clusters
    start = random_start(n, c, case_rng(params.seed, *axes, 0))
    options = {"d0_quantile": params.d0_quantile, "tol": params.tol, "max_iter": params.max_iter}
    evclus = paired_run(D, data.y, start, n_repeats=params.n_repeats, solvers=OPTIMISERS, **options)["runs"]
    evclus = evclus.rename(columns={"solver": "method"})

    irqp = EVCLUS(c, init=start, metric="precomputed", **options)
    seconds = fastest(params.n_repeats, irqp.fit, D)
    evclus["fit_time_s"] = np.where(evclus["method"] == "irqp", seconds, np.nan)
    recm = recm_run(D, data.y, start, params)
    recm["agreement"] = adjusted_rand(irqp.partition_.labels("plausibility"), recm.pop("labels"))
    others = [recm, eknnclus_run(D, data.y, case_random_state(params.seed, *axes), params)]
    runs = pd.concat([evclus, pd.DataFrame(others)], ignore_index=True)
    cost = {m: count(n, len(FocalSets.simple(c)), c) for m, count in OPERATIONS.items()}
    times = runs["n_evaluations"].fillna(runs["n_iter"])
    return {"runs": runs.assign(n_operations=times * runs["method"].map(cost))}


def recm_run(D, y, start, params) -> dict:
    """Run RECM with the paper's settings from the same start: one row of the table, and the labels.

    `time_s` is the time of the iterations, as for EVCLUS; `fit_time_s` that of the whole fit.
    """
    c = int(y.max()) + 1
    masses = start.copy()
    masses[:, 0] = 0.0  # RECM starts without mass on the empty set
    masses /= masses.sum(axis=1, keepdims=True)
    d0 = d0_from_quantile(squareform(D), params.d0_quantile, condensed=True)
    exponents = {"alpha": params.alpha, "beta": params.beta, "delta": d0}
    rule = {"tol": params.tol, "max_iter": params.max_iter}
    fit = RECM(c, focal_sets="simple", init=masses, metric="precomputed", **exponents, **rule)
    fit_time = fastest(params.n_repeats, fit.fit, D)
    G, setting = gram_matrix(D**2), Setting(FocalSets.simple(c), **exponents)
    labels = fit.partition_.labels("plausibility")
    return {
        "method": "recm",
        "time_s": fastest(params.n_repeats, alternate, G, masses, setting, **rule),
        "fit_time_s": fit_time,
        "n_iter": fit.n_iter_,
        "converged": fit.converged_,
        "misclassified": misclassified(y, labels),
        "ari": adjusted_rand(y, labels),
        "labels": labels,
    }


def eknnclus_run(D, y, seed: int, params) -> dict:
    """Run EK-NNclus with K = 3 sqrt(n) and up to 1000 initial clusters (Section 4.1): whole fits only."""
    n = len(D)
    settings = {"n_neighbors": min(n - 1, round(3 * n**0.5)), "q": 0.95, "metric": "precomputed"}
    fit = EKNNclus(min(n, 1000), init="random", random_state=seed, **settings)
    seconds = fastest(params.n_repeats, fit.fit, D)
    ari = adjusted_rand(y, fit.labels_)
    row = {"method": "eknnclus", "fit_time_s": seconds, "n_iter": fit.n_iter_, "ari": ari}
    return row | {"converged": fit.converged_, "misclassified": misclassified(y, fit.labels_)}


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Draw Figure 11: (a) all and (b) IRQP and RECM, as in the paper; ours, logarithmic, (c) and (d)."""
    runs = named(tables["runs"])
    usual = runs[runs["n"].isin(params.sizes)]
    lowest = usual["method"].isin([METHODS["irqp"], METHODS["recm"]])
    zoomed = usual.assign(time_ms=usual["time_ms"].where(lowest))  # the others keep their colours
    figure = new_figure(10, 7.6)
    (everything, zoom), (logarithmic, counted) = figure.subplots(2, 2)
    curve_with_errors(everything, usual, "n", "time_ms", "method", title="(a) Computing time")
    curve_with_errors(zoom, zoomed, "n", "time_ms", "method", title="(b) Zoom on IRQP and RECM")
    curve_with_errors(logarithmic, runs, "n", "time_ms", "method", title="(c) All n (ours)", log=True)
    title = "(d) Evaluations of the stress (ours)"
    curve_with_errors(counted, runs, "n", "evaluations", "method", title=title, log=True)
    for ax, shown in ((zoom, ("irqp", "recm")), (counted, OPTIMISERS)):
        kept = {METHODS[m] for m in shown}
        pairs = [pair for pair in zip(*ax.get_legend_handles_labels()) if pair[1] in kept]
        ax.legend(*zip(*pairs), loc="upper left", **legend_of_bars("quartiles"))
    for ax in (everything, zoom):
        ax.set_ylim(bottom=0)
        ax.set_xticks(params.sizes)
    ticks = sorted({min(params.sizes), max(params.sizes), *params.large_sizes})
    for ax in (logarithmic, counted):
        log_axis(ax.xaxis)
        ax.set_xticks(ticks, [str(n) for n in ticks])
        ax.set_ylim(top=6 * ax.get_ylim()[1])  # room for the legend
        ax.set_xlabel("number of objects n (logarithmic)")
    for ax in (everything, zoom):
        ax.set_xlabel("number of objects n")
    return {"evclus-fig-11": figure}


def named(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of the figure, in the order of the methods, with names and units as printed."""
    kept = pd.concat([runs[runs["method"] == method] for method in METHODS])
    columns = {"time_ms": 1e3 * kept["time_s"], "evaluations": kept["n_evaluations"].astype(float)}
    return kept.assign(method=kept["method"].map(METHODS), **columns)


experiment = declare(
    __name__,
    title="Computing time of EVCLUS, with two optimisers, and of RECM against the number of objects",
    artefacts={
        "evclus-fig-11": "Computing time against n: Gradient, IRQP and RECM; evaluations of the stress"
    },
    summaries=(growth,),
    smoke={"n_repeats": 1, "sizes": (60, 120, 240), "n_datasets": 3, "large_sizes": (360,), "n_large": 2},
    timed=True,
)
