"""Beyond the paper: partners drawn in blocks against partners drawn one by one.

k-EVCLUS draws k partners for each object independently (Section 4 of [denoeux2016_evclus]). Blocks of objects
that share their partners are quicker to fit (``conflict/block_graph.py``), but pairs then depend on each
other: all b objects of a block meet the same blocks, neighbours in s random cyclic orders, k = s b. What does
that cost, and how many orders are enough? Three things speak for more orders and smaller blocks:

- *Mixing.* Objects agree on the numbers of the clusters only through the blocks they meet. One order is a
  ring; a union of s orders joins all blocks within a few steps.
- *Variance.* The matrix of a block's programmes is a sum over its 2 s neighbours. It varies no more than with
  independent partners, since the objects of a block are a random sample; but all b objects share its error.
- *Balance.* A neighbour of b objects may lack a cluster; 2 k partners hardly do.

For fewer orders speak longer runs in memory and fewer matrices.

Paired runs: the same data, d0 and start, which are those of ``EVCLUS`` by default ("linkage") or random.
Each fit is judged by the stress J on pairs that no fit has seen, `n_judged` partners of each object drawn
independently, and by the adjusted Rand index. Times are processor times from attributes to masses without the
start, which both ways share; two-sided updates, epsilon = 1e-5 as in the paper.

- Part "draw": independent pairs against blocks of s = 4 orders, the default, for each k.
- Part "orders": blocks alone, for each s at k = 96, also from random starts, where poor mixing shows.

Data sets are t4 of three sizes, S2, the first images of each class of the digits, or their stand-in, and the
proteins. From 100 000 objects on there is one run.
"""

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from credalbench.baselines.base_partitions import no_user_warnings
from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.block_dissimilarities import filler, transformed_blocks
from credalbench.cluster.conflict.block_graph import draw_blocks
from credalbench.cluster.conflict.block_pairs import BlockPairs
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.conflict.stress import SampledPairs
from credalbench.cluster.conflict.transformation import transformed
from credalbench.datasets import Dataset, load, make_t4
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, case_rng, case_seed, declare, knob

from ..pair_updates import attributes
from ..shared.clock import warm_up
from ..shared.nonmetric_runs import at_hand, dissimilarities
from .claims import ARTEFACT, BLOCKS, DRAW, INDEPENDENT, ORDERS_PART, by_draw, by_orders

DATA_SETS = ("t4:1000", "t4:10000", "t4:100000", "s2", "digits", "protein")
MANY = 100_000  # objects from which there is one run
ALPHA = 0.05


@dataclass(frozen=True)
class Parameters:
    """All ours."""

    data_sets: tuple[str, ...] = knob(DATA_SETS, "data sets: t4:n, s2, digits, protein")
    per_class: int = knob(100, "objects of each class of the digits", low=2)
    ks: tuple[int, ...] = knob((10, 30, 100), "partners k, fewer than half of the objects", low=1)
    orders: tuple[int, ...] = knob((1, 2, 4, 8, 32), "cyclic orders s", low=1)
    sets_for_orders: tuple[str, ...] = knob(("t4:10000", "s2"), "data sets where s varies")
    k_for_orders: int = knob(96, "k where s varies", low=1)
    n_runs: int = knob(4, "paired runs for each data set", low=2)
    n_judged: int = knob(200, "partners of each object in J; all, where fewer", low=1)
    max_sweeps: int = knob(200, "cap on sweeps", low=1)
    tol: float = knob(1e-5, "epsilon of the stopping rule (21), as in the paper", low=0.0)
    seed: int = knob(0, "seed of samples, pairs and starts", low=0)


def cases(params):
    """Return one case for each data set, repetition and part."""
    return [
        {"part": part, "dataset": name, "repetition": repetition}
        for part, names in ((DRAW, params.data_sets), (ORDERS_PART, params.sets_for_orders))
        for name in names
        for repetition in range(1 if _size(name) >= MANY else params.n_runs)
    ]


def _size(name: str) -> int:
    return int(name.partition(":")[2] or 0)


class Problem(NamedTuple):
    """A data set with what all its fits share: d0 and starting masses by name; and the judge of J."""

    data: Dataset
    d0: float
    starts: dict[str, np.ndarray]
    focal_sets: FocalSets
    judge: SampledPairs


def data_of(params, name: str, repetition: int) -> Dataset:
    """Return a data set; t4 is drawn anew in each repetition."""
    if name.startswith("t4:"):
        return make_t4(_size(name), case_seed(params.seed, name, repetition))
    if name == "digits":
        return dissimilarities(at_hand("zongker").name, params.per_class)
    return load(name)


@lru_cache(maxsize=1)
def problem(params, name: str, repetition: int) -> Problem:
    """Return what the fits of a case share; both parts of a data set draw the same."""
    data = data_of(params, name, repetition)
    X, metric = attributes(data)
    n, axes = data.n_objects, (params.seed, name, repetition)
    options = {"n_pairs": min(100, n - 1), "metric": metric, "max_iter": 0}
    with no_user_warnings():
        start = EVCLUS(data.n_clusters, random_state=case_random_state(*axes, "start"), **options).fit(X)
    rng = case_rng(*axes, "judged")
    partners = sample_partners(n, min(params.n_judged, n - 1), rng)
    judge = SampledPairs(partners, transformed(pair_dissimilarities(X, partners, metric), start.d0_, ALPHA))
    masses = rng.random(start.start_.shape)
    starts = {"linkage": start.start_, "random": masses / masses.sum(axis=1, keepdims=True)}
    return Problem(data, start.d0_, starts, start.partition_.focal_sets, judge)


def compute(params, case):
    """Fit both ways for each k, or blocks for each number of orders: table ``runs``."""
    warm_up()
    found = problem(params, case["dataset"], case["repetition"])
    most = (found.data.n_objects - 2) // 2
    rows = []
    if case["part"] == DRAW:
        for k in sorted({min(k, most) for k in params.ks}):
            rows += [run(params, case, found, k, way, 4, "linkage") for way in (INDEPENDENT, BLOCKS)]
    else:
        k = min(params.k_for_orders, most)
        for start in found.starts:
            rows += [run(params, case, found, k, BLOCKS, s, start) for s in params.orders if s <= k]
    return {"runs": pd.DataFrame(rows)}


def run(params, case, found: Problem, k: int, way: str, s: int, start: str) -> dict:
    """Fit once and describe the result."""
    rng = case_rng(params.seed, case["dataset"], case["repetition"], way, k, s)
    X, metric = attributes(found.data)
    n, conflict = found.data.n_objects, found.focal_sets.conflict.copy()
    began = time.process_time()
    if way == BLOCKS:
        graph = draw_blocks(n, k, rng, s)
        delta, _ = transformed_blocks(graph, filler(X, metric, graph), lambda _: found.d0, ALPHA)
        stress = BlockPairs(graph, delta)
    else:
        partners = sample_partners(n, k, rng)
        delta = transformed(pair_dissimilarities(X, partners, metric), found.d0, ALPHA)
        stress = SampledPairs(partners, delta)
    rule = {"has_empty": True, "tol": params.tol, "max_iter": params.max_sweeps}
    fit = irqp(stress, found.starts[start], conflict, **rule)
    seconds = time.process_time() - began
    plausibility = fit.masses @ found.focal_sets.membership.astype(float)
    return {
        "k": k,
        "way": way,
        "orders": s,
        "start": start,
        "stress": fit.stress[-1],
        "judged_stress": found.judge.value(fit.masses, conflict),
        "ari": adjusted_rand(found.data.y, plausibility.argmax(axis=1)),
        "n_iter": len(fit.stress) - 1,
        "converged": fit.converged,
        "largest_rise": float(np.max(np.diff(fit.stress) / fit.stress[:-1], initial=0.0)),
        "time_s": seconds,
        "stand_in": found.data.substitute_for is not None,
    }


experiment = declare(
    __name__,
    title="Partners drawn in blocks against partners drawn one by one",
    artefacts={ARTEFACT: "Blocks of pairs and independent pairs"},
    summaries=(by_draw, by_orders),
    smoke={
        "data_sets": ("t4:1000", "protein"),
        "sets_for_orders": ("t4:1000",),
        "ks": (10, 30),
        "orders": (1, 4),
        "k_for_orders": 24,
        "n_runs": 3,
        "n_judged": 100,
        "max_sweeps": 60,
    },
    data=("protein", "s2"),
)
