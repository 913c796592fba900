"""Detect the layout of a delimited text file: its delimiter, and whether the first row is a header."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from credalbench.tables.text import NO_DELIMITER, Limits, first_rows, is_missing, is_number
from credalbench.tables.triangles import has_names, is_triangle

#: Possible delimiters; those that are rarest inside cells come first.
DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
#: Encodings that decode any file, so that they may be wrong.
FALLBACK_ENCODINGS = ("cp1252", "latin-1")
SEPARATOR_LINE = re.compile(r"sep=([\t;|, ])\n", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """Layout of a file.

    Attributes
    ----------
    encoding : str
        Python's name of the encoding.
    delimiter : str
        Separator of the cells; a blank denotes any run of blanks and tabs.
    header : bool
        Whether the first row names the columns.
    header_known : bool
        Whether `header` was given or is unambiguous.
    triangle : bool
        Whether the rows are a triangle of a matrix.
    """

    encoding: str
    delimiter: str
    header: bool
    header_known: bool = True
    triangle: bool = False

    @property
    def encoding_note(self) -> str:
        """Note on an encoding that was guessed; empty for others."""
        return f"text read as {self.encoding}" if self.encoding in FALLBACK_ENCODINGS else ""

    def __str__(self) -> str:
        delimiter = DELIMITERS.get(self.delimiter)
        columns = f"columns separated by {delimiter}" if delimiter else "one column"
        return f"{self.encoding}, {columns}, {'with' if self.header else 'without'} a header"


def strip_separator_line(text: str) -> tuple[str, str | None]:
    """Blank a first line such as ``sep=;``, which spreadsheet programs write; return text and delimiter."""
    found = SEPARATOR_LINE.match(text)
    return (text, None) if found is None else (text[found.end() - 1 :], found[1])


def detect_layout(
    text: str, encoding: str, delimiter: str | None, header: bool | None, name: str, limits: Limits
) -> Layout:
    """Detect the layout of a text, apart from what is given."""
    if delimiter is None:
        delimiter = detect_delimiter(text, name, limits)
    rows = first_rows(text, delimiter, name, limits)
    if is_triangle(rows):
        return Layout(encoding, delimiter, has_names(rows), triangle=True)
    if header is not None:
        return Layout(encoding, delimiter, header)
    found = has_header(rows)
    return Layout(encoding, delimiter, bool(found), found is not None)


def detect_delimiter(text: str, name: str, limits: Limits) -> str:
    """Return the delimiter that splits all first rows alike or into a triangle, or else most of them alike.

    If none does, the table has one column, and `NO_DELIMITER` is returned.
    """
    splits = {}
    for delimiter in DELIMITERS:
        rows = splits[delimiter] = first_rows(text, delimiter, name, limits)
        if delimiter == "," and _are_decimal_commas(rows):
            del splits[","]
        elif _have_same_width(rows) or is_triangle(rows):
            return delimiter
    shares = {delimiter: _share_of_same_width(rows) for delimiter, rows in splits.items()}
    best = max(shares, key=shares.get)
    return best if shares[best] > 0.5 else NO_DELIMITER


def _have_same_width(rows: Sequence[list[str]]) -> bool:
    """Return whether all rows have the same width of at least 2; the header may be one cell shorter."""
    widths = [len(cells) for cells in rows]
    if len(set(widths)) == 1:
        return widths[0] > 1
    return len(set(widths[1:])) == 1 and widths[0] == widths[1] - 1 >= 2


def _share_of_same_width(rows: Sequence[list[str]]) -> float:
    """Return the share of rows that have the most frequent width above 1."""
    widths = Counter(len(cells) for cells in rows if len(cells) > 1)
    return max(widths.values(), default=0) / max(len(rows), 1)


def _are_decimal_commas(rows: Sequence[list[str]]) -> bool:
    """Return whether commas are decimal marks: in one column, or in columns separated by blanks.

    One column has a header without a comma and digits on both sides of a comma below it.
    """
    if len(rows) < 2 or all(len(cells) == 1 for cells in rows):
        return False
    if len(rows[0]) == 1 and all(len(cells) <= 2 for cells in rows):
        return all(cell.lstrip("-+").isdigit() for cells in rows[1:] for cell in cells)
    inner = [cell for cells in rows[1:] for cell in cells[1:-1]]
    return bool(inner) and all(len(cell.split()) == 2 and all(map(is_number, cell.split())) for cell in inner)


def has_header(rows: Sequence[list[str]]) -> bool | None:
    """Return whether the first row names the columns; None if this is ambiguous.

    Notes
    -----
    A first row is a header if it is one cell shorter than the next row, or has a word above numbers. It is
    not a header if all its cells are numbers, or if one of its words occurs again in the same column. Words
    above words are a header too, unless the row also has numbers: then it is ambiguous.
    """
    if not rows:
        return False
    first, rest = rows[0], rows[1:]
    if rest and len(first) == len(rest[0]) - 1:
        return True
    numbers = [is_number(cell) for cell in first]
    if not first[0] and all(numbers[1:]) and len(first) > 2:  # pandas writes integer column labels this way
        return len(set(first)) == len(first) and all(map(str.isdigit, first[1:]))
    words = [cell for cell in zip(first, zip(*rest)) if not is_number(cell[0]) and not is_missing(cell[0])]
    if any(_mostly_numbers(column) for _, column in words):
        return True
    if any(cell in column for cell, column in words):
        return False
    return None if words and any(numbers) else not any(numbers)


def _mostly_numbers(cells: Sequence[str]) -> bool:
    known = [cell for cell in cells if not is_missing(cell)]
    return sum(map(is_number, known)) > len(known) / 2
