"""Recognise dissimilarities: a square or condensed matrix, similarities, or a list of pairs of objects."""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.spatial.distance import squareform

from credalbench.core.arguments import as_array
from credalbench.tables.cells import Cells
from credalbench.tables.layout import MISSING_WORDS
from credalbench.tables.numerals import parse_numbers
from credalbench.tables.roles import Question

#: Tolerance for rounding errors in a matrix, relative to its largest entry, and of single precision.
ROUNDING, ROUNDING_OF_SINGLE = 1e-8, 100 * float(np.finfo(np.float32).eps)
KINDS = ("attributes", "dissimilarities", "similarities", "pairs")
#: Names that stay the same when they are converted to integers and back.
WHOLE_NUMBER = r"0|-?[1-9]\d{0,17}"
#: Parts of the name of a column of distances or similarities of pairs.
DISTANCE_NAMES = ("dist", "dissim", "delta", "divergence", "distance")
SIMILARITY_NAMES = ("simil", "ident", "ani", "corr", "score", "weight", "jaccard", "kinship")


def as_dissimilarities(values: ArrayLike) -> np.ndarray | None:
    """Return the matrix of dissimilarities that an array holds, or None.

    Parameters
    ----------
    values : array-like of shape (n, n) or (n (n - 1) / 2,)
        A symmetric matrix of numbers >= 0 with a zero diagonal, n >= 3; or its upper or lower triangle, the
        rest zeros or NaN; or a condensed matrix as returned by :func:`scipy.spatial.distance.pdist`. The
        diagonal may be NaN or rounded.

    Returns
    -------
    ndarray of shape (n, n) or None
        The full matrix; None if `values` are not dissimilarities.

    See Also
    --------
    read_user_table : Read dissimilarities from a file or a data frame.

    Examples
    --------
    >>> as_dissimilarities([1.0, 5.0, 6.0]).tolist()
    [[0.0, 1.0, 5.0], [1.0, 0.0, 6.0], [5.0, 6.0, 0.0]]
    >>> as_dissimilarities([[0, 1], [2, 0], [3, 1]]) is None
    True
    """
    values = as_array("values", values)
    if values.dtype.kind not in "iuf":
        return None
    if values.ndim == 1 and n_from_pairs(len(values)):
        return squareform(values.astype(float)) if np.isfinite(values).all() and values.min() >= 0 else None
    square = values.ndim == 2 and len(values) == values.shape[1] >= 3
    if not square:
        return None
    tolerance = ROUNDING_OF_SINGLE if values.dtype == np.float32 else ROUNDING
    D, positions = fill_triangle(values.astype(float)), np.arange(len(values))
    diagonal = _diagonal(D, positions, tolerance)
    return None if diagonal.any() or matrix_defect(D, positions, tolerance) else (D + D.T) / 2


def n_from_pairs(count: int) -> int:
    """Return the number n >= 3 of objects that have `count` pairs, or 0 if there is none."""
    n = int((1 + np.sqrt(1 + 8 * count)) / 2)
    return n if n >= 3 and n * (n - 1) // 2 == count else 0


def find_matrix(cells: Cells, kind: str | None, decimal: str | None = None) -> pd.DataFrame | Question | None:
    """Return the dissimilarities that a table holds, a question about them, or None."""
    if kind == "attributes":
        return None
    found = _pairs(cells, decimal, kind) if kind in (None, "pairs") else None
    if found is None and kind != "pairs":
        found = _square(cells, decimal, kind)
    if found is None and kind in (None, "dissimilarities"):
        found = _condensed(cells, decimal, sure=kind is not None)
    if found is None and kind is not None:
        expected = {
            "pairs": "two columns of names, a column of numbers, and a row for each pair of objects",
            "similarities": "a square symmetric matrix of similarities with its maximum on the diagonal",
        }.get(kind, "a square matrix of dissimilarities, or n (n - 1) / 2 in one row or column")
        size = f"{cells.n_rows} x {cells.frame.shape[1]}"
        raise ValueError(f"{cells.name}: expected {expected}; got a table of {size}")
    return found


# ---------------------------------------------------------------- square matrices


def _square(cells: Cells, decimal: str | None, kind: str | None) -> pd.DataFrame | Question | None:
    n, q = cells.n_rows, cells.frame.shape[1]
    if n < 3 or q not in (n, n + 1):
        return None
    values, alternative, tolerance = _numbers(cells.frame.iloc[:, q - n :], decimal)
    if values is None:
        return None
    sure, names = kind is not None, _names(cells, named=q > n)
    values, positions = _aligned(values, cells, names, q > n), cells.positions
    half = _is_half(values, positions)
    if half and len(values) < n:
        need = f"max_objects >= {n} for half a matrix, which needs all pairs"
        raise ValueError(f"{cells.name}: expected {need}; got {len(values)}")
    similar = _similarity(values, positions)
    if kind == "similarities":
        return _converted(cells, values, names) if similar else None
    if similar and not sure:
        words = _conversion(similar)
        text = f"a symmetric table with {similar:g} on the diagonal, like similarities, is read as {words}"
        options = {"kind": "similarities"}, {"kind": "attributes"}
        return Question("kind", text, options, blocking=True, likely=options[0])
    values = fill_triangle(values) if half else values
    diagonal = _diagonal(values, positions, tolerance)
    if not (sure or (diagonal == 0).all()):
        return None
    if alternative:
        return _decimal_mark_question(alternative)
    if reason := matrix_defect(values, positions, tolerance, diagonal):
        if sure:
            raise ValueError(f"{cells.name}: expected a matrix of dissimilarities; got {reason}")
        return _matrix_question(reason)
    return _named(cells, values, names)


def _diagonal(values: np.ndarray, positions: np.ndarray, tolerance: float) -> np.ndarray:
    """Return the diagonal of rows at `positions`, and set missing and rounded values on it to zero."""
    rows = np.arange(len(values))
    diagonal = values[rows, positions]
    known = values[np.isfinite(values)]
    empty = np.isnan(diagonal) | (np.abs(diagonal) <= tolerance * max(known.max(initial=0.0), 0.0))
    if empty.all():
        diagonal = values[rows, positions] = np.zeros(len(values))
    return diagonal


def _similarity(values: np.ndarray, positions: np.ndarray) -> float:
    """Return the diagonal of symmetric rows, or of a triangle, if it is their maximum; else 0."""
    rows = np.arange(len(values))
    diagonal = values[rows, positions]
    if not np.isfinite(diagonal).all() or diagonal[0] <= 0 or np.ptp(diagonal) > 1e-6 * diagonal[0]:
        return 0.0
    chosen = values[:, positions]
    other = np.where(np.isnan(chosen), chosen.T, chosen)
    symmetric = np.allclose(other, other.T, rtol=0, atol=1e-6 * diagonal[0])
    return float(diagonal[0]) if symmetric and other.max() <= diagonal[0] * (1 + 1e-6) else 0.0


def _conversion(largest: float) -> str:
    return f"dissimilarities, {largest:g} minus the similarity"


def _converted(cells: Cells, values: np.ndarray, names: Sequence[Hashable] | None) -> pd.DataFrame:
    values = (
        np.where(np.isnan(values), values[:, cells.positions].T, values)
        if len(values) == values.shape[1]
        else values
    )
    largest = _similarity(values, cells.positions)
    D = np.maximum(largest - values, 0.0)
    D[np.arange(len(D)), cells.positions] = 0.0
    return _named(cells, D, names)


def _named(cells: Cells, values: np.ndarray, names: Sequence[Hashable] | None) -> pd.DataFrame:
    chosen = values[:, cells.positions]
    names = cells.row_numbers() if names is None else names
    return pd.DataFrame(chosen / 2 + chosen.T / 2, index=names, columns=names)


def _aligned(values: np.ndarray, cells: Cells, names: Sequence[Hashable] | None, named: bool) -> np.ndarray:
    """Return the columns of a matrix in the order of its rows, where both have the same names."""
    has_heads = cells.layout is None or cells.layout.header
    if names is None or not has_heads or len(values) < cells.n_rows or (cells.layout and not named):
        return values
    rows, columns = [str(name) for name in names], list(cells.frame.columns[-values.shape[1] :])
    if rows == columns or sorted(rows) != sorted(columns):
        return values
    return values[:, pd.Index(columns).get_indexer(rows)]


def _matrix_question(reason: str) -> Question:
    text = (
        f"expected a matrix of dissimilarities with 0 on the diagonal; got {reason}. Correct the table, or "
        "read its columns as attributes"
    )
    return Question("kind", text, ({"kind": "attributes"},), blocking=True)


def _decimal_mark_question(alternative: str) -> Question:
    text = f"commas in a matrix of dissimilarities may be decimal marks, or {alternative}"
    return Question("decimal mark", text, ({"decimal": ","}, {"decimal": "."}), blocking=True)


def fill_triangle(values: np.ndarray) -> np.ndarray:
    """Fill the empty triangle of a square array (n, n); return any other array unchanged."""
    if not _is_half(values, np.arange(len(values))):
        return values
    i, j = np.tril_indices(len(values), -1)
    D = np.zeros(values.shape)
    D[i, j] = D[j, i] = values[i, j] if np.nan_to_num(values[i, j]).any() else values[j, i]
    return D


def _is_half(values: np.ndarray, positions: np.ndarray) -> bool:
    """Return whether rows (m, n) at `positions` have values in only one triangle."""
    some, steps = np.nan_to_num(values) != 0, np.arange(values.shape[1]) - positions[:, None]
    return bool((some & (steps < 0)).any() != (some & (steps > 0)).any() and not some[steps == 0].any())


def matrix_defect(
    values: np.ndarray, positions: np.ndarray, tolerance: float = ROUNDING, diagonal: np.ndarray | None = None
) -> str:
    """Return why rows (m, n) at `positions` are not rows of a symmetric matrix >= 0; "" if they are."""
    if not np.isfinite(values).all():
        i, j = np.argwhere(~np.isfinite(values))[0]
        return f"{values[i, j]:g} for the pair {positions[i]}, {j}"
    tolerance = tolerance * max(values.max(), 0.0)
    if values.min() < -tolerance:
        return f"a negative number, {values.min():g}"
    if diagonal is not None and (diagonal > tolerance).any():
        return f"{diagonal.max():g} on the diagonal instead of 0"
    chosen = values[:, positions]
    i, j = np.unravel_index(np.argmax(np.abs(chosen - chosen.T)), chosen.shape)
    if abs(chosen[i, j] - chosen[j, i]) > tolerance:
        pair = f"{positions[i]}, {positions[j]}"
        both = f"{chosen[i, j]:g} and {chosen[j, i]:g}"
        return f"one that is not symmetric, with {both} for the pair {pair}"
    return ""


# ---------------------------------------------------------------- condensed matrices and pairs


def _condensed(cells: Cells, decimal: str | None, sure: bool) -> pd.DataFrame | Question | None:
    """Return the square form of a condensed matrix; ask about a column, which may be an attribute."""
    m, q = cells.n_rows, cells.frame.shape[1]
    n = n_from_pairs(max(m, q)) if min(m, q) == 1 else 0
    values, alternative, _ = _numbers(cells.frame, decimal) if n else (None, "", 0.0)
    if values is None or not np.isfinite(values).all() or values.min() < 0:
        return None
    if q == 1 and not sure:
        return Question(
            "kind",
            f"{m} numbers may be one attribute of {m} objects, or the dissimilarities of {n} objects",
            ({"kind": "attributes"}, {"kind": "dissimilarities"}),
            blocking=True,
        )
    if len(values) < m:
        raise ValueError(f"{cells.name}: expected max_objects >= {m}, the number of pairs; got {len(values)}")
    return _decimal_mark_question(alternative) if alternative else pd.DataFrame(squareform(values.ravel()))


def _pairs(cells: Cells, decimal: str | None, kind: str | None) -> pd.DataFrame | Question | None:
    """Return the matrix of a list of all pairs of objects with a number, or a question about it."""
    m, q = len(cells.frame), cells.frame.shape[1]
    if q < 3 or m < 3 or m < cells.n_rows or not m / 2 <= cells.frame.iloc[:, 0].nunique() ** 2 <= 4 * m:
        return None
    first, second = (cells.frame.iloc[:, j].astype(str).str.strip() for j in (0, 1))
    names = pd.unique(pd.concat([first, second]))
    n = len(names)
    if n < 3 or m not in (n * (n - 1) // 2, n * (n - 1), n * (n + 1) // 2, n * n):
        return None
    i, j = (pd.Index(names).get_indexer(column) for column in (first, second))
    seen = np.zeros((n, n), dtype=bool)
    seen[i, j] = seen[j, i] = True
    if not (seen | np.eye(n, dtype=bool)).all():
        return None
    values, alternative, tolerance = _numbers(cells.frame.iloc[:, 2:3], decimal)
    if values is None or not np.isfinite(values).all() or values.min() < 0:
        return None
    label = str(cells.frame.columns[2])
    D = np.zeros((n, n))
    D[i, j] = values[:, 0]
    once = np.ones((n, n), dtype=bool)
    once[i, j] = False
    D = np.where(once, D.T, D)
    largest = _similarity(D, np.arange(n)) if (np.diag(D) > 0).all() else 0.0
    similar = bool(largest) or any(part in label.lower() for part in SIMILARITY_NAMES)
    if kind is None:
        if any(
            pd.to_numeric(column, errors="coerce").notna().all() for column in (first, second)
        ) and not any(part in label.lower() for part in (*DISTANCE_NAMES, *SIMILARITY_NAMES)):
            return None  # two attributes on a grid
        meaning = f"{largest or values.max():g} minus {label!r} is" if similar else f"{label!r} is"
        text = f"the rows are probably the pairs of {n} objects: {meaning} read as their dissimilarity"
        options = {"kind": "pairs"}, {"kind": "attributes"}
        return Question("kind", text, options, blocking=True, likely=options[0])
    if alternative:
        return _decimal_mark_question(alternative)
    if similar:
        D = np.where(np.eye(n, dtype=bool), 0.0, (largest or values.max()) - D)
    np.fill_diagonal(D, 0.0)
    if reason := matrix_defect(D, np.arange(n), tolerance):
        raise ValueError(f"{cells.name}: expected pairs with one dissimilarity; got {reason}")
    index = pd.Index(names.astype(int) if _are_whole_numbers(pd.Series(names)) else names)
    return pd.DataFrame((D + D.T) / 2, index=index, columns=index)


# ---------------------------------------------------------------- cells


def _numbers(frame: pd.DataFrame, decimal: str | None) -> tuple[np.ndarray | None, str, float]:
    """Return a table as an array, another reading of its commas, and the tolerance for rounding errors.

    The array is None if a cell is not a number. All columns of text have the same decimal mark. A mark for
    missing values becomes NaN.
    """
    single = all(dtype == np.float32 for dtype in frame.dtypes)
    tolerance = ROUNDING_OF_SINGLE if single else ROUNDING
    texts = np.array([not pd.api.types.is_numeric_dtype(cells) for _, cells in frame.items()])
    values, alternative = np.empty(frame.shape), ""
    values[:, ~texts] = frame.loc[:, ~texts].to_numpy(dtype=float, na_value=np.nan)
    if texts.any():
        cells = pd.Series(frame.loc[:, texts].to_numpy(dtype=object).ravel(), dtype=object)
        numbers = pd.to_numeric(cells, errors="coerce") if decimal is None else None
        if numbers is None or numbers.isna().any():
            if not all(isinstance(cell, str) or cell != cell for cell in cells):
                return None, "", tolerance
            cells = cells.str.strip()
            cells = cells.mask(cells.str.lower().isin(MISSING_WORDS), None)
            found = parse_numbers(cells, decimal)
            numbers, alternative = found.values, "" if found.thousands else found.alternative
            if (numbers.isna() & cells.notna()).any():
                return None, "", tolerance
        values[:, texts] = numbers.to_numpy(float).reshape(len(frame), -1)
    return values, alternative, tolerance


def _names(cells: Cells, named: bool) -> Sequence[Hashable] | None:
    """Return the names of the objects: the first column, the names of the columns, or the index."""
    if named:
        names = cells.frame.iloc[:, 0]
        whole = _are_whole_numbers(names)
        names = names.astype(int) if whole else names.astype(str).str.strip()
        return pd.Index(names) if names.is_unique else None
    if cells.layout is None:
        index = cells.frame.index
        return None if isinstance(index, pd.RangeIndex) or not index.is_unique else index
    return [cells.frame.columns[position] for position in cells.positions] if cells.layout.header else None


def _are_whole_numbers(names: pd.Series) -> bool:
    """Return whether names are whole numbers; text such as 007 or 1e3 is not."""
    if pd.api.types.is_numeric_dtype(names):
        return bool(names.notna().all() and (names % 1 == 0).all())
    return bool(names.astype(str).str.fullmatch(WHOLE_NUMBER).all())


def duplicate_name_note(cells: Cells) -> tuple[str, ...]:
    """Return a note if the first column of a matrix is not used because it has a name twice."""
    names = cells.frame.iloc[:, 0]
    if cells.frame.shape[1] != cells.n_rows + 1 or names.is_unique:
        return ()
    repeated = str(names[names.duplicated()].iloc[0])
    same = [str(name) == repeated for name in names]
    return (f"names left out: several objects are called {repeated!r}, in {cells.places(same)}",)
