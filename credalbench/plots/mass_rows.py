"""The masses of a few objects, one row for each."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb

from credalbench.belief import CredalPartition
from credalbench.plots import style

#: A mass at least this large carries the name of its set; smaller ones than the second are drawn together.
NAMED, LEAST = 0.18, 0.02
HEIGHT = 0.74  # of a bar; rows are 1 apart
ROOM = 8  # rows that there is room for at least
NEAR = 0.5  # points between names and where marks would end


def mass_rows(
    ax: Axes, partition: CredalPartition, names: Sequence[str], *, title: str | None = None
) -> Axes:
    """Draw the masses of every object as a horizontal bar, with the names of the sets on their parts.

    Masses below `LEAST` are drawn together, as the pale end of a bar. A few objects get no wider bars than
    `ROOM` of them.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    partition : credalbench.belief.CredalPartition
        n objects, the first in the uppermost row.
    names : sequence of n str
        Beside the rows.
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
    corners = bars(rows, left, right, HEIGHT)
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
    """Return the parts of rows of masses (n, f): row, set, left and right end of each, four arrays (m,).

    Masses below `LEAST` are one part, the last of its row, whose set is f.
    """
    M = np.where(masses < LEAST, 0, masses)
    M = np.column_stack([M, 1 - M.sum(axis=1)])
    ends = np.cumsum(M, axis=1)
    rows, sets = np.nonzero(M > 1e-9)  # rounding
    return rows, sets, (ends - M)[rows, sets], ends[rows, sets]


def bars(rows: np.ndarray, left: np.ndarray, right: np.ndarray, height: float) -> np.ndarray:
    """Return the corners (m, 4, 2) of horizontal bars in `rows` (m,), from `left` (m,) to `right` (m,)."""
    low, high = rows - height / 2, rows + height / 2
    return np.stack([[left, low], [right, low], [right, high], [left, high]]).transpose(2, 0, 1)
