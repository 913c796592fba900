"""The figure of the study: how near the lowest objective each arm ends, and whether lower is better."""

import numpy as np
import pandas as pd

from credalbench.plots import new_figure
from credalbench.plots.style import colour, legend_outside, log_axis, marker, style_axes

from .claims import ARTEFACT, excess

LEAST = 1e-6  # excess that is drawn


def draw(params, tables):
    """Draw the excess over the lowest objective of the trial, by way and start; Rand index against it."""
    figure = new_figure(10.5, 4.6)
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.1])
    draw_excess(left, excess(tables["fits"]))
    draw_rand(right, excess(tables["fits"]))
    return {ARTEFACT: figure}


def draw_excess(ax, fits):
    """Draw the share of trials that end within a given excess of the lowest objective, one line per arm.

    Lines begin with the share that ends at the lowest, or indistinguishably near to it.
    """
    for k, ((way, start), part) in enumerate(fits.groupby(["way", "start"], sort=False)):
        values = np.sort(np.maximum(part["excess"], LEAST))
        share = np.arange(1, len(values) + 1) / len(values)
        first = max(np.count_nonzero(values == LEAST) - 1, 0)
        look = {"color": colour(k), "marker": marker(k), "markevery": max(len(values) // 8, 1)}
        ax.plot(values[first:], share[first:], label=f"{way}, {start}", **look)
    log_axis(ax.xaxis)
    ax.set_xticks([LEAST, 1e-4, 1e-2, 1], ["≤ 0.0001 %", "0.01 %", "1 %", "100 %"])
    ax.set_ylim(0, 1.02)
    style_axes(
        ax,
        title="How near the lowest objective",
        xlabel="excess over the lowest objective of the trial (logarithmic)",
        ylabel="share of trials",
        grid="both",
    )
    legend_outside(ax)


def draw_rand(ax, fits):
    """Draw the mean Rand index of runs that end about as high above the lowest objective, by data set."""
    edges = [-1, 1e-3, 1e-2, 1e-1, np.inf]
    names = ["< 0.1 %", "0.1 to 1 %", "1 to 10 %", "> 10 %"]
    band = pd.cut(fits["excess"], edges, labels=range(4)).astype(int)
    for k, (name, part) in enumerate(fits.groupby("dataset", sort=False)):
        groups = part["ri"].groupby(band[part.index])
        mean, error = groups.mean(), 1.96 * groups.sem()
        look = {"color": colour(k), "marker": marker(k), "capsize": 3, "label": name}
        ax.errorbar(mean.index + 0.08 * (k - 1), mean, yerr=error, **look)
    ax.set_xticks(range(4), names)
    style_axes(
        ax,
        title="Is lower better?",
        xlabel="excess over the lowest objective of the trial",
        ylabel="Rand index, mean with 95 % interval",
        grid="y",
    )
    ax.legend(frameon=False)
