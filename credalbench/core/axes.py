"""Maps: principal coordinates of dissimilarities, signs and directions of axes, convex hulls."""

from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.spatial import ConvexHull, QhullError

TIE = 1e-8  # least difference of the lengths of axes that do not tie, as a share of the longest
FAR = 1e-6  # least difference of distances from the origin that do not tie, as a share of the largest


def principal_coordinates(D: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    r"""Compute positions whose distances resemble dissimilarities, by classical scaling [torgerson1952].

    They are the eigenvectors of the doubly centred matrix of squared dissimilarities,

    .. math:: B = -\tfrac12 H (D \circ D) H, \qquad H = I - \tfrac1n 11^T,

    each scaled by the square root of its eigenvalue; a negative eigenvalue gives a coordinate of zero.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Symmetric dissimilarities.

    Returns
    -------
    positions : ndarray of shape (n, n)
        In the units of D, the longest axis first.
    eigenvalues : ndarray of shape (n,)
        In the order of the axes.

    Notes
    -----
    O(n^3) time, O(n^2) memory.
    """
    squares = np.asarray(D, dtype=float) ** 2
    B = -0.5 * (squares - squares.mean(0) - squares.mean(1)[:, None] + squares.mean())
    values, vectors = eigh(B)
    return (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1], values[::-1]


def orient_axes(positions: np.ndarray, n_axes: int) -> np.ndarray:
    """Fix the signs of principal axes, and the directions of axes that tie.

    A decomposition determines only the span of axes of equal length, and a single axis up to its sign. This
    function makes an axis point to the object that is farthest from the origin within the span, or to the
    first such object; the next axis of the span does so within the rest of the span. A single axis is thus
    positive at the object of largest absolute coordinate. The result depends neither on the machine nor on
    the signs and the order of the attributes; the order of the objects matters only if several are farthest.

    Parameters
    ----------
    positions : ndarray of shape (n, k)
        Coordinates of n objects on k orthogonal axes, in decreasing order of their lengths (the norms of the
        columns); the function cannot recognise a span that is cut off after column k.
    n_axes : int
        Number of axes to return.

    Returns
    -------
    ndarray of shape (n, n_axes)
        Axes of length 0, and those beyond k, are 0.

    Examples
    --------
    >>> import numpy as np
    >>> orient_axes(np.array([[1.0, 0.5], [-3.0, 0.5], [2.0, -1.0]]), 2)
    array([[-1. , -0.5],
           [ 3. , -0.5],
           [-2. ,  1. ]])
    """
    lengths = np.linalg.norm(positions, axis=0)
    oriented = np.zeros((len(positions), n_axes))
    if not lengths.any():
        return oriented
    spans = np.split(np.arange(len(lengths)), np.flatnonzero(-np.diff(lengths) > TIE * lengths[0]) + 1)
    for span in spans:
        rest = positions[:, span].copy()
        for axis in span[span < n_axes]:
            distances = np.linalg.norm(rest, axis=1)
            farthest = np.argmax(distances >= (1 - FAR) * distances.max())
            direction = rest[farthest] / (distances[farthest] or 1.0)
            oriented[:, axis] = rest @ direction
            rest -= np.outer(oriented[:, axis], direction)
    return oriented


def convex_hull(points: ArrayLike) -> np.ndarray:
    """Return the corners (h, 2) of the convex hull of points (m, 2), in order; O(m log m), by Qhull.

    There are none for no point, one for coinciding points, and the two ends for points on a line.
    """
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    if len(points) > 2:
        with suppress(QhullError):  # all points on one line
            return points[ConvexHull(points).vertices]
    places = np.unique(points, axis=0)  # sorted: the ends of the line are first and last
    return places[[0, -1]] if len(places) > 1 else places
