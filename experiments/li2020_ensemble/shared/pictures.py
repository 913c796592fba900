"""Partitions in the plane as Figures 1 and 2 show them, and how tables keep them.

A marker for each class, a colour for each cluster, solid and broken hulls for lower and upper approximations
by interval dominance. A table keeps of each object its most plausible cluster and the clusters that are
possible, which is a rough partition.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EvidentialEnsemble
from credalbench.plots.credal_map import scatter_legend
from credalbench.plots.hulls import approximation_hulls
from credalbench.plots.object_maps import marker_size
from credalbench.plots.style import INK, colour, marker, match_colours, style_axes


def object_rows(partition: CredalPartition) -> pd.DataFrame:
    """Return the most plausible and the possible clusters of each object, the latter as bits."""
    possible = partition.interval_dominance() & ~partition.outliers()[:, None]
    return pd.DataFrame(
        {
            "object": np.arange(1, partition.n_objects + 1),
            "cluster": partition.labels("plausibility") + 1,
            "possible": possible @ (1 << np.arange(partition.n_clusters)),
        }
    )


def panels_table(base: CredalPartition, models: Mapping[str, EvidentialEnsemble]) -> pd.DataFrame:
    """Return the rows of a base and of the consensus of each model, by panel."""
    shown = {"base": base} | {name: model.partition_ for name, model in models.items()}
    parts = [object_rows(partition).assign(panel=name) for name, partition in shown.items()]
    return pd.concat(parts, ignore_index=True)


def panel(objects: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows of one panel, in the order of the objects."""
    return objects[objects["panel"] == name].sort_values("object")


def first_panels(axes, data: pd.DataFrame, objects: pd.DataFrame, name: str, c: int) -> tuple:
    """Draw the classes and a base of c clusters: objects (n, 2) and classes (n,) for the other panels."""
    X, y = data[["x", "y"]].to_numpy(), data["class"].to_numpy()
    _draw_objects(axes[0], X, y, y, f"(a) {name}: marker and colour by class")
    partition_panel(axes[1], X, y, panel(objects, "base"), c, f"(b) A base: {c} clusters")
    return X, y


def rough_partition(possible: np.ndarray, c: int) -> CredalPartition:
    """Return the credal partition whose masses are 1 on the possible clusters, given as bits (n,).

    They are read back as the sets of largest mass: interval dominance makes Ω of a set of several clusters.
    """
    focal_sets = FocalSets.from_masks(c, np.unique(possible).tolist())
    return CredalPartition(np.eye(len(focal_sets))[focal_sets.positions(possible)], focal_sets)


def partition_panel(
    ax, X: np.ndarray, y: np.ndarray, rows: pd.DataFrame, c: int, title: str, hulls: bool = True
) -> None:
    """Draw the objects with the marker of their class and the colour of their most plausible cluster.

    `rows` are those of `object_rows`; `hulls` are lower (solid) and upper (broken) approximations.
    """
    labels = rows["cluster"].to_numpy() - 1
    numbers = match_colours(labels, y, c)
    if hulls:
        rough = rough_partition(rows["possible"].to_numpy(), c)
        approximation_hulls(ax, X, rough, "maximum_mass", numbers)
    _draw_objects(ax, X, y, numbers[labels], title)
    outliers = X[rows["possible"].to_numpy() == 0]
    ax.plot(*outliers.T, "o", ms=9, mfc="none", mec=INK, mew=1.0, zorder=4)


def signs(y: np.ndarray, hulls: bool = True) -> list:
    """Return legend handles: a marker for each class, what colours mean, the hulls and outliers."""
    look = {"ls": "none", "mfc": "white", "mec": INK, "ms": 7}
    classes = [Line2D([], [], marker=marker(k), label=f"class {k + 1}", **look) for k in np.unique(y)]
    words = Line2D([], [], ls="none", label="colour: most plausible cluster")
    *_, others = scatter_legend([], y)
    return [*classes, words, *(others if hulls else others[-1:])]


def _draw_objects(ax, X, y, numbers, title) -> None:
    size = marker_size(len(X))
    for k, number in sorted(set(zip(y.tolist(), numbers.tolist()))):
        chosen = (y == k) & (numbers == number)
        look = {"ls": "none", "ms": size, "mec": "white", "mew": 0.5, "zorder": 3}
        ax.plot(*X[chosen].T, marker=marker(k), mfc=colour(number), **look)
    style_axes(ax, title=title, xlabel="attribute 1", ylabel="attribute 2", grid=None)
    ax.set_aspect("equal", adjustable="datalim")
