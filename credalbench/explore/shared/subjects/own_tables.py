"""The user's own tables for explorers: read by `credalbench.tables`, and told of in a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.explore.shared.subjects.limits import LIMITS, MAX_OBJECTS, expect_few_bytes
from credalbench.explore.shared.subjects.tables import Table, table_from_arrays
from credalbench.tables import OwnTable, dissimilarities_in, read_own_table
from credalbench.tables.cells import expect_short_names, first_few

#: Questions that nothing else in a note tells of.
TOLD = ("header", "decimal mark", "scale")
#: Columns that are left out and told of one by one.
MAX_LEFT_OUT = 5


def table_from_csv(source: str | Path | bytes, name: str | None = None) -> Table:
    """Read a delimited text file into a `Table`.

    Parameters
    ----------
    source : str, os.PathLike or bytes
        A path, or the contents of a file.
    name : str, optional
        Name of the data; the file's own by default.

    Returns
    -------
    Table
        Its note says what was read and how.

    Raises
    ------
    ValueError
        If the file is larger than ``limits.py`` allows, cannot be read as a table, has no numeric column, or
        holds missing or infinite values; the message names the column.

    Notes
    -----
    `read_own_table` says how a file is read. Of more than `MAX_OBJECTS` objects so many are drawn. Numbers
    are the attributes, and the note names the columns that are not.
    """
    expect_few_bytes(source, name)
    own = read_own_table(source, name=name, max_objects=MAX_OBJECTS, limits=LIMITS)
    return table_from_own(own, own.text)


def table_from_data(data: object) -> Table:
    """Prepare a data frame, an array of attributes (n, p), or one of dissimilarities."""
    if isinstance(data, pd.DataFrame):
        return table_from_own(read_own_table(data, max_objects=MAX_OBJECTS, limits=LIMITS))
    D = dissimilarities_in(np.asarray(data))
    return table_from_arrays("own data", X=data) if D is None else table_from_arrays("own data", D=D)


def table_from_own(own: OwnTable, text: str | None = None) -> Table:
    """Prepare a table that was read; `text` is the file, if that alone gives the same table again.

    Raises
    ------
    ValueError
        If a question has to be answered first, or there is no numeric column.
    """
    expect_answers(own)
    if own.kind == "dissimilarities" or own.skips:
        return table_from_arrays(own.name, D=own.D.to_numpy(float), y=own.y, note=note_of(own), text=text)
    X = own.frame.select_dtypes("number")
    if X.shape[1] == 0:
        got = first_few(own.frame.columns)
        raise ValueError(f"{own.name}: expected at least one numeric column; got {got}")
    expect_short_names(own.class_names, "class", own.name, LIMITS)
    return table_from_arrays(
        own.name,
        X=X.to_numpy(float),
        y=own.y,
        class_names=own.class_names,
        feature_names=tuple(X.columns),
        note=note_of(own),
        text=text,
    )


def expect_answers(own: OwnTable) -> None:
    """Refuse a table with a question that there is no reading without, and say where it can be answered.

    Raises
    ------
    ValueError
    """
    for question in own.questions:
        if question.blocking:
            raise ValueError(
                f"{own.name}: {question.text}. Mend the file, or answer in credalbench.tables.read_own_table "
                f"and give what it returns to the explorer: {' or '.join(question.answers)}"
            )


def note_of(own: OwnTable) -> str:
    """What a user should know of an own table, in a sentence."""
    if own.kind == "dissimilarities":
        return f"{'; '.join([f'{own.name}: {own.heading()}', *own.said])}."
    X = own.frame if own.skips else own.frame.select_dtypes("number")
    attributes = f"{X.shape[1]} attribute" + "s" * (X.shape[1] != 1)
    parts = [f"{own.name}: {own.n_objects} objects, {attributes}, {own.classes_told()}"]
    parts += [f"names from column {column.name!r}" for column in own.columns if column.role == "names"]
    parts += [f"left out: {label!r} ({holds})" for label, holds in own.left_out().items()][:MAX_LEFT_OUT]
    words = [label for label in own.frame.columns if label not in X]
    parts += [f"no numbers, left out: {first_few(words)}"] if words else []
    parts += [own.layout.guess] if own.layout and own.layout.guess else []
    parts += [*own.said, *(question.text for question in own.questions if question.about in TOLD)]
    return f"{'; '.join(parts)}."
