"""The authors' own R functions and ours: which method is faster is a statement about programs.

The paper's times are those of its R package evclust. With ``credalbench run --with-r``, its functions
``recm``, ``kevclus`` and ``EkNNclus`` run here on the same data as ours, one after another, on one thread.
Otherwise figures and claims are those of the stored run of a machine that had the package
(``reference/stored/authors_programs.csv``, written by ``python tools/store_programs.py``).

Two parts. ``all pairs``: the setting of Figure 11 (EVCLUS with IRQP, and RECM, n = 100 to 600). ``sampled``:
that of Section 4.1 (k-EVCLUS with k = 100, RECM, EK-NNclus). The printed seconds are those of a laptop that
is no longer available, so only ratios are compared.

- *Time* is the processor time of the call alone, on one thread: other load on the machine counts little.
- *Input*: the attributes for k-EVCLUS and EK-NNclus, which compute the distances that they need, and the
  matrix of squared distances for RECM, made before its clock starts. ``from_matrix`` passes the matrix of
  distances to the other two as well.
- *RECM*: delta is d0 in the first part; in the second, delta^2 is the 0.95-quantile of the squared distances,
  as in the study ``three_methods``.
- *RECM from n = 3000 on* is left to that study: at n = 5000, the products of n x n matrices in R's own
  library would take several minutes for each run.
"""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist

from credalbench.cluster import EVCLUS, RECM, EKNNclus
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import log_axis

from ...rscript import RScript
from ..shared.clock import warm_up
from .claims import NAMES, both_programs, ratios_of_times

CLUSTERS = 4
PROGRAMS = RScript(Path(__file__).with_name("programs.R"), "3a709a47ac12")


@dataclass(frozen=True)
class Parameters:
    """The settings of Figure 11 and of Section 4.1; the numbers of data sets are ours."""

    sizes_all_pairs: tuple[int, ...] = knob(
        (100, 200, 300, 400, 500, 600), "n of EVCLUS and RECM (Section 3.2; the step is ours)", low=8
    )
    sizes_sampled: tuple[int, ...] = knob(
        (1000, 2000, 5000, 10_000), "n of the three methods (Section 4.1: 1000 to 5000, and 10000)", low=8
    )
    n_datasets: int = knob(5, "data sets for each n of the first part (the paper has 20)", low=2)
    n_sampled: int = knob(6, "data sets for each n of the second part with RECM (the paper has 10)", low=2)
    n_large: int = knob(3, "data sets for each larger n (the paper has 10)", low=2)
    k: int = knob(100, "partners of each object in k-EVCLUS (Section 4.1)", low=1)
    recm_up_to: int = knob(2000, "largest n for RECM (ours)", low=8)
    d0_quantile_all_pairs: float = knob(
        0.8, "d0 as a quantile of the distances, for Figure 11", low=0.01, high=1.0
    )
    d0_quantile: float = knob(0.9, "d0 as a quantile of the distances, for Section 4.1", low=0.01, high=1.0)
    delta_quantile: float = knob(0.95, "delta^2 of RECM as a quantile (Section 4.1)", low=0.01, high=1.0)
    alpha: float = knob(1.0, "penalty of large sets, exponent of their size, in RECM", low=0.0)
    beta: float = knob(1.5, "fuzziness, exponent of the masses, in RECM", low=1.01)
    neighbours_small: int = knob(100, "K of EK-NNclus for 2000 objects; elsewhere 3 sqrt(n)", low=1)
    neighbours_large: int = knob(300, "K of EK-NNclus for 10000 objects", low=1)
    initial_labels: int = knob(1000, "labels that EK-NNclus starts with, at most n", low=2)
    q: float = knob(0.95, "quantile that scales the evidence of EK-NNclus", low=0.01, high=1.0)
    tol: float = knob(1e-5, "threshold of EVCLUS, k-EVCLUS and RECM", low=0.0)
    from_matrix: bool = knob(False, "hand k-EVCLUS and EK-NNclus the matrix of distances, too")
    seed: int = knob(0, "seed of data sets and random starts", low=0)


def cases(params):
    """Let the sizes take turns, so that load on the machine affects all."""
    small = [n for n in params.sizes_sampled if n <= params.recm_up_to]
    large = [n for n in params.sizes_sampled if n > params.recm_up_to]
    parts = (
        ("all pairs", params.sizes_all_pairs, params.n_datasets),
        ("sampled", small, params.n_sampled),
        ("sampled", large, params.n_large),
    )
    return [
        {"part": part, "n": n, "dataset": d}
        for part, sizes, n_datasets in parts
        for d in range(n_datasets)
        for n in sizes
    ]


def compute(params, case):
    """Run the methods of both programs on one data set: table ``runs``, a row per program and method."""
    axes = ("t4", case["n"], case["dataset"])
    data = make_t4(case["n"], case_rng(params.seed, *axes))
    tasks = tasks_of(params, data, case["part"], case_random_state(params.seed, *axes))
    programs = {"R": PROGRAMS.run(X=data.X, tasks=tasks), "ours": run_ours(data, tasks)}
    return {"runs": pd.concat([described(data.y, *found).assign(program=p) for p, found in programs.items()])}


def described(y, runs: pd.DataFrame, labels: np.ndarray) -> pd.DataFrame:
    """Add the adjusted Rand index and the number of clusters of their labels (n, runs) to the runs."""
    ari = [adjusted_rand(y, column) for column in labels.T]
    return runs.assign(ari=ari, n_clusters=[len(np.unique(column)) for column in labels.T])


def tasks_of(params, data, part: str, seed: int) -> pd.DataFrame:
    """Return one row for each method of a part, with everything that a call needs."""
    n, distances = len(data.X), pdist(data.X)
    every_pair = part == "all pairs"
    d0 = np.quantile(distances, params.d0_quantile_all_pairs if every_pair else params.d0_quantile)
    delta = d0 if every_pair else np.sqrt(np.quantile(distances**2, params.delta_quantile))
    named = {2000: params.neighbours_small, 10_000: params.neighbours_large}
    settings = {
        "n_clusters": CLUSTERS,
        "k": n - 1 if every_pair else min(params.k, n - 1),
        "d0": d0,
        "alpha": params.alpha,
        "beta": params.beta,
        "delta": delta,
        "n_neighbors": min(n - 1, named.get(n, round(3 * n**0.5))),
        "initial_labels": min(n, params.initial_labels),
        "q": params.q,
        "tol": params.tol,
        "from_matrix": int(params.from_matrix),
        "seed": seed % (2**31 - 1),  # what R takes
    }
    methods = ["kevclus"] + ["recm"] * (n <= params.recm_up_to) + ["eknnclus"] * (not every_pair)
    return pd.DataFrame([{"method": method} | settings for method in methods])


def run_ours(data, tasks: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """Run the same calls of this package: method, processor seconds; and labels (n, number of tasks)."""
    warm_up()
    rows, labels = [], []
    for task in tasks.itertuples():
        precomputed = task.from_matrix or task.method == "recm"
        X = data.dissimilarities() if precomputed else data.X
        model = model_of(task, "precomputed" if precomputed else "euclidean")
        began = time.process_time()
        model.fit(X)
        rows.append({"method": task.method, "time_s": time.process_time() - began})
        own = task.method == "eknnclus"
        labels.append(model.labels_ if own else model.partition_.labels("plausibility"))
    return pd.DataFrame(rows), np.stack(labels, axis=1)


def model_of(task, metric: str):
    """Return the estimator that a row of tasks describes."""
    options = {"metric": metric, "random_state": task.seed}
    if task.method == "recm":
        recm = {"alpha": task.alpha, "beta": task.beta, "delta": task.delta, "focal_sets": "simple"}
        return RECM(task.n_clusters, tol=task.tol, **recm, **options)
    if task.method == "kevclus":
        pairs = {"n_pairs": task.k, "pair_sampling": "independent", "pair_updates": "one-sided"}
        return EVCLUS(task.n_clusters, d0=task.d0, init="random", tol=task.tol, **pairs, **options)
    return EKNNclus(task.initial_labels, n_neighbors=task.n_neighbors, q=task.q, init="random", **options)


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Draw times and ARI against n in both programs: Figures 11 (without Gradient) and 19 (n to 10000)."""
    runs = both_programs(tables)
    return {
        "evclus-fig-11": times_and_indices(runs[runs["part"] == "all pairs"], NAMES | {"kevclus": "EVCLUS"}),
        "evclus-fig-19": times_and_indices(runs[runs["part"] == "sampled"], NAMES),
    }


def times_and_indices(runs, names):
    """Draw two panels: seconds, on logarithmic axes, and adjusted Rand indices; medians with quartiles."""
    when = f", stored run of {runs['date'].max()}" if "date" in runs else ""
    named = runs.assign(method=runs["method"].map(names) + ", " + runs["program"])
    apart = {name: 1.02**i for i, name in enumerate(dict.fromkeys(named["method"]))}  # bars side by side
    named["n"] *= named["method"].map(apart)
    figure = new_figure(12.4, 4.2)
    left, right = figure.subplots(1, 2)
    curve_with_errors(left, named, "n", "time_s", "method", log=True, title=f"(a) Processor time{when}")
    curve_with_errors(right, named, "n", "ari", "method", title=f"(b) Adjusted Rand index{when}")
    for ax, label in ((left, "time (s, logarithmic)"), (right, "adjusted Rand index")):
        log_axis(ax.xaxis)
        ax.set_xticks(sorted(set(runs["n"])), [str(n) for n in sorted(set(runs["n"]))])
        ax.set_xlabel("number of objects n (logarithmic)")
        ax.set_ylabel(label)
    left.get_legend().remove()
    right.get_legend().set(loc="center left", bbox_to_anchor=(1.02, 0.5))
    return figure


experiment = declare(
    __name__,
    title="The authors' R functions and ours: which method is faster",
    artefacts={
        "evclus-fig-11": "EVCLUS and RECM against n, in R and ours",
        "evclus-txt-02": "Times of RECM, EK-NNclus and k-EVCLUS at n = 2000 and n = 10000, in R",
        "evclus-fig-19": "Three methods against n, in R and ours",
    },
    summaries=(ratios_of_times,),
    smoke={
        "sizes_all_pairs": (60, 120),
        "sizes_sampled": (150, 300, 600),
        "n_datasets": 2,
        "n_sampled": 2,
        "n_large": 2,
        "k": 30,
        "recm_up_to": 300,
        "initial_labels": 100,
    },
    timed=True,
)
