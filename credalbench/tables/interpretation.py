"""Interpret the cells of a table as attributes, true classes and names of the objects."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from credalbench.core.checks import standardized, trimmed_limits
from credalbench.core.names import as_index
from credalbench.tables.cells import Cells, first_few
from credalbench.tables.columns import ParsedColumn, as_frame, parse_column, with_counts
from credalbench.tables.missing_values import handle_missing, missing_value_question
from credalbench.tables.roles import (
    NUMERIC,
    ROLE_OPTIONS,
    Column,
    Question,
    assign_roles,
    expect_roles,
    role_questions,
)
from credalbench.tables.sentinels import sentinel_questions
from credalbench.tables.user_table import UserTable

#: Largest ratio of the standard deviations of two attributes that raises no question.
MAX_SPREAD_RATIO = 10.0
ATTRIBUTES = (*NUMERIC, "category")
#: Contents of columns that are left out because they carry no information about groups of objects.
IDENTIFIERS = ("names", "record numbers", "nearly unique words", "numbers and words", "one value", "nothing")
STANDARDIZED = "numbers scaled to mean 0 and standard deviation 1, apart from extreme values"
MAX_EXACT_INTEGER = 2**53  # larger integers are not exact as floats


def attribute_table(
    cells: Cells,
    columns: Mapping[str, str] | None = None,
    decimal: str | None = None,
    missing: str | None = None,
    standardize: bool | None = None,
    na_values: Sequence[str | float] = (),
) -> UserTable:
    """Interpret the columns of a table; arguments as in `read_user_table`.

    Raises
    ------
    ValueError
        If there is no attribute, or if the arguments do not fit the table.
    """
    given = expect_roles({} if columns is None else columns, list(cells.frame.columns))
    parsed, notes = _parse_columns(cells, given, decimal, na_values)
    _expect_numbers(cells, parsed, given)
    index = None if "names" in given.values() else _index_of_frame(cells)
    roles = _usable_roles(parsed, given, named=index is not None)
    blocking = sentinel_questions(cells, parsed, roles, na_values, given)
    blocking = blocking or _attribute_question(cells, parsed, roles, given)
    questions = layout_questions(cells, parsed) + role_questions(parsed, roles, given)
    index = _names(cells, parsed, roles) if index is None else index
    chosen = {column.label: column.values for column in parsed if roles[column.label] in ATTRIBUTES}
    frame, gaps = as_frame(chosen, cells.frame.index), _gaps(parsed, roles)
    classes = _find(parsed, roles, "classes")
    frame, kept, done, open_gaps = _without_gaps(cells, frame, gaps, classes, missing)
    if missing == "columns":
        roles |= dict.fromkeys(gaps, "left out")
    counts = [column.label for column in parsed if roles[column.label] == "count" and column.label in frame]
    frame = frame.assign(**{label: np.sqrt(frame[label]) for label in counts})
    scale = [] if blocking else _scale_questions(frame, standardize)
    if standardize:
        frame, scaled = _standardized(frame)
        done = [*done, *scaled]
    y, class_names = _classes(_find(parsed, roles, "classes"), kept)  # unless just left out
    index = cells.row_numbers(kept) if index is None else index[kept]
    return UserTable(
        name=cells.name,
        kind=_kind(frame),
        frame=frame.set_axis(index, axis="index"),
        n_rows=cells.n_rows,
        y=y,
        class_names=class_names,
        columns=tuple(Column(c.label, c.content, roles[c.label], int(c.missing.sum())) for c in parsed),
        questions=(*blocking, *open_gaps, *questions, *scale),
        notes=(*cells.notes, *notes, *done),
        lines=None if cells.lines is None else cells.lines[kept],
        layout=cells.layout,
        text=cells.text,
        skips_missing=missing == "skip" and bool(frame.isna().to_numpy().any()),
        original=_original(parsed, roles, kept).set_axis(index, axis="index"),
    )


def _original(parsed: Sequence[ParsedColumn], roles: Mapping[str, str], kept: np.ndarray) -> pd.DataFrame:
    """Return the columns that can be described (see `UserTable`), with classes as words."""
    columns = {}
    for column in parsed:
        role, values = roles[column.label], column.values
        if role == "classes" and is_numeric_dtype(values):
            texts = values.map("{:.15g}".format)
            values = texts.astype(object).where(values.notna(), None)
        if role != "names" and (role != "left out" or column.content not in IDENTIFIERS):
            columns[column.label] = values
    return as_frame(columns, parsed[0].values.index)[kept]


def _find(parsed: Sequence[ParsedColumn], roles: Mapping[str, str], role: str) -> ParsedColumn | None:
    """Return the column of names or of classes, if there is one."""
    return next((column for column in parsed if roles[column.label] == role), None)


# ---------------------------------------------------------------- content of the columns


def _parse_columns(
    cells: Cells, given: Mapping[str, str], decimal: str | None, na_values: Sequence[str | float]
) -> tuple[list[ParsedColumn], list[str]]:
    """Parse all columns; return them with notes.

    If some columns have decimal commas, points separate thousands in the other columns that allow it.
    """

    def parse(label: str, mark: str | None) -> ParsedColumn:
        as_text = given.get(label) == "category" or mark == ","
        values = cells.texts(label) if as_text else cells.frame[label]
        return parse_column(label, values, cells.positions, mark, given.get(label), na_values)

    parsed, notes = [parse(label, decimal) for label in cells.frame], []
    commas = [column.label for column in parsed if column.decimal_comma]
    if decimal is None and commas:
        notes.append(f"decimal commas in {first_few(commas)}")
        for l, column in enumerate(parsed):
            if is_numeric_dtype(column.values) and not is_numeric_dtype(cells.texts(column.label)):
                other = parse(column.label, ",")
                if is_numeric_dtype(other.values) and not other.values.equals(column.values):
                    parsed[l] = other
                    notes.append(f"points in column {column.label!r} separate thousands")
    return with_counts(parsed), notes


def _expect_numbers(cells: Cells, parsed: Sequence[ParsedColumn], given: Mapping[str, str]) -> None:
    """Raise an error that lists all columns that were given as numbers and are not."""
    faults = []
    for column in parsed:
        if given.get(column.label) in NUMERIC and column.content != "numbers and words":
            expected = f"column {column.label!r} should hold"
            if not is_numeric_dtype(column.values):
                faults.append(f"{expected} numbers; got {column.content}")
            elif column.content == "dates" and column.alternative:
                faults.append(
                    f"{expected} dates such as 2026-12-31; got some that may have {column.alternative}"
                )
            elif given[column.label] == "count" and column.values.min() < 0:
                faults.append(f"{expected} counts of at least 0; got {column.values.min():g}")
    more = f"; and {len(faults) - 3} more columns" if len(faults) > 3 else ""
    if faults:
        raise ValueError(f"{cells.name}: {'; '.join(faults[:3])}{more}")


def layout_questions(cells: Cells, parsed: Sequence[ParsedColumn]) -> list[Question]:
    """Return questions about the header and the decimal mark of a file."""
    questions = []
    if cells.layout is not None and not cells.layout.header_known:
        text = "the first line may be a header or an object; it is read as an object"
        questions.append(
            Question("header", text, ({"header": False}, {"header": True}), likely={"header": False})
        )
    ambiguous = [column.label for column in parsed if column.decimal_comma and column.alternative]
    if ambiguous:
        text = f"commas in {first_few(ambiguous)} are read as decimal marks, but may separate thousands"
        questions.append(Question("decimal mark", text, ({"decimal": ","}, {"decimal": "."})))
    return questions


# ---------------------------------------------------------------- attributes, names and classes


def _usable_roles(parsed: Sequence[ParsedColumn], given: Mapping[str, str], named: bool) -> dict[str, str]:
    """Return the role of each column; numeric columns with words are left out while a question is open."""
    roles = assign_roles(parsed, given, named)
    mixed = [column.label for column in parsed if column.content == "numbers and words"]
    return roles | {label: "left out" for label in mixed if roles[label] in NUMERIC}


def _attribute_question(
    cells: Cells, parsed: Sequence[ParsedColumn], roles: Mapping[str, str], given: Mapping[str, str]
) -> list[Question]:
    """Ask for an attribute if there is none.

    Raises
    ------
    ValueError
        If no column could be an attribute.
    """
    if {*ATTRIBUTES} & {*roles.values()}:
        return []
    got = ", ".join(f"{column.label!r} ({column.content})" for column in parsed[:3])
    more = f" and {len(parsed) - 3} more" if len(parsed) > 3 else ""
    text = f"expected at least one numeric or categorical column; got {got}{more}"
    unused = [column for column in parsed if roles[column.label] in ("left out", "names")]
    free = [c.label for c in unused if c.label not in given and c.content in ROLE_OPTIONS]
    if not free:
        raise ValueError(f"{cells.name}: {text}")
    options = tuple({"columns": {label: "category"}} for label in free[:3])
    return [Question("columns", text, options, blocking=True)]


def _gaps(parsed: Sequence[ParsedColumn], roles: Mapping[str, str]) -> pd.DataFrame:
    """Return the mask (n, q) of missing values, for the attributes and classes that have some."""
    used = [column for column in parsed if roles[column.label] in (*ATTRIBUTES, "classes")]
    return pd.DataFrame({column.label: column.missing for column in used if column.missing.any()})


def _without_gaps(
    cells: Cells, frame: pd.DataFrame, gaps: pd.DataFrame, classes: ParsedColumn | None, missing: str | None
) -> tuple[pd.DataFrame, np.ndarray, list[str], list[Question]]:
    """Return attributes without missing values, the mask of the remaining objects, notes and questions."""
    everything = np.ones(len(frame), dtype=bool)
    if gaps.shape[1] == 0:
        return frame, everything, [], []
    label = classes.label if classes else None
    if missing is None:
        return frame, everything, [], [missing_value_question(cells, gaps, label)]
    if label in gaps and missing in ("impute", "skip"):
        count = missing_value_question(cells, gaps[[label]], label).text
        raise ValueError(
            f"{cells.name}: {count}, but missing={missing!r} does not apply to classes; "
            f"use missing='rows' or columns={{{label!r}: 'left out'}}"
        )
    frame, kept, note = handle_missing(frame, gaps, missing, cells)
    return frame, kept, [note], []


def _index_of_frame(cells: Cells) -> pd.Index | None:
    """Return the index of a data frame, if it names the objects."""
    index = as_index(cells.frame.index, len(cells.frame))
    return None if cells.layout or index is None or not index.is_unique else index


def _names(cells: Cells, parsed: Sequence[ParsedColumn], roles: Mapping[str, str]) -> pd.Index | None:
    column = _find(parsed, roles, "names")
    if column is None:
        return None
    values, original = column.values, cells.texts(column.label)
    if is_numeric_dtype(values) and (values.abs() >= MAX_EXACT_INTEGER).any():
        values = original
    if not values.is_unique or column.missing.any():
        faulty = (values.duplicated() | column.missing).to_numpy()
        raise ValueError(
            f"{cells.name}: expected a unique name for each object in column {column.label!r}; got "
            f"{str(values[faulty].iloc[0])!r} again, or none, in {cells.places(faulty)}"
        )
    if values is original or not is_numeric_dtype(values) or (values % 1 != 0).any():
        return pd.Index(values.astype(object), name=column.label)
    leading_zeros = cells.layout is not None and original.str.match(r"[-+]?0\d").any()
    return pd.Index(original if leading_zeros else values.astype(int), name=column.label)


def _classes(column: ParsedColumn | None, kept: np.ndarray) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """Return the classes of the remaining objects as integers, -1 if missing, and their names."""
    if column is None:
        return None, ()
    values = column.values[kept]
    exact = is_numeric_dtype(values) and not (values.abs() >= MAX_EXACT_INTEGER).any()
    if exact and (values.dropna() % 1 == 0).all():
        values = values.astype("Int64")
    codes, names = pd.factorize(values, sort=True)
    return codes.astype(np.intp), tuple(map(str, names))


def _standardized(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Scale numeric attributes as `standardized` does, and add a note."""
    numbers = list(frame.select_dtypes("number").columns)
    if not numbers:
        return frame, []
    scaled = standardized(frame[numbers].to_numpy(dtype=float))
    return frame.assign(**dict(zip(numbers, scaled.T))), [STANDARDIZED]


def _scale_questions(frame: pd.DataFrame, standardize: bool | None) -> list[Question]:
    """Ask whether to standardise numeric attributes of very different spread."""
    if standardize is not None or _kind(frame) != "numbers":
        return []
    largest = frame.abs().max().replace(0, 1)  # keeps squares finite
    low, high = trimmed_limits(frame.to_numpy(dtype=float))
    spreads = ((frame.clip(low, high, axis=1) / largest).std() * largest).replace(0, np.nan).dropna()
    ratio = spreads.max() / spreads.min() if len(spreads) else 1.0
    if not ratio > MAX_SPREAD_RATIO:
        return []
    times = f"{ratio:.0f}" if ratio < 1e6 else f"{ratio:.0e}"
    text = f"column {spreads.idxmax()!r} varies {times} times as much as {spreads.idxmin()!r}"
    answers = {"standardize": False}, {"standardize": True}
    return [Question("scale", text, answers, likely=answers[1])]


def _kind(frame: pd.DataFrame) -> str:
    numeric = frame.dtypes.map(is_numeric_dtype)
    return "numbers" if numeric.all() else "mixed" if numeric.any() else "categories"
