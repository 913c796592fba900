"""Figures 1 to 3 and Table 2 of [jiao2022_egmm], from the study's tables."""

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import component_ellipses, mass_curves, new_figure
from credalbench.plots.style import INK, MUTED, PALETTE, TICK_SIZE, colour, style_axes

from ..shared.pictures import ebic_picture
from .claims import OBJECT, PRINTED, SHOWN, runs_of_both, usual_ebic

FOCAL_SETS = FocalSets.full(SHOWN, empty=False)
SINGLE = FocalSets.up_to(SHOWN, 1, empty=False, omega=False)
NAMES = {"full": "all non-empty sets", "pairs": "at most two clusters,\nand the frame"}
TITLES = {"gmm": "Gaussian mixture", "egmm": "EGMM"}


def draw(params, tables):
    figures = {"egmm-fig-1": draw_points(tables["objects"])}
    for artefact, method in (("egmm-fig-2", "gmm"), ("egmm-fig-3", "egmm")):
        if (tables["objects"]["method"] == method).any():
            figures[artefact] = draw_result(tables, method)
    return figures | {"egmm-tab-02": draw_ebic(tables)}


def draw_points(objects):
    """Draw Figure 1: the objects with their numbers."""
    figure = new_figure(5.6, 2.9)
    ax = figure.subplots()
    first = objects.drop_duplicates("object")
    ax.plot(first["x"], first["y"], "o", ms=7, color=PALETTE[0], markeredgecolor="white")
    _number(ax, first)
    _finish(ax, f"Diamond: {len(first)} objects")
    return figure


def draw_result(tables, method):
    """Draw Figures 2 and 3: centres and ellipses, and the masses of all objects."""
    objects, places = (tables[name][tables[name]["method"] == method] for name in ("objects", "centres"))
    figure = new_figure(11.0, 3.3)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.05))
    left.plot(objects["x"], objects["y"], "o", ms=6, color=MUTED, markeredgecolor="white")
    _number(left, objects)
    covariances = places[["xx", "xy", "xy", "yy"]].to_numpy().reshape(-1, 2, 2)
    component_ellipses(left, places[["x", "y"]], covariances, SINGLE)
    for k, place in enumerate(places.itertuples()):
        left.plot(place.x, place.y, "X", ms=11, color=colour(k), markeredgecolor="white", zorder=6)
    _finish(left, f"{TITLES[method]}: centres")
    masses = CredalPartition(objects[list(FOCAL_SETS.labels)].to_numpy(), FOCAL_SETS)
    mass_curves(right, masses, title=f"{TITLES[method]}: masses")
    return figure


def draw_ebic(tables):
    """Draw Table 2: where all starts end, and where most of them do."""
    printed = {c: PRINTED[f"ebic_{c}"].value for c in range(2, 7)}
    title = "Diamond: EBIC of all starts, lines through the medians"
    figure = ebic_picture(runs_of_both(tables), NAMES, printed, title, "median")
    usual = usual_ebic(tables).dropna()
    ax = figure.axes[0]
    look = {"ms": 10, "color": INK, "markeredgewidth": 1.4, "zorder": 5}
    ax.plot(usual.index, usual, "_", label="where most starts end,\nall non-empty sets", **look)
    ax.legend(*ax.get_legend_handles_labels(), loc="lower left", frameon=False, fontsize=TICK_SIZE)
    return figure


def _number(ax, objects):
    for row in objects.itertuples():
        look = {"fontsize": TICK_SIZE + 1, "color": INK if row.object == OBJECT else MUTED}
        ax.annotate(str(row.object), (row.x, row.y), (5, 5), textcoords="offset points", **look)


def _finish(ax, title):
    style_axes(ax, title=title, xlabel="attribute 1", ylabel="attribute 2", grid="both")
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.09)
