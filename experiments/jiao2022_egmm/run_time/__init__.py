"""Table 11: the time of a run of each of the seven algorithms.

Each run is one start with the true number of clusters, as for Tables 6 to 10; each is repeated and the
fastest counts. The paper does not say whether its times include the search for the number of clusters, nor
over how many runs they are means. Its programs and its machine differ from ours, so seconds cannot be
compared, but orders and ratios can. These depend on the programs as much as on the algorithms: Matlab, and R
for bootGMM, in the paper; here compiled loops for EGMM and ECM, scikit-learn for k-means and Gaussian
mixtures.

bootGMM has fewer bootstrap replicates than the 500 of its program, so its time here is a lower bound.

In addition, bootGMM and EGMM run on growing numbers of objects of four overlapping classes: the former
compares all pairs of objects.
"""

import time
import warnings
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster.mixture.bootstrap import COVARIANCES, mixture_by_bic
from credalbench.core.intervals import median
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import load, make_egmm_four_class
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.style import INK, LABEL_SIZE, TICK_SIZE, colour, log_axis, marker, style_axes

from ..shared.algorithms import run
from ..shared.tables import DATASETS, FILES, METHODS, printed_seconds, printed_size
from .claims import CHOICE, GROWING, seconds, side_by_side

CLASSES = 4


@dataclass(frozen=True)
class Parameters:
    """Runs, and the settings of the algorithms, which are those of their programs."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "data sets (Table 11)")
    n_runs: int = knob(5, "runs of each algorithm (not stated; 10 in Tables 6 to 10)", low=2)
    n_repeats: int = knob(1, "repetitions of a run, of which the fastest counts (ours)", low=1)
    n_bootstrap: int = knob(20, "replicates of bootGMM (500 in its program)", low=2)
    sizes: tuple[int, ...] = knob((500, 1000, 2000), "numbers of objects of more runs (ours)", low=40)
    reg_covar: float = knob(0.01, "ridge added to the covariances", low=0.0)
    tol: float = knob(1e-3, "EM stops below this gain of the log-likelihood in EGMM", low=0.0)
    alpha: float = knob(2.0, "penalty of large sets, exponent of their size, in ECM")
    beta: float = knob(2.0, "fuzziness, exponent of the masses, in ECM", low=1.01)
    delta: float = knob(10.0, "outlier distance, to the empty set in ECM", low=0.01)
    seed: int = knob(0, "seed of starts and data", low=0)


def cases(params):
    """Let the data sets take turns, so that load on the machine affects all of them."""
    runs = [
        {"part": "runs", "dataset": d, "repetition": r} for r in range(params.n_runs) for d in params.datasets
    ]
    sizes = product(range(params.n_runs), params.sizes)
    return runs + [{"part": "growing", "dataset": str(n), "repetition": r} for r, n in sizes]


def compute(params, case):
    """Compute the table ``runs``, one row for each algorithm; table ``growing`` with n in its column."""
    warm_up(params)
    seed = case_random_state(params.seed, case["dataset"], case["repetition"])
    if case["part"] == "growing":
        n = int(case["dataset"])
        X = make_egmm_four_class(n, case_rng(params.seed, "growing", n, case["repetition"])).X
        rows = [{"method": m, "n": n, "time_s": timed(params, m, X, CLASSES, seed)} for m in GROWING]
        return {"growing": pd.DataFrame(rows)}
    X, c = load(FILES[case["dataset"]]).X, printed_size(case["dataset"], "c")
    rows = [{"method": m, "time_s": timed(params, m, X, c, seed)} for m in (*METHODS, CHOICE)]
    tables = {"runs": pd.DataFrame(rows)}
    if case["repetition"] == 0:
        tables["counts"] = pd.DataFrame(counts(*X.shape, c))
    return tables


@cache
def warm_up(params) -> None:
    """Compile the kernels and call each algorithm once on 40 objects, before any clock starts."""
    compile_kernels()
    X = np.random.default_rng(0).random((40, 2))
    for method in (*METHODS, CHOICE):
        timed(params, method, X, 2, 0)


def timed(params, method, X, c, seed) -> float:
    """Return the seconds of the fastest of some repetitions; NaN where a covariance becomes singular."""
    seconds = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mixtures that did not converge, or collapsed
        for _ in range(params.n_repeats):
            begin = time.process_time()
            try:
                choose_mixture(X, c, seed) if method == CHOICE else run(method, params, X, c, seed)
            except ValueError:
                return np.nan
            seconds.append(time.process_time() - begin)
    return min(seconds)


def choose_mixture(X, c, seed):
    """Return what bootGMM does before it bootstraps: the type of covariances with the highest BIC."""
    rng = np.random.RandomState(seed)
    return mixture_by_bic(X, (c,), COVARIANCES, 1e-6 * X.var(axis=0).mean(), 1, rng)


def counts(n, p, c):
    """Count independent numbers of the partition of one object, and of the mixture, by algorithm."""
    matrix, sets = p * (p + 1) // 2, len(FocalSets.full(c, empty=False))
    yield {"method": "gmm", "n_masses": c - 1, "n_parameters": c - 1 + c * p + c * matrix}
    yield {"method": "gmm_shared", "n_masses": c - 1, "n_parameters": c - 1 + c * p + matrix}
    yield {"method": "egmm", "n_masses": sets - 1, "n_parameters": sets - 1 + c * p + matrix}
    yield {"method": "ecm", "n_masses": sets, "n_parameters": c * p}


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    figure = new_figure(9.0, 4.6)
    ax = figure.subplots()
    for k, method in enumerate(METHODS):
        at = np.arange(len(params.datasets)) + 0.11 * (k - (len(METHODS) - 1) / 2)
        found = [median(seconds(tables, dataset, method)) for dataset in params.datasets]
        values, lows, highs = np.transpose([(e.value, e.low, e.high) for e in found])
        look = {"color": colour(k), "markeredgecolor": "white", "markeredgewidth": 0.5, "capsize": 2}
        ax.errorbar(at, values, [values - lows, highs - values], fmt=marker(k), ms=6.5, **look)
        printed = [printed_seconds(dataset, method).value for dataset in params.datasets]
        rings = {"markerfacecolor": "none", "markeredgecolor": colour(k), "markeredgewidth": 1.1}
        ax.plot(at, printed, marker(k), ms=9.5, **rings)
    log_axis(ax.yaxis)
    style_axes(ax, title="Times of a run", ylabel="median time of a run (s)")
    ax.set_xticks(range(len(params.datasets)), [DATASETS[name] for name in params.datasets])
    ax.tick_params(axis="x", labelsize=LABEL_SIZE, length=0)
    handles = [
        ax.plot([], [], marker(k), color=colour(k), ms=7, label=name)[0]
        for k, name in enumerate(METHODS.values())
    ]
    look = {"color": INK, "markeredgecolor": INK, "linestyle": "none", "marker": "o"}
    handles += ax.plot([], [], ms=7, label="filled: ours, 95 % interval", **look)
    handles += ax.plot([], [], ms=9, markerfacecolor="none", label="ring: printed, other machine", **look)
    figure.legend(handles=handles, loc="outside lower center", frameon=False, fontsize=TICK_SIZE, ncols=5)
    return {"egmm-tab-11": figure}


experiment = declare(
    __name__,
    title="Run times of seven algorithms",
    artefacts={"egmm-tab-11": "Run time"},
    summaries=(side_by_side,),
    smoke={"datasets": ("iris", "seeds"), "n_runs": 2, "n_repeats": 1, "n_bootstrap": 5, "sizes": (80, 160)},
    timed=True,
    data=("iris_uci", "user_knowledge", "seeds", "vehicle", "wine_uci"),
)
