"""The masses of a credal partition, object by object: as curves, as stacked bars."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.plots import style
from credalbench.plots.object_maps import as_order

#: From this number of objects on, stacked bars have no room for gaps and become one stepped area.
BARS_UP_TO = 80
#: More objects than this are drawn as points without the joining lines, which would hide each other.
LINES_UP_TO = 60


def mass_curves(
    ax: Axes, partition: CredalPartition, *, title: str | None = None, legend: bool = True
) -> Axes:
    """Draw the masses of every object, one curve per focal set against the object number.

    Figure 2 of [denoeux2016_evclus]: each focal set has its own colour, marker and line style.

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
