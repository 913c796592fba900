"""Tables 5 and 6 of [antoine2012_cecm]: the Rand index against xi and the number of constraints.

100 draws of 20, 50, 100 and 200 random constraints on Iris (adaptive metric), Wine (Euclidean) and Glass
(adaptive), each draw with ten values of xi from 0 to 0.9. All xi meet the same draws. Data, starting
prototypes and delta are those of ``shared/protocol.py``.

Where means or standard deviations differ from the printed ones, other readings of what the paper leaves open
are tried in the study ``conventions``; other ways and starts, and whether they end lower, in ``mass_step``.
"""

import warnings
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from credalbench.cluster import CECM
from credalbench.metrics import rand_index
from credalbench.runner import case_rng, declare, knob

from ..shared.protocol import draw_constraints, prepared, starting_prototypes
from .claims import METRICS, side_by_side

CHUNK = 10  # trials in a case: a few seconds


@dataclass(frozen=True)
class Parameters:
    """The paper's values; threshold and seed are ours."""

    n_constraints: tuple[int, ...] = knob((20, 50, 100, 200), "constraints C (Tables 5 and 6)", low=1)
    xi: tuple[float, ...] = knob(
        (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
        "weights of the constraints, 0 to 1",
        low=0.0,
        high=0.99,
    )
    n_trials: int = knob(100, "draws of the constraints for each C (Tables 5 and 6)", low=2)
    alpha: float = knob(1.0, "penalty of large sets: exponent of their size (Section 5.1.5)")
    tol: float = knob(1e-3, "stopping threshold, share of the data's spread (not stated)", low=0.0)
    max_iter: int = knob(1000, "cap on iterations (ours)", low=1)
    seed: int = knob(0, "seed of the drawn constraints (not stated)", low=0)


def cases(params):
    """Return one case per data set, C and chunk of trials."""
    chunks = range(-(-params.n_trials // CHUNK))
    return [
        {"dataset": dataset, "n_constraints": C, "chunk": chunk}
        for dataset, C, chunk in product(METRICS, params.n_constraints, chunks)
    ]


def compute(params, case):
    """Compute some draws, each with every xi: table ``runs``, one row per fit."""
    dataset, C = case["dataset"], case["n_constraints"]
    trials = range(CHUNK * case["chunk"], min(CHUNK * (case["chunk"] + 1), params.n_trials))
    y = prepared(dataset).y
    draws = [draw_constraints(y, C, case_rng(params.seed, dataset, C, trial)) for trial in trials]
    rows = []
    for xi in params.xi:
        # without weight the constraints change nothing, and one fit stands for all draws
        fits = [fit(params, dataset, draw, xi) for draw in (draws if xi else draws[:1])]
        rows += [
            {"repetition": trial, "xi": xi} | scores(y, fits[k % len(fits)], draws[k])
            for k, trial in enumerate(trials)
        ]
    return {"runs": pd.DataFrame(rows)}


def fit(params, dataset: str, constraints, xi: float) -> CECM:
    """Fit CECM as the paper uses it on this data set."""
    X, _, c, delta = prepared(dataset)
    model = CECM(
        c,
        xi=xi,
        alpha=params.alpha,
        delta=delta,
        metric=METRICS[dataset],
        init=starting_prototypes(dataset),
        tol=params.tol,
        max_iter=params.max_iter,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # singular covariances: counted in column ``ridged``
        return model.fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)


def scores(y, model, constraints) -> dict:
    """Return the row of a fit under some constraints."""
    return {
        "ri": rand_index(y, model.labels_),
        "n_violated": len(constraints.violated(model.labels_)),
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
    summaries=(side_by_side,),
    smoke={"n_trials": 3, "n_constraints": (20, 200), "xi": (0.0, 0.1, 0.5)},
    data=("iris_uci", "glass"),
)
