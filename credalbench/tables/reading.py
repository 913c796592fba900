"""The one reader of own tables: a file or a data frame becomes an `UserTable`, what is unclear a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
from numpy.typing import ArrayLike

from credalbench.arguments import Choice, Count, Flag, expect
from credalbench.tables.attributes import table_of_attributes
from credalbench.tables.cells import LIBRARY, Cells, cells_of_file, cells_of_frame
from credalbench.tables.gaps import MISSING
from credalbench.tables.layout import DELIMITERS
from credalbench.tables.matrices import KINDS, matrix_in, said_of_names
from credalbench.tables.roles import Question
from credalbench.tables.sentinels import expect_na_values
from credalbench.tables.text import Limits
from credalbench.tables.user_table import UserTable


def read_user_table(
    source: str | Path | bytes | pd.DataFrame | ArrayLike,
    *,
    name: str | None = None,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    na_values: Sequence[str | float] = (),
    standardize: bool | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    max_objects: int | None = None,
    random_state: int = 0,
    limits: Limits = LIBRARY,
) -> UserTable:
    r"""Read a table of one's own: what it holds is found out, shown, and asked about where it is not clear.

    Parameters
    ----------
    source : str, os.PathLike, bytes, DataFrame or array
        A delimited text file by its path or contents; or a data frame, whose index names the objects unless
        it counts them.
    name : str, optional
        What the data are called; the file's own name by default.
    kind : {"attributes", "dissimilarities"}, optional
        What the table holds. By default a square table, or one with a column of names more, is a matrix of
        dissimilarities if its diagonal is zero or empty, as is one row of n (n - 1) / 2 numbers; one such
        column is asked about. Of a matrix the upper or the lower triangle is enough.
    columns : mapping of str to str, optional
        What columns are taken for, by their names: "number" (dates become days since the first one),
        "category", "classes" (true ones, no attribute), "names" (of the objects) or "left out".
    missing : {"rows", "columns", "impute", "skip"}, optional
        What is done about missing values: leave out objects or attributes that have some, put in the median
        or the commonest category, or skip them in the dissimilarities `UserTable.D`. Without it they are
        asked about, and nothing is handed out.
    na_values : sequence of str and float, default ()
        Cells that stand for missing values, beside those that always do. By default words among numbers are
        asked about, and so is a number as -999 or 9999 that lies far from all others of its column.
    standardize : bool, optional
        Whether numbers are scaled to mean 0 and standard deviation 1. By default they are not, and it is
        asked where their standard deviations differ by more than a factor of 10.
    encoding, delimiter, decimal, header : str, str, {".", ","}, bool, optional
        How a file is laid out, each found by default: Python's name of the encoding; what separates cells,
        where a blank stands for blanks and tabs; the decimal mark of all columns; whether the first row
        names the columns.
    max_objects : int, optional
        Of more objects so many are drawn, each subset as likely.
    random_state : int, default 0
        Seed of that draw.
    limits : Limits
        Columns and characters of a cell beyond which a file is refused.

    Returns
    -------
    UserTable

    Raises
    ------
    ValueError
        No text, no table, rows of different lengths: the message names lines as they are in the file.
        Arguments that do not fit each other or the table.

    Notes
    -----
    Cells that are empty or say ``NA``, ``nan``, ``null``, ``none``, ``?``, ``-`` or the like are missing.
    Left out are columns of one value, of dates, of words that differ for all or most objects, and record
    numbers; the first column of such words, else of record numbers, has the names of the objects. A call
    with the answers to all questions as arguments leaves none. O(n p) time and memory.

    Examples
    --------
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table(b"plant;height;sort\na;1,5;x\nb;2,5;x\nc;;y\nd;3,0;y\n", missing="rows")
    >>> table.X["height"].tolist()
    [1.5, 2.5, 3.0]
    >>> table.questions[0].answers[0]
    "columns={'sort': 'classes'}"
    """
    arguments = {name: value for name, value in locals().items() if name != "source"}
    kind = (Choice(*KINDS) | None).read("kind", kind)
    missing = (Choice(*MISSING) | None).read("missing", missing)
    na_values = expect_na_values(na_values)
    standardize = (Flag() | None).read("standardize", standardize)
    decimal = (Choice(".", ",") | None).read("decimal", decimal)
    sample = {
        "max_objects": (Count(3) | None).read("max_objects", max_objects),
        "random_state": Count(0).read("random_state", random_state),
    }
    if isinstance(source, str | Path | bytes | bytearray | memoryview):
        delimiter = (Choice(*DELIMITERS) | None).read("delimiter", delimiter)
        header = (Flag() | None).read("header", header)
        laid_out = {"encoding": encoding, "delimiter": delimiter, "header": header, "limits": limits}
        cells = cells_of_file(source, name, **laid_out, **sample)
    else:
        cells = cells_of_frame(source, name, **sample)
    about = {"columns": columns, "missing": missing, "standardize": standardize, "na_values": na_values}
    table = _understood(cells, kind, decimal, **about)
    return replace(table, source=source, arguments=arguments)


def read_again(table: UserTable, **answers: object) -> UserTable:
    r"""Read a table once more, with answers to its questions.

    Parameters
    ----------
    table : UserTable
        As `read_user_table` returned it.
    **answers
        Arguments of `read_user_table`. Those of `table` stay, unless they are among these; so do its
        `columns`, one by one.

    Returns
    -------
    UserTable

    Raises
    ------
    ValueError
        The table was not read, or the answers do not fit it.

    Examples
    --------
    >>> from credalbench.tables import read_again, read_user_table
    >>> table = read_user_table(b"u,v\n1,5\n2,-999\n3,6\n4,8\n")
    >>> table.questions[0].ways[0]
    {'na_values': (-999,)}
    >>> read_again(table, na_values=[-999], missing="impute").X["v"].tolist()
    [5.0, 6.0, 6.0, 8.0]
    """
    expect(table.source is not None, "a table of read_user_table", f"one without a source, {table.name}")
    columns = dict(table.arguments["columns"] or {}) | dict(answers.get("columns") or {})
    return read_user_table(table.source, **dict(table.arguments) | answers | {"columns": columns})


def _understood(cells: Cells, kind: str | None, decimal: str | None, **about: object) -> UserTable:
    """Dissimilarities, a question whether they are, or attributes."""
    matrix = matrix_in(cells, kind, decimal)
    if matrix is None:
        cells.expect_objects()
        return table_of_attributes(cells, decimal=decimal, **about)
    told = {"layout": cells.layout, "text": cells.text}
    if isinstance(matrix, Question):
        nothing = cells.frame.iloc[:, :0]
        return UserTable(
            cells.name, "numbers", nothing, cells.n_rows, questions=(matrix,), said=cells.said, **told
        )
    expect(not about["standardize"], f"attributes to standardise in {cells.name}", "dissimilarities")
    expect(not about["columns"], f"attributes in {cells.name}, to be told of in columns", "dissimilarities")
    lines = cells.lines if len(matrix) == len(cells.frame) else None
    said = (*cells.said, *said_of_names(cells))
    return UserTable(cells.name, "dissimilarities", matrix, cells.n_rows, lines=lines, said=said, **told)
