"""The last paragraph of Section 3.3: the cost of each step.

The paper counts operations; here the time of a step for growing numbers of objects shows how it grows. Steps
are timed one by one on further draws of Fourclass: the masses of all pairs of one base, the average of N
bases, the closures under the three t-norms of the paper, and a number of sweeps of the search for the
consensus from random masses, with simple focal sets, with pairs and with all sets. Seconds are those of our
compiled loops on one machine; ratios and slopes are compared.
"""

import time
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.belief.relations import close_masses
from credalbench.belief.relations.combination import combine_partitions
from credalbench.cluster.ensembles.consensus import recovered
from credalbench.core.intervals import median
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import make_fourclass
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.style import colour, legend_outside, line_style, log_axis, marker, style_axes

from ..shared.ensembles import CLOSURES, ecm_bases
from .claims import CLUSTERS, TXT, medians, numbers_of_sets, seconds


@dataclass(frozen=True)
class Parameters:
    """Sizes that are timed."""

    sizes: tuple[int, ...] = knob((250, 500, 1000), "numbers of objects (ours)", low=50)
    ensembles: tuple[int, ...] = knob((5, 10, 20), "numbers of bases (20 in Section 4)", low=1)
    base_n_clusters: int = knob(15, "clusters k_b of each base (Section 4.1)", low=3)
    n_sweeps: int = knob(20, "sweeps of the search that are timed (ours)", low=1)
    n_runs: int = knob(3, "draws of the data at each size", low=2)
    n_repeats: int = knob(2, "repetitions of a step, of which the fastest counts", low=1)
    seed: int = knob(0, "seed of data and bases", low=0)


def cases(params):
    """Let the sizes take turns, so that load on the machine affects all of them."""
    return [{"n": n, "repetition": r} for r in range(params.n_runs) for n in params.sizes]


def compute(params, case):
    """Compute the table ``steps``, one row for each step that is timed."""
    warm_up(params)
    n, number = case["n"], case["repetition"]
    X = make_fourclass(n, case_rng(params.seed, "times", n, number)).X
    seed = case_random_state(params.seed, "times", n, number)
    bases = ecm_bases(X, params.base_n_clusters, max(params.ensembles), 0.2, seed, pair_neighbors=None)
    return {"steps": pd.DataFrame(timed_steps(params, bases, seed))}


def timed_steps(params, bases, seed) -> list[dict]:
    """Time each step: its name, how many bases it takes, and how many focal sets the result has."""

    def row(step, call, n_bases=0, n_sets=0):
        return {"step": step, "n_bases": n_bases, "n_sets": n_sets, "time_s": fastest(params, call)}

    relation = combine_partitions(bases)
    rows = [row("pairs of a base", bases[0].normalized().relational, 1)]
    rows += [
        row("average", lambda size=size: combine_partitions(bases[:size]), size) for size in params.ensembles
    ]
    rows += [
        row(f"{name} closure", lambda norm=norm: close_masses(relation, norm))
        for name, norm in CLOSURES.items()
        if norm
    ]
    for sets in (
        FocalSets.simple(CLUSTERS, empty=False),
        FocalSets.up_to(CLUSTERS, 2, empty=False),
        FocalSets.full(CLUSTERS, empty=False),
    ):
        rows.append(row("consensus", lambda sets=sets: search(params, relation, sets, seed), 0, len(sets)))
    return rows


def search(params, relation, focal_sets, seed) -> None:
    """Run this number of sweeps of the search from random masses."""
    rng = np.random.RandomState(seed)
    rule = {"tol": 0.0, "max_iter": params.n_sweeps, "orient": False}
    recovered(relation, CLUSTERS, focal_sets, init="random", rng=rng, **rule)


def fastest(params, call) -> float:
    """Return the seconds of the fastest of some repetitions."""
    seconds = []
    for _ in range(params.n_repeats):
        begin = time.process_time()
        call()
        seconds.append(time.process_time() - begin)
    return min(seconds)


@cache
def warm_up(params) -> None:
    """Compile the kernels and take each step once on 60 objects, before any clock starts."""
    compile_kernels()
    timed_steps(params, ecm_bases(make_fourclass(60, 0).X, 5, max(params.ensembles), 0.2, 0), 0)


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    figure = new_figure(8.2, 4.6)
    ax = figure.subplots()
    steps = {
        "masses of all pairs of a base": ("pairs of a base", {}),
        f"average of {max(params.ensembles)} bases": ("average", {"n_bases": max(params.ensembles)}),
        "minimum closure": ("minimum closure", {}),
        "product closure": ("product closure", {}),
        "Łukasiewicz closure": ("lukasiewicz closure", {}),
    }
    for f in numbers_of_sets(tables):
        steps[f"{params.n_sweeps} sweeps, {f} focal sets"] = ("consensus", {"n_sets": f})
    for k, (label, (step, where)) in enumerate(steps.items()):
        found = [median(times) for times in seconds(params, tables, step, **where)]
        values, lows, highs = zip(*((e.value, e.low, e.high) for e in found))
        reach = [[v - a for v, a in zip(values, lows)], [b - v for v, b in zip(values, highs)]]
        look = {
            "color": colour(k),
            "linestyle": line_style(k),
            "marker": marker(k),
            "markeredgecolor": "white",
        }
        ax.errorbar(params.sizes, values, reach, label=label, ms=6.5, capsize=2, **look)
    log_axis(ax.xaxis)
    log_axis(ax.yaxis)
    ax.set_xticks(params.sizes)
    style_axes(
        ax, title="What the steps cost", xlabel="number of objects n", ylabel="median time (s)", grid="both"
    )
    legend_outside(ax)
    return {TXT: figure}


experiment = declare(
    __name__,
    title="What the steps of an ensemble cost",
    artefacts={TXT: "Time of each step against the number of objects"},
    summaries=(medians,),
    smoke={"sizes": (60, 120), "ensembles": (2, 4), "n_runs": 2, "n_repeats": 1, "n_sweeps": 2},
    timed=True,
)
