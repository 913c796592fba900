"""Checks of attributes and of the end of a fit: those of scikit-learn, with more detailed messages."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from itertools import pairwise
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

TEXT = (str, list, date, timedelta, np.datetime64, np.timedelta64)  # also covers the times of pandas
SPANS = ("Period", "Interval")  # types of pandas
FAR = 2.0**20  # spreads from zero: beyond it, the first 6 of 16 digits are the same in all values
Item = TypeVar("Item")
CLOSE = 0.1  # prototypes coincide if nearer to each other than this share of the distance of objects to them
COINCIDENT = 1e-8  # and if nearer than this share of the spread of the objects
LEFT = 5.0  # moves that may be left when an iteration stops, in multiples of the last that may be made
TRIMMED = 0.05  # share of the values of an attribute that is left out on either side


def read_attributes(
    estimator: BaseEstimator, X: npt.ArrayLike, *, reset: bool = True, least: int = 1
) -> np.ndarray:
    """Check the attributes `X` of at least `least` objects, and return them as floats (n, p).

    With `reset`, as in `fit`, the number and names of the columns are set; otherwise they must be those of
    `fit`. Raises a ValueError if `X` is not a table of numbers, has NaN or infinite values, values beyond
    1e100 or, in `fit`, a spread between 0 and 1e-100.
    """
    with _short_errors(X) as dense:
        numbers = validate_data(
            estimator, dense, reset=reset, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False
        )
    numbers = _finite(numbers, X)
    if reset:
        expect_scale(numbers)
    return numbers


def expect_scale(X: np.ndarray) -> None:
    """Raise a ValueError if the largest range of an attribute is so small, above 0, that squares vanish."""
    spread = float((X.max(axis=0) - X.min(axis=0)).max(initial=0.0))
    expected = f"values of X that are all equal or differ by at least {1 / LARGEST:g}; rescale them"
    expect(spread == 0 or spread >= 1 / LARGEST, expected, f"a largest difference of {spread:g}")


def near_zero(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return attributes (n, p) minus an origin, and the origin (p,).

    The origin is the middle of the range if attributes are `FAR` from zero compared with their spread, since
    means of large and nearly equal numbers lose digits; otherwise it is zero.

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
    """Return an argument `init` minus an origin (p,) if it holds points (c, p), otherwise unchanged."""
    return init if isinstance(init, str) else np.asarray(init, dtype=float) - origin


def read_objects(estimator: BaseEstimator, X: npt.ArrayLike) -> np.ndarray:
    """Check the objects `X` of a fit, return them as floats (n, p) and set their names as ``_index``.

    `X` holds attributes, dissimilarities with ``metric="precomputed"``, or, if the estimator has
    ``_in_blocks = True``, data in blocks, which are returned as an array in a file, a `numpy.memmap`. Raises
    a ValueError as `read_attributes` does, and if there are fewer than two objects, rows and columns of
    dissimilarities have different names, or a block has no rows or other columns than the first one.
    """
    if getattr(estimator, "_in_blocks", False) and are_blocks(X):
        estimator._index = None
        check = partial(read_attributes, estimator)
        numbers = in_file(checked_columns(Blocks(X, _with_first_row), check))
        expect(len(numbers) >= 2, "X of at least 2 objects", len(numbers))
        expect_scale(numbers)
        return numbers
    metric = getattr(estimator, "metric", None)
    estimator._index = names_of(X, square=isinstance(metric, str) and metric == "precomputed")
    return read_attributes(estimator, X, least=2)


def checked_columns(blocks: Iterable[tuple[object, Item]], check: Callable[..., object]) -> Iterator[Item]:
    """Yield the second item of each block (first row, item), if its columns are those of the first block.

    ``check(row, reset=True)`` sets the number and names of the columns; without `reset` it raises a
    ValueError if they differ, to which the number of the block is added.
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
    """Check and return attributes (n, p) as `read_attributes`, without an estimator."""
    with _short_errors(X) as dense:
        numbers = check_array(
            dense, dtype=np.float64, ensure_min_samples=least, ensure_all_finite=False, copy=copy
        )
    return _finite(numbers, X)


def read_weights(sample_weight: npt.ArrayLike | None, n: int) -> np.ndarray | None:
    """Check and return the weights (n,) of the objects of a fit: at least 0, not all 0, below 1e100."""
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


def different_objects(
    X: np.ndarray, sample_weight: np.ndarray | None, least: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows of `X` (n, p), sorted, (m, p), and how much each of them counts, (m,).

    What is drawn from them does not depend on the order of the objects, and an object of weight 2 counts as
    two. If fewer than `least` rows differ, they are repeated.
    """
    if sample_weight is not None:
        X, sample_weight = X[sample_weight > 0], sample_weight[sample_weight > 0]
    places, numbers = np.unique(X, axis=0, return_inverse=True)
    rows = np.arange(max(least, len(places))) % len(places)
    return places[rows], np.bincount(numbers.ravel(), sample_weight).astype(float)[rows]


def expect_table(X: npt.ArrayLike) -> None:
    """Raise a ValueError if `X` has one dimension, or columns with equal names or names of several kinds."""
    flat = isinstance(X, list | tuple) and len(X) > 0 and as_array("X", X[0]).ndim == 0
    shape = (len(X),) if flat else getattr(X, "shape", ())
    one, condensed = "X.reshape(-1, 1) for one attribute", "scipy.spatial.distance.squareform"
    ways = f"{one}, {condensed} for condensed dissimilarities"
    expect(len(shape) != 1, f"X of shape (n, p) (Reshape your data: {ways})", shape)
    if hasattr(X, "iloc"):
        names, expected = X.columns, "different names of the columns of X"
        expect(names.is_unique, expected, sorted({str(name) for name in names[names.duplicated()]}))
        texts = {isinstance(name, str) for name in names}
        expect(len(texts) < 2, "names of the columns of X that are all text, or none", list(names))


@contextmanager
def _short_errors(X: npt.ArrayLike) -> Iterator[npt.ArrayLike]:
    """Yield a dense `X`; replace errors about one dimension, text or times by errors that name them."""
    expect_in_memory(X)
    expect_table(X)
    dtypes = X.dtypes if hasattr(X, "iloc") else [getattr(X, "dtype", None)]
    try:
        if any(getattr(dtype, "kind", "") in "mM" for dtype in dtypes if dtype is not None):
            raise TypeError("times")  # of which scikit-learn makes nanoseconds
        yield X.sparse.to_dense() if hasattr(X, "sparse") else X
    except (TypeError, ValueError):
        expected = (
            "numbers in all columns of X (CatECM accepts categories, MixedECM accepts both, "
            "column.dt.total_seconds() converts durations, and credalbench.tables.read_user_table reads "
            "dates and decimal commas)"
        )
        text = _columns_of_text(X)
        expect(not text, expected, text)
        raise


def _columns_of_text(X: npt.ArrayLike) -> dict[object, str]:
    """Return the columns of `X` with text, times or lists that are not numbers, each with its first one."""
    found, values = {}, np.asarray(X, dtype=object)
    for column in range(values.shape[1] if values.ndim == 2 else 0):
        candidates = (v for v in values[:, column] if isinstance(v, TEXT) or type(v).__name__ in SPANS)
        first = next((value for value in candidates if not _is_number(value)), None)
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
    """Return lower and upper limits (p,) of attributes (n, p), without extreme values; NaN is missing.

    5 % of the values are left out on either side. If the remaining values are all equal, or would be without
    another 5 % on either side, the limits are those of all values. An attribute without values has 0, 0.

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
    """Scale attributes (n, p) to mean 0 and standard deviation 1, computed without extreme values.

    Mean and deviation are those of the values clipped to `trimmed_limits`. NaN is a missing value. Constant
    attributes become 0.

    Examples
    --------
    >>> X = np.array([[*range(59), 1e6]]).T
    >>> standardized(X)[:3].round(2).tolist()
    [[-1.74], [-1.68], [-1.62]]
    """
    X = np.asarray(X, dtype=float)
    largest = np.nanmax(np.abs(X), axis=0)
    extreme = (largest > LARGEST) | ((largest < 1 / LARGEST) & (largest > 0))  # squares are not floats
    values = X / np.where(extreme, largest, 1.0)
    return StandardScaler().fit(np.clip(values, *trimmed_limits(values))).transform(values)


def _finite(numbers: np.ndarray, given: npt.ArrayLike) -> np.ndarray:
    """Return `numbers` (n, p); raise a ValueError that names the first row of `given` that is not finite."""
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


def at_rest(objective: list[float], least: float, moves: list[float] | None = None) -> bool:
    """Return whether an iteration may stop: its last move is at most `least`, and few more moves are left.

    The moves that are left are extrapolated from the last two: if each is a share r of the one before, they
    sum to r / (1 - r) of the last, which must be at most `LEFT` times `least`. So one small move is not
    enough; near a saddle point the moves grow. `objective` holds the values so far; the iteration also stops
    if it no longer falls. By default the moves are its falls.
    """
    if moves is None:
        moves = [before - after for before, after in pairwise(objective[-3:])]
    last, before = moves[-1], moves[-2] if len(moves) > 1 else 0.0
    if last > least:
        return False
    rests = last == 0 or objective[-1] >= objective[-2]
    return bool(rests or last * (last / least) <= LEFT * (before - last))


def keep_trace(fit: BaseEstimator, objective: list[float], converged: bool) -> None:
    """Set the attributes of a fit that describe its best run: objective, trace, iterations, convergence.

    `objective` holds the values at the start and after each iteration. Warns as `warn_if_not_converged` does.
    """
    fit.objective_ = objective[-1]
    fit.objective_trace_ = np.array(objective)
    fit.n_iter_ = len(objective) - 1
    fit.converged_ = converged
    warn_if_not_converged(fit)


def warn_if_coincident(fit: BaseEstimator, apart: np.ndarray, within: float, spread: float) -> None:
    """Warn if prototypes coincide: if two are nearer to each other than a share of the `within` distance.

    `apart` (c, c) are the distances of prototypes, `within` is that of an object to the nearest, and
    `spread` the length of which rounding is a share.
    """
    coincide = apart <= max(CLOSE * within, COINCIDENT * spread)
    np.fill_diagonal(coincide, False)
    if coincide.any():
        clusters = ", ".join(str(k + 1) for k in np.flatnonzero(coincide.any(axis=1)))
        smaller = ", or beta is too large" if hasattr(fit, "beta") else ""
        warnings.warn(
            f"prototypes coincide, those of clusters {clusters}: there are fewer than {len(apart)} clusters, "
            f"or the start was unlucky{smaller}",
            UserWarning,
            stacklevel=user_stacklevel(),
        )


def warn_if_not_converged(fit: BaseEstimator) -> None:
    """Warn if `max_iter` ended the best run of a fit, unless it is 0, which requests the start itself."""
    if fit.max_iter and not fit.converged_:
        end = f"{type(fit).__name__} stopped at max_iter={fit.max_iter} before it converged"
        instead = "a larger max_iter" + " or a larger tol" * hasattr(fit, "tol")
        warnings.warn(f"{end}. Use {instead}", ConvergenceWarning, stacklevel=user_stacklevel())
