"""The picture of blocks against independent pairs: paired differences, and the number of orders."""

from credalbench.core.intervals import mean
from credalbench.plots import new_figure
from credalbench.plots.style import INK, LABEL_SIZE, MUTED, colour, line_style, marker, style_axes

from ..shared.paired_differences import names_shown
from .claims import ARTEFACT, DRAW, MEASURES, ORDERS_PART, differences

NO_EFFECT = {"judged_stress": 0, "ari": 0, "time_s": 1}


def draw(params, tables):
    """Draw the differences for each data set and k above, and J and ARI against the orders below."""
    runs = tables["runs"]
    names = names_shown(runs[runs["part"] == DRAW])
    n_lines = len(differences(runs, "ari").groupby(["dataset", "k"]))
    heights = [1.3 + 0.3 * n_lines, 3.4]
    figure = new_figure(11, sum(heights))
    above, below = figure.subfigures(2, 1, height_ratios=heights)
    for j, (ax, measure) in enumerate(zip(above.subplots(1, 3, sharey=True), MEASURES)):
        draw_differences(ax, differences(runs, measure), names, NO_EFFECT[measure])
        style_axes(ax, title=f"({'abc'[j]})", xlabel=MEASURES[measure][0], grid="x")
    caption = "blocks against independent pairs: each dot a paired run, black the mean with its 95 % interval"
    above.supxlabel(caption, fontsize=LABEL_SIZE, color=INK)
    part = runs[runs["part"] == ORDERS_PART]
    sets = list(part["dataset"].drop_duplicates())
    panels = below.subplots(1, max(2, len(sets)), squeeze=False)[0]
    for j, (ax, name) in enumerate(zip(panels, sets)):
        draw_orders(ax, part[part["dataset"] == name])
        style_axes(ax, title=f"({'defgh'[j]}) {name}", xlabel="cyclic orders s", ylabel="ARI", grid="both")
    for ax in panels[len(sets) :]:
        ax.remove()
    return {ARTEFACT: figure}


def draw_differences(ax, table, names, no_effect):
    """Draw one line of dots per data set and k, from above, with mean and interval."""
    groups = list(table.groupby(["dataset", "k"], sort=False)["value"])
    style = {name: j for j, name in enumerate(names)}
    ax.axvline(no_effect, color=MUTED, linewidth=1.0)
    for place, ((name, _), values) in enumerate(groups):
        look = {"color": colour(style[name]), "alpha": 0.6, "ms": 4, "markeredgewidth": 0}
        ax.plot(values, place + 0.2 + 0 * values, marker(style[name]), **look)
        if len(values) > 1:
            effect = mean(values)
            ax.plot([effect.low, effect.high], [place - 0.15] * 2, color=INK, linewidth=2)
            ax.plot([effect.value], [place - 0.15], "o", color=INK, ms=4)
    ax.set_yticks(range(len(groups)), [f"{names[name]}, k = {k}" for (name, k), _ in groups])
    ax.set_ylim(len(groups) - 0.5, -0.5)


def draw_orders(ax, part):
    """Draw the ARI of all runs against the number of orders, from both starts."""
    for j, (start, runs) in enumerate(part.groupby("start")):
        ax.plot(runs["orders"] * (0.97 + 0.06 * j), runs["ari"], marker(j), color=colour(j), alpha=0.5, ms=4)
        middle = runs.groupby("orders")["ari"].mean()
        ax.plot(middle.index, middle, line_style(j), color=colour(j), label=f"{start} start, mean")
    ticks = sorted(part["orders"].unique())
    ax.set_xscale("log")
    ax.set_xticks(ticks, ticks)
    ax.minorticks_off()
    ax.legend()
