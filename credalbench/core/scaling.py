"""Units of data: values whose squares could leave the range of floating point are rescaled.

Clustering squares distances, adds the squares up and multiplies them. From 1e154 on a square is infinite, and
below 1e-162 it is zero. So data whose spread is not `MODERATE` are first brought to order 1: attributes about
the middle of their range, dissimilarities as they are, and all parameters in the units of the data with them.
The unit is a power of two, so that dividing by it rounds nothing: partitions are those of the same data at
order 1. Moderate data are not changed, unless they lie far from zero compared with their spread.

Lengths are returned in the units of the data. Quantities in other units, such as an objective, could not be
represented there: they are in powers of ``unit_``, which is 1 for moderate data.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from credalbench.core.arguments import expect

MODERATE = 2.0**100  # about 1e30: a square of a square, added up over all objects, is still far from overflow
FAR = 2.0**20  # spreads: from this on, 6 of 16 digits are the same in all values
LARGEST = 1e304  # of the values of data, so that distances and means are finite
HUGE = 1e100  # units: what is farther from the data, or larger or smaller in comparison, is refused


class Scale(NamedTuple):
    """The unit of lengths inside an estimator, and the point of the data that becomes the origin.

    The unit is a power of four, so that its root, the unit of squares, is a power of two.

    Parameters
    ----------
    unit : float
        Unit of lengths; 1 for moderate data.
    origin : (p,) array or None
        None: moderate data, which are not changed.
    """

    unit: float = 1.0
    origin: np.ndarray | None = None  # (p,); None: moderate data, which stay as they are

    def transform(self, points: npt.ArrayLike, name: str = "X") -> np.ndarray:
        """Return points in the unit, about the origin; the same array for moderate data.

        Parameters
        ----------
        points : (m, p) array
            Points of the data.
        name : str, default "X"
            Name of the points in messages.

        Returns
        -------
        (m, p) float array
            Points in the unit.

        Raises
        ------
        ValueError
            If a point is `HUGE` units or more from the data.
        """
        given = points = np.asarray(points, dtype=float)
        if self.origin is not None:
            with np.errstate(over="ignore"):  # refused below
                points = (points - self.origin) / self.unit
        expected = f"values of {name} within {HUGE:g} times the scale of the data, {self.unit:.3g}"
        expect(magnitude(points) < HUGE, expected, magnitude(given))
        return points

    def inverse_transform(self, points: np.ndarray) -> np.ndarray:
        """Return points in the units of the data.

        Parameters
        ----------
        points : (m, p) array
            Points in the unit, about the origin.

        Returns
        -------
        (m, p) array
            Points of the data.
        """
        return points if self.origin is None else points * self.unit + self.origin

    def transform_init(self, init: str | npt.ArrayLike) -> str | np.ndarray:
        """Transform an argument `init` if it holds points.

        Parameters
        ----------
        init : str or array
            Starting points, or the name of an initialisation.

        Returns
        -------
        str or array
            A name is returned as it is.
        """
        return init if isinstance(init, str) else self.transform(init, "init")

    def length(self, name: str, value: float) -> float:
        """Return a length in the unit.

        Parameters
        ----------
        name : str
            Name of the parameter in messages.
        value : float
            Length in the units of the data, above 0.

        Returns
        -------
        float
            Length in the unit.

        Raises
        ------
        ValueError
            If it is too large or too small compared with the data.
        """
        share = float(value) / self.unit
        expected = f"{name} between {1 / HUGE:g} and {HUGE:g} times the scale of the data"
        expect(1 / HUGE < share < HUGE, f"{expected}, {self.unit:.3g}", value)
        return share

    def square(self, name: str, value: float) -> float:
        """Return a squared length in squares of the unit.

        Parameters
        ----------
        name : str
            Name of the parameter in messages.
        value : float
            Square in squared units of the data, at least 0.

        Returns
        -------
        float
            Square in squares of the unit.

        Raises
        ------
        ValueError
            If it is too large compared with the data, or too small compared with data that are not moderate.
        """
        share = float(value) / self.unit / self.unit
        least = 0.0 if self.origin is None or value == 0 else 1 / HUGE
        expected = f"{name} between {1 / HUGE:g} and {HUGE:g} times the square of the scale of the data"
        expect(least <= share < HUGE, f"{expected}, {self.unit:.3g}", value)
        return share


def scale_of(X: np.ndarray) -> Scale:
    """Return the `Scale` in which attributes have a spread of order 1, unless they are moderate anyway.

    The spread is the largest range of an attribute. Columns with a much smaller spread are lost to rounding,
    as in any Euclidean distance. Data that are `FAR` from zero get an origin among them: a mean of large
    numbers that hardly differ loses the digits in which they do.

    Parameters
    ----------
    X : (n, p) array
        Attributes.

    Returns
    -------
    Scale
        With unit 1 and no origin for moderate data.

    Raises
    ------
    ValueError
        If values are above `LARGEST`.

    Examples
    --------
    >>> scale_of(np.array([[0.0], [1.0]])), scale_of(np.array([[0.0], [1e200]])).unit > 1e199
    (Scale(unit=1.0, origin=None), True)
    """
    low, high = X.min(axis=0), X.max(axis=0)
    size = max(magnitude(low), magnitude(high))
    expect(size <= LARGEST, f"values of X up to {LARGEST:g}", size)
    spread = float((high - low).max())
    unit = unit_of(spread)
    if unit == 1 and size <= min(MODERATE, FAR * spread):
        return Scale()
    return Scale(unit, low + (high - low) / 2)


def unit_of(size: float) -> float:
    """Return the power of four next to a size; 1 if it is moderate, or 0.

    Parameters
    ----------
    size : float
        A length, at least 0.

    Returns
    -------
    float
        A power of four.
    """
    if size == 0 or 1 / MODERATE <= size <= MODERATE:
        return 1.0
    return 4.0 ** min(math.frexp(size)[1] // 2, 511)  # 4^512 is infinite


def magnitude(values: np.ndarray) -> float:
    """Return the largest absolute value of an array.

    Parameters
    ----------
    values : array
        Numbers.

    Returns
    -------
    float
        At least 0.
    """
    return float(max(values.max(), -values.min()))
