"""Statements of the text on the model, apart from experiments: its masses, norms, parameters and sizes.

Sections 2 to 4 make statements on the model that have no table or figure: what the empty set collects, what
alpha and the distance to the empty set do, what the mass step is, what a covariance is, and how large a
problem may be. Each statement is checked if possible: on the five data sets of Table 4, without constraints
and with drawn ones, from the starts of ``shared/protocol.py``; by counting focal sets; and by a fit that is
larger than the paper considers possible.

Two statements are wrong, and our algorithms do not rely on them. The programme of the masses is not convex:
between the two objects of a constraint it curves downwards. And a sum of positive semi-definite matrices need
not be positive definite: if an attribute is the sum of two others, no covariance can be inverted; ours then
get a ridge.
"""

from dataclasses import dataclass
from itertools import product
from time import perf_counter

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster import CECM
from credalbench.papers import case_rng, declare, knob, printed_values

from ..shared.protocol import NAMES, draw_constraints, prepared, starting_prototypes
from .free import free_tables
from .measures import fitted_tables

PRINTED = printed_values(__file__, "data_sets")
MOST_COUNTED = 12  # clusters


@dataclass(frozen=True)
class Parameters:
    """Data sets, draws of constraints, and values of the parameters that are turned."""

    datasets: tuple[str, ...] = knob(NAMES, "names of the data sets (Table 4)")
    n_draws: int = knob(10, "draws of constraints on each data set", low=2)
    n_constraints: int = knob(100, "random pairs (Table 7)", low=1)
    xi: float = knob(0.5, "weight of the constraints, 0 to 1 (Section 5.1.5)", low=0.0, high=0.999)
    alphas: tuple[float, ...] = knob((0.0, 1.0, 2.0, 4.0), "penalties of large sets, ascending")
    rates: tuple[float, ...] = knob((0.05, 0.1, 0.2), "shares of outliers that delta is to give")
    large_clusters: tuple[int, ...] = knob((2, 10), "c of the fits beyond the paper's sizes", low=2)
    large_objects: tuple[int, ...] = knob((10000, 300), "n of these fits", low=20)
    seed: int = knob(0, "seed of constraints and of the large data", low=0)


def cases(params):
    draws = product(params.datasets, range(params.n_draws))
    drawn = [{"part": "drawn", "dataset": name, "repetition": draw} for name, draw in draws]
    free = [{"part": "free", "dataset": name, "repetition": 0} for name in params.datasets]
    large = [
        {"part": "large", "dataset": f"{c} clusters, {n} objects", "repetition": number}
        for number, (c, n) in enumerate(zip(params.large_clusters, params.large_objects))
    ]
    return [*drawn, *free, *large, {"part": "counts", "dataset": "", "repetition": 0}]


def compute(params, case):
    name, number = case["dataset"], case["repetition"]
    if case["part"] == "counts":
        return {"counts": counts()}
    rng = case_rng(params.seed, "properties", name, number)
    if case["part"] == "large":
        size = (params.large_clusters[number], params.large_objects[number])
        return {"large": large_fit(*size, params.n_constraints, rng)}
    problem, start = prepared(name), starting_prototypes(name)
    if case["part"] == "free":
        return free_tables(problem, start, params.alphas, params.rates)
    constraints = draw_constraints(problem.y, params.n_constraints, rng)
    return fitted_tables(problem, start, constraints, params.xi, rng)


def counts():
    """Count focal sets of 2 and more clusters: all, and the frame with at most two clusters."""
    clusters = range(2, MOST_COUNTED + 1)
    sizes = {"full": [len(FocalSets.full(c)) for c in clusters]}
    sizes["limited"] = [len(FocalSets.pairs(c)) for c in clusters]
    return pd.DataFrame({"c": clusters, **sizes})


def large_fit(c, n, n_constraints, rng):
    """Fit CECM with the Euclidean metric to c round groups on a grid, as far apart as two-class."""
    y = np.arange(n) % c
    side = int(np.ceil(np.sqrt(c)))
    apart, variance = (PRINTED[f"two_class_{what}"].value for what in ("apart", "variance"))
    centres = apart * np.column_stack(np.divmod(np.arange(c), side))
    X = centres[y] + rng.normal(scale=variance**0.5, size=(n, 2))
    links = draw_constraints(y, n_constraints, rng)
    start = perf_counter()
    model = CECM(c, delta=10.0, init=centres).fit(X, must_link=links.must_link, cannot_link=links.cannot_link)
    row = {
        "c": c,
        "n": n,
        "f": len(model.partition_.focal_sets),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "time_s": perf_counter() - start,
    }
    return pd.DataFrame([row])


def fits_by_case(params, tables):
    """Tabulate means of the fits over the draws, by data set and metric."""
    fits = tables["fits"].drop(columns=["part", "repetition"])
    return fits.groupby(["dataset", "metric"], sort=False, as_index=False).mean()


def norms_by_dataset(params, tables):
    """Tabulate means of the norms over the draws, by data set."""
    norms = tables["norms"].drop(columns=["part", "repetition"])
    return norms.groupby("dataset", sort=False, as_index=False).mean()


experiment = declare(
    __name__,
    title="Sentences on masses, norms, parameters and sizes",
    artefacts={"cecm-txt-01": "Statements about the model"},
    summaries=(fits_by_case, norms_by_dataset),
    smoke={
        "datasets": ("iris", "glass", "two_class"),
        "n_draws": 3,
        "large_clusters": (2, 4),
        "large_objects": (2000, 200),
    },
    data=("iris_uci", "glass", "letters_ijl"),
)
