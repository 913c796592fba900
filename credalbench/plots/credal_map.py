"""The map of a credal partition: its objects, with the approximations of its clusters."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.plots import style
from credalbench.plots.hulls import approximation_hulls
from credalbench.plots.object_maps import marker_size, positions_on_map, set_aspect

#: Label of outliers in a legend, by whether the hulls of upper approximations reach out to them.
OUTLIER = {None: "outlier", False: "outlier, in no hull", True: "outlier, in dashed hulls"}
#: Markers of at least this size have a white edge, which would cover most of smaller ones.
WITH_EDGES = 3.0


def credal_scatter(
    ax: Axes,
    X: ArrayLike,
    partition: CredalPartition,
    y: ArrayLike | None = None,
    rule: str = "interval_dominance",
    *,
    object_labels: bool | Sequence[str] | None = None,
    class_names: Sequence[str] = (),
    number_clusters: bool = False,
    numbers: ArrayLike | None = None,
    outliers_in_hulls: bool = False,
    convex: bool = True,
    legend: bool = True,
    size: float | None = None,
    title: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
) -> Axes:
    """Draw a map of the objects with the lower and upper approximation of each cluster.

    The fill colour shows the true class (the cluster if classes are unknown), the marker the cluster of
    highest pignistic probability. A solid line encloses the lower approximation of a cluster, a dashed line
    the upper one; a ring marks an outlier, an object with its largest mass on the empty set (Figures 5 and 8
    of [denoeux2016_evclus]).

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    X : array_like of shape (n, 2)
        Positions on the map.
    partition : credalbench.belief.CredalPartition
        Partition of n objects.
    y : array_like of int, shape (n,), optional
        True classes 0..g-1. Clusters take the colour of the class that they match best.
    rule : {"interval_dominance", "maximum_mass"}, default "interval_dominance"
        Definition of the approximations.
    object_labels : bool or sequence of n str, optional
        True writes the object numbers (from 1) next to the points.
    class_names : sequence of str, optional
        Names for the legend.
    number_clusters : bool, default False
        Whether to write the number of each cluster into its middle, which is easier to read than the legend
        of many clusters.
    numbers : array_like of int, shape (c,), optional
        Colour numbers of the clusters; by default those of the classes, or 0, 1, ... if these are unknown.
    outliers_in_hulls : bool, default False
        Whether dashed lines enclose outliers: each is possibly in every cluster, and all upper approximations
        reach out to it. Solid lines always leave outliers out.
    convex : bool, default True
        Whether the lines are convex hulls, as in the paper, which may enclose further objects. Otherwise they
        go only around the objects of the approximation.
    legend : bool, default True
        Whether to draw a legend.
    size : float, optional
        Marker size in points; shrinks with n by default.
    title, xlabel, ylabel : str, optional
        Title of the axes, and their labels.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If X, y or the labels do not have one row for each object of the partition.

    Notes
    -----
    O(n log n + n c).
    """
    X = positions_on_map(X, partition.n_objects)
    labels = np.asarray(partition.labels())
    y = _classes(y, partition.n_objects)
    c = partition.n_clusters
    if numbers is None:
        numbers = np.arange(c) if y is None else style.match_colours(labels, y, c)
    numbers = np.asarray(numbers)
    size = marker_size(len(X)) if size is None else size
    outliers = np.asarray(partition.outliers())
    approximation_hulls(ax, X, partition, rule, numbers, outliers_in_hulls=outliers_in_hulls, convex=convex)
    _draw_points(ax, X, numbers[labels] if y is None else y, labels, size)
    ax.plot(*X[outliers].T, "o", ms=size * 1.9, mfc="none", mec=style.INK, mew=1.0, zorder=4)
    if object_labels is not None and object_labels is not False:
        _write_labels(ax, X, object_labels, size)
    if number_clusters:
        _write_numbers(ax, X, labels)

    style.style_axes(ax, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
    set_aspect(ax, X)
    if legend:
        shown = outliers_in_hulls if convex else None
        handles = [*chain(*scatter_legend(numbers, y, class_names, outliers.any(), shown))]
        style.legend_outside(ax, handles, ncols=1 if len(handles) <= 16 else 2)
    return ax


def _classes(y: ArrayLike | None, n: int) -> np.ndarray | None:
    if y is None:
        return None
    y = np.asarray(y)
    if y.shape != (n,) or not np.issubdtype(y.dtype, np.integer) or y.min() < 0:
        raise ValueError(f"y must hold {n} class numbers 0, 1, ...; got shape {y.shape}, dtype {y.dtype}")
    return y


def _draw_points(ax: Axes, X: np.ndarray, fill: np.ndarray, labels: np.ndarray, size: float) -> None:
    # One artist per (colour, marker): Agg then stamps one marker many times, which is its fast path.
    for number, k in sorted(set(zip(fill.tolist(), labels.tolist()))):
        chosen = (fill == number) & (labels == k)
        ax.plot(
            *X[chosen].T,
            linestyle="none",
            marker=style.marker(k),
            markersize=style.even_size(k, size),
            markerfacecolor=style.colour(number),
            markeredgecolor="white",
            markeredgewidth=0.5 if size >= WITH_EDGES else 0.0,
            zorder=3,
        )


def _write_labels(ax: Axes, X: np.ndarray, object_labels: Sequence[str] | Literal[True], size: float) -> None:
    texts = [str(i + 1) for i in range(len(X))] if object_labels is True else list(object_labels)
    if len(texts) != len(X):
        raise ValueError(f"object_labels must be True or {len(X)} texts; got {len(texts)}")
    for position, text in zip(X, texts):
        ax.annotate(
            text,
            position,
            xytext=(size * 0.7, size * 0.7),
            textcoords="offset points",
            fontsize=style.TICK_SIZE - 0.5,
            color=style.INK,
            zorder=5,
            path_effects=[withStroke(linewidth=2.2, foreground="white")],
        )


def _write_numbers(ax: Axes, X: np.ndarray, labels: np.ndarray) -> None:
    patch = {"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
    for k in np.unique(labels):
        x, y = np.median(X[labels == k], axis=0)
        text = {"fontsize": style.TICK_SIZE, "fontweight": "bold", "color": style.INK, "zorder": 6}
        ax.text(x, y, str(k + 1), ha="center", va="center", bbox=patch, **text)


def scatter_legend(
    numbers: Iterable[int],
    y: np.ndarray | None = None,
    class_names: Sequence[str] = (),
    outliers: bool = True,
    outliers_in_hulls: bool | None = None,
) -> list[list[Artist]]:
    """Return the legend handles of a credal scatter, in groups: classes (none if unknown), clusters, signs.

    `numbers` (c,) are the colour numbers of the clusters; `y` and `class_names` describe the true classes, if
    any. The label of outliers shows `outliers_in_hulls` unless it is None.
    """
    groups: list[list[Artist]] = []
    if y is not None:
        shown = np.unique(y)
        names = class_names or [f"class {g + 1}" for g in range(shown.max() + 1)]
        groups.append([Patch(facecolor=style.colour(g), label=str(names[g])) for g in shown])
    clusters = []
    for k, number in enumerate(numbers):
        fill, edge = (style.colour(number), "white") if y is None else ("white", style.INK)
        look = {"marker": style.marker(k), "ms": style.even_size(k, 6.5), "mfc": fill, "mec": edge}
        clusters.append(Line2D([], [], ls="none", label=f"cluster {k + 1}", **look))
    lower = Line2D([], [], color=style.INK, lw=1.5, label="lower approximation")
    upper = Line2D([], [], color=style.INK, lw=1.2, ls=(0, (4, 2)), label="upper approximation")
    signs = [lower, upper]
    if outliers:
        ring = {"mfc": "none", "mec": style.INK, "ms": 9, "label": OUTLIER[outliers_in_hulls]}
        signs.append(Line2D([], [], ls="none", marker="o", **ring))
    return [*groups, clusters, signs]
