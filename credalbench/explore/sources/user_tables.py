"""User tables for explorers, read by `credalbench.tables`, and notes about them."""

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from credalbench.explore.sources.source import LIMITS, MAX_NAME_LENGTH, MAX_OBJECTS, expect_few_bytes
from credalbench.explore.sources.tables import Table, table_from_arrays
from credalbench.tables import UserTable, as_dissimilarities, read_user_table
from credalbench.tables.cells import expect_short_names, first_few

#: Questions that are added to the note.
MENTIONED = ("header", "decimal mark", "scale")
#: The button above the questions about a user table.
WHAT_WAS_READ = "What was read"
#: Largest number of left-out columns listed in the note.
MAX_LEFT_OUT = 5


def read_table(source: object, name: str | None = None, **arguments: object) -> UserTable:
    """Read a file, its bytes or a data frame within the limits of explorers; see `read_user_table`."""
    sample = {"max_objects": MAX_OBJECTS} | arguments
    return read_user_table(source, name=name, limits=LIMITS, **sample)


def table_from_csv(source: str | Path | bytes, name: str | None = None) -> Table:
    """Read a delimited text file into a `Table` of numbers, or of dissimilarities.

    Parameters
    ----------
    source : str, os.PathLike or bytes
        A path, or the contents of a file.
    name : str, optional
        Name of the data; the name of the file by default.

    Returns
    -------
    Table
        Its note says what was read and how.

    Raises
    ------
    ValueError
        If the file is larger than `MAX_MEGABYTES`, cannot be read as a table, has no numeric column, or
        leaves a question open; the message names the column.

    Notes
    -----
    See `read_user_table` for how files are read. Tables of more than `MAX_OBJECTS` objects are sampled.
    Numeric columns are the attributes; the note names the others.
    """
    expect_few_bytes(source, name)
    own = read_table(source, name)
    return table_from_user_table(own, own.text)


def table_from_array(data: ArrayLike) -> Table:
    """Prepare an array of attributes (n, p) or of dissimilarities."""
    D = as_dissimilarities(np.asarray(data))
    return table_from_arrays("your data", X=data) if D is None else table_from_arrays("your data", D=D)


def table_from_user_table(own: UserTable, text: str | None = None, gower: bool = False) -> Table:
    """Prepare a user table.

    Parameters
    ----------
    own : UserTable
    text : str, optional
        The text of the file, from which the table can be read again.
    gower : bool, default False
        Whether categories are compared by Gower's dissimilarities, or left out.

    Raises
    ------
    ValueError
        If a question has to be answered first, or there is no numeric column.
    """
    expect_answers(own)
    expect_short_names(own.class_names, "class", own.name, LIMITS)
    compared = by_gower(own, gower)
    about = {"y": own.y, "class_names": own.class_names, "note": note_of(own, compared), "text": text}
    about["object_names"] = names_of(own)
    if has_dissimilarities(own, gower):
        return table_from_arrays(own.name, D=own.D.to_numpy(float), **about)
    X = own.frame.select_dtypes("number")
    if X.shape[1] == 0:
        got = first_few(own.frame.columns)
        raise ValueError(f"{own.name}: expected at least one numeric column; got {got}")
    return table_from_arrays(own.name, X=X.to_numpy(float), feature_names=tuple(X.columns), **about)


def by_gower(own: UserTable, gower: bool) -> bool:
    """Return whether objects are compared by Gower's dissimilarities."""
    return gower and own.kind in ("mixed", "categories")


def has_dissimilarities(own: UserTable, gower: bool) -> bool:
    """Return whether objects are compared by dissimilarities that are not distances of attributes."""
    return bool(own.kind == "dissimilarities" or own.skips_missing or by_gower(own, gower))


def names_of(own: UserTable) -> tuple[str, ...]:
    """Return the names of the objects, if any; names that are too long are shortened."""
    if isinstance(own.index, pd.RangeIndex):
        return ()
    names = map(str, own.index)
    return tuple(name if len(name) <= MAX_NAME_LENGTH else f"{name[:MAX_NAME_LENGTH]}…" for name in names)


def expect_answers(own: UserTable) -> None:
    """Raise a ValueError if a question must be answered before the table can be used.

    Raises
    ------
    ValueError
    """
    for question in own.questions:
        if question.blocking:
            raise ValueError(
                f"{own.name}: {question.text}. Answer it below {WHAT_WAS_READ!r}, or correct the file"
            )


def note_of(own: UserTable, compared: bool = False) -> str:
    """Return the note about a user table; categories are `compared` or left out."""
    if own.kind == "dissimilarities":
        return f"{'; '.join([f'{own.name}: {own.heading()}', *own.notes])}."
    X = own.frame if own.skips_missing or compared else own.frame.select_dtypes("number")
    attributes = f"{X.shape[1]} attribute" + "s" * (X.shape[1] != 1)
    parts = [f"{own.name}: {own.n_objects} objects, {attributes}, {own.class_summary()}"]
    parts += [f"names from column {column.name!r}" for column in own.columns if column.role == "names"]
    parts += [f"left out: {label!r} ({holds})" for label, holds in own.left_out().items()][:MAX_LEFT_OUT]
    words = [label for label in own.frame.columns if label not in X]
    parts += [f"no numbers, left out: {first_few(words)}"] if words else []
    parts += ["compared by Gower's dissimilarities"] if compared else []
    parts += [own.layout.encoding_note] if own.layout and own.layout.encoding_note else []
    parts += [*own.notes, *(question.text for question in own.questions if question.about in MENTIONED)]
    return f"{'; '.join(parts)}."
