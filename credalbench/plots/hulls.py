"""Lines around the lower and upper approximations of clusters, for figures and for explorers.

The convex hull of some objects may contain further objects. An outline goes only around the given objects.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
from matplotlib.axes import Axes
from scipy.spatial import Delaunay, QhullError, cKDTree

from credalbench.belief import CredalPartition
from credalbench.core.axes import convex_hull
from credalbench.plots import style
from credalbench.plots.object_maps import units_of_axes

#: Radius of the ring around an object without neighbours in its set, as a share of the span of the map.
ALONE = 0.012
#: Directions of the corners of that ring.
AROUND = np.exp(2j * np.pi * np.arange(17) / 16).view(float).reshape(-1, 2)


def outlines(points: np.ndarray, insides: np.ndarray) -> list[np.ndarray]:
    """Return the outlines of m sets of points in the plane, with no other point inside.

    An outline is the border of those triangles of the Delaunay triangulation of all points whose three
    corners are in the set. A line joins two neighbours without such a triangle, and a point without
    neighbours has a ring.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        All points.
    insides : ndarray of bool, shape (n, m)
        Which points each outline goes around. Of points at one place, one is enough.

    Returns
    -------
    list of m ndarrays of shape (h, 2)
        Paths with gaps at NaN. Outer borders run counter-clockwise, those of holes clockwise.

    Notes
    -----
    O(n log n + m n), by Qhull.
    """
    places, place_of = np.unique(np.asarray(points, dtype=float), axis=0, return_inverse=True)
    members = np.zeros((len(places), insides.shape[1]), dtype=bool)
    np.logical_or.at(members, place_of.ravel(), insides)
    neighbours = _neighbours(places)
    return [_outline(places, member, *neighbours) for member in members.T]


def _outline(places: np.ndarray, member: np.ndarray, triangles: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the outline of the places that are members, whose neighbours are known."""
    triangles, edges = triangles[member[triangles].all(axis=1)], edges[member[edges].all(axis=1)]
    arcs = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    codes, reverse = arcs @ [len(places), 1], arcs @ [1, len(places)]
    lines = [*_loops(arcs[~np.isin(codes, reverse)])]
    lines += edges[~np.isin(edges @ [len(places), 1], [codes, reverse])].tolist()
    member = member.copy()
    member[edges] = False
    parts = [places[line] for line in lines]
    if member.any():
        nearest = cKDTree(places).query(places[member], k=2)[0][:, 1]  # inf for a single place
        radii = np.minimum(nearest / 2, ALONE * (np.ptp(places, axis=0).max() or 1.0))
        parts += [*(places[member][:, None] + radii[:, None, None] * AROUND)]
    gap = np.full((1, 2), np.nan)
    return np.vstack([row for part in parts for row in (part, gap)][:-1] or [np.empty((0, 2))])


def _neighbours(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the triangles (t, 3), counter-clockwise, and the edges (e, 2) between different places."""
    if len(places) > 2:
        with suppress(QhullError):  # all places on one line
            triangles = Delaunay(places).simplices.astype(np.int64)
            edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
            codes = np.unique(edges @ [len(places), 1])
            return triangles, np.column_stack(np.divmod(codes, len(places)))
    along = np.arange(len(places))  # the places are sorted
    return np.empty((0, 3), dtype=np.int64), np.column_stack([along[:-1], along[1:]])


def _loops(arcs: np.ndarray) -> Iterator[list[int]]:
    """Yield closed paths that use each directed edge (m, 2) once; at each place, as many end as begin."""
    onward: dict[int, list[int]] = {}
    for begin, end in arcs.tolist():
        onward.setdefault(begin, []).append(end)
    while onward:
        place = next(iter(onward))
        loop = [place]
        while place in onward:
            ends = onward[place]
            loop.append(ends.pop())
            if not ends:
                del onward[place]
            place = loop[-1]
        yield loop


def approximation_hulls(
    ax: Axes,
    X: np.ndarray,
    partition: CredalPartition,
    rule: str = "interval_dominance",
    numbers: Sequence[int] | np.ndarray | None = None,
    *,
    outliers_in_hulls: bool = False,
    convex: bool = True,
    upper_line: style.LineStyle = (0, (4, 2)),
    upper_width: float = 1.2,
) -> None:
    """Draw lines around the lower (solid, filled) and upper approximation of each cluster.

    Objects lie at X (n, 2). `numbers` (c,) are the colour numbers of the clusters, 0, 1, ... by default;
    `upper_line` and `upper_width` are line style and width of the upper approximations; the other parameters
    are those of `credal_scatter`.
    """
    rings = approximation_rings(X, partition, rule, outliers_in_hulls=outliers_in_hulls, convex=convex)
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
    convex: bool = True,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the lines around the lower and the upper approximation of each cluster.

    The parameters are those of `approximation_hulls`. A convex hull (h + 1, 2) ends where it begins; there is
    none, (0, 2), around fewer than two different places. If not `convex`, the lines are those of `outlines`.
    O(n log n + c n), or O(c n log n) for convex hulls.
    """
    lower = np.asarray(partition.lower_approximation(rule=rule))
    upper = np.asarray(partition.upper_approximation(rule=rule))
    if not outliers_in_hulls:
        upper = upper & ~np.asarray(partition.outliers())[:, None]
    insides = np.hstack([lower, upper])
    if convex:
        rings = [_ring(X[inside]) for inside in insides.T]
    else:
        unit = units_of_axes(X)
        rings = [unit * line for line in outlines(X / unit, insides)]
    return list(zip(rings[: partition.n_clusters], rings[partition.n_clusters :]))


def _ring(points: np.ndarray) -> np.ndarray:
    corners = convex_hull(points)
    return np.vstack([corners, corners[:1]]) if len(corners) > 1 else np.empty((0, 2))
