"""Where the mass step of CECM ends, by solver and start: shares of the draws near the lowest objective.

    python benchmarks/cecm_mass_step.py [--draws 10]

Data, constraints and settings are those of Tables 5 and 6 of [antoine2012_cecm] at xi = 0.5. The program runs
one mass step at the prototypes of k-means, by the solvers of the library and by an interior-point method that
cyclic sweeps complete. It also runs whole fits by each solver from k-means, from random prototypes, and from
the best of five random starts. *near* is the share of the draws that end within 0.1 % of the lowest objective
of their draw, *excess* the median distance to it. The files of Iris and Glass are needed.
"""

import argparse
import time
import warnings

import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster import CECM
from credalbench.cluster.constrained.masses import (
    SOLVERS,
    constrained_masses,
    constraint_terms,
    scaled_objective,
    settle,
)
from credalbench.cluster.prototypes.mass_update import focal_costs
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.metrics import rand_index
from credalbench.papers import case_random_state, case_rng
from experiments.antoine2012_cecm.shared.interior_point import InteriorPoint
from experiments.antoine2012_cecm.shared.protocol import draw_constraints, prepared, starting_prototypes

METRIC = {"iris": "mahalanobis", "wine": "euclidean", "glass": "mahalanobis"}
SIZES = (20, 50, 100, 200)
XI, NEAR = 0.5, 1e-3
STARTS = {"k-means": {}, "random": {"init": "random"}, "best of random": {"init": "random", "n_init": 5}}


def steps(name, constraints):
    """Yield (solver, objective, Rand index) of single mass steps."""
    problem = prepared(name)
    sets = FocalSets.full(problem.n_clusters)
    distances = squared_distances(problem.X, starting_prototypes(name), sets)
    costs = focal_costs(distances, sets, 1.0, problem.delta)
    terms = constraint_terms(constraints, sets, XI)
    for solver in SOLVERS:
        yield solver, scaled_objective(constrained_masses(costs, terms, solver=solver), costs, terms), None
    masses = settle(costs, InteriorPoint(terms)(costs), terms)
    yield "interior point", scaled_objective(masses, costs, terms), None


def fits(name, constraints, seed):
    """Yield (solver and start, objective, Rand index) of whole fits."""
    problem = prepared(name)
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    options = {"xi": XI, "delta": problem.delta, "metric": METRIC[name], "random_state": seed, "n_init": 1}
    for solver in SOLVERS:
        for start, own in STARTS.items():
            chosen = options | {"init": starting_prototypes(name)} | own
            model = CECM(problem.n_clusters, solver=solver, **chosen).fit(problem.X, **links)
            yield f"{solver}, {start}", model.objective_, rand_index(problem.y, model.labels_)


def rows(draws):
    """Yield a row for each data set, number of constraints, draw and way."""
    for name in METRIC:
        for size in SIZES:
            for draw in range(draws):
                constraints = draw_constraints(prepared(name).y, size, case_rng(0, name, size, draw))
                seed = case_random_state(0, name, size, draw, "starts")
                parts = {"one step": steps(name, constraints), "fit": fits(name, constraints, seed)}
                for part, found in parts.items():
                    began = time.perf_counter()
                    for way, objective, ri in found:
                        seconds, began = time.perf_counter() - began, time.perf_counter()
                        key = {"part": part, "dataset": name, "n_constraints": size, "draw": draw}
                        yield key | {"way": way, "objective": objective, "ri": ri, "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=10, help="draws of each number of constraints")
    warnings.filterwarnings("ignore", "the covariance of cluster", UserWarning)  # from random prototypes
    table = pd.DataFrame(rows(parser.parse_args().draws)).astype({"ri": float})
    lowest = table.groupby(["part", "dataset", "n_constraints", "draw"])["objective"].transform("min")
    table["excess"] = table["objective"] / lowest - 1
    table["near"] = table["excess"] <= NEAR
    measures = {"near": "mean", "excess": "median", "ri": "mean", "seconds": "mean"}
    print(table.groupby(["part", "way"], sort=False).agg(measures).round(4).to_string())


if __name__ == "__main__":
    main()
