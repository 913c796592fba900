"""k-EVCLUS, RECM and EK-NNclus on simulated data: Figure 19 and the text results of Section 4.1.

Three parts. ``datasets``: ten data sets for each n = 1000 to 5000, one start each (Figure 19). ``starts``:
one data set of n = 2000 and one of n = 10000 objects, ten random starts each (the two items of Section 4.1).
``samples``: more data sets of these two n, ten starts of EK-NNclus and of k-EVCLUS on each. The paper's
sample is lost, and the index of EK-NNclus differs from sample to sample.
Printed: the t4 recipe; k-EVCLUS with k = 100, c = 4, d0 = the 0.9-quantile of the distances and epsilon =
1e-5; RECM with alpha = 1, beta = 1.5, delta^2 = the "0.95 quantile of dissimilarities"; EK-NNclus with q =
0.95 and K = 3 sqrt(n) (Figure 19), K = 100 and 300 from 1000 initial clusters (text). Where the paper leaves
a choice:

- *delta^2 of RECM.* The quantile of the distances or of their squares? RECM is given squared distances, and
  only their quantile has the unit of a delta^2, so we use this reading. The other reading is run as well.
- *Focal sets of RECM.* Not repeated in Section 4.1; Section 3.2 says: the empty set, the singletons and the
  frame. "Default parameter values" might also mean all 16 sets: these are run as well.
- *Threshold of RECM.* 1e-5, as in Section 3.2.
- *Initial clusters of EK-NNclus in Figure 19.* Not stated: 1000, as in the text. At n = 1000 each object
  then starts alone. The exponent b of the distances is not stated either: 1.
- *Pairs of k-EVCLUS.* Drawn anew for each start.

For all three methods, ``time_s`` is the whole call, from the (n, 2) attributes to the partition. k-EVCLUS
then computes only the distances that it samples, and EK-NNclus finds neighbours with a tree. A method that
gets a ready matrix (``from_matrix``) reads and checks all of it.
"""

import time
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist

from credalbench.cluster import EVCLUS, RECM, EKNNclus
from credalbench.cluster.eknnclus import nearest_neighbours, neighbour_evidence, settle
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import curve_with_errors, new_figure

from ..shared.clock import warm_up
from ..shared.k_curves import PAIR_UPDATES
from .claims import METHODS, samples_of_eknnclus, text_results, time_ratios

#: Other readings of RECM's settings -> (how the quantile is read, focal sets); run in the part ``starts``.
READINGS = {"recm_plain_delta": ("distances", "simple"), "recm_all_sets": ("squares", "full")}
CLUSTERS = 4


@dataclass(frozen=True)
class Parameters:
    """The setting of Section 4.1; RECM's threshold and focal sets are those of Section 3.2."""

    sizes: tuple[int, ...] = knob((1000, 2000, 3000, 4000, 5000), "n of Figure 19", low=8)
    n_datasets: int = knob(10, "data sets for each n of Figure 19", low=2)
    starts_small: int = knob(2000, "n of the first text result", low=8)
    starts_large: int = knob(10_000, "n of the second text result", low=8)
    n_starts: int = knob(10, "random starts of the text results", low=2)
    samples_small: int = knob(9, "more data sets of the smaller n of the text (ours)", low=1)
    samples_large: int = knob(1, "more data sets of the larger n of the text (ours)", low=1)
    k: int = knob(100, "partners of each object in k-EVCLUS (Figure 19)", low=1)
    pair_updates: str = knob("one-sided", "row update; one-sided is the published one", choices=PAIR_UPDATES)
    d0_quantile: float = knob(0.9, "d0 as a quantile of the distances", low=0.01, high=1.0)
    delta_quantile: float = knob(0.95, "delta^2 of RECM as a quantile", low=0.01, high=1.0)
    recm_up_to: int = knob(5000, "largest n for RECM; at 10000 the paper ran out of memory", low=8)
    q: float = knob(0.95, "quantile that scales the evidence of EK-NNclus", low=0.01, high=1.0)
    neighbours_small: int = knob(100, "K of EK-NNclus at the smaller n of the text", low=1)
    neighbours_large: int = knob(300, "K of EK-NNclus at the larger n of the text", low=1)
    initial_labels: int = knob(1000, "labels that EK-NNclus starts with, at most n", low=2)
    tol: float = knob(1e-5, "threshold of k-EVCLUS and RECM", low=0.0)
    from_matrix: bool = knob(False, "hand all three the matrix of distances instead of the attributes")
    seed: int = knob(0, "seed of data, pairs and random starts (not stated)", low=0)


def cases(params):
    """Let the sizes take turns, so that load on the machine affects all of them."""
    datasets = [
        {"part": "datasets", "n": n, "repetition": r} for r in range(params.n_datasets) for n in params.sizes
    ]
    starts = [
        {"part": "starts", "n": n, "repetition": r}
        for r in range(params.n_starts)
        for n in sorted({params.starts_small, params.starts_large})
    ]
    more = [(params.starts_small, params.samples_small), (params.starts_large, params.samples_large)]
    samples = [{"part": "samples", "n": n, "repetition": r} for n, m in more for r in range(1, m + 1)]
    return datasets + starts + samples


def compute(params, case):
    """Run the three methods on one data set: table ``runs``, a row per method; or a `further_sample`."""
    if case["part"] == "samples":
        return {"samples": further_sample(params, case["n"], case["repetition"])}
    n, repetition, starts = case["n"], case["repetition"], case["part"] == "starts"
    data = make_t4(n, case_rng(params.seed, "t4", n, 0 if starts else repetition))
    X = data.dissimilarities() if params.from_matrix else data.X
    seed = case_random_state(params.seed, "t4", n, case["part"], repetition)
    models = {"kevclus": k_evclus(params, seed)}
    if n <= params.recm_up_to:
        models["recm"] = recm(params, data, seed)
        if starts:
            models |= {name: recm(params, data, seed, *reading) for name, reading in READINGS.items()}
    models["eknnclus"] = eknnclus(params, n, seed, starts)
    warm_up()
    return {"runs": pd.DataFrame([timed_row(name, model, X, data.y) for name, model in models.items()])}


def further_sample(params, n: int, repetition: int) -> pd.DataFrame:
    """Run k-EVCLUS and EK-NNclus from random starts on another data set: start, method, ari, n_clusters."""
    data = make_t4(n, case_rng(params.seed, "t4", n, repetition))
    rows = []
    for start, labels in enumerate(eknnclus_starts(params, data.X, repetition)):
        seed = case_random_state(params.seed, "t4", n, "samples", repetition, start)
        partition = k_evclus(params, seed).fit(data.X).partition_
        found = {"eknnclus": labels, "kevclus": partition.labels("plausibility")}
        rows += [
            {
                "start": start,
                "method": method,
                "ari": adjusted_rand(data.y, y),
                "n_clusters": int(y.max()) + 1,
            }
            for method, y in found.items()
        ]
    return pd.DataFrame(rows)


def eknnclus_starts(params, X, repetition: int):
    """Return the labels of EK-NNclus from each random start; neighbours are searched once."""
    n = len(X)
    model = eknnclus(params, n, 0, True)
    distances, neighbours = nearest_neighbours(X, model.n_neighbors)
    weights = -np.log1p(-neighbour_evidence(distances, model.q, model.b)[0])
    for start in range(params.n_starts):
        rng = case_rng(params.seed, "EK-NNclus", n, repetition, start)
        labels = np.unique(rng.integers(model.n_clusters, size=n), return_inverse=True)[1]
        orders = (rng.permutation(n) for _ in range(model.max_iter))
        yield settle(labels, neighbours, weights, orders).labels


def k_evclus(params, seed: int) -> EVCLUS:
    return EVCLUS(
        CLUSTERS,
        n_pairs=params.k,
        pair_sampling="independent",
        pair_updates=params.pair_updates,
        d0_quantile=params.d0_quantile,
        metric=metric(params),
        init="random",
        tol=params.tol,
        random_state=seed,
    )


def recm(params, data, seed: int, delta_of: str = "squares", focal_sets: str = "simple") -> RECM:
    """Run RECM with delta^2 as a quantile of the squared distances or of the distances themselves."""
    quantile = np.quantile(pdist(data.X), params.delta_quantile)
    delta = quantile if delta_of == "squares" else np.sqrt(quantile)
    options = {"delta": delta, "focal_sets": focal_sets, "metric": metric(params)}
    return RECM(CLUSTERS, alpha=1.0, beta=1.5, tol=params.tol, random_state=seed, **options)


def eknnclus(params, n: int, seed: int, starts: bool) -> EKNNclus:
    """Run EK-NNclus with K = 3 sqrt(n), or K of the text."""
    text = params.neighbours_small if n == params.starts_small else params.neighbours_large
    return EKNNclus(
        min(n, params.initial_labels),
        init="random",
        n_neighbors=min(n - 1, text if starts else round(3 * n**0.5)),
        q=params.q,
        metric=metric(params),
        random_state=seed,
    )


def metric(params) -> str:
    return "precomputed" if params.from_matrix else "euclidean"


def timed_row(method: str, model, X, y) -> dict:
    """Fit, and return the measures of the result."""
    begin = time.process_time()
    model.fit(X)
    seconds = time.process_time() - begin
    partition = model.partition_  # None beyond 62 clusters
    labels = model.labels_ if method == "eknnclus" else partition.labels("plausibility")
    return {
        "method": method,
        "ari": adjusted_rand(y, labels),
        "time_s": seconds,
        "n_clusters": len(np.unique(labels)),
        "nonspecificity": np.nan if partition is None else partition.nonspecificity(),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "n_other_sets": np.nan if partition is None else other_sets(partition),
    }


def other_sets(partition) -> int:
    """Count the sets with mass that are neither single clusters nor the set of all."""
    sizes = partition.focal_sets.cardinality
    return int((partition.masses.any(axis=0) & (sizes != 1) & (sizes != partition.n_clusters)).sum())


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Draw Figure 19: (a) time, (b) ARI against n, medians with quartiles."""
    runs = tables["runs"][tables["runs"]["part"] == "datasets"]
    # The bars of one n stand side by side, or they would hide each other.
    step = min(np.diff(sorted({0, *params.sizes}))) / 16
    shift = runs["method"].map({method: step * (i - 1) for i, method in enumerate(METHODS)})
    named = runs.assign(method=runs["method"].map(METHODS), n=runs["n"] + shift)
    figure = new_figure(9.6, 3.9)
    left, right = figure.subplots(1, 2)
    curve_with_errors(left, named, "n", "time_s", "method", title="(a) Computing time")
    curve_with_errors(right, named, "n", "ari", "method", title="(b) Adjusted Rand index")
    for ax, label in ((left, "time (s)"), (right, "adjusted Rand index")):
        ax.set_xlabel("number of objects n")
        ax.set_ylabel(label)
        ax.set_xticks(params.sizes)
    left.set_ylim(bottom=0)
    return {"evclus-fig-19": figure}


experiment = declare(
    __name__,
    title="k-EVCLUS, RECM and EK-NNclus on simulated data: time and agreement with the classes",
    artefacts={
        "evclus-fig-19": "Three methods against n: computing time and adjusted Rand index",
        "evclus-txt-02": "RECM and EK-NNclus over ten random starts, n = 2000 and n = 10000",
    },
    summaries=(text_results, samples_of_eknnclus, time_ratios),
    smoke={
        "sizes": (200, 400, 600),
        "n_datasets": 3,
        "starts_small": 400,
        "starts_large": 800,
        "n_starts": 3,
        "samples_small": 2,
        "samples_large": 2,
        "k": 50,
        "neighbours_small": 45,
        "neighbours_large": 85,
        "initial_labels": 200,
    },
    timed=True,
)
