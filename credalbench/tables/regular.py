"""Read a large text file by pandas where it is regular: no quotation mark, as many cells in every line."""

import csv
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import NamedTuple

import numpy as np
import pandas as pd

from credalbench.tables.layout import Layout
from credalbench.tables.text import MISSING_WORDS, NO_DELIMITER, Limits, first_rows, is_missing, is_number

#: Fewest characters of a text that is worth it.
MIN_LENGTH = 1 << 20
NEWLINE = ord("\n")
MISSING = [form for word in MISSING_WORDS for form in {word, word.upper(), word.capitalize()}]


class RegularTable(NamedTuple):
    """The columns of a regular text.

    Attributes
    ----------
    heads : list of str
        Names of the columns; empty strings without a header.
    columns : list of Series
        Numbers, with NaN for missing values, or stripped text.
    read_text : callable
        Return the text of the column at a position.
    """

    heads: list[str]
    columns: list[pd.Series]
    read_text: Callable[[int], pd.Series]


def read_regular(text: str, layout: Layout, name: str, limits: Limits) -> RegularTable | None:
    r"""Read a text by pandas; None if it is short or not regular, or may hold dissimilarities.

    Parameters
    ----------
    text : str
        Text with lines ending in ``\n``.
    layout : Layout
        Its layout.
    name : str
        Name of the file, for error messages.
    limits : Limits
        Limits on the size of a row.

    Notes
    -----
    The numbers are those that `pandas.to_numeric` reads cell by cell. A column with anything but finite
    numbers and usual words for missing values is returned as text.
    """
    no_cells = layout.triangle or layout.delimiter in (" ", NO_DELIMITER)
    if len(text) < MIN_LENGTH or no_cells or '"' in text:
        return None
    rows, contents = first_rows(text, layout.delimiter, name, limits), text.encode().rstrip(b"\n")
    q, n_lines = len(rows[0]), _count_lines(contents, layout.delimiter, len(rows[0]), limits)
    if not n_lines or n_lines - layout.header in (0, 1, q - 1, q):
        return None

    def read(chosen: Sequence[int], **options: object) -> pd.DataFrame:
        return pd.read_csv(
            BytesIO(contents),
            sep=layout.delimiter,
            header=None,
            names=range(q),
            usecols=chosen,
            skiprows=int(layout.header),
            quoting=csv.QUOTE_NONE,
            skipinitialspace=True,
            low_memory=False,
            keep_default_na=False,
            **options,
        )

    def read_text(j: int) -> pd.Series:
        return read([j], dtype=object, na_filter=False)[j].str.strip()

    numeric = [j for j, cells in enumerate(zip(*rows[layout.header :])) if _are_numbers(cells)]
    columns = dict(read(numeric, na_values=MISSING)) if numeric else {}
    columns = {j: column for j, column in columns.items() if _has_finite_numbers(column)}
    words = [j for j in range(q) if j not in columns]
    if words:
        texts = read(words, dtype=object, na_filter=False)
        columns |= {j: texts[j].str.strip() for j in words}
    if layout.delimiter == "\t" and _has_blank_row(columns):
        return None
    heads = rows[0] if layout.header else [""] * q
    return RegularTable(heads, [columns[j] for j in range(q)], read_text)


def _count_lines(contents: bytes, delimiter: str, q: int, limits: Limits) -> int:
    """Return the number of lines if all have q cells within the limits, else 0."""
    data = np.frombuffer(contents, dtype=np.uint8)
    ends = np.append(np.flatnonzero(data == NEWLINE), len(data))
    starts = np.append(0, ends[:-1] + 1)
    marks = np.flatnonzero(data == ord(delimiter))
    if q < 2 or len(marks) != len(ends) * (q - 1) or (ends - starts).max() > limits.cell_length:
        return 0
    marks = marks.reshape(-1, q - 1)
    return len(ends) if (marks[:, 0] >= starts).all() and (marks[:, -1] < ends).all() else 0


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(is_missing(cell) or (is_number(cell) and "," not in cell) for cell in cells)


def _has_finite_numbers(column: pd.Series) -> bool:
    return column.dtype.kind in "iuf" and column.notna().any() and not np.isinf(column.to_numpy()).any()


def _has_blank_row(columns: dict[int, pd.Series]) -> bool:
    """Return whether all cells of a row are empty: the line is then blank."""
    blank = np.logical_and.reduce(
        [(column.isna() | (column == "")).to_numpy() for column in columns.values()]
    )
    return bool(blank.any())
