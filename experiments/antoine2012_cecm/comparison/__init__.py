"""Six constrained algorithms against the number of random constraints: Figures 11 to 14.

Printed: 100 trials of random constraints for each number between 0 and 200, mean Rand index with its 95 %
interval; CECM and CFCM with Euclidean and Mahalanobis metric, COP-KMEANS, and a learned metric followed by
fuzzy c-means (DML-FCM); alpha = 1, xi = 0.5. All algorithms of a trial get the same constraints. Where the
paper leaves a choice (data: see ``shared/protocol.py``):

- *Start.* The prototypes of k-means for CECM, CFCM and, in the learned metric, FCM; the same in every trial.
  COP-KMEANS starts from random objects, as published.
- *Failures of COP-KMEANS.* After ten new attempts, the trial has no result: it is left out of the mean, and a
  table has the share of such trials. The paper does not say what its authors did. The objects are assigned in
  a new random order in each attempt: in the order of the data, nearly all trials fail at 200 constraints.
- *CFCM.* The weight of the constraints follows the rule of its authors: it balances both parts of the
  objective, anew in every iteration.
- *DML.* The full matrix.
- *Numbers of constraints.* Every 25 up to 100, then every 50.

The order of CECM-Mah and CFCM-Mah depends on settings that are not printed: the weight of the constraints in
CFCM, the start of both, the solver of the mass step of CECM. Table ``arms`` has a grid of these on some
draws: CFCM also with multiples of the weight at which the rule of its authors ends; both from k-means, or
both from the same random objects, as the paper's algorithms begin; and CECM by sweeps from the masses of ECM
alone.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.baselines import MMC, ConstrainedFuzzyCMeans, ConstraintFailure, COPKMeans, FuzzyCMeans
from credalbench.cluster import CECM
from credalbench.metrics import rand_index
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import curve_with_errors, new_figure

from ..shared.protocol import cases_of_draws, draw_constraints, prepared, starting_prototypes
from .claims import ALL_FIGURES, FIGURES, METHODS, arm_means, cop_failures, mean_rand_indices

METRICS = {"Eucl": "euclidean", "Mah": "mahalanobis"}
#: The curve of COP-KMEANS in a figure.
SURVIVORS = "COP, trials with a result"
TITLES = {"iris": "Iris", "wine": "Wine (standardised)", "glass": "Glass", "letters": "Letters I, J, L"}


@dataclass(frozen=True)
class Parameters:
    """The setting of Section 5.2.3; the grid of numbers is ours."""

    data_sets: tuple[str, ...] = knob(tuple(TITLES), "data sets: iris, wine, glass, letters")
    sizes: tuple[int, ...] = knob((0, 25, 50, 75, 100, 150, 200), "numbers of constraints", low=0)
    n_trials: int = knob(100, "draws of constraints for each number", low=2)
    chunk: int = knob(25, "draws in one case", low=1)
    xi: float = knob(0.5, "weight of the constraints in CECM, 0 to 1", low=0.0, high=0.99)
    alpha: float = knob(1.0, "penalty of large sets, exponent of their size, in CECM")
    n_restarts: int = knob(10, "new attempts of COP-KMEANS after a failure", low=0)
    order: str = knob("random", "order of the objects in COP-KMEANS", choices=("random", "data"))
    arm_sizes: tuple[int, ...] = knob((50, 200), "numbers of constraints for the grid of weights and starts")
    arm_trials: int = knob(10, "draws of constraints for the grid of weights and starts", low=2)
    weights: tuple[float, ...] = knob((0.5, 2.0, 4.0), "of CFCM in that grid, in multiples of its own")
    seed: int = knob(0, "seed of constraints, random starts and COP-KMEANS", low=0)


def cases(params):
    return cases_of_draws(params, TITLES)


def compute(params, case):
    """Compute the tables ``runs`` and ``arms``: one row per repetition and method, and arm of the grid."""
    name, size = case["dataset"], case["n_constraints"]
    first = case["chunk"] * params.chunk
    rows, arms, kept = [], [], {}
    for trial in range(first, min(first + params.chunk, params.n_trials)):
        constraints = draw_constraints(prepared(name).y, size, case_rng(params.seed, name, size, trial))
        links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
        seed = case_random_state(params.seed, name, size, trial, "start")
        found = [*runs_of_trial(params, name, links, seed, kept)]
        if size == 0:  # nothing is random but COP-KMEANS: one fit stands for all trials
            kept = {row["method"]: row for row in found if row["method"] != "COP"}
        rows += [{"repetition": trial, **row} for row in found]
        if size in params.arm_sizes and trial < params.arm_trials:
            arms += [{"repetition": trial, **row} for row in runs_of_arms(params, name, links, seed)]
    tables = {"runs": pd.DataFrame(rows)}
    return tables | {"arms": pd.DataFrame(arms)} if arms else tables


def runs_of_trial(params, name, links, seed, kept):
    """Return the Rand index of each method; results that are in `kept` are taken from there."""
    for method in METHODS:
        if method in kept:
            yield kept[method]
            continue
        labels = cluster(method, params, name, links, seed)
        status = "failed" if labels is None else "ok"
        ri = np.nan if labels is None else rand_index(prepared(name).y, labels)
        yield {"method": method, "status": status, "ri": ri}


def cluster(method, params, name, links, seed):
    """Return the labels (n,) by one of `METHODS`, or None if COP-KMEANS finds no assignment."""
    X, _, c, _ = prepared(name)
    start = starting_prototypes(name)
    algorithm, _, metric = method.partition("-")
    if algorithm == "COP":
        model = COPKMeans(c, order=params.order, n_restarts=params.n_restarts, random_state=seed)
        try:
            return model.fit(X, **links).labels_
        except ConstraintFailure:
            return None
    if algorithm == "DML":
        learnt = MMC().fit(X, **links)
        return FuzzyCMeans(c, init=learnt.transform(start)).fit(learnt.transform(X)).labels_
    model = cecm if algorithm == "CECM" else cfcm
    return fitted(model(params, name, metric=METRICS[metric], init=start), name, links).labels_


def cecm(params, name, **options):
    _, _, c, delta = prepared(name)
    return CECM(c, xi=params.xi, alpha=params.alpha, delta=delta, **options)


def cfcm(params, name, **options):
    return ConstrainedFuzzyCMeans(prepared(name).n_clusters, **options)


def fitted(model, name, links):
    """Fit and return the model without warnings about singular covariances (CFCM caps, CECM adds a ridge)."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "flat clusters|the covariance of cluster", UserWarning)
        return model.fit(prepared(name).X, **links)


def runs_of_arms(params, name, links, seed):
    """Return Rand indices of CFCM-Mah and CECM-Mah by way and start; CECM-Mah as in ``runs``."""
    X, y, c, _ = prepared(name)
    objects = np.random.default_rng(seed).choice(len(X), c, replace=False)
    for start, init in (("k-means", starting_prototypes(name)), ("random", X[objects])):
        options = {"metric": "mahalanobis", "init": init}
        balanced = fitted(cfcm(params, name, **options), name, links)
        fits = {("CFCM-Mah", "weight 1"): balanced}
        for times in params.weights:
            model = cfcm(params, name, weight=times * balanced.weight_, **options)
            fits["CFCM-Mah", f"weight {times:g}"] = fitted(model, name, links)
        way = "cyclic" if start == "k-means" else "continuation"
        fits["CECM-Mah", way] = fitted(cecm(params, name, solver=way, **options), name, links)
        for (method, way), model in fits.items():
            yield {"method": method, "way": way, "start": start, "ri": rand_index(y, model.labels_)}


def draw(params, tables):
    """Draw Figures 11 to 14: mean Rand index with its 95 % interval, one curve per method."""
    runs = tables["runs"]
    return {FIGURES[name]: picture(name, runs) for name in runs["dataset"].drop_duplicates()}


def picture(name, runs):
    figure = new_figure(7.2, 4.6)
    ax = figure.subplots()
    part = runs[runs["dataset"] == name].replace({"method": {"COP": SURVIVORS}})
    curve_with_errors(ax, part, "n_constraints", "ri", "method", kind="mean-ci", title=TITLES[name])
    ax.set_xlabel("number of random constraints")
    ax.set_ylabel("Rand index, mean with 95 % interval")
    ax.legend(frameon=False, ncols=2, fontsize="small")
    return figure


experiment = declare(
    __name__,
    title="CECM against five other constrained algorithms on four data sets",
    artefacts={FIGURES[name]: f"{TITLES[name]}: Rand index of six algorithms" for name in TITLES}
    | {ALL_FIGURES: "Conclusions from all four"},
    summaries=(cop_failures, mean_rand_indices, arm_means),
    smoke={"sizes": (0, 25, 100), "n_trials": 3, "chunk": 3, "arm_sizes": (25, 100), "arm_trials": 3},
    data=("iris_uci", "glass", "letters_ijl"),
)
