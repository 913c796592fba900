"""Detect the content of a column: numbers, dates or words, and identifiers that carry no information."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from scipy.stats import skew

from credalbench.core.arguments import expect
from credalbench.tables.text import MISSING_WORDS

#: Names of columns of unique whole numbers that are identifiers.
RECORD_NAME = re.compile(r"(^|[\W_])(id|nr|no|num|index|key|record|row|code)\.?$", re.IGNORECASE)
#: Largest number of codes of classes or categories, and smallest number of objects of each code.
MAX_CODES, MIN_OBJECTS_PER_CODE = 10, 2
MIN_COUNTS = 10  # different whole numbers in a column of counts
LEAST_SKEWNESS, LEAST_RATIO = 0.5, 4  # of counts, and of their 95 % and 5 % quantiles
#: Fewest objects for which numbers that increase by one are record numbers.
MIN_RECORDS = 5
#: Fewest objects for which increasing or contiguous numbers are record numbers, and whole numbers codes.
MIN_OBJECTS = 10
DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}([T ]\d{1,2}:\d{2}(:\d{2})?)?")
DATE_FORMATS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d-%m-%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
)
TIME_FORMATS = ("", " %H:%M", " %H:%M:%S")
BEGINS_WITH_NUMBER = re.compile(r"\W{0,2}\d")
#: Number of cells on which date formats are tried first.
FIRST = 100


@dataclass(frozen=True, eq=False)
class ParsedColumn:
    """A column after parsing.

    Attributes
    ----------
    label : str
        Name of the column.
    content : str
        "numbers", "codes" (few contiguous whole numbers), "record numbers", "numbers and words", "dates",
        "words", "names" (a different word for each object), "nearly unique words", "one value" or "nothing".
    values : Series of shape (n,)
        Numbers as floats, dates as days since the first one, words as text; NaN or None if missing.
    invalid : ndarray of bool, shape (n,)
        Cells of a numeric column that are not finite numbers.
    decimal_comma : bool
        Whether the numbers have a decimal comma.
    alternative : str
        Another possible reading of the cells; empty if there is none.
    """

    label: str
    content: str
    values: pd.Series
    invalid: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    decimal_comma: bool = False
    alternative: str = ""

    @property
    def missing(self) -> np.ndarray:
        """Objects without a value: mask (n,)."""
        is_float = self.values.dtype == float  # the same faster, for wide tables
        return np.isnan(self.values.to_numpy()) if is_float else self.values.isna().to_numpy()


def as_frame(columns: Mapping[str, pd.Series], index: pd.Index) -> pd.DataFrame:
    """Return columns with the same index as a data frame; floats as one array, for wide tables."""
    if columns and all(values.dtype == float for values in columns.values()):
        array = np.column_stack([values.to_numpy() for values in columns.values()])
        return pd.DataFrame(array, index=index, columns=list(columns))
    return pd.DataFrame(columns, index=index)


def parse_column(
    label: str,
    cells: pd.Series,
    positions: np.ndarray,
    decimal: str | None = None,
    role: str | None = None,
    na_values: Sequence[str | float] = (),
) -> ParsedColumn:
    """Parse the cells of a column and detect its content.

    Parameters
    ----------
    label : str
        Name of the column.
    cells : Series of shape (n,)
        Text, or values of any type.
    positions : ndarray of int, shape (n,)
        Positions of the objects in the source, to recognise record numbers.
    decimal : {".", ","}, optional
        The decimal mark; detected by default.
    role : str, optional
        Role given by the user (see ``roles.py``). Categories are read as words, and so are dates that are
        names or classes.
    na_values : sequence of str and float
        Cells that denote missing values, in addition to `MISSING_WORDS`.
    """
    expect(not pd.api.types.is_complex_dtype(cells), f"real numbers in column {label!r}", cells.dtype)
    if isinstance(cells.dtype, pd.CategoricalDtype):
        role = "category"
    if (
        role != "category"
        and not na_values
        and isinstance(cells.dtype, np.dtype)
        and cells.dtype.kind in "iuf"
    ):
        values = cells.to_numpy(dtype=float)
        if not np.isinf(values).any() and not np.isnan(values).all():  # the same as below, for wide tables
            content = _content_of_numbers(label, values, positions)
            numbers = cells if cells.dtype == float else cells.astype(float)
            return ParsedColumn(label, content, numbers, np.zeros(len(values), dtype=bool))
    cells = _without_missing_words(cells, [str(value).strip().lower() for value in na_values])
    codes = pd.to_numeric(pd.Series(na_values, dtype=object), errors="coerce").dropna()
    if cells.isna().all():
        return ParsedColumn(label, "nothing", cells.astype(object))
    if role != "category" and not pd.api.types.is_datetime64_any_dtype(cells):
        numbers, decimal_comma, alternative = parse_numbers(cells, decimal)
        missing = numbers.isin(codes)
        numbers, cells = numbers.mask(missing), cells.mask(missing)
        if cells.isna().all():
            return ParsedColumn(label, "nothing", cells.astype(object))
        invalid = (cells.notna() & ~np.isfinite(numbers)).to_numpy()
        if not invalid.any():
            content = _content_of_numbers(label, numbers.to_numpy(), positions)
            return ParsedColumn(label, content, numbers, invalid, decimal_comma, alternative)
        mostly_valid = invalid.sum() < cells.notna().sum() / 2 or pd.api.types.is_numeric_dtype(cells)
        if mostly_valid or _most_look_like_numbers(cells):
            return ParsedColumn(label, "numbers and words", cells, invalid)
    if role not in ("category", "names", "classes") and (days := parse_dates(cells)) is not None:
        return ParsedColumn(label, "dates", days[0], alternative=days[1])
    known = cells.notna() & ~pd.to_numeric(cells, errors="coerce").isin(codes)
    words = cells.astype(str).astype(object).where(known, None)
    if not known.any():
        return ParsedColumn(label, "nothing", words)
    with_units = words.dropna().str.match(BEGINS_WITH_NUMBER).mean() > 0.5
    alternative = "numbers with units" if with_units else ""
    return ParsedColumn(label, _content_of_words(words), words, alternative=alternative)


def _without_missing_words(cells: pd.Series, others: Sequence[str] = ()) -> pd.Series:
    """Replace cells that denote a missing value by None, and strip text."""
    if pd.api.types.is_bool_dtype(cells) or isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype(object)
    if pd.api.types.is_numeric_dtype(cells) or pd.api.types.is_datetime64_any_dtype(cells):
        return cells
    texts = cells.astype(object).where(cells.isna(), cells.astype(str).str.strip())
    return texts.where(~texts.str.lower().isin([*MISSING_WORDS, *others]) & texts.notna(), None)


# ---------------------------------------------------------------- numbers


def parse_numbers(cells: pd.Series, decimal: str | None = None) -> tuple[pd.Series, bool, str]:
    """Parse cells as numbers; NaN if that fails.

    Returns
    -------
    numbers : Series of float
    decimal_comma : bool
        Whether commas are decimal marks.
    alternative : str
        Another possible reading, if all commas could separate thousands; else empty.
    """
    if pd.api.types.is_numeric_dtype(cells):
        return cells.astype(float), False, ""
    plain = pd.to_numeric(cells, errors="coerce").astype(float)
    if decimal is None and (plain.notna() | cells.isna()).all():
        return plain, False, ""
    if not (decimal or cells.str.contains(",", regex=False, na=False).any()):
        return plain, False, ""
    read = {mark: _with_mark(cells, mark) for mark in ([decimal] if decimal else [",", "."])}
    mark = max(read, key=lambda mark: read[mark].notna().sum())  # a comma if both parse equally many cells
    either = decimal is None and (read[","].notna() & read["."].notna()).equals(cells.notna())
    alternative = "commas between thousands" if either and mark == "," else ""
    return read[mark], mark == ",", alternative


def _with_mark(cells: pd.Series, decimal: str) -> pd.Series:
    """Parse cells with a given decimal mark; the other mark may only separate thousands."""
    other = "." if decimal == "," else ","
    thousands = rf"[-+]?[1-9]\d{{0,2}}(\{other}\d{{3}})+(\{decimal}\d*)?"
    grouped = cells.str.fullmatch(thousands, na=False).astype(bool)
    texts = cells.where(~grouped, cells.str.replace(other, "", regex=False))
    if decimal == ",":
        texts = texts.str.translate(str.maketrans({".": "?", ",": "."}))
    return pd.to_numeric(texts, errors="coerce").astype(float)


def _most_look_like_numbers(cells: pd.Series) -> bool:
    """Return whether most cells are numbers if points and commas are both decimal marks."""
    swapped = pd.to_numeric(cells.str.replace(",", ".", regex=False), errors="coerce")
    return bool(np.isfinite(swapped).sum() > cells.notna().sum() / 2)


def _content_of_numbers(label: str, numbers: np.ndarray, positions: np.ndarray) -> str:
    known = numbers[~np.isnan(numbers)]
    if (known == known[0]).all():
        return "one value"
    if (known % 1 != 0).any():
        return "numbers"
    values, counts = np.unique(known, return_counts=True)
    if len(known) == len(numbers) == len(values):
        offsets = known - positions
        is_record = len(known) >= MIN_RECORDS and (offsets == offsets[0]).all()
        ordered = values[-1] - values[0] + 1 == len(known) or (known[1:] >= known[:-1]).all()
        is_record |= len(known) >= MIN_OBJECTS and ordered
        return "record numbers" if is_record or RECORD_NAME.search(label) else "numbers"
    contiguous = values[0] in (0, 1) and values[-1] - values[0] + 1 == len(values)
    frequent = len(known) >= MIN_OBJECTS and counts.min() >= MIN_OBJECTS_PER_CODE
    return "codes" if contiguous and frequent and len(counts) <= MAX_CODES else "numbers"


def with_counts(parsed: Sequence[ParsedColumn]) -> list[ParsedColumn]:
    """Return the columns with content "counts" for whole numbers from 0 on, if one has a long right tail.

    All of them have this content then, because a table of counts has them in one unit.
    """
    whole = [
        l for l, column in enumerate(parsed) if column.content == "numbers" and _are_whole(column.values)
    ]
    found = list(parsed)
    if any(_are_skewed(parsed[l].values.dropna().to_numpy()) for l in whole):
        for l in whole:
            found[l] = replace(parsed[l], content="counts")
    return found


def _are_whole(values: pd.Series) -> bool:
    known = values.dropna()
    return bool((known >= 0).all() and (known % 1 == 0).all() and known.nunique() >= MIN_COUNTS)


def _are_skewed(numbers: np.ndarray) -> bool:
    """Return whether numbers of at least 0 have a long right tail, which their square roots shorten."""
    skewness = skew(numbers)
    low, high = np.quantile(numbers + 1, (0.05, 0.95))
    return skewness > LEAST_SKEWNESS and abs(skew(np.sqrt(numbers))) < skewness and high > LEAST_RATIO * low


# ---------------------------------------------------------------- dates and words


def parse_dates(cells: pd.Series) -> tuple[pd.Series, str] | None:
    """Parse cells as dates: return days since the first one and another possible reading, or None.

    One format must fit all cells. Day before month is preferred if both orders fit.
    """
    alternative = ""
    if not pd.api.types.is_datetime64_any_dtype(cells):
        known = cells.dropna()
        if not known.iloc[:FIRST].map(lambda cell: DATE.fullmatch(str(cell)) is not None).all():
            return None
        formats = (date + time for date in DATE_FORMATS for time in TIME_FORMATS)
        formats = [form for form in formats if _dates(known.iloc[:FIRST], form) is not None]
        readings = [dates for form in formats if (dates := _dates(cells, form)) is not None]
        if not readings:
            return None
        cells = readings[0]
        alternative = "months before days" if any(not cells.equals(other) for other in readings[1:]) else ""
    return (cells - cells.min()) / pd.Timedelta(days=1), alternative


def _dates(cells: pd.Series, form: str) -> pd.Series | None:
    """Parse cells as dates of one format; None if it does not fit all of them."""
    dates = pd.to_datetime(cells.str.replace("T", " ", regex=False), format=form, errors="coerce")
    return dates if dates.notna().equals(cells.notna()) else None


def _content_of_words(words: pd.Series) -> str:
    known = words.dropna()
    n_words = known.nunique()
    if n_words == 1:
        return "one value"
    if n_words == len(words):
        return "names"
    return "nearly unique words" if n_words > len(words) / 2 else "words"
