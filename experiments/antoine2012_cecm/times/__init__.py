"""Tables 7 to 9 of [antoine2012_cecm]: times and iterations, CECM beside constrained fuzzy c-means.

Tables 7 and 8: 20 draws of 100 random constraints on Iris, Wine, Glass and Letters, both algorithms with both
metrics. Table 9: CECM with c = 4 on Two-class, all 16 focal sets against the empty set, the clusters, their
pairs and the frame. Data and delta are those of ``shared/protocol.py``; both algorithms start
from the same prototypes and meet the same draws. Where the paper leaves a choice:

- *Start.* Its algorithms start from random prototypes: random objects here. The centres of k-means, which
  Tables 5 and 6 need, run beside them.
- *Stopping.* No threshold is printed. CECM stops when prototypes rest, the other algorithm when memberships
  do; each has its own default.
- *Truth with c = 4.* The data have two classes, but four clusters and a Rand index of 0.99 fit only the four
  Gaussians: constraints and Rand index are about these. The other reading is a knob.
- *Seconds.* The paper's programs and machine are others: only orders and ratios can be compared. Each fit is
  repeated and the fastest counts.
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
from credalbench.kernels import compile_kernels
from credalbench.metrics import rand_index
from credalbench.runner import case_rng, declare, knob

from ..shared.protocol import draw_constraints, prepared, starting_prototypes
from .claims import DATASETS, KMEANS, METRICS, RANDOM, side_by_side

GAUSSIANS = 4
TRUTHS = ("gaussians", "classes")


@dataclass(frozen=True)
class Parameters:
    """The paper's values; repetitions, thresholds and seed are ours."""

    n_constraints: int = knob(100, "random constraints (Tables 7 to 9)", low=1)
    n_trials: int = knob(20, "draws of the constraints (Tables 7 to 9)", low=2)
    n_repeats: int = knob(3, "repetitions of a fit, of which the fastest counts (ours)", low=1)
    xi: float = knob(0.5, "weight of the constraints (Section 5.1.5)", low=0.0, high=0.99)
    alpha: float = knob(1.0, "exponent of the cardinality (Section 5.1.5)")
    tol: float = knob(1e-3, "threshold of CECM, share of the data's spread (not stated)", low=0.0)
    cfcm_tol: float = knob(1e-3, "threshold of constrained fuzzy c-means (not stated)", low=0.0)
    max_iter: int = knob(1000, "cap on iterations (ours)", low=1)
    truth: str = knob("gaussians", "what constraints and Rand index of Table 9 are about", choices=TRUTHS)
    seed: int = knob(0, "of the drawn constraints (not stated)", low=0)


def cases(params):
    """One case per data set and draw, the data sets taking turns: a busy spell then meets all of them."""
    return [{"dataset": d, "repetition": t} for t in range(params.n_trials) for d in (*DATASETS, "two_class")]


def compute(params, case):
    """All methods from both starts on one draw: table ``runs``, one row per start and method."""
    warm_up()
    dataset, c = case["dataset"], GAUSSIANS if case["dataset"] == "two_class" else None
    problem = prepared(dataset)
    y = truth(params, problem.y) if c else problem.y
    rng = case_rng(params.seed, dataset, params.n_constraints, case["repetition"])
    constraints = draw_constraints(y, params.n_constraints, rng)
    random = problem.X[rng.choice(len(y), c or problem.n_clusters, replace=False)]
    rows = []
    for name, start in ((RANDOM, random), (KMEANS, starting_prototypes(dataset, c))):
        models = (limited_and_full if c else four_methods)(params, problem, start)
        rows += [
            {"start": name, "method": method} | timed(params, model, problem.X, y, constraints)
            for method, model in models.items()
        ]
    return {"runs": pd.DataFrame(rows)}


def truth(params, classes):
    """The classes (n,) of Two-class, or its four Gaussians, which the generator draws one after another."""
    if params.truth == "classes":
        return classes
    return np.repeat(np.arange(GAUSSIANS), len(classes) // GAUSSIANS)


def four_methods(params, problem, start) -> dict:
    """Both algorithms with both metrics, named as the columns of Tables 7 and 8."""
    options = {"init": start, "max_iter": params.max_iter}
    models = {}
    for short, metric in METRICS.items():
        fcm = ConstrainedFuzzyCMeans(problem.n_clusters, metric=metric, tol=params.cfcm_tol, **options)
        models[f"cfcm_{short}"] = fcm
        models[f"cecm_{short}"] = cecm(params, problem, start, metric, "full")
    return models


def limited_and_full(params, problem, start) -> dict:
    """CECM with all and with few focal sets, both metrics, named as the columns of Table 9."""
    families = {"full": "full", "limited": FocalSets.up_to(GAUSSIANS, 2)}
    return {
        f"{family}_{short}": cecm(params, problem, start, metric, sets)
        for short, metric in METRICS.items()
        for family, sets in families.items()
    }


def cecm(params, problem, start, metric: str, focal_sets) -> CECM:
    """CECM with as many clusters as `start` (c, p) has rows."""
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
        for model in (CECM(2, metric=metric), ConstrainedFuzzyCMeans(2, metric=metric)):
            model.fit(X, must_link=[(0, 1)], cannot_link=[(2, 3)])


def timed(params, model, X, y, constraints) -> dict:
    """Fit as often as asked, and say how long the fastest took and what came out."""
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    seconds = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # singular covariances: counted in column ``singular``
        for _ in range(params.n_repeats):
            begin = time.perf_counter()
            model.fit(X, **links)
            seconds.append(time.perf_counter() - begin)
    return {
        "time_s": min(seconds),
        "n_iter": model.n_iter_,
        "ri": rand_index(y, model.labels_),
        "n_violated": len(model.violated_),
        "converged": model.converged_,
        "singular": bool(np.any(getattr(model, "ridged_", getattr(model, "n_capped_", False)))),
    }


experiment = declare(
    __name__,
    title="CECM and constrained fuzzy c-means: times and iterations",
    artefacts={
        "cecm-tab-07": "Times of CECM and constrained fuzzy c-means, 100 constraints",
        "cecm-tab-08": "Iterations of CECM and constrained fuzzy c-means, 100 constraints",
        "cecm-tab-09": "All focal sets against few: times and iterations on Two-class, c = 4",
    },
    summaries=(side_by_side,),
    smoke={"n_trials": 3, "n_repeats": 1},
    timed=True,
)
