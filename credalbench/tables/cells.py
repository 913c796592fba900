"""The cells of a table as read from a file or a data frame, and the place of each object in it."""

import codecs
import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api.types import is_numeric_dtype

from credalbench.core.arguments import as_array, expect
from credalbench.core.resources import available_memory, expect_memory
from credalbench.tables.formats import parquet_size, read_parquet_rows
from credalbench.tables.layout import DELIMITERS, Layout, detect_layout, strip_separator_line
from credalbench.tables.regular import read_regular, sample_lines
from credalbench.tables.text import (
    FIRST_BYTES,
    Limits,
    Row,
    decode,
    decoded_blocks,
    expect_text,
    first_rows,
    open_table,
    split_rows,
    table_size,
    wrong_encoding,
)
from credalbench.tables.triangles import complete_triangle

#: Rows that are processed at a time when a sample is drawn.
BLOCK = 4096
#: Size in bytes above which a sample of a file is drawn without reading the whole file into memory.
LARGE = 1 << 25
#: Bytes from which the size of a table is estimated.
FIRST_MEGABYTE = 1 << 20
#: Measured peak memory of reading a regular file: a multiple of its size, and bytes for each cell.
TEXTS, BYTES_PER_CELL = 3, 40
#: Items that a message lists; it counts the others.
MAX_LISTED = 3
DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, eq=False)
class Cells:
    """A table before its columns are interpreted.

    Attributes
    ----------
    name : str
        Name of the data.
    frame : DataFrame of shape (n, q)
        Text of a file, or numbers if the file was read fast, or the values of a data frame. The names of
        columns are unique strings.
    lines : ndarray of int, shape (n,), or None
        Line of the file where each object begins, from 1.
    positions : ndarray of int, shape (n,)
        Position of each object in the source, from 0.
    n_rows : int
        Number of objects of the source; more than n if a sample was drawn.
    layout : Layout or None
        Layout of a file.
    text : str or None
        Text of a file.
    seed : int
        Seed of the sample.
    read_text : callable or None
        Function that returns the text of the column at a position, if the file was read fast.
    """

    name: str
    frame: pd.DataFrame
    lines: np.ndarray | None
    positions: np.ndarray
    n_rows: int
    layout: Layout | None = None
    text: str | None = None
    seed: int = 0
    read_text: Callable[[int], pd.Series] | None = None

    def texts(self, label: str) -> pd.Series:
        """Return a column as written in the source; for a file as text, even if it holds numbers."""
        if self.read_text is None or not is_numeric_dtype(self.frame[label]):
            return self.frame[label]
        return self.read_text(self.frame.columns.get_loc(label)).set_axis(self.frame.index)

    @property
    def notes(self) -> tuple[str, ...]:
        """Note on the sample, if one was drawn."""
        n = len(self.frame)
        return (f"{n} of {self.n_rows} objects, drawn with seed {self.seed}",) if n < self.n_rows else ()

    def row_numbers(self, kept: np.ndarray | None = None) -> pd.Index:
        """Return the numbers of the objects in the source, from 0: of all, or of the `kept` ones (n,)."""
        positions = self.positions if kept is None else self.positions[kept]
        return pd.RangeIndex(self.n_rows) if len(positions) == self.n_rows else pd.Index(positions)

    def expect_objects(self) -> None:
        """Raise an error if the table has fewer than 3 lines.

        Raises
        ------
        ValueError
        """
        n_rows = self.n_rows + bool(self.layout and self.layout.header)
        if n_rows < 3:
            rows = "lines" if self.layout else "rows"
            raise ValueError(f"{self.name}: expected a table of at least 3 {rows}; got {n_rows}")

    def place(self, i: int) -> str:
        """Return the place of object `i`: "line 7" of a file, "row 'a'" of a data frame."""
        return f"row {self.frame.index[i]!r}" if self.lines is None else f"line {self.lines[i]}"

    def places(self, chosen: ArrayLike) -> str:
        """Return the places of the objects of a mask (n,); the first ones are listed, the others counted."""
        where = np.flatnonzero(chosen)
        names = [self.place(i) for i in where[:MAX_LISTED]]
        what = names[0].split()[0]
        listed = ", ".join([names[0], *(name.removeprefix(f"{what} ") for name in names[1:])])
        listed = listed.replace(what, f"{what}s", 1) if len(where) > 1 else listed
        return listed + (f" and {len(where) - MAX_LISTED} more" if len(where) > MAX_LISTED else "")


def cells_from_frame(
    frame: pd.DataFrame | ArrayLike,
    name: str | None = None,
    *,
    max_objects: int | None = None,
    random_state: int = 0,
) -> Cells:
    """Return the cells of a data frame or an array, or of a sample of its rows (see `sample_rows`)."""
    if not isinstance(frame, pd.DataFrame):
        array = as_array("data", frame)
        expect(array.ndim in (1, 2), "a table with rows and columns", array.shape)
        array = array[:, None] if array.ndim == 1 else array
        frame = pd.DataFrame(array, columns=[f"column {j + 1}" for j in range(array.shape[1])])
    positions, n_rows = sample_rows(range(len(frame)), max_objects, random_state)
    frame = frame if len(positions) == n_rows else frame.iloc[positions]
    return _cells_of_frame(frame, name or "table", positions, n_rows, random_state)


def cells_from_parquet(path: Path, name: str | None, max_objects: int, random_state: int) -> Cells:
    """Return the cells of a sample of the rows of a parquet file (see `sample_rows`).

    Only the sample and `BATCH` more rows are in memory.
    """
    positions, n_rows = sample_rows(range(parquet_size(path)[0]), max_objects, random_state)
    frame = read_parquet_rows(path, positions)
    return _cells_of_frame(frame, name or path.name, positions, n_rows, random_state)


def _cells_of_frame(
    frame: pd.DataFrame, name: str, positions: Sequence[int], n_rows: int, seed: int
) -> Cells:
    labels = _unique_labels([str(label) for label in frame.columns])
    positions = np.array(positions, dtype=np.intp)
    return Cells(name, frame.set_axis(labels, axis="columns"), None, positions, n_rows, seed=seed)


def cells_from_file(
    source: str | Path | bytes,
    name: str | None = None,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    limits: Limits = DEFAULT_LIMITS,
    max_objects: int | None = None,
    random_state: int = 0,
    fast: bool = False,
) -> Cells:
    """Read the cells of a delimited text file, given by its path or its contents.

    Parameters
    ----------
    source : str, os.PathLike or bytes
    name : str, optional
        Name of the data; the name of the file by default.
    encoding, delimiter, header
        As in `read_user_table`.
    limits : Limits
        Limits on the size of a row.
    max_objects, random_state
        As in `sample_rows`.
    fast : bool, default=False
        Whether columns of numbers may be returned as numbers (see `read_regular`).

    Returns
    -------
    Cells

    Raises
    ------
    ValueError
        If the file does not exist, is not text, exceeds `limits`, or has rows of different lengths.

    NotEnoughMemory
        If a file does not fit into memory and no sample is drawn.

    Notes
    -----
    The text is in memory. If a sample is drawn from more than `LARGE` bytes, only some blocks of the text and
    the sample are. O(size) time; ten times more if the file is not regular (see `find_lines`).
    """
    in_memory = isinstance(source, bytes | bytearray | memoryview)
    name = name or ("table" if in_memory else Path(source).name)
    size = table_size(source, available_memory() / TEXTS if max_objects is None else math.inf)
    with open_table(source) as stream:
        n_rows, need = _estimate(stream.read(FIRST_MEGABYTE), size)
        layout = {"encoding": encoding, "delimiter": delimiter, "header": header, "limits": limits}
        if size > LARGE and max_objects is not None and max_objects < n_rows / 2:
            sampled = _sampled(
                source, size, name, **layout, max_objects=max_objects, random_state=random_state
            )
            if sampled is not None:
                return sampled
        expect_memory(need, f"{name} with about {n_rows:.0f} rows", "max_objects to draw a sample")
        stream.seek(0)
        contents = stream.read()
    text, encoding = decode(contents, name, encoding)
    del contents
    text, declared = strip_separator_line(text)
    layout = detect_layout(text, encoding, delimiter or declared, header, name, limits)
    if fast and (table := read_regular(text, layout, name, limits)) is not None:
        frame = table.frame.set_axis(_labels(table.heads, name, limits), axis="columns")
        kept, n_rows = sample_rows(range(len(frame)), max_objects, random_state)
        positions = np.array(kept, dtype=np.intp)
        frame = frame if len(kept) == n_rows else frame.iloc[positions].reset_index(drop=True)
        lines = positions + 1 + layout.header

        def read_text(j: int) -> pd.Series:
            return table.read_text(j).iloc[positions]

        return Cells(name, frame, lines, positions, n_rows, layout, text, random_state, read_text)
    rows = split_rows(text, layout.delimiter, name, limits)
    heads, rows = complete_triangle(rows, name) if layout.triangle else _headed(rows, layout.header, name)
    kept, n_rows = sample_rows(rows, max_objects, random_state)
    return _cells_of_rows(heads, kept, n_rows, name, layout, text, limits, random_state)


def _cells_of_rows(
    heads: Sequence[str],
    kept: Sequence[Row],
    n_rows: int,
    name: str,
    layout: Layout,
    text: str,
    limits: Limits,
    seed: int,
) -> Cells:
    """Return the cells of the rows that were kept."""
    columns = list(zip(*(row.cells for row in kept))) or [()] * len(heads)
    labels = _labels(heads, name, limits)
    frame = pd.DataFrame({label: pd.Series(cells, dtype=object) for label, cells in zip(labels, columns)})
    lines = np.array([row.line for row in kept], dtype=np.intp)
    positions = np.array([row.number for row in kept], dtype=np.intp) - layout.header
    return Cells(name, frame, lines, positions, n_rows, layout, text, seed)


def _estimate(begin: bytes, size: int) -> tuple[float, float]:
    """Estimate the number of rows of a file, and the bytes that it needs, from its first megabyte."""
    rows = max(begin.count(b"\n"), 1)
    cells = rows + max(begin.count(delimiter.encode()) for delimiter in DELIMITERS)
    parts = size / max(len(begin), 1)
    return parts * rows, TEXTS * size + BYTES_PER_CELL * parts * cells


def _sampled(
    source: str | Path | bytes,
    size: int,
    name: str,
    *,
    encoding: str | None,
    delimiter: str | None,
    header: bool | None,
    limits: Limits,
    max_objects: int,
    random_state: int,
) -> Cells | None:
    """Read a sample of the rows of a large file block by block; None if it may be a triangle of a matrix.

    The rows are those that would be drawn from the whole text. The text is that of the sample.
    """

    def blocks(guess: str) -> Iterator[str]:
        return decoded_blocks(open_table(source), size, guess, name, encoding)

    with open_table(source) as stream:
        guesses = expect_text(stream.read(FIRST_BYTES), name, encoding)
    for guess in guesses:
        try:
            codecs.lookup(guess)
        except LookupError as error:
            raise wrong_encoding(name, encoding, error) from error
        try:
            first, declared = strip_separator_line(next(blocks(guess), ""))
            layout = detect_layout(first, guess, delimiter or declared, header, name, limits)
            rows = first_rows(first, layout.delimiter, name, limits)
            if layout.triangle or not rows:
                return None
            draw = {"max_objects": max_objects, "random_state": random_state}
            sample = sample_lines(_from_row(blocks(guess)), layout, len(rows[0]), limits, **draw)
            if sample is None:
                split = split_rows(_from_row(blocks(guess)), layout.delimiter, name, limits)
                heads, split = _headed(split, layout.header, name)
                kept, n_rows = sample_rows(split, **draw)
                text = _joined([heads] * layout.header + [row.cells for row in kept], layout.delimiter)
                return _cells_of_rows(heads, kept, n_rows, name, layout, text, limits, random_state)
        except UnicodeError as error:
            reason = error
        else:
            known = {"delimiter": layout.delimiter, "header": layout.header, "limits": limits}
            cells = cells_from_file(sample.text.encode(), name, encoding="utf-8", **known, fast=True)
            places = {"lines": sample.numbers, "positions": sample.positions, "n_rows": sample.n_rows}
            return replace(cells, **places, layout=layout, seed=random_state)
    raise wrong_encoding(name, encoding, reason)


def _from_row(blocks: Iterator[str]) -> Iterator[str]:
    """Yield the blocks of a text, without a first line such as ``sep=;``."""
    yield strip_separator_line(next(blocks, ""))[0]
    yield from blocks


def _joined(rows: Iterable[Sequence[str]], delimiter: str) -> str:
    """Return rows of cells as text."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue()


def sample_rows(rows: Iterable, max_objects: int | None = None, random_state: int = 0) -> tuple[list, int]:
    """Draw at most `max_objects` rows without replacement; return them in order, and the number of all rows.

    Every subset is equally likely: each row gets a random key, and the smallest keys are kept. O(N) time for
    N rows, O(max_objects) memory.
    """
    if max_objects is None:
        rows = list(rows)
        return rows, len(rows)
    rng, rows = np.random.default_rng(random_state), iter(rows)
    kept, keys, n_rows = [], np.empty(0), 0
    while block := list(islice(rows, BLOCK)):
        n_rows += len(block)
        kept, keys = kept + block, np.append(keys, rng.random(len(block)))
        if len(kept) > max_objects:
            stay = np.sort(np.argpartition(keys, max_objects)[:max_objects])
            kept, keys = [kept[i] for i in stay], keys[stay]
    return kept, n_rows


def _headed(rows: Iterator[Row], header: bool, name: str) -> tuple[list[str], Iterator[Row]]:
    """Return the names of the columns, empty strings without a header, and the rows below it.

    If the header is one cell shorter than the next row, the name of the first column is missing, unless the
    row ends with an additional delimiter.
    """
    head = next(rows, None) if header else None
    first = next(rows, None)
    if first is None:
        return (head.cells if head else []), rows
    heads = head.cells if head else [""] * len(first.cells)
    if len(heads) == len(first.cells) - 1:
        heads = ["", *heads] if first.cells[-1] else [*heads, ""]
    begin = head.line if head and len(head.cells) == len(heads) else first.line
    return heads, _as_long(chain([first], rows), len(heads), begin, name)


def _as_long(rows: Iterable[Row], width: int, begin: int, name: str) -> Iterator[Row]:
    """Yield the rows of `width` cells, without empty cells at their end; then raise an error for the others.

    Raises
    ------
    ValueError
        If there are other rows: the message names the first one, and counts the rest.
    """
    wrong, others = None, 0
    for row in rows:
        while len(row.cells) > width and not row.cells[-1]:
            row.cells.pop()
        if len(row.cells) == width:
            yield row
        elif wrong is None:
            wrong = row
        else:
            others += 1
    if wrong is not None:
        more = f", and {others} more" if others else ""
        raise ValueError(
            f"{name}: expected {width} columns in every line, as in line {begin}; "
            f"got {len(wrong.cells)} in line {wrong.line}{more}"
        )


def _labels(heads: Sequence[str], name: str, limits: Limits) -> list[str]:
    """Return the names of the columns, with numbers where the file has none."""
    labels = _unique_labels([head or f"column {j + 1}" for j, head in enumerate(heads)])
    expect_short_names(labels, "column", name, limits)
    return labels


def _unique_labels(labels: Sequence[str]) -> list[str]:
    """Append a number to repeated names of columns."""
    seen, distinct = set(), []
    for label in labels:
        other, number = label, 1
        while other in seen:
            number += 1
            other = f"{label} ({number})"
        seen.add(other)
        distinct.append(other)
    return distinct


def first_few(names: Sequence[object]) -> str:
    """List the first names, and count the others."""
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(repr(str(name)) for name in names[:MAX_LISTED]) + more


def expect_short_names(names: Iterable[object], what: str, name: str, limits: Limits) -> None:
    """Raise an error if a name is longer than `limits` allow; `what` is "column" or "class".

    Raises
    ------
    ValueError
    """
    longest = max(map(str, names), key=len, default="")
    if len(longest) > limits.name_length:
        raise ValueError(
            f"{name}: expected at most {limits.name_length} characters in the name of a {what}; "
            f"got {len(longest)} in {longest[:20]!r}..."
        )
