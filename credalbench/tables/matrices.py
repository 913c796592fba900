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


def matrix_in(cells: Cells, kind: str | None) -> pd.DataFrame | Question | None:
    """Return the dissimilarities that a table holds, or what has to be asked about that, or None.

    Parameters
    ----------
    cells : Cells
    kind : {"attributes", "dissimilarities"}, optional
        What it was said to hold.

    Returns
    -------
    DataFrame of shape (n, n), Question or None
        Rows and columns have the names of the objects, as far as there are any. A question where a square
        table has a zero diagonal and is no matrix of dissimilarities, or looks like one of similarities.

    Raises
    ------
    ValueError
        Another table that was said to hold dissimilarities.
    """
    if kind == "attributes":
        return None
    found = _square(cells, sure=kind is not None)
    if found is None:
        found = _triangle(cells, sure=kind is not None)
    if found is None and kind is not None:
        raise ValueError(
            f"{cells.name}: expected a square matrix of dissimilarities, or n (n - 1) / 2 in a row or "
            f"column; got a table of {cells.n_rows} x {cells.frame.shape[1]}"
        )
    return found


def _square(cells: Cells, sure: bool) -> pd.DataFrame | Question | None:
    n, q = cells.n_rows, cells.frame.shape[1]
    if n < 3 or q not in (n, n + 1):
        return None
    values = _numbers(cells.frame.iloc[:, q - n :])
    if values is None:
        return None
    values = mirrored(values) if len(values) == n else values
    diagonal = values[np.arange(len(values)), cells.positions]
    if np.isnan(diagonal).all():  # left empty, as in tables of distances between towns
        diagonal = values[np.arange(len(values)), cells.positions] = np.zeros(len(values))
    similar = fault(values, cells.positions) == "" and diagonal[0] > 0 and (diagonal == diagonal[0]).all()
    if similar and diagonal[0] == values.max() and not sure:
        return _no_matrix(f"a symmetric table with {diagonal[0]:g} on the diagonal, as of similarities")
    if not (sure or (diagonal == 0).all()):
        return None
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


def mirrored(values: np.ndarray) -> np.ndarray:
    """A square array (n, n) of which one triangle and the diagonal are empty or zero, as a full matrix.

    Any other array comes back as it is.
    """
    i, j = np.tril_indices(len(values), -1)
    halves = [half for half in (values[i, j], values[j, i]) if np.nan_to_num(half).any()]
    if len(halves) != 1 or np.nan_to_num(values.diagonal()).any():
        return values
    D = np.zeros(values.shape)
    D[i, j] = D[j, i] = halves[0]
    return D


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


def _triangle(cells: Cells, sure: bool) -> pd.DataFrame | Question | None:
    """One row of pairs is nothing else; one column may be an attribute, and that is asked."""
    m, q = cells.n_rows, cells.frame.shape[1]
    n = n_of_pairs(max(m, q)) if min(m, q) == 1 else 0
    values = _numbers(cells.frame) if n else None
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
    return pd.DataFrame(squareform(values.ravel()))


def _numbers(frame: pd.DataFrame) -> np.ndarray | None:
    """A table of numbers as an array, or None where some cell is a word."""
    try:
        return frame.to_numpy(dtype=float)
    except (TypeError, ValueError):  # decimal commas, empty cells, or words
        columns = []
    for _, cells in frame.items():
        numbers = as_numbers(cells)[0] if _may_be_numbers(cells) else None
        if numbers is None or (numbers.isna() & cells.notna() & (cells != "")).any():
            return None
        columns.append(numbers.to_numpy())
    return np.column_stack(columns)


def _may_be_numbers(cells: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(cells) or all(isinstance(cell, str) for cell in cells)


def _names(cells: Cells, named: bool) -> Sequence[Hashable] | None:
    """Names of the objects of a matrix: its first column, the names of its columns, or the index."""
    if named:
        names = cells.frame.iloc[:, 0]
        numbers = pd.to_numeric(names, errors="coerce")
        whole = numbers.notna().all() and (numbers % 1 == 0).all()
        return pd.Index(numbers.astype(int) if whole else names.astype(str)) if names.is_unique else None
    if cells.layout is None:
        index = cells.frame.index
        return None if isinstance(index, pd.RangeIndex) or not index.is_unique else index
    return [cells.frame.columns[position] for position in cells.positions] if cells.layout.header else None
