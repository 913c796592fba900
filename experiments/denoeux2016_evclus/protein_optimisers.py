"""Experiment 1 of [denoeux2016_evclus]: gradient descent against row-wise quadratic programming, proteins.

Figures 6 and 7. The paper runs both algorithms 20 times, each time from the same random start. It prints no
times and no stress values, only the statement "more than 10 times faster" and the orderings of the claims.
L-BFGS and the panels in iterations and in evaluations of the stress are ours.
"""

from dataclasses import dataclass

from credalbench.datasets import load
from credalbench.papers import case_rng, declare, knob

from .shared.paired_claims import PRINTED, faster, lower, lower_in_every_run
from .shared.paired_runs import arrivals, box_figure, optimisers, paired_run, random_start, trace_figure


@dataclass(frozen=True)
class Parameters:
    """The paper's values, and ours: repetitions, cap, seed."""

    n_runs: int = knob(20, "random starts, each given to the three optimisers (Section 3.2)", low=2)
    n_repeats: int = knob(3, "repetitions of a short run, of which the fastest counts (ours)", low=1)
    d0_quantile: float = knob(
        1.0, "d0 as a quantile of the dissimilarities; 1: the largest", low=0.01, high=1.0
    )
    tol: float = knob(1e-5, "epsilon of the stopping rules, for all three (Section 3.2)", low=0.0)
    max_iter: int = knob(20_000, "cap on sweeps or iterations (ours: the paper has none)", low=1)
    seed: int = knob(0, "seed of the random starts", low=0)


def cases(params):
    return [{"start": start} for start in range(params.n_runs)]


def compute(params, case):
    data = load("protein")
    start = random_start(data.n_objects, data.n_clusters, case_rng(params.seed, "protein", case["start"]))
    options = {"d0_quantile": params.d0_quantile, "tol": params.tol, "max_iter": params.max_iter}
    return paired_run(data.D, data.y, start, n_repeats=params.n_repeats, **options)


def draw(params, tables):
    return {"evclus-fig-06": trace_figure(tables["traces"]), "evclus-fig-07": box_figure(tables["runs"])}


STRESS_EXPLAINED = (
    "each optimiser ends in a local minimum or on a plateau; which one a start leads to depends on the law "
    "of the random starts, which the paper does not print"
)
TIMES = faster("evclus-fig-06", PRINTED["speed_protein"], "S22")
STRESS = (
    lower("evclus-fig-07", ("standard deviation", "interquartile range"), "S23", STRESS_EXPLAINED),
    lower_in_every_run("evclus-fig-07", "S24", STRESS_EXPLAINED),
)

experiment = declare(
    __name__,
    title="Gradient descent against row-wise quadratic programming on the protein data",
    artefacts={
        "evclus-fig-06": "Protein data: stress against time and evaluations, for each optimiser",
        "evclus-fig-07": "Protein data: time, stress, iterations and evaluations at convergence",
    },
    summaries=(optimisers, arrivals),
    smoke={"n_repeats": 1, "n_runs": 3},
    timed=True,
    data=("protein",),
)
