"""Measure seconds and objective of a CECM fit at the size of Iris with 100 constraints, adaptive metric.

The same run, on the same 20 draws, also measures constrained fuzzy c-means, and the alternation that a user
would write with an interior-point method for the mass step, as in the paper. The program prints medians and
ratios. It needs iris.data (CREDALBENCH_DATA or a network).
"""

import sys
import time

import numpy as np
import pandas as pd

from credalbench.baselines import ConstrainedFuzzyCMeans
from credalbench.belief import FocalSets
from credalbench.cluster import CECM
from credalbench.cluster.constrained.masses import constraint_terms, scaled_objective
from credalbench.cluster.prototypes.mass_update import focal_costs
from credalbench.cluster.prototypes.prototype_step import (
    norm_matrices,
    prototypes_mahalanobis,
    squared_distances,
)
from credalbench.core.threads import one_blas_thread
from credalbench.datasets import DataUnavailable
from experiments.antoine2012_cecm.shared.interior_point import InteriorPoint
from experiments.antoine2012_cecm.shared.protocol import draw_constraints, prepared, starting_prototypes

CONSTRAINTS = 100
DRAWS = 20
SLOW_DRAWS = 3  # of the interior-point arm
XI = 0.5


def with_interior_point(problem, V, constraints, tol=1e-3):
    """Return the objective of CECM's alternation with scipy's mass step."""
    X, focal_sets = problem.X, FocalSets.full(problem.n_clusters)
    mass_step = InteriorPoint(terms := constraint_terms(constraints, focal_sets, XI))
    S = np.tile(np.eye(X.shape[1]), (len(V), 1, 1))
    least_move = tol * np.sqrt(X.var(axis=0).sum())
    while True:
        costs = focal_costs(squared_distances(X, V, focal_sets, S), focal_sets, 1.0, problem.delta)
        masses = mass_step(costs)
        before, V = V, prototypes_mahalanobis(X, masses, S, focal_sets, 1.0, start=V)
        if np.linalg.norm(V - before, axis=1).max() <= least_move:
            return scaled_objective(masses, costs, terms) * (1 - XI) / costs.size
        S, _ = norm_matrices(X, V, masses, focal_sets, 1.0, previous=S)


def arms(problem, start):
    """Return name -> (draws, function of constraints; it returns J, or NaN for a different objective)."""

    def fit(model, own_objective=True):
        def run(links):
            model.fit(problem.X, must_link=links.must_link, cannot_link=links.cannot_link)
            return model.objective_ if own_objective else np.nan

        return run

    options = {"delta": problem.delta, "metric": "mahalanobis", "xi": XI, "random_state": 0}
    fuzzy = ConstrainedFuzzyCMeans(problem.n_clusters, metric="mahalanobis", init=start)
    return {
        "CECM, one start": (DRAWS, fit(CECM(problem.n_clusters, init=start, **options))),
        "CECM, five starts (default)": (DRAWS, fit(CECM(problem.n_clusters, **options))),
        "constrained fuzzy c-means": (DRAWS, fit(fuzzy, own_objective=False)),
        "interior-point mass step": (SLOW_DRAWS, lambda links: with_interior_point(problem, start, links)),
    }


def main():
    try:
        problem = prepared("iris")
    except DataUnavailable as error:
        sys.exit(f"left out: {error}")
    rows = []
    for name, (draws, run) in arms(problem, starting_prototypes("iris")).items():
        run(draw_constraints(problem.y, CONSTRAINTS, np.random.default_rng(0)))  # compiled, caches warm
        for draw in range(draws):
            links = draw_constraints(problem.y, CONSTRAINTS, np.random.default_rng([1, draw]))
            with one_blas_thread():
                begin = time.perf_counter()
                objective = run(links)
                rows.append((name, time.perf_counter() - begin, objective))
    table = (
        pd.DataFrame(rows, columns=["method", "time_s", "objective"]).groupby("method", sort=False).median()
    )
    table["times"] = table["time_s"] / table["time_s"].iloc[0]
    print(f"iris, {CONSTRAINTS} constraints, medians:")
    print(table.round(4).to_string())


if __name__ == "__main__":
    main()
