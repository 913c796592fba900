"""The masses of a credal partition, object by object: as curves, as stacked bars, as rows with names."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.plots import style
from credalbench.plots.object_maps import as_order

#: With more objects than this, stacked bars have no room for gaps and become one stepped area.
BARS_UP_TO = 80
#: More objects than this are drawn as points without joining lines, which would hide each other.
LINES_UP_TO = 60
#: Parts of rows with at least the first mass carry the name of their set; those below the second are merged.
NAMED, LEAST = 0.18, 0.02
HEIGHT = 0.74  # of a bar; rows are 1 apart
ROOM = 8  # rows that the axes have room for at least
NEAR = 0.5  # points between the names and the ends of tick marks


def mass_curves(
    ax: Axes, partition: CredalPartition, *, title: str | None = None, legend: bool = True
) -> Axes:
    """Draw the masses of every object, one curve per focal set against the object number.

    As in Figure 2 of [denoeux2016_evclus], each focal set has its own colour, marker and line style.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    partition : credalbench.belief.CredalPartition
        Partition of n objects. Of more than eight focal sets, those with all masses below 0.01 are left out.
    title : str, optional
        Title of the axes.
    legend : bool, default True
        Whether to draw a legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.
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
    style.style_axes(ax, title=title, xlabel="object", ylabel="mass")
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
        Axes to draw on.
    partition : credalbench.belief.CredalPartition
        Partition of n objects.
    order : array_like of int, shape (n,), optional
        Permutation of the objects from left to right; sorting by cluster shows the structure of large sets.
    title : str, optional
        Title of the axes.
    legend : bool, default True
        Whether to draw a legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If `order` is not a permutation of the objects.
    """
    M = np.asarray(partition.masses)
    order = as_order(np.arange(len(M)) if order is None else order, len(M))
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
    style.style_axes(
        ax, title=title, xlabel="object" if np.all(np.diff(order) == 1) else "objects, sorted", ylabel="mass"
    )
    ax.set(xlim=(0.4, len(M) + 0.6), ylim=(0, 1))
    if len(M) <= 20:
        ax.set_xticks(places, [str(i + 1) for i in order])
    if legend:
        style.legend_outside(ax, handles[::-1], handlelength=1.0, ncols=1 if len(handles) <= 16 else 2)
    return ax


def mass_rows(
    ax: Axes, partition: CredalPartition, names: Sequence[str], *, title: str | None = None
) -> Axes:
    """Draw the masses of every object as a horizontal bar, with the names of the sets on their parts.

    Masses below `LEAST` are merged into the pale end of a bar. Bars of fewer than `ROOM` objects are as wide
    as those of `ROOM` objects.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    partition : credalbench.belief.CredalPartition
        Partition of n objects, the first in the uppermost row.
    names : sequence of n str
        Labels of the rows.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If `names` are not n texts.
    """
    n, focal_sets = partition.n_objects, partition.focal_sets
    if len(names) != n:
        raise ValueError(f"names must be {n} texts; got {len(names)}")
    rows, sets, left, right = parts_of_rows(partition.masses)
    low, high = rows - HEIGHT / 2, rows + HEIGHT / 2
    corners = np.stack([[left, low], [right, low], [right, high], [left, high]]).transpose(2, 0, 1)
    colours = [style.focal_colour(members, partition.n_clusters) for members in focal_sets.sets]
    colours, labels = [*colours, to_rgb(style.FAINT)], focal_sets.labels
    look = {"edgecolors": "white", "linewidths": 0.6}
    ax.add_collection(PolyCollection(corners, facecolors=[colours[j] for j in sets], **look))
    for k in np.flatnonzero((sets < len(focal_sets)) & (right - left >= NAMED)):
        ink = "white" if not focal_sets.sets[sets[k]] else style.INK
        text = {"ha": "center", "va": "center_baseline", "fontsize": style.TICK_SIZE, "color": ink}
        ax.text((left[k] + right[k]) / 2, rows[k], labels[sets[k]], **text)
    style.style_axes(ax, title=title, grid=None)
    style.set_ticks_style(ax.yaxis, {"left": False, "pad": NEAR})
    ax.set(xlim=(0, 1), ylim=(max(n, ROOM) - 0.5, -0.5), yticks=range(n), yticklabels=names)
    return ax


def parts_of_rows(masses: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return row, set, left and right end of the m parts of rows of masses (n, f): four arrays (m,).

    Masses below `LEAST` form one part, the last of its row, whose set is f.
    """
    M = np.where(masses < LEAST, 0, masses)
    M = np.column_stack([M, 1 - M.sum(axis=1)])
    ends = np.cumsum(M, axis=1)
    rows, sets = np.nonzero(M > 1e-9)  # rounding
    return rows, sets, (ends - M)[rows, sets], ends[rows, sets]
