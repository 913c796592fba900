"""Algorithm 1 step by step, and the statements of Sections 2 and 3 on relations, closures and the search.

The search (27) to (29) runs from random masses, on the averaged relation of a small ensemble, without closure
and closed under the minimum: does the stress fall, and does it end at a local minimum? From the end, every
object is moved a little towards every focal set. Such moves must not lower the stress; if minimising it meant
maximising the credal Rand index, they could not raise that index either.

The programme of one object is formed with the matrices of the paper, (24) to (28), entry by entry: is it the
cost (23), is it convex, is its matrix positive definite? Further identities concern closures and powers, hard
bases and evidence accumulation, names of clusters, special partitions, and masses on the empty set.

Sets are small samples of Fourclass, of the half-rings (stand-in) and of Iris; the bases have different
numbers of clusters. Part of the box of the algorithm, the transitivity step, is missing from the text that we
have.
"""

import warnings
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import LinearConstraint, minimize

from credalbench.belief import FocalSets
from credalbench.belief.relations.combination import combine_partitions
from credalbench.cluster.ensembles.consensus import recovered
from credalbench.datasets import load, make_half_rings
from credalbench.papers import case_random_state, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.style import INK, TICK_SIZE, colour, line_style, log_axis, marker, style_axes

from ..shared.consensus_steps import closed
from ..shared.ensembles import CLOSURES, ecm_bases
from .claims import ALG, CONFIGURATIONS, DATASETS, SOLVERS, ends
from .forms import JACCARD, quadratic, row_programme, smallest_eigenvalue
from .identities import closure_row, identity_row
from .moves import moves_of, run_row


@dataclass(frozen=True)
class Parameters:
    """Small ensembles, and runs of the search on them."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "names of the data sets")
    n_objects: int = knob(100, "objects of each sample (ours)", low=20)
    n_estimators: int = knob(20, "number N of base partitions (Section 4.1.1)", low=2)
    most_clusters: int = knob(12, "clusters in a base, at most; at least as many as looked for", low=5)
    delta_quantile: float = knob(0.2, "delta as a quantile of the distances", low=0.01, high=1.0)
    n_starts: int = knob(20, "random starts on each relation", low=2)
    tol: float = knob(1e-9, "threshold of the stopping rule (29) (not stated)", low=0.0)
    max_iter: int = knob(2000, "cap on sweeps", low=1)
    n_rows: int = knob(5, "objects whose programme is formed in each run", low=1)
    n_closed: int = knob(40, "objects whose closure is compared with powers", low=4)
    seed: int = knob(0, "seed of samples, bases and starts", low=0)


def cases(params):
    starts = product(params.datasets, range(params.n_starts))
    runs = [{"part": "runs", "dataset": name, "repetition": start} for name, start in starts]
    identities = [{"part": "identities", "dataset": name, "repetition": 0} for name in params.datasets]
    return [*runs, *identities, {"part": "forms", "dataset": "", "repetition": 0}]


def compute(params, case):
    if case["part"] == "forms":
        least = float(np.linalg.eigvalsh(JACCARD)[0])
        return {"forms": form_table(params), "jaccard": pd.DataFrame([{"least": least}])}
    X, c = sample(params, case["dataset"])
    bases = bases_of(params, case["dataset"])
    if case["part"] == "identities":
        relation = combine_partitions(bases)
        seed = case_random_state(params.seed, case["dataset"], "identities")
        part = type(relation)(*(array[: params.n_closed, : params.n_closed] for array in relation))
        closures = [closure_row(part, name) for name, t_norm in CLOSURES.items() if t_norm]
        row = identity_row(params, X, bases, relation, c, seed)
        return {"closures": pd.DataFrame(closures), "identities": pd.DataFrame([row])}
    seed = case_random_state(params.seed, case["dataset"], case["repetition"])
    parts = [
        {name: table.assign(closure=closure) for name, table in run_tables(params, relation, c, seed).items()}
        for closure in ("none", "minimum")
        for relation in [relation_of(params, case["dataset"], closure)]
    ]
    names = ["runs", "traces", *(["moves"] if case["repetition"] == 0 else [])]
    return {name: pd.concat([part[name] for part in parts], ignore_index=True) for name in names}


def run_tables(params, relation, c, seed):
    """Run the search from random masses, as in the paper."""
    rule = {"tol": params.tol, "max_iter": params.max_iter, "rng": np.random.RandomState(seed)}
    found = recovered(relation, c, "simple", init="random", orient=False, **rule)
    trace = found.objective_trace
    return {
        "runs": pd.DataFrame([run_row(found, relation, params.n_rows)]),
        "traces": pd.DataFrame({"sweep": np.arange(len(trace)), "stress": trace}),
        "moves": moves_of(found, relation),
    }


def sample(params, name):
    """Return X (n, p) and c of some objects of a data set; the half-rings are drawn."""
    seed = case_random_state(params.seed, name)
    data = make_half_rings(400, seed, noise=0.5) if DATASETS[name] is None else load(DATASETS[name])
    rng = np.random.RandomState(seed)
    rows = np.sort(rng.choice(len(data.y), min(params.n_objects, len(data.y)), replace=False))
    return data.X[rows], int(data.y.max()) + 1


@cache
def bases_of(params, name):
    """Return the ensemble of a data set, the same in all its cases."""
    X, c = sample(params, name)
    seed = case_random_state(params.seed, name, "bases")
    return ecm_bases(X, (c, params.most_clusters), params.n_estimators, params.delta_quantile, seed)


@cache
def relation_of(params, name, closure):
    """Return the averaged relation, with or without closure."""
    return closed(combine_partitions(bases_of(params, name)), closure)


def form_table(params) -> pd.DataFrame:
    """Return the matrix (28a) of a row for partners of several kinds: smallest eigenvalue over the largest.

    Columns of `SOLVERS`: how far from the minimum of the programme they end, at most, see `solved`.
    """
    rng, rows, c = np.random.default_rng(params.seed), [], 4
    kinds = {"simple": FocalSets.simple(c, empty=False), "pairs": FocalSets.up_to(c, 2, empty=False)}
    for name, focal_sets in kinds.items():
        for configuration in CONFIGURATIONS:
            masses = partners(configuration, focal_sets, rng)
            programme = row_programme(masses, focal_sets, rng.dirichlet(np.ones(3), len(masses)))
            row = {"configuration": configuration, "focal_sets": name, "n_sets": len(focal_sets)}
            row |= {"least": smallest_eigenvalue(programme[0])}
            rows.append(row | {name: solved(programme, method) for name, method in SOLVERS.items()})
    return pd.DataFrame(rows)


def partners(configuration, focal_sets, rng):
    """Return the masses (20, f) of the partners of an object, of one of the kinds in `CONFIGURATIONS`."""
    masses = rng.dirichlet(np.ones(len(focal_sets)), 20)
    sets = focal_sets.membership
    if configuration == "all vacuous":
        masses = np.tile(sets.all(axis=1).astype(float), (20, 1))
    if configuration == "all surely in one cluster":
        masses = np.tile((focal_sets.cardinality == 1) & sets[:, 0], (20, 1)).astype(float)
    if configuration == "two clusters without mass":
        masses = masses * ~sets[:, 2:].any(axis=1)
    return masses / masses.sum(axis=1, keepdims=True)


def solved(programme, method: str) -> float:
    """Return a bound, by convexity, on how far a solver ends above the minimum, over the constant term."""
    matrix, linear, constant = programme
    n_sets = len(linear)
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # the slope may not change at all
        found = minimize(
            quadratic,
            np.full(n_sets, 1 / n_sets),
            (programme,),
            method,
            jac=lambda m, _: 2 * matrix @ m + linear,
            bounds=[(0, 1)] * n_sets,
            constraints=LinearConstraint(np.ones(n_sets), 1, 1),
            tol=1e-12,
        )
    m = found.x.clip(0) / found.x.clip(0).sum()
    slope = 2 * matrix @ m + linear
    return float((slope @ m - slope.min()) / constant)


# ---------------------------------------------------------------- drawing


LEAST = 1e-9  # rise of the stress that is drawn; no move lowers it
SHOWN = 6  # runs of each data set whose sweeps are drawn
CLOSED = ("none", "minimum")


def draw(params, tables):
    figure = new_figure(10.6, 7.4)
    axes = figure.subplots(2, 2)
    names = [name for name in DATASETS if name in set(tables["runs"]["dataset"])]
    for row, closure in zip(axes, CLOSED):
        words = "no closure" if closure == "none" else "minimum closure"
        draw_sweeps(row[0], tables["traces"], names, closure, f"Sweeps from random masses: {words}")
        draw_moves(row[1], tables["moves"], names, closure, f"Small moves from an end: {words}")
    handles, labels = axes[0, 1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", frameon=False, fontsize=TICK_SIZE, ncols=4)
    return {ALG: figure}


def draw_sweeps(ax, traces, names, closure, title):
    """Draw the stress of a few runs over that of their start."""
    for k, name in enumerate(names):
        part = traces[(traces["dataset"] == name) & (traces["closure"] == closure)]
        for _, run in part[part["repetition"] < SHOWN].groupby("repetition"):
            look = {"color": colour(k), "linestyle": line_style(k), "linewidth": 1.0, "alpha": 0.8}
            ax.plot(run["sweep"] + 1, run["stress"] / run["stress"].iloc[0], **look)
    log_axis(ax.xaxis)
    style_axes(ax, title=title, xlabel="sweeps + 1", ylabel="stress / stress of the start", grid="both")


def draw_moves(ax, moves, names, closure, title):
    """Draw small moves of one object from where a run ended: what they do to the stress and to the index."""
    for k, name in enumerate(names):
        part = moves[(moves["dataset"] == name) & (moves["closure"] == closure)]
        look = {"ls": "none", "color": colour(k), "ms": 4, "mec": "white", "mew": 0.3, "label": name}
        ax.plot(part["stress_change"].clip(LEAST), 1e6 * part["rand_gain"], marker(k), **look)
    ax.axhline(0, color=INK, linewidth=0.8)
    log_axis(ax.xaxis)
    style_axes(
        ax,
        title=title,
        xlabel="rise of the stress, as a share of it",
        ylabel="gain of the credal Rand index (1e-6)",
        grid="both",
    )


experiment = declare(
    __name__,
    title="Algorithm 1, step by step",
    artefacts={ALG: "Combination, closure and search for the consensus"},
    summaries=(ends,),
    smoke={"n_objects": 40, "n_estimators": 6, "n_starts": 4, "n_closed": 20, "tol": 1e-7, "n_rows": 2},
    data=("fourclass", "iris_uci"),
)
