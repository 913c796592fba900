"""Read user tables: a file or a data frame becomes a `UserTable`, with questions about what is ambiguous."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path

import pandas as pd
from numpy.typing import ArrayLike

from credalbench.core.arguments import Choice, Count, Flag, Instance, expect, expect_instance
from credalbench.tables.attributes import attribute_table
from credalbench.tables.cells import (
    DEFAULT_LIMITS,
    Cells,
    Draw,
    cells_from_file,
    cells_from_frame,
    cells_from_parquet,
)
from credalbench.tables.columns import Reading
from credalbench.tables.files import is_file, read_format
from credalbench.tables.layout import DELIMITERS, Limits
from credalbench.tables.matrices import KINDS, duplicate_name_note, find_matrix
from credalbench.tables.missing import MISSING, expect_na_values
from credalbench.tables.numerals import BEYOND
from credalbench.tables.roles import BY_NAME, Question
from credalbench.tables.user_table import UserTable


def read_user_table(
    source: str | Path | bytes | pd.DataFrame | ArrayLike,
    *,
    name: str | None = None,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    na_values: Sequence[str | float] = (),
    keep_na_words: bool = False,
    beyond: str | None = None,
    standardize: bool | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    skip_lines: int | None = None,
    max_objects: int | None = None,
    random_state: int = 0,
    limits: Limits = DEFAULT_LIMITS,
) -> UserTable:
    r"""Read a user table; detect its layout and contents, and ask about what is ambiguous.

    Parameters
    ----------
    source : str, os.PathLike, bytes, DataFrame or array-like
        A delimited text file, by its path or its contents, or a data frame. The index of a data frame names
        the objects, unless it is a range. A path may also lead to a parquet, feather or xlsx file (with the
        extra ``files``), to an npy, json or jsonl file, or to a text file in gz, bz2, xz or zip.
    name : str, optional
        Name of the data; the name of the file by default.
    kind : {"attributes", "dissimilarities", "similarities", "pairs"}, optional
        What the table holds. By default a square table with a zero or empty diagonal is a matrix of
        dissimilarities, and so is one row of n (n - 1) / 2 numbers; one such column raises a question.
        Similarities, which are subtracted from their maximum, and tables with a row for each pair of objects
        also raise a question. A matrix may have an additional column of names, and one triangle is
        sufficient.
    columns : mapping of str to str, optional
        Roles of columns by their names or by patterns such as "Q*": "number" (dates become days since the
        first one), "count" (its square root is used), "category", "classes" (true classes, not an attribute),
        "names" (of the objects), "left out", or answers in their order, such as "low < middle < high", which
        are read as 1, 2, 3.
    missing : {"rows", "columns", "impute", "skip"}, optional
        How to handle missing values: leave out the objects or the attributes that have some, impute the
        median or the most frequent category, or skip them in the dissimilarities `UserTable.D`. By default
        they raise a blocking question.
    na_values : sequence of str and float, default=()
        Cells that denote missing values, in addition to the usual ones. By default words among numbers raise
        a question, and so do numbers such as -999 or 9999 that are far from all others of their column.
    keep_na_words : bool, default=False
        Whether words such as NA and None are categories or names; only empty cells are missing then.
    beyond : {"limit", "half", "missing"}, optional
        How a number below a limit of detection, such as ``<0.5``, is read: as the limit, which is the default
        and raises a question, as half of it, or as a missing value.
    standardize : bool, optional
        Whether to scale numbers to mean 0 and standard deviation 1. Both are computed after the 5 % smallest
        and the 5 % largest values are replaced by the nearest others, so that faulty values have little
        influence. By default numbers are not scaled; if their standard deviations differ by more than a
        factor of 10, this raises a question.
    encoding : str, optional
        Python's name of the encoding of a file; detected by default.
    delimiter : str, optional
        Separator of the cells, where a blank denotes any run of blanks and tabs; detected by default.
    decimal : {".", ","}, optional
        Decimal mark of all columns; detected by default.
    header : bool, optional
        Whether the first row names the columns; detected by default.
    skip_lines : int, optional
        Number of lines above the table that are not read; detected by default.
    max_objects : int, optional
        Size of the sample that is drawn if there are more objects; all objects by default. Large text files,
        compressed or not, and parquet files are then read block by block.
    random_state : int, default=0
        Seed of the sample.
    limits : Limits, optional
        Largest numbers of columns and of characters in a cell or a name.

    Returns
    -------
    UserTable
        The table, with open questions.

    Raises
    ------
    ValueError
        If `source` is not a table, or if the arguments do not fit it. Messages state the line of the file.
    MissingPackage
        If the package that reads the format of the file is not installed.
    NotEnoughMemory
        If a file does not fit into memory and no sample is drawn, or none can be drawn in its format.

    See Also
    --------
    answer_questions : Read the table again, with answers to its questions.

    Notes
    -----
    Cells that are empty or ``NA``, ``nan``, ``null``, ``none``, ``?``, ``-`` and the like are missing values;
    in a category of pandas and in columns given as "category", only empty cells are. Numbers may have marks
    between thousands, a percent sign, a currency, or one unit. Constant columns, dates, record numbers,
    identifiers and words that differ for most objects are left out; the first column of unique words, or the
    first one of identifiers, names the objects. Answers of a known scale, such as "never" to "always", and
    ordered categories of pandas become numbers. Columns are true classes only if they are given or named so.
    No question is open if the answers to all questions are given as arguments. O(n p) time and memory.

    Examples
    --------
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table(b"plant;height;sort\na;1,5;x\nb;2,5;x\nc;;y\nd;3,0;y\n", missing="rows")
    >>> table.frame["height"].tolist()
    [1.5, 2.5, 3.0]
    >>> table.questions[0].answers[0]
    "columns={'sort': 'category'}"
    """
    arguments = {name: value for name, value in locals().items() if name != "source"}
    return _interpret(_read_cells(source, **arguments), source, arguments)


def read_with_likely_answers(source: object, **arguments: object) -> tuple[UserTable, tuple[Question, ...]]:
    """Read a user table as `read_user_table` does, and answer its questions by their likely answers.

    Parameters
    ----------
    source : str, os.PathLike, bytes, DataFrame or array-like
        As in `read_user_table`.
    **arguments
        Arguments of `read_user_table`.

    Returns
    -------
    table : UserTable
        The table. Its questions are those without a likely answer; its arguments have the answers.
    answered : tuple of Question
        The questions whose likely answer was taken.
    """
    usual = {name: one.default for name, one in signature(read_user_table).parameters.items()}
    arguments = {name: value for name, value in usual.items() if name != "source"} | arguments
    cells, answered = _read_cells(source, **arguments), []
    while True:
        table = _interpret(cells, source, arguments)
        taken = [question for question in table.questions if question.likely is not None]
        changes = [one.likely for one in taken if one.blocking or one.likely != one.options[0]]
        if not changes:
            others = tuple(question for question in table.questions if question.likely is None)
            answered = (*answered, *taken)
            return replace(table, questions=others, answered=answered), answered
        answered += [one for one in taken if one.likely in changes]
        for change in changes:
            columns = dict(arguments["columns"] or {}) | dict(change.get("columns") or {})
            arguments = arguments | change | ({"columns": columns} if columns else {})


def _read_cells(source: object, *, name: str | None, **arguments: object) -> Cells:
    """Return the cells of a source; arguments as in `read_user_table`."""
    most = (Count(3) | None).read("max_objects", arguments["max_objects"])
    draw = Draw(most, Count(0).read("random_state", arguments["random_state"]))
    (Instance(str) | None).read("name", name)
    (BY_NAME | None).read("columns", arguments["columns"])
    path = Path(source) if isinstance(source, str | Path) else None
    if path is not None and is_file(path):
        if path.suffix.lower() == ".parquet" and most is not None:
            return cells_from_parquet(path, name, draw)
        if (found := read_format(path)) is not None:
            source, name = found, name or path.name
    if not isinstance(source, str | Path | bytes | bytearray | memoryview):
        return cells_from_frame(source, name, draw)
    return cells_from_file(
        source,
        name,
        encoding=(Instance(str) | None).read("encoding", arguments["encoding"]),
        delimiter=(Choice(*DELIMITERS) | None).read("delimiter", arguments["delimiter"]),
        header=(Flag() | None).read("header", arguments["header"]),
        skip_lines=(Count(0) | None).read("skip_lines", arguments["skip_lines"]),
        limits=Instance(Limits).read("limits", arguments["limits"]),
        draw=draw,
    )


def _interpret(cells: Cells, source: object, arguments: Mapping[str, object]) -> UserTable:
    """Return the table that cells hold; arguments as in `read_user_table`."""
    kind = (Choice(*KINDS) | None).read("kind", arguments["kind"])
    reading = Reading(
        (Choice(".", ",") | None).read("decimal", arguments["decimal"]),
        expect_na_values(arguments["na_values"]),
        Flag().read("keep_na_words", arguments["keep_na_words"]),
        (Choice(*BEYOND) | None).read("beyond", arguments["beyond"]),
    )
    given = {
        "columns": arguments["columns"],
        "missing": (Choice(*MISSING) | None).read("missing", arguments["missing"]),
        "standardize": (Flag() | None).read("standardize", arguments["standardize"]),
    }
    return replace(_table_of(cells, kind, reading, **given), source=source, arguments=arguments)


def answer_questions(table: UserTable, **answers: object) -> UserTable:
    r"""Read a user table again, with answers to its questions.

    Parameters
    ----------
    table : UserTable
        A table returned by `read_user_table`.
    **answers : object
        Arguments of `read_user_table`, which replace those of `table`; `columns` are replaced one by one.

    Returns
    -------
    UserTable
        The table with these answers.

    Raises
    ------
    ValueError
        If the table was not read from a source, or if the answers do not fit it.

    See Also
    --------
    read_user_table : Read a user table.

    Examples
    --------
    >>> from credalbench.tables import answer_questions, read_user_table
    >>> table = read_user_table(b"u,v\n1,5\n2,-999\n3,6\n4,8\n")
    >>> table.questions[0].options[0]
    {'na_values': (-999,)}
    >>> answer_questions(table, na_values=[-999], missing="impute").X["v"].tolist()
    [5.0, 6.0, 6.0, 8.0]
    """
    expect_instance("table", table, UserTable)
    expect(table.source is not None, "a table from read_user_table", f"one without a source, {table.name}")
    roles = (BY_NAME | None).read("columns", answers.get("columns"))
    columns = dict(table.arguments["columns"] or {}) | dict(roles or {})
    return read_user_table(table.source, **dict(table.arguments) | answers | {"columns": columns})


def _table_of(cells: Cells, kind: str | None, reading: Reading, **given: object) -> UserTable:
    """Return a table of dissimilarities, one with a question about them, or one of attributes."""
    matrix = find_matrix(cells, kind, reading.decimal)
    if matrix is None:
        cells.expect_objects()
        return attribute_table(cells, reading, **given)
    origin = {"layout": cells.layout, "text": cells.text}
    if isinstance(matrix, Question):
        nothing = cells.frame.iloc[:, :0]
        open_ = {"questions": (matrix,), "notes": cells.notes}
        return UserTable(cells.name, "numbers", nothing, cells.n_rows, **open_, **origin)
    expect(not given["standardize"], f"attributes to standardise in {cells.name}", "dissimilarities")
    expect(not given["columns"], f"attributes in {cells.name} for the argument columns", "dissimilarities")
    lines = cells.lines if len(matrix) == len(cells.frame) else None
    notes = (*cells.notes, *duplicate_name_note(cells))
    return UserTable(cells.name, "dissimilarities", matrix, cells.n_rows, lines=lines, notes=notes, **origin)
