"""The pictures of the scaling study: time and memory against n, k and f, with the fitted power laws."""

import numpy as np
import pandas as pd

from credalbench.plots import new_figure
from credalbench.plots.style import INK, MUTED, TICK_SIZE, colour, line_style, log_axis, marker, style_axes

from .claims import LEAST_VALUES, MEMORY, TIME, curve, power_law

SERIES = {"sweep_s": "a sweep", "time_s": "the fit"}
AXIS_LABELS = {
    "n": "number of objects n (thousands)",
    "k": "partners k of each object",
    "f": "number of focal sets f",
}
PAIR_BYTES = 8  # a partner and its dissimilarity


def draw(params, tables):
    """Draw the time and memory against n, k and f, with the fitted power laws."""
    return {TIME: draw_time(tables["fits"]), MEMORY: draw_memory(tables["fits"])}


def panels(fits: pd.DataFrame):
    """Draw a figure with three panels: (figure, [(axes, what varies, its rows)])."""
    figure = new_figure(11, 3.9)
    found = [
        (ax, against, fits[fits["against"] == against])
        for ax, against in zip(figure.subplots(1, 3), AXIS_LABELS)
    ]
    for (ax, against, _), letter in zip(found, "abc"):
        style_axes(ax, title=f"({letter}) against {against}", xlabel=AXIS_LABELS[against], grid="both")
    return figure, found


def draw_time(fits: pd.DataFrame):
    """Draw seconds of a sweep and of the whole fit; open marks for fits that reached the cap on sweeps."""
    figure, found = panels(fits)
    for ax, against, part in found:
        for j, (quantity, name) in enumerate(SERIES.items()):
            draw_law(ax, part, against, quantity, name, j)
        finish(ax, against, part)
    found[0][0].set_ylabel("seconds")
    return figure


def draw_memory(fits: pd.DataFrame):
    """Draw the memory of the fit and of its pairs."""
    # the first sweep needs as much as the last: whether the cap was met makes no difference
    fits = fits.assign(memory_mb=fits["memory_bytes"] / 1e6, converged=True)
    figure, found = panels(fits)
    for ax, against, part in found:
        draw_law(ax, part, against, "memory_mb", "the fit", 2)
        pairs = PAIR_BYTES * part.groupby(against)[["n", "k"]].median().prod(axis=1) / 1e6
        ax.plot(pairs.index, pairs, ":", color=MUTED, linewidth=1.4, label="its pairs alone, 8 bytes each")
        finish(ax, against, part)
    found[0][0].set_ylabel("memory (MB)")
    return figure


def draw_law(ax, part, against, quantity, name, j):
    """Draw all fits as marks, and the line of the power law, named with its exponent."""
    look = {"linestyle": "", "marker": marker(j), "ms": 5.5, "color": colour(j), "markeredgewidth": 1.2}
    capped = part[~part["converged"].astype(bool)]
    ax.plot(part[against], part[quantity], **look, alpha=0.85)
    ax.plot(capped[against], capped[quantity], **look, markerfacecolor="white")
    x, y = curve(part, against, quantity)
    label = name
    if len(x) >= LEAST_VALUES:
        exponent, factor = power_law(x, y)
        label += f": ${against}^{{{exponent.value:.2f}}}$ ({exponent.low:.2f} to {exponent.high:.2f})"
        y = factor * x**exponent.value
    ax.plot(x, y, linestyle=line_style(j), color=colour(j), linewidth=1.4, label=label)


def finish(ax, against, part):
    """Set logarithmic axes, a tick for each value, a legend above the curves."""
    log_axis(ax.xaxis)
    log_axis(ax.yaxis)
    values = np.sort(part[against].unique())
    ax.set_xticks(values, [f"{value / 1000 if against == 'n' else value:g}" for value in values])
    ax.set_xticks([], minor=True)
    low, high = ax.get_ylim()
    ax.set_ylim(top=high * (high / low) ** 0.35)  # room for the legend
    if not part["converged"].all():
        ax.plot([], [], "o", color=INK, markerfacecolor="white", label="open: met the cap on sweeps")
    ax.legend(frameon=False, fontsize=TICK_SIZE, loc="upper left", handlelength=2.6)
