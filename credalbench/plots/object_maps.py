"""Maps of objects: positions in the plane, labels of the axes, and sizes of markers.

Figures, explorers and reports place the same objects at the same positions.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from credalbench.core.axes import orient_axes, principal_coordinates

Labels = tuple[str, str]
MOST_UNEQUAL = 3  # at most this ratio of ranges for axes of one scale


def map_of_attributes(X: np.ndarray, feature_names: Sequence[str] = ()) -> tuple[np.ndarray, Labels]:
    """Return positions (n, 2) in the plane of objects with attributes X (n, p), and the labels of the axes.

    For p <= 2 and for n = 1 they are the first two attributes (a single one lies on a horizontal line),
    otherwise the first two principal components of the unscaled attributes, with signs and directions of
    `orient_axes`, labelled with their shares of the variance. O(n p min(n, p)).
    """
    if X.shape[1] <= 2 or len(X) == 1:  # one object has no components
        X = X[:, :2]
        names = [*feature_names[:2], *(f"attribute {j + 1}" for j in range(len(feature_names), X.shape[1]))]
        if X.shape[1] == 1:
            return np.column_stack([X[:, 0], np.zeros(len(X))]), (names[0], "")
        return X, (names[0], names[1])
    largest = float(np.abs(X).max()) or 1.0  # squares stay in the range of floats
    centred = X / largest - (X / largest).mean(axis=0)
    components, lengths, _ = np.linalg.svd(centred, full_matrices=False)
    shares = lengths**2 / (np.sum(lengths**2) or 1.0)
    return largest * orient_axes(components * lengths, 2), _labels("principal component", shares)


def classical_scaling(D: ArrayLike) -> tuple[np.ndarray, Labels]:
    """Return positions (n, 2) by classical multidimensional scaling of symmetric D (n, n), and axis labels.

    The axes are the first two of `credalbench.core.axes.principal_coordinates`, in the units of D, with signs
    and directions of `orient_axes`, labelled with their shares of the sum of absolute eigenvalues. O(n^3)
    time at worst, O(n^2) memory. scikit-learn's ClassicalMDS takes the square root of the second eigenvalue
    even if it is negative, as it may be for dissimilarities that are not distances.
    """
    positions, values = principal_coordinates(D)
    shares = np.maximum(values, 0) / max(np.abs(values).sum(), np.finfo(float).tiny)
    return orient_axes(positions, 2), _labels("MDS axis", shares)


def _labels(name: str, shares: np.ndarray) -> Labels:
    """Return the labels of the first two axes of a `name`, with their shares of the whole."""
    first, second = (f"{name} {k + 1} ({100 * shares[k]:.0f} %)" for k in range(2))
    return first, second


def positions_on_map(X: ArrayLike, n: int | None = None) -> np.ndarray:
    """Return X as a float array (n, 2); raise a ValueError unless it holds finite positions of n objects."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] != 2 or (n is not None and len(X) != n) or not np.isfinite(X).all():
        rows = "n" if n is None else n
        raise ValueError(f"X must hold finite positions in the plane, shape ({rows}, 2); got shape {X.shape}")
    return X


def units_of_axes(X: np.ndarray) -> np.ndarray:
    """Return the units (2,) in which both axes of a map of X (n, 2) have the same length.

    They are 1 if one range is at most three times the other, or zero: distances on the map are then those of
    X. Otherwise they are the ranges, as for minutes and years, since the map would be a thin strip.
    """
    ranges = np.ptp(X, axis=0) if len(X) else np.zeros(2)
    alike = ranges.min() == 0 or ranges.max() <= MOST_UNEQUAL * ranges.min()
    return np.ones(2) if alike else ranges


def set_aspect(ax: Axes, X: np.ndarray) -> None:
    """Give both axes of a map of X (n, 2) the same scale, unless their units differ; see `units_of_axes`."""
    if (units_of_axes(X) == 1).all():
        ax.set_aspect("equal", adjustable="datalim")


def marker_size(n: int) -> float:
    """Return the size of a marker in points that suits n objects."""
    return float(np.clip(12.4 - 1.35 * np.log(n), 2.4, 8.0))


def cluster_places(name: str, places: ArrayLike, c: int) -> np.ndarray:
    """Return places of clusters as a float array (c, 2); raise a ValueError for another shape."""
    places = np.asarray(places, dtype=float)
    if places.shape != (c, 2):
        raise ValueError(f"{name} must hold one position per cluster, shape ({c}, 2); got {places.shape}")
    return places


def as_order(order: ArrayLike, n: int) -> np.ndarray:
    """Return an order of n objects as an array (n,); raise a ValueError unless it is a permutation."""
    order = np.asarray(order)
    if order.shape != (n,) or not np.array_equal(np.sort(order), np.arange(n)):
        raise ValueError(f"order must be a permutation of 0..{n - 1}; got shape {order.shape}")
    return order
