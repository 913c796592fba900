"""Detect the layout of a delimited text: delimiter, lines above the table, header, units, and footnotes."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

#: Possible delimiters; those that are rarest inside cells come first.
DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
NO_DELIMITER = "\x1f"  # of a table with one column; no text file contains it
SEPARATOR_LINE = re.compile(r"sep=([\t;|, ])\n", re.IGNORECASE)
SURE_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
#: Rows that are inspected, and the number of cells after which fewer rows of a wide table are enough.
FIRST_ROWS, FIRST_CELLS, LEAST_ROWS = 50, 100_000, 5
MOST_ABOVE = 20  # lines above the table
MOST_BELOW = 10  # footnotes
#: A quotation mark within a cell, after a backslash; at the end of a cell it closes a path such as "C:\\".
ESCAPED = re.compile(r'\\"(?!\s*(?:[\t;|,]|$))', re.MULTILINE)
COMMENT = re.compile(r"\s*#(?![;,\t|])")
#: Cells that denote a missing value, in lower case; only the first is not a word.
MISSING_WORDS = ("", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "?", "-", "--", ".", "*")
NUMBER = re.compile(r"[-+]?(\d+[.,]?\d*|[.,]\d+)([eE][-+]?\d+)?")
UNIT = re.compile(r"[\[(]?[a-zA-Zµμ°%‰€$£Ωß·/*^²³⁻¹0-9.\- ]{0,11}[\])]?")
YEARS = (1500, 2200)


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
    """A row of a text: its first line, from 1, its lines as written, and its stripped cells."""

    line: int
    text: str
    cells: list[str]


@dataclass(frozen=True)
class Layout:
    """Layout of a file."""

    encoding: str  # Python's name
    delimiter: str  # separator of the cells; a blank denotes any run of blanks and tabs
    header: bool  # whether the first row names the columns
    header_known: bool = True  # whether `header` was given or is unambiguous
    triangle: bool = False  # whether the rows are a triangle of a matrix
    width: int = 0  # number of cells in a row
    above: int = 0  # number of lines above the header, which are not read
    units: bool = False  # whether the row below the header has units
    escaped: bool = False  # whether a backslash precedes a quotation mark within a cell

    @property
    def encoding_note(self) -> str:
        """Note on an encoding that was guessed; empty for others."""
        return "" if self.encoding in SURE_ENCODINGS else f"text read as {self.encoding}"

    def __str__(self) -> str:
        delimiter = DELIMITERS.get(self.delimiter)
        columns = f"columns separated by {delimiter}" if delimiter else "one column"
        return f"{self.encoding}, {columns}, {'with' if self.header else 'without'} a header"


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, with a decimal point or comma."""
    return NUMBER.fullmatch(cell) is not None


def is_missing(cell: str) -> bool:
    """Return whether a cell denotes a missing value."""
    return cell.lower() in MISSING_WORDS


def strip_separator_line(text: str) -> tuple[str, str | None]:
    """Blank a first line such as ``sep=;``, which spreadsheet programs write; return text and delimiter."""
    found = SEPARATOR_LINE.match(text)
    return (text, None) if found is None else (text[found.end() - 1 :], found[1])


# ---------------------------------------------------------------- rows


def split_rows(
    lines: Iterable[str], delimiter: str, name: str, limits: Limits, line: int = 1, escaped: bool = False
) -> Iterator[Row]:
    """Split lines into rows of stripped cells; blank lines are skipped.

    A quoted cell may contain delimiters and span several lines. `line` is the number of the first line.
    """
    taken, ended = [], False

    def take() -> Iterator[str]:
        nonlocal ended
        for one in lines:
            taken.append(one)
            yield one.replace("\t", " ").strip() if delimiter == " " else one
        ended = True

    options = {"escapechar": "\\"} if escaped else {}
    reader = csv.reader(take(), delimiter=delimiter, skipinitialspace=True, **options)
    csv.field_size_limit(max(limits.cell_length, 131_072))
    try:
        for row in reader:
            text, number, n_lines = "\n".join(one.rstrip("\n") for one in taken), line, len(taken)
            taken.clear()
            line += n_lines
            if ended:  # a row is complete before, unless a quotation mark is open
                raise ValueError(
                    f"{name}: expected quotation marks in pairs; got a quotation mark that is not closed, "
                    f"from line {number}"
                )
            if not text or text.isspace():
                continue
            cells = [cell.strip() for cell in row]
            _expect_at_most(limits.columns, "columns", len(cells), name, number)
            longest = max(map(len, cells), default=0)
            _expect_at_most(limits.cell_length, "characters in a cell", longest, name, number)
            yield Row(number, text, cells)
    except csv.Error as error:
        what = f"at most {limits.cell_length} characters in a cell"
        raise ValueError(f"{name}: expected {what}; got more than {csv.field_size_limit()}") from error


def _expect_at_most(most: int, what: str, number: int, name: str, line: int) -> None:
    if number > most:
        raise ValueError(f"{name}: expected at most {most} {what}; got {number} in line {line}")


def first_rows(text: str, delimiter: str, name: str, limits: Limits, escaped: bool = False) -> list[Row]:
    """Return the first rows of a text; none if `delimiter` leaves cells that are too long."""
    rows, n_cells = [], 0
    few = limits._replace(columns=10**9)
    try:
        for row in islice(split_rows(lines_of(text), delimiter, name, few, escaped=escaped), FIRST_ROWS):
            rows.append(row)
            n_cells += len(row.cells)
            if n_cells > FIRST_CELLS and len(rows) >= LEAST_ROWS:
                break
    except ValueError:
        return rows
    return rows


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text, only as far as they are requested."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin) + 1 or len(text)
        yield text[begin:end]
        begin = end


# ---------------------------------------------------------------- detection


def detect_layout(
    text: str,
    encoding: str,
    delimiter: str | None,
    header: bool | None,
    name: str,
    limits: Limits,
    skip_lines: int | None = None,
) -> Layout:
    """Detect the layout of a text, apart from what is given."""
    escaped = ESCAPED.search(text[: 1 << 20]) is not None
    body = _without(text, skip_lines or 0)
    if delimiter is None:
        delimiter = detect_delimiter(body, name, limits, escaped)
    rows = first_rows(body, delimiter, name, limits, escaped)
    for row in rows:
        _expect_at_most(limits.columns, "columns", len(row.cells), name, row.line)
    skipped = _leading_comments(rows) if skip_lines is None else 0
    rows, comment = rows[skipped:], rows[skipped - 1] if skipped else None
    above = (skip_lines or 0) + (comment.line if comment else 0)
    if is_triangle([row.cells for row in rows]):
        cells = [row.cells for row in rows]
        return Layout(encoding, delimiter, has_names(cells), triangle=True, above=above, escaped=escaped)
    if skip_lines is None:
        n_above = lines_above([row.cells for row in rows])
        above = rows[n_above - 1].line if n_above else above
        rows = rows[n_above:]
    cells = [row.cells for row in rows]
    width = _width(cells)
    found = (header is None or header) and comment is not None and above == comment.line
    if found and _names_the_columns(comment, cells, delimiter):
        return Layout(encoding, delimiter, True, width=width, above=comment.line - 1, escaped=escaped)
    if header is None:
        found, known = has_header(cells, [row.text for row in rows])
    else:
        found, known = header, True
    units = bool(found and has_units(cells))
    return Layout(encoding, delimiter, found, known, False, width, above, units, escaped)


def _without(text: str, n_lines: int) -> str:
    """Return a text with blank lines in the place of the first ones."""
    begin = 0
    for _ in range(n_lines):
        begin = text.find("\n", begin) + 1 or len(text)
    return "\n" * n_lines + text[begin:]


def _leading_comments(rows: Sequence[Row]) -> int:
    """Return the number of first rows that begin with #, if not all rows do."""
    count = next((i for i, row in enumerate(rows) if not COMMENT.match(row.text)), len(rows))
    return 0 if count == len(rows) else count


def _names_the_columns(comment: Row, rows: Sequence[list[str]], delimiter: str) -> bool:
    """Return whether a comment such as ``# x y z`` has a word for each column of numbers."""
    cells = cells_of_comment(comment.text, delimiter)
    fits = bool(rows) and len(cells) == len(rows[0]) > 1 and not any(map(is_number, cells))
    return fits and any(map(is_number, rows[0]))


def cells_of_comment(text: str, delimiter: str) -> list[str]:
    """Return the cells of a line that begins with #, without it."""
    words = re.sub(r"^\s*#\s*", "", text)
    parts = words.split() if delimiter in (" ", NO_DELIMITER) else words.split(delimiter)
    return [part.strip().strip('"') for part in parts]


def _width(rows: Sequence[list[str]]) -> int:
    """Return the number of cells of most rows below the first one."""
    first = len(rows[0]) if rows else 0
    widths = Counter(stripped_width(cells, first) for cells in (rows[1:] or rows))
    return max(widths, key=lambda width: (widths[width], width)) if widths else 0


def lines_above(rows: Sequence[list[str]]) -> int:
    """Return the number of first rows, such as a title and a date, that are narrower than the table.

    The rows of the table follow in one width. The row above them may be one cell narrower: then it is a
    header without a name for the first column, unless the next row is a header.
    """
    width = _width(rows)
    if len(rows) < 4 or width < 2:
        return 0
    widths = [stripped_width(cells, len(rows[0])) for cells in rows]
    above = next((i for i, one in enumerate(widths) if one >= width), 0)
    if above == 0 or above > min(MOST_ABOVE, len(rows) - 3) or set(widths[above : above + 3]) != {width}:
        return 0
    if widths[above - 1] == width - 1 and not _is_header(rows[above:]):
        above -= 1
    return above


def _is_header(rows: Sequence[list[str]]) -> bool:
    """Return whether the first row has words only, and the next ones numbers in some columns."""
    first, rest = rows[0], rows[1:]
    columns = zip(*(cells for cells in rest if len(cells) == len(first)))
    return not any(map(is_number, first)) and any(_mostly_numbers(column) for column in columns)


def detect_delimiter(text: str, name: str, limits: Limits, escaped: bool = False) -> str:
    """Return the delimiter that splits all first rows alike or into a triangle, or else most of them alike.

    If none does, the table has one column, and `NO_DELIMITER` is returned. A tab that only separates the last
    cell of rows of blanks counts as a blank.
    """
    splits = {}
    for delimiter in DELIMITERS:
        rows = first_rows(text, delimiter, name, limits, escaped)
        cells = splits[delimiter] = [row.cells for row in rows[_leading_comments(rows) :]]
        if delimiter == "," and _are_decimal_commas(cells):
            del splits[","]
        elif delimiter == "\t" and _are_blanks_and_a_tab(cells):
            del splits["\t"]
        elif _have_same_width(cells[lines_above(cells) :]) or is_triangle(cells):
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
    widths = Counter(stripped_width(cells, len(rows[0])) for cells in rows if len(cells) > 1)
    return max(widths.values(), default=0) / max(len(rows), 1)


def stripped_width(cells: Sequence[str], width: int) -> int:
    """Return the number of cells, without empty ones at the end that exceed the width."""
    n = len(cells)
    while n > width > 0 and not cells[n - 1].strip():
        n -= 1
    return n


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


def _are_blanks_and_a_tab(rows: Sequence[list[str]]) -> bool:
    """Return whether tabs separate one cell from others that are numbers separated by blanks."""
    parts = [cells[0].split() for cells in rows if len(cells) == 2]
    widths = {len(one) for one in parts}
    numbers = all(sum(map(is_number, one)) > len(one) / 2 for one in parts)
    return len(parts) == len(rows) > 1 and len(widths) == 1 and widths.pop() > 2 and numbers


def has_header(rows: Sequence[list[str]], texts: Sequence[str] = ()) -> tuple[bool, bool]:
    """Return whether the first row names the columns, and whether this is unambiguous.

    `texts` are the rows as written.

    A first row is a header if it is one cell shorter than the next row, or has a word above numbers, or
    quoted numbers above others. It is not a header if one of its words occurs again in the same column. Words
    above words are a header too, unless the row also has numbers: these are probably names if they increase
    in equal steps, as years do, and the numbers below do not.
    """
    if not rows:
        return False, True
    first, rest = rows[0], rows[1:]
    if rest and len(first) == len(rest[0]) - 1:
        return True, True
    columns = list(zip(*(cells for cells in rest if len(cells) == len(first))))
    numbers = [is_number(cell) for cell in first]
    quoted = len(texts) > 1 and re.search(r'"[-+.\d]+"', texts[0]) and '"' not in texts[1]
    if not first[0] and all(numbers[1:]) and len(first) > 2:  # pandas writes integer column labels this way
        steps = len(set(first)) == len(first) and all(map(str.isdigit, first[1:]))
        return bool(steps or quoted), True
    if quoted and all(numbers):
        return True, True
    words = [cell for cell in zip(first, columns) if not is_number(cell[0]) and not is_missing(cell[0])]
    if any(_mostly_numbers(column) for _, column in words):
        return True, True
    if any(cell in column for cell, column in words):
        return False, True
    if any(numbers) and _are_numbers_as_names(first, columns, len(rest)):
        return True, False
    return (False, False) if words and any(numbers) else (not any(numbers), True)


def _are_numbers_as_names(first: Sequence[str], columns: Sequence[Sequence[str]], n: int) -> bool:
    """Return whether the numbers of a first row increase in equal steps, and those of no other row.

    Years may have any steps. There are at least three of them, and they are not the first row of a square
    matrix.
    """
    chosen = [j for j, cell in enumerate(first) if is_number(cell)]
    if (
        len(chosen) < (2 if len(chosen) < len(first) else 3)
        or n < 3
        or (n < 20 and len(first) in (n + 1, n + 2))
    ):
        return False
    if len(first) - len(chosen) > max(3, len(first) / 2) or not columns:
        return False
    names = _as_numbers([first[j] for j in chosen])
    below = np.array([_as_numbers(row) for row in zip(*(columns[j] for j in chosen))])
    if not np.isfinite(names).all() or np.isnan(below).all(axis=0).any():
        return False
    years = bool((names % 1 == 0).all() and names[0] >= YEARS[0] and names[-1] <= YEARS[1])
    low, high = np.nanmin(below, axis=0), np.nanmax(below, axis=0)
    apart = names[0] in (0, 1) or len(names) > 3 or ((names < low) | (names > high)).all()
    return (
        bool(years or apart) and _in_steps(names, years) and not any(_in_steps(row, years) for row in below)
    )


def _as_numbers(cells: Iterable[str]) -> np.ndarray:
    return np.array([float(cell.replace(",", ".")) if is_number(cell) else np.nan for cell in cells])


def _in_steps(numbers: np.ndarray, years: bool) -> bool:
    steps = np.diff(numbers)
    if years:
        inside = (numbers >= YEARS[0]) & (numbers <= YEARS[1]) & (numbers % 1 == 0)
        return bool((steps > 0).all() and inside.all())
    return bool((steps > 0).all() and np.allclose(steps, steps[0], rtol=1e-6))


def has_units(rows: Sequence[list[str]]) -> bool:
    """Return whether the row below the header has a unit for each of at least two columns of numbers."""
    if len(rows) < 4:
        return False
    columns = list(zip(*(cells for cells in rows[2:] if len(cells) == len(rows[1]))))
    numeric = [j for j, column in enumerate(columns) if _mostly_numbers(column)]
    units = [rows[1][j] for j in numeric]
    words = [unit for unit in units if unit and unit != "-"]
    return len(words) >= 2 and all(
        UNIT.fullmatch(unit) and not is_number(unit) and (unit in ("", "-") or not is_missing(unit))
        for unit in units
    )


def _mostly_numbers(cells: Sequence[str]) -> bool:
    known = [cell for cell in cells if not is_missing(cell)]
    return sum(map(is_number, known)) > len(known) / 2


# ---------------------------------------------------------------- triangles of a matrix


def is_triangle(rows: Sequence[list[str]]) -> bool:
    """Return whether rows of cells are a triangle of numbers, with or without names of rows and columns."""
    body = rows[has_names(rows) :]
    if len(body) < 3 or _step(body) == 0:
        return False
    return all(_may_be_number(cell) for cells in body for cell in cells[1:])


def has_names(rows: Sequence[list[str]]) -> bool:
    """Return whether the first row holds names: words, or a length that does not fit the triangle."""
    if len(rows) < 3:
        return False
    return not all(map(_may_be_number, rows[0][1:])) or _step(rows[:3]) == 0


def _step(rows: Sequence[list[str]]) -> int:
    """Return 1 if each row is one cell longer than the one above, -1 if one shorter, else 0."""
    steps = {len(below) - len(above) for above, below in pairwise(rows)}
    return steps.pop() if steps in ({1}, {-1}) else 0


def _may_be_number(cell: str) -> bool:
    return is_number(cell) or is_missing(cell)


def complete_triangle(rows: Iterable[Row], name: str) -> tuple[list[str], list[Row]]:
    """Expand the rows of a triangle to those of the square matrix."""
    rows = list(rows)
    header = has_names([row.cells for row in rows])
    body, step = rows[header:], _step([row.cells for row in rows[header : header + 2]])
    for above, below in pairwise(body):
        if len(below.cells) != len(above.cells) + step:
            raise ValueError(
                f"{name}: expected a triangle, {len(above.cells) + step} cells in line {below.line}; "
                f"got {len(below.cells)}"
            )
    short = body[0] if step > 0 else body[-1]
    named = len(short.cells) == 2 or not all(_may_be_number(row.cells[0]) for row in body)
    values = [row.cells[named:] for row in body]
    names = [row.cells[0] for row in body] if named else []
    heads = rows[0].cells if header else []
    heads = heads[named and header and not heads[0] :]
    ends = [cells[-1 if step > 0 else 0] for cells in values if cells]
    diagonal = all(is_missing(cell) or not cell.strip("+-0.,") for cell in ends)
    n = len(values) + (len(ends) == len(values) and not diagonal)
    if len(body) < n:  # the first object of a lower triangle or the last one of an upper triangle is missing
        place = 0 if step > 0 else len(body)
        body = [*body[:place], body[min(place, len(body) - 1)], *body[place:]]
        values = [*values[:place], [], *values[place:]]
        other = "" if not heads else heads[0] if step > 0 else heads[-1]
        names = [*names[:place], other, *names[place:]] if names else []

    def padded(cells: list[str]) -> list[str]:
        empty = [""] * (n - len(cells))
        return [*cells, *empty] if step > 0 else [*empty, *cells]

    square = [
        Row(row.line, "", [*names[i : i + 1], *padded(cells)])
        for i, (row, cells) in enumerate(zip(body, values))
    ]
    return [*[""] * bool(names), *padded(heads[-n:])], square
