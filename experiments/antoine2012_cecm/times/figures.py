"""Tables 7 to 9 as pictures: ours with 95 % intervals, printed means as rings."""

import numpy as np

from credalbench.core.intervals import mean
from credalbench.plots import new_figure
from credalbench.plots.style import LABEL_SIZE, colour, legend_of_rings, log_axis, marker, style_axes

from .claims import DATASETS, LIMITED, METHODS, METRICS, PRINTED, of


def draw(params, tables):
    """Draw means with 95 % intervals from random starts, printed means as rings."""
    runs = tables["runs"]
    figures = {}
    for artefact, column, label in (
        ("cecm-tab-07", "time_s", "mean time of a fit (s)"),
        ("cecm-tab-08", "n_iter", "mean number of iterations"),
    ):
        figures[artefact] = new_figure(7.4, 4.2)
        ax = figures[artefact].subplots()
        draw_groups(ax, runs, column, {name: [(d, name) for d in DATASETS] for name in METHODS}, label)
        ax.set_xticks(range(len(DATASETS)), DATASETS.values())
        legend_of_rings(figures[artefact], ax, list(METHODS.values()), ncols=3)
    figures["cecm-tab-09"] = figure = new_figure(7.8, 3.9)
    for ax, column, label in zip(
        figure.subplots(1, 2), ("time_s", "n_iter"), ("mean time of a fit (s)", "mean number of iterations")
    ):
        series = {kind: [("two_class", f"{kind}_{short}") for short in METRICS] for kind in LIMITED}
        draw_groups(ax, runs, column, series, label, log=column == "time_s")
        ax.set_xticks(range(len(METRICS)), ["Euclidean", "adaptive"])
    legend_of_rings(figure, ax, list(LIMITED.values()), ncols=4)
    return figures


def draw_groups(ax, runs, column: str, series: dict, label: str, log: bool = True) -> None:
    """Draw one marker and colour per entry of `series`, side by side in each (data set, method)."""
    for k, places in enumerate(series.values()):
        at = np.arange(len(places)) + 0.16 * (k - (len(series) - 1) / 2)
        found = [mean(of(runs, *place)[column]) for place in places]
        means, lows, highs = np.transpose([(e.value, e.low, e.high) for e in found])
        # with few trials an interval may reach below 0, where a logarithmic axis ends
        errors = [means - np.maximum(lows, means / 10), highs - means]
        look = {"color": colour(k), "markeredgecolor": "white", "markeredgewidth": 0.5, "capsize": 3}
        ax.errorbar(at, means, errors, fmt=marker(k), markersize=7, elinewidth=1.2, **look)
        quantity = {"time_s": "time", "n_iter": "iter"}[column]
        printed = [PRINTED[quantity, *place].value for place in places]
        rings = {"markerfacecolor": "none", "markeredgecolor": colour(k), "markeredgewidth": 1.1}
        ax.plot(at, printed, marker(k), markersize=9.5, **rings)
    if log:
        log_axis(ax.yaxis)
    else:
        ax.set_ylim(bottom=0)
    style_axes(ax, ylabel=label)
    ax.tick_params(axis="x", labelsize=LABEL_SIZE, length=0)
    ax.set_xlim(-0.5, len(places) - 0.5)
