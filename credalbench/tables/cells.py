"""The cells of a table as they are in a file or a data frame, and where each object stands there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from credalbench.arguments import expect
from credalbench.tables.layout import Layout, layout_of, without_first_line
from credalbench.tables.text import Limits, Row, contents_of, decoded, rows_of
from credalbench.tables.triangles import squared

#: Rows that pass at a time when some of them are drawn.
BLOCK = 4096
#: Places in a list that people read; of others it gives the number.
MAX_NAMED = 3
LIBRARY = Limits()


@dataclass(frozen=True, eq=False)
class Cells:
    """A table before anything is made of it.

    Attributes
    ----------
    name : str
        What the data are called.
    frame : DataFrame of shape (n, q)
        Texts of a file; of a data frame its own values. Names of columns are texts, and differ.
    lines : ndarray of int, shape (n,), or None
        Line of the file where each object begins, from 1.
    positions : ndarray of int, shape (n,)
        Number of each object among all of the source, from 0.
    n_rows : int
        Objects of the source; more than n where some were drawn.
    layout : Layout or None
        Of a file.
    text : str or None
        Of a file.
    seed : int
        Of the draw.
    """

    name: str
    frame: pd.DataFrame
    lines: np.ndarray | None
    positions: np.ndarray
    n_rows: int
    layout: Layout | None = None
    text: str | None = None
    seed: int = 0

    @property
    def said(self) -> tuple[str, ...]:
        """What is to be told of how the cells were come by."""
        n = len(self.frame)
        return (f"{n} of {self.n_rows} objects, drawn with seed {self.seed}",) if n < self.n_rows else ()

    def expect_objects(self) -> None:
        """Refuse a table of fewer than 3 lines.

        Raises
        ------
        ValueError
        """
        n_rows = self.n_rows + bool(self.layout and self.layout.header)
        if n_rows < 3:
            rows = "lines" if self.layout else "rows"
            raise ValueError(f"{self.name}: expected a table of at least 3 {rows}; got {n_rows}")

    def place(self, i: int) -> str:
        """Where object `i` stands: "line 7" of a file, "row 'a'" of a data frame."""
        return f"row {self.frame.index[i]!r}" if self.lines is None else f"line {self.lines[i]}"

    def places(self, chosen: ArrayLike) -> str:
        """Where the objects of a mask (n,) stand, the first ones by their place, the others by number."""
        where = np.flatnonzero(chosen)
        names = [self.place(i) for i in where[:MAX_NAMED]]
        what = names[0].split()[0]
        listed = ", ".join([names[0], *(name.removeprefix(f"{what} ") for name in names[1:])])
        listed = listed.replace(what, f"{what}s", 1) if len(where) > 1 else listed
        return listed + (f" and {len(where) - MAX_NAMED} more" if len(where) > MAX_NAMED else "")


def cells_of_frame(
    frame: pd.DataFrame | ArrayLike,
    name: str | None = None,
    *,
    max_objects: int | None = None,
    random_state: int = 0,
) -> Cells:
    """Take the cells of a data frame, or of an array; the index keeps its labels. Draws as `drawn`."""
    if not isinstance(frame, pd.DataFrame):
        array = np.asarray(frame)
        expect(array.ndim in (1, 2), "a table with rows and columns", array.shape)
        array = array[:, None] if array.ndim == 1 else array
        frame = pd.DataFrame(array, columns=[f"column {j + 1}" for j in range(array.shape[1])])
    labels = _distinct([str(label) for label in frame.columns])
    positions, n_rows = drawn(range(len(frame)), max_objects, random_state)
    frame = (frame if len(positions) == n_rows else frame.iloc[positions]).set_axis(labels, axis="columns")
    positions = np.array(positions, dtype=np.intp)
    return Cells(name or "own data", frame, None, positions, n_rows, seed=random_state)


def cells_of_file(
    source: str | Path | bytes,
    name: str | None = None,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    limits: Limits = LIBRARY,
    max_objects: int | None = None,
    random_state: int = 0,
) -> Cells:
    """Read the cells of a delimited text file, given by its path or its contents.

    Parameters
    ----------
    source : str, os.PathLike or bytes
    name : str, optional
        What the data are called; the file's own name by default.
    encoding, delimiter, header
        As in `read_user_table`.
    limits : Limits
        What a row may hold.
    max_objects, random_state
        As in `drawn`.

    Returns
    -------
    Cells
        Rows are the objects; a row that names the columns is none.

    Raises
    ------
    ValueError
        No such file, no text, rows of different lengths, or of more than `limits` allow.

    Notes
    -----
    One pass over the text; beside it, what is drawn stays in memory.
    """
    contents, name = contents_of(source, name)
    text, encoding = decoded(contents, name, encoding)
    text, said = without_first_line(text)
    layout = layout_of(text, encoding, delimiter or said, header, name, limits)
    rows = rows_of(text, layout.delimiter, name, limits)
    heads, rows = squared(rows, name) if layout.triangle else _headed(rows, layout.header, name)
    kept, n_rows = drawn(rows, max_objects, random_state)
    columns = list(zip(*(row.cells for row in kept))) or [()] * len(heads)
    labels = _distinct([head or f"column {j + 1}" for j, head in enumerate(heads)])
    expect_short_names(labels, "column", name, limits)
    frame = pd.DataFrame({label: pd.Series(cells, dtype=object) for label, cells in zip(labels, columns)})
    lines = np.array([row.line for row in kept], dtype=np.intp)
    positions = np.array([row.number for row in kept], dtype=np.intp) - layout.header
    return Cells(name, frame, lines, positions, n_rows, layout, text, random_state)


def drawn(rows: Iterable, max_objects: int | None = None, random_state: int = 0) -> tuple[list, int]:
    """Return at most `max_objects` of `rows`, in their order, and how many there were.

    Any subset is as likely as any other: each row gets a random number, and the smallest stay. O(N) time for
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
    """Names of the columns, empty where there are none, and the rows below, which are as long as they.

    Where the names are one fewer than the cells of the next row, that of the first column is missing, unless
    a delimiter too many ends the row.
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
    """The rows of `width` cells; refuse the others in the end. Empty cells at the end of a row do not count.

    Raises
    ------
    ValueError
        It names the first such row, and the number of the others.
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
            f"{name}: expected the same number of columns in every line, {width} as in line {begin}; "
            f"got {len(wrong.cells)} in line {wrong.line}{more}"
        )


def _distinct(labels: Sequence[str]) -> list[str]:
    """Names of columns, of which the second of a name gets a number."""
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
    """Return the first names of a list, and the number of the others."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(repr(str(name)) for name in names[:MAX_NAMED]) + more


def expect_short_names(names: Iterable[object], what: str, name: str, limits: Limits) -> None:
    """Refuse names of columns or classes, which `what` says, that are longer than `limits` allow.

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
