"""The figure of the study: a column for each kind of data, its severest draw above, ARI and beliefs below."""

import numpy as np

from credalbench.plots import new_figure
from credalbench.plots.curves import summarise
from credalbench.plots.style import TICK_SIZE, colour, legend_outside, line_style, marker, style_axes

from ..shared.consensus_steps import NONE, PHRASES
from ..shared.ensembles import CLOSURES
from .claims import ARTEFACT, PARTS
from .draws import NO_CLASS

#: What stands above the legend of each row.
LEGENDS = (
    "hardest draw\ncolour: cluster after\nthe minimum closure\nmarker: class\ncross: no class",
    "mean with 95 % interval\nharder to the right",
    "pairs of",
)
#: Mean beliefs that are shown -> pairs of what.
PAIRS = {"same_within": "one class", "same_between": "different classes"}


def draw(params, tables):
    figure = new_figure(2.9 * len(PARTS) + 2.4, 8.6)
    axes = figure.subplots(3, len(PARTS), height_ratios=(1.1, 1, 1))
    top = 1.05 * tables["runs"][[*PAIRS]].to_numpy().max()
    for column, (part, (words, knob)) in enumerate(PARTS.items()):
        runs, objects = (tables[name][tables[name]["part"] == part] for name in ("runs", "objects"))
        draw_objects(axes[0, column], objects, f"({'abcde'[column]}) {words}")
        draw_ari(axes[1, column], runs)
        draw_beliefs(axes[2, column], runs)
        for ax, ylabel in ((axes[1, column], "ARI"), (axes[2, column], 'mean belief in "same"')):
            levels = getattr(params, part)
            style_axes(ax, ylabel="" if column else ylabel, xlabel=knob, grid="y")
            ax.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
        axes[1, column].set_ylim(-0.05, 1.05)
        axes[2, column].set_ylim(-0.02, top)
    for ax, title in zip(axes[:, -1], LEGENDS):
        handles = ax.get_legend_handles_labels()[0]
        legend_outside(ax, handles, title=title, alignment="left", title_fontsize=TICK_SIZE)
    return {ARTEFACT: figure}


def draw_objects(ax, objects, title):
    """Draw the severest draw: a marker for each class, a colour for each cluster (minimum closure)."""
    for (k, cluster), some in objects.groupby(["class", "minimum"]):
        look = {"color": colour(cluster - 1), "ls": "none", "ms": 4.5}
        look |= {"marker": "x"} if k == NO_CLASS else {"marker": marker(k), "mec": "white", "mew": 0.4}
        ax.plot(some["x"], some["y"], **look)
    style_axes(ax, title=title, grid=None)
    ax.set_aspect("equal", adjustable="datalim")


def draw_ari(ax, runs):
    """Draw the mean ARI after each closure, against the level."""
    for k, closure in enumerate(CLOSURES):
        part = runs[runs["closure"] == closure]
        places, centres, lows, highs = summarise(part, "step", "ari", "mean-ci")
        at = places + 0.07 * (k - (len(CLOSURES) - 1) / 2)
        look = {"color": colour(k), "linestyle": line_style(k), "marker": marker(k), "ms": 5, "capsize": 2.5}
        ax.errorbar(at, centres, [centres - lows, highs - centres], label=PHRASES[closure], **look)


def draw_beliefs(ax, runs):
    """Draw the mean belief that pairs are the same, without and after the minimum closure, by level."""
    for k, closure in enumerate((NONE, "minimum")):
        part = runs[runs["closure"] == closure]
        for column, pairs in PAIRS.items():
            places, centres, lows, highs = summarise(part, "step", column, "mean-ci")
            inside = column == "same_within"
            look = {"color": colour(k), "marker": marker(k), "ms": 5, "linestyle": "-" if inside else "--"}
            look |= {"markerfacecolor": colour(k) if inside else "white"}
            ax.plot(places, centres, label=f"{pairs},\n{PHRASES[closure]}", **look)
            ax.fill_between(places, np.maximum(lows, 0), np.minimum(highs, 1), color=colour(k), alpha=0.12)
