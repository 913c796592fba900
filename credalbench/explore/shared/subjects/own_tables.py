"""Reading the user's own table, attributes or dissimilarities, and saying clearly what is wrong with it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.explore.shared.subjects.limits import (
    MAX_OBJECTS,
    expect_few_bytes,
    expect_short_names,
    expect_small_table,
)
from credalbench.explore.shared.subjects.tables import Table, table_from_arrays

#: A column of one of these names holds the true classes, even if they are whole numbers.
CLASS_COLUMNS = ("class", "label", "labels", "target", "species", "cluster", "true_class")
#: Names in a list that people read; of others it gives the number.
MAX_NAMED = 3
LETTER = re.compile(r"\S")
DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")


def table_from_csv(source: str | Path | bytes, name: str | None = None) -> Table:
    """Read a delimited text file into a `Table`.

    Parameters
    ----------
    source : str, os.PathLike or bytes
        A path, or the contents of a file.
    name : str, optional
        Name of the data; the file's own by default.

    Returns
    -------
    Table
        Its note says what was read and how.

    Raises
    ------
    ValueError
        If the file is larger than ``limits.py`` allows, cannot be read as a table, has no numeric column, or
        holds missing or infinite values; the message names the column.

    Notes
    -----
    Comma, semicolon, tab or blanks separate the columns; a header line is recognised by its text. A square
    table with a zero diagonal is a matrix of dissimilarities (a leading column of object names is allowed).
    In every other table the numeric columns are attributes; a column named like one of `CLASS_COLUMNS`, else
    the last column of repeated words, holds the true classes. The note names the columns that are neither.
    """
    table, name, text = read_frame(source, name)
    square = _square_part(table)
    if square is not None:
        note = f"{name}: {len(square)} objects, a matrix of dissimilarities."
        return table_from_arrays(name, D=square, note=note, text=text)
    X, y, class_names, class_column = _attributes(table, name)
    known = (
        f"{len(class_names)} classes from column {class_column!r}"
        if class_column is not None
        else "no classes"
    )
    attributes = f"{X.shape[1]} attribute" + ("s" if X.shape[1] > 1 else "")
    return table_from_arrays(
        name,
        X=X.to_numpy(float),
        y=y,
        class_names=class_names,
        feature_names=tuple(map(str, X.columns)),
        note=f"{name}: {len(X)} objects, {attributes}, {known}{_left_out(table, X, class_column)}.",
        text=text,
    )


def read_frame(
    source: str | Path | bytes, name: str | None = None, **options: object
) -> tuple[pd.DataFrame, str, str]:
    """Read a delimited text file, given by its path or its contents.

    Returns
    -------
    frame : DataFrame
        As `pandas.read_csv` reads it with `options`.
    name, text : str
        What the data are called, and the text.

    Raises
    ------
    ValueError
        If the file is larger than ``limits.py`` allows, or cannot be read as a table.
    """
    contents, name = _contents(source, name)
    text = _decoded(contents, name)
    return _parse(text, name, **options), name, text


def _contents(source: str | Path | bytes, name: str | None) -> tuple[bytes, str]:
    if isinstance(source, bytes | bytearray | memoryview):
        name = name or "own data"
        expect_few_bytes(source, name)
        return bytes(source), name
    path = Path(source)
    name = name or path.name
    if not path.is_file():
        raise ValueError(f"expected a readable file; got {str(path)!r}, which does not exist")
    expect_few_bytes(path, name)
    return path.read_bytes(), name


def _decoded(contents: bytes, name: str) -> str:
    try:
        return contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: expected text in UTF-8; got byte {error.start} that is not") from None


def _parse(text: str, name: str, **options: object) -> pd.DataFrame:
    lines = _lines(text)
    if len(lines) < 3:
        raise ValueError(f"{name}: expected a table of at least 3 lines; got {len(lines)}")
    separator = _separator(lines)
    expect_small_table(lines, " " if separator == r"\s+" else separator, name)
    header = None if all(_is_number(cell) for cell in _cells(lines[0], separator)) else 0
    try:
        table = pd.read_csv(
            io.StringIO("\n".join(lines)), sep=separator, header=header, skipinitialspace=True, **options
        )
    except (pd.errors.ParserError, ValueError) as error:
        raise ValueError(f"{name}: expected the same number of columns in every line; {error}") from None
    if header is None:
        table.columns = [f"column {j + 1}" for j in range(table.shape[1])]
    expect_short_names(table.columns, "column", name)
    return table


def _lines(text: str) -> list[str]:
    """The lines that are not blank; of a table with too many, just enough to see that."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines, end = [], 0
    while len(lines) <= MAX_OBJECTS + 1 and (letter := LETTER.search(text, end)):
        begin = text.rfind("\n", end, letter.start()) + 1
        end = text.find("\n", letter.start())
        end = len(text) if end < 0 else end
        lines.append(text[begin:end])
    return lines


def _separator(lines: list[str]) -> str:
    """Between cells; a semicolon or a tab between numbers with decimal commas, too."""
    for separator in (";", "\t"):
        cells = [cell for line in lines[:3] if separator in line for cell in line.split(separator)]
        if any(map(DECIMAL_COMMA.fullmatch, cells)):
            return separator
    return next((s for s in (",", ";", "\t") if s in lines[0]), r"\s+")


def _cells(line: str, separator: str) -> list[str]:
    return line.split() if separator == r"\s+" else line.split(separator)


def _is_number(cell: str) -> bool:
    if DECIMAL_COMMA.fullmatch(cell):
        return True
    try:
        float(cell.strip().strip('"'))
    except ValueError:
        return False
    return True


def _square_part(table: pd.DataFrame) -> np.ndarray | None:
    """Return the dissimilarities (n, n) if the table looks like such a matrix, else None."""
    numeric = table.select_dtypes("number")
    named = table.shape[1] == len(table) + 1 and numeric.shape[1] >= len(table)
    square = table.iloc[:, 1:] if named else table
    if square.shape[0] != square.shape[1] or square.select_dtypes("number").shape != square.shape:
        return None
    values = square.to_numpy(float)
    return values if np.all(np.diag(values) == 0) else None


def _attributes(
    table: pd.DataFrame, name: str
) -> tuple[pd.DataFrame, np.ndarray | None, tuple[str, ...], str | None]:
    """Split a table into attributes, class numbers, class names and the name of the class column."""
    class_column = _class_column(table)
    rest = table.drop(columns=[] if class_column is None else [class_column])
    for column in rest.columns:
        _check_numbers(rest[column], column, name)
    X = rest.select_dtypes("number")
    if X.shape[1] == 0:
        got = first_few(table.columns) + _decimal_commas(table)
        raise ValueError(f"{name}: expected at least one numeric column; got {got}")
    if class_column is None:
        return X, None, (), None
    if table[class_column].isna().any():
        raise ValueError(
            f"{name}: column {class_column!r} (classes) has {table[class_column].isna().sum()} gaps"
        )
    codes, names = pd.factorize(table[class_column], sort=True)
    expect_short_names(names, "class", name)
    return X, codes.astype(np.intp), tuple(str(value) for value in names), class_column


def _decimal_commas(table: pd.DataFrame) -> str:
    """What a message says where numbers have a comma instead of a point."""
    cells = [str(cell) for cell in table.iloc[0] if DECIMAL_COMMA.fullmatch(str(cell))]
    return f" with decimal commas, as {cells[0]}, where decimal points are read" if cells else ""


def _left_out(table: pd.DataFrame, X: pd.DataFrame, class_column: str | None) -> str:
    """What the note says of the columns that are neither attributes nor classes."""
    rest = [c for c in table.columns if c not in X.columns and c != class_column]
    return f"; no numbers, left out: {first_few(rest)}" if rest else ""


def first_few(names: Sequence[object]) -> str:
    """Return the first names of a list, and the number of the others."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(repr(str(name)) for name in names[:MAX_NAMED]) + more


def _class_column(table: pd.DataFrame) -> str | None:
    for column in table.columns:
        if str(column).strip().lower() in CLASS_COLUMNS and not _has_fractions(table[column]):
            return column
    words = table.select_dtypes(exclude="number")
    repeated = [c for c in words if words[c].nunique() <= len(table) / 2 and not _mostly_numbers(words[c])]
    return repeated[-1] if repeated else None


def _has_fractions(column: pd.Series) -> bool:
    return pd.api.types.is_float_dtype(column) and bool((column.dropna() % 1 != 0).any())


def _mostly_numbers(column: pd.Series) -> bool:
    return pd.to_numeric(column, errors="coerce").notna().mean() > 0.5


def _check_numbers(column: pd.Series, label: str, name: str) -> None:
    """Raise ValueError if a column of numbers has gaps or words in it; other columns pass."""
    if not pd.api.types.is_numeric_dtype(column) and not _mostly_numbers(column):
        return
    numbers = pd.to_numeric(column, errors="coerce")
    wrong = column[numbers.isna() & column.notna()]
    if len(wrong):
        raise ValueError(
            f"{name}: column {label!r} should hold numbers; got {wrong.iloc[0]!r} in row {wrong.index[0] + 1}"
        )
    if not np.isfinite(numbers).all():
        gaps = int((~np.isfinite(numbers)).sum())
        raise ValueError(f"{name}: column {label!r} has {gaps} missing or infinite value" + "s" * (gaps > 1))
