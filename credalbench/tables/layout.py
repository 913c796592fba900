"""How a text file is laid out as a table: what separates the cells, and whether the first row names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from credalbench.tables.text import NO_DELIMITER, Limits, first_rows, is_missing, is_number
from credalbench.tables.triangles import has_names, is_triangle

#: What may separate cells, by how little it occurs inside them.
DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
#: Encodings that take any text.
GUESSES = ("cp1252", "latin-1")
SEPARATOR_LINE = re.compile(r"sep=([\t;|, ])\n", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")


@dataclass(frozen=True)
class Layout:
    """How a file was read.

    Attributes
    ----------
    encoding : str
        Python's name of it.
    delimiter : str
        Between the cells of a line; a blank for any run of blanks and tabs.
    header : bool
        Whether the first row names the columns.
    sure : bool
        Whether the rows say so, or the caller.
    triangle : bool
        Whether the rows are a triangle of a matrix, one cell longer or shorter each.
    """

    encoding: str
    delimiter: str
    header: bool
    sure: bool = True
    triangle: bool = False

    @property
    def guess(self) -> str:
        """What is to be told of an encoding that nothing speaks against, and nothing for; "" of others."""
        return f"text read as {self.encoding}" if self.encoding in GUESSES else ""

    def __str__(self) -> str:
        between = f"{DELIMITERS.get(self.delimiter, 'nothing')} between cells"
        first = "with" if self.header else "without"
        return f"{self.encoding}, {between}, {first} names of columns"


def without_first_line(text: str) -> tuple[str, str | None]:
    """Return a text whose first line is blank if it only says what separates cells, and that.

    As spreadsheet programs write it: ``sep=;``.
    """
    said = SEPARATOR_LINE.match(text)
    return (text, None) if said is None else (text[said.end() - 1 :], said[1])


def layout_of(
    text: str, encoding: str, delimiter: str | None, header: bool | None, name: str, limits: Limits
) -> Layout:
    """Find out how a text is laid out, as far as it is not said."""
    if delimiter is None:
        delimiter = delimiter_of(text, name, limits)
    rows = first_rows(text, delimiter, name, limits)
    if is_triangle(rows):
        return Layout(encoding, delimiter, has_names(rows), triangle=True)
    if header is not None:
        return Layout(encoding, delimiter, header)
    found = has_header(rows)
    return Layout(encoding, delimiter, bool(found), found is not None)


def delimiter_of(text: str, name: str, limits: Limits) -> str:
    """Return what splits the first rows alike, or into a triangle, else most of them, else `NO_DELIMITER`."""
    splits = {}
    for delimiter in DELIMITERS:
        rows = splits[delimiter] = first_rows(text, delimiter, name, limits)
        if delimiter == "," and _are_decimal_commas(rows):
            del splits[","]
        elif _alike(rows) or is_triangle(rows):
            return delimiter
    shares = {delimiter: _share_alike(rows) for delimiter, rows in splits.items()}
    best = max(shares, key=shares.get)
    return best if shares[best] > 0.5 else NO_DELIMITER


def _alike(rows: Sequence[list[str]]) -> bool:
    """Whether rows are of one width, at least 2; the first may lack the name of a column of names."""
    widths = [len(cells) for cells in rows]
    if len(set(widths)) == 1:
        return widths[0] > 1
    return len(set(widths[1:])) == 1 and widths[0] == widths[1] - 1 >= 2


def _share_alike(rows: Sequence[list[str]]) -> float:
    """Share of rows that have the commonest width above 1."""
    widths = Counter(len(cells) for cells in rows if len(cells) > 1)
    return max(widths.values(), default=0) / max(len(rows), 1)


def _are_decimal_commas(rows: Sequence[list[str]]) -> bool:
    """Whether commas that split rows stand in numbers: blanks stand between those, or there is one column.

    One column has a name that no comma splits, and below it digits with a comma between them.
    """
    if len(rows) < 2 or all(len(cells) == 1 for cells in rows):
        return False
    if len(rows[0]) == 1 and all(len(cells) <= 2 for cells in rows):
        return all(cell.lstrip("-+").isdigit() for cells in rows[1:] for cell in cells)
    inner = [cell for cells in rows[1:] for cell in cells[1:-1]]
    return bool(inner) and all(is_number(half) for cell in inner for half in _halves(cell))


def _halves(cell: str) -> list[str]:
    """What stands between two commas, if that is two parts with a blank between them; else no number."""
    halves = cell.split()
    return halves if len(halves) == 2 else ["none"]


def has_header(rows: Sequence[list[str]]) -> bool | None:
    """Whether the first of some rows of cells names the columns; None where they do not tell.

    Notes
    -----
    It does where it lacks the name of the first column only, or has a word above numbers; it does not where
    it holds nothing but numbers, or a word that occurs again in its column. Words above words are names,
    unless numbers stand beside them above numbers: that does not tell.
    """
    if not rows:
        return False
    first, rest = rows[0], rows[1:]
    if rest and len(first) == len(rest[0]) - 1:
        return True
    numbers = [is_number(cell) for cell in first]
    if not first[0] and all(numbers[1:]) and len(first) > 2:  # as pandas writes the numbers of columns
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
