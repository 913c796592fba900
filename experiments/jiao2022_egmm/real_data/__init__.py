"""Tables 5 to 10: seven algorithms on five data sets, with the number of clusters unknown and known.

Printed: means and standard deviations over 10 runs. With the number unknown it is searched from 2 to 6 by
each algorithm's own index, and the partition is that of the "corresponding estimated number". Read literally
that is the mean of the 10 numbers, rounded: wherever that is the true one, the printed NMI and ARI with the
number unknown are those with the number known, to the last digit (study ``printed_tables``). So do we; where
our mean number does not differ from the printed one, it is the printed one that is rounded. Every run is one
start; more runs than 10 narrow our intervals, and the table ``ten_runs`` shows how the first 10 of them look.

Not printed: the preparation of the data, of which there is none here, and the settings of the algorithms
(``shared/algorithms.py``). bootGMM has fewer bootstrap replicates than the 500 of its program, and runs with
the number that it finds and with the true one only.

Three algorithms are also run with other settings, table ``readings_of_others``: EGMM with sets of at most two
clusters and the frame, and with other ridges than the 0.01 of the authors' program, since on attributes that
vary as little as those of Seeds and Knowledge the ridge is part of the model; ECM and the Gaussian mixtures
with the defaults of their programs. What ends without a result is a row with a reason.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.datasets import load
from credalbench.metrics import adjusted_rand, nmi, purity
from credalbench.runner import case_random_state, declare, knob

from ..shared.algorithms import boot_gmm, readings, run
from ..shared.files import FILES
from ..shared.tables import DATASETS, METHODS, TABLES, printed_size
from .summaries import chosen_everywhere, readings_of_others, side_by_side, sizes, ten_runs


@dataclass(frozen=True)
class Parameters:
    """The protocol of Section 4.2; settings of the algorithms are those of their programs."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "data sets (Table 5)")
    searched: tuple[int, ...] = knob((2, 3, 4, 5, 6), "numbers of clusters that are tried", low=2)
    n_runs: int = knob(20, "runs of each algorithm (the paper has 10)", low=2)
    n_boot_runs: int = knob(10, "runs of bootGMM", low=2)
    n_bootstrap: int = knob(25, "replicates in a run of bootGMM (500 in its program)", low=2)
    n_reading_runs: int = knob(10, "runs of the algorithms with other settings (ours)", low=2)
    reg_covar: float = knob(0.01, "ridge of the covariances (EGMM: authors' program)", low=0.0)
    ridges: tuple[float, ...] = knob((0.003, 0.001, 0.0), "other ridges of EGMM (ours)", low=0.0)
    tol: float = knob(1e-3, "EM stops below this gain in EGMM (authors' program)", low=0.0)
    alpha: float = knob(2.0, "penalty of large sets, exponent of their size, in ECM (default 1)")
    beta: float = knob(2.0, "fuzziness, exponent of the masses, in ECM (default)", low=1.01)
    delta: float = knob(10.0, "outlier distance, to the empty set in ECM (default)", low=0.01)
    seed: int = knob(0, "seed of all starts (not stated)", low=0)


def cases(params):
    """Return one case for each data set, method or reading of EGMM, and run."""
    counts = dict.fromkeys(METHODS, params.n_runs) | {"bootgmm": params.n_boot_runs}
    counts |= dict.fromkeys(readings(params), params.n_reading_runs)
    return [
        {"dataset": dataset, "method": method, "repetition": number}
        for dataset in params.datasets
        for method, count in counts.items()
        for number in range(count)
    ]


def compute(params, case):
    """Compute the table ``fits``, a row for each fitted number of clusters; ``sizes`` once for a data set."""
    dataset, method = case["dataset"], case["method"]
    data, c = load(FILES[dataset]), printed_size(dataset, "c")
    seed = case_random_state(params.seed, dataset, case["repetition"])
    rows = fit_boot_gmm if method == "bootgmm" else fit_each
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # mixtures that did not converge, or collapsed: as it may happen there
        table = pd.DataFrame(rows(params, method, data, c, seed))
    tables = {"fits": table.assign(chosen=table["index"] == table["index"].max())}
    if method == "hcm" and case["repetition"] == 0:
        classes = np.bincount(data.y)
        sizes = {"n": len(data.X), "p": data.X.shape[1], "c": int((classes > 0).sum())}
        sizes |= {"class_sizes": " + ".join(map(str, classes[classes > 0]))}
        tables["sizes"] = pd.DataFrame([sizes])
    return tables


def fit_each(params, method, data, c, seed):
    """Yield one run with each number of clusters; HCM has no index, and gets the true number only."""
    for number in (c,) if method == "hcm" else sorted({c, *params.searched}):
        try:
            labels, index = run(method, params, data.X, number, seed)
        except ValueError as error:  # a covariance became singular
            nothing = dict.fromkeys(("index", "purity", "nmi", "ari"), np.nan)
            yield {"c": number, "status": "failed", "reason": str(error), **nothing}
            continue
        searched = index if number in params.searched else np.nan
        yield {"c": number, "status": "ok", "reason": "", "index": searched, **scores(data.y, labels)}


def fit_boot_gmm(params, method, data, c, seed):
    """Fit bootGMM with the number of clusters that BIC chooses, and with the true one."""
    free = boot_gmm(params, params.searched, seed).fit(data.X)
    known = free if free.n_clusters_ == c else boot_gmm(params, c, seed).fit(data.X)
    for model in dict.fromkeys((free, known)):
        index = model.bic_ if model is free else np.nan
        row = {"c": model.n_clusters_, "status": "ok", "reason": "", "index": index}
        yield row | scores(data.y, model.labels_) | {"model": model.covariance_type_}


def scores(y, labels):
    """Return the three measures of a hard partition."""
    return {"purity": purity(y, labels), "nmi": nmi(y, labels), "ari": adjusted_rand(y, labels)}


experiment = declare(
    __name__,
    title="Seven algorithms on five data sets",
    artefacts={
        "egmm-tab-05": "Data sets",
        **{TABLES[name]: f"Results on {DATASETS[name]}" for name in DATASETS},
        "egmm-txt-03": "What the text says of Tables 6 to 10 together",
    },
    summaries=(side_by_side, ten_runs, readings_of_others, chosen_everywhere, sizes),
    smoke={
        "searched": (3, 4),
        "n_runs": 2,
        "n_boot_runs": 2,
        "n_bootstrap": 3,
        "n_reading_runs": 2,
        "ridges": (0.001,),
    },
    data=("iris_uci", "user_knowledge", "seeds", "vehicle", "wine_uci"),
)
