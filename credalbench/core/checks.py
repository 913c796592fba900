"""Checks of attributes and of the end of a fit: those of scikit-learn, with messages that say more."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from credalbench.core.arguments import LARGEST, are_blocks, as_array, expect, expect_in_memory
from credalbench.core.blocks import Blocks
from credalbench.core.names import names_of
from credalbench.core.resources import user_stacklevel
from credalbench.core.threads import each_row, in_file

TEXT = (str, date, np.datetime64)  # and what pandas makes of dates
FAR = 2.0**20  # spreads from zero: from this on, 6 of 16 digits are the same in all values
Item = TypeVar("Item")
TRIMMED = 0.05  # share of the values of an attribute that are left out on either side


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
        If X is not a table of numbers, has NaN or infinite values, values beyond 1e100 or, in `fit`, a spread
        below 1e-100 but for 0; fewer objects than `least`, or other columns than in `fit`.
    """
    with _short_errors(X):
        numbers = validate_data(
            estimator, X, reset=reset, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False
        )
    numbers = _finite(numbers, X)
    if reset:
        expect_spread(numbers)
    return numbers


def expect_spread(X: np.ndarray) -> None:
    """Refuse attributes that differ by so little that squares of differences would be lost.

    Parameters
    ----------
    X : (n, p) array
        Attributes, which may be constant.

    Raises
    ------
    ValueError
        If the largest range of an attribute is below 1e-100 and not 0.
    """
    spread = float((X.max(axis=0) - X.min(axis=0)).max(initial=0.0))
    expected = f"values of X that are all equal or differ by at least {1 / LARGEST:g}; rescale them"
    expect(spread == 0 or spread >= 1 / LARGEST, expected, f"a largest difference of {spread:g}")


def near_zero(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return attributes about an origin among them if they are `FAR` from zero, and the origin.

    A mean of large numbers that hardly differ loses the digits in which they do.

    Parameters
    ----------
    X : (n, p) array
        Attributes.

    Returns
    -------
    X : array of the same shape
        The attributes minus the origin; themselves if it is zero.
    origin : (p,) array
        The middle of the range; zero if the attributes are not far from zero compared with their spread.

    Examples
    --------
    >>> near_zero(np.array([[1e9], [1e9 + 2]]))
    (array([[-1.],
           [ 1.]]), array([1.e+09]))
    """
    low, high = X.min(axis=0), X.max(axis=0)
    if max(high.max(initial=0.0), -low.min(initial=0.0)) <= FAR * (high - low).max(initial=0.0):
        return X, np.zeros(len(low))
    origin = low + (high - low) / 2
    return each_row(X, lambda rows: rows - origin), origin


def init_about(init: str | npt.ArrayLike, origin: np.ndarray) -> str | np.ndarray:
    """Return an argument `init` about an origin (p,) if it holds points (c, p), else as it is."""
    return init if isinstance(init, str) else np.asarray(init, dtype=float) - origin


def read_objects(estimator: BaseEstimator, X: npt.ArrayLike) -> np.ndarray:
    """Check the objects `X` of a fit, and keep the names that a DataFrame has for them as ``_index``.

    Parameters
    ----------
    estimator : estimator
        With ``_in_blocks = True`` if it takes data in blocks.
    X : (n, p) array or DataFrame of attributes, or of dissimilarities with ``metric="precomputed"``; or data
        in blocks

    Returns
    -------
    (n, p) float array
        Of data in blocks one in a file, a `numpy.memmap`.

    Raises
    ------
    ValueError
        NaN or infinite values, fewer than two objects, rows and columns of dissimilarities with different
        names; a block without rows, or with other columns than the first one: the message names the block.
    """
    if getattr(estimator, "_in_blocks", False) and are_blocks(X):
        estimator._index = None
        check = partial(read_attributes, estimator)
        numbers = in_file(checked_columns(Blocks(X, _with_first_row), check))
        expect(len(numbers) >= 2, "X of at least 2 objects", len(numbers))
        expect_spread(numbers)
        return numbers
    metric = getattr(estimator, "metric", None)
    estimator._index = names_of(X, square=isinstance(metric, str) and metric == "precomputed")
    return read_attributes(estimator, X, least=2)


def checked_columns(blocks: Iterable[tuple[object, Item]], check: Callable[..., object]) -> Iterator[Item]:
    """Yield what comes with the first row of each block, when its columns are those of the first block.

    Parameters
    ----------
    blocks : iterable of (first row, object)
        The row as it came, an array or a DataFrame.
    check : callable
        Function of a first row and ``reset``: whether it sets number and names of the columns; else it raises
        a ValueError if they differ.

    Yields
    ------
    object

    Raises
    ------
    ValueError
        A block has other columns than the first one; the message names it.
    """
    for k, (row, found) in enumerate(blocks):
        try:
            check(row, reset=k == 0)
        except ValueError as error:
            raise ValueError(f"block {k} (counted from 0) has other columns than block 0: {error}") from error
        yield found


def _with_first_row(block: npt.ArrayLike):
    numbers = as_attributes(block)
    return (block.iloc[:1] if hasattr(block, "iloc") else numbers[:1]), numbers


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
    with _short_errors(X):
        numbers = check_array(
            X, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False, copy=copy
        )
    return _finite(numbers, X)


def read_weights(sample_weight: npt.ArrayLike | None, n: int) -> np.ndarray | None:
    """Check and return the weights of the n objects of a fit; None if there are none.

    Parameters
    ----------
    sample_weight : (n,) array or None
        At least 0, some of them above, and below 1e100.
    n : int
        Number of objects.

    Returns
    -------
    (n,) float array or None

    Raises
    ------
    ValueError
        If weights have another shape, are not finite numbers of at least 0, or are all 0.
    """
    if sample_weight is None:
        return None
    weights = as_array("sample_weight", sample_weight)
    expect(weights.shape == (n,), f"sample_weight of shape ({n},)", weights.shape)
    expect(weights.dtype.kind in "iufb", "numbers in sample_weight", weights.dtype)
    weights = weights.astype(np.float64)
    legal = bool(np.isfinite(weights).all()) and weights.min() >= 0
    expect(legal, "finite sample_weight >= 0", weights)
    expect(weights.max() > 0, "some sample_weight > 0", "zero for all objects")
    expect(weights.max() < LARGEST, f"sample_weight below {LARGEST:g}", weights.max())
    return weights


def expect_two_dimensions(X: npt.ArrayLike) -> None:
    """Refuse an array of one dimension by its shape; scikit-learn prints its values.

    Parameters
    ----------
    X : array_like or DataFrame
        Data of any type.

    Raises
    ------
    ValueError
        If X has one dimension.
    """
    flat = isinstance(X, list | tuple) and len(X) > 0 and as_array("X", X[0]).ndim == 0
    shape = (len(X),) if flat else getattr(X, "shape", ())
    ways = "one attribute by X.reshape(-1, 1), condensed dissimilarities by scipy.spatial.distance.squareform"
    expect(len(shape) != 1, f"X of shape (n, p) (Reshape your data: {ways})", shape)


@contextmanager
def _short_errors(X: npt.ArrayLike) -> Iterator[None]:
    """Refuse one dimension, and text in place of numbers, by errors that name shape and columns."""
    expect_in_memory(X)
    expect_two_dimensions(X)
    try:
        yield
    except (TypeError, ValueError):
        expected = (
            "numbers in all columns of X (categories: CatECM; both kinds: MixedECM; dates, decimal commas: "
            "credalbench.tables.read_user_table)"
        )
        text = _columns_of_text(X)
        expect(not text, expected, text)
        raise


def _columns_of_text(X: npt.ArrayLike) -> dict[object, str]:
    """Return the columns of `X` with text or dates that are no numbers, each with its first such value."""
    found, values = {}, np.asarray(X, dtype=object)
    for column in range(values.shape[1] if values.ndim == 2 else 0):
        wrong = (value for value in values[:, column] if isinstance(value, TEXT) and not _is_number(value))
        first = next(wrong, None)
        if first is not None:
            found[X.columns[column] if hasattr(X, "iloc") else column] = str(first)
    return found


def _is_number(value: str | date | np.datetime64) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def trimmed_limits(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute limits of each attribute that some extreme values on either side do not move.

    Left out are 5 % of the values on either side. Where all that are left are the same, or would be without
    as many again, the limits are those of all values.

    Parameters
    ----------
    X : (n, p) array
        Attributes; NaN where a value is missing.

    Returns
    -------
    low : (p,) array
        Lower limits; 0 for an attribute without any value.
    high : (p,) array
        Upper limits.

    Examples
    --------
    >>> trimmed_limits(np.array([[*range(59), 1e6]]).T)
    (array([3.]), array([56.]))
    """
    limits = np.zeros((2, X.shape[1]))
    for l, values in enumerate(X.T):
        ordered = np.sort(values[~np.isnan(values)])
        if len(ordered) == 0:
            continue
        k = int(TRIMMED * len(ordered))
        inner = ordered[k : len(ordered) - k]
        limits[:, l] = (inner if inner[k] < inner[-k - 1] else ordered)[[0, -1]]
    return limits[0], limits[1]


def standardized(X: npt.ArrayLike) -> np.ndarray:
    """Scale attributes to mean 0 and standard deviation 1, as they are without extreme values.

    In mean and deviation, values beyond `trimmed_limits` are taken for these.

    Parameters
    ----------
    X : (n, p) array
        Attributes; NaN where a value is missing.

    Returns
    -------
    (n, p) array
        Attributes of one value are 0.

    Examples
    --------
    >>> X = np.array([[*range(59), 1e6]]).T
    >>> standardized(X)[:3].round(2).tolist()
    [[-1.74], [-1.68], [-1.62]]
    """
    X = np.asarray(X, dtype=float)
    largest = np.nanmax(np.abs(X), axis=0)
    extreme = (largest > LARGEST) | ((largest < 1 / LARGEST) & (largest > 0))  # squares are no floats
    values = X / np.where(extreme, largest, 1.0)
    return StandardScaler().fit(np.clip(values, *trimmed_limits(values))).transform(values)


def _finite(numbers: np.ndarray, given: npt.ArrayLike) -> np.ndarray:
    """Return `numbers` (n, p); refuse large ones, and name the first row of `given` that is not finite."""
    wrong = ~np.isfinite(numbers)
    if not wrong.any():
        largest = float(max(numbers.max(initial=0.0), -numbers.min(initial=0.0)))
        expect(largest <= LARGEST, f"values of X up to {LARGEST:g}; rescale them", largest)
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


def keep_trace(fit: BaseEstimator, objective: list[float], converged: bool) -> None:
    """Set the attributes of a fit that describe its best run: objective, trace, iterations, convergence.

    `objective` holds the values at the start and after each iteration. Warns as `warn_if_not_converged`.
    """
    fit.objective_ = objective[-1]
    fit.objective_trace_ = np.array(objective)
    fit.n_iter_ = len(objective) - 1
    fit.converged_ = converged
    warn_if_not_converged(fit)


def warn_if_not_converged(fit: BaseEstimator) -> None:
    """Warn that `max_iter` ended the best run of a fit, unless it is 0, which asks for the start."""
    if fit.max_iter and not fit.converged_:
        end = f"{type(fit).__name__} stopped at max_iter={fit.max_iter} before it converged"
        instead = "a larger max_iter" + " or a larger tol" * hasattr(fit, "tol")
        warnings.warn(f"{end}. Instead: {instead}", ConvergenceWarning, stacklevel=user_stacklevel())
