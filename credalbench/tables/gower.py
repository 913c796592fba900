r"""Gower's dissimilarities of objects with numeric and categorical attributes.

The dissimilarity of two objects is the mean over the attributes that neither lacks,

.. math:: d_{ij} = \frac{\sum_l w_{ijl}\, d_{ijl}}{\sum_l w_{ijl}},

where :math:`w_{ijl}` is the weight of attribute l, 1 by default, if both objects have a value of it, and 0
otherwise. For numbers, :math:`d_{ijl}` is the absolute difference divided by the range of the attribute; for
categories it is 0 if they are equal and 1 otherwise [gower1971] (stated there for similarities,
:math:`1 - d_{ij}`). A few outliers would make the range so large that all other objects are alike. By
default, the range therefore excludes some extreme values, which are moved onto its ends.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from credalbench.core.arguments import Choice, as_array, as_floats, expect
from credalbench.core.checks import trimmed_limits
from credalbench.core.progress import check_cancelled
from credalbench.core.resources import expect_memory

#: Number of pairs whose differences are in memory at a time.
BLOCK = 1 << 18


#: How numbers are scaled: by the range without some extreme values, or by the range of all.
RANGES = ("robust", "full")


def gower_dissimilarities(
    X: pd.DataFrame | ArrayLike, *, ranges: str = "robust", weights: ArrayLike | None = None
) -> np.ndarray:
    """Compute Gower's dissimilarities of objects with numeric or categorical attributes.

    Missing values are skipped.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n, p)
        Attributes. Numeric columns, and ordered categories of pandas by their ranks, are compared by their
        difference, all others (text, booleans, other categories) by equality. NaN and None are missing
        values.
    ranges : {"robust", "full"}, default "robust"
        Range of a number: without the 5 % smallest and the 5 % largest values, which are moved onto its ends;
        or the range of all values, as in the paper.
    weights : array-like of shape (p,), optional
        Weights of the attributes, at least 0 and not all 0. By default all are 1.

    Returns
    -------
    ndarray of shape (n, n)
        Dissimilarities in [0, 1], exactly symmetric, with zeros on the diagonal; suitable for
        ``metric="precomputed"``.

    Raises
    ------
    ValueError
        If there is no object or no attribute, if a number is infinite, if weights are negative, all 0 or not
        one per attribute, or if two objects have no attribute in common.
    NotEnoughMemory
        If the matrix does not fit into memory.

    See Also
    --------
    UserTable.D : Dissimilarities of a user table.

    Notes
    -----
    O(n² p) time, 8 n² bytes. A constant numeric attribute counts, with differences of 0.

    References
    ----------
    [gower1971]

    Examples
    --------
    >>> import pandas as pd
    >>> plants = pd.DataFrame({"height": [1.0, 3.0, 5.0], "colour": ["red", "red", "blue"]})
    >>> gower_dissimilarities(plants).tolist()
    [[0.0, 0.25, 1.0], [0.25, 0.0, 0.75], [1.0, 0.75, 0.0]]
    """
    expect(hasattr(X, "columns") or as_array("X", X).ndim == 2, "a table of two dimensions", X)
    X = pd.DataFrame(X)
    (n, p) = X.shape
    Choice(*RANGES).read("ranges", ranges)
    expect(n > 0 and p > 0, "a table of at least one object and one attribute", X.shape)
    expect_memory(8.0 * n**2, f"a matrix of {n} x {n} dissimilarities", "max_objects to draw a sample")
    columns = [_comparable(X.iloc[:, l], ranges) for l in range(p)]
    weights = np.ones(p) if weights is None else as_floats("weights", weights)
    expect(weights.shape == (p,), f"one weight for each of {p} attributes", weights.shape)
    fine = np.isfinite(weights).all() and weights.min() >= 0 and weights.max() > 0
    expect(bool(fine), "weights of at least 0 that are not all 0", weights)
    D, step = np.empty((n, n)), max(1, BLOCK // n)
    for begin in range(0, n, step):
        check_cancelled()
        D[begin : begin + step] = _rows(columns, weights, slice(begin, begin + step))
    apart = np.isnan(D)
    if apart.any():
        i, j = np.unravel_index(np.argmax(apart), D.shape)
        names = f"{X.index[i]!r} and {X.index[j]!r}"
        raise ValueError(f"expected objects with a common attribute; {names} have none")
    return D


def _comparable(column: pd.Series, ranges: str) -> tuple[np.ndarray, bool]:
    """Return a column as floats, NaN if missing, and whether it is compared by equality.

    Numbers are moved into their range and divided by it.
    """
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
        column = column.cat.codes.astype(float).mask(column.isna().to_numpy())
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        expect(
            not pd.api.types.is_complex_dtype(column), f"real numbers in {str(column.name)!r}", column.dtype
        )
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
        expect(not np.isinf(numbers).any(), f"finite numbers in {str(column.name)!r}", np.inf)
        known = numbers[~np.isnan(numbers)]
        if ranges == "robust":
            [low], [high] = trimmed_limits(numbers[:, None])
            numbers = np.clip(numbers, low, high)
        else:
            low, high = (known.min(), known.max()) if len(known) else (0.0, 0.0)
        width = high / 2 - low / 2  # half the range, which is always finite
        return (numbers / 2 - low / 2) / (width if width > 0 else 1.0), False
    codes = pd.factorize(column)[0]
    return np.where(codes < 0, np.nan, codes), True


def _rows(columns: list[tuple[np.ndarray, bool]], weights: np.ndarray, rows: slice) -> np.ndarray:
    """Return the dissimilarities (m, n) of some objects to all; NaN without a common attribute."""
    total = count = 0.0
    for (values, equality), weight in zip(columns, weights):
        apart = np.abs(values[rows, None] - values[None])
        known = ~np.isnan(apart)
        total = total + weight * np.where(known, apart > 0 if equality else apart, 0.0)
        count = count + weight * known
    return np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
