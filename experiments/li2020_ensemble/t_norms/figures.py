"""Figure 2 of [li2020_ensemble] on both stand-ins, and the indices against noise, from the study's tables."""

from credalbench.core.intervals import mean
from credalbench.plots import new_figure
from credalbench.plots.style import MUTED, colour, legend_outside, line_style, marker, style_axes

from ..shared.ensembles import CLOSURES, TITLES
from ..shared.pictures import first_panels, panel, partition_panel
from .claims import NOISE, RINGS, STAND_INS, of, other

#: The panels in the order of the paper.
PANELS = ("minimum", "lukasiewicz", "product", "none")


def draw(params, tables):
    figures = {
        artefact: draw_partitions(params, tables, dataset, title)
        for artefact, (dataset, title) in STAND_INS.items()
        if dataset in set(tables["data"]["dataset"])
    }
    return figures | {NOISE: draw_noise(params, tables)}


def draw_partitions(params, tables, dataset, name):
    """Draw the data, a base, and the partitions after each closure, of the first ensemble."""
    figure = new_figure(10.6, 12.0 if dataset == RINGS else 9.6)
    axes = figure.subplots(3, 2).ravel()
    data, objects = (tables[key][tables[key]["dataset"] == dataset] for key in ("data", "objects"))
    title = f"{name[0].upper()}{name[1:]} (stand-in)"
    X, y = first_panels(axes, data, objects, title, params.base_n_clusters)
    for letter, ax, closure in zip("cdef", axes[2:], PANELS):
        found = of(tables, dataset, closure).loc[0, "ari"]
        words = "No closure" if closure == "none" else f"{TITLES[closure].capitalize()} closure"
        title = f"({letter}) {words}: ARI {found:.2f}"
        partition_panel(ax, X, y, panel(objects, closure), params.n_clusters, title, hulls=False)
    return figure


def draw_noise(params, tables):
    """Draw the adjusted Rand index of each closure against the noise: means with 95 % intervals, and runs."""
    figure = new_figure(7.6, 4.2)
    ax = figure.subplots()
    noises = sorted(params.noises)
    for k, closure in enumerate(CLOSURES):
        runs = [of(tables, RINGS, closure, noise)["ari"] for noise in noises]
        draw_line(ax, k, noises, runs, f"{TITLES[closure]} closure".replace("none", "no"))
    others = {"ari_single": "single linkage of the objects", "ari_nearer": "the nearer arc, were both known"}
    for k, (column, label) in enumerate(others.items(), start=len(CLOSURES)):
        draw_line(ax, k, noises, [other(tables, RINGS, column, noise) for noise in noises], label)
    style_axes(
        ax,
        title="Half-rings (stand-in): how much noise each closure bears",
        xlabel="standard deviation of the noise (radius 5)",
        ylabel="adjusted Rand index",
    )
    ax.axhline(0, color=MUTED, linewidth=0.6)
    ax.set_xticks(noises)
    legend_outside(ax)
    return figure


def draw_line(ax, k, noises, runs, label):
    """Draw means with intervals, and the runs."""
    step = 0.03 * (max(noises) - min(noises) or 1.0)
    at = [noise + step * (k - 2) for noise in noises]
    found = [mean(values) for values in runs]
    reach = [e.value - e.low for e in found]
    look = {"color": colour(k), "marker": marker(k), "linestyle": line_style(k), "capsize": 2, "label": label}
    ax.errorbar(at, [e.value for e in found], reach, ms=6, markeredgecolor="white", zorder=3, **look)
    for place, values in zip(at, runs):
        dots = {"color": colour(k), "ms": 3, "alpha": 0.4, "markeredgewidth": 0, "zorder": 2}
        ax.plot([place] * len(values), values, marker(k), **dots)
