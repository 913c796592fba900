"""Decode a text file and split it into rows of cells, with the line number of each row."""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from credalbench.core.arguments import shown
from credalbench.core.progress import track
from credalbench.tables.compressed import decompressed_size, is_compressed, open_compressed

#: Encodings by the byte order mark at the start of a file.
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: First bytes of common files that are not text, with their kind.
NOT_TEXT = {
    b"PK\x03\x04": "a spreadsheet or an archive",
    b"\xd0\xcf\x11\xe0": "a spreadsheet",
    b"\x1f\x8b": "a compressed file",
    b"\x89PNG": "an image",
    b"%PDF": "a PDF",
}
#: Bytes that are inspected to recognise UTF-16 without a byte order mark, by its zeros.
FIRST_BYTES = 4096
#: Characters of a large file that are in memory at a time.
BLOCK_LENGTH = 1 << 22
ENCODINGS = "UTF-8, UTF-16 or Latin-1"
#: Rows that are inspected to detect the layout.
FIRST_ROWS = 50
#: Number of cells after which `LEAST_ROWS` rows of a wide table are enough.
FIRST_CELLS, LEAST_ROWS = 100_000, 5
NON_BLANK = re.compile(r"\S")
#: Control characters, which no text file contains.
CONTROLS = tuple(map(chr, (*range(9), *range(14, 32))))
#: Cells that denote a missing value, in lower case.
MISSING_WORDS = ("", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "?", "-", "--", ".")
NUMBER = re.compile(r"[-+]?(\d+[.,]?\d*|[.,]\d+)([eE][-+]?\d+)?")
#: The delimiter of a table with one column; no text file contains it.
NO_DELIMITER = "\x1f"


class Limits(NamedTuple):
    """Limits on the size of a table.

    Parameters
    ----------
    columns : int, default=100_000
        Largest number of columns.
    cell_length : int, default=100_000
        Largest number of characters in a cell.
    name_length : int, default=1000
        Largest number of characters in the name of a column or class.
    """

    columns: int = 100_000
    cell_length: int = 100_000
    name_length: int = 1000


class Row(NamedTuple):
    """A row of a file: its number from 0, its first line in the file from 1, and its cells."""

    number: int
    line: int
    cells: list[str]


def open_table(source: str | Path | bytes) -> BinaryIO:
    """Open a file, given by path or contents; a compressed one is decompressed as it is read.

    Raises
    ------
    ValueError
        If the file does not exist.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return io.BytesIO(source)
    path = _existing(source)
    return open_compressed(path) if is_compressed(path) else path.open("rb")


def table_size(source: str | Path | bytes, most: float = math.inf) -> int:
    """Return the size of a file in bytes, decompressed if it is compressed, or some number above `most`.

    Raises
    ------
    ValueError
        If the file does not exist, or if a compressed one is damaged (see `decompressed_size`).
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return len(source)
    path = _existing(source)
    return decompressed_size(path, most) if is_compressed(path) else path.stat().st_size


def _existing(source: str | Path) -> Path:
    path = Path(source)
    if not is_file(path):
        raise ValueError(f"expected a readable file; got {shown(str(path))}, which does not exist")
    return path


def is_file(path: Path) -> bool:
    """Return whether a path leads to a file; False also if the system does not accept the path."""
    try:
        return path.is_file()
    except OSError:  # a name of thousands of characters
        return False


def decode(contents: bytes, name: str, encoding: str | None = None) -> tuple[str, str]:
    r"""Decode a file; return its text, with lines ending in ``\n``, and its encoding.

    Parameters
    ----------
    contents : bytes
    name : str
        Name of the file, for error messages.
    encoding : str, optional
        Python's name of the encoding. By default it is detected: a byte order mark decides; without one,
        UTF-16 is recognised by its zero bytes, then UTF-8, cp1252 and Latin-1 are tried.

    Raises
    ------
    ValueError
        If the contents are not text in this encoding.
    """
    for guess in expect_text(contents[:FIRST_BYTES], name, encoding):
        try:
            text = contents.decode(guess)
            break
        except (UnicodeError, LookupError) as error:
            reason = error
    else:
        raise wrong_encoding(name, encoding, reason)
    _expect_no_controls(text, name, encoding)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), guess


def expect_text(begin: bytes, name: str, encoding: str | None = None) -> tuple[str, ...]:
    """Return the encodings to try for a file that begins with these bytes; `encoding` if it is given.

    Raises
    ------
    ValueError
        If the file is of a common kind that is not text.
    """
    for mark, what in NOT_TEXT.items():
        if begin.startswith(mark):
            raise ValueError(f"{name}: expected a text file such as CSV; got {what}")
    return (encoding,) if encoding else _candidate_encodings(begin)


def wrong_encoding(name: str, encoding: str | None, reason: object) -> ValueError:
    """Return the error for contents that are not text in an encoding."""
    return ValueError(f"{name}: expected text in {encoding or ENCODINGS}; got {reason}")


def _expect_no_controls(text: str, name: str, encoding: str | None, before: int = 0) -> None:
    """Raise an error if a text, with `before` lines above it, has control characters."""
    control = next((character for character in CONTROLS if character in text), None)
    if control is not None:
        line = before + text.count("\n", 0, text.index(control)) + 1
        raise wrong_encoding(name, encoding, f"the character {control!r} in line {line}")


def decoded_blocks(
    stream: BinaryIO, size: int, guess: str, name: str, encoding: str | None = None
) -> Iterator[str]:
    r"""Decode a file in blocks of whole lines, which end in ``\n``, as `decode` does.

    Parameters
    ----------
    stream : binary file
    size : int
        Its number of bytes, for the progress.
    guess : str
        Its encoding.
    name : str
        Name of the file, for error messages.
    encoding : str, optional
        The encoding that was given, for error messages.

    Raises
    ------
    UnicodeError, LookupError
        If the file is not text in the encoding `guess`.
    ValueError
        If it has control characters.
    """
    n_lines, most = 0, range(size // BLOCK_LENGTH + 2)
    with io.TextIOWrapper(stream, encoding=guess) as text:
        for number in track(most, f"reading {name}, part"):
            block = text.read(BLOCK_LENGTH)
            block += "" if block.endswith("\n") else text.readline()
            if not block:
                return
            _expect_no_controls(block, name, encoding, n_lines)
            n_lines += block.count("\n")
            yield block if number else block.removeprefix("\ufeff")


def _candidate_encodings(contents: bytes) -> tuple[str, ...]:
    """Return the encodings to try, the most likely first; the last one decodes any bytes."""
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if contents.startswith(mark):
            return (encoding,)
    begin = contents[:FIRST_BYTES]
    zeros = begin[0::2].count(0), begin[1::2].count(0)
    if max(zeros) > len(begin) / 4 and min(zeros) < len(begin) / 8:
        return ("utf-16-le" if zeros[1] > zeros[0] else "utf-16-be",)
    return "utf-8", "cp1252", "latin-1"


class Lines:
    """Iterator over the lines of a text, or of blocks of one, that are not blank, with their line numbers.

    Attributes
    ----------
    number : int
        Number of the last returned line, from 1; blank lines count.
    first : int or None
        Number of the first line returned since this attribute was set to None.
    exhausted : bool
        Whether a line was requested after the last one.
    """

    def __init__(self, text: str | Iterable[str]) -> None:
        self._blocks = iter([text] if isinstance(text, str) else text)  # each ends where a line does
        self.text, self.number, self.first, self.exhausted = next(self._blocks, ""), 1, None, False
        self._end = 0

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        while (found := NON_BLANK.search(self.text, self._end)) is None:
            self.number += self.text.count("\n", self._end)
            self.text, self._end = next(self._blocks, None), 0
            if self.text is None:
                self.text, self.exhausted = "", True
                raise StopIteration
        begin = self.text.rfind("\n", self._end, found.start()) + 1
        self.number += self.text.count("\n", self._end, begin)
        self.first = self.first or self.number
        end = self.text.find("\n", found.start())
        self._end = len(self.text) if end < 0 else end
        return self.text[begin : self._end + 1]


def split_rows(text: str | Iterable[str], delimiter: str, name: str, limits: Limits) -> Iterator[Row]:
    """Split a text into rows of stripped cells; blank lines are skipped.

    Parameters
    ----------
    text : str or iterable of str
        A text, or blocks of whole lines.
    delimiter : str
        Separator of the cells; a blank denotes any run of blanks and tabs.
    name : str
        Name of the file, for error messages.
    limits : Limits

    Raises
    ------
    ValueError
        If a row exceeds `limits` or a quotation mark is not closed.

    Notes
    -----
    A quoted cell may contain delimiters and span several lines.
    """
    what, lines = "characters in a cell", Lines(text)
    try:
        for row in _split(lines, delimiter):
            if lines.exhausted:  # a row is complete before, unless a quotation mark is open
                raise ValueError(
                    f"{name}: expected quotation marks in pairs; got a quotation mark that is not closed, "
                    f"from line {row.line}"
                )
            _expect_at_most(limits.columns, "columns", len(row.cells), name, row.line)
            _expect_at_most(limits.cell_length, what, max(map(len, row.cells), default=0), name, row.line)
            yield row
    except csv.Error:  # a cell is longer than the limit of the standard library
        raise ValueError(
            f"{name}: expected at most {limits.cell_length} {what}; got more than {csv.field_size_limit()}"
        ) from None


def first_rows(text: str, delimiter: str, name: str, limits: Limits) -> list[list[str]]:
    """Return the cells of the first rows, or nothing if `delimiter` leaves cells that are too long.

    Raises
    ------
    ValueError
        If a row has more columns than `limits` allow.
    """
    rows, n_cells = [], 0
    try:
        for row in islice(_split(Lines(text), delimiter), FIRST_ROWS):
            rows.append(row)
            n_cells += len(row.cells)
            if n_cells > FIRST_CELLS and len(rows) >= LEAST_ROWS:
                break
    except csv.Error:
        return []
    for row in rows:
        _expect_at_most(limits.columns, "columns", len(row.cells), name, row.line)
    return [row.cells for row in rows]


def _split(lines: Lines, delimiter: str) -> Iterator[Row]:
    source = (line.replace("\t", " ").strip() for line in lines) if delimiter == " " else lines
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=True)
    for number in count():
        lines.first = None
        try:
            cells = next(reader)
        except StopIteration:
            return
        yield Row(number, lines.first, [cell.strip() for cell in cells])


def _expect_at_most(most: int, what: str, number: int, name: str, line: int) -> None:
    if number > most:
        raise ValueError(f"{name}: expected at most {most} {what}; got {number} in line {line}")


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, with a decimal point or comma."""
    return NUMBER.fullmatch(cell) is not None


def is_missing(cell: str) -> bool:
    """Return whether a cell denotes a missing value."""
    return cell.lower() in MISSING_WORDS
