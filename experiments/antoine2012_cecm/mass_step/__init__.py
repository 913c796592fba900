"""Beyond the paper: where the mass step of CECM ends, by which way, and from which start.

The masses of CECM solve a quadratic programme that is not convex. The paper hands it to an interior-point
method made for convex ones [ye1989] and starts from random prototypes; the optimum that is reached depends on
both. A user without class labels can judge a result by its objective (21) alone. So: which way and which
start end lowest, and is a lower objective a better partition?

Two parts, on the data, constraints and settings of Tables 5 and 6 at xi = 0.5.

``step``
    One mass step alone, on half of the draws, at the prototypes of k-means and identity metrics. The ways
    of the library from the masses of ECM (``cyclic``, ``simultaneous``) and from equal masses
    (``continuation``); cyclic sweeps from masses that all must-linked objects share (``components``) and from
    the best of 20 random starts (``best of 20``); and all masses at once, from those of ECM: an
    interior-point method as in the paper, and L-BFGS on squared variables. Both of these are then settled by
    cyclic sweeps, to compare end points and not tolerances.
``fit``
    Whole runs of CECM: each way from k-means prototypes, from one random start and from the best of five
    random starts by objective; and continuation with the objects in another order, which its sweeps follow.
"""

import warnings
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pandas as pd

from credalbench.cluster import CECM
from credalbench.metrics import rand_index
from credalbench.papers import case_random_state, case_rng, declare, knob

from ..shared.protocol import cases_of_draws, draw_constraints, prepared, starting_prototypes
from .claims import ARTEFACT, FIT_WAYS, fits_by_arm, fits_by_case, steps_by_way
from .ways import mass_steps

METRIC = {"iris": "mahalanobis", "wine": "euclidean", "glass": "mahalanobis"}  # of Tables 5 and 6


@dataclass(frozen=True)
class Parameters:
    """Data, constraints and xi are the paper's (Tables 5 and 6); the rest is ours."""

    data_sets: tuple[str, ...] = knob(tuple(METRIC), "data sets: iris, wine, glass")
    sizes: tuple[int, ...] = knob((20, 50, 100, 200), "numbers of constraints", low=1)
    n_trials: int = knob(10, "draws of constraints for each data set and number", low=2)
    chunk: int = knob(5, "draws in one case", low=1)
    n_init: int = knob(5, "random starts of the arms that take the best", low=1)
    xi: float = knob(0.5, "weight of the constraints, 0 to 1, as in the paper", low=0.0, high=0.99)
    n_step_trials: int = knob(5, "of these draws, how many for single mass steps", low=1)
    seed: int = knob(0, "seed of constraints and starts", low=0)


def cases(params):
    return cases_of_draws(params, METRIC)


def compute(params, case):
    """Compute the tables ``steps`` and ``fits``, one row per trial and way."""
    name, size = case["dataset"], case["n_constraints"]
    problem = prepared(name)
    first = case["chunk"] * params.chunk
    steps, fits = [], []
    for trial in range(first, min(first + params.chunk, params.n_trials)):
        constraints = draw_constraints(problem.y, size, case_rng(params.seed, name, size, trial))
        seed = case_random_state(params.seed, name, size, trial, "starts")
        if trial < params.n_step_trials:
            steps += [{"repetition": trial, **row} for row in mass_steps(params, name, constraints, seed)]
        fits += [{"repetition": trial, **row} for row in whole_fits(params, name, constraints, seed)]
    tables = {"fits": pd.DataFrame(fits)}
    return tables | {"steps": pd.DataFrame(steps)} if steps else tables


# ---------------------------------------------------------------- whole runs


def whole_fits(params, name, constraints, seed):
    """Fit CECM by each way from each start: objective, Rand index, iterations, seconds."""
    problem = prepared(name)
    order = np.random.default_rng(seed).permutation(len(problem.X))
    for way, start in FIT_WAYS:
        centres = starting_prototypes(name)
        model = CECM(
            problem.n_clusters,
            xi=params.xi,
            delta=problem.delta,
            metric=METRIC[name],
            solver=way,
            init="random" if "random" in start else centres,
            n_init=params.n_init if start == "best of random" else 1,
            random_state=seed,
        )
        begin = perf_counter()
        labels = fitted_labels(model, problem.X, constraints, order if start == "other order" else None)
        yield {
            "way": way,
            "start": start,
            "objective": model.objective_,
            "ri": rand_index(problem.y, labels),
            "n_violated": len(model.violated_),
            "n_iter": model.n_iter_,
            "converged": model.converged_,
            "time_s": perf_counter() - begin,
        }


def fitted_labels(model, X, constraints, order=None):
    """Fit `model` and return its labels (n,), the objects standing in another `order` (n,) if given."""
    order = np.arange(len(X)) if order is None else order
    place = np.argsort(order)
    links = {"must_link": place[constraints.must_link], "cannot_link": place[constraints.cannot_link]}
    with warnings.catch_warnings():  # from random prototypes, a cluster of Glass may be nearly empty
        warnings.filterwarnings("ignore", "the covariance of cluster", UserWarning)
        model.fit(X[order], **links)
    return model.labels_[place]


experiment = declare(
    __name__,
    title="CECM: where the mass step ends, by way and start",
    artefacts={ARTEFACT: "Ways through the mass step, judged by the objective"},
    summaries=(steps_by_way, fits_by_arm, fits_by_case),
    smoke={"sizes": (20, 50), "n_trials": 2, "chunk": 2, "n_init": 2, "n_step_trials": 1},
    data=("iris_uci", "glass"),
)
