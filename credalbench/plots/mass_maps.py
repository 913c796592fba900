"""All masses of objects on a map: as pies, and as places between the focal sets."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Wedge
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import style
from credalbench.plots.constraints import hard_credal_scatter
from credalbench.plots.object_maps import positions_on_map

#: Radius of a pie by the larger span of the objects, for few and for many of them.
LARGEST, SMALLEST = 0.025, 0.008
#: Smaller masses have no sector, and sets of smaller mean mass no entry in the legend.
SEEN = 0.005
#: Height of the empty set; clusters have the distance 1 to the middle, at 0.
EMPTY = -1.3
#: Places of names: so much farther from the middle, and higher.
OUTSIDE, LIFT = 1.1, 0.04


def mass_pies(ax: Axes, X: ArrayLike, partition: CredalPartition) -> Axes:
    """Draw each object as a pie of its masses, in the colours of the focal sets.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    X : array_like of shape (n, 2)
        Positions on the map.
    partition : credalbench.belief.CredalPartition
        Partition of n objects.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If X does not have one position in the plane for each object.

    Notes
    -----
    O(n f). Sectors begin at the top and go clockwise, in the order of the focal sets.

    Examples
    --------
    >>> from credalbench.belief import CredalPartition
    >>> from credalbench.plots import mass_pies, new_figure
    >>> partition = CredalPartition.from_labels([0, 1])
    >>> ax = mass_pies(new_figure().subplots(), [[0, 0], [1, 0]], partition)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['{1}', '{2}']
    """
    X = positions_on_map(X, partition.n_objects)
    focal_sets, masses = partition.focal_sets, partition.masses
    span = float(np.ptp(X, axis=0).max() or 1.0)
    radius = span * float(np.clip(0.25 / np.sqrt(len(X)), SMALLEST, LARGEST))
    ends = 90 - 360 * np.cumsum(masses, axis=1)
    begins = np.column_stack([np.full(len(X), 90.0), ends[:, :-1]])
    for j, members in enumerate(focal_sets.sets):
        colour = style.focal_colour(members, partition.n_clusters)
        some = np.flatnonzero(masses[:, j] >= SEEN)
        sectors = [Wedge(X[i], radius, ends[i, j], begins[i, j]) for i in some]
        label = focal_sets.labels[j] if masses[:, j].mean() >= SEEN else "_"
        look = {"facecolor": colour, "edgecolor": style.INK, "linewidth": 0.3, "zorder": 3}
        ax.add_collection(PatchCollection(sectors, **look))
        ax.plot([], [], "s", ms=7, mfc=colour, mec=style.INK, mew=0.5, label=label)
    ax.update_datalim(np.vstack([X - radius, X + radius]))
    ax.autoscale_view()
    style.style_axes(ax, grid=None)
    ax.set_aspect("equal", adjustable="datalim")
    ax.legend(title="mass on", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return ax


def mass_corners(ax: Axes, partition: CredalPartition) -> Axes:
    """Draw each object at the mean of the focal sets, weighted by its masses.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    partition : credalbench.belief.CredalPartition
        Partition of n objects.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Notes
    -----
    O(n f). An object has the marker of the set of its largest mass, as in `hard_credal_scatter`.

    Examples
    --------
    >>> from credalbench.belief import CredalPartition
    >>> from credalbench.plots import mass_corners, new_figure
    >>> ax = mass_corners(new_figure().subplots(), CredalPartition.from_labels([0, 1]))
    >>> [text.get_text() for text in ax.texts]
    ['∅', '{1}', '{2}', 'Ω']
    """
    focal_sets = partition.focal_sets
    places = corner_places(focal_sets)
    named = np.flatnonzero((focal_sets.cardinality <= 1) | (focal_sets.cardinality == focal_sets.n_clusters))
    ring = places[focal_sets.cardinality == 1]
    for j in named:
        for end in ring:
            ax.plot(*np.array([end, places[j]]).T, color=style.FAINT, linewidth=1.2, zorder=1)
    hard_credal_scatter(ax, partition.masses @ places, partition)
    for j in named:
        x, y = places[j] * OUTSIDE + (0.0, LIFT)
        ax.text(x, y, focal_sets.labels[j], ha="center", va="bottom", fontweight="bold", color=style.INK)
    ax.axis("off")
    return ax


def corner_places(focal_sets: FocalSets) -> np.ndarray:
    """Return the place of each focal set, (f, 2): where an object is whose whole mass is on it.

    Clusters are the corners of a regular polygon, and a set of several lies in their middle. With two
    clusters that would be between them, where also objects with half of their mass on each are; so Ω lies
    above. The empty set lies below.
    """
    c = focal_sets.n_clusters
    turns = np.pi * (0.5 + (1 - c % 2 - 2 * np.arange(c)) / c)  # none points down
    members = focal_sets.membership.astype(float)
    sizes = members.sum(axis=1)
    places = members @ np.column_stack([np.cos(turns), np.sin(turns)]) / np.maximum(sizes, 1)[:, None]
    if c == 2:
        places[sizes == c] = (0.0, 1.0)
    places[sizes == 0] = (0.0, EMPTY)
    return places
