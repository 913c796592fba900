"""Figures 12 to 14 and 16 to 18: how many pairs does k-EVCLUS need?

One data set of n = 2000 and one of n = 10000 objects from the four bivariate t clusters; for each k, ten runs
from different random starts. Printed: the recipe, c = 4, d0 = the 0.9-quantile of the distances, epsilon =
1e-5, the ten runs, and the list of k at n = 2000 (Section 4.1). Not printed: the samples and their seeds, and
the list of k at n = 10000. The paper says that it "repeated the above experiments" and that k-EVCLUS "again
performs similarly to EVCLUS"; so ours is the same list with n - 1 in the last place: all 50 million pairs
once, which takes about 3 GB.
"""

from dataclasses import dataclass

import pandas as pd

from credalbench.datasets import make_t4
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import log_axis
from credalbench.runner import Claim, Experiment, Finding, Picture, case_rng, knob

from .shared.k_curves import (
    PAIR_UPDATES,
    draw_curves,
    faster_than_all_pairs,
    k_run,
    near_the_largest_k,
    nonspecificity_in_range,
    slower_at,
    spread_shrinks,
    summary,
)

SMALL = ("evclus-fig-12", "evclus-fig-13", "evclus-fig-14")
LARGE = ("evclus-fig-16", "evclus-fig-17", "evclus-fig-18")


@dataclass(frozen=True)
class Parameters:
    """The setting of Section 4.1; the second list of k, cap and seed are ours."""

    n_small: int = knob(2000, "number of objects of Figures 12 to 14", low=8)
    k_small: tuple[int, ...] = knob(
        (10, 20, 50, 100, 200, 500, 1999), "partners k at the smaller n; n - 1 and above: all pairs", low=1
    )
    n_large: int = knob(10_000, "number of objects of Figures 16 to 18", low=8)
    k_large: tuple[int, ...] = knob(
        (10, 20, 50, 100, 200, 500, 9999), "the same at the larger n (not stated in the paper)", low=1
    )
    n_runs: int = knob(10, "runs for each k, with random starts and pairs of their own", low=1)
    pair_updates: str = knob("one-sided", "row update; one-sided is the published one", choices=PAIR_UPDATES)
    d0_quantile: float = knob(0.9, "d0 as a quantile of the distances (Section 4.1)", low=0.01, high=1.0)
    alpha: float = knob(
        0.05, "remaining plausibility of one cluster at d0 (Section 2.3)", low=1e-6, high=0.99
    )
    tol: float = knob(1e-5, "epsilon of the stopping rule (21) (Section 4.1)", low=0.0)
    max_iter: int = knob(1000, "cap on sweeps (ours: the paper has none)", low=1)
    seed: int = knob(0, "of the data, the pairs and the random starts (not stated in the paper)", low=0)


def cases(params):
    """The k take turns within a repetition: a busy spell of the machine then meets all of them."""
    return [
        {"n": n, "k": k, "repetition": repetition}
        for n, listed in ((params.n_small, params.k_small), (params.n_large, params.k_large))
        for repetition in range(params.n_runs)
        for k in sorted({min(k, n - 1) for k in listed})
    ]


def compute(params, case):
    n = case["n"]
    data = make_t4(n, case_rng(params.seed, "t4", n, 0))
    runs, _ = k_run(
        data.X,
        data.y,
        case["k"],
        seed=params.seed,
        axes=("t4", n, 0),
        repetition=case["repetition"],
        pair_updates=params.pair_updates,
        d0_quantile=params.d0_quantile,
        alpha=params.alpha,
        tol=params.tol,
        max_iter=params.max_iter,
    )
    return {"runs": runs}


def small(params, runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of the smaller data set."""
    return runs[runs["n"] == params.n_small]


def large(params, runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of the larger data set."""
    return runs[runs["n"] == params.n_large]


def summaries(runs: pd.DataFrame) -> pd.DataFrame:
    """:func:`.k_curves.summary` of both data sets, one below the other."""
    return pd.concat({n: summary(part) for n, part in runs.groupby("n", sort=True)}, names=["n", "k"])


def draw(params, tables):
    figures = {}
    for artefacts, n in ((SMALL, params.n_small), (LARGE, params.n_large)):
        runs = tables["runs"][tables["runs"]["n"] == n]
        figures |= draw_curves(runs, artefacts, f"k-EVCLUS, simulated data, n = {n}", n_objects=n)
    return figures


def draw_both(runs: pd.DataFrame) -> Picture:
    """Time against k at both n, on logarithmic axes; the paper has two separate figures."""
    figure = new_figure(6.0, 3.8)
    ax = figure.subplots()
    named = runs.assign(objects="n = " + runs["n"].astype(str))
    curve_with_errors(ax, named, "k", "time_s", "objects", title="Time against k", log=True)
    log_axis(ax.xaxis)
    ax.set_xlabel("partners of each object, k")
    return Picture(figure, "computing time of k-EVCLUS against k, n small and large, logarithmic axes")


# ---------------------------------------------------------------- claims


def check_same_shape(params, tables):
    """Whether the median times of both curves rise and fall between the same neighbours in the list of k."""
    signs = []
    for part in (small, large):
        medians = part(params, tables["runs"]).groupby("k")["time_s"].median()
        signs.append([("falls", "rises")[int(step > 0)] for step in medians.diff().dropna()])
    if len(signs[0]) != len(signs[1]):
        return Finding(None, "", "the lists of k have different lengths")
    same = sum(first == second for first, second in zip(*signs))
    text = f"same direction in {same} of {len(signs[0])} steps from one k to the next"
    return Finding(same == len(signs[0]), text, f"n = {params.n_small}: {', '.join(signs[0])}")


FEW_SWEEPS = (
    "the number of sweeps is a matter of the random start and of the pairs: with k = 10 a run may wander for "
    "a long time or stop as early as any other. Whether 10 or 20 is slower differs from sample to sample"
)
LOCAL_MINIMA = (
    "with few runs, the quartiles show how many of them ended in a local minimum, and that depends on the "
    "random starts at least as much as on k"
)


def claims_of(artefacts, part) -> tuple[Claim, ...]:
    """What the paper says about one data set, and two properties of its curves."""
    ari, seconds, nonspecificity = artefacts
    as_well = "as well as EVCLUS as long as k >= 100, drawn only"
    return (
        near_the_largest_k(ari, "ari", from_k=100, within=0.02, part=part, published=as_well),
        spread_shrinks(ari, part=part, explanation=LOCAL_MINIMA),
        faster_than_all_pairs(seconds, k=100, factor=3, part=part),
        near_the_largest_k(
            nonspecificity, "nonspecificity", from_k=100, within=0.02, part=part, published=as_well
        ),
        nonspecificity_in_range(nonspecificity, part=part),
    )


CLAIMS = (
    *claims_of(SMALL, small),
    slower_at("evclus-fig-13", k=10, than_k=20, part=small, explanation=FEW_SWEEPS),
    *claims_of(LARGE, large),
    Claim(
        "evclus-fig-17",
        "The curve of the time has the same shape as at the smaller n: it rises and falls at the same k",
        "paper",
        check_same_shape,
        "very similar",
        "two steps depend on more than k: from 10 to 20 on how many sweeps the runs happen to need, and to "
        "all pairs on the size of the matrix, because all pairs are swept by matrix products",
    ),
)

experiment = Experiment(
    paper="denoeux2016_evclus",
    study="k_evclus_t4",
    title="k-EVCLUS on simulated data: quality and time against k",
    artefacts={
        "evclus-fig-12": "k-EVCLUS, n = 2000: adjusted Rand index against k",
        "evclus-fig-13": "k-EVCLUS, n = 2000: computing time against k",
        "evclus-fig-14": "k-EVCLUS, n = 2000: nonspecificity against k",
        "evclus-fig-16": "k-EVCLUS, n = 10000: adjusted Rand index against k",
        "evclus-fig-17": "k-EVCLUS, n = 10000: computing time against k",
        "evclus-fig-18": "k-EVCLUS, n = 10000: nonspecificity against k",
    },
    parameters=Parameters,
    cases=cases,
    compute=compute,
    draw=draw,
    claims=CLAIMS,
    smoke={
        "n_small": 240,
        "k_small": (10, 20, 100, 239),
        "n_large": 480,
        "k_large": (10, 20, 100, 479),
        "n_runs": 3,
    },
    timed=True,
)
