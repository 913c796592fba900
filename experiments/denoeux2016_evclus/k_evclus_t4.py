"""Figures 12 to 14 and 16 to 18: how many pairs does k-EVCLUS need?

One data set of n = 2000 and one of n = 10000 objects from the four bivariate t clusters; for each k, ten runs
from different random starts. Printed: the recipe, c = 4, d0 = the 0.9-quantile of the distances, epsilon =
1e-5, the ten runs, and the list of k at n = 2000 (Section 4.1). Not printed: the samples and their seeds, and
the list of k at n = 10000. The paper says that it "repeated the above experiments" and that k-EVCLUS "again
performs similarly to EVCLUS"; so ours is the same list with n - 1 in the last place: all 50 million pairs
once, which takes about 3 GB.

"As good as EVCLUS" and "very similar" need a margin, which the paper does not give. For index and
nonspecificity, we take the error of the sample (``shared/k_curves.py``), and for times a factor of two, which
is about the step from one k of the list to the next.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.core.intervals import bootstrap, difference, ratio
from credalbench.datasets import make_t4
from credalbench.papers import NotCheckable, case_rng, declare, knob, printed_values
from credalbench.papers.claims import above, agrees, claim, within
from credalbench.papers.reasons import TIMES

from .shared.k_curves import (
    PAIR_UPDATES,
    TIME_OF_ALL_PAIRS,
    Plateau,
    by_repetition,
    draw_curves,
    faster_than_all_pairs,
    k_run,
    near,
    near_the_largest_k,
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
    alpha: float = knob(0.05, "plausibility that one cluster keeps at d0 (Section 2.3)", low=1e-6, high=0.99)
    tol: float = knob(1e-5, "epsilon of the stopping rule (21) (Section 4.1)", low=0.0)
    max_iter: int = knob(1000, "cap on sweeps (ours: the paper has none)", low=1)
    seed: int = knob(0, "seed of the data, the pairs and the random starts (not stated)", low=0)


def cases(params):
    """Let the k take turns within a repetition, so that load on the machine affects all of them."""
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


def draw(params, tables):
    figures = {}
    as_good = Plateau(f"as good as all pairs from k = {LEAST_K}", LEAST_K)
    best = Plateau(f"best from k = {FIRST_BEST} to {LAST_BEST}", FIRST_BEST, LAST_BEST)
    for n, artefacts, plateau in ((params.n_small, SMALL, as_good), (params.n_large, LARGE, best)):
        runs, title = tables["runs"][tables["runs"]["n"] == n], f"k-EVCLUS, simulated data, n = {n}"
        figures |= draw_curves(runs, artefacts, title, n_objects=n, plateau=plateau)
    return figures


def by_k(params, tables):
    """Tabulate medians and quartiles of the runs for each n and k."""
    parts = tables["runs"].groupby("n", sort=True)
    return pd.concat({n: summary(part) for n, part in parts}, names=["n", "k"])


# ---------------------------------------------------------------- claims

BOTH = [
    {"size": size, "n": n, "ari": ari, "seconds": seconds, "nonspecificity": nonspecificity, "as_good": names}
    for size, n, (ari, seconds, nonspecificity), names in (
        ("n_small", 2000, SMALL, ("S39", "S40", "S41")),
        ("n_large", 10_000, LARGE, ("S46", "S46", "")),
    )
]
PRINTED = printed_values(__file__)
LEAST_K, FIRST_BEST, LAST_BEST, SLOWER, QUICKER = (
    int(PRINTED[name].value) for name in ("least_k", "best_k_from", "best_k_to", "k_slower", "k_quicker")
)
WITHIN = f"for every k >= {LEAST_K} is that at the largest k, within the error of the sample"
STEP = 2.0  # from one k of the list to the next it is 2 to 2.5


def runs_of(params, tables, size):
    """Return the runs of one data set; `size` is the name of the parameter with its n."""
    return tables["runs"][tables["runs"]["n"] == getattr(params, size)]


@claim("{ari}", f"the median adjusted Rand index {WITHIN}", sentence="{as_good[0]}", each=BOTH)
def as_good_as_all_pairs(params, tables, size):
    return near_the_largest_k(runs_of(params, tables, size), "ari", LEAST_K)


@claim(
    "{ari}",
    f"the median adjusted Rand index for k from {FIRST_BEST} to {LAST_BEST} is the highest of all k, within "
    "the error of the sample",
    sentence="S79",
    published=f"best with k from {FIRST_BEST} to {LAST_BEST} for n from 1000 to 10000",
    each=BOTH,
)
def best_range_of_k(params, tables, size):
    return near(runs_of(params, tables, size), "ari", in_best_range, lambda v: v.median().idxmax())


def in_best_range(values):
    if not (chosen := [k for k in values.columns if FIRST_BEST <= k <= LAST_BEST]):
        raise NotCheckable(f"no k from {FIRST_BEST} to {LAST_BEST} is run")
    return chosen


@claim(
    "{seconds}",
    f"k-EVCLUS with k = {LEAST_K} takes less time than with all pairs (medians)",
    sentence="S02 {as_good[2]}",
    explanation=TIME_OF_ALL_PAIRS,
    each=BOTH,
    caveat=TIMES,
)
def faster(params, tables, size):
    return faster_than_all_pairs(runs_of(params, tables, size), LEAST_K)


@claim("{nonspecificity}", f"the median average nonspecificity {WITHIN}", sentence="{as_good[1]}", each=BOTH)
def as_specific_as_all_pairs(params, tables, size):
    return near_the_largest_k(runs_of(params, tables, size), "nonspecificity", LEAST_K)


@claim(
    "evclus-fig-13",
    f"k = {SLOWER} takes more time and more sweeps than k = {QUICKER} (medians)",
    sentence="S42",
    explanation="the number of sweeps depends on the random start and on the pairs: with few of them a run "
    "may go on for a long time or stop as early as any other. Which k is slower differs from sample to "
    "sample",
    caveat=TIMES,
)
def slowest_with_fewest_pairs(params, tables):
    runs = runs_of(params, tables, "n_small")
    ratios = {}
    for name, column in (("time", "algorithm_s"), ("sweeps", "n_iter")):
        values = by_repetition(runs, column)
        if not {SLOWER, QUICKER} <= set(values.columns):
            raise NotCheckable(f"k = {SLOWER} and k = {QUICKER} are not both run")
        ratios[name] = ratio(values[SLOWER], values[QUICKER])
    return above(1, ratios, ".2f", f"k = {SLOWER} over k = {QUICKER}")


# ---------------------------------------------------------------- the two curves compared


def by_size(params, tables, column):
    """Return the column by repetition at the smaller and the larger n, and the common k below all pairs."""
    both = [by_repetition(runs_of(params, tables, size), column) for size in ("n_small", "n_large")]
    if not (common := sorted(set(both[0].columns[:-1]) & set(both[1].columns[:-1]))):
        raise NotCheckable("the two curves have no k in common")
    return *both, common


def same_level(params, tables, column):
    """Compare medians of both curves at each common k with the error of both samples."""
    small, large, common = by_size(params, tables, column)
    errors = tables["runs"].groupby("n")[f"{column}_error"].median()
    band = float(np.hypot(errors[params.n_small], errors[params.n_large]))
    gaps = {f"k = {k}": difference(large[k], small[k], np.median) for k in common}
    return within(-band, band, gaps, "+.3f", f"error of both samples {band:.3f}")


@claim(
    "{artefact}",
    "the curve of {what} is that at the smaller n, within the error of both samples, at every k below all "
    "pairs",
    sentence="S45",
    explanation="at the smallest k, the loss depends on n as well",
    each=[
        {"artefact": LARGE[0], "what": "the adjusted Rand index", "column": "ari"},
        {"artefact": LARGE[2], "what": "the nonspecificity", "column": "nonspecificity"},
    ],
)
def same_curve(params, tables, column):
    return same_level(params, tables, column)


@claim(
    LARGE[1],
    f"the curve of the time has the same shape as at the smaller n: at every k below all pairs, the time "
    f"relative to that at k = {LEAST_K} is the same within a factor of {STEP:g}",
    sentence="S45",
    explanation="where few pairs are drawn, the number of sweeps depends on chance",
    caveat=TIMES,
)
def same_shape(params, tables):
    small, large, common = by_size(params, tables, "algorithm_s")
    if LEAST_K not in common:
        raise NotCheckable(f"k = {LEAST_K} is not run at both n")

    def relative(first, first_base, second, second_base):
        medians = (np.median(v, axis=-1) for v in (first, first_base, second, second_base))
        one, one_base, other, other_base = medians
        return (one / one_base) / (other / other_base)

    shapes = {
        f"k = {k}": bootstrap(relative, large[k], large[LEAST_K], small[k], small[LEAST_K])
        for k in common
        if k != LEAST_K
    }
    return within(1 / STEP, STEP, shapes, ".2f")


@claim(
    LARGE[0],
    "the least k from which on the index is that of all pairs is not larger at the larger n",
    sentence="S46",
    published=f"k >= {LEAST_K} at both n",
)
def needed_k_does_not_grow(params, tables):
    small, large = (least_k(runs_of(params, tables, size)) for size in ("n_small", "n_large"))
    note = f"{large} at n = {params.n_large}, {small} at n = {params.n_small}"
    return within(0, 1, {"ratio of the two k": large / small}, ".2f", note)


def least_k(runs):
    """Return the smallest k from which the index equals that at the largest k, within its error."""
    ks = sorted(runs["k"].unique())
    return min((k for k in ks[:-1] if near_the_largest_k(runs, "ari", k).holds), default=ks[-1])


@claim(
    LARGE[0],
    "the share of the distances that is used is as printed",
    sentence="S47",
    published=PRINTED["share"],
)
def share_of_the_distances(params, tables):
    runs = runs_of(params, tables, "n_large")
    shares = runs.loc[runs["k"] == LEAST_K, "share_of_pairs"]
    if shares.empty or params.n_large != 10_000:
        raise NotCheckable(f"printed for n = 10000 and k = {LEAST_K}", [PRINTED["share"]])
    return agrees(PRINTED["share"], shares.mean(), ".4f", "each unordered pair counted once")


experiment = declare(
    __name__,
    title="k-EVCLUS on simulated data: quality and time against k",
    artefacts={
        "evclus-fig-12": "k-EVCLUS, n = 2000: adjusted Rand index against k",
        "evclus-fig-13": "k-EVCLUS, n = 2000: computing time against k",
        "evclus-fig-14": "k-EVCLUS, n = 2000: nonspecificity against k",
        "evclus-fig-16": "k-EVCLUS, n = 10000: adjusted Rand index against k",
        "evclus-fig-17": "k-EVCLUS, n = 10000: computing time against k",
        "evclus-fig-18": "k-EVCLUS, n = 10000: nonspecificity against k",
    },
    summaries=(by_k,),
    smoke={
        "n_small": 240,
        "k_small": (10, 20, 100, 239),
        "n_large": 480,
        "k_large": (10, 20, 100, 479),
        "n_runs": 3,
    },
    timed=True,
)
