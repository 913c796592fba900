"""Algorithms 1 and 2 step by step: the objective never rises, and without constraints it is ECM.

Each run follows the boxes on two-class data from random prototypes: masses, prototypes and, in Algorithm 2,
norms in turn, with the objective (21) after each step. The paper solves the programme of the masses by a
method for convex ones, which it is not in general; ours ends in a local minimum that is never above the
masses before. Prototypes solve (A.5) or (33), norms are (42): both are exact, as only the first part of (21)
sees them.

Not printed: the threshold on the prototypes, the first norms (identities), what to do with a singular
covariance (none occurs here). The number of iterations below is fixed, so that the steps can be counted.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.masses import constrained_masses, constraint_terms, scaled_objective
from credalbench.cluster.prototypes.mass_update import focal_costs
from credalbench.cluster.prototypes.prototype_step import (
    norm_matrices,
    prototypes,
    prototypes_mahalanobis,
    squared_distances,
)
from credalbench.datasets import make_two_class_cecm
from credalbench.papers import PROPERTY, case_rng, declare, knob
from credalbench.papers.claims import above, all_of, below, claim
from credalbench.plots import MARKERS, PALETTE, new_figure
from credalbench.plots.style import MUTED, legend_outside, style_axes

from .shared.protocol import draw_constraints

ARTEFACT = {"euclidean": "cecm-alg-01", "mahalanobis": "cecm-alg-02"}
STEPS = ("masses", "prototypes", "norms")
ROUNDING = 1e-12  # of the objective, relative: sums over some thousand terms and a linear system


@dataclass(frozen=True)
class Parameters:
    """Runs of both algorithms on the two-class data."""

    n_objects: int = knob(400, "number of objects n (Table 4)", low=16)
    n_clusters: tuple[int, ...] = knob((2, 3, 4), "numbers of clusters c (the paper: 2; 4 in Table 9)", low=2)
    n_constraints: int = knob(100, "random pairs (Table 9)", low=1)
    rho2: float = knob(100.0, "squared outlier distance, to the empty set (Section 5.2.1)", low=0.01)
    xi: float = knob(0.5, "weight of the constraints, 0 to 1 (Section 5.1.5)", low=0.0, high=0.999)
    n_runs: int = knob(10, "draws of data, constraints and prototypes for each c", low=1)
    n_iterations: int = knob(20, "iterations of each run", low=1)
    seed: int = knob(0, "seed of data, constraints and prototypes", low=0)


def cases(params):
    runs = product(ARTEFACT, params.n_clusters, range(params.n_runs))
    return [{"metric": metric, "c": c, "repetition": repetition} for metric, c, repetition in runs]


def compute(params, case):
    c = case["c"]
    rng = case_rng(params.seed, "two_class", params.n_objects, c, case["repetition"])
    data = make_two_class_cecm(params.n_objects, rng)
    constraints = draw_constraints(data.y, params.n_constraints, rng)
    start = data.X[rng.choice(params.n_objects, c, replace=False)]
    steps, norms = follow(params, case["metric"], data.X, start, constraints)
    options = {"delta": params.rho2**0.5, "metric": case["metric"], "init": start}
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    ecm = ECM(c, focal_sets="full", **options).fit(data.X)
    same = CECM(c, xi=0.0, **options).fit(data.X, **links)
    fit = CECM(c, xi=params.xi, **options).fit(data.X, **links)
    row = {
        "trace_rise": float(np.diff(fit.objective_trace_).max(initial=-np.inf) / fit.objective_trace_[0]),
        "n_iter": fit.n_iter_,
        "ecm_masses": float(np.abs(same.partition_.masses - ecm.partition_.masses).max()),
        "ecm_prototypes": float(np.abs(same.cluster_centers_ - ecm.cluster_centers_).max()),
        "ecm_objective": abs(same.objective_ - ecm.objective_) / ecm.objective_,
        "determinant": float(np.abs(np.linalg.det(norms) - 1).max()),
        "least_eigenvalue": float(np.linalg.eigvalsh(norms).min()),
        "asymmetry": float(np.abs(norms - norms.swapaxes(1, 2)).max()),
        "ridged": bool(fit.ridged_.any()),
    }
    return {"steps": steps, "runs": pd.DataFrame([row])}


def follow(params, metric, X, V, constraints):
    """Return the objective after each step of the box, and the norms of all iterations: table, (k, p, p)."""
    focal_sets = FocalSets.full(len(V))
    terms = constraint_terms(constraints, focal_sets, params.xi)
    S = np.tile(np.eye(X.shape[1]), (len(V), 1, 1))
    masses, rows, norms = None, [], [S]

    def record(iteration, step):
        costs = focal_costs(squared_distances(X, V, focal_sets, S), focal_sets, 1.0, params.rho2**0.5)
        value = scaled_objective(masses, costs, terms) * (1 - params.xi) / costs.size
        rows.append({"iteration": iteration, "step": step, "objective": value})

    for iteration in range(1, params.n_iterations + 1):
        costs = focal_costs(squared_distances(X, V, focal_sets, S), focal_sets, 1.0, params.rho2**0.5)
        masses = constrained_masses(costs, terms, masses)
        record(iteration, "masses")
        if metric == "euclidean":
            V = prototypes(X, masses, focal_sets, 1.0, 2.0, start=V)
            record(iteration, "prototypes")
            continue
        V = prototypes_mahalanobis(X, masses, S, focal_sets, 1.0, 2.0, start=V)
        record(iteration, "prototypes")
        S, _ = norm_matrices(X, V, masses, focal_sets, 1.0, 2.0, previous=S)
        norms.append(S)
        record(iteration, "norms")
    return pd.DataFrame(rows), np.concatenate(norms)


def draw(params, tables):
    return {artefact: draw_steps(params, tables["steps"], metric) for metric, artefact in ARTEFACT.items()}


def draw_steps(params, steps, metric):
    """Draw the objective of the first run for each number of clusters, a marker for each kind of step."""
    figure = new_figure(7.0, 3.6)
    ax = figure.subplots()
    steps = steps[(steps["metric"] == metric) & (steps["repetition"] == 0) & (steps["iteration"] <= 10)]
    for c, run in steps.groupby("c"):
        kinds = run["step"].nunique()
        at = run["iteration"] + run.groupby("iteration").cumcount() / kinds
        ax.plot(at, run["objective"], color=MUTED, linewidth=0.9, zorder=1)
        ax.annotate(f"c = {c}", (at.iloc[-1], run["objective"].iloc[-1]), (6, -3), textcoords="offset points")
        for place, step in enumerate(STEPS[:kinds]):
            chosen = run["step"] == step
            look = {"ls": "none", "marker": MARKERS[place], "ms": 4.5, "color": PALETTE[place]}
            label = f"after {step}" if c == steps["c"].min() else None
            ax.plot(at[chosen], run.loc[chosen, "objective"], label=label, **look)
    number = 1 if metric == "euclidean" else 2
    style_axes(ax, title=f"Algorithm {number}: no step raises J", xlabel="iteration", ylabel="objective J")
    legend_outside(ax)
    return figure


# ------------------------------------------------------------------------------------------ claims


def largest_rise(steps):
    """Return the largest rise of the objective over a step, relative to its first value; by kind of step."""
    run = ["metric", "c", "repetition"]
    first = steps.groupby(run)["objective"].transform("first")
    rise = steps.groupby(run)["objective"].diff() / first
    return rise.groupby(steps["step"]).max()


def of(metric, table):
    """Return the rows of one algorithm."""
    return table[table["metric"] == metric]


BOTH = [
    {"artefact": ARTEFACT[metric], "metric": metric, "steps": ", ".join(STEPS[:kinds])}
    for metric, kinds in (("euclidean", 2), ("mahalanobis", 3))
]


@claim("{artefact}", "no step raises the objective: {steps}", PROPERTY, each=BOTH)
def no_step_rises(params, tables, metric):
    rise = largest_rise(of(metric, tables["steps"]))
    changes = {step: rise[step] for step in STEPS if step in rise.index}
    return below(ROUNDING, changes, "+.1e", "largest changes of J, relative")


@claim("{artefact}", "the objective never rises from iteration to iteration", PROPERTY, each=BOTH)
def no_iteration_rises(params, tables, metric):
    runs = of(metric, tables["runs"])
    note = f"{runs['n_iter'].sum()} iterations"
    return below(ROUNDING, {"largest change": runs["trace_rise"].max()}, "+.1e", note)


@claim("{artefact}", "with xi = 0 it reproduces ECM at beta = 2, to 1e-8", PROPERTY, each=BOTH)
def without_weight_it_is_ecm(params, tables, metric):
    runs = of(metric, tables["runs"])
    parts = ("masses", "prototypes", "objective")
    return below(1e-8, {part: runs[f"ecm_{part}"].max() for part in parts}, ".1e", "largest differences")


@claim(ARTEFACT["mahalanobis"], "the norms are symmetric, positive definite and of determinant 1", PROPERTY)
def norms_are_norms(params, tables):
    runs = of("mahalanobis", tables["runs"])
    return all_of(
        below(ROUNDING, {"asymmetry": runs["asymmetry"].max()}, ".1e"),
        above(0, {"least eigenvalue": runs["least_eigenvalue"].min()}),
        # rounding of an inverse and a determinant
        below(1e-9, {"largest distance of a determinant from 1": runs["determinant"].max()}, ".1e"),
    )


experiment = declare(
    __name__,
    title="Algorithms 1 and 2, step by step",
    artefacts={
        "cecm-alg-01": "CECM with the Euclidean metric",
        "cecm-alg-02": "CECM with an adaptive metric",
    },
    smoke={"n_clusters": (2, 3), "n_runs": 2, "n_iterations": 6, "n_objects": 100, "n_constraints": 30},
)
