"""Figures of constrained clustering: pairs as lines, and the focal set of largest mass of each object."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.core.axes import convex_hull
from credalbench.plots import style
from credalbench.plots.object_maps import cluster_places, marker_size, positions_on_map, set_aspect

#: Colour of a violated constraint; a cross in the middle of the line shows the same without colour.
VIOLATED = "#B3123F"
DASHES = (0, (3.5, 2.0))
#: Sets of several clusters except Ω; a dark edge distinguishes them from clusters with the same marker.
IMPRECISE_MARKERS = ("^", "v", "p", "h", "d", "<", ">")


def constraint_lines(
    ax: Axes,
    X: ArrayLike,
    must_link: ArrayLike | None,
    cannot_link: ArrayLike | None,
    *,
    violated_must_link: ArrayLike | None = None,
    violated_cannot_link: ArrayLike | None = None,
    legend: bool = False,
) -> Axes:
    """Draw must-links as solid and cannot-links as dashed lines between the objects on a map.

    Violated constraints are red and have a cross in their middle. (Figure 5 of [antoine2012_cecm] shows no
    violations.)

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on, usually with a scatter.
    X : array_like of shape (n, 2)
        Positions on the map.
    must_link, cannot_link : array_like of int, shapes (m, 2) and (q, 2)
        Pairs of objects; None: no pairs.
    violated_must_link, violated_cannot_link : array_like of int, optional
        Pairs that a partition violates, as in ``CECM.violated_``; the order within a pair does not matter.
    legend : bool, default False
        Whether the legend of the axes lists the kinds of links that occur.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If a pair is not two indices of objects in X.
    """
    X = positions_on_map(X)
    kinds = (
        ("must-link", must_link, violated_must_link, "-"),
        ("cannot-link", cannot_link, violated_cannot_link, DASHES),
    )
    checked = [
        (kind, _pairs(kind, pairs, len(X)), _pairs(f"violated {kind}", broken, len(X)), line)
        for kind, pairs, broken, line in kinds
    ]
    for kind, pairs, broken, line in checked:
        satisfied = pairs[~_among(pairs, broken)]
        _draw_lines(ax, X, satisfied, kind, color=style.INK, linestyle=line)
        _draw_lines(ax, X, broken, f"violated {kind}", color=VIOLATED, linestyle=line)
        middles = X[broken].mean(axis=1)
        for edge, width in (("white", 3.2), (VIOLATED, 1.6)):  # a white rim around the cross
            ax.plot(*middles.T, "x", ms=8, mec=edge, mew=width, zorder=6)
    ax.autoscale_view()
    if legend:
        _extend_legend(ax)
    return ax


def hard_credal_scatter(
    ax: Axes,
    X: ArrayLike,
    partition: CredalPartition,
    centres: ArrayLike | None = None,
    *,
    allow_empty: bool = True,
    size: float | None = None,
    legend: bool = True,
    title: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
) -> Axes:
    """Draw every object with the colour and the marker of the focal set of its largest mass.

    A cluster has its own colour; a set of several clusters has a dark edge and the mixture of the colours of
    its members (Ω: grey). Rings mark objects with their largest mass on ∅, large upright crosses mark
    prototypes, as in Figures 3 to 5 of [antoine2012_cecm].

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    X : array_like of shape (n, 2)
        Positions on the map.
    partition : credalbench.belief.CredalPartition
        Partition of n objects.
    centres : array_like of shape (c, 2), optional
        Prototypes on the map.
    allow_empty : bool, default True
        Whether the empty set is one of the sets; the figures of the paper leave it out.
    size : float, optional
        Marker size in points; shrinks with n by default.
    legend : bool, default True
        Whether to draw a legend.
    title, xlabel, ylabel : str, optional
        Title of the axes, and their labels.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If X does not have one position in the plane for each object, or `centres` is not (c, 2).
    """
    X = positions_on_map(X, partition.n_objects)
    c, focal_sets = partition.n_clusters, partition.focal_sets
    if centres is not None:
        centres = cluster_places("centres", centres, c)
    size = marker_size(len(X)) if size is None else size
    chosen = partition.hard_credal(allow_empty=allow_empty)
    for j in np.unique(chosen):
        look = focal_set_style(focal_sets.sets[j], j, c, size)
        ax.plot(*X[chosen == j].T, ls="none", zorder=3, label=focal_sets.labels[j], **look)
    if centres is not None:
        halo = [withStroke(linewidth=5.5, foreground="white")]
        look = {"ms": 14, "mec": style.INK, "mew": 2.8, "zorder": 7, "path_effects": halo}
        ax.plot(*centres.T, "+", ls="none", label="prototype", **look)
    style.style_axes(ax, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
    set_aspect(ax, X)
    if legend:
        _extend_legend(ax)
    return ax


def focal_hulls(ax: Axes, X: ArrayLike, partition: CredalPartition, *, width: float = 1.4) -> Axes:
    """Draw the convex hull of the objects whose largest mass is on each focal set.

    Hulls of single clusters are solid and shaded, those of sets of several clusters are dashed, as in
    Figure 5 (b) of [jiao2022_egmm].

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    X : array_like of shape (n, 2)
        Positions on the map.
    partition : credalbench.belief.CredalPartition
        Partition of n objects.
    width : float, default 1.4
        Width of the lines.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If X does not have one position in the plane for each object.
    """
    X = positions_on_map(X, partition.n_objects)
    chosen = partition.hard_credal()
    for j in np.unique(chosen):
        members = partition.focal_sets.sets[j]
        colour = style.focal_colour(members, partition.n_clusters)
        corners = convex_hull(X[chosen == j])
        single = len(members) == 1
        if single and len(corners) > 2:
            ax.fill(*corners.T, facecolor=colour, alpha=0.13, edgecolor="none", zorder=1)
        ring = np.vstack([corners, corners[:1]])
        ax.plot(*ring.T, linestyle="-" if single else (0, (4, 2)), color=colour, linewidth=width, zorder=2)
    return ax


def focal_set_style(focal_set: frozenset[int], place: int, n_clusters: int, size: float) -> dict[str, Any]:
    """Return marker properties of a focal set; `place` is its index among the focal sets."""
    colour = style.focal_colour(focal_set, n_clusters)
    if not focal_set:
        return {"marker": "o", "ms": 1.3 * size, "mfc": "none", "mec": colour, "mew": 1.0}
    if len(focal_set) == 1:
        (k,) = focal_set
        look = {"marker": style.marker(k), "ms": style.even_size(k, size), "mfc": colour}
        return look | {"mec": "white", "mew": 0.5}
    marker = "D" if len(focal_set) == n_clusters else IMPRECISE_MARKERS[place % len(IMPRECISE_MARKERS)]
    return {"marker": marker, "ms": size, "mfc": colour, "mec": style.INK, "mew": 0.7}


def _pairs(kind: str, pairs: ArrayLike | None, n: int) -> np.ndarray:
    pairs = np.empty((0, 2), dtype=int) if pairs is None or len(pairs) == 0 else np.asarray(pairs)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ValueError(f"{kind} pairs must be integers of shape (m, 2); got {pairs.shape} of {pairs.dtype}")
    if pairs.size and (pairs.min() < 0 or pairs.max() >= n):
        raise ValueError(f"{kind} pairs must be indices 0..{n - 1}; got {pairs.min()} to {pairs.max()}")
    return pairs


def _among(pairs: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which of the `pairs` (m, 2) occur in `others` (q, 2), in either order: (m,) bool."""
    known = {tuple(pair) for pair in np.sort(others, axis=1).tolist()}
    return np.array([tuple(pair) in known for pair in np.sort(pairs, axis=1).tolist()], dtype=bool)


def _draw_lines(ax: Axes, X: np.ndarray, pairs: np.ndarray, label: str, **look: Any) -> None:
    if len(pairs):
        halo = [withStroke(linewidth=3.0, foreground="white", alpha=0.8)]
        lines = LineCollection(X[pairs], linewidths=1.4, zorder=5, label=label, path_effects=halo, **look)
        ax.add_collection(lines)


def _extend_legend(ax: Axes) -> None:
    """Add every labelled artist to the legend; make a legend if there is none."""
    earlier = ax.get_legend()
    shown = {}
    if earlier is not None:
        for handle, text in zip(earlier.legend_handles, earlier.get_texts()):
            handle.set_label(text.get_text())
            shown[text.get_text()] = handle
    handles, labels = ax.get_legend_handles_labels()
    shown |= {label: handle for label, handle in zip(labels, handles) if label not in shown}
    if shown:
        style.legend_outside(ax, list(shown.values()))
