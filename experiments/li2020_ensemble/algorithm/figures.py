"""The search: stress sweep by sweep, and what small moves do where a run ended."""

from credalbench.plots import new_figure
from credalbench.plots.style import INK, TICK_SIZE, colour, line_style, log_axis, marker, style_axes

from .claims import ALG, DATASETS

LEAST = 1e-9  # rise of the stress that is drawn; no move lowers it
SHOWN = 6  # runs of each data set whose sweeps are drawn
CLOSED = ("none", "minimum")


def draw(params, tables):
    figure = new_figure(10.6, 7.4)
    axes = figure.subplots(2, 2)
    names = [name for name in DATASETS if name in set(tables["runs"]["dataset"])]
    for row, closure in zip(axes, CLOSED):
        words = "no closure" if closure == "none" else "minimum closure"
        draw_sweeps(row[0], tables["traces"], names, closure, f"Sweeps from random masses: {words}")
        draw_moves(row[1], tables["moves"], names, closure, f"Small moves from an end: {words}")
    handles, labels = axes[0, 1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", frameon=False, fontsize=TICK_SIZE, ncols=4)
    return {ALG: figure}


def draw_sweeps(ax, traces, names, closure, title):
    """Draw the stress of a few runs over that of their start."""
    for k, name in enumerate(names):
        part = traces[(traces["dataset"] == name) & (traces["closure"] == closure)]
        for _, run in part[part["repetition"] < SHOWN].groupby("repetition"):
            look = {"color": colour(k), "linestyle": line_style(k), "linewidth": 1.0, "alpha": 0.8}
            ax.plot(run["sweep"] + 1, run["stress"] / run["stress"].iloc[0], **look)
    log_axis(ax.xaxis)
    style_axes(ax, title=title, xlabel="sweeps + 1", ylabel="stress / stress of the start", grid="both")


def draw_moves(ax, moves, names, closure, title):
    """Draw small moves of one object from where a run ended: what they do to the stress and to the index."""
    for k, name in enumerate(names):
        part = moves[(moves["dataset"] == name) & (moves["closure"] == closure)]
        look = {"ls": "none", "color": colour(k), "ms": 4, "mec": "white", "mew": 0.3, "label": name}
        ax.plot(part["stress_change"].clip(LEAST), 1e6 * part["rand_gain"], marker(k), **look)
    ax.axhline(0, color=INK, linewidth=0.8)
    log_axis(ax.xaxis)
    style_axes(
        ax,
        title=title,
        xlabel="rise of the stress, as a share of it",
        ylabel="gain of the credal Rand index (1e-6)",
        grid="both",
    )
