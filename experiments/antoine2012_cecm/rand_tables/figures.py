"""One figure per table: Rand index against xi, three data sets side by side, printed means as rings."""

import pandas as pd

from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import INK, LABEL_SIZE, TICK_SIZE, colour, marker

from .claims import INTERIOR, METRICS, NAMES, OURS, TABLES, printed_cell

IN_WORDS = {INTERIOR: "interior-point masses", OURS: "our mass step"}


def draw(params, tables):
    return {
        artefact: draw_table(tables["runs"], [C for C in params.n_constraints if C in counts])
        for artefact, counts in TABLES.items()
    }


def draw_table(runs: pd.DataFrame, counts: list[int]):
    """Draw means with 95 % intervals at the numbers of constraints `counts`."""
    figure = new_figure(9.6, 3.9)
    axes = figure.subplots(1, len(METRICS), sharey=True)
    shown = runs[runs["n_constraints"].isin(counts)]
    for ax, dataset in zip(axes, METRICS):
        part = shown[shown["dataset"] == dataset]
        if part.empty:
            continue
        part = part.sort_values("way", key=lambda way: way == OURS, kind="stable")
        part = part.assign(C="C = " + part["n_constraints"].astype(str) + ", " + part["way"].map(IN_WORDS))
        curve_with_errors(ax, part, "xi", "ri", "C", "mean-ci", title=NAMES[dataset])
        for k, C in enumerate(counts):
            draw_printed(ax, dataset, C, part["xi"].unique(), k)
        ax.set_xlabel(r"weight of the constraints $\xi$", fontsize=LABEL_SIZE, color=INK)
        ax.set_ylabel("")
        ax.get_legend().remove()
    axes[0].set_ylabel("Rand index, mean with 95 % interval", fontsize=LABEL_SIZE, color=INK)
    handles, labels = axes[0].get_legend_handles_labels()
    options = {"frameon": False, "fontsize": TICK_SIZE, "ncols": 3, "handlelength": 3.0}
    if handles:
        figure.legend(handles, labels, loc="outside lower center", **options)
    return figure


def draw_printed(ax, dataset, C, weights, k):
    """Draw the printed means at some xi as rings, in look number k."""
    printed = {xi: cell.value for xi in weights if (cell := printed_cell("ri", dataset, C, xi))}
    look = {
        "markerfacecolor": "none",
        "markeredgecolor": colour(k),
        "markersize": 9.5,
        "markeredgewidth": 1.1,
    }
    ax.plot(list(printed), list(printed.values()), marker(k), label=f"C = {C}, printed", **look)
