r"""The coordinates in which a mixture is fitted: those in which the data have unit covariance.

A Gaussian mixture follows every linear map of the data that its type of covariances is closed under: all of
them if covariances are free or shared, changes of the units of attributes if they are diagonal, of one unit
if they are spherical. The data can therefore first be transformed to mean zero and unit covariance, or unit
variances. Results then do not depend on units, attributes of very different sizes do not lose digits, and a
variance of one millionth means a millionth of the variance of the data in that direction.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from credalbench.cluster.mixture.covariance_types import CovarianceType
from credalbench.core.arguments import LARGEST, expect
from credalbench.core.threads import each_row, sum_rows, weighted_sum

TINY = 1e-150  # a spread whose square is not lost
ROUNDING = 4 * np.finfo(float).eps  # of values: an attribute that varies less is constant


class Frame(NamedTuple):
    """Coordinates y of a point x = origin + axes y; the axes are a lower triangular matrix."""

    origin: np.ndarray  # (p,)
    axes: np.ndarray  # (p, p)

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Return the coordinates of points `X` (n, p); raise an error if squares could overflow."""
        Y = solve_triangular(self.axes, (X - self.origin).T, lower=True, check_finite=False).T
        largest = float(max(Y.max(), -Y.min()))
        expect(largest < LARGEST, f"objects within {LARGEST:g} times the spread of the data", largest)
        return Y

    def inverse_transform(self, Y: np.ndarray) -> np.ndarray:
        """Return the points (n, p) of coordinates `Y` (n, p)."""
        return self.origin + Y @ self.axes.T

    @property
    def log_volume(self) -> float:
        """Logarithm of the determinant of the axes: densities of x are those of y divided by it."""
        return float(np.log(self.axes.diagonal()).sum())


def frame_of(
    X: np.ndarray,
    covariance_type: CovarianceType,
    ridge: float,
    names: Sequence[object],
    sample_weight: np.ndarray | None = None,
) -> Frame:
    """Return the frame of data `X` (n, p) whose covariance, with `ridge` on its diagonal, is regular.

    The covariance type decides which linear maps are allowed. Raises a ValueError that calls constant or
    collinear columns by their `names` if the type does not allow them.
    """
    count = len(X) if sample_weight is None else sample_weight.sum()
    origin = sum_rows(weighted_sum, X, sample_weight) / count
    covariance = scatter(X, sample_weight, origin) / count + ridge * np.eye(X.shape[1])
    largest = np.maximum(np.abs(X.min(axis=0)), np.abs(X.max(axis=0)))
    least = np.maximum(ROUNDING * largest, TINY)  # of the spread of each attribute
    covariance_type.expect_regular(covariance, least, names)
    return Frame(origin, covariance_type.axes(covariance))


def scatter(X: np.ndarray, sample_weight: np.ndarray | None, origin: np.ndarray | float = 0.0) -> np.ndarray:
    """Sum (x - origin) (x - origin)' over the objects: (n, p), (n,) or None, (p,) -> (p, p)."""

    def of_rows(X: np.ndarray, sample_weight: np.ndarray | None) -> np.ndarray:
        X = X - origin
        return X.T @ (X if sample_weight is None else sample_weight[:, None] * X)

    return sum_rows(of_rows, X, sample_weight)


def reach(Y: np.ndarray, sample_weight: np.ndarray | None) -> float:
    """Return the largest distance of an object (n, p) of positive weight from the mean of the frame."""
    distances = each_row(Y, lambda rows: np.linalg.norm(rows, axis=1))
    return float(distances.max() if sample_weight is None else distances[sample_weight > 0].max())
