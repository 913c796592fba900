"""Maps of all masses: as pies, as places between the focal sets, and as colours of the plane."""

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Wedge
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import style
from credalbench.plots.constraints import hard_credal_scatter
from credalbench.plots.object_maps import positions_on_map

#: Radius of a pie as a share of the larger span of the objects, for few and for many objects.
LARGEST, SMALLEST = 0.025, 0.008
#: Masses below this have no sector, and sets with a mean mass below it have no entry in the legend.
SEEN = 0.005
#: Height of the empty set; clusters are at distance 1 from the middle, which is at 0.
EMPTY = -1.3
#: Names are farther from the middle than their sets by this factor, and higher by this much.
OUTSIDE, LIFT = 1.1, 0.04
#: Points of the plane along each side.
SIDE = 96
#: Share of the colour of the masses; the rest is white, which makes objects stand out.
STRENGTH = 0.62


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
    """Return the place of each focal set, (f, 2), where objects with all their mass on it lie.

    Clusters are the corners of a regular polygon, and a set of several lies in their middle. Ω of two
    clusters lies above the line between them, since objects with half of their mass on each lie in the middle
    of that line. The empty set lies below.
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


def mass_colours(partition: CredalPartition) -> np.ndarray:
    """Return the colours of the focal sets, mixed in proportion to the masses (m, f) of m points; O(m f).

    The result, of type uint8 and shape (m, 4), has red, green, blue and the opacity 255. A certain point has
    the colour of its cluster, a point with much mass on Ω is grey, and one with much mass on ∅ is dark.
    """
    focal_sets = partition.focal_sets
    palette = np.array([style.focal_colour(members, focal_sets.n_clusters) for members in focal_sets.sets])
    colours = 1 - STRENGTH * (1 - partition.masses @ palette)
    return np.column_stack([np.rint(255 * colours), np.full(len(colours), 255)]).astype(np.uint8)


def plane_points(low: ArrayLike, high: ArrayLike, side: int = SIDE) -> np.ndarray:
    """Return the middles (side * side, 2) of equal cells of a box, row by row from the upper left.

    `low` and `high` (2,) are the lower left and the upper right corner of the box.
    """
    steps = (np.arange(side) + 0.5) / side
    x, y = (a + steps * (b - a) for a, b in zip(low, high))
    return np.column_stack([np.tile(x, side), np.repeat(y[::-1], side)])


def mass_plane(ax: Axes, X: ArrayLike, predict: Callable[[np.ndarray], CredalPartition]) -> Axes:
    """Colour the plane around objects by the masses that its points would have.

    Draw the objects afterwards, on the same axes, with `credal_scatter` or `hard_credal_scatter`.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    X : array_like of shape (n, 2)
        Attributes of the objects.
    predict : callable
        Returns the credal partition of points (m, 2): ``predict_partition`` of a fitted estimator.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If `X` is not (n, 2).

    Examples
    --------
    >>> from credalbench.cluster import ECM
    >>> from credalbench.datasets import load
    >>> from credalbench.plots import mass_plane, new_figure
    >>> X = load("butterfly").X
    >>> ax = mass_plane(new_figure().subplots(), X, ECM(2).fit(X).predict_partition)
    >>> len(ax.images)
    1
    """
    X = positions_on_map(X)
    margin = 0.08 * float(np.ptp(X, axis=0).max() or 1.0)
    low, high = X.min(axis=0) - margin, X.max(axis=0) + margin
    colours = mass_colours(predict(plane_points(low, high))).reshape(SIDE, SIDE, 4)
    ax.imshow(colours, extent=(low[0], high[0], low[1], high[1]), interpolation="bilinear", zorder=0)
    return ax
