"""The figure of the study: ARI, agreement of two ensembles and difference of their relations, against N."""

import numpy as np

from credalbench.plots import new_figure
from credalbench.plots.curves import summarise
from credalbench.plots.style import MUTED, TICK_SIZE, colour, line_style, log_axis, marker, style_axes

from ..shared.classified import NAMES
from ..shared.consensus_steps import PHRASES, TRIED
from .claims import ARTEFACT, PAPER_SIZE

ROWS = {"ari": "ARI", "credal_rand": "agreement of two\n(credal Rand index)"}


def draw(params, tables):
    """Draw means over the repetitions with 95 % intervals, a column for each data set."""
    names = tables["relations"]["dataset"].unique()
    figure = new_figure(max(8.0, 1.2 + 2.5 * len(names)), 6.4)
    axes = figure.subplots(len(ROWS) + 1, len(names), squeeze=False, sharey="row")
    for column, name in enumerate(names):
        part = tables["partitions"].query("dataset == @name")
        for ax, measure in zip(axes[:, column], ROWS):
            draw_measure(ax, part, measure)
            ax.set_ylim(top=1.05)
            style_axes(ax, grid="y", ylabel="" if column else ROWS[measure])
        draw_gap(axes[-1, column], tables["relations"].query("dataset == @name"))
        style_axes(axes[-1, column], ylabel="" if column else "difference of the\ntwo relations", grid="y")
        style_axes(axes[0, column], title=NAMES[name])
        axes[-1, column].set_xlabel("base partitions N", fontsize=TICK_SIZE + 1)
        for ax in axes[:, column]:
            ax.axvline(PAPER_SIZE, color=MUTED, linewidth=1.0, linestyle=":", zorder=1)
            log_axis(ax.xaxis)
            ax.set_xticks(params.sizes)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    more, words = axes[-1, 0].get_legend_handles_labels()
    entries = {"loc": "outside lower center", "ncols": 4, "frameon": False, "fontsize": TICK_SIZE + 1}
    figure.legend(handles + more, labels + words, title="dotted line: the paper's N", **entries)
    return {ARTEFACT: figure}


def draw_measure(ax, partitions, measure):
    """Draw a measure of the consensus against N, a line for each closure."""
    for k, closure in enumerate(TRIED):
        part = partitions[partitions["closure"] == closure]
        places, centres, lows, highs = summarise(part, "n_estimators", measure, "mean-ci")
        look = {"color": colour(k), "linestyle": line_style(k), "marker": marker(k), "ms": 5, "capsize": 2.5}
        ax.errorbar(places, centres, [centres - lows, highs - centres], label=PHRASES[closure], **look)


def draw_gap(ax, relations):
    """Draw the difference of the combined relations, before any closure, with the law of means."""
    places, centres, lows, highs = summarise(relations, "n_estimators", "gap", "mean-ci")
    look = {"color": colour(2), "marker": marker(2), "ms": 5, "capsize": 2.5, "label": "before any closure"}
    ax.errorbar(places, centres, [centres - lows, highs - centres], **look)
    law = centres[0] * np.sqrt(places[0] / places)
    ax.plot(places, law, color=MUTED, linewidth=1.0, linestyle="--", label="$N^{-1/2}$", zorder=1)
    log_axis(ax.yaxis)
