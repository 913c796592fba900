"""Dissimilarities that come as a table: a square matrix, with or without names, or its pairs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.spatial.distance import squareform

from credalbench.tables.cells import Cells
from credalbench.tables.columns import as_numbers
from credalbench.tables.roles import Question

#: Relative to the largest entry: what the program that computed a matrix may leave.
ROUNDING = 1e-8
KINDS = ("attributes", "dissimilarities")
#: Names that are numbers: these, written anew, are the same texts.
WHOLE_NUMBER = r"0|-?[1-9]\d{0,17}"


def dissimilarities_in(values: ArrayLike) -> np.ndarray | None:
    """Return the dissimilarities (n, n) that an array holds, or None if it holds anything else.

    Parameters
    ----------
    values : (n, n) or (n (n - 1) / 2,) array of numbers
        A symmetric matrix of numbers >= 0 with a zero diagonal, n >= 3, or its upper or lower triangle beside
        zeros or NaN; or the upper triangle row by row, as :func:`scipy.spatial.distance.pdist` gives it.
    """
    values = np.asarray(values)
    if values.dtype.kind not in "iuf":
        return None
    if values.ndim == 1 and n_of_pairs(len(values)):
        return squareform(values.astype(float)) if np.isfinite(values).all() and values.min() >= 0 else None
    square = values.ndim == 2 and len(values) == values.shape[1] >= 3
    if not square:
        return None
    D = mirrored(values.astype(float))
    return None if D.diagonal().any() or fault(D, np.arange(len(D))) else D


def n_of_pairs(count: int) -> int:
    """Return the n >= 3 of which so many are the pairs, n (n - 1) / 2; 0 if there is none."""
    n = int((1 + np.sqrt(1 + 8 * count)) / 2)
    return n if n >= 3 and n * (n - 1) // 2 == count else 0


def matrix_in(cells: Cells, kind: str | None, decimal: str | None = None) -> pd.DataFrame | Question | None:
    """Return the dissimilarities that a table holds, or what has to be asked about that, or None.

    Parameters
    ----------
    cells : Cells
    kind : {"attributes", "dissimilarities"}, optional
        What it was said to hold.
    decimal : {".", ","}, optional
        The decimal mark; found by default.

    Returns
    -------
    DataFrame of shape (n, n), Question or None
        Rows and columns have the names of the objects, as far as there are any. A question where a square
        table has a zero diagonal and is no matrix of dissimilarities, or looks like one of similarities; and
        where commas may separate thousands.

    Raises
    ------
    ValueError
        Another table that was said to hold dissimilarities; half a matrix of which some objects were drawn.
    """
    if kind == "attributes":
        return None
    found = _square(cells, decimal, sure=kind is not None)
    if found is None:
        found = _triangle(cells, decimal, sure=kind is not None)
    if found is None and kind is not None:
        raise ValueError(
            f"{cells.name}: expected a square matrix of dissimilarities, or n (n - 1) / 2 in a row or "
            f"column; got a table of {cells.n_rows} x {cells.frame.shape[1]}"
        )
    return found


def _square(cells: Cells, decimal: str | None, sure: bool) -> pd.DataFrame | Question | None:
    n, q = cells.n_rows, cells.frame.shape[1]
    if n < 3 or q not in (n, n + 1):
        return None
    values, doubt = _numbers(cells.frame.iloc[:, q - n :], decimal)
    if values is None:
        return None
    if len(values) < n and _is_half(values, cells.positions):
        got = f"{len(values)}, and half a matrix"
        raise ValueError(f"{cells.name}: expected max_objects >= {n}, for all pairs; got {got}")
    values = mirrored(values) if len(values) == n else values
    diagonal = values[np.arange(len(values)), cells.positions]
    if np.isnan(diagonal).all():  # left empty, as in tables of distances between towns
        diagonal = values[np.arange(len(values)), cells.positions] = np.zeros(len(values))
    similar = fault(values, cells.positions) == "" and diagonal[0] > 0 and (diagonal == diagonal[0]).all()
    if similar and diagonal[0] == values.max() and not sure:
        return _no_matrix(f"a symmetric table with {diagonal[0]:g} on the diagonal, as of similarities")
    if not (sure or (diagonal == 0).all()):
        return None
    if doubt:
        return _of_decimal_mark(doubt)
    if reason := fault(values, cells.positions, diagonal):
        if sure:
            raise ValueError(f"{cells.name}: expected a matrix of dissimilarities; got {reason}")
        return _no_matrix(reason)
    chosen = values[:, cells.positions]
    names = _names(cells, named=q > n)
    return pd.DataFrame((chosen + chosen.T) / 2, index=names, columns=names)


def _no_matrix(reason: str) -> Question:
    text = (
        f"expected a matrix of dissimilarities, 0 on the diagonal; got {reason}. Mend that, or take columns"
    )
    return Question("kind", f"{text} for attributes", ({"kind": "attributes"},), blocking=True)


def _of_decimal_mark(doubt: str) -> Question:
    text = f"commas in a matrix of dissimilarities may be decimal marks, or {doubt}"
    return Question("decimal mark", text, ({"decimal": ","}, {"decimal": "."}), blocking=True)


def mirrored(values: np.ndarray) -> np.ndarray:
    """A square array (n, n) of which one triangle and the diagonal are empty or zero, as a full matrix.

    Any other array comes back as it is.
    """
    if not _is_half(values, np.arange(len(values))):
        return values
    i, j = np.tril_indices(len(values), -1)
    D = np.zeros(values.shape)
    D[i, j] = D[j, i] = values[i, j] if np.nan_to_num(values[i, j]).any() else values[j, i]
    return D


def _is_half(values: np.ndarray, positions: np.ndarray) -> bool:
    """Whether rows (m, n) at `positions` have one triangle only; all else is empty or zero."""
    some, steps = np.nan_to_num(values) != 0, np.arange(values.shape[1]) - positions[:, None]
    return bool((some & (steps < 0)).any() != (some & (steps > 0)).any() and not some[steps == 0].any())


def fault(values: np.ndarray, positions: np.ndarray, diagonal: np.ndarray | None = None) -> str:
    """What keeps rows (m, n) at `positions` from being of a symmetric matrix >= 0; "" if nothing does."""
    if not np.isfinite(values).all():
        i, j = np.argwhere(~np.isfinite(values))[0]
        return f"{values[i, j]:g} for the pair {positions[i]}, {j}"
    tolerance = ROUNDING * max(values.max(), 0.0)
    if values.min() < -tolerance:
        return f"a negative number, {values.min():g}"
    if diagonal is not None and (diagonal > tolerance).any():
        return f"{diagonal.max():g} on the diagonal, where there should be 0"
    chosen = values[:, positions]
    i, j = np.unravel_index(np.argmax(np.abs(chosen - chosen.T)), chosen.shape)
    if abs(chosen[i, j] - chosen[j, i]) > tolerance:
        pair = f"{positions[i]}, {positions[j]}"
        both = f"{chosen[i, j]:g} and {chosen[j, i]:g}"
        return f"one that is not symmetric, with {both} for the pair {pair}"
    return ""


def _triangle(cells: Cells, decimal: str | None, sure: bool) -> pd.DataFrame | Question | None:
    """One row of pairs is nothing else; one column may be an attribute, and that is asked."""
    m, q = cells.n_rows, cells.frame.shape[1]
    n = n_of_pairs(max(m, q)) if min(m, q) == 1 else 0
    values, doubt = _numbers(cells.frame, decimal) if n else (None, "")
    if values is None or not np.isfinite(values).all() or values.min() < 0:
        return None
    if q == 1 and not sure:
        return Question(
            "kind",
            f"{m} numbers are what one attribute of {m} objects has, or the pairs of {n} objects",
            ({"kind": "attributes"}, {"kind": "dissimilarities"}),
            blocking=True,
        )
    if len(values) < m:
        raise ValueError(f"{cells.name}: expected max_objects >= {m}, for as many pairs; got {len(values)}")
    return _of_decimal_mark(doubt) if doubt else pd.DataFrame(squareform(values.ravel()))


def _numbers(frame: pd.DataFrame, decimal: str | None) -> tuple[np.ndarray | None, str]:
    """A table of numbers as an array, or None where some cell is a word; and what commas may be as well.

    All columns of text have one decimal mark.
    """
    if decimal is None:
        try:
            return frame.to_numpy(dtype=float), ""
        except (TypeError, ValueError):  # decimal commas, empty cells, or words
            pass
    if not all(_may_be_numbers(cells) for _, cells in frame.items()):
        return None, ""
    values, doubt = np.empty(frame.shape), ""
    texts = np.array([not pd.api.types.is_numeric_dtype(cells) for _, cells in frame.items()])
    values[:, ~texts] = frame.loc[:, ~texts].to_numpy(dtype=float, na_value=np.nan)
    if texts.any():
        cells = pd.Series(frame.loc[:, texts].to_numpy(dtype=object).ravel())
        cells = cells.mask(cells == "")
        numbers, _, doubt = as_numbers(cells, decimal)
        if (numbers.isna() & cells.notna()).any():
            return None, ""
        values[:, texts] = numbers.to_numpy().reshape(len(frame), -1)
    return values, doubt


def _may_be_numbers(cells: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(cells) or all(isinstance(cell, str) for cell in cells)


def _names(cells: Cells, named: bool) -> Sequence[Hashable] | None:
    """Names of the objects of a matrix: its first column, the names of its columns, or the index."""
    if named:
        names = cells.frame.iloc[:, 0]
        whole = _are_whole_numbers(names)
        return pd.Index(names.astype(int) if whole else names.astype(str)) if names.is_unique else None
    if cells.layout is None:
        index = cells.frame.index
        return None if isinstance(index, pd.RangeIndex) or not index.is_unique else index
    return [cells.frame.columns[position] for position in cells.positions] if cells.layout.header else None


def _are_whole_numbers(names: pd.Series) -> bool:
    """Whether names are whole numbers; texts as 007 or 1e3 are none, they would not stay what they are."""
    if pd.api.types.is_numeric_dtype(names):
        return bool(names.notna().all() and (names % 1 == 0).all())
    return bool(names.astype(str).str.fullmatch(WHOLE_NUMBER).all())


def said_of_names(cells: Cells) -> tuple[str, ...]:
    """What is to be told of a matrix whose first column should name the objects, and has a name twice."""
    names = cells.frame.iloc[:, 0]
    if cells.frame.shape[1] != cells.n_rows + 1 or names.is_unique:
        return ()
    called = str(names[names.duplicated()].iloc[0])
    twice = names.astype(str) == called
    return (f"names left out: several objects are called {called!r}, in {cells.places(twice)}",)
