"""What a column holds, as its cells tell: numbers, dates, words, and which of them say nothing of groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from credalbench.tables.text import MISSING_WORDS

#: Names of columns of whole numbers, all different, that are no attributes.
RECORD_NAME = re.compile(r"(^|[\W_])(id|nr|no|num|index|key|record|row|code)\.?$", re.IGNORECASE)
#: Codes of classes or categories: so many at most, each for so many objects.
MOST_CODES, LEAST_OF_A_CODE = 10, 2
#: Whole numbers that rise by one are record numbers in a table of so many.
LEAST_RECORDS = 5
#: So are others that rise, or are those from one number to another; and whole numbers may be codes.
LEAST_OBJECTS = 10
DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}([T ]\d{1,2}:\d{2}(:\d{2})?)?")
DATE_FORMS = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d.%m.%y", "%d-%m-%Y", "%d/%m/%Y", "%m/%d/%Y")
TIME_FORMS = ("", " %H:%M", " %H:%M:%S")
BEGINS_WITH_NUMBER = re.compile(r"\W{0,2}\d")
#: Cells that are tried before all are.
FIRST = 100


@dataclass(frozen=True, eq=False)
class Contents:
    """What a column holds.

    Attributes
    ----------
    label : str
        Its name.
    holds : str
        "numbers", "codes" (few whole numbers in a row), "record numbers", "numbers and words", "dates",
        "words", "names" (another word for each object), "nearly unique words", "one value" or "nothing".
    values : Series of shape (n,)
        Floats of numbers, days since the first of dates, words (objects of text) else; NaN where missing.
    wrong : ndarray of bool, shape (n,)
        In a column of numbers the cells that are none, or infinite.
    comma : bool
        Numbers have a decimal comma.
    doubt : str
        What numbers, dates or words may mean as well.
    """

    label: str
    holds: str
    values: pd.Series
    wrong: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    comma: bool = False
    doubt: str = ""

    @property
    def missing(self) -> np.ndarray:
        """Which objects have no value: (n,)."""
        return self.values.isna().to_numpy()


def contents(
    label: str,
    cells: pd.Series,
    positions: np.ndarray,
    decimal: str | None = None,
    role: str | None = None,
    na_values: Sequence[str | float] = (),
) -> Contents:
    """Find out what a column holds.

    Parameters
    ----------
    label : str
    cells : Series of shape (n,)
        Texts, or values of any type.
    positions : ndarray of int, shape (n,)
        Numbers of the objects in the source: record numbers follow them.
    decimal : {".", ","}, optional
        The decimal mark; found by default.
    role : str, optional
        What the column was said to be, see ``roles.py``: cells of categories are words, whatever they look
        like, and so are dates that are names or classes.
    na_values : sequence of str and float
        Cells that stand for missing values, beside `MISSING_WORDS`.
    """
    if isinstance(cells.dtype, pd.CategoricalDtype):
        role = "category"  # declared
    cells = _without_missing_words(cells, [str(value).strip().lower() for value in na_values])
    codes = pd.to_numeric(pd.Series(na_values, dtype=object), errors="coerce").dropna()
    if cells.isna().all():
        return Contents(label, "nothing", cells.astype(object))
    if role != "category" and not pd.api.types.is_datetime64_any_dtype(cells):
        numbers, comma, doubt = as_numbers(cells, decimal)
        missing = numbers.isin(codes)
        numbers, cells = numbers.mask(missing), cells.mask(missing)
        if cells.isna().all():
            return Contents(label, "nothing", cells.astype(object))
        wrong = (cells.notna() & ~np.isfinite(numbers)).to_numpy()
        if not wrong.any():
            return Contents(label, _kind_of_numbers(label, numbers, positions), numbers, wrong, comma, doubt)
        mostly = wrong.sum() < cells.notna().sum() / 2 or pd.api.types.is_numeric_dtype(cells)
        if mostly or _most_look_like_numbers(cells):
            return Contents(label, "numbers and words", cells, wrong)
    if role not in ("category", "names", "classes") and (days := as_days(cells)) is not None:
        return Contents(label, "dates", days[0], doubt=days[1])
    known = cells.notna() & ~pd.to_numeric(cells, errors="coerce").isin(codes)
    words = cells.astype(str).astype(object).where(known, None)
    if not known.any():
        return Contents(label, "nothing", words)
    measured = words.dropna().str.match(BEGINS_WITH_NUMBER).mean() > 0.5
    return Contents(label, _kind_of_words(words), words, doubt="numbers with units" if measured else "")


def _without_missing_words(cells: pd.Series, others: Sequence[str] = ()) -> pd.Series:
    """Cells of which those that say that there is no value are missing; texts without blanks around them."""
    if pd.api.types.is_bool_dtype(cells) or isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype(object)
    if pd.api.types.is_numeric_dtype(cells) or pd.api.types.is_datetime64_any_dtype(cells):
        return cells
    texts = cells.astype(object).where(cells.isna(), cells.astype(str).str.strip())
    return texts.where(~texts.str.lower().isin([*MISSING_WORDS, *others]) & texts.notna(), None)


# ---------------------------------------------------------------- numbers


def as_numbers(cells: pd.Series, decimal: str | None = None) -> tuple[pd.Series, bool, str]:
    """Read cells as numbers; NaN where they are none.

    Returns
    -------
    numbers : Series of float
    comma : bool
        Whether commas are decimal marks.
    doubt : str
        What they could be as well, if all of them could separate thousands.
    """
    if pd.api.types.is_numeric_dtype(cells):
        return cells.astype(float), False, ""
    plain = pd.to_numeric(cells, errors="coerce").astype(float)
    if decimal is None and (plain.notna() | cells.isna()).all():
        return plain, False, ""
    if not (decimal or cells.str.contains(",", regex=False, na=False).any()):
        return plain, False, ""
    read = {mark: _with_mark(cells, mark) for mark in ([decimal] if decimal else [",", "."])}
    mark = max(read, key=lambda mark: read[mark].notna().sum())  # a comma, where both read equally many
    either = decimal is None and (read[","].notna() & read["."].notna()).equals(cells.notna())
    doubt = "commas between thousands" if either and mark == "," else ""
    return read[mark], mark == ",", doubt


def _with_mark(cells: pd.Series, decimal: str) -> pd.Series:
    """Read cells with a decimal mark; the other one separates thousands, or there is no number."""
    other = "." if decimal == "," else ","
    thousands = rf"[-+]?[1-9]\d{{0,2}}(\{other}\d{{3}})+(\{decimal}\d*)?"
    grouped = cells.str.fullmatch(thousands, na=False).astype(bool)
    texts = cells.where(~grouped, cells.str.replace(other, "", regex=False))
    if decimal == ",":
        texts = texts.str.translate(str.maketrans({".": "?", ",": "."}))
    return pd.to_numeric(texts, errors="coerce").astype(float)


def _most_look_like_numbers(cells: pd.Series) -> bool:
    """Whether most cells are numbers with one decimal mark or the other, so that none reads all of them."""
    swapped = pd.to_numeric(cells.str.replace(",", ".", regex=False), errors="coerce")
    return bool(np.isfinite(swapped).sum() > cells.notna().sum() / 2)


def _kind_of_numbers(label: str, numbers: pd.Series, positions: np.ndarray) -> str:
    known = numbers.dropna()
    if known.nunique() == 1:
        return "one value"
    if (known % 1 != 0).any():
        return "numbers"
    if len(known) == len(numbers) and known.is_unique:
        steps = known.to_numpy() - positions
        counted = len(known) >= LEAST_RECORDS and (steps == steps[0]).all()
        everyone = known.max() - known.min() + 1 == len(known) or known.is_monotonic_increasing
        counted |= len(known) >= LEAST_OBJECTS and everyone
        return "record numbers" if counted or RECORD_NAME.search(label) else "numbers"
    counts = known.value_counts()
    in_a_row = known.min() in (0, 1) and known.max() - known.min() + 1 == len(counts)
    enough = len(known) >= LEAST_OBJECTS and counts.min() >= LEAST_OF_A_CODE
    return "codes" if in_a_row and enough and len(counts) <= MOST_CODES else "numbers"


# ---------------------------------------------------------------- dates and words


def as_days(cells: pd.Series) -> tuple[pd.Series, str] | None:
    """Read cells as dates: days since the first one, and what they could mean as well; None if they are not.

    A form must read all of them. Day before month is preferred where both orders do.
    """
    if not pd.api.types.is_datetime64_any_dtype(cells):
        known = cells.dropna()
        if not known.iloc[:FIRST].map(lambda cell: DATE.fullmatch(str(cell)) is not None).all():
            return None
        forms = [form for form in _forms() if _dates(known.iloc[:FIRST], form) is not None]
        readings = [dates for form in forms if (dates := _dates(cells, form)) is not None]
        if not readings:
            return None
        cells = readings[0]
        doubt = "months before days" if any(not cells.equals(other) for other in readings[1:]) else ""
    else:
        doubt = ""
    return (cells - cells.min()) / pd.Timedelta(days=1), doubt


def _forms() -> list[str]:
    return [date + time for date in DATE_FORMS for time in TIME_FORMS]


def _dates(cells: pd.Series, form: str) -> pd.Series | None:
    """Cells read as dates of one form, or None if it does not read all of them."""
    dates = pd.to_datetime(cells.str.replace("T", " ", regex=False), format=form, errors="coerce")
    return dates if dates.notna().equals(cells.notna()) else None


def _kind_of_words(words: pd.Series) -> str:
    known = words.dropna()
    n_words = known.nunique()
    if n_words == 1:
        return "one value"
    if n_words == len(words):
        return "names"
    return "nearly unique words" if n_words > len(words) / 2 else "words"
