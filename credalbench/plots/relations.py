"""Figures of pairs of objects: whether they share their cluster.

A mass function on "same cluster" and "different clusters" is shown by a mixture of three colours: dark where
the two objects share their cluster, white where they do not, and ochre where nothing is known.
"""

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike

from credalbench.belief.relational import RelationalMasses
from credalbench.plots.object_maps import as_order

SAME, DIFFERENT, IGNORANCE = "#16395B", "#FFFFFF", "#E2A23B"
HEIGHT = 0.76  # of a bar; rows are 1 apart


def relation_pixels(relation: RelationalMasses, order: ArrayLike, rows: int, columns: int) -> np.ndarray:
    """Return the colours of all pairs, (rows, columns, 3) uint8, or (n, n, 3) if n is smaller; O(n^2).

    `order` (n,) sorts the objects from the upper left corner. With more objects than pixels, a pixel has the
    mean colour of its objects. The function raises a ValueError if the masses are not (n, n) or `order` is
    not a permutation.
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
