"""Tables 5 and 6 of [antoine2012_cecm]: the Rand index against xi and the number of constraints.

100 draws of 20, 50, 100 and 200 random constraints on Iris (adaptive metric), Wine (Euclidean) and Glass
(adaptive), each draw with ten values of xi from 0 to 0.9: 12 000 fits. All xi meet the same draws. Data,
starting prototypes and delta are those of ``shared/protocol.py``.

"No significant change in V" ends the iterations of the paper; what is significant is not said. The cells are
judged at our default threshold. Two other ways to a partition run beside it on the same draws, since they say
what a difference is made of:

- ``early``: the same descent, stopped ten times earlier;
- ``restarts``: several random starts besides k-means, of which the lowest objective is kept; at one xi only.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.cluster import CECM
from credalbench.metrics import rand_index
from credalbench.runner import case_random_state, case_rng, declare, knob

from ..shared.protocol import draw_constraints, prepared, starting_prototypes, unconstrained_rand_index
from .claims import METRICS, side_by_side, stopped_early, ways

CHUNK = 10  # trials in a case: a few seconds


@dataclass(frozen=True)
class Parameters:
    """The paper's values; thresholds, restarts and seed are ours."""

    n_constraints: tuple[int, ...] = knob((20, 50, 100, 200), "constraints C (Tables 5 and 6)", low=1)
    xi: tuple[float, ...] = knob(
        (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9), "weights of the constraints", low=0.0, high=0.99
    )
    n_trials: int = knob(100, "draws of the constraints for each C (Tables 5 and 6)", low=2)
    alpha: float = knob(1.0, "exponent of the cardinality (Section 5.1.5)")
    tol: float = knob(1e-3, "stopping threshold, share of the data's spread (not stated)", low=0.0)
    early_tol: float = knob(1e-2, "the same for the way that stops early (ours)", low=0.0)
    restarts_xi: float = knob(0.5, "xi at which several starts are compared (ours)", low=0.0, high=0.99)
    n_restarts: int = knob(5, "random starts besides k-means (ours)", low=1)
    max_iter: int = knob(1000, "cap on iterations (ours)", low=1)
    seed: int = knob(0, "of the drawn constraints (not stated)", low=0)


def cases(params):
    """One case per data set, C and chunk of trials."""
    return [
        {"dataset": dataset, "n_constraints": C, "chunk": chunk}
        for dataset in METRICS
        for C in params.n_constraints
        for chunk in range(-(-params.n_trials // CHUNK))
    ]


def compute(params, case):
    """Some draws, each with every xi and way: table ``runs``, one row per fit."""
    trials = range(CHUNK * case["chunk"], min(CHUNK * (case["chunk"] + 1), params.n_trials))
    rows = []
    for trial in trials:
        rows += trial_rows(params, case["dataset"], case["n_constraints"], trial)
    return {"runs": pd.DataFrame(rows)}


def trial_rows(params, dataset: str, C: int, trial: int) -> list[dict]:
    """Every fit to one draw of C constraints."""
    problem, start = prepared(dataset), starting_prototypes(dataset)
    axes = (dataset, C, trial)
    constraints = draw_constraints(problem.y, C, case_rng(params.seed, *axes))
    rows = []
    for xi in sorted({*params.xi, params.restarts_xi}):
        fits = {"default": fit(params, dataset, constraints, xi, start)}
        fits["early"] = fit(params, dataset, constraints, xi, start, tol=params.early_tol)
        if xi == params.restarts_xi:
            options = {"n_init": params.n_restarts, "random_state": case_random_state(params.seed, *axes)}
            random = fit(params, dataset, constraints, xi, "random", **options)
            fits["restarts"] = min(fits["default"], random, key=lambda model: model.objective_)
        rows += [
            {"repetition": trial, "xi": xi, "way": way} | scores(problem.y, model, constraints)
            for way, model in fits.items()
        ]
    return rows


def fit(params, dataset: str, constraints, xi: float, init, **options) -> CECM:
    """CECM as the paper uses it on this data set; `options` replace those of `params`."""
    X, _, c, delta = prepared(dataset)
    options = {"tol": params.tol, "max_iter": params.max_iter} | options
    model = CECM(c, xi=xi, alpha=params.alpha, delta=delta, metric=METRICS[dataset], init=init, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # singular covariances: counted in column ``ridged``
        return model.fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)


def scores(y, model, constraints) -> dict:
    """What a row says of a fit."""
    return {
        "ri": rand_index(y, model.labels_),
        "ri_unconstrained": unconstrained_rand_index(y, model.labels_, constraints),
        "objective": model.objective_,
        "constraint_cost": model.constraint_cost_,
        "n_violated": len(model.violated_),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "ridged": bool(np.any(model.ridged_)),
    }


experiment = declare(
    __name__,
    title="CECM: Rand index against the weight and the number of random constraints",
    artefacts={
        "cecm-tab-05": "Rand index against xi, 20 and 50 random constraints",
        "cecm-tab-06": "Rand index against xi, 100 and 200 random constraints",
    },
    summaries=(side_by_side, stopped_early, ways),
    smoke={"n_trials": 3, "n_constraints": (20, 200), "xi": (0.0, 0.1, 0.5), "n_restarts": 2},
)
