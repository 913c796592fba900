"""Table 11 as a picture: ours with intervals, printed seconds as rings."""

import numpy as np

from credalbench.core.intervals import median
from credalbench.plots import new_figure
from credalbench.plots.style import INK, LABEL_SIZE, TICK_SIZE, colour, log_axis, marker, style_axes

from ..shared.tables import DATASETS, METHODS, printed_seconds
from .claims import seconds


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
