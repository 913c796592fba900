"""Figure 5 and Table 4 of [jiao2022_egmm], from the study's tables."""

import numpy as np

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import focal_hulls, hard_credal_scatter, new_figure
from credalbench.plots.hulls import convex_hull
from credalbench.plots.style import colour, marker

from ..shared.pictures import classes_picture, finish_plane
from .claims import CLASSES, TABLE

FOCAL_SETS = FocalSets.up_to(CLASSES, 2, empty=False)


def draw(params, tables):
    return {"egmm-fig-5": draw_partition(tables), "egmm-tab-04": TABLE.draw(params, tables)}


def draw_partition(tables):
    """Draw data, hard evidential partition, lower and upper approximations."""
    figure = new_figure(11.5, 9.0)
    axes = figure.subplots(2, 2).ravel()
    objects = tables["objects"].sort_values("object")
    X = objects[["x", "y"]].to_numpy()
    partition = CredalPartition(objects[list(FOCAL_SETS.labels)].to_numpy(), FOCAL_SETS)
    centres = tables["centres"][["x", "y"]].to_numpy()
    classes_picture(axes[0], objects, tables["classes"], "Four-class")
    words = {"title": "(b) Hard evidential partition", "xlabel": "attribute 1", "ylabel": "attribute 2"}
    hard_credal_scatter(axes[1], X, partition, centres, size=3.4, **words)
    focal_hulls(axes[1], X, partition)
    for ax, letter, name, side in (
        (axes[2], "c", "Lower", partition.lower_approximation("maximum_mass")),
        (axes[3], "d", "Upper", partition.upper_approximation("maximum_mass")),
    ):
        draw_side(ax, X, side)
        finish_plane(ax, f"({letter}) {name} approximations")
    return figure


def draw_side(ax, X, side):
    """Draw one kind of approximation: objects (n, c) with the markers of their clusters, and hulls."""
    ax.plot(*X[~side.any(axis=1)].T, ".", ms=3, color="#BBBBBB", zorder=1)
    for k in range(side.shape[1]):
        inside, look = X[side[:, k]], {"ls": "none", "marker": marker(k), "mec": colour(k), "mew": 0.8}
        ax.plot(*inside.T, ms=3.4 + 1.6 * k, mfc="none", zorder=3, **look)
        corners = convex_hull(inside)
        ring = np.vstack([corners, corners[:1]])
        ax.plot(*ring.T, color=colour(k), linewidth=1.4, zorder=2)
