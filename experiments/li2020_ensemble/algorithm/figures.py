"""The search: stress sweep by sweep, and stress beside the credal Rand index where runs end."""

from credalbench.plots import new_figure
from credalbench.plots.style import MUTED, TICK_SIZE, colour, dress, line_style, log_axis, marker

from .claims import ALG, DATASETS

SHOWN = 6  # runs of each data set whose sweeps are drawn
CLOSED = ("none", "minimum")


def draw(params, tables):
    figure = new_figure(10.6, 7.4)
    axes = figure.subplots(2, 2)
    names = [name for name in DATASETS if name in set(tables["runs"]["dataset"])]
    for row, closure in zip(axes, CLOSED):
        words = "no closure" if closure == "none" else "minimum closure"
        draw_sweeps(row[0], tables["traces"], names, closure, f"Sweeps from random masses: {words}")
        draw_ends(row[1], tables["runs"], names, closure, f"Where runs end: {words}")
    handles, labels = axes[0, 1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", frameon=False, fontsize=TICK_SIZE, ncols=4)
    return {ALG: figure}


def draw_sweeps(ax, traces, names, closure, title):
    """Stress of a few runs over that of their start."""
    for k, name in enumerate(names):
        part = traces[(traces["dataset"] == name) & (traces["closure"] == closure)]
        for _, run in part[part["repetition"] < SHOWN].groupby("repetition"):
            look = {"color": colour(k), "linestyle": line_style(k), "linewidth": 1.0, "alpha": 0.8}
            ax.plot(run["sweep"] + 1, run["stress"] / run["stress"].iloc[0], **look)
    log_axis(ax.xaxis)
    dress(ax, title=title, xlabel="sweeps + 1", ylabel="stress / stress of the start", grid="both")


def draw_ends(ax, runs, names, closure, title):
    """Stress over the lowest, credal Rand index less that of the run of lowest stress."""
    for k, name in enumerate(names):
        part = runs[(runs["dataset"] == name) & (runs["closure"] == closure)]
        best = part.loc[part["stress"].idxmin()]
        at = part["stress"] / best["stress"], part["credal_rand"] - best["credal_rand"]
        look = {"ls": "none", "color": colour(k), "ms": 6, "mec": "white", "mew": 0.5, "label": name}
        ax.plot(*at, marker(k), **look)
    ax.axhline(0, color=MUTED, linewidth=0.8)
    dress(
        ax,
        title=title,
        xlabel="stress / lowest stress",
        ylabel="credal Rand index, less that at the lowest",
        grid="both",
    )
