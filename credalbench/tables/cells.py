"""The cells of a table as read from a file or a data frame, and the place of each object in it."""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from credalbench.core.arguments import as_array, expect
from credalbench.core.resources import available_memory, expect_memory
from credalbench.tables.files import Survey, parquet_size, read_parquet_rows, survey, text_blocks
from credalbench.tables.layout import (
    COMMENT,
    DELIMITERS,
    MOST_BELOW,
    Layout,
    Limits,
    cells_of_comment,
    complete_triangle,
    detect_layout,
    is_number,
    lines_of,
    split_rows,
    strip_separator_line,
    stripped_width,
)

#: Size in bytes above which a sample of a file is drawn without having the whole text in memory.
LARGE = 1 << 25
#: Measured peak memory of reading a text: a multiple of its size, and bytes for each cell.
TEXTS, BYTES_PER_CELL = 4, 70
MAX_LISTED = 3  # items that a message lists; it counts the others
DEFAULT_LIMITS = Limits()


class Draw(NamedTuple):
    """A sample of objects: at most `most` of them, drawn without replacement."""

    most: int | None = None
    seed: int = 0

    def note(self, n: int, n_rows: int) -> tuple[str, ...]:
        """Return the note on a sample of n objects."""
        return (f"{n} of {n_rows} objects, drawn with seed {self.seed}",) if n < n_rows else ()


EVERYTHING = Draw()


@dataclass(frozen=True, eq=False)
class Cells:
    """A table before its columns are interpreted."""

    name: str
    frame: pd.DataFrame  # (n, q): text of a file, or values of a data frame; columns have unique names
    lines: np.ndarray | None  # (n,): line of the file where each object begins, from 1
    positions: np.ndarray  # (n,): position of each object in the source, from 0
    n_rows: int  # of the source; more than n if a sample was drawn
    layout: Layout | None = None  # of a file
    text: str | None = None  # of a file
    notes: tuple[str, ...] = ()  # on what was not read, or only sampled

    def row_numbers(self, kept: np.ndarray | None = None) -> pd.Index:
        """Return the numbers of the objects in the source, from 0: of all, or of the `kept` ones (n,)."""
        positions = self.positions if kept is None else self.positions[kept]
        return pd.RangeIndex(self.n_rows) if len(positions) == self.n_rows else pd.Index(positions)

    def expect_objects(self) -> None:
        """Raise an error if the table has fewer than 3 lines."""
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


# ---------------------------------------------------------------- data frames


def cells_from_frame(
    frame: pd.DataFrame | ArrayLike, name: str | None = None, draw: Draw = EVERYTHING
) -> Cells:
    """Return the cells of a data frame or an array, or of a sample of its rows."""
    frame = as_data_frame(frame)
    positions = drawn(len(frame), draw)
    n_rows, frame = len(frame), frame if len(positions) == len(frame) else frame.iloc[positions]
    return _cells_of_frame(frame, name or "table", positions, n_rows, draw)


def as_data_frame(source: object) -> pd.DataFrame:
    """Return a table in memory as a data frame of pandas."""
    if isinstance(source, pd.DataFrame):
        return source
    if hasattr(source, "get_columns") and hasattr(source, "columns"):  # polars
        return pd.DataFrame({column.name: column.to_list() for column in source.get_columns()})
    if isinstance(source, np.ndarray) and source.dtype.names:  # a record array
        expect(source.ndim == 1, "a record array with one dimension", source.shape)
        return pd.DataFrame({name: source[name] for name in source.dtype.names})
    array = as_array("data", source)
    expect(array.ndim in (1, 2), "a table with rows and columns", array.shape)
    array = array[:, None] if array.ndim == 1 else array
    return pd.DataFrame(array, columns=[f"column {j + 1}" for j in range(array.shape[1])])


def cells_from_parquet(path: Path, name: str | None, draw: Draw) -> Cells:
    """Return the cells of a sample of the rows of a parquet file, which is read batch by batch."""
    n_rows = parquet_size(path)[0]
    positions = drawn(n_rows, draw)
    return _cells_of_frame(read_parquet_rows(path, positions), name or path.name, positions, n_rows, draw)


def _cells_of_frame(frame: pd.DataFrame, name: str, positions: np.ndarray, n_rows: int, draw: Draw) -> Cells:
    labels = unique_labels([_label(label) for label in frame.columns])
    frame = frame.set_axis(labels, axis="columns")
    sparse = [label for label, dtype in frame.dtypes.items() if isinstance(dtype, pd.SparseDtype)]
    if sparse:
        frame = pd.DataFrame(
            {name: frame[name].array.to_dense() if name in sparse else frame[name] for name in labels},
            index=frame.index,
        )
    return Cells(name, frame, None, positions, n_rows, notes=draw.note(len(frame), n_rows))


def _label(label: object) -> str:
    """Return the name of a column as text; the levels of a name are joined."""
    return " ".join(str(part) for part in label if str(part)) if isinstance(label, tuple) else str(label)


# ---------------------------------------------------------------- text files


def cells_from_file(
    source: str | Path | bytes,
    name: str | None = None,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    skip_lines: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
    draw: Draw = EVERYTHING,
) -> Cells:
    """Read the cells of a delimited text file, given by its path or its contents.

    If a sample is drawn from more than `LARGE` bytes, only some blocks of the text and the sample are in
    memory. O(size) time.
    """
    in_memory = isinstance(source, bytes | bytearray | memoryview)
    name = name or ("table" if in_memory else Path(source).name)
    found = survey(source, name, encoding, available_memory() / TEXTS if draw.most is None else math.inf)
    n_rows, need = _estimate(found)
    sampled = found.size > LARGE and draw.most is not None and draw.most < n_rows / 2
    if not sampled:
        expect_memory(need, f"{name} with about {n_rows:.0f} rows", "max_objects to draw a sample")
    blocks = text_blocks(source, found, name, encoding)
    first, *others = [next(blocks, "")] if sampled else ([*blocks] or [""])
    begin, declared = strip_separator_line(first)
    text = "".join([begin, *others])
    layout = detect_layout(text, found.encoding, delimiter or declared, header, name, limits, skip_lines)
    rest = chain([begin], others, blocks)
    if layout.triangle:
        lines = chain.from_iterable(lines_of(block) for block in rest)
        rows = list(split_rows(lines, layout.delimiter, name, limits, escaped=layout.escaped))
        heads, rows = complete_triangle([row for row in rows if row.line > layout.above], name)
        positions, n_rows, notes = drawn(len(rows), draw), len(rows), ()
        frame = pd.DataFrame([rows[i].cells for i in positions], dtype=object)
        lines = np.array([rows[i].line for i in positions], dtype=np.intp)
    else:
        table = _Records(layout, name, limits, draw)
        table.read(rest)
        text = "".join([table.head, *(f"{one}\n" for one in table.texts)]) if sampled else text
        heads, frame, n_rows, notes = table.heads or [], table.frame(), table.n_rows, table.notes()
        lines, positions = (np.array(one, dtype=np.intp) for one in (table.lines, table.positions))
    labels = unique_labels([head or f"column {j + 1}" for j, head in enumerate(heads)])
    expect_short_names(labels, "column", name, limits)
    notes = (*draw.note(len(frame), n_rows), *notes)
    return Cells(name, frame.set_axis(labels, axis=1), lines, positions, n_rows, layout, text, notes)


def _estimate(found: Survey) -> tuple[float, float]:
    """Estimate the number of rows of a file, and the bytes that it needs, from its first bytes."""
    begin = found.begin
    rows = max(begin.count(b"\n"), begin.count(b"\r"), 1)
    cells = rows + max(begin.count(delimiter.encode()) for delimiter in DELIMITERS)
    parts = found.size / max(len(begin), 1)
    return parts * rows, TEXTS * found.size + BYTES_PER_CELL * parts * cells


class _Records:
    """The rows of a text that are kept, with their lines and positions.

    A row of another width is an error, unless it is a footnote below the last row of the table.
    """

    def __init__(self, layout: Layout, name: str, limits: Limits, draw: Draw) -> None:
        self.layout, self.name, self.limits, self.draw = layout, name, limits, draw
        self.rng, self.keys = np.random.default_rng(draw.seed), np.empty(0)
        self.texts, self.lines, self.positions = [], [], []
        self.heads, self.head, self.begin, self.width, self.n_rows = None, "", 0, layout.width, 0
        self.wrong, self.below, self.last, self.units = [], 0, 0, ""
        mark = re.escape(layout.delimiter)
        self.quoted = re.compile(rf'(?m)(?:(?<=^)|(?<={mark}))[ \t]*"(?:[^"\n]|"")*"(?=[ \t]*(?:{mark}|$))')

    def read(self, blocks: Iterable[str]) -> None:
        """Read the blocks of a text, and draw a sample of the rows."""
        line = 1
        for block in _whole_records(blocks):
            n_lines = block.count("\n") + (not block.endswith("\n"))
            texts, lines, widths = self._split(block, line)
            line += n_lines
            begin = np.searchsorted(lines, self.layout.above, side="right")
            texts, lines, widths = texts[begin:], lines[begin:], widths[begin:]
            if self.heads is None and len(texts):
                n_first = self._read_head(texts, lines)
                texts, lines, widths = texts[n_first:], lines[n_first:], widths[n_first:]
            self._keep(texts, lines, widths)
        self._expect_width()

    def _split(self, block: str, line: int) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Return the rows of a block, their lines and their numbers of cells; blank lines are left out."""
        delimiter = self.layout.delimiter
        bare = self.quoted.sub("", block) if '"' in block and delimiter != " " else block
        if '"' in bare or (self.layout.escaped and bare is not block):  # cells of several lines, and the like
            lines = lines_of(block)
            options = {"line": line, "escaped": self.layout.escaped}
            rows = list(split_rows(lines, delimiter, self.name, self.limits, **options))
            widths = [stripped_width(row.cells, self.width) for row in rows]
            return [row.text for row in rows], np.array([row.line for row in rows]), np.array(widths)
        texts = block.split("\n")
        bare = texts if bare is block else bare.split("\n")
        if delimiter == " ":
            widths = [len(text.split()) for text in bare]
        else:
            widths = [text.count(delimiter) + 1 for text in bare]
        kept = range(len(texts))
        if delimiter == "\t" or min(widths) < 2:
            kept = [i for i, text in enumerate(texts) if text and not text.isspace()]
            texts, widths = [texts[i] for i in kept], [widths[i] for i in kept]
        most, longest = max(widths, default=0), max(map(len, texts), default=0)
        if most > self.limits.columns or longest > self.limits.cell_length:
            list(split_rows(lines_of(block), delimiter, self.name, self.limits, line))  # may raise
        widths = np.array(widths, dtype=np.intp)
        for i in np.flatnonzero(widths > self.width) if self.width else ():
            widths[i] = stripped_width(self._cells_of(texts[i]), self.width)
        return texts, np.array(kept, dtype=np.intp) + line, widths

    def _read_head(self, texts: Sequence[str], lines: np.ndarray) -> int:
        """Read the names of the columns from the first row, and units below; return the number of rows."""
        layout = self.layout
        self.begin = int(lines[0])
        if not layout.header:
            first = self._cells_of(texts[0])
            self.width = self.width or len(first)
            self.heads = [""] * self.width
            return 0
        comment = COMMENT.match(texts[0]) and layout.width
        heads = cells_of_comment(texts[0], layout.delimiter) if comment else self._cells_of(texts[0])
        if len(texts) > 1:
            first = self._cells_of(texts[1])
            self.width = self.width or len(first)
        self.width = self.width or len(heads)
        while len(heads) > self.width and not heads[-1]:
            heads.pop()
        if len(heads) == self.width - 1:
            heads = ["", *heads] if len(texts) < 2 or first[-1] else [*heads, ""]
            self.begin = int(lines[1]) if len(texts) > 1 else self.begin
        self.heads, self.head = heads, texts[0] + "\n"
        if len(heads) != self.width:
            self.wrong.append((int(lines[0]), len(heads), texts[0]))
            self.begin = int(lines[1]) if len(lines) > 1 else self.begin
        if layout.units:
            self.units = f"line {lines[1]} is read as units: {texts[1].strip()}"
        return 1 + layout.units

    def _cells_of(self, text: str) -> list[str]:
        lines = lines_of(text)
        options = {"escaped": self.layout.escaped}
        return next(split_rows(lines, self.layout.delimiter, self.name, self.limits, **options)).cells

    def _keep(self, texts: Sequence[str], lines: np.ndarray, widths: np.ndarray) -> None:
        """Keep the rows of the right width, or those of them that are drawn."""
        right = widths == self.width
        if not right.all():
            wrong = np.flatnonzero(~right)
            self.wrong += [(int(lines[i]), int(widths[i]), texts[i]) for i in wrong]
            texts = [texts[i] for i in np.flatnonzero(right)]
            lines = lines[right]
        n_new, n_kept = len(texts), len(self.texts)
        if self.draw.most is None:
            self.texts += texts
            self.lines = np.append(self.lines, lines) if n_kept else lines
            self.positions = np.arange(self.n_rows + n_new)
        elif n_new:
            keys = np.append(self.keys, self.rng.random(n_new))
            stay = np.arange(len(keys))
            if len(keys) > self.draw.most:
                stay = np.sort(np.argpartition(keys, self.draw.most)[: self.draw.most])
            self.texts = [self.texts[i] if i < n_kept else texts[i - n_kept] for i in stay]
            self.lines = np.append(self.lines, lines)[stay]
            self.positions = np.append(self.positions, self.n_rows + np.arange(n_new))[stay]
            self.keys = keys[stay]
        self.n_rows += n_new
        if len(lines):
            self.last = int(lines[-1])

    def _expect_width(self) -> None:
        """Leave out footnotes; raise an error for other rows of another width."""
        below = [one for one in self.wrong if one[0] > self.last]
        notes = [one for one in below if one[1] < self.width and _is_note(one[2])]
        if len(below) <= MOST_BELOW and len(notes) == len(below):
            self.wrong = [one for one in self.wrong if one[0] <= self.last]
            self.below = len(below)
        if self.wrong:
            others = len(self.wrong) - 1
            more = f", and {others} more" if others else ""
            line, width, _ = self.wrong[0]
            raise ValueError(
                f"{self.name}: expected {self.width} columns in every line, as in line {self.begin}; "
                f"got {width} in line {line}{more}"
            )

    def notes(self) -> tuple[str, ...]:
        """Return notes on lines that were not read."""
        above, notes = self.layout.above, []
        if above:
            notes.append(f"{above} line{'s' * (above > 1)} above the table not read")
        if self.below:
            notes.append(f"{self.below} line{'s' * (self.below > 1)} below the table not read")
        return (*notes, *([self.units] if self.units else []))

    def frame(self) -> pd.DataFrame:
        """Return the cells of the rows as text, stripped where they are not numbers (see `columns`)."""
        delimiter = self.layout.delimiter
        if not self.texts:
            return pd.DataFrame(columns=range(len(self.heads or ())), dtype=object)
        contents = "\n".join(self.texts)
        frame = pd.read_csv(
            io.StringIO(contents),
            sep=r"\s+" if delimiter == " " else delimiter,
            header=None,
            names=range(self.width),
            index_col=False,
            usecols=range(self.width),
            dtype=object,
            keep_default_na=False,
            na_filter=False,
            skipinitialspace=True,
            skip_blank_lines=False,
            quoting=csv.QUOTE_MINIMAL if '"' in contents else csv.QUOTE_NONE,
            escapechar="\\" if self.layout.escaped else None,
            low_memory=False,
        )
        expect(len(frame) == len(self.texts), f"{len(self.texts)} rows in {self.name}", len(frame))
        return frame


def _is_note(text: str) -> bool:
    """Return whether a line below a table is a sentence or a mark, and not a row that was cut off."""
    words = text.strip(' ";,\t|')
    return bool(words) and not is_number(words) and (len(words.split()) > 1 or not words[0].isalnum())


def _whole_records(blocks: Iterable[str]) -> Iterator[str]:
    """Yield blocks that do not end within quotation marks, as far as these come in pairs."""
    kept, inside = [], False
    for block in blocks:
        kept.append(block)
        inside ^= block.count('"') % 2 == 1
        if not inside:
            yield "".join(kept)
            kept = []
    if kept:
        yield "".join(kept)


# ---------------------------------------------------------------- samples and names


def drawn(n: int, draw: Draw) -> np.ndarray:
    """Return the positions of the objects in a sample of n, in order; every subset is equally likely."""
    if draw.most is None or n <= draw.most:
        return np.arange(n)
    return np.sort(np.random.default_rng(draw.seed).choice(n, draw.most, replace=False, shuffle=False))


def unique_labels(labels: Sequence[str]) -> list[str]:
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
    """Raise an error if a name is longer than `limits` allow; `what` is "column" or "class"."""
    longest = max(map(str, names), key=len, default="")
    if len(longest) > limits.name_length:
        raise ValueError(
            f"{name}: expected at most {limits.name_length} characters in the name of a {what}; "
            f"got {len(longest)} in {longest[:20]!r}..."
        )
