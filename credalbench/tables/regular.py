"""Read a regular text file with pandas: every line has the same number of cells, quoted as a whole or not.

From a very large file, a sample of lines is drawn first, block by block.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import NamedTuple

import numpy as np
import pandas as pd

from credalbench.core.progress import track
from credalbench.tables.layout import Layout
from credalbench.tables.text import MISSING_WORDS, NO_DELIMITER, Limits, first_rows, is_missing, is_number

#: Smallest number of characters for which this is worthwhile.
MIN_LENGTH = 1 << 20
#: Bytes that pandas reads at a time.
PART = 1 << 18
#: Rows that decide which columns are tried as numbers.
TRIED = 10
NEWLINE, QUOTE = b"\n"[0], b'"'[0]
MISSING = [form for word in MISSING_WORDS for form in {word, word.upper(), word.capitalize()}]


class RegularTable(NamedTuple):
    """The columns of a regular text.

    Attributes
    ----------
    heads : list of str
        Names of the columns; empty strings without a header.
    frame : DataFrame
        Numbers, with NaN for missing values, or stripped text; columns by their positions.
    read_text : callable
        Return the text of the column at a position.
    """

    heads: list[str]
    frame: pd.DataFrame
    read_text: Callable[[int], pd.Series]


def read_regular(text: str, layout: Layout, name: str, limits: Limits) -> RegularTable | None:
    r"""Read a text with pandas; None if it is short or not regular, or may hold dissimilarities.

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
    The numbers equal those that `pandas.to_numeric` reads cell by cell. A column with anything but finite
    numbers and usual words for missing values is returned as text.
    """
    no_cells = layout.triangle or layout.delimiter in (" ", NO_DELIMITER)
    if len(text) < MIN_LENGTH or no_cells:
        return None
    rows, contents = first_rows(text, layout.delimiter, name, limits), text.encode().rstrip(b"\n")
    q, lines = len(rows[0]), find_lines(contents, layout.delimiter, len(rows[0]), limits)
    if lines is None or len(lines) - layout.header in (0, 1, q - 1, q):
        return None
    quoting = csv.QUOTE_MINIMAL if '"' in text else csv.QUOTE_NONE

    def read(chosen: Sequence[int], **options: object) -> pd.DataFrame:
        return pd.read_csv(
            _ReportedText(contents, f"reading {name}, part"),
            sep=layout.delimiter,
            header=None,
            names=range(q),
            usecols=chosen,
            skiprows=int(layout.header),
            quoting=quoting,
            skipinitialspace=True,
            low_memory=False,
            keep_default_na=False,
            **options,
        )

    def read_text(j: int) -> pd.Series:
        return read([j], dtype=object, na_filter=False)[j].str.strip()

    numeric = [j for j, cells in enumerate(zip(*rows[layout.header :][:TRIED])) if _are_numbers(cells)]
    heads = rows[0] if layout.header else [""] * q
    numbers = read(numeric, na_values=MISSING) if numeric else pd.DataFrame()
    if len(numeric) == q and layout.delimiter != "\t" and _are_finite_numbers(numbers):
        return RegularTable(heads, numbers, read_text)  # wide tables would take long column by column
    columns = {j: column for j, column in numbers.items() if _are_finite_numbers(column.to_frame())}
    words = [j for j in range(q) if j not in columns]
    texts = read(words, dtype=object, na_filter=False) if words else pd.DataFrame()
    columns |= {j: column.str.strip() for j, column in texts.items()}
    frame = numbers if not words else pd.DataFrame({j: columns[j] for j in range(q)})
    if layout.delimiter == "\t" and _has_blank_row(columns):
        return None
    return RegularTable(heads, frame, read_text)


class _ReportedText(BytesIO):
    """A text that reports how much of it has been read (see `track`)."""

    def __init__(self, contents: bytes, label: str) -> None:
        super().__init__(contents)
        self._parts = iter(track(range(len(contents) // PART + 1), label))

    def read(self, size: int | None = -1) -> bytes:
        next(self._parts, None)
        return super().read(size)


class LineSample(NamedTuple):
    """A sample of the lines of a regular text.

    Attributes
    ----------
    text : str
        The header, if there is one, and the lines of the sample.
    positions : ndarray of int
        Positions of the objects in the source, from 0.
    numbers : ndarray of int
        Numbers of their lines, from 1.
    n_rows : int
        Number of objects of the source.
    """

    text: str
    positions: np.ndarray
    numbers: np.ndarray
    n_rows: int


def sample_lines(
    blocks: Iterable[str], layout: Layout, q: int, limits: Limits, max_objects: int, random_state: int
) -> LineSample | None:
    """Draw the lines that `sample_rows` would draw from blocks of lines; None if some are not regular."""
    if layout.delimiter in (" ", NO_DELIMITER):
        return None
    rng, head, kept, keys, n_rows, before = np.random.default_rng(random_state), [], [], np.empty(0), 0, 0
    for block in blocks:
        contents = block.encode().rstrip(b"\n")
        if contents:
            lines = find_lines(contents, layout.delimiter, q, limits)
            if lines is None or (layout.delimiter == "\t" and (lines[:, 1] - lines[:, 0] == q - 1).any()):
                return None
            first = bool(layout.header and not head)
            head = [contents[: lines[0, 1]].decode()] if first else head
            n_new, n_kept = len(lines) - first, len(kept)
            keys = np.append(keys, rng.random(n_new))
            stay = np.arange(len(keys))
            if len(keys) > max_objects:
                stay = np.sort(np.argpartition(keys, max_objects)[:max_objects])
            new = stay[stay >= n_kept] - n_kept
            kept = [kept[i] for i in stay[stay < n_kept]] + [
                (contents[slice(*lines[i + first])].decode(), n_rows + i, before + first + i + 1) for i in new
            ]
            keys, n_rows = keys[stay], n_rows + n_new
        before += block.count("\n")
    texts, positions, numbers = zip(*kept) if kept else ((), (), ())
    text = "\n".join([*head, *texts, ""])
    return LineSample(text, np.array(positions, np.intp), np.array(numbers, np.intp), n_rows)


def find_lines(contents: bytes, delimiter: str, q: int, limits: Limits) -> np.ndarray | None:
    """Return begin and end (n, 2) of each line if all have q cells within the limits, else None.

    A cell is quoted as a whole or not at all, and none spans several lines.
    """
    data = np.frombuffer(contents, dtype=np.uint8)
    quotes = data == QUOTE
    if quotes.any():
        inside = np.logical_xor.accumulate(quotes)
        if (
            not _are_whole_cells_quoted(data, np.flatnonzero(quotes), delimiter)
            or (inside & (data == NEWLINE)).any()
        ):
            return None
        data = np.where(inside, QUOTE, data)
    ends = np.append(np.flatnonzero(data == NEWLINE), len(data))
    starts = np.append(0, ends[:-1] + 1)
    marks = np.flatnonzero(data == ord(delimiter))
    if q < 2 or len(marks) != len(ends) * (q - 1):
        return None
    marks = marks.reshape(-1, q - 1)
    if (marks[:, 0] < starts).any() or (marks[:, -1] >= ends).any():
        return None
    lines = np.column_stack([starts, ends])
    if (ends - starts).max() > limits.cell_length:
        edges = np.column_stack([starts - 1, marks, ends])
        lines = lines if np.diff(edges, axis=1).max() - 1 <= limits.cell_length else None
    return lines


def _are_whole_cells_quoted(data: np.ndarray, quotes: np.ndarray, delimiter: str) -> bool:
    """Return whether quotation marks open cells and close them, or are doubled inside."""
    if len(quotes) % 2:
        return False
    edges = [NEWLINE, QUOTE, ord(delimiter)]
    before = data[quotes[0::2][quotes[0::2] > 0] - 1]
    after = data[quotes[1::2][quotes[1::2] < len(data) - 1] + 1]
    return bool(np.isin(before, edges).all() and np.isin(after, edges).all())


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(is_missing(cell) or (is_number(cell) and "," not in cell) for cell in cells)


def _are_finite_numbers(frame: pd.DataFrame) -> bool:
    """Return whether all columns hold finite or missing numbers, and each column some numbers."""
    if not all(dtype.kind in "iuf" for dtype in frame.dtypes):
        return False
    values = frame.to_numpy(dtype=float)
    return not (np.isinf(values).any() or np.isnan(values).all(axis=0).any())


def _has_blank_row(columns: dict[int, pd.Series]) -> bool:
    """Return whether all cells of a row are empty: the line is then blank."""
    blank = np.logical_and.reduce(
        [(column.isna() | (column == "")).to_numpy() for column in columns.values()]
    )
    return bool(blank.any())
