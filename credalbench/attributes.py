"""Attributes of objects as estimators are given them: scikit-learn's checks, in our words where these help.

scikit-learn answers a NaN with advice on its own estimators; users of these need to know which row it is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data


def read_attributes(
    estimator: BaseEstimator, X: npt.ArrayLike, *, reset: bool = True, least: int = 1
) -> np.ndarray:
    """Check the values `X` that an estimator is given.

    Parameters
    ----------
    estimator : estimator
    X : (n, p) array_like or DataFrame
    reset : bool, default True
        Whether number and names of the columns are learnt, as in `fit`; else they must be those of it.
    least : int, default 1
        Of objects.

    Returns
    -------
    (n, p) float array

    Raises
    ------
    ValueError
        No table of numbers, NaN or infinite values, fewer objects than `least`, other columns than in `fit`.
    """
    numbers = validate_data(
        estimator, X, reset=reset, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False
    )
    return _finite(numbers, X)


def as_attributes(X: npt.ArrayLike, *, least: int = 1, copy: bool = False) -> np.ndarray:
    """Return `X` (n, p) as floats, checked as `read_attributes` does where there is no estimator."""
    numbers = check_array(X, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False, copy=copy)
    return _finite(numbers, X)


def _finite(numbers: np.ndarray, given: npt.ArrayLike) -> np.ndarray:
    """Return `numbers` (n, p), or say which rows of what was `given` hold none."""
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
