"""Beyond the paper: what it leaves open, tried against what its Tables 5, 6 and 8 print.

How are the data scaled, how is a constraint weighed, where do the iterations start, when do they stop, how
far does a mass step go? The paper does not say all of it, and with the readings of our other studies some
printed cells are missed. So each open point is turned, one at a time, and judged by the rule that judges
everything:

``cells``
    Tables 5 and 6 without constraints and with 200 of them, under each convention of ``variants.py``. Is
    there one that fits Iris, Wine and Glass?
``stops``
    Table 8: both algorithms are iterated once, the changes of the prototypes recorded, and every criterion
    and threshold applied to the record. Is there one that gives all 16 printed means? CECM runs with our mass
    step and, more slowly, as in an R function of its authors that came later.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
import pandas as pd

from credalbench.metrics import rand_index
from credalbench.papers import case_random_state, case_rng, declare, knob

from ..rand_tables.claims import METRICS
from ..shared.interior_point import InteriorPoint
from ..shared.paths import cecm_path, cfcm_path
from ..shared.protocol import draw_constraints, prepared, starting_prototypes
from ..times.claims import DATASETS, KMEANS, RANDOM
from ..times.claims import METRICS as BOTH_METRICS
from .claims import ARTEFACT, CRITERIA, OURS, by_convention, by_criterion, by_mass_step
from .variants import CONVENTIONS, PROGRAM, labels_of, weighed


@dataclass(frozen=True)
class Parameters:
    """Sizes and weights are the paper's; how many draws and what is tried is ours."""

    n_constraints: int = knob(200, "random constraints (Table 6)", low=1)
    xi: tuple[float, ...] = knob((0.0, 0.1, 0.5), "weights of the constraints, 0 to 1", low=0.0, high=0.99)
    n_trials: int = knob(20, "draws of the constraints for each convention", low=2)
    n_slow_trials: int = knob(10, "of these draws, how many with interior-point masses", low=2)
    n_stop_constraints: int = knob(100, "random constraints of the iterations (Table 8)", low=1)
    n_stop_trials: int = knob(10, "draws for counting iterations", low=2)
    n_slow_stop_trials: int = knob(4, "of these draws, how many with interior-point masses", low=2)
    thresholds: tuple[float, ...] = knob((1e-1, 1e-2, 1e-3, 1e-4), "least changes, falling", low=0.0)
    slow_threshold: float = knob(1e-3, "least of them with interior-point masses", low=0.0)
    max_iter: int = knob(200, "iterations after which a criterion counts as not met", low=1)
    slow_max_iter: int = knob(80, "the same with interior-point masses", low=1)
    seed: int = knob(0, "seed of constraints and starts", low=0)


def cases(params):
    """Return one case per data set and convention, and per data set and draw of the iterations."""
    cells = [{"part": "cells", "dataset": d, "convention": name} for d in METRICS for name in CONVENTIONS]
    draws = product(DATASETS, range(params.n_stop_trials))
    return cells + [{"part": "stops", "dataset": d, "repetition": t} for d, t in draws]


def compute(params, case):
    """Compute the tables ``cells``, one row per fit, and ``stops``, one per path, criterion and threshold."""
    if case["part"] == "cells":
        return {"cells": pd.DataFrame(cell_rows(params, case["dataset"], case["convention"]))}
    return {"stops": pd.DataFrame(stop_rows(params, case["dataset"], case["repetition"]))}


# ---------------------------------------------------------------- Tables 5 and 6


def cell_rows(params, dataset: str, convention: str) -> Iterator[dict]:
    """Yield the Rand index of every weight and draw under one convention, on the draws of Tables 5 and 6."""
    y, C = prepared(dataset).y, params.n_constraints
    for xi in params.xi:
        n_trials = params.n_slow_trials if CONVENTIONS[convention].interior else params.n_trials
        for trial in range(n_trials if xi else 1):
            constraints = draw_constraints(y, C, case_rng(params.seed, dataset, C, trial))
            seed = case_random_state(params.seed, dataset, C, trial)
            labels = labels_of(convention, dataset, METRICS[dataset], constraints, xi, seed)
            yield {"n_constraints": C, "xi": xi, "repetition": trial, "ri": rand_index(y, labels)}


# ---------------------------------------------------------------- Table 8


def stop_rows(params, dataset: str, trial: int) -> Iterator[dict]:
    """Count iterations until each criterion would have stopped each algorithm, on one draw."""
    problem = prepared(dataset)
    rng = case_rng(params.seed, dataset, params.n_stop_constraints, trial)
    constraints = draw_constraints(problem.y, params.n_stop_constraints, rng)
    objects = problem.X[rng.choice(len(problem.X), problem.n_clusters, replace=False)]
    for start, V in ((RANDOM, objects), (KMEANS, starting_prototypes(dataset))):
        for short, metric in BOTH_METRICS.items():
            paths = {
                (f"cfcm_{short}", OURS): cfcm_path(problem, V, constraints, metric),
                (f"cecm_{short}", OURS): cecm_path(problem, V, constraints, metric, 0.5),
            }
            for (method, way), path in paths.items():
                for row in counted(V, path, params.thresholds, params.max_iter):
                    yield {"start": start, "method": method, "way": way} | row
            if start == KMEANS and trial < params.n_slow_stop_trials:
                weighted, xi = weighed(constraints, 0.5, CONVENTIONS[PROGRAM])
                path = cecm_path(problem, V, weighted, metric, xi, InteriorPoint)
                coarse = [t for t in params.thresholds if t >= params.slow_threshold]
                for row in counted(V, path, coarse, params.slow_max_iter):
                    yield {"start": start, "method": f"cecm_{short}", "way": PROGRAM} | row


def counted(V: np.ndarray, path: Iterator, thresholds: list[float], most: int) -> Iterator[dict]:
    """Return the first iteration whose change is at most each threshold, by criterion; else `most`."""
    changes = []
    for after, _ in islice(path, most):
        changes.append([criterion(V, after) for criterion in CRITERIA.values()])
        V = after
        if max(changes[-1]) <= min(thresholds):
            break
    for name, column in zip(CRITERIA, np.transpose(changes)):
        for threshold in thresholds:
            reached = np.flatnonzero(column <= threshold)
            n_iter = reached[0] + 1 if len(reached) else most
            yield {"criterion": name, "threshold": threshold, "n_iter": n_iter, "converged": len(reached) > 0}


experiment = declare(
    __name__,
    title="CECM: what the paper leaves open, tried against its tables",
    artefacts={ARTEFACT: "Open conventions against Tables 5, 6 and 8"},
    summaries=(by_convention, by_criterion, by_mass_step),
    smoke={
        "n_trials": 5,
        "n_slow_trials": 5,
        "xi": (0.0, 0.5),
        "n_constraints": 20,
        "n_stop_trials": 2,
        "n_slow_stop_trials": 2,
        "n_stop_constraints": 20,
        "thresholds": (1e-1, 1e-2),
        "slow_threshold": 1e-1,
        "max_iter": 10,
        "slow_max_iter": 10,
    },
    data=("iris_uci", "glass", "letters_ijl"),
)
