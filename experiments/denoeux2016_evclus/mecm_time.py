"""Section 3.2 of [denoeux2016_evclus], last paragraph: how long MECM takes on the simulated data.

The paper ran the R code of the authors of MECM on the data of Experiment 2 and prints two average times, 46.0
s for n = 100 and 141.0 s for n = 200; for this reason MECM is not considered any further. It prints neither
the parameters nor the number of data sets. Ours: 20 data sets, all 2^4 = 16 focal sets (a knob), the defaults
of :class:`credalbench.cluster.MECM`, and two more sizes, which show how the time grows further.

The whole fit is timed, from the matrix of dissimilarities to the credal partition, for MECM, IRQP and RECM
alike. The sentences of the paper are about a program that was never published: they are not checkable, and
the times here are those of a different program.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from credalbench.cluster import EVCLUS, MECM, RECM
from credalbench.cluster.conflict.transformation import d0_from_quantile
from credalbench.datasets import make_t4
from credalbench.metrics.external import adjusted_rand
from credalbench.papers import NotCheckable, case_random_state, case_seed, declare, knob, printed_values
from credalbench.papers.claims import claim
from credalbench.papers.reasons import TIMES
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import log_axis

from .shared.clock import fastest, warm_up

PRINTED = printed_values(__file__)
METHODS = {"mecm": "MECM", "irqp": "IRQP", "recm": "RECM"}
FOCAL_SETS = ("full", "simple")


@dataclass(frozen=True)
class Parameters:
    """The paper names the data and the two sizes 100 and 200; all the rest is ours."""

    sizes: tuple[int, ...] = knob(
        (100, 200, 400, 800), "numbers of objects n; the paper has 100 and 200 (Section 3.2)", low=8
    )
    n_datasets: int = knob(20, "data sets for each n (not stated in the paper)", low=2)
    n_repeats: int = knob(3, "repetitions of the same run, of which the fastest counts (ours)", low=1)
    focal_sets: str = knob("full", "focal sets of MECM (not stated)", choices=FOCAL_SETS)
    d0_quantile: float = knob(
        0.8, "d0 of EVCLUS as a quantile of the distances; delta of RECM", low=0.01, high=1.0
    )
    tol: float = knob(1e-5, "threshold epsilon of the stopping rules (Section 3.2)", low=0.0)
    max_iter: int = knob(1000, "cap on sweeps or iterations (ours)", low=1)
    seed: int = knob(0, "seed of data sets and random starts", low=0)


def cases(params):
    """Return cases by data set, the sizes in turn, so that load on the machine affects all."""
    return [{"n": n, "dataset": d} for d in range(params.n_datasets) for n in params.sizes]


def compute(params, case):
    warm_up()
    axes = ("t4", case["n"], case["dataset"])
    data = make_t4(case["n"], case_seed(params.seed, *axes))
    D = data.dissimilarities()
    rows = []
    for name, method in methods(params, D, data.n_clusters, case_random_state(params.seed, *axes)).items():
        seconds = fastest(params.n_repeats, method.fit, D)
        ari = adjusted_rand(data.y, method.partition_.labels("plausibility"))
        row = {"method": name, "time_s": seconds, "n_iter": method.n_iter_, "ari": ari}
        rows.append(row | {"converged": method.converged_})
    return {"runs": pd.DataFrame(rows)}


def methods(params, D, c, random_state) -> dict:
    """Return the three clusterers with their settings: those of Section 3.2 for IRQP and RECM."""
    d0 = d0_from_quantile(squareform(D), params.d0_quantile, condensed=True)
    options = {"metric": "precomputed", "tol": params.tol, "max_iter": params.max_iter}
    options["random_state"] = random_state
    return {
        "mecm": MECM(c, focal_sets=params.focal_sets, init="random", **options),
        "irqp": EVCLUS(c, d0=d0, init="random", **options),
        "recm": RECM(c, delta=d0, focal_sets="simple", **options),
    }


def growth(params, tables) -> pd.DataFrame:
    """Tabulate mean time, its ratio to that at the size before, iterations and ARI, by method and size."""
    table = tables["runs"].groupby(["method", "n"], sort=False)[["time_s", "n_iter", "ari"]].mean()
    rows = []
    for name, label in METHODS.items():
        part = table.loc[name].sort_index()
        columns = {
            "mean time (ms)": (1e3 * part["time_s"]).round(2),
            "times that at the size before": (part["time_s"] / part["time_s"].shift()).round(2),
            "mean iterations": part["n_iter"].round(1),
            "mean ARI": part["ari"].round(3),
        }
        rows.append(pd.DataFrame({"method": label, **columns}).reset_index())
    return pd.concat(rows).set_index(["method", "n"])


def draw(params, tables):
    runs = tables["runs"]
    runs = runs.assign(time_ms=1e3 * runs["time_s"], method=runs["method"].map(METHODS))
    figure = new_figure(6.4, 4.2)
    ax = figure.subplots()
    curve_with_errors(ax, runs, "n", "time_ms", "method", "mean-ci", log=True, title="Time of a whole fit")
    log_axis(ax.xaxis)
    sizes = sorted(runs["n"].unique())
    ax.set_xticks(sizes, [str(n) for n in sizes])
    ax.set_xlabel("number of objects n (logarithmic)")
    ax.set_ylabel("mean time (ms, logarithmic)")
    return {"evclus-txt-01": figure}


# ---------------------------------------------------------------- claims

NOT_PUBLISHED = (
    "the sentence is about the program of MECM's authors, which was never published; ours is another one"
)


def times(tables, n: int, method: str) -> np.ndarray:
    """Return the seconds of a method at one size, one entry per data set."""
    runs = tables["runs"]
    found = runs.loc[(runs["n"] == n) & (runs["method"] == method), "time_s"]
    if found.empty:
        raise NotCheckable(f"needs n = {n} among the sizes")
    return found.to_numpy()


@claim(
    "evclus-txt-01",
    "the program of MECM's authors is much slower than EVCLUS and RECM, and does not suit large data",
    sentence="S35",
    caveat=TIMES,
)
def mecm_slower(params, tables):
    raise NotCheckable(NOT_PUBLISHED)


@claim(
    "evclus-txt-01",
    "the program of MECM's authors takes the printed seconds",
    published=", ".join(map(str, PRINTED.values())),
)
def mecm_seconds(params, tables):
    raise NotCheckable(NOT_PUBLISHED, PRINTED.values())


experiment = declare(
    __name__,
    title="Computing time of MECM on the simulated data, compared with EVCLUS and RECM",
    artefacts={"evclus-txt-01": "MECM running time on the simulated data"},
    summaries=(growth,),
    smoke={"n_repeats": 1, "n_datasets": 3, "sizes": (100, 200)},
    timed=True,
)
