"""Sections 4 and 6: how time and memory of k-EVCLUS grow with n, k and f.

The paper states O(nk) for a sweep over k sampled partners of each of n objects (Section 4), hopes for 10^5
objects (Section 6) and measures n up to 10 000. Here n goes up to half a million, and one of n, k and f (the
number of focal sets) varies while the others are fixed. A power law, which is a straight line on logarithmic
axes, is fitted to each curve. The expected exponents are:

- *Time of a sweep.* Each row sums a Gram matrix over its k partners, k f^2 / 2 products, and solves a
  quadratic programme of f masses. That is n to the power 1; k to the power 1 if the sums dominate, and less
  if the programme does; f to a power between 1 and 2.
- *Memory.* Each pair takes 8 bytes, and as much again while it is made; each mass takes a few words of 8
  bytes. That is n to the power 1; k to the power 1 if k is much larger than f; f to a power below 1.
- *Time of the fit*: that of a sweep, times the number of sweeps. The latter should not grow with n.

Data t4, simple focal sets with c = 4, d0 the 0.9-quantile and epsilon = 1e-5, as in Section 4.1; k = 100
where k is fixed. For f, all subsets of c = 2 to 6 clusters are used, f = 4 to 64, on the same four groups of
objects: a wrong c changes the number of sweeps, but hardly the time of a sweep. EVCLUS on all pairs is also
fitted, at a few n up to 4000, where time and memory should grow with the square.

Each fit runs on one thread of a fresh process (``fit.py``). Two threads, which are used from 50 000 objects
on, would mix two programs in one exponent. The sizes above `repeat_up_to`, and the fits against f, are made
once, and those against f end after a few sweeps, since only the time of a sweep is needed: the study takes a
few minutes on an idle machine. On a busy one it takes longer, and its times mean little.
"""

from dataclasses import dataclass

import pandas as pd

from credalbench.papers import declare, knob

from ..shared.k_curves import PAIR_UPDATES
from .claims import ALL, MEMORY, TIME, exponents, fitted
from .fit import Order, measured_fit


@dataclass(frozen=True)
class Parameters:
    """All values are ours except the setting of Section 4.1."""

    sizes: tuple[int, ...] = knob((10_000, 40_000, 160_000, 500_000), "n where n varies", low=8)
    sizes_of_all: tuple[int, ...] = knob(
        (500, 1000, 1500, 2000, 3000, 4000), "n on all pairs (EVCLUS)", low=8
    )
    ks: tuple[int, ...] = knob((25, 50, 100, 200, 400), "k where k varies", low=1)
    cs: tuple[int, ...] = knob((2, 3, 4, 5, 6), "c where f varies: 2^c with all subsets", low=2, high=8)
    focal_sets: str = knob("full", "focal sets where f varies", choices=("simple", "pairs", "full"))
    k: int = knob(100, "partners of each object where k is fixed (Section 4.1)", low=1)
    c: int = knob(4, "clusters where f is fixed, with simple focal sets (Section 4.1)", low=2, high=20)
    n_for_k: int = knob(10_000, "objects where k varies", low=8)
    n_for_f: int = knob(5000, "objects where f varies", low=8)
    n_repeats: int = knob(3, "data sets, each with one start; of times, the fastest counts", low=1)
    repeat_up_to: int = knob(40_000, "sizes above this are fitted once", low=8)
    pair_updates: str = knob("one-sided", "row update; one-sided is the published one", choices=PAIR_UPDATES)
    tol: float = knob(1e-5, "epsilon of the stopping rule (21) (Section 4.1)", low=0.0)
    max_sweeps: int = knob(100, "cap on sweeps", low=2)
    sweeps_for_f: int = knob(20, "cap on sweeps where f varies", low=2)
    seed: int = knob(0, "seed of data, pairs and starts", low=0)


def cases(params):
    """Return one case per fit, with the repetitions apart, so that load affects some fits of each curve."""
    sweeps = [("n", n, params.k, params.c) for n in params.sizes]
    sweeps += [("k", params.n_for_k, k, params.c) for k in params.ks]
    sweeps += [(ALL, n, n - 1, params.c) for n in params.sizes_of_all]
    once = [("f", params.n_for_f, params.k, c) for c in params.cs]
    return [
        {"against": against, "n": n, "k": k, "c": c, "repetition": repetition}
        for repetition in range(params.n_repeats)
        for against, n, k, c in (sweeps if repetition else sweeps + once)
        if repetition == 0 or n <= params.repeat_up_to
    ]


def compute(params, case):
    """Fit once in a fresh process: table ``fits``."""
    order = Order(
        n=case["n"],
        k=min(case["k"], case["n"] - 1),
        c=case["c"],
        focal_sets=params.focal_sets if case["against"] == "f" else "simple",
        pair_updates=params.pair_updates,
        tol=params.tol,
        max_sweeps=params.sweeps_for_f if case["against"] == "f" else params.max_sweeps,
        seed=params.seed,
        repetition=case["repetition"],
    )
    return {"fits": pd.DataFrame([measured_fit(order)])}


experiment = declare(
    __name__,
    title="k-EVCLUS up to half a million objects: exponents of time and memory in n, k and f",
    artefacts={TIME: "Time of k-EVCLUS against n, k and f", MEMORY: "Memory of k-EVCLUS against n, k and f"},
    summaries=(exponents, fitted),
    smoke={
        "sizes": (1000, 4000),
        "sizes_of_all": (500, 2000),
        "ks": (25, 100),
        "cs": (2, 4),
        "k": 50,
        "n_for_k": 2000,
        "n_for_f": 2000,
        "n_repeats": 1,
    },
    timed=True,
)
