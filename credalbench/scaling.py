"""Numbers of any size: where their squares could leave the range of floating point, they get another unit.

Clustering squares distances, adds the squares up and multiplies them: from 1e154 on a square is infinite, and
below 1e-162 it is zero. So data whose spread is not `MODERATE` are brought to order 1 first: attributes about
the middle of their range, dissimilarities as they are, and whatever is given in the units of the data along
with them. The unit is a power of two, and dividing by it rounds nothing: partitions are those of the same
data at order 1. Moderate data are not touched, unless they lie far from zero beside their spread.

Lengths are given back in the units of the data. What has other units, as an objective has, could not be
represented there: it is told in powers of ``unit_``, which is 1 for moderate data.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from credalbench.arguments import expect

MODERATE = 2.0**100  # about 1e30: a square of a square, added up over all objects, is still far from overflow
FAR = 2.0**20  # spreads: from this on, 6 of 16 digits are the same in all values
LARGEST = 1e304  # of the values of data, so that distances and means are finite
HUGE = 1e100  # units: what is farther from the data, or larger or smaller beside them, is refused


class Scale(NamedTuple):
    """The unit of lengths inside an estimator, and the point of the data that becomes the origin.

    The unit is a power of four, so that its root, the unit where squares are given, is a power of two.
    """

    unit: float = 1.0
    origin: np.ndarray | None = None  # (p,); None: moderate data, which stay as they are

    def transform(self, points: npt.ArrayLike, name: str = "X") -> np.ndarray:
        """Points (m, p) of the data in the unit, about the origin; themselves where nothing is to be done.

        Raises
        ------
        ValueError
            A point `HUGE` units or more from the data; the message calls the points `name`.
        """
        given = points = np.asarray(points, dtype=float)
        if self.origin is not None:
            with np.errstate(over="ignore"):  # refused below
                points = (points - self.origin) / self.unit
        wanted = f"values of {name} within {HUGE:g} times the scale of the data, {self.unit:.3g}"
        expect(magnitude(points) < HUGE, wanted, magnitude(given))
        return points

    def inverse_transform(self, points: np.ndarray) -> np.ndarray:
        """Points (m, p) in the unit, about the origin, in the units of the data."""
        return points if self.origin is None else points * self.unit + self.origin

    def transform_init(self, init: str | npt.ArrayLike) -> str | np.ndarray:
        """An argument `init`, inward where it holds points; the name of a way to start is handed on."""
        return init if isinstance(init, str) else self.transform(init, "init")

    def length(self, name: str, value: float) -> float:
        """A positive `value` in the units of the data, in the unit.

        Raises
        ------
        ValueError
            It is too large or too small beside the data.
        """
        share = float(value) / self.unit
        wanted = f"{name} between {1 / HUGE:g} and {HUGE:g} times the scale of the data"
        expect(1 / HUGE < share < HUGE, f"{wanted}, {self.unit:.3g}", value)
        return share

    def square(self, name: str, value: float) -> float:
        """A `value` >= 0 in squared units of the data, in squares of the unit.

        Raises
        ------
        ValueError
            It is too large beside the data, or too small beside data that are not moderate.
        """
        share = float(value) / self.unit / self.unit
        least = 0.0 if self.origin is None or value == 0 else 1 / HUGE
        wanted = f"{name} between {1 / HUGE:g} and {HUGE:g} times the square of the scale of the data"
        expect(least <= share < HUGE, f"{wanted}, {self.unit:.3g}", value)
        return share


def scale_of(X: np.ndarray) -> Scale:
    """The `Scale` in which attributes `X` (n, p) have a spread of order 1, unless it is moderate anyway.

    The spread is the largest range of an attribute. Columns that are small beside it are lost to rounding, as
    they are in any Euclidean distance. Data that are `FAR` from zero get an origin amidst them, too: a mean
    of large numbers that hardly differ loses the digits in which they do.

    Raises
    ------
    ValueError
        Values above `LARGEST`.
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
    """The power of four next to a `size` >= 0; 1 if it is moderate, or 0."""
    if size == 0 or 1 / MODERATE <= size <= MODERATE:
        return 1.0
    return 4.0 ** min(math.frexp(size)[1] // 2, 511)  # 4^512 is infinite


def magnitude(values: np.ndarray) -> float:
    """The largest absolute value of an array."""
    return float(max(values.max(), -values.min()))
