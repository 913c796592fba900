"""Tables 5 to 10: seven algorithms on five data sets, with the number of clusters unknown and known.

Printed: means and standard deviations over 10 runs. If the number is unknown, each algorithm's own index
chooses it from 2 to 6, and the partition is that of the "corresponding estimated number". Read literally,
this is the rounded mean of the 10 numbers: wherever it equals the true number, the printed NMI and ARI with
the number unknown are those with the number known, to the last digit (study ``printed_tables``). So the
number and the partitions are judged separately: the printed NMI and ARI are compared with our partitions into
the printed number of clusters. Sentences about partitions are judged at the number that our runs find.

Every run is one start. Each algorithm runs 100 times. The table ``ten_runs`` shows the first 10.

Not printed: the preparation of the data (here none), and the settings of the algorithms
(``shared/algorithms.py``). bootGMM is its author's program, R's `bootclus`: ten stored runs or more, some of
which take minutes each. If R has the program, the first run on each of three data sets is repeated. It uses
fewer bootstrap replicates than its default of 500, which change few objects. It always chooses the same
number of clusters, at which its cells are judged: two printed numbers contradict their cells (erratum E2).

Algorithms are also run with other settings, table ``readings_of_others``: EGMM with sets of at most two
clusters and the frame, and with other ridges than the 0.01 of the authors' program; HCM without moves of
single objects, ECM with alpha = 1, and with all sets from k-means; the Gaussian mixtures without a ridge;
`BootGMM` of this package beside R's. Two settings were chosen because they agree: EGMM on Knowledge with a
small ridge (erratum E5), and bootGMM on Vehicle with standardised attributes. A run that ends without a
result is a row with a reason.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import zscore

from credalbench.core.intervals import mean
from credalbench.datasets import load
from credalbench.metrics import adjusted_rand, nmi, purity
from credalbench.papers import case_random_state, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.style import (
    INK,
    LABEL_SIZE,
    MUTED,
    TICK_SIZE,
    colour,
    legend_of_rings,
    marker,
    style_axes,
)

from ..shared.algorithms import boot_gmm, readings, run
from ..shared.bootclus import COLUMNS, bootclus
from ..shared.tables import DATASETS, FILES, METHODS, ROWS, TABLES, printed_cell, printed_size
from .cells import R_METHODS, has_r, judged, printed_method, samples, stored_runs, with_stored
from .summaries import chosen_everywhere, readings_of_others, side_by_side, sizes, ten_runs


@dataclass(frozen=True)
class Parameters:
    """The protocol of Section 4.2; settings of the algorithms are those of their programs."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "data sets (Table 5)")
    searched: tuple[int, ...] = knob((2, 3, 4, 5, 6), "numbers of clusters that are tried", low=2)
    n_runs: int = knob(100, "runs of each algorithm (the paper has 10)", low=2)
    n_boot_runs: int = knob(1, "runs of bootGMM in R that are made here (more are stored)", low=0)
    boot_datasets: tuple[str, ...] = knob(
        ("iris", "seeds", "wine"), "data sets of these runs: on the others one takes a minute or more"
    )
    n_bootstrap: int = knob(20, "replicates in a run of bootGMM (500 in its program)", low=2)
    n_reading_runs: int = knob(10, "runs of the algorithms with other settings (ours)", low=2)
    reg_covar: float = knob(0.01, "ridge of the covariances (EGMM: authors' program)", low=0.0)
    small_ridge: float = knob(1e-4, "ridge of EGMM that agrees on Knowledge (ours)", low=0.0)
    ridges: tuple[float, ...] = knob((0.001, 0.0), "other ridges of EGMM (ours)", low=0.0)
    tol: float = knob(1e-3, "EM stops below this gain in EGMM (authors' program)", low=0.0)
    alpha: float = knob(2.0, "penalty of large sets, exponent of their size, in ECM (default 1)")
    beta: float = knob(2.0, "fuzziness, exponent of the masses, in ECM (default)", low=1.01)
    delta: float = knob(10.0, "outlier distance, to the empty set in ECM (default)", low=0.01)
    seed: int = knob(0, "seed of all starts (not stated)", low=0)


def cases(params):
    """Return one case for each data set and method, or reading of a method; each run in R is a case."""
    return [
        {"dataset": dataset, "method": method, "chunk": chunk}
        for dataset in params.datasets
        for method in (*METHODS, *readings(params))
        for chunk in range(n_runs_in_r(params, dataset, method) if method in R_METHODS else 1)
    ]


def n_runs_in_r(params, dataset: str, method: str) -> int:
    """Return how many runs of R's program this study makes."""
    return params.n_boot_runs if dataset in params.boot_datasets and is_judged(dataset, method) else 0


def is_judged(dataset: str, name: str) -> bool:
    """Return whether claims judge the runs of this name; other settings are only shown."""
    return name == "egmm" or name == judged(dataset, printed_method(name))


def run_numbers(params, dataset: str, method: str, chunk: int) -> range:
    """Return the numbers of the runs of a case."""
    if method in R_METHODS:
        return range(chunk, chunk + 1)
    return range(params.n_runs if is_judged(dataset, method) else params.n_reading_runs)


def compute(params, case):
    """Compute the table ``fits``, a row for each fitted number of clusters; ``sizes`` once for a data set."""
    dataset, method, chunk = case["dataset"], case["method"], case["chunk"]
    data, c = load(FILES[dataset]), printed_size(dataset, "c")
    programs = {"bootgmm_ours": fit_boot_gmm} | dict.fromkeys(R_METHODS, fit_in_r)
    numbers = {c} if printed_method(method) == "hcm" else {c, *params.searched}  # HCM has no index
    done = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mixtures that did not converge, or collapsed: as it may there
        for run_number in run_numbers(params, dataset, method, chunk):
            seed = case_random_state(params.seed, dataset, run_number)
            if method in programs:
                table = pd.DataFrame(programs[method](params, method, data, c, seed))
            else:
                table = pd.DataFrame(fit_each(params, method, data, sorted(numbers), seed))
            is_best = (table["index"] == table["index"].max()) & numbers.issuperset(params.searched)
            done.append(table.assign(repetition=run_number, chosen=is_best))
    tables = {"fits": pd.concat(done, ignore_index=True)}
    if method == "hcm":
        classes = np.bincount(data.y)
        sizes = {"n": len(data.X), "p": data.X.shape[1], "c": int((classes > 0).sum())}
        sizes |= {"class_sizes": " + ".join(map(str, classes[classes > 0]))}
        tables["sizes"] = pd.DataFrame([sizes])
    return tables


def fit_each(params, method, data, numbers, seed):
    """Yield one run with each of some numbers of clusters."""
    for number in numbers:
        try:
            labels, index = run(method, params, data.X, number, seed)
        except ValueError as error:  # a covariance became singular
            nothing = dict.fromkeys(("index", "purity", "nmi", "ari"), np.nan)
            yield {"c": number, "status": "failed", "reason": str(error), **nothing}
            continue
        searched = index if number in params.searched else np.nan
        yield {"c": number, "status": "ok", "reason": "", "index": searched, **scores(data.y, labels)}


def fit_boot_gmm(params, method, data, c, seed):
    """Fit our bootGMM with the number of clusters that BIC chooses, and with the true one."""
    free = boot_gmm(params, params.searched, seed).fit(data.X)
    known = free if free.n_clusters_ == c else boot_gmm(params, c, seed).fit(data.X)
    for model in dict.fromkeys((free, known)):
        index = model.bic_ if model is free else np.nan
        row = {"c": model.n_clusters_, "status": "ok", "reason": "", "index": index}
        yield row | scores(data.y, model.labels_) | {"model": model.covariance_type_}


def fit_in_r(params, method, data, c, seed):
    """Yield the same for R's program: with the number that BIC chooses, and with the true number."""
    X = zscore(data.X, ddof=1) if method == "bootgmm_standardised" else data.X
    numbers = [(min(params.searched), max(params.searched)), (c, c)]
    runs, labels = bootclus(X, numbers, params.n_bootstrap, seed)
    for k, row in runs.iterrows():
        if k and row["c"] == runs["c"][0]:
            continue  # the number that BIC has chosen: the same run
        found = dict.fromkeys(("purity", "nmi", "ari"), np.nan)
        if row["status"] == "ok":
            found = scores(data.y, labels[:, k])
        yield {name: row[name] for name in COLUMNS} | {"index": np.nan if k else row["bic"], **found}


def scores(y, labels):
    """Return the three measures of a hard partition."""
    return {"purity": purity(y, labels), "nmi": nmi(y, labels), "ari": adjusted_rand(y, labels)}


# ---------------------------------------------------------------- drawing


#: The measures of the right panel, with the number of clusters unknown and known.
MEASURES = {
    "nmi_unknown": "NMI",
    "ari_unknown": "ARI",
    "purity_known": "purity",
    "nmi_known": "NMI ",
    "ari_known": "ARI ",
}


def draw(params, tables):
    return {TABLES[name]: draw_table(params, tables, name) for name in params.datasets}


def draw_table(params, tables, dataset):
    """Draw the numbers of clusters that are found, and the quality of the partitions."""
    names = METHODS | {"bootgmm": "bootGMM (R)"}
    if not has_r(params, tables):
        names["bootgmm"] = f"bootGMM (R, {stored_runs()['date'].max()})"
        tables = with_stored(params, tables)
    figure = new_figure(11.0, 4.3)
    left, right = figure.subplots(1, 2, width_ratios=(1, 3.1))
    c = printed_size(dataset, "c")
    left.axhline(c, color=MUTED, linewidth=1.0, zorder=1)
    draw_groups(left, tables, dataset, ("c_hat",))
    style_axes(left, title=f"{DATASETS[dataset]}: {c} classes (line)", ylabel=ROWS["c_hat"])
    left.set_xticks([])
    left.set_ylim(min(params.searched) - 0.4, max(6, *params.searched) + 0.4)
    draw_groups(right, tables, dataset, tuple(MEASURES))
    style_axes(right, ylabel="mean over the runs")
    right.set_xticks(range(len(MEASURES)), MEASURES.values())
    right.tick_params(axis="x", labelsize=LABEL_SIZE, length=0)
    right.axvline(1.5, color=MUTED, linewidth=0.8)
    for x, words in ((0.5, "number of clusters unknown"), (3.0, "known")):
        look = {"ha": "center", "va": "bottom", "fontsize": TICK_SIZE, "color": INK}
        right.annotate(words, (x, 1.0), xycoords=("data", "axes fraction"), **look)
    legend_of_rings(figure, right, list(names.values()), ncols=9)
    return figure


def draw_groups(ax, tables, dataset, rows):
    """Draw one marker for each algorithm, side by side in each group; rings are printed."""
    for place, row in enumerate(rows):
        ours = samples(tables, row, dataset)
        for k, method in enumerate(METHODS):
            at = place + 0.115 * (k - (len(METHODS) - 1) / 2)
            if printed := printed_cell(row, dataset, method):
                ring = {"markerfacecolor": "none", "markeredgecolor": colour(k), "markeredgewidth": 1.1}
                ax.plot(at, printed.value, marker(k), markersize=9.5, zorder=3, **ring)
            if method in ours:
                found = mean(ours[method])
                reach = np.nan_to_num(found.high - found.value, posinf=0.0)
                look = {"color": colour(k), "markeredgecolor": "white", "markeredgewidth": 0.5}
                ax.errorbar(
                    at, found.value, reach, fmt=marker(k), ms=6.5, elinewidth=1.2, capsize=2, zorder=4, **look
                )


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
        "n_boot_runs": 0,
        "n_bootstrap": 3,
        "n_reading_runs": 2,
        "ridges": (0.001,),
    },
    data=("iris_uci", "user_knowledge", "seeds", "vehicle", "wine_uci"),
)
