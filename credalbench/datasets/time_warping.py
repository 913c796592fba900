r"""Dynamic time warping of trajectories: a substitute for the Delft gestures.

The gestures of Section 4.2 of [denoeux2016_evclus] were compared by dynamic time warping; their matrix is not
available. Warping two trajectories a and b of m points walks through both at the same time, at each step one
point further on a, on b or on both, such that the distances of the points that meet have the smallest sum:

.. math:: w_{st} = \|a_s - b_t\| + \min(w_{s-1,t}, w_{s,t-1}, w_{s-1,t-1}), \qquad d(a, b) = w_{mm} .

The walk is unconstrained and the sum is not divided by its length. The result is symmetric, but not a metric.
"""

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import as_floats, expect
from credalbench.core.kernels import kernel, pieces
from credalbench.datasets.dataset import Dataset
from credalbench.datasets.image_distortion import first_of_each_class, stand_in

STANDS_IN_FOR = "Delft gesture dissimilarities (denoeux2016_evclus, Figures 23-25)"
STEP = 10  # operations of one step beside the coordinates: a root, and two smallest of two


@kernel
def _warp(i: int, begin: int, end: int, paths: np.ndarray, out: np.ndarray) -> None:
    """Warp i and each of begin..end-1 of `paths` (n, m, p) into `out` (n, n), with one row of w."""
    m, p = paths.shape[1:]
    row = np.empty(m + 1)
    for j in range(begin, end):
        row[:] = np.inf
        diagonal = 0.0  # before the first step, w is 0 at the corner and infinite along the edges
        for s in range(m):
            left = np.inf
            for t in range(m):
                square = 0.0
                for x in range(p):
                    square += (paths[i, s, x] - paths[j, t, x]) ** 2
                above = row[t + 1]
                left = np.sqrt(square) + min(diagonal, min(above, left))
                diagonal = above
                row[t + 1] = left
            diagonal = np.inf
        out[i, j] = out[j, i] = row[m]


def time_warping(trajectories: ArrayLike) -> np.ndarray:
    """Compute dynamic time warping of all pairs of trajectories, with Euclidean distances between points.

    Parameters
    ----------
    trajectories : (n, m, p) array
        n trajectories of m points in p dimensions.

    Returns
    -------
    (n, n) ndarray
        Symmetric with zero diagonal, in units of the coordinates; not a metric. Zero also between
        trajectories that differ only in how long they stay at their points.

    Raises
    ------
    ValueError
        If it is not a stack of trajectories, or has NaN or infinite coordinates.

    Notes
    -----
    O(n^2 m^2 p): 360 trajectories of 45 points in the plane take about half a second on one core.

    Examples
    --------
    >>> time_warping([[[0.0], [0.0], [1.0]], [[0.0], [1.0], [1.0]], [[0.0], [2.0], [1.0]]]).tolist()[0]
    [0.0, 0.0, 1.0]
    """
    paths = np.ascontiguousarray(as_floats("trajectories", trajectories))
    expect(paths.ndim == 3 and paths.size > 0, "trajectories of shape (n, points, dimensions)", paths.shape)
    expect(np.isfinite(paths).all(), "finite coordinates", "NaN or infinite ones")
    n, m, p = paths.shape
    out = np.zeros((n, n))
    for i in range(n):
        for begin, end in pieces(0, i, m**2 * (p + STEP)):
            _warp(i, begin, end, paths, out)
    return out


def gesture_dissimilarities(libras: Dataset, per_class: int | None = None) -> Dataset:
    """Return the substitute for the Delft gestures, from hand movements of Brazilian sign language.

    Parameters
    ----------
    libras : Dataset
        ``load("libras")``: 360 rows of 45 points (x1, y1, x2, y2, ...), 15 signs. Each trajectory is moved so
        that its mean point is the origin.
    per_class : int, optional
        Number of objects of each sign, the first ones. None: all.

    Returns
    -------
    Dataset
        D (n, n) and y (n,), the signs.

    Raises
    ------
    ValueError
        If it is another data set, or `per_class` is below 1.

    References
    ----------
    [denoeux2016_evclus] Section 4.2, Figures 23 to 25.
    """
    expect(libras.name == "libras", "the data set 'libras'", libras.name)
    rows = first_of_each_class(libras.y, per_class)
    paths = libras.X[rows].reshape(len(rows), -1, 2)
    return stand_in(
        libras,
        rows,
        time_warping(paths - paths.mean(axis=1, keepdims=True)),
        name="libras_warping",
        what=f"dynamic time warping of {len(rows)} hand movements of Brazilian sign language, 15 signs "
        "(libras)",
        substitute_for=STANDS_IN_FOR,
        used_by=("denoeux2016_evclus: Figures 23-25 (stand-in)",),
    )
