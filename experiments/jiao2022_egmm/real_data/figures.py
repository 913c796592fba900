"""Tables 6 to 10 as pictures: ours with 95 % intervals, printed means as rings."""

import numpy as np

from credalbench.core.intervals import mean
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

from ..shared.tables import DATASETS, METHODS, ROWS, TABLES, printed_cell, printed_size
from .cells import has_r, samples, stored_runs, with_stored

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
    """Draw the numbers of clusters that are found, and what the partitions are worth."""
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
