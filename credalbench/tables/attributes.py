"""From the cells of a table to attributes, classes and names, with what was left out and what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from sklearn.preprocessing import StandardScaler

from credalbench.names import as_index
from credalbench.tables.cells import Cells, first_few
from credalbench.tables.columns import Contents, contents
from credalbench.tables.gaps import question_about, without_gaps
from credalbench.tables.roles import ASKED, Column, Question, expect_roles, questions_about, roles
from credalbench.tables.sentinels import questions_about_cells
from credalbench.tables.user_table import UserTable

#: Standard deviations of attributes that differ by more than this factor are asked about.
FACTOR = 10.0
ATTRIBUTES = ("number", "category")
EXACT = 2**53  # whole numbers below are floats, too


def table_of_attributes(
    cells: Cells,
    columns: Mapping[str, str] | None = None,
    decimal: str | None = None,
    missing: str | None = None,
    standardize: bool | None = None,
    na_values: Sequence[str | float] = (),
) -> UserTable:
    """Understand the columns of a table; arguments as those of `read_user_table`.

    Raises
    ------
    ValueError
        No attribute, or arguments that do not fit the table.
    """
    answers = expect_roles(columns or {}, list(cells.frame.columns))
    found, said = _contents(cells, answers, decimal, na_values)
    _expect_numbers(cells, found, answers)
    index = None if "names" in answers.values() else _own_index(cells)
    taken = _taken(found, answers, named=index is not None)
    strange = questions_about_cells(cells, found, taken, na_values, answers)
    strange = strange or _without_attributes(cells, found, taken, answers)
    questions = questions_of_layout(cells, found) + questions_about(found, taken, answers)
    index = _names(cells, found, taken) if index is None else index
    frame, gaps = _attributes(cells, found, taken), _gaps(found, taken)
    frame, stay, done, asked = _filled(cells, frame, gaps, _column(found, taken, "classes"), missing)
    if missing == "columns":
        taken |= dict.fromkeys(gaps, "left out")
    scale = [] if strange else _of_scale(frame, standardize)
    questions = [*strange, *asked, *questions, *scale]
    if standardize:
        frame, told = _scaled(frame)
        done = [*done, *told]
    y, class_names = _classes(_column(found, taken, "classes"), stay)
    return UserTable(
        name=cells.name,
        kind=_kind(frame),
        frame=frame.set_axis(pd.RangeIndex(len(frame)) if index is None else index[stay], axis="index"),
        n_rows=cells.n_rows,
        y=y,
        class_names=class_names,
        columns=tuple(Column(c.label, c.holds, taken[c.label], int(c.missing.sum())) for c in found),
        questions=tuple(questions),
        said=(*cells.said, *said, *done),
        lines=None if cells.lines is None else cells.lines[stay],
        layout=cells.layout,
        text=cells.text,
        skips=missing == "skip" and bool(frame.isna().to_numpy().any()),
    )


def _column(found: Sequence[Contents], taken: Mapping[str, str], role: str) -> Contents | None:
    """The column of names, or of classes, if there is one."""
    return next((column for column in found if taken[column.label] == role), None)


# ---------------------------------------------------------------- what is in the columns


def _contents(
    cells: Cells, answers: Mapping[str, str], decimal: str | None, na_values: Sequence[str | float]
) -> tuple[list[Contents], list[str]]:
    """What each column holds, and what is to be said of that.

    Where commas are decimal marks, points in other columns separate thousands, if all of them can.
    """

    def read(label: str, mark: str | None) -> Contents:
        return contents(label, cells.frame[label], cells.positions, mark, answers.get(label), na_values)

    found, said = [read(label, decimal) for label in cells.frame], []
    commas = [column.label for column in found if column.comma]
    if decimal is None and commas:
        said.append(f"decimal commas in {first_few(commas)}")
        for l, column in enumerate(found):
            if is_numeric_dtype(column.values) and not is_numeric_dtype(cells.frame[column.label]):
                other = read(column.label, ",")
                if is_numeric_dtype(other.values) and not other.values.equals(column.values):
                    found[l] = other
                    said.append(f"points in column {column.label!r} separate thousands")
    return found, said


def _expect_numbers(cells: Cells, found: Sequence[Contents], answers: Mapping[str, str]) -> None:
    """Refuse columns that were said to be numbers and are not; name them all."""
    told = []
    for column in found:
        if answers.get(column.label) == "number" and column.holds != "numbers and words":
            what = f"column {column.label!r} should hold"
            if not is_numeric_dtype(column.values):
                told.append(f"{what} numbers; got {column.holds}")
            elif column.holds == "dates" and column.doubt:
                told.append(f"{what} dates as 2026-12-31; got some that may have {column.doubt}")
    more = f"; and {len(told) - 3} more columns" if len(told) > 3 else ""
    if told:
        raise ValueError(f"{cells.name}: {'; '.join(told[:3])}{more}")


def questions_of_layout(cells: Cells, found: Sequence[Contents]) -> list[Question]:
    """What is to be asked of how a file is laid out."""
    questions = []
    if cells.layout is not None and not cells.layout.sure:
        text = "the first line may have names or an object; it is taken for an object"
        questions.append(Question("header", text, ({"header": False}, {"header": True})))
    doubtful = [column.label for column in found if column.comma and column.doubt]
    if doubtful:
        text = f"commas in {first_few(doubtful)} are taken for decimal marks, and may separate thousands"
        questions.append(Question("decimal mark", text, ({"decimal": ","}, {"decimal": "."})))
    return questions


# ---------------------------------------------------------------- attributes, names and classes


def _taken(found: Sequence[Contents], answers: Mapping[str, str], named: bool) -> dict[str, str]:
    """What each column is taken for; numbers with words in them are left out until those are known."""
    taken = roles(found, answers, named)
    mixed = [column.label for column in found if column.holds == "numbers and words"]
    return taken | {label: "left out" for label in mixed if taken[label] == "number"}


def _without_attributes(
    cells: Cells, found: Sequence[Contents], taken: Mapping[str, str], answers: Mapping[str, str]
) -> list[Question]:
    """Ask for attributes where there are none; refuse the table where no column could be one.

    Raises
    ------
    ValueError
    """
    if {*ATTRIBUTES} & {*taken.values()}:
        return []
    got = ", ".join(f"{column.label!r} ({column.holds})" for column in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    text = f"expected at least one numeric column, or one of categories; got {got}{more}"
    unused = [column for column in found if taken[column.label] in ("left out", "names")]
    free = [column.label for column in unused if column.label not in answers and column.holds in ASKED]
    if not free:
        raise ValueError(f"{cells.name}: {text}")
    ways = tuple({"columns": {label: "category"}} for label in free[:3])
    return [Question("columns", text, ways, blocking=True)]


def _attributes(cells: Cells, found: Sequence[Contents], taken: Mapping[str, str]) -> pd.DataFrame:
    chosen = {column.label: column.values for column in found if taken[column.label] in ATTRIBUTES}
    return pd.DataFrame(chosen, index=cells.frame.index)


def _gaps(found: Sequence[Contents], taken: Mapping[str, str]) -> pd.DataFrame:
    """Where values of attributes and classes are missing, in columns that have some: (n, q)."""
    used = [column for column in found if taken[column.label] in (*ATTRIBUTES, "classes")]
    return pd.DataFrame({column.label: column.missing for column in used if column.missing.any()})


def _filled(
    cells: Cells, frame: pd.DataFrame, gaps: pd.DataFrame, classes: Contents | None, missing: str | None
) -> tuple[pd.DataFrame, np.ndarray, list[str], list[Question]]:
    """Attributes, which objects are left, what was done about missing values, and what is to be asked."""
    everything = np.ones(len(frame), dtype=bool)
    if gaps.shape[1] == 0:
        return frame, everything, [], []
    if missing is None:
        return frame, everything, [], [question_about(cells, gaps, classes.label if classes else None)]
    if classes is not None and classes.label in gaps and missing in ("impute", "skip"):
        told = question_about(cells, gaps[[classes.label]], classes.label).text
        raise ValueError(
            f"{cells.name}: {told}, which missing={missing!r} cannot fill. Instead: missing='rows', "
            f"or columns={{{classes.label!r}: 'left out'}}"
        )
    frame, stay, said = without_gaps(frame, gaps, missing, cells)
    return frame, stay, [said], []


def _own_index(cells: Cells) -> pd.Index | None:
    """The index of a data frame, if it names the objects."""
    index = as_index(cells.frame.index, len(cells.frame))
    return None if cells.layout or index is None or not index.is_unique else index


def _names(cells: Cells, found: Sequence[Contents], taken: Mapping[str, str]) -> pd.Index | None:
    column = _column(found, taken, "names")
    if column is None:
        return None
    values, given = column.values, cells.frame[column.label]
    if is_numeric_dtype(values) and (values.abs() >= EXACT).any():
        values = given  # as floats, different names could be the same
    if not values.is_unique or column.missing.any():
        twice = (values.duplicated() | column.missing).to_numpy()
        raise ValueError(
            f"{cells.name}: expected another name for each object in column {column.label!r}; got "
            f"{str(values[twice].iloc[0])!r} again, or none, in {cells.places(twice)}"
        )
    if values is given or not is_numeric_dtype(values) or (values % 1 != 0).any():
        return pd.Index(values.astype(object), name=column.label)
    leading_zeros = cells.layout is not None and given.str.match(r"[-+]?0\d").any()
    return pd.Index(given if leading_zeros else values.astype(int), name=column.label)


def _classes(column: Contents | None, stay: np.ndarray) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """Class numbers of the objects that are left, -1 where there is none, and names of the classes."""
    if column is None:
        return None, ()
    values = column.values[stay]
    if is_numeric_dtype(values) and (values.dropna() % 1 == 0).all():
        values = values.astype("Int64")
    codes, names = pd.factorize(values, sort=True)
    return codes.astype(np.intp), tuple(map(str, names))


def _scaled(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Attributes with numbers of mean 0 and standard deviation 1, missing ones stay; and what was done."""
    numbers = list(frame.select_dtypes("number").columns)
    if not numbers:
        return frame, []
    scaled = StandardScaler().fit_transform(frame[numbers].to_numpy())
    return frame.assign(**dict(zip(numbers, scaled.T))), ["numbers have mean 0 and standard deviation 1"]


def _of_scale(frame: pd.DataFrame, standardize: bool | None) -> list[Question]:
    """What is to be asked of attributes whose spreads differ much; Gower's dissimilarities scale by range."""
    if standardize is not None or _kind(frame) != "numbers":
        return []
    largest = frame.abs().max().replace(0, 1)  # by which squares stay in range
    spreads = ((frame / largest).std() * largest).replace(0, np.nan).dropna()
    ratio = spreads.max() / spreads.min() if len(spreads) else 1.0
    if not ratio > FACTOR:
        return []
    times = f"{ratio:.0f}" if ratio < 1e6 else f"{ratio:.0e}"
    text = f"column {spreads.idxmax()!r} varies {times} times as much as {spreads.idxmin()!r}"
    return [Question("scale", text, ({"standardize": False}, {"standardize": True}))]


def _kind(frame: pd.DataFrame) -> str:
    numeric = frame.dtypes.map(is_numeric_dtype)
    return "numbers" if numeric.all() else "mixed" if numeric.any() else "categories"
