"""The picture of one-sided and two-sided updates: traces of the stress, and paired differences."""

from math import ceil

from credalbench.core.intervals import mean
from credalbench.plots import new_figure, stress_traces
from credalbench.plots.style import INK, LABEL_SIZE, MUTED, colour, log_axis, marker, style_axes

from ..shared.paired_differences import names_shown
from .claims import ARTEFACT, MEASURES, differences

PANELS = 3  # pictures of traces side by side


def draw(params, tables):
    """Draw J_k against sweeps for the middle k above, and all paired differences with their means below."""
    runs, traces = tables["runs"], tables["traces"].rename(columns={"repetition": "run"})
    names = names_shown(runs)  # without what was left out
    middle = sorted(params.pair_numbers)[len(params.pair_numbers) // 2]
    n_rows = ceil(len(names) / PANELS)
    heights = [0.3 + 3.1 * n_rows, 0.9 + 0.34 * len(names) * len(params.pair_numbers)]
    figure = new_figure(11, sum(heights))
    above, below = figure.subfigures(2, 1, height_ratios=heights)
    panels = above.subplots(n_rows, min(PANELS, len(names)), squeeze=False).ravel()
    for j, (ax, name) in enumerate(zip(panels, names)):
        part = traces[(traces["dataset"] == name) & (traces["k"] == middle)]
        stress_traces(ax, part, by="updates", x="sweep", log_time=True)
        log_axis(ax.yaxis)
        ylabel = "" if j % PANELS else "$J_k$"
        style_axes(ax, title=f"({chr(97 + j)}) {names[name]}, k = {middle}", xlabel="sweeps", ylabel=ylabel)
        if j:
            ax.get_legend().remove()
    for ax in panels[len(names) :]:
        ax.remove()
    axes = below.subplots(1, len(MEASURES), sharey=True)
    for j, (ax, (measure, (label, _))) in enumerate(zip(axes, MEASURES.items()), start=len(names)):
        draw_differences(ax, differences(runs, measure), names)
        style_axes(ax, title=f"({chr(97 + j)})", xlabel=label, grid="x")
    caption = "two-sided minus one-sided: each dot a paired run, black the mean with its 95 % interval"
    below.supxlabel(caption, fontsize=LABEL_SIZE, color=INK)
    return {ARTEFACT: figure}


def draw_differences(ax, table, names):
    """Draw one line of dots per data set and k, from above, with mean and interval; zero means no effect."""
    groups = list(table.groupby(["dataset", "k"], sort=False)["value"])
    style = {name: j for j, name in enumerate(names, start=2)}
    ax.axvline(0, color=MUTED, linewidth=1.0)
    for place, ((name, _), values) in enumerate(groups):
        look = {"color": colour(style[name]), "alpha": 0.55, "ms": 4, "markeredgewidth": 0}
        ax.plot(values, place + 0.22 + 0 * values, marker(style[name]), **look)
        effect = mean(values)
        ax.plot([effect.low, effect.high], [place - 0.12] * 2, color=INK, linewidth=2)
        ax.plot([effect.value], [place - 0.12], "o", color=INK, ms=4.5)
    ax.set_yticks(range(len(groups)), [f"{names[name]}, k = {k}" for (name, k), _ in groups])
    ax.set_ylim(len(groups) - 0.5, -0.5)
