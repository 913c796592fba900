"""Triangular matrices in text files: each row has one cell more, or one less, than the row above."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from credalbench.tables.text import Row, is_missing, is_number

#: Fewest rows of a triangle.
MIN_ROWS = 3


def is_triangle(rows: Sequence[list[str]]) -> bool:
    """Return whether rows of cells are a triangle of numbers, with or without names of rows and columns."""
    body = rows[has_names(rows) :]
    if len(body) < MIN_ROWS or _step(body) == 0:
        return False
    return all(_may_be_number(cell) for cells in body for cell in cells[1:])


def has_names(rows: Sequence[list[str]]) -> bool:
    """Return whether the first row holds names: words, or a length that does not fit the triangle."""
    if len(rows) < MIN_ROWS:
        return False
    return not all(map(_may_be_number, rows[0][1:])) or _step(rows[:3]) == 0


def _step(rows: Sequence[list[str]]) -> int:
    """Return 1 if each row is one cell longer than the one above, -1 if one shorter, else 0."""
    steps = {len(below) - len(above) for above, below in pairwise(rows)}
    return steps.pop() if steps in ({1}, {-1}) else 0


def _may_be_number(cell: str) -> bool:
    return is_number(cell) or is_missing(cell)


def complete_triangle(rows: Iterable[Row], name: str) -> tuple[list[str], list[Row]]:
    """Expand the rows of a triangle to those of the square matrix.

    Parameters
    ----------
    rows : iterable of Row
        A triangle; a row and a column of names are optional, and so is the diagonal.
    name : str
        Name of the file, for error messages.

    Returns
    -------
    heads : list of str
        Names of the columns; empty strings if there are none.
    rows : list of n Row
        The other triangle is empty. An object without a line of its own gets that of its neighbour.

    Raises
    ------
    ValueError
        If the length of a row does not fit the triangle.
    """
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
    corner = named and header and not heads[0]
    return _square(body, values, step, names, heads[corner:])


def _n_objects(values: Sequence[list[str]], step: int) -> int:
    """Return the number of rows if they include the diagonal or an empty row, else one more."""
    ends = [cells[-1 if step > 0 else 0] for cells in values if cells]
    diagonal = all(is_missing(cell) or not cell.strip("+-0.,") for cell in ends)
    return len(values) + (len(ends) == len(values) and not diagonal)


def _square(
    body: Sequence[Row], values: Sequence[list[str]], step: int, names: list[str], heads: list[str]
) -> tuple[list[str], list[Row]]:
    """Pad each row to the width of the square; add an empty row for an object without values."""
    n = _n_objects(values, step)
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
        Row(i + bool(heads), row.line, [*names[i : i + 1], *padded(cells)])
        for i, (row, cells) in enumerate(zip(body, values))
    ]
    return [*[""] * bool(names), *padded(heads[-n:])], square
