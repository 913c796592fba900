"""Triangles of a matrix, written row by row: each line has a cell more than the one before, or one less."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from credalbench.tables.text import Row, is_missing, is_number

#: Lines that tell a triangle.
LEAST_ROWS = 3


def is_triangle(rows: Sequence[list[str]]) -> bool:
    """Whether rows of cells are a triangle of numbers, perhaps with names above and beside them."""
    body = rows[has_names(rows) :]
    if len(body) < LEAST_ROWS or _step(body) == 0:
        return False
    return all(_may_be_number(cell) for cells in body for cell in cells[1:])


def has_names(rows: Sequence[list[str]]) -> bool:
    """Whether the first row names the objects: it is no step of the triangle, or holds words."""
    if len(rows) < LEAST_ROWS:
        return False
    return not all(map(_may_be_number, rows[0][1:])) or _step(rows[:3]) == 0


def _step(rows: Sequence[list[str]]) -> int:
    """1 where each row is one longer than the one before, -1 where it is one shorter, else 0."""
    steps = {len(below) - len(above) for above, below in pairwise(rows)}
    return steps.pop() if steps in ({1}, {-1}) else 0


def _may_be_number(cell: str) -> bool:
    return is_number(cell) or is_missing(cell)


def squared(rows: Iterable[Row], name: str) -> tuple[list[str], list[Row]]:
    """Return the names of the columns, empty where there are none, and the rows of the whole square.

    Parameters
    ----------
    rows : iterable of Row
        Of a triangle: a first row of names, and a first column of them, are optional, as is the diagonal.
    name : str
        Of the file, for messages.

    Returns
    -------
    heads : list of str
    rows : list of n Row
        The other triangle is empty. An object that has no line of its own has that of its neighbour.

    Raises
    ------
    ValueError
        A line that is no step of the triangle.
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
    """So many as rows if those have the diagonal, or one of them is empty; else one more."""
    ends = [cells[-1 if step > 0 else 0] for cells in values if cells]
    diagonal = all(is_missing(cell) or not cell.strip("+-0.,") for cell in ends)
    return len(values) + (len(ends) == len(values) and not diagonal)


def _square(
    body: Sequence[Row], values: Sequence[list[str]], step: int, names: list[str], heads: list[str]
) -> tuple[list[str], list[Row]]:
    """Put the values of each row where they belong, and a row of nothing where an object has none."""
    n = _n_objects(values, step)
    if len(body) < n:  # the first object of a lower triangle, the last one of an upper triangle
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
