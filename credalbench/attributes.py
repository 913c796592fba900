"""Checks of attributes: those of scikit-learn, with messages that name the row."""

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from credalbench.names import names_of


def read_attributes(
    estimator: BaseEstimator, X: npt.ArrayLike, *, reset: bool = True, least: int = 1
) -> np.ndarray:
    """Check and return the data of an estimator.

    Parameters
    ----------
    estimator : estimator
        Its number and names of features are set or compared.
    X : (n, p) array_like or DataFrame
        Attributes.
    reset : bool, default True
        Whether to set number and names of the columns, as in `fit`; else they must be those of `fit`.
    least : int, default 1
        Minimum number of objects.

    Returns
    -------
    (n, p) float array
        The attributes.

    Raises
    ------
    ValueError
        If X is not a table of numbers, has NaN or infinite values, fewer objects than `least`, or other
        columns than in `fit`.
    """
    numbers = validate_data(
        estimator, X, reset=reset, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False
    )
    return _finite(numbers, X)


def read_objects(estimator: BaseEstimator, X: npt.ArrayLike) -> np.ndarray:
    """Check the objects `X` of a fit, and keep the names that a DataFrame has for them as ``_index``.

    Parameters
    ----------
    estimator : estimator
    X : (n, p) array or DataFrame of attributes, or of dissimilarities with ``metric="precomputed"``

    Returns
    -------
    (n, p) float array

    Raises
    ------
    ValueError
        NaN or infinite values, fewer than two objects, rows and columns of dissimilarities with different
        names.
    """
    metric = getattr(estimator, "metric", None)
    estimator._index = names_of(X, square=isinstance(metric, str) and metric == "precomputed")
    return read_attributes(estimator, X, least=2)


def as_attributes(X: npt.ArrayLike, *, least: int = 1, copy: bool = False) -> np.ndarray:
    """Check and return attributes without an estimator.

    Parameters
    ----------
    X : (n, p) array_like or DataFrame
        Attributes.
    least : int, default 1
        Minimum number of objects.
    copy : bool, default False
        Whether to copy the data.

    Returns
    -------
    (n, p) float array
        The attributes.

    Raises
    ------
    ValueError
        As in `read_attributes`.
    """
    numbers = check_array(X, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False, copy=copy)
    return _finite(numbers, X)


def _finite(numbers: np.ndarray, given: npt.ArrayLike) -> np.ndarray:
    """Return `numbers` (n, p); raise an error with the first row of `given` that is not finite."""
    wrong = ~np.isfinite(numbers)
    if not wrong.any():
        return numbers
    i, column = (int(place) for place in np.argwhere(wrong)[0])
    value = "NaN" if np.isnan(numbers[i, column]) else "inf"
    row = repr(given.index[i]) if hasattr(given, "iloc") else i
    rows = int(wrong.any(axis=1).sum())
    place = f"row {row}, column {_column(given, column)}"
    raise ValueError(
        f"expected finite numbers in X, got {value} in {place} ({rows} of {len(numbers)} rows hold "
        "such values; `credalbench.tables.read_user_table` offers to leave them out or to fill them in)"
    )


def _column(given: npt.ArrayLike, column: int) -> object:
    return repr(given.columns[column]) if hasattr(given, "iloc") else column
