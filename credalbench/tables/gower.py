r"""Dissimilarities of objects with attributes of any kind, after Gower.

The dissimilarity of two objects is the mean over the attributes that both have a value of,

.. math:: d_{ij} = \frac{\sum_l w_{ijl}\, d_{ijl}}{\sum_l w_{ijl}},

where :math:`w_{ijl}` is 1 if both have one and 0 else; :math:`d_{ijl}` is the difference of two numbers over
the range of the attribute, and of two categories 0 if they are the same and 1 else [gower1971] (there as
similarities, :math:`1 - d_{ij}`).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from credalbench.arguments import expect
from credalbench.resources import expect_memory

#: Pairs whose differences are in memory at a time.
BLOCK = 1 << 18


def gower_dissimilarities(X: pd.DataFrame | ArrayLike) -> np.ndarray:
    """Dissimilarities of objects with numbers, categories or both; missing values are skipped.

    Parameters
    ----------
    X : (n, p) DataFrame or array
        Columns of numbers are compared by their difference, all others (words, booleans, pandas' categories)
        by equality. NaN and None are missing.

    Returns
    -------
    ndarray of shape (n, n)
        In [0, 1], exactly symmetric, with zeros on the diagonal; for ``metric="precomputed"``.

    Raises
    ------
    ValueError
        No object or attribute, infinite numbers, or two objects that no attribute has a value of both of.
    NotEnoughMemory

    Notes
    -----
    O(n² p) time, 8 n² bytes. A number that is the same for all objects adds nothing to the sum, but counts.

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
    X = pd.DataFrame(X)
    (n, p) = X.shape
    expect(n > 0 and p > 0, "a table of at least one object and one attribute", X.shape)
    expect_memory(8.0 * n**2, f"a matrix of {n} x {n} dissimilarities", "max_objects, which draws some")
    columns = [_comparable(X.iloc[:, l]) for l in range(p)]
    D, step = np.empty((n, n)), max(1, BLOCK // n)
    for begin in range(0, n, step):
        D[begin : begin + step] = _rows(columns, slice(begin, begin + step))
    apart = np.isnan(D)
    if apart.any():
        i, j = np.unravel_index(np.argmax(apart), D.shape)
        names = f"{X.index[i]!r} and {X.index[j]!r}"
        raise ValueError(f"expected an attribute that two objects have both; {names} have none in common")
    return D


def _comparable(column: pd.Series) -> tuple[np.ndarray, bool]:
    """A column as floats, NaN where missing, and whether equality is all that counts.

    Numbers come in units of their range.
    """
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
        expect(not np.isinf(numbers).any(), f"finite numbers in {str(column.name)!r}", np.inf)
        known = numbers[~np.isnan(numbers)]
        low, high = (known.min(), known.max()) if len(known) else (0.0, 0.0)
        width = high / 2 - low / 2  # half, so that it is finite
        return (numbers / 2 - low / 2) / (width if width > 0 else 1.0), False
    codes = pd.factorize(column)[0]
    return np.where(codes < 0, np.nan, codes), True


def _rows(columns: list[tuple[np.ndarray, bool]], rows: slice) -> np.ndarray:
    """Dissimilarities of some objects to all, (m, n); NaN where nothing compares two."""
    total = count = 0.0
    for values, equality in columns:
        apart = np.abs(values[rows, None] - values[None])
        known = ~np.isnan(apart)
        total = total + np.where(known, apart > 0 if equality else apart, 0.0)
        count = count + known
    return np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
