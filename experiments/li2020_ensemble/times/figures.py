"""Median times of the steps against the number of objects, with intervals."""

from credalbench.core.intervals import median
from credalbench.plots import new_figure
from credalbench.plots.style import colour, legend_outside, line_style, log_axis, marker, style_axes

from .claims import TXT, numbers_of_sets, seconds


def draw(params, tables):
    figure = new_figure(8.2, 4.6)
    ax = figure.subplots()
    steps = {
        "masses of all pairs of a base": ("pairs of a base", {}),
        f"average of {max(params.ensembles)} bases": ("average", {"n_bases": max(params.ensembles)}),
        "minimum closure": ("minimum closure", {}),
        "product closure": ("product closure", {}),
        "Łukasiewicz closure": ("lukasiewicz closure", {}),
    }
    for f in numbers_of_sets(tables):
        steps[f"{params.n_sweeps} sweeps, {f} focal sets"] = ("consensus", {"n_sets": f})
    for k, (label, (step, where)) in enumerate(steps.items()):
        found = [median(times) for times in seconds(params, tables, step, **where)]
        values, lows, highs = zip(*((e.value, e.low, e.high) for e in found))
        reach = [[v - a for v, a in zip(values, lows)], [b - v for v, b in zip(values, highs)]]
        look = {
            "color": colour(k),
            "linestyle": line_style(k),
            "marker": marker(k),
            "markeredgecolor": "white",
        }
        ax.errorbar(params.sizes, values, reach, label=label, ms=6.5, capsize=2, **look)
    log_axis(ax.xaxis)
    log_axis(ax.yaxis)
    ax.set_xticks(params.sizes)
    style_axes(
        ax, title="What the steps cost", xlabel="number of objects n", ylabel="median time (s)", grid="both"
    )
    legend_outside(ax)
    return {TXT: figure}
