"""Six constrained algorithms against the number of random constraints: Figures 11 to 14.

Printed: 100 trials of random constraints for each number between 0 and 200, mean Rand index with its 95 %
interval; CECM and CFCM with Euclidean and Mahalanobis metric, COP-KMEANS, and a learnt metric followed by
fuzzy c-means (DML-FCM); alpha = 1, xi = 0.5. All algorithms of a trial meet the same constraints. Where the
paper leaves a choice (data: see ``shared/protocol.py``):

- *Start.* The prototypes of k-means for CECM, CFCM and, in the learnt metric, FCM; the same in every trial.
  COP-KMEANS starts from random objects, as published.
- *Failures of COP-KMEANS.* Ten new attempts, then the trial has no result: it is left out of the mean, and
  the share of such trials stands in the table. What the paper did is not said. The objects take turns in
  random order, anew in each attempt: in the order of the data nearly all trials fail at 200 constraints.
- *CFCM.* The weight of the constraints follows the rule of its authors: it balances both parts of the
  objective, anew in every iteration.
- *DML.* The full matrix.
- *Numbers of constraints.* Every 20th.
"""

import warnings
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pandas as pd

from credalbench.baselines import (
    MMC,
    ConstrainedFuzzyCMeans,
    ConstraintFailure,
    COPKMeans,
    FuzzyCMeans,
)
from credalbench.cluster import CECM
from credalbench.metrics import rand_index
from credalbench.plots import curve_with_errors, new_figure
from credalbench.runner import case_random_state, case_rng, declare, knob

from ..shared.protocol import draw_constraints, prepared, starting_prototypes
from .claims import FIGURES, METHODS, cop_failures, mean_rand_indices

TITLES = {"iris": "Iris", "wine": "Wine (standardised)", "glass": "Glass", "letters": "Letters I, J, L"}


@dataclass(frozen=True)
class Parameters:
    """The setting of Section 5.2.3; the grid of numbers is ours."""

    data_sets: tuple[str, ...] = knob(tuple(TITLES), "data sets: iris, wine, glass, letters")
    sizes: tuple[int, ...] = knob(tuple(range(0, 201, 20)), "numbers of constraints", low=0)
    n_trials: int = knob(100, "draws of constraints for each number", low=2)
    chunk: int = knob(25, "draws in one case", low=1)
    xi: float = knob(0.5, "weight of the constraints in CECM", low=0.0, high=0.99)
    alpha: float = knob(1.0, "exponent of the cardinality in CECM")
    n_restarts: int = knob(10, "new attempts of COP-KMEANS after a failure", low=0)
    order: str = knob("random", "order of the objects in COP-KMEANS", choices=("random", "data"))
    seed: int = knob(0, "of constraints and of COP-KMEANS", low=0)


def cases(params):
    if unknown := set(params.data_sets) - set(TITLES):
        raise ValueError(f"expected data_sets among {tuple(TITLES)}, got {sorted(unknown)}")
    return [
        {"dataset": name, "n_constraints": size, "chunk": first // params.chunk}
        for name in params.data_sets
        for size in params.sizes
        for first in range(0, params.n_trials, params.chunk)
    ]


def compute(params, case):
    """Table ``runs``: one row per repetition and method."""
    name, size = case["dataset"], case["n_constraints"]
    problem = prepared(name)
    first = case["chunk"] * params.chunk
    rows = []
    for trial in range(first, min(first + params.chunk, params.n_trials)):
        constraints = draw_constraints(problem.y, size, case_rng(params.seed, name, size, trial))
        links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
        seed = case_random_state(params.seed, name, size, trial, "start")
        for method in METHODS:
            begin = perf_counter()
            labels = cluster(method, params, name, links, seed)
            row = {"repetition": trial, "method": method, "status": "failed" if labels is None else "ok"}
            row["ri"] = np.nan if labels is None else rand_index(problem.y, labels)
            rows.append(row | {"time_s": perf_counter() - begin})
    return {"runs": pd.DataFrame(rows)}


def cluster(method, params, name, links, seed):
    """Labels (n,) by one of `METHODS`, or None where COP-KMEANS finds no assignment."""
    X, _, c, delta = prepared(name)
    start = starting_prototypes(name)
    family, _, metric = method.partition("-")
    if family == "COP":
        model = COPKMeans(c, order=params.order, n_restarts=params.n_restarts, random_state=seed)
        try:
            return model.fit(X, **links).labels_
        except ConstraintFailure:
            return None
    if family == "DML":
        learnt = MMC().fit(X, **links)
        return FuzzyCMeans(c, init=learnt.transform(start)).fit(learnt.transform(X)).labels_
    metric = {"Eucl": "euclidean", "Mah": "mahalanobis"}[metric]
    if family == "CECM":
        model = CECM(c, xi=params.xi, alpha=params.alpha, delta=delta, metric=metric, init=start)
    else:
        model = ConstrainedFuzzyCMeans(c, metric=metric, init=start)
    with warnings.catch_warnings():  # singular covariances, on Glass: capped by CFCM, ridged by CECM
        warnings.filterwarnings("ignore", "flat clusters|the covariance of cluster", UserWarning)
        return model.fit(X, **links).labels_


def draw(params, tables):
    """Figures 11 to 14: mean Rand index with its 95 % interval, one curve per method."""
    runs = tables["runs"]
    return {FIGURES[name]: picture(name, runs) for name in runs["dataset"].drop_duplicates()}


def picture(name, runs):
    figure = new_figure(7.2, 4.6)
    ax = figure.subplots()
    part = runs[runs["dataset"] == name]
    curve_with_errors(ax, part, "n_constraints", "ri", "method", kind="mean-ci", title=TITLES[name])
    ax.set_xlabel("number of random constraints")
    ax.set_ylabel("Rand index, mean with 95 % interval")
    ax.legend(frameon=False, ncols=2, fontsize="small")
    return figure


experiment = declare(
    __name__,
    title="CECM against five other constrained algorithms on four data sets",
    artefacts={FIGURES[name]: f"{TITLES[name]}: Rand index of six algorithms" for name in TITLES},
    summaries=(cop_failures, mean_rand_indices),
    smoke={"sizes": (0, 20, 100), "n_trials": 3, "chunk": 3},
)
