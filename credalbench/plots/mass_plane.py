"""The plane in the colours of the masses that its points have."""

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.plots import style
from credalbench.plots.object_maps import positions_on_map

#: Points of the plane along each side.
SIDE = 96
#: What of the colour of the masses is seen; the rest is white, so that objects stand out.
STRENGTH = 0.62


def mass_colours(partition: CredalPartition) -> np.ndarray:
    """Return the colours of masses: those of the focal sets, mixed in proportion to the masses.

    Parameters
    ----------
    partition : CredalPartition
        Masses of m points on f focal sets.

    Returns
    -------
    ndarray of uint8, shape (m, 4)
        Red, green, blue and opacity 255. A certain point has the colour of its cluster, a point with much
        mass on Ω is grey, and one with much mass on ∅ dark. O(m f).
    """
    focal_sets = partition.focal_sets
    palette = np.array([style.focal_colour(members, focal_sets.n_clusters) for members in focal_sets.sets])
    colours = 1 - STRENGTH * (1 - partition.masses @ palette)
    return np.column_stack([np.rint(255 * colours), np.full(len(colours), 255)]).astype(np.uint8)


def plane_points(low: ArrayLike, high: ArrayLike, side: int = SIDE) -> np.ndarray:
    """Return the middles of side * side equal cells of a box, row by row from the upper left.

    Parameters
    ----------
    low, high : array_like of shape (2,)
        Lower left and upper right corner.
    side : int, default 96
        Cells in a row and in a column.

    Returns
    -------
    ndarray of shape (side * side, 2)
        The points.
    """
    steps = (np.arange(side) + 0.5) / side
    x, y = (a + steps * (b - a) for a, b in zip(low, high))
    return np.column_stack([np.tile(x, side), np.repeat(y[::-1], side)])


def mass_plane(ax: Axes, X: ArrayLike, predict: Callable[[np.ndarray], CredalPartition]) -> Axes:
    """Colour the plane around objects by the masses that its points would have.

    Objects are not drawn: `credal_scatter` or `hard_credal_scatter` draw them on the same axes, later.

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
