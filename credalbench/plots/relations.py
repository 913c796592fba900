"""Figures of pairs of objects: whether they share their cluster.

A mass function on "same cluster" and "different clusters" is a mixture of three colours: dark where the two
objects share their cluster, white where they do not, ochre where nothing is known.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike

from credalbench.belief.relational import RelationalMasses
from credalbench.plots import style
from credalbench.plots.mass_rows import bars
from credalbench.plots.object_maps import as_order

SAME, DIFFERENT, IGNORANCE = "#16395B", "#FFFFFF", "#E2A23B"
HEIGHT = 0.76  # of a bar; rows are 1 apart


def relation_image(
    ax: Axes,
    relation: RelationalMasses,
    order: ArrayLike | None = None,
    *,
    boundaries: ArrayLike = (),
    title: str | None = None,
) -> Axes:
    """Draw the masses of all pairs of objects as an image, a row and a column for each object.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    relation : RelationalMasses
        Of all pairs, arrays (n, n).
    order : array_like of int, shape (n,), optional
        Permutation of the objects from the upper left corner; sorted by cluster they form blocks.
    boundaries : array_like of int, optional
        Places of the order before which lines are drawn.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If the arrays are not square, or `order` is not a permutation of the objects.

    Notes
    -----
    O(n^2). Where there are more objects than pixels, a pixel has the mean colour of its objects.
    """
    n, box = len(relation.same), ax.get_window_extent()
    order = np.arange(n) if order is None else order
    colours = relation_pixels(relation, order, int(box.height), int(box.width))
    ax.imshow(colours, extent=(0, n, n, 0), interpolation="nearest", zorder=1)
    lines = [[(0, place), (n, place)] for place in boundaries]
    lines += [[(place, 0), (place, n)] for place in boundaries]
    for colour, width in (("white", 2.2), (style.INK, 0.9)):  # seen on dark and on white
        ax.add_collection(LineCollection(lines, colors=colour, linewidths=width, zorder=3))
    style.style_axes(ax, title=title, grid=None)
    style.without_ticks(ax).set(xlim=(0, n), ylim=(n, 0))
    ax.spines[:].set(visible=True, color=style.MUTED)
    return ax


def relation_pixels(relation: RelationalMasses, order: ArrayLike, rows: int, columns: int) -> np.ndarray:
    """Return the colours of all pairs, (rows, columns, 3) uint8, fewer of fewer objects; O(n^2).

    `order` (n,) sorts the objects from the upper left corner; where there are more of them than pixels, a
    pixel has the mean colour of its objects. Raises as `relation_image` does.
    """
    n = len(relation.same)
    if relation.same.shape != (n, n):
        raise ValueError(f"expected masses of all pairs, shape (n, n); got shape {relation.same.shape}")
    order = as_order(order, n)
    known, sorted_pairs = (relation.same, relation.empty + relation.ignorance), np.ix_(order, order)
    same, unknown = (_averaged(part[sorted_pairs], rows, columns) for part in known)
    colours = np.empty((*same.shape, 3), np.uint8)
    for channel, (dark, ochre) in enumerate(zip(to_rgb(SAME), to_rgb(IGNORANCE))):
        share = 1 - (1 - dark) * same - (1 - ochre) * unknown  # of white
        colours[..., channel] = np.clip(255 * share + 0.5, 0, 255)  # rounded
    return colours


def _averaged(masses: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Return means (rows, columns) of masses (n, n) over consecutive objects; the masses if n is smaller."""
    n = len(masses)
    for axis, most in enumerate((rows, columns)):
        edges = np.arange(most) * n // max(most, 1)
        if 0 < most < n:
            sums = np.add.reduceat(masses, edges, axis=axis)
            masses = sums / np.expand_dims(np.diff(edges, append=n), 1 - axis)
    return masses


def evidence_rows(
    ax: Axes,
    evidence: RelationalMasses,
    names: Sequence[str] | None = None,
    *,
    places: ArrayLike | None = None,
    title: str | None = None,
) -> Axes:
    """Draw masses on "same cluster" and "different clusters" as horizontal bars, one source in each row.

    "Same" grows from the left and "different" from the right; the rest between them is ignorance. So a bar
    can be read without its colours.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes to draw on.
    evidence : RelationalMasses
        Arrays (m,).
    names : sequence of m str, optional
        Labels of the rows; None leaves the ticks as they are.
    places : array_like of shape (m,), optional
        Positions of the rows, downwards; 0, 1, ... by default.
    title : str, optional
        Title of the axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes `ax`.

    Raises
    ------
    ValueError
        If there are not m `names` or `places`.
    """
    m = len(evidence.same)
    places = np.arange(m) if places is None else np.asarray(places, dtype=float)
    if places.shape != (m,) or len(places if names is None else names) != m:
        raise ValueError(f"expected {m} names and places; got {names} and {places}")
    ends = (np.zeros(m), evidence.same, 1 - evidence.different, np.ones(m))
    look = {"edgecolors": "none", "zorder": 2}
    for left, right, colour in zip(ends, ends[1:], (SAME, IGNORANCE, DIFFERENT)):
        ax.add_collection(PolyCollection(bars(places, left, right, HEIGHT), facecolors=colour, **look))
    rim = {"facecolors": "none", "edgecolors": style.MUTED, "linewidths": 0.6, "zorder": 3}
    ax.add_collection(PolyCollection(bars(places, ends[0], ends[-1], HEIGHT), **rim))
    style.style_axes(ax, title=title, grid=None)
    if names is not None:
        ax.set_yticks(places, names)
    ax.set(xlim=(0, 1), ylim=(places.max(initial=0) + 0.5, -0.5))
    return ax
