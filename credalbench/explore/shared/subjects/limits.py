"""How large an own file may be: checked before anything of it is parsed or decoded, told at the button."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

MAX_MEGABYTES = 64
#: An explorer holds all dissimilarities in memory and refits while a slider moves.
MAX_OBJECTS = 2500
#: Those of a matrix of dissimilarities with a column of names; lines and columns together bound the cells.
MAX_COLUMNS = MAX_OBJECTS + 1
MAX_CELL_LENGTH = 10_000
#: Names of columns and classes stand beside axes and in legends.
MAX_NAME_LENGTH = 100
#: Each takes some 60 bytes on its way to an image of a few hundred rows.
MAX_PIXELS = 16_000_000

TABLE_HELP = (
    f"at most {MAX_MEGABYTES} MB, {MAX_OBJECTS} objects, {MAX_COLUMNS} columns, {MAX_CELL_LENGTH} characters "
    f"in a cell and {MAX_NAME_LENGTH} in a name"
)
IMAGE_HELP = f"at most {MAX_MEGABYTES} MB and {MAX_PIXELS // 10**6} million pixels"


def expect_few_bytes(source: str | Path | bytes, name: str) -> None:
    """Refuse a file that is too large to be read; one that is absent passes.

    Parameters
    ----------
    source : path or bytes
        Where the file lies, or what is in it.
    name : str
        Of the file, for the message.

    Raises
    ------
    ValueError
    """
    if isinstance(source, bytes | bytearray | memoryview):
        size = memoryview(source).nbytes
    else:
        path = Path(source)
        size = path.stat().st_size if path.is_file() else 0
    if size > 1e6 * MAX_MEGABYTES:
        raise ValueError(f"{name}: expected a file of at most {MAX_MEGABYTES} MB; got {size / 1e6:.1f} MB")


def expect_small_table(lines: list[str], separator: str, name: str) -> None:
    """Refuse a table with too many lines or columns, or too long a cell, before it is parsed.

    Parameters
    ----------
    lines : list of str
        The first of those that are not blank, one more than there may be.
    separator : str
        Between the cells of a line; a blank stands for any run of blanks and tabs.
    name : str
        Of the file, for the message.

    Raises
    ------
    ValueError

    Notes
    -----
    One pass over the text, which splits it as it will be parsed: a cell in quotation marks may hold
    separators and go on for several lines.
    """
    what = f"lines, for {MAX_OBJECTS} objects and a header"
    _expect_at_most(MAX_OBJECTS + 1, what, len(lines), name, " or more")
    text = (line.replace("\t", " ") for line in lines) if separator == " " else lines
    rows = csv.reader(text, delimiter=separator, skipinitialspace=True)
    try:
        for number, cells in enumerate(rows, start=1):
            where = f" in row {number}"
            _expect_at_most(MAX_COLUMNS, "columns", len(cells), name, where)
            longest = max(map(len, cells), default=0)
            _expect_at_most(MAX_CELL_LENGTH, "characters in a cell", longest, name, where)
    except csv.Error:  # a cell so long that the standard library gives up
        raise ValueError(
            f"{name}: expected at most {MAX_CELL_LENGTH} characters in a cell; got more than "
            f"{csv.field_size_limit()}"
        ) from None


def expect_short_names(names: Iterable[object], what: str, name: str) -> None:
    """Refuse names of columns or classes, which `what` says, that are too long to be shown.

    Raises
    ------
    ValueError
    """
    longest = max(map(str, names), key=len, default="")
    where = f" in {longest[:20]!r}..."
    _expect_at_most(MAX_NAME_LENGTH, f"characters in the name of a {what}", len(longest), name, where)


def _expect_at_most(most: int, what: str, count: int, name: str, where: str = "") -> None:
    if count > most:
        raise ValueError(f"{name}: expected at most {most} {what}; got {count}{where}")
