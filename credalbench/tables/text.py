"""From the contents of a file to the rows of a table: encoding, lines, cells, and where each row stands."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

#: How a file begins that says its encoding itself.
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: How files begin that people take for tables, and what they are.
NO_TEXT = {
    b"PK\x03\x04": "a spreadsheet or an archive",
    b"\xd0\xcf\x11\xe0": "a spreadsheet",
    b"\x1f\x8b": "a compressed file",
    b"\x89PNG": "an image",
    b"%PDF": "a PDF",
}
#: Bytes that tell whether every second one is zero, as in UTF-16 without a byte order mark.
FIRST_BYTES = 4096
#: Rows that tell the layout.
FIRST_ROWS = 50
LETTER = re.compile(r"\S")
#: Characters that no text has.
CONTROLS = tuple(map(chr, (*range(9), *range(14, 32))))
#: Cells that stand for a missing value, in small letters.
MISSING_WORDS = ("", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "?", "-", "--", ".")
NUMBER = re.compile(r"[-+]?(\d+[.,]?\d*|[.,]\d+)([eE][-+]?\d+)?")
#: Where a line is one cell: text with this character in it is refused.
NO_DELIMITER = "\x1f"


class Limits(NamedTuple):
    """What a table may hold: columns, characters of a cell, and those of the name of a column."""

    columns: int = 100_000
    cell_length: int = 100_000
    name_length: int = 1000


class Row(NamedTuple):
    """Cells of a row of the file, the line where it begins, from 1, and its number among the rows, from 0."""

    number: int
    line: int
    cells: list[str]


def contents_of(source: str | Path | bytes, name: str | None = None) -> tuple[bytes, str]:
    """Return the contents of a file, given by its path or by themselves, and what the data are called.

    Raises
    ------
    ValueError
        There is no such file.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source), name or "own data"
    path = Path(source)
    if not path.is_file():
        raise ValueError(f"expected a readable file; got {str(path)!r}, which does not exist")
    return path.read_bytes(), name or path.name


def decoded(contents: bytes, name: str, encoding: str | None = None) -> tuple[str, str]:
    r"""Return the text of a file, lines ending in ``\n``, and its encoding.

    Parameters
    ----------
    contents : bytes
    name : str
        Of the file, for messages.
    encoding : str, optional
        Python's name of it. Without one a byte order mark tells; else UTF-16 is known by its zeros, UTF-8 by
        its rules, and what is neither is taken for cp1252, or for Latin-1 where that has no such byte.

    Raises
    ------
    ValueError
        No text, or none in this encoding.
    """
    for mark, what in NO_TEXT.items():
        if contents.startswith(mark):
            raise ValueError(f"{name}: expected a text file, as comma-separated values; got {what}")
    for guess in (encoding,) if encoding else _guesses(contents):
        try:
            text = contents.decode(guess)
            break
        except (UnicodeError, LookupError) as error:
            reason = error
    else:
        wanted = encoding or "UTF-8, UTF-16 or Latin-1"
        raise ValueError(f"{name}: expected text in {wanted}; got {reason}")
    control = next((character for character in CONTROLS if character in text), None)
    if control is not None:
        line = text.count("\n", 0, text.index(control)) + 1
        wanted = encoding or "UTF-8, UTF-16 or Latin-1"
        raise ValueError(f"{name}: expected text in {wanted}; got the character {control!r} in line {line}")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), guess


def _guesses(contents: bytes) -> tuple[str, ...]:
    """Encodings to try, the likeliest first; the last one takes everything."""
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if contents.startswith(mark):
            return (encoding,)
    begin = contents[:FIRST_BYTES]
    zeros = begin[0::2].count(0), begin[1::2].count(0)
    if max(zeros) > len(begin) / 4 and min(zeros) < len(begin) / 8:
        return ("utf-16-le" if zeros[1] > zeros[0] else "utf-16-be",)
    return "utf-8", "cp1252", "latin-1"


class Lines:
    """The lines of a text that are not blank, one after the other; it knows where the last ones stand.

    Attributes
    ----------
    number : int
        Line of the text that was handed out last, from 1, blank ones counted.
    first : int or None
        The first line since it was set to None.
    ended : bool
        Whether there was a line asked for after the last one.
    """

    def __init__(self, text: str) -> None:
        self.text, self.number, self.first, self.ended = text, 1, None, False
        self._end = 0

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        letter = LETTER.search(self.text, self._end)
        if letter is None:
            self.ended = True
            raise StopIteration
        begin = self.text.rfind("\n", self._end, letter.start()) + 1
        self.number += self.text.count("\n", self._end, begin)
        self.first = self.first or self.number
        end = self.text.find("\n", letter.start())
        self._end = len(self.text) if end < 0 else end
        return self.text[begin : self._end + 1]


def rows_of(text: str, delimiter: str, name: str, limits: Limits) -> Iterator[Row]:
    """Split a text into rows of cells, without blanks around them; lines that are blank are no rows.

    Parameters
    ----------
    text : str
    delimiter : str
        Between cells; a blank stands for any run of blanks and tabs.
    name : str
        Of the file, for messages.
    limits : Limits

    Raises
    ------
    ValueError
        More columns or longer cells than `limits` allow; a quotation mark that is not closed.

    Notes
    -----
    A cell in quotation marks may hold delimiters and go on for several lines.
    """
    what, lines = "characters in a cell", Lines(text)
    try:
        for row in _split(lines, delimiter):
            if lines.ended:  # a row is complete before that, unless it waits for a quotation mark
                raise ValueError(
                    f"{name}: expected quotation marks in pairs; got a quotation mark that is not closed, "
                    f"from line {row.line}"
                )
            _expect_at_most(limits.columns, "columns", len(row.cells), name, row.line)
            _expect_at_most(limits.cell_length, what, max(map(len, row.cells), default=0), name, row.line)
            yield row
    except csv.Error:  # a cell so long that the standard library gives up
        raise ValueError(
            f"{name}: expected at most {limits.cell_length} {what}; got more than {csv.field_size_limit()}"
        ) from None


def first_rows(text: str, delimiter: str, name: str, limits: Limits) -> list[list[str]]:
    """Return the cells of the first rows, if `delimiter` splits them into cells that are not too long.

    Raises
    ------
    ValueError
        More columns than `limits` allow.
    """
    try:
        rows = list(islice(_split(Lines(text), delimiter), FIRST_ROWS))
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
    """Whether a cell is a number, with a decimal point or comma."""
    return NUMBER.fullmatch(cell) is not None


def is_missing(cell: str) -> bool:
    """Whether a cell stands for a missing value."""
    return cell.lower() in MISSING_WORDS
