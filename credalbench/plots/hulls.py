"""Convex hulls around the lower and upper approximations of clusters, for figures and for explorers."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy.spatial import ConvexHull, QhullError

from credalbench.belief import CredalPartition
from credalbench.plots import style


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
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    if len(points) > 2:
        with suppress(QhullError):  # all points on one line
            return points[ConvexHull(points).vertices]
    places = np.unique(points, axis=0)  # sorted: the ends of the line are first and last
    return places[[0, -1]] if len(places) > 1 else places


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
        Axes to draw on.
    X : ndarray of shape (n, 2)
        Positions on the map.
    partition : credalbench.belief.CredalPartition
        Partition of n objects.
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
