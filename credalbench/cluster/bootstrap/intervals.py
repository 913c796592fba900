r"""Percentile intervals for the probability that two objects belong to the same component.

A refit with posterior probabilities :math:`p_{ik}` gives the pair :math:`P_{ij} = \sum_k p_{ik} p_{jk}`, in
which the names of components play no part. Over all refits these are a sample; the interval goes from its
lower to its upper quantile. Pairs are taken tile by tile, so that memory does not grow with B n^2: B numbers
for each pair of a tile, and two for each pair in the end.
"""

import numpy as np
from joblib import Parallel, delayed

TILE = 1 << 17  # pair probabilities at a time: 512 KiB, which a cache holds


def pair_quantiles(first: np.ndarray, second: np.ndarray, levels: tuple[float, float]) -> np.ndarray:
    """Return quantiles of the pair probabilities of two groups of objects.

    Parameters
    ----------
    first, second : (a, c, B) and (b, c, B) float32 arrays
        Posterior probabilities under B refits.
    levels : two floats in [0, 1]

    Returns
    -------
    (2, a, b) float32 array
        Interpolated linearly between ranks.
    """
    P = first[:, None, 0] * second[None, :, 0]  # (a, b, B)
    for k in range(1, first.shape[1]):
        P += first[:, None, k] * second[None, :, k]
    last = P.shape[2] - 1
    P.sort(axis=2)  # vectorised by numpy: quicker than a partition about four ranks
    found = []
    for level in levels:
        low = int(level * last)
        lower, upper = P[..., low], P[..., min(low + 1, last)]
        found.append(lower + np.float32(level * last - low) * (upper - lower))
    return np.minimum(found, np.float32(1.0))  # rounding of the sums


def interval_targets(
    posteriors: np.ndarray, levels: tuple[float, float], n_jobs: int | None = None
) -> np.ndarray:
    """Return the target masses of each pair: {s} lower end, {not s} one minus upper end.

    (n, c, B) posteriors -> (n, 2, n) float32, symmetric, zero where an object meets itself. O(n^2 B c).
    """
    n = len(posteriors)
    targets = np.empty((n, 2, n), np.float32)
    side = tile_side(posteriors)

    def fill(begin: int) -> None:
        rows = slice(begin, begin + side)
        for other in range(begin, n, side):
            columns = slice(other, other + side)
            tile = as_targets(pair_quantiles(posteriors[rows], posteriors[columns], levels))
            targets[rows, :, columns] = tile
            targets[columns, :, rows] = tile.transpose(2, 1, 0)

    Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(fill)(begin) for begin in range(0, n, side))
    targets[np.arange(n), :, np.arange(n)] = 0.0
    return targets


def targets_of_others(others: np.ndarray, posteriors: np.ndarray, levels: tuple[float, float]) -> np.ndarray:
    """Return the same for m other objects and these n: (m, c, B), (n, c, B) -> (m, 2, n) float32."""
    targets = np.empty((len(others), 2, len(posteriors)), np.float32)
    side = tile_side(posteriors)
    for begin in range(0, len(others), side):
        for other in range(0, len(posteriors), side):
            rows, columns = slice(begin, begin + side), slice(other, other + side)
            targets[rows, :, columns] = as_targets(pair_quantiles(others[rows], posteriors[columns], levels))
    return targets


def as_targets(quantiles: np.ndarray) -> np.ndarray:
    """Return lower ends, and one minus upper ends: (2, a, b) -> (a, 2, b)."""
    lower, upper = quantiles
    return np.stack([lower, 1.0 - upper], axis=1)


def tile_side(posteriors: np.ndarray) -> int:
    """Return objects along either side of a tile."""
    return max(1, int((TILE / posteriors.shape[2]) ** 0.5))
