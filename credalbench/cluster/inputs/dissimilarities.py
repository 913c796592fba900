"""Square matrices of dissimilarities: checked where they are given, computed where attributes are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import pairwise_distances

from credalbench.arguments import Instance, expect

METRIC = Instance(str, Callable, noun="the name of a metric or a callable")
ROUNDING = 1e-8  # relative to the largest entry: what the program that computed the matrix may leave


def as_dissimilarities(D: npt.ArrayLike, symmetrize: bool = False) -> np.ndarray:
    """`D` as a matrix of dissimilarities: square, finite, non-negative, symmetric, with a zero diagonal.

    Deviations of at most 1e-8 of the largest entry count as rounding and are removed.

    Parameters
    ----------
    D : (n, n) array-like
    symmetrize : bool, default False
        Replace an asymmetric matrix by the mean of itself and its transpose instead of refusing it.

    Returns
    -------
    (n, n) float array
        `D` itself where nothing had to be changed: do not write into it.

    Raises
    ------
    ValueError
        Not square; NaN or infinite; negative; a diagonal that is not zero; asymmetric (see `symmetrize`).
    """
    D = np.asarray(D, dtype=float)
    expect(D.ndim == 2 and D.shape[0] == D.shape[1], "a square matrix of dissimilarities", D.shape)
    if not np.isfinite(D).all():
        _refuse("finite dissimilarities", D, ~np.isfinite(D))
    tolerance = ROUNDING * D.max(initial=0.0)
    if D.min(initial=0.0) < -tolerance:
        _refuse("non-negative dissimilarities", D, -tolerance > D)
    diagonal = np.abs(np.diag(D))
    expect(
        (diagonal <= tolerance).all(), "a zero diagonal of dissimilarities", float(diagonal.max(initial=0))
    )
    gap = np.abs(D - D.T)
    if not symmetrize and gap.max(initial=0.0) > tolerance:
        i, j = np.unravel_index(np.argmax(gap), D.shape)
        raise ValueError(
            f"expected a symmetric matrix of dissimilarities, got {D[i, j]:.6g} at [{i}, {j}] and "
            f"{D[j, i]:.6g} at [{j}, {i}]; symmetrize=True replaces it by the mean of both"
        )
    if not gap.any() and not diagonal.any() and D.min(initial=0.0) >= 0:
        return D
    mean = D + D.T
    mean /= 2
    np.maximum(mean, 0.0, out=mean)
    np.fill_diagonal(mean, 0.0)
    return mean


def dissimilarity_matrix(
    X: np.ndarray, metric: str | Callable = "euclidean", symmetrize: bool = False
) -> np.ndarray:
    """Dissimilarities between all objects.

    Parameters
    ----------
    X : (n, p) array of attributes, or (n, n) dissimilarities when `metric` is "precomputed"
    metric : str or callable, default "euclidean"
        Any metric of scikit-learn, or "precomputed". Euclidean distances are computed from differences, so
        that duplicates are exactly 0 apart.
    symmetrize : bool, default False
        As in `as_dissimilarities`.

    Returns
    -------
    (n, n) float array
        Possibly `X` itself: do not write into it.

    Raises
    ------
    ValueError
        A metric that scikit-learn does not know, or a result that is no matrix of dissimilarities.
    """
    if metric == "euclidean":
        return squareform(pdist(X))
    if metric == "precomputed":
        return as_dissimilarities(X, symmetrize)
    with told_of(metric):
        D = pairwise_distances(X, metric=metric)
    return as_dissimilarities(D, symmetrize)


@contextmanager
def told_of(metric: str | Callable) -> Iterator[None]:
    """Say of an error in the block that it was `metric` that failed: a singular covariance, say.

    Raises
    ------
    ValueError
        With the cause in its message.
    """
    try:
        yield
    except (ArithmeticError, TypeError, ValueError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"expected a metric that takes these objects, got {cause} from {metric!r}"
        ) from error


def _refuse(expected: str, D: np.ndarray, bad: np.ndarray):
    i, j = np.unravel_index(np.argmax(bad), D.shape)
    raise ValueError(f"expected {expected}, got {D[i, j]:.6g} at [{i}, {j}]")
