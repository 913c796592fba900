"""User tables of categories: numbers and empty cells are also categories."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.explore.sources.source import LIMITS, MAX_OBJECTS
from credalbench.tables import Column, UserTable
from credalbench.tables.attributes import layout_questions
from credalbench.tables.cells import (
    Cells,
    Draw,
    cells_from_file,
    cells_from_frame,
    expect_short_names,
    first_few,
)
from credalbench.tables.roles import expect_roles, is_class_column

#: Category of empty cells.
BLANK = "(blank)"
ALL_DIFFERENT = "different words"


def read_categories(
    source: str | Path | bytes | pd.DataFrame,
    name: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    max_objects: int = MAX_OBJECTS,
    random_state: int = 0,
    **layout: object,
) -> UserTable:
    """Read a table whose columns are categorical attributes.

    Parameters
    ----------
    source : str, os.PathLike, bytes or DataFrame
    name : str, optional
        Name of the data; the name of the file by default.
    columns : mapping of str to str, optional
        Roles of columns, as in `read_user_table`; a "number" is a category here.
    max_objects, random_state : int
        Size and seed of the random sample of larger tables.
    **layout
        Layout of a file: ``delimiter``, ``header``, as in `read_user_table`.

    Returns
    -------
    UserTable
        A table of strings without missing values.

    Raises
    ------
    ValueError
        If the source cannot be read as a table, or has no attribute.

    Notes
    -----
    A column named "class", "species" or similar holds the true classes. Of the columns whose values are all
    different, the first one names the objects and others are left out. Numbers are treated as categories,
    and so are empty cells.
    """
    sample, draw = {"max_objects": max_objects, "random_state": random_state}, Draw(max_objects, random_state)
    if isinstance(source, pd.DataFrame):
        cells = cells_from_frame(source, name, draw)
    else:
        cells = cells_from_file(source, name, limits=LIMITS, **layout, draw=draw)
    cells.expect_objects()
    frame = cells.frame.astype(object).where(cells.frame.notna(), "").astype(str).replace("", BLANK)
    taken = _roles(frame, expect_roles({} if columns is None else columns, list(frame.columns)))
    values = frame[[label for label, role in taken.items() if role in ("category", "number")]]
    if not values.shape[1]:
        got = first_few([label for label, role in taken.items() if role != "classes"])
        raise ValueError(f"{cells.name}: expected a column in which some objects agree; got {got}")
    y, class_names = _classes(cells, frame, taken)
    arguments = {"columns": columns} | sample | layout
    return UserTable(
        name=cells.name,
        kind="categories",
        frame=values.set_axis(_names(cells, frame, taken), axis="index"),
        n_rows=cells.n_rows,
        y=y,
        class_names=class_names,
        columns=tuple(Column(label, _holds(frame[label]), role) for label, role in taken.items()),
        questions=tuple(layout_questions(cells)),
        notes=tuple(_notes(cells, values, frame, taken)),
        lines=cells.lines,
        layout=cells.layout,
        text=cells.text,
        source=source,
        arguments=arguments,
    )


def _roles(frame: pd.DataFrame, given: Mapping[str, str]) -> dict[str, str]:
    """Return the role of each column, as `given` or else as detected."""
    taken = {label: given.get(label, "category") for label in frame}
    free = [label for label in frame if label not in given]
    if "classes" not in given.values():
        classes = next((label for label in free if is_class_column(label)), None)
        taken |= {classes: "classes"} if classes else {}
    unique = [label for label in free if taken[label] == "category" and frame[label].is_unique]
    taken |= dict.fromkeys(unique, "left out")
    if unique and "names" not in given.values():
        taken[unique[0]] = "names"
    return taken


def _holds(values: pd.Series) -> str:
    n_values = values.nunique()
    return "one value" if n_values == 1 else ALL_DIFFERENT if n_values == len(values) else f"{n_values} words"


def _names(cells: Cells, frame: pd.DataFrame, taken: Mapping[str, str]) -> pd.Index:
    """Return the names of the objects: a column, else the index of a data frame, else numbers from 0."""
    label = next((label for label, role in taken.items() if role == "names"), None)
    if label is not None:
        if not frame[label].is_unique:
            again = frame[label][frame[label].duplicated()].iloc[0]
            got = f"expected a unique name for each object in column {label!r}; got {again!r} again"
            raise ValueError(f"{cells.name}: {got}")
        return pd.Index(frame[label], name=label)
    return frame.index if cells.layout is None and frame.index.is_unique else cells.row_numbers()


def _classes(
    cells: Cells, frame: pd.DataFrame, taken: Mapping[str, str]
) -> tuple[np.ndarray | None, tuple[str, ...]]:
    label = next((label for label, role in taken.items() if role == "classes"), None)
    if label is None:
        return None, ()
    y, class_names = pd.factorize(frame[label], sort=True)
    expect_short_names(class_names, "class", cells.name, LIMITS)
    return y.astype(np.intp), tuple(map(str, class_names))


def _notes(cells: Cells, values: pd.DataFrame, frame: pd.DataFrame, taken: Mapping[str, str]) -> list[str]:
    left_out = [label for label, role in taken.items() if role == "left out"]
    different = [label for label in left_out if frame[label].is_unique]
    others = [label for label in left_out if label not in different]
    blanks = int((values == BLANK).to_numpy().sum())
    given = [f"different for all objects, left out: {first_few(different)}"] if different else []
    given += [f"left out: {first_few(others)}"] if others else []
    given += [f"{blanks} empty cells are a value of their own"] if blanks else []
    given += [cells.layout.encoding_note] if cells.layout and cells.layout.encoding_note else []
    return [*given, *cells.notes]
