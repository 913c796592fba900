"""Recognise dissimilarities in a table: a square matrix with or without names, or a condensed matrix."""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.spatial.distance import squareform

from credalbench.core.arguments import as_array
from credalbench.tables.cells import Cells
from credalbench.tables.columns import parse_numbers
from credalbench.tables.roles import Question

#: Tolerance for rounding errors in a matrix, relative to its largest entry.
ROUNDING = 1e-8
KINDS = ("attributes", "dissimilarities")
#: Names that stay the same when they are converted to integers and back.
WHOLE_NUMBER = r"0|-?[1-9]\d{0,17}"


def as_dissimilarities(values: ArrayLike) -> np.ndarray | None:
    """Return the matrix of dissimilarities that an array holds, or None.

    Parameters
    ----------
    values : array-like of shape (n, n) or (n (n - 1) / 2,)
        A symmetric matrix of numbers >= 0 with a zero diagonal, n >= 3; or its upper or lower triangle, the
        rest zeros or NaN; or a condensed matrix as returned by :func:`scipy.spatial.distance.pdist`.

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
    D = fill_triangle(values.astype(float))
    return None if D.diagonal().any() or matrix_defect(D, np.arange(len(D))) else D


def n_from_pairs(count: int) -> int:
    """Return the number n >= 3 of objects that have `count` pairs, or 0 if there is none."""
    n = int((1 + np.sqrt(1 + 8 * count)) / 2)
    return n if n >= 3 and n * (n - 1) // 2 == count else 0


def find_matrix(cells: Cells, kind: str | None, decimal: str | None = None) -> pd.DataFrame | Question | None:
    """Return the dissimilarities that a table holds, a question about them, or None.

    Parameters
    ----------
    cells : Cells
    kind : {"attributes", "dissimilarities"}, optional
        What the table holds, if it is given.
    decimal : {".", ","}, optional
        The decimal mark; detected by default.

    Returns
    -------
    DataFrame of shape (n, n), Question or None
        Rows and columns have the names of the objects, if there are any. A question is returned if a square
        table with a zero diagonal is not a matrix of dissimilarities, if it looks like similarities, or if
        its commas may separate thousands.

    Raises
    ------
    ValueError
        If `kind` is "dissimilarities" and the table holds anything else, or if a sample of objects was drawn
        from half a matrix.
    """
    if kind == "attributes":
        return None
    found = _square(cells, decimal, sure=kind is not None)
    if found is None:
        found = _triangle(cells, decimal, sure=kind is not None)
    if found is None and kind is not None:
        raise ValueError(
            f"{cells.name}: expected a square matrix of dissimilarities, or n (n - 1) / 2 in one row or "
            f"column; got a table of {cells.n_rows} x {cells.frame.shape[1]}"
        )
    return found


def _square(cells: Cells, decimal: str | None, sure: bool) -> pd.DataFrame | Question | None:
    n, q = cells.n_rows, cells.frame.shape[1]
    if n < 3 or q not in (n, n + 1):
        return None
    values, alternative = _numbers(cells.frame.iloc[:, q - n :], decimal)
    if values is None:
        return None
    if len(values) < n and _is_half(values, cells.positions):
        need = f"max_objects >= {n} for half a matrix, which needs all pairs"
        raise ValueError(f"{cells.name}: expected {need}; got {len(values)}")
    values = fill_triangle(values) if len(values) == n else values
    diagonal = values[np.arange(len(values)), cells.positions]
    if np.isnan(diagonal).all():  # an empty diagonal
        diagonal = values[np.arange(len(values)), cells.positions] = np.zeros(len(values))
    similar = (
        matrix_defect(values, cells.positions) == "" and diagonal[0] > 0 and (diagonal == diagonal[0]).all()
    )
    if similar and diagonal[0] == values.max() and not sure:
        return _matrix_question(f"a symmetric table with {diagonal[0]:g} on the diagonal, like similarities")
    if not (sure or (diagonal == 0).all()):
        return None
    if alternative:
        return _decimal_mark_question(alternative)
    if reason := matrix_defect(values, cells.positions, diagonal):
        if sure:
            raise ValueError(f"{cells.name}: expected a matrix of dissimilarities; got {reason}")
        return _matrix_question(reason)
    chosen = values[:, cells.positions]
    names = _names(cells, named=q > n)
    names = cells.row_numbers() if names is None else names
    return pd.DataFrame(chosen / 2 + chosen.T / 2, index=names, columns=names)


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


def matrix_defect(values: np.ndarray, positions: np.ndarray, diagonal: np.ndarray | None = None) -> str:
    """Return why rows (m, n) at `positions` are not rows of a symmetric matrix >= 0; "" if they are."""
    if not np.isfinite(values).all():
        i, j = np.argwhere(~np.isfinite(values))[0]
        return f"{values[i, j]:g} for the pair {positions[i]}, {j}"
    tolerance = ROUNDING * max(values.max(), 0.0)
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


def _triangle(cells: Cells, decimal: str | None, sure: bool) -> pd.DataFrame | Question | None:
    """Return the square form of a condensed matrix; ask about a column, which may be an attribute."""
    m, q = cells.n_rows, cells.frame.shape[1]
    n = n_from_pairs(max(m, q)) if min(m, q) == 1 else 0
    values, alternative = _numbers(cells.frame, decimal) if n else (None, "")
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


def _numbers(frame: pd.DataFrame, decimal: str | None) -> tuple[np.ndarray | None, str]:
    """Return a table as an array, or None if a cell is not a number, and another reading of its commas.

    All columns of text have the same decimal mark.
    """
    if decimal is None:
        try:
            return frame.to_numpy(dtype=float), ""
        except (TypeError, ValueError):  # decimal commas, empty cells, or words
            pass
    texts = np.array([not pd.api.types.is_numeric_dtype(cells) for _, cells in frame.items()])
    cells = pd.Series(frame.loc[:, texts].to_numpy(dtype=object).ravel(), dtype=object)
    if not all(isinstance(cell, str) for cell in cells):
        return None, ""
    values, alternative = np.empty(frame.shape), ""
    values[:, ~texts] = frame.loc[:, ~texts].to_numpy(dtype=float, na_value=np.nan)
    if texts.any():
        cells = cells.mask(cells == "")
        numbers, _, alternative = parse_numbers(cells, decimal)
        if (numbers.isna() & cells.notna()).any():
            return None, ""
        values[:, texts] = numbers.to_numpy().reshape(len(frame), -1)
    return values, alternative


def _names(cells: Cells, named: bool) -> Sequence[Hashable] | None:
    """Return the names of the objects: the first column, the names of the columns, or the index."""
    if named:
        names = cells.frame.iloc[:, 0]
        whole = _are_whole_numbers(names)
        return pd.Index(names.astype(int) if whole else names.astype(str)) if names.is_unique else None
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
