"""Constraints from two regions of an image: must-links within each, cannot-links between them.

You mark pixels, but the prototypes are clustered (``image_prototypes.py``). The constraints therefore refer
to the prototypes of the marked pixels: a must-link for every pair within a region, a cannot-link for every
pair across. The figures of [antoine2012_cecm] show regions and no list of pairs; we use all pairs. CECM
handles tens of thousands of pairs within a second or two.

Two regions may contain the same grey level. Its prototype would then have a cannot-link with itself, a
contradiction that raises an error in CECM. A prototype belongs to a region if at least a share `agreement` of
its occurrences is there, counted per marked pixel, so that a large region does not outvote a small one. Any
other prototype is *contested*: it has no constraint, and the result names it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import Count, Number, expect
from credalbench.core.constraints import PairwiseConstraints, pairs_between, pairs_within

AGREEMENT = 0.9


@dataclass(frozen=True, eq=False)
class RegionConstraints:
    """Constraints that two regions imply for the prototypes.

    Parameters
    ----------
    constraints : PairwiseConstraints
        Constraints between the prototypes.
    first, second : (k1,) and (k2,) int arrays
        Prototypes of each region.
    contested : (k3,) int array
        Prototypes that occur in both regions and belong to neither.
    n_pairs : int
        Number of pairs that the regions imply; more than there are constraints if `max_pairs` limits them.
    """

    constraints: PairwiseConstraints
    first: np.ndarray
    second: np.ndarray
    contested: np.ndarray
    n_pairs: int


def rectangle(shape: tuple[int, int], top: float, bottom: float, left: float, right: float) -> np.ndarray:
    """Return the pixels inside a rectangle, at least one, as a bool array of a shape (rows, columns).

    The sides are shares of the height and the width, in [0, 1]; other values raise a ValueError.

    >>> rectangle((4, 4), 0, 0.5, 0.25, 0.75).astype(int).tolist()
    [[0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    expect(len(shape) == 2 and min(shape) > 0, "shape as (rows, columns)", shape)
    sides = (top, bottom, left, right)
    ordered = 0 <= top < bottom <= 1 and 0 <= left < right <= 1
    expect(ordered, "shares with 0 <= top < bottom <= 1 and 0 <= left < right <= 1", sides)
    mask = np.zeros(shape, dtype=bool)
    rows, columns = (
        np.round(np.array(pair) * size).astype(int) for pair, size in zip((sides[:2], sides[2:]), shape)
    )
    mask[_at_least_one(*rows, shape[0]), _at_least_one(*columns, shape[1])] = True
    return mask


def _at_least_one(begin: int, end: int, size: int) -> slice:
    begin = min(begin, size - 1)  # a thin rectangle at the far side rounds up to `size`
    return slice(begin, max(end, begin + 1))


def region_constraints(
    nearest: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    agreement: float = AGREEMENT,
    max_pairs: int | None = None,
    random_state: int = 0,
) -> RegionConstraints:
    """Return the constraints between prototypes that two regions of an image imply; either may be empty.

    Parameters
    ----------
    nearest : (rows, columns) int array
        Prototype of each pixel, 0..k - 1.
    first, second : (rows, columns) bool arrays
        Marked pixels; no pixel is in both.
    agreement : float, default 0.9
        Share of the occurrences of a prototype that must lie in one region, in (0.5, 1]; at 1, a prototype
        that occurs in both is contested.
    max_pairs : int, optional
        Maximum number of pairs; if there are more, the function draws a random sample.
    random_state : int, default 0
        Seed of that sample.

    Returns
    -------
    RegionConstraints
        With the prototypes of each region and the contested ones.

    Raises
    ------
    ValueError
        If regions have another shape or overlap, `nearest` is empty or does not hold indices, or a parameter
        is out of range.
    """
    nearest, first, second = (np.asarray(array) for array in (nearest, first, second))
    indices = nearest.dtype.kind in "iu" and nearest.size > 0 and nearest.min() >= 0
    expect(indices, "nearest as prototypes 0, 1, ... of at least one pixel", (nearest.shape, nearest.dtype))
    for region in (first, second):
        right = region.shape == nearest.shape and region.dtype == bool
        expect(right, f"regions as bool arrays of shape {nearest.shape}", (region.shape, region.dtype))
    shared = int((first & second).sum())
    expect(shared == 0, "regions without a common pixel", f"{shared} pixels in both")
    agreement = Number(above=0.5, high=1).read("agreement", agreement)
    max_pairs = (Count() | None).read("max_pairs", max_pairs)
    k = int(nearest.max()) + 1
    one, two, contested = _assign(nearest, first, second, k, agreement)
    must = np.vstack([pairs_within(one), pairs_within(two)])
    cannot = pairs_between(one, two)
    n_pairs = len(must) + len(cannot)
    if max_pairs is not None and n_pairs > max_pairs:
        rows = np.sort(np.random.default_rng(random_state).choice(n_pairs, max_pairs, replace=False))
        must, cannot = must[rows[rows < len(must)]], cannot[rows[rows >= len(must)] - len(must)]
    return RegionConstraints(PairwiseConstraints(k, must, cannot), one, two, contested, n_pairs)


def _assign(
    nearest: np.ndarray, first: np.ndarray, second: np.ndarray, k: int, agreement: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the prototypes of the first region, of the second, and the contested ones."""
    counts = np.array([np.bincount(nearest[region], minlength=k) for region in (first, second)], dtype=float)
    rates = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    total = rates.sum(axis=0)
    one, two = rates / np.where(total > 0, total, 1.0) >= agreement  # both false where nothing is marked
    return np.flatnonzero(one), np.flatnonzero(two), np.flatnonzero((total > 0) & ~one & ~two)
