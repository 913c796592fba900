"""Pictures of a credal partition: the map with approximations, and its masses object by object."""

from __future__ import annotations

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
from scipy.optimize import linear_sum_assignment
from scipy.spatial import ConvexHull, QhullError

from credalbench.belief import CredalPartition
from credalbench.plots import style

#: From this number of objects on, stacked bars have no room for gaps and become one stepped area.
BARS_UP_TO = 80
#: More objects than this are drawn as points without the joining lines, which would hide each other.
LINES_UP_TO = 60
#: What an outlier is called in a legend, by whether the hulls of upper approximations reach out to it.
OUTLIER = {None: "outlier", False: "outlier, in no hull", True: "outlier, in dashed hulls"}
#: From this size on, markers have a white edge; of smaller ones it would leave little.
WITH_EDGES = 3.0


def convex_hull(points: ArrayLike) -> np.ndarray:
    """Return the corners of the convex hull of points in the plane, in order, degenerate cases included.

    Parameters
    ----------
    points : array_like of shape (m, 2)

    Returns
    -------
    ndarray of shape (h, 2)
        Nothing for no point, one corner for coinciding points, the two ends for points on a line.

    Notes
    -----
    O(m log m), by Qhull.
    """
    points = np.unique(np.asarray(points, dtype=float).reshape(-1, 2), axis=0)
    if len(points) < 3:
        return points
    try:
        return points[ConvexHull(points).vertices]
    except QhullError:  # all points on one line: np.unique sorted them, so the ends are first and last
        return points[[0, -1]]


def match_colours(labels: np.ndarray, y: np.ndarray, n_clusters: int) -> np.ndarray:
    """Choose a colour number for each cluster so that it agrees with the class it overlaps most.

    Parameters
    ----------
    labels, y : ndarray of int, shape (n,)
        Clusters 0..c-1 and true classes 0..g-1.
    n_clusters : int

    Returns
    -------
    ndarray of int, shape (c,)
        One-to-one: the class number where a class was matched, an unused number elsewhere.
    """
    n_classes = int(y.max()) + 1
    overlap = np.zeros((n_clusters, n_classes))
    np.add.at(overlap, (labels, y), 1)
    clusters, classes = linear_sum_assignment(overlap, maximize=True)
    numbers = np.full(n_clusters, -1)
    numbers[clusters] = classes
    numbers[numbers < 0] = n_classes + np.arange((numbers < 0).sum())
    return numbers


def colours_apart(places: ArrayLike) -> np.ndarray:
    """Choose colour numbers so that clusters of one colour lie far apart, where colours must repeat.

    Parameters
    ----------
    places : array_like of shape (c, 2)
        Where the clusters lie on the map.

    Returns
    -------
    ndarray of int, shape (c,)
        0, 1, ... as far as there are colours; then, cluster by cluster, the one whose nearest cluster is
        farthest.
    """
    places = np.asarray(places, dtype=float).reshape(-1, 2)
    n_colours = len(style.PALETTE)
    numbers = np.arange(len(places))
    for k in range(n_colours, len(places)):
        distances = np.linalg.norm(places[:k] - places[k], axis=1)
        numbers[k] = max(range(n_colours), key=lambda number: distances[numbers[:k] == number].min())
    return numbers


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
    legend: bool = True,
    size: float | None = None,
    title: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
) -> Axes:
    """Draw a map of the objects with the lower and upper approximation of each cluster.

    Fill colour is the true class (the cluster where classes are unknown), the marker is the cluster of
    highest plausibility. A solid hull encloses the lower approximation of a cluster, a dashed hull the upper
    one; a ring marks an outlier, which is an object whose largest mass is on the empty set
    (Figures 5 and 8 of [denoeux2016_evclus]).

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    X : array_like of shape (n, 2)
        Positions on the map.
    partition : credalbench.belief.CredalPartition
        n objects.
    y : array_like of int, shape (n,), optional
        True classes 0..g-1. Clusters take the colour of the class that they match best.
    rule : {"interval_dominance", "maximum_mass"}, default "interval_dominance"
        Definition of the approximations.
    object_labels : bool or sequence of n str, optional
        True writes the object numbers (from 1) beside the points.
    class_names : sequence of str, optional
        Names for the legend.
    number_clusters : bool, default False
        Write the number of each cluster into its middle: with many clusters easier to read than a legend.
    numbers : array_like of int, shape (c,), optional
        Colour numbers of the clusters; by default those of the classes, or 0, 1, ... where these are unknown.
    outliers_in_hulls : bool, default False
        An outlier is possibly in every cluster, so that all upper approximations reach out to it. By default
        the dashed hulls leave outliers out, as the solid ones always do.
    legend : bool, default True
    size : float, optional
        Marker size in points; shrinks with n by default.
    title, xlabel, ylabel : str, optional

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If X, y or the labels do not have one row for each object of the partition.

    Notes
    -----
    O(n log n + n c).
    """
    X = positions_on_map(X, partition.n_objects)
    labels = np.asarray(partition.labels(rule="plausibility"))
    y = _classes(y, partition.n_objects)
    c = partition.n_clusters
    if numbers is None:
        numbers = np.arange(c) if y is None else match_colours(labels, y, c)
    numbers = np.asarray(numbers)
    size = marker_size(len(X)) if size is None else size
    outliers = np.asarray(partition.outliers())
    approximation_hulls(ax, X, partition, rule, numbers, outliers_in_hulls=outliers_in_hulls)
    _draw_points(ax, X, numbers[labels] if y is None else y, labels, size)
    ax.plot(*X[outliers].T, "o", ms=size * 1.9, mfc="none", mec=style.INK, mew=1.0, zorder=4)
    if object_labels is not None and object_labels is not False:
        _write_labels(ax, X, object_labels, size)
    if number_clusters:
        _write_numbers(ax, X, labels)

    style.dress(ax, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
    ax.set_aspect("equal", adjustable="datalim")
    if legend:
        handles = [*chain(*scatter_legend(numbers, y, class_names, outliers.any(), outliers_in_hulls))]
        style.legend_outside(ax, handles, ncols=1 if len(handles) <= 16 else 2)
    return ax


def positions_on_map(X: ArrayLike, n: int | None = None) -> np.ndarray:
    """Return X as a float array (n, 2); ValueError unless it holds finite positions of n objects."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] != 2 or (n is not None and len(X) != n) or not np.isfinite(X).all():
        rows = "n" if n is None else n
        raise ValueError(f"X must hold finite positions in the plane, shape ({rows}, 2); got shape {X.shape}")
    return X


def marker_size(n: int) -> float:
    """Return the size of a marker in points that suits n objects."""
    return float(np.clip(12.4 - 1.35 * np.log(n), 2.4, 8.0))


def _classes(y: ArrayLike | None, n: int) -> np.ndarray | None:
    if y is None:
        return None
    y = np.asarray(y)
    if y.shape != (n,) or not np.issubdtype(y.dtype, np.integer) or y.min() < 0:
        raise ValueError(f"y must hold {n} class numbers 0, 1, ...; got shape {y.shape}, dtype {y.dtype}")
    return y


def approximation_hulls(
    ax: Axes,
    X: np.ndarray,
    partition: CredalPartition,
    rule: str = "interval_dominance",
    numbers: Sequence[int] | np.ndarray | None = None,
    *,
    outliers_in_hulls: bool = False,
    upper_line: style.LineStyle = (0, (4, 2)),
    upper_width: float = 1.2,
) -> None:
    """Draw the convex hulls of the lower (solid, filled) and upper approximation of each cluster.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    X : ndarray of shape (n, 2)
        Positions on the map.
    partition : credalbench.belief.CredalPartition
        n objects.
    rule, outliers_in_hulls
        As in `credal_scatter`.
    numbers : sequence of int, shape (c,), optional
        Colour numbers of the clusters; 0, 1, ... by default.
    upper_line, upper_width
        Line style and width of the upper approximations.
    """
    rings = approximation_rings(X, partition, rule, outliers_in_hulls=outliers_in_hulls)
    for k, (inner, outer) in enumerate(rings):
        colour = style.colour(k if numbers is None else numbers[k])
        if len(inner) > 3:
            ax.fill(*inner.T, facecolor=colour, alpha=0.11, edgecolor="none", zorder=1)
        for ring, line, width in ((outer, upper_line, upper_width), (inner, "-", 1.5)):
            if len(ring):
                ax.plot(*ring.T, linestyle=line, color=colour, linewidth=width, zorder=2)


def approximation_rings(
    X: np.ndarray,
    partition: CredalPartition,
    rule: str = "interval_dominance",
    *,
    outliers_in_hulls: bool = False,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the closed hulls of the lower and the upper approximation of each cluster.

    Parameters are those of `approximation_hulls`. A ring (h + 1, 2) ends where it begins; around fewer than
    two different places there is none, (0, 2). O(c n log n).
    """
    lower = np.asarray(partition.lower_approximation(rule=rule))
    upper = np.asarray(partition.upper_approximation(rule=rule))
    if not outliers_in_hulls:
        upper = upper & ~np.asarray(partition.outliers())[:, None]
    return [(_ring(X[lower[:, k]]), _ring(X[upper[:, k]])) for k in range(partition.n_clusters)]


def _ring(points: np.ndarray) -> np.ndarray:
    corners = convex_hull(points)
    return np.vstack([corners, corners[:1]]) if len(corners) > 1 else np.empty((0, 2))


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

    `numbers` (c,) are the clusters' colour numbers; `y` and `class_names` describe the true classes, if any.
    Where `outliers_in_hulls` is given, the sign of outliers says it.
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
    groups.append(clusters)
    groups.append(
        [
            Line2D([], [], color=style.INK, lw=1.5, label="lower approximation"),
            Line2D([], [], color=style.INK, lw=1.2, ls=(0, (4, 2)), label="upper approximation"),
        ]
    )
    if outliers:
        ring = {"mfc": "none", "mec": style.INK, "ms": 9, "label": OUTLIER[outliers_in_hulls]}
        groups[-1].append(Line2D([], [], ls="none", marker="o", **ring))
    return groups


def mass_curves(
    ax: Axes, partition: CredalPartition, *, title: str | None = None, legend: bool = True
) -> Axes:
    """Draw the masses of every object, one curve per focal set against the object number.

    Figure 2 of [denoeux2016_evclus]: each focal set has its own colour, marker and line style.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    partition : credalbench.belief.CredalPartition
        Of more than eight focal sets, those that nobody gives 0.01 are left out.
    title : str, optional
    legend : bool, default True

    Returns
    -------
    matplotlib.axes.Axes
    """
    M = np.asarray(partition.masses)
    numbers = np.arange(1, len(M) + 1)
    shown = np.arange(M.shape[1]) if M.shape[1] <= 8 else np.flatnonzero(M.max(axis=0) >= 0.01)
    few = len(M) <= LINES_UP_TO
    for place, j in enumerate(shown):
        focal_set = partition.focal_sets.sets[j]
        ax.plot(
            numbers,
            M[:, j],
            color=style.focal_colour(focal_set, partition.n_clusters),
            linestyle=style.line_style(place) if few else "none",
            marker=style.marker(place),
            markersize=5.5 if few else 3.0,
            markeredgecolor="white",
            markeredgewidth=0.4 if few else 0.0,
            linewidth=1.4,
            label=f"m({partition.focal_sets.labels[j]})",
        )
    style.dress(ax, title=title, xlabel="object", ylabel="mass")
    ax.set(xlim=(0.5, len(M) + 0.5), ylim=(-0.03, 1.03))
    if len(M) <= 20:
        ax.set_xticks(numbers)
    if legend:
        style.legend_outside(ax, handlelength=3.2)
    return ax


def mass_bars(
    ax: Axes,
    partition: CredalPartition,
    *,
    order: ArrayLike | None = None,
    title: str | None = None,
    legend: bool = True,
) -> Axes:
    """Draw the masses of every object as one stacked bar per object.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    partition : credalbench.belief.CredalPartition
    order : array_like of int, shape (n,), optional
        Permutation of the objects from left to right; sorting by cluster shows the structure of large sets.
    title : str, optional
    legend : bool, default True

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If `order` is not a permutation of the objects.
    """
    M = np.asarray(partition.masses)
    order = np.arange(len(M)) if order is None else np.asarray(order)
    if order.shape != (len(M),) or not np.array_equal(np.sort(order), np.arange(len(M))):
        raise ValueError(f"order must be a permutation of 0..{len(M) - 1}; got shape {order.shape}")
    tops = np.cumsum(M[order], axis=1)
    floors = np.hstack([np.zeros((len(M), 1)), tops[:, :-1]])
    places = np.arange(1, len(M) + 1)
    handles = []
    for j, focal_set in enumerate(partition.focal_sets.sets):
        colour = style.focal_colour(focal_set, partition.n_clusters)
        if len(M) <= BARS_UP_TO:
            ax.bar(places, tops[:, j] - floors[:, j], bottom=floors[:, j], width=0.86, color=colour)
        else:
            edges = np.append(places - 0.5, len(M) + 0.5)
            low, high = (np.append(v[:, j], v[-1, j]) for v in (floors, tops))
            ax.fill_between(edges, low, high, step="post", color=colour, linewidth=0)
        handles.append(Patch(facecolor=colour, label=partition.focal_sets.labels[j]))
    style.dress(
        ax, title=title, xlabel="object" if np.all(np.diff(order) == 1) else "objects, sorted", ylabel="mass"
    )
    ax.set(xlim=(0.4, len(M) + 0.6), ylim=(0, 1))
    if len(M) <= 20:
        ax.set_xticks(places, [str(i + 1) for i in order])
    if legend:
        style.legend_outside(ax, handles[::-1], handlelength=1.0, ncols=1 if len(handles) <= 16 else 2)
    return ax
