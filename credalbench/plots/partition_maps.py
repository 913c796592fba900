"""Small maps of many partitions of the same objects, side by side on one pair of axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.plots import style
from credalbench.plots.object_maps import positions_on_map

SIZE = 1.6  # of a marker in points
MARGIN = 0.07  # around a map, as a share of its cell
#: Style numbers other than those of the clusters 0, 1, ...
SEVERAL, NONE = -1, -2


@dataclass(frozen=True)
class Cells:
    """A grid of cells of side 1, filled row by row, and the positions (n, 2) of the objects in a cell."""

    columns: int
    rows: int
    inside: np.ndarray

    def corner(self, k: int) -> tuple[int, int]:
        """Return the upper left corner of cell k."""
        return k % self.columns, k // self.columns

    def places(self, count: int) -> np.ndarray:
        """Return the positions of the objects in each of the first `count` cells, (count, n, 2)."""
        corners = np.array([self.corner(k) for k in range(count)], dtype=float)
        return self.inside + corners[:, None]


def columns_of(span: ArrayLike, count: int, width: float, height: float) -> int:
    """Return the number of columns of a grid, `width` by `height`, with the largest maps of a span (2,)."""

    def unit(columns: int) -> float:
        """Return the length of a unit of the map."""
        return min(np.array([width / columns, height / ceil(count / columns)]) / span)

    return max(range(1, max(count, 1) + 1), key=unit)


def cells_on(ax: Axes, X: ArrayLike, count: int) -> Cells:
    """Return the grid of `count` cells on axes that makes undistorted maps of X (n, 2) largest."""
    X, box = positions_on_map(X), ax.get_window_extent()
    low, high = X.min(axis=0), X.max(axis=0)
    span = np.maximum(high - low, 1e-9 * np.max(high - low) or 1.0)  # objects in one place, or on a line

    columns = columns_of(span, count, box.width, box.height)
    rows = max(ceil(count / columns), 1)
    side = np.array([box.width / columns, box.height / rows])
    shares = 0.5 + (1 - 2 * MARGIN) * min(side / span) * (X - (low + high) / 2) / side
    return Cells(columns, rows, np.column_stack([shares[:, 0], 1 - shares[:, 1]]))


def partition_maps(
    ax: Axes, X: ArrayLike, partitions: Sequence[CredalPartition], *, title: str | None = None
) -> Axes:
    """Draw credal partitions of the same objects as small maps side by side.

    Every object has the colour and the marker of the cluster with its largest mass; a grey diamond marks any
    set of several clusters, a ring the empty set.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on; their limits become those of the cells.
    X : array_like of shape (n, 2)
        Positions on the map.
    partitions : sequence of CredalPartition
        N partitions of n objects.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If there is no partition, or X does not have one position in the plane for each object.

    Notes
    -----
    O(N n f). One artist draws all objects that look alike, since few artists are fast.
    """
    if not partitions:
        raise ValueError("expected at least one partition; got none")
    for partition in partitions:
        X = positions_on_map(X, partition.n_objects)
    cells = cells_on(ax, X, len(partitions))
    places = cells.places(len(partitions))
    looks = np.stack([_looks(partition) for partition in partitions])
    for number in np.unique(looks).tolist():
        ax.plot(*places[looks == number].T, ls="none", zorder=3, **_look(number))
    style.style_axes(ax, title=title, grid=None)
    style.without_ticks(ax).set(xlim=(0, cells.columns), ylim=(cells.rows, 0))
    ax.spines[:].set_visible(False)
    return ax


def _looks(partition: CredalPartition) -> np.ndarray:
    """Return the cluster of the largest mass of each object, or `SEVERAL` or `NONE`: (n,)."""
    focal_sets = partition.focal_sets
    numbers = [min(members) if len(members) == 1 else SEVERAL for members in focal_sets.sets]
    return np.where(focal_sets.cardinality == 0, NONE, numbers)[partition.hard_credal()]


def _look(number: int) -> dict[str, object]:
    if number == NONE:
        return {"marker": "o", "ms": SIZE, "mfc": "none", "mec": style.INK, "mew": 0.5}
    colour = style.OMEGA if number == SEVERAL else style.colour(number)
    marker = "D" if number == SEVERAL else style.marker(number)
    return {"marker": marker, "ms": SIZE, "mfc": colour, "mec": "none", "mew": 0}
