"""Algorithm 1 and Sections II and III: statements on the two steps, checked on fitted models.

Each run is one random start on one data set with one alpha and beta. The printed formulas are computed from
the returned masses and weights, in plain matrix products: the dissimilarities (10), the masses (12) and (13),
the frequencies (15) and where the weights of (14) lie among them.

The box of Algorithm 1 requires alpha of at least 1, while the experiments use -1, -0.05 and 0. The text
expects crisp prototypes "usually" and does not say where: the shares are over the prototypes of each data
set.
"""

from dataclasses import dataclass

import pandas as pd
from matplotlib.ticker import MaxNLocator

from credalbench.papers import declare, knob
from credalbench.plots import PALETTE, new_figure
from credalbench.plots.style import INK, LABEL_SIZE, style_axes

from ..shared.restarts import fitted_starts
from ..shared.tables import TITLES, at_most_pairs, problem
from .claims import ARTEFACT, CLUSTERS
from .measures import kinds, row_of_run

SHOWN = (-0.05, 1.1)  # alpha and beta of the picture, those of Sections IV-B and IV-D


@dataclass(frozen=True)
class Parameters:
    """Runs of the algorithm on the three data sets."""

    alphas: tuple[float, ...] = knob(
        (-1.0, -0.05, 0.0, 1.0), "penalties of large sets: exponents of their size (Table II)"
    )
    betas: tuple[float, ...] = knob((1.1, 2.0), "fuzziness: exponents of the masses (Section IV-C)", low=1.01)
    delta: float = knob(10.0, "outlier distance, to the empty set (Section IV-C)", low=0.01)
    n_runs: int = knob(20, "random starts for each setting (ours)", low=2)
    seed: int = knob(0, "seed of the random starts", low=0)


def cases(params):
    return [
        {"dataset": name, "alpha": alpha, "beta": beta}
        for name in TITLES
        for alpha in params.alphas
        for beta in params.betas
    ]


def compute(params, case):
    """Compute the table ``runs``, a row for each start; ``kinds``; ``traces`` of the runs that are drawn."""
    name, alpha, beta = case["dataset"], case["alpha"], case["beta"]
    found = problem(name)
    options = {
        "n_clusters": CLUSTERS[name],
        "alpha": alpha,
        "beta": beta,
        "delta": params.delta,
        "focal_sets": at_most_pairs(CLUSTERS[name]),
    }
    starts = fitted_starts(found.table, params.n_runs, params.seed, name, **options)
    rows, traces = [], []
    for start, model in starts:
        rows.append({"start": start, **row_of_run(model, found.table, alpha, beta, params.delta)})
        trace = pd.DataFrame({"objective": model.objective_trace_}).reset_index(names="iteration")
        traces.append(trace.assign(start=start))
    tables = {"runs": pd.DataFrame(rows), "kinds": pd.DataFrame([kinds(model)])}
    shown = (alpha, beta) == SHOWN
    return tables | {"traces": pd.concat(traces, ignore_index=True)} if shown else tables


def draw(params, tables):
    return {ARTEFACT: draw_traces(tables["traces"])} if "traces" in tables else {}


# ---------------------------------------------------------------- drawing


def draw_traces(traces):
    """Draw the objective of every start at the paper's alpha and beta, relative to its first value."""
    figure = new_figure(9.4, 3.3)
    for ax, name in zip(figure.subplots(1, len(TITLES), sharey=True), TITLES):
        for _, run in traces[traces["dataset"] == name].groupby("start"):
            values = run["objective"] / run["objective"].iloc[0]
            ax.plot(run["iteration"], values, color=PALETTE[0], alpha=0.5, linewidth=1.1)
            ax.plot(run["iteration"].iloc[-1], values.iloc[-1], "o", ms=4.5, color=PALETTE[1], mec="white")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        style_axes(ax, title=f"{TITLES[name]}, c = {CLUSTERS[name]}", xlabel="iteration")
    figure.axes[0].set_ylabel("objective, relative to the start", fontsize=LABEL_SIZE, color=INK)
    return figure


experiment = declare(
    __name__,
    title="Algorithm 1: what its two steps do",
    artefacts={ARTEFACT: "Algorithm 1, cat-ECM"},
    smoke={"alphas": (-0.05, 1.0), "n_runs": 4},
    data=("soybean_small", "zoo"),
)
