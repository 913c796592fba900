r"""Computed substitutes for the two dissimilarity sets of [denoeux2016_evclus] that are not available.

*Image distortion* replaces the Zongker digits of Section 4.2, which were compared by deformable templates.
The image distortion model asks the same question in its simplest form: how badly does image i fit image j, if
every pixel may look one pixel further in any direction? With the zero-padded images :math:`P_i`,

.. math:: d(i, j) = \sum_x \min_{|u|, |v| \le 1} \sum_{q \in \{-1, 0, 1\}^2}
                    \big(P_i[x + q] - P_j[x + (u, v) + q]\big)^2 ,

then symmetrised, :math:`(d(i, j) + d(j, i)) / 2`, as the paper symmetrises its matrix, and square-rooted.
Every pixel chooses its own shift. The result is not a metric, and its Gram matrix has negative eigenvalues.

*Dynamic time warping* replaces the Delft gestures of Section 4.2, which were compared by the same method.
Warping two trajectories a and b of m points walks through both at the same time, at each step one point
further on a, on b or on both, such that the distances of the points that meet have the smallest sum:

.. math:: w_{st} = \|a_s - b_t\| + \min(w_{s-1,t}, w_{s,t-1}, w_{s-1,t-1}), \qquad d(a, b) = w_{mm} .

The walk is unconstrained and the sum is not divided by its length. The result is symmetric, but not a metric.
"""

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import as_floats, expect
from credalbench.core.kernels import kernel, pieces
from credalbench.datasets.dataset import Dataset

SHAPES = {"digits": (8, 8), "mfeat_pix": (16, 15)}  # rows and columns of the images
DIGITS = "Zongker digit dissimilarities (denoeux2016_evclus, Figures 20-22)"
MARGIN = 3  # zeros around an image: one for the window, one for each direction of the shift
SHIFTS = 9
FAR = np.float32(np.finfo(np.float32).max)
GESTURES = "Delft gesture dissimilarities (denoeux2016_evclus, Figures 23-25)"
STEP = 10  # operations of one step besides those on coordinates: a root and two minima of two numbers


@kernel(fastmath=True)
def _squared_differences(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    for t in range(out.size):
        difference = a[t] - b[t]
        out[t] = difference * difference


@kernel(fastmath=True)
def _sum_of_three(a: np.ndarray, b: np.ndarray, c: np.ndarray, out: np.ndarray) -> None:
    for t in range(out.size):
        out[t] = a[t] + b[t] + c[t]


@kernel(fastmath=True)
def _lower(out: np.ndarray, values: np.ndarray) -> None:
    for t in range(out.size):
        out[t] = values[t] if values[t] < out[t] else out[t]


@kernel(fastmath=True)
def _sum_inside(values: np.ndarray, inside: np.ndarray) -> np.float32:
    total = np.float32(0.0)
    for t in range(values.size):
        total += inside[t] * values[t]
    return total


@kernel
def _directed(
    i: int, begin: int, end: int, images: np.ndarray, inside: np.ndarray, width: int, out: np.ndarray
) -> None:
    """Compute dissimilarities of image i and each of begin..end-1, both ways, into `out` (n, n) float32.

    `images` (n, h) float32 are padded and flattened. In a flattened padded image a shift is an offset s, and
    every step is a loop over consecutive numbers: the squared differences once for each shift, their 3 x 3
    sums as three sums of three along each axis. The window at x shifted by s, seen from j, is the window at
    x + s shifted by -s: one pass gives d(i, j) and d(j, i).
    """
    size = images.shape[1]
    squares, columns = np.zeros(size, np.float32), np.zeros(size, np.float32)
    windows = np.zeros(size, np.float32)
    there, back = np.empty(size, np.float32), np.empty(size, np.float32)
    low, high = width + 1, size - width - 1  # where a shift stays inside
    for j in range(begin, end):
        there[:] = FAR
        back[:] = FAR
        for s in (-width - 1, -width, -width + 1, -1, 0, 1, width - 1, width, width + 1):
            _squared_differences(images[i, low:high], images[j, low + s : high + s], squares[low:high])
            _sum_of_three(
                squares[low : high - 2 * width],
                squares[low + width : high - width],
                squares[low + 2 * width : high],
                columns[low + width : high - width],
            )
            a, b = low + width + 1, high - width - 1
            _sum_of_three(columns[a - 1 : b - 1], columns[a:b], columns[a + 1 : b + 1], windows[a:b])
            _lower(there[a:b], windows[a:b])
            _lower(back[a + s : b + s], windows[a:b])
        out[i, j] = _sum_inside(there, inside)
        out[j, i] = _sum_inside(back, inside)


def directed_distortion(images: ArrayLike) -> np.ndarray:
    """Compute directed dissimilarities of the image distortion model, in squared grey levels.

    Parameters
    ----------
    images : (n, rows, columns) array
        Grey levels of images of the same size.

    Returns
    -------
    (n, n) ndarray
        d(i, j) in row i, column j; float32, zero diagonal, in general not symmetric. Exact for integer grey
        levels as long as the sums stay below 2^24, as they do for both sets of digits.

    Raises
    ------
    ValueError
        If `images` is not a stack of images, or has NaN or infinite grey levels.

    Notes
    -----
    O(n^2 * 9 * pixels): 2000 images of 16 x 15 pixels take about 4 s on one core, 1797 of 8 x 8 about 1 s.
    """
    images = np.asarray(images, dtype=np.float32)
    expect(images.ndim == 3 and images.size > 0, "images of shape (n, rows, columns)", images.shape)
    expect(np.isfinite(images).all(), "finite grey levels", "NaN or infinite values")
    n, rows, columns = images.shape
    frame = ((MARGIN, MARGIN), (MARGIN, MARGIN))
    padded = np.pad(images, ((0, 0), *frame)).reshape(n, -1)
    inside = np.pad(np.ones((rows, columns), np.float32), frame).ravel()
    out = np.zeros((n, n), np.float32)
    for i in range(n):
        for begin, end in pieces(0, i, SHIFTS * padded.shape[1]):
            _directed(i, begin, end, padded, inside, columns + 2 * MARGIN, out)
    return out


def image_distortion(images: ArrayLike) -> np.ndarray:
    r"""Compute dissimilarities :math:`\sqrt{(d(i, j) + d(j, i)) / 2}` of the image distortion model.

    Parameters
    ----------
    images : (n, rows, columns) array
        Grey levels of images of the same size.

    Returns
    -------
    (n, n) ndarray
        Symmetric with zero diagonal, in grey levels; not a metric. Zero also between equal images.

    Raises
    ------
    ValueError
        As in :func:`directed_distortion`.

    Examples
    --------
    Moving a stroke by one pixel costs nothing, unlike moving it by four:

    >>> strokes = np.zeros((3, 7, 7))  # images
    >>> strokes[0, 2:5, 1], strokes[1, 2:5, 2], strokes[2, 2:5, 5] = 1, 1, 1
    >>> image_distortion(strokes).round(1).tolist()[0]
    [0.0, 0.0, 5.6]
    """
    directed = directed_distortion(images).astype(float)
    return np.sqrt((directed + directed.T) / 2)


def digit_dissimilarities(digits: Dataset, per_class: int | None = None) -> Dataset:
    """Return the substitute for the Zongker digits, computed from images of digits.

    Parameters
    ----------
    digits : Dataset
        ``load("mfeat_pix")``, with n = 2000 and 200 of each digit as in the paper, or ``load("digits")``,
        with n = 1797, which needs no file.
    per_class : int, optional
        Number of objects of each digit, starting with the first; None: all.

    Returns
    -------
    Dataset
        D (n, n) and y (n,), the digits.

    Raises
    ------
    ValueError
        If `digits` is another data set, or `per_class` is below 1.

    References
    ----------
    [denoeux2016_evclus] Section 4.2, Figures 20 to 22.
    """
    expect(digits.name in SHAPES, f"one of the data sets {', '.join(SHAPES)}", digits.name)
    rows = first_of_each_class(digits.y, per_class)
    high, wide = SHAPES[digits.name]
    images = digits.X[rows].reshape(-1, high, wide)
    return stand_in(
        digits,
        rows,
        image_distortion(images),
        name=f"{digits.name}_distortion",
        what=f"image distortion dissimilarities of {len(rows)} handwritten digits of {high} x {wide} pixels "
        f"({digits.name})",
        substitute_for=DIGITS,
        used_by=("denoeux2016_evclus: Figures 20-22 (stand-in)",),
    )


def stand_in(
    source: Dataset, rows: np.ndarray, D: np.ndarray, *, name: str, what: str, **about: object
) -> Dataset:
    """Return the dissimilarities D of some rows of a data set as the substitute for another set."""
    return Dataset(
        name=name,
        D=D,
        y=source.y[rows],
        class_names=source.class_names,
        data_type="dissimilarities",
        description=f"Stand-in for {about['substitute_for']}: {what}. Not the paper's numbers.",
        licence=source.licence,
        citation=source.citation,
        source=f"computed from {source.source}",
        status="substitute",
        **about,
    )


def first_of_each_class(y: np.ndarray, per_class: int | None) -> np.ndarray:
    """Return the sorted indices of the first `per_class` objects of each class; None: of all objects."""
    if per_class is None:
        return np.arange(len(y))
    expect(per_class >= 1, "per_class of at least 1", per_class)
    return np.sort(np.concatenate([np.flatnonzero(y == k)[:per_class] for k in np.unique(y)]))


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
        If the array is not a stack of trajectories, or has NaN or infinite coordinates.

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
    expect(np.isfinite(paths).all(), "finite coordinates", "NaN or infinite values")
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
        Number of objects of each sign, starting with the first; None: all.

    Returns
    -------
    Dataset
        D (n, n) and y (n,), the signs.

    Raises
    ------
    ValueError
        If `libras` is another data set, or `per_class` is below 1.

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
        substitute_for=GESTURES,
        used_by=("denoeux2016_evclus: Figures 23-25 (stand-in)",),
    )
