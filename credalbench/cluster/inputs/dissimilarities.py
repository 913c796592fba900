"""Dissimilarities of objects: checked where they are given, computed from attributes or by a function."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.utils import Tags

from credalbench.core.arguments import LARGEST, Instance, as_array, expect, expect_count
from credalbench.core.checks import near_zero
from credalbench.core.kernels import pieces
from credalbench.core.resources import expect_memory

MetricLike = Annotated[str | Callable, Instance(str, Callable, noun="the name of a metric or a callable")]
ROUNDING = 1e-8  # relative to the largest entry: errors of the program that computed the matrix
SINGLE_ROUNDING = 100 * float(np.finfo(np.float32).eps)  # if it computed in single precision; as scikit-learn
MATRICES = 2  # (n, n) arrays at a time in a fit, at least
CHUNK = 1 << 17  # entries that are compared with their mirror images at a time
PARAMETERS = {  # of metrics that take them from the data
    "mahalanobis": lambda X: {"VI": np.linalg.inv(np.atleast_2d(np.cov(X.T))).T},
    "seuclidean": lambda X: {"V": X.var(axis=0, ddof=1)},
}
#: Settings that do without (n, n) matrices.
WITHOUT_MATRICES = (
    "EVCLUS with n_pairs=100, which compares each object with only 100 others, "
    "or EKNNclus with attributes and few n_neighbors"
)


class DissimilarityInput:
    """Estimators with a parameter `metric`, which is "precomputed" if dissimilarities are given."""

    def _precomputed(self):
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        return tags


def as_dissimilarities(D: npt.ArrayLike, symmetrize: bool = False) -> np.ndarray:
    """Return `D` as dissimilarities: square, finite, non-negative, symmetric, with a zero diagonal.

    Deviations of at most 1e-8 of the largest entry, or 1.2e-5 if all entries are numbers of single precision,
    count as rounding and are removed. Larger deviations raise a ValueError, and so do entries beyond 1e100 or
    a largest entry below 1e-100. With `symmetrize` an asymmetric matrix is replaced by the mean of itself and
    its transpose. The result may be `D` itself, so do not write to it.
    """
    D = np.asarray(D, dtype=float)
    expect(D.ndim == 2 and D.shape[0] == D.shape[1], "a square matrix of dissimilarities", D.shape)
    if not np.isfinite(D).all():
        _refuse("finite dissimilarities", D, ~np.isfinite(D))
    largest = float(D.max(initial=0.0))
    expected = f"dissimilarities whose largest is 0, or from {1 / LARGEST:g} to {LARGEST:g}; rescale them"
    expect(largest == 0 or 1 / LARGEST <= largest <= LARGEST, expected, largest)
    least, diagonal = D.min(initial=0.0), float(np.abs(np.diag(D)).max(initial=0.0))
    gap, i, j = _largest_asymmetry(D)
    tolerance = _tolerance(D, max(-least, diagonal, 0.0 if symmetrize else gap))
    if least < -tolerance:
        _refuse("non-negative dissimilarities", D, -tolerance > D)
    expect(diagonal <= tolerance, "a zero diagonal of dissimilarities", diagonal)
    if not symmetrize and gap > tolerance:
        raise ValueError(
            f"expected a symmetric matrix of dissimilarities, got {D[i, j]:.6g} at [{i}, {j}] and "
            f"{D[j, i]:.6g} at [{j}, {i}]; symmetrize=True replaces both by their mean"
        )
    if gap == diagonal == least == 0:
        return D
    mean = D + D.T
    mean /= 2
    np.maximum(mean, 0.0, out=mean)
    np.fill_diagonal(mean, 0.0)
    return mean


def dissimilarity_matrix(
    X: np.ndarray, metric: str | Callable = "euclidean", symmetrize: bool = False
) -> np.ndarray:
    """Return the dissimilarities (n, n) between all objects; they may be `X` itself, so do not write to them.

    `X` is (n, p) attributes, or (n, n) dissimilarities when `metric` is "precomputed". Euclidean
    distances are computed from differences, so that duplicates are exactly 0 apart. Raises
    NotEnoughMemory if two such matrices do not fit into memory.
    """
    expect_memory(
        MATRICES * 8 * len(X) ** 2, f"dissimilarities of {len(X)} x {len(X)} objects", WITHOUT_MATRICES
    )
    if metric == "euclidean":
        return euclidean_distances(near_zero(X)[0])
    if metric == "precomputed":
        return as_dissimilarities(X, symmetrize)
    with metric_errors(metric):
        D = pairwise_distances(X, metric=metric)
    return as_dissimilarities(D, symmetrize)


def euclidean_distances(X: np.ndarray) -> np.ndarray:
    """Return the distances (n, n) of objects (n, p), equal to those of `pdist`; a fit can be stopped here."""
    (n, p), X = X.shape, np.ascontiguousarray(X, dtype=float)
    D = np.empty((n, n))
    for begin, end in pieces(0, n, n * p):
        cdist(X[begin:end], X, out=D[begin:end])
    return D


def metric_parameters(X: np.ndarray, metric: str | Callable) -> dict[str, np.ndarray]:
    """Return the parameters, usually none, that scikit-learn's `metric` computes from data (n, p)."""
    return PARAMETERS[metric](X) if isinstance(metric, str) and metric in PARAMETERS else {}


def non_negative(D: np.ndarray) -> np.ndarray:
    """Return the dissimilarities (m, n) of new objects to others, with 0 for negative rounding errors.

    Raises a ValueError for NaN, infinity, values beyond 1e100 and values below zero by more than rounding, as
    `as_dissimilarities` does.
    """
    if not np.isfinite(D).all():
        _refuse("finite dissimilarities", D, ~np.isfinite(D))
    expect(D.max() <= LARGEST, f"dissimilarities up to {LARGEST:g}; rescale them", float(D.max()))
    tolerance = _tolerance(D, -D.min())
    if D.min() < -tolerance:
        _refuse("non-negative dissimilarities", D, -tolerance > D)
    return np.maximum(D, 0.0)


@contextmanager
def metric_errors(metric: str | Callable) -> Iterator[None]:
    """Raise a ValueError that names `metric` for errors in the context, such as a singular covariance."""
    try:
        yield
    except (ArithmeticError, TypeError, ValueError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"expected a metric that takes these objects, got {cause} from {metric!r}"
        ) from error


def _tolerance(D: np.ndarray, deviation: float):
    """Return the largest rounding error in dissimilarities; a `deviation` beyond it is an error."""
    largest = float(D.max(initial=0.0))
    with np.errstate(over="ignore"):
        single = deviation > ROUNDING * largest and np.array_equal(D.astype(np.float32), D)
    return (SINGLE_ROUNDING if single else ROUNDING) * largest


def _largest_asymmetry(D: np.ndarray):
    """Return the largest difference of two mirror images, and the row and column where it first occurs."""
    largest, place, step = 0.0, (0, 0), max(1, CHUNK // max(len(D), 1))
    for begin in range(0, len(D), step):
        gap = np.abs(D[begin : begin + step] - D[:, begin : begin + step].T)
        if gap.max() > largest:
            i, j = np.unravel_index(np.argmax(gap), gap.shape)
            largest, place = float(gap[i, j]), (begin + int(i), int(j))
    return largest, *place


def _refuse(expected: str, D: np.ndarray, bad: np.ndarray):
    i, j = np.unravel_index(np.argmax(bad), D.shape)
    raise ValueError(f"expected {expected}, got {D[i, j]:.6g} at [{i}, {j}]")


class TiledDissimilarities:
    """Dissimilarities of n objects that are computed when they are needed, such as edit distances of words.

    It replaces the (n, n) matrix in the `fit` of `EVCLUS` with ``metric="precomputed"`` and sampled pairs,
    which never needs the whole matrix.

    Parameters
    ----------
    n_objects : int
        Number of objects n.
    function : callable
        Returns the (a, b) dissimilarities between the objects of two int arrays, of lengths a and b, numbered
        from 0. It has to be symmetric and to be zero between an object and itself; neither is checked.

    Raises
    ------
    ValueError
        If `n_objects` is not a number of objects, or `function` cannot be called.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array(["hat", "cat", "house", "mouse", "horse"])
    >>> def differences_in_length(rows, columns):
    ...     lengths = np.char.str_len(words)
    ...     return np.abs(lengths[rows][:, None] - lengths[columns])
    >>> D = TiledDissimilarities(5, differences_in_length)
    >>> D.between(np.array([0, 1]), np.array([1, 2, 3]))
    array([[0., 2., 2.],
           [0., 2., 2.]])
    """

    def __init__(self, n_objects: int, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        self.n_objects = expect_count("n_objects", n_objects, 2, np.iinfo(np.int32).max)
        expect(callable(function), "a function of two arrays of objects", function)
        self.function = function

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (n, n) of the matrix."""
        return self.n_objects, self.n_objects

    def __len__(self) -> int:
        return self.n_objects

    def _objects(self, name: str, numbers: np.ndarray) -> np.ndarray:
        numbers = as_array(name, numbers)
        right = numbers.ndim == 1 and len(numbers) > 0 and numbers.dtype.kind in "iu"
        expect(right, f"{name} to be an array of object numbers", numbers)
        low, high = int(numbers.min()), int(numbers.max())
        expect(low >= 0 and high < self.n_objects, f"{name} in 0..{self.n_objects - 1}", (low, high))
        return numbers

    def between(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the dissimilarities between two groups of objects.

        Parameters
        ----------
        rows, columns : (a,) and (b,) int arrays
            Numbers of objects.

        Returns
        -------
        (a, b) float array
            In the units of the function.

        Raises
        ------
        ValueError
            If `rows` or `columns` are not numbers of objects; if the function returns another shape, or
            values that are not numbers, negative, infinite or NaN.
        """
        rows, columns = self._objects("rows", rows), self._objects("columns", columns)
        found = np.asarray(self.function(rows, columns))
        shape = len(rows), len(columns)
        expect(found.shape == shape, f"dissimilarities of shape {shape} from {self.function!r}", found.shape)
        expected = f"numbers from {self.function!r}"
        expect(found.dtype.kind in "iufb", expected, found.dtype)
        return non_negative(found.astype(float))
