"""Constraints drawn on an image: two regions, each a must-link, with a cannot-link between them.

A person marks pixels, but prototypes are what is clustered (``image_prototypes.py``). So the constraints go
to the prototypes that represent the marked pixels: a must-link for every pair within a region, a cannot-link
for every pair across. The figures of [antoine2012_cecm] show regions and no list of pairs; all pairs are what
a region says, and CECM takes tens of thousands within a second or two.

Two regions may contain the same grey level, and then its prototype would have to be with and without the
other one: a contradiction that CECM refuses. A prototype belongs to a region if at least a share `agreement`
of its occurrences is there, counted per marked pixel so that a large region does not outvote a small one.
Any other is *contested*, stands in no constraint, and is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credalbench.arguments import Count, Number, expect
from credalbench.constraints import NO_PAIRS, PairwiseConstraints

AGREEMENT = 0.9


@dataclass(frozen=True, eq=False)
class RegionConstraints:
    """What two regions say about the prototypes.

    Attributes
    ----------
    constraints : PairwiseConstraints
        Between the prototypes.
    first, second : (k1,) and (k2,) int arrays
        The prototypes of each region.
    contested : (k3,) int array
        Prototypes that occur in both regions and belong to neither.
    n_pairs : int
        Pairs that the regions imply; more than there are constraints if `max_pairs` cut them.
    """

    constraints: PairwiseConstraints
    first: np.ndarray
    second: np.ndarray
    contested: np.ndarray
    n_pairs: int


def rectangle(shape: tuple[int, int], top: float, bottom: float, left: float, right: float) -> np.ndarray:
    """The pixels inside a rectangle, given in shares of height and width, 0 to 1: (rows, columns) bool.

    At least one pixel, `shape` is (rows, columns). ValueError for sides in another order or off [0, 1].

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
    """Constraints between prototypes from two regions of an image; either may be empty.

    Parameters
    ----------
    nearest : (rows, columns) int array
        For each pixel its prototype, 0..k - 1.
    first, second : (rows, columns) bool arrays
        The marked pixels; no pixel is in both.
    agreement : float in (0.5, 1], default 0.9
        Share of the occurrences of a prototype that must lie in one region; at 1, whatever occurs in both is
        contested.
    max_pairs : int, optional
        Of more pairs than this a random choice is kept, must-links and cannot-links in their proportion.
    random_state : int, default 0
        Of that choice.

    Returns
    -------
    RegionConstraints

    Raises
    ------
    ValueError
        Regions of another shape or that overlap; `nearest` empty or no indices; a parameter out of range.
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
    one, two, contested = _owners(nearest, first, second, k, agreement)
    must = np.vstack([_pairs_within(one), _pairs_within(two)])
    cannot = np.column_stack([np.repeat(one, len(two)), np.tile(two, len(one))])
    n_pairs = len(must) + len(cannot)
    if max_pairs is not None and n_pairs > max_pairs:
        must, cannot = _chosen(must, cannot, max_pairs, np.random.default_rng(random_state))
    return RegionConstraints(PairwiseConstraints(k, must, cannot), one, two, contested, n_pairs)


def _owners(
    nearest: np.ndarray, first: np.ndarray, second: np.ndarray, k: int, agreement: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Prototypes of the first region, of the second, and those that neither can claim."""
    counts = np.array([np.bincount(nearest[region], minlength=k) for region in (first, second)], dtype=float)
    rates = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    total = rates.sum(axis=0)
    one, two = rates / np.where(total > 0, total, 1.0) >= agreement  # both false where nothing is marked
    return np.flatnonzero(one), np.flatnonzero(two), np.flatnonzero((total > 0) & ~one & ~two)


def _pairs_within(members: np.ndarray) -> np.ndarray:
    if len(members) < 2:
        return NO_PAIRS
    return members[np.column_stack(np.triu_indices(len(members), 1))]


def _chosen(
    must: np.ndarray, cannot: np.ndarray, size: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    kept = np.sort(rng.choice(len(must) + len(cannot), size, replace=False))
    return must[kept[kept < len(must)]], cannot[kept[kept >= len(must)] - len(must)]
