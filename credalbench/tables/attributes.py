"""Interpret the cells of a table as attributes, true classes and names of the objects."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from credalbench.core.checks import standardized, trimmed_limits
from credalbench.core.names import as_index
from credalbench.tables.cells import Cells, first_few
from credalbench.tables.columns import ParsedColumn, Reading, as_frame, parse_column, with_table
from credalbench.tables.missing import handle_missing, missing_value_question, sentinel_questions
from credalbench.tables.numerals import BEYOND, parse_numbers
from credalbench.tables.roles import (
    NUMERIC,
    ROLE_OPTIONS,
    Column,
    Question,
    assign_roles,
    expect_roles,
    role_questions,
)
from credalbench.tables.user_table import UserTable

#: Largest ratio of the standard deviations of two attributes that raises no question.
MAX_SPREAD_RATIO = 10.0
ATTRIBUTES = (*NUMERIC, "category")
#: Contents of columns that are left out because they carry no information about groups of objects.
UNDESCRIBED = (
    "names",
    "record numbers",
    "identifiers",
    "nearly unique words",
    "numbers and words",
    "one value",
    "nothing",
)
DEFAULT_READING = Reading()
TOTALS = ("total", "totals", "sum", "overall", "all", "gesamt", "summe", "grand total", "average", "mean")
STANDARDIZED = "numbers scaled to mean 0 and standard deviation 1, apart from extreme values"
MAX_EXACT_INTEGER = 2**53  # larger integers are not exact as floats


def attribute_table(
    cells: Cells,
    reading: Reading,
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    standardize: bool | None = None,
) -> UserTable:
    """Interpret the columns of a table; arguments as in `read_user_table`."""
    given = expect_roles({} if columns is None else columns, list(cells.frame.columns))
    parsed, notes = _parse_columns(cells, given, reading)
    _expect_numbers(cells, parsed, given)
    index = None if "names" in given.values() else _index_of_frame(cells)
    roles = _usable_roles(parsed, given, named=index is not None)
    blocking = sentinel_questions(cells, parsed, roles, reading.na_values, given)
    blocking = blocking or _attribute_question(cells, parsed, roles, given)
    questions = layout_questions(cells, parsed, reading) + role_questions(parsed, roles, given)
    index = names_of_objects(cells, parsed, roles) if index is None else index
    notes += _note_on_totals(cells, index)
    chosen = {column.label: column.values for column in parsed if roles[column.label] in ATTRIBUTES}
    frame, gaps = as_frame(chosen, cells.frame.index), _gaps(parsed, roles)
    classes = column_of(parsed, roles, "classes")
    frame, kept, done, open_gaps = _without_gaps(cells, frame, gaps, classes, missing)
    if missing == "columns":
        roles |= dict.fromkeys(gaps, "left out")
    counts = [column.label for column in parsed if roles[column.label] == "count" and column.label in frame]
    if counts:
        frame = frame.copy()
        frame[counts] = np.sqrt(frame[counts])
    scale = [] if blocking else _scale_questions(frame, standardize)
    if standardize:
        frame, scaled = _standardized(frame)
        done = [*done, *scaled]
    y, class_names = true_classes(column_of(parsed, roles, "classes"), kept)  # unless just left out
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
        if role != "names" and (role != "left out" or column.content not in UNDESCRIBED):
            columns[column.label] = values
    return as_frame(columns, parsed[0].values.index)[kept]


def column_of(parsed: Sequence[ParsedColumn], roles: Mapping[str, str], role: str) -> ParsedColumn | None:
    """Return the column of names or of classes, if there is one."""
    return next((column for column in parsed if roles[column.label] == role), None)


# ---------------------------------------------------------------- content of the columns


def _parse_columns(
    cells: Cells, given: Mapping[str, str], reading: Reading
) -> tuple[list[ParsedColumn], list[str]]:
    """Parse all columns; return them with notes.

    If some columns have decimal commas, points separate thousands in the other columns that allow it.
    """
    roles = (given.get(label) for label in cells.frame)
    parsed = [
        parse_column(label, cells.frame[label], cells.positions, reading, role)
        for label, role in zip(cells.frame, roles)
    ]
    commas = [column.label for column in parsed if column.decimal_comma]
    notes = [f"decimal commas in {first_few(commas)}"] if commas and reading.decimal is None else []
    for l, column in enumerate(parsed if notes else ()):
        if column.texts is not None and column.numbers.thousands:
            parsed[l] = replace(column, numbers=column.numbers._replace(alternative=""))
        elif column.texts is not None and not column.decimal_comma:
            found = parse_numbers(column.texts, ",")
            changed = found.values.notna().equals(column.values.notna()) and not found.values.equals(
                column.values
            )
            if changed:
                other = parse_column(column.label, found.values, cells.positions, reading)
                parsed[l] = replace(other, numbers=found._replace(thousands=True))
    thousands = [column.label for column in parsed if column.numbers and column.numbers.thousands]
    notes += [f"points in column {label!r} separate thousands" for label in thousands[:3]]
    units = {c.label: c.numbers.unit for c in parsed if c.numbers and c.numbers.unit}
    listed = ", ".join(f"{label!r} in {unit}" for label, unit in [*units.items()][:3])
    more = f" and {len(units) - 3} more" if len(units) > 3 else ""
    notes += [f"numbers with a unit: {listed}{more}"] if units else []
    return with_table(parsed), notes


def _note_on_totals(cells: Cells, index: pd.Index | None) -> list[str]:
    """Return a note on a last object that is probably the sum of the others."""
    if index is None or not len(index) or str(index[-1]).strip().lower() not in TOTALS:
        return []
    return [f"the last object, {str(index[-1])!r}, may be a sum or mean of the others ({cells.place(-1)})"]


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


def layout_questions(
    cells: Cells, parsed: Sequence[ParsedColumn] = (), reading: Reading = DEFAULT_READING
) -> list[Question]:
    """Return questions about the header and the decimal mark of a file, and about limits of detection."""
    questions = []
    if cells.layout is not None and not cells.layout.header_known:
        found, what = cells.layout.header, "a header" if cells.layout.header else "an object"
        text = f"the first line may be a header or an object; it is read as {what}"
        options = {"header": found}, {"header": not found}
        questions.append(Question("header", text, options, likely=options[0]))
    unclear = {c.label: c.numbers for c in parsed if c.numbers is not None and c.numbers.alternative}
    commas = [label for label, numbers in unclear.items() if numbers.decimal_comma]
    points = [label for label, numbers in unclear.items() if numbers.thousands]
    if commas:
        text = f"commas in {first_few(commas)} are read as decimal marks, but may separate thousands"
        questions.append(Question("decimal mark", text, ({"decimal": ","}, {"decimal": "."})))
    if points:
        text = f"points in {first_few(points)} are read as marks between thousands, but may be decimal points"
        options = {"decimal": ","}, {"decimal": "."}
        questions.append(Question("decimal mark", text, options, likely=options[0]))
    beyond = [c for c in parsed if c.numbers is not None and c.numbers.beyond is not None]
    if beyond and reading.beyond is None:
        first = beyond[0]
        number = sum(int(column.numbers.beyond.sum()) for column in beyond)
        text = (
            f"{number} cells in {first_few([column.label for column in beyond])} are limits, such as "
            f"{first.texts[first.numbers.beyond].iloc[0]}, and are read as the limit itself"
        )
        options = tuple({"beyond": one} for one in BEYOND)
        questions.append(Question("limits", text, options, likely=options[0]))
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
    """Ask for an attribute if there is none."""
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


def names_of_objects(
    cells: Cells, parsed: Sequence[ParsedColumn], roles: Mapping[str, str]
) -> pd.Index | None:
    """Return the column of names, if there is one; raise an error if a name is missing or not unique."""
    column = column_of(parsed, roles, "names")
    if column is None:
        return None
    values, original = column.values, cells.frame[column.label]
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
    written = not is_numeric_dtype(original) and original.astype(str).str.match(r"\s*[-+]?0\d").any()
    return pd.Index(original.str.strip() if written else values.astype(int), name=column.label)


def true_classes(column: ParsedColumn | None, kept: np.ndarray) -> tuple[np.ndarray | None, tuple[str, ...]]:
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
    frame = frame.copy()
    frame[numbers] = scaled
    return frame, [STANDARDIZED]


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
