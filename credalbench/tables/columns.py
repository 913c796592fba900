"""What a column holds: numbers, dates, ordered answers, words, or identifiers without information."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from scipy.stats import skew

from credalbench.core.arguments import expect
from credalbench.tables.layout import MISSING_WORDS, YEARS
from credalbench.tables.numerals import TRIED, Numbers, parse_numbers

#: Last words of names of columns that identify objects, and those that are also names of attributes.
IDENTIFIER = re.compile(
    "ids?|nr|no|num|number|index|idx|key|record|rows?|rownames?|code|uid|uuid|guid|zip|zipcode|postcode|postal"
    "|plz|ssn|isbn|ean|sku|serial|barcode|accession|seqn"
)
JOINED = re.compile(  # such as distid and dcode, but not paid, acid, grid, ...
    "(?!.*(aid|cid|grid|luid|ipid|brid|ovid|oid|umid|igid|arid|olid|alid|quid|apid|kid)$)[a-z]+(id|code)"
)
GROUP = re.compile(  # also of words, which are categories then
    "subject|patient|person|respond|respondent|firm|company|household|district|county|hospital|inst|institution"
    "|centre|center|site|clinic|pair|group|plot|block|batch|subj"
)
WEAK = re.compile("no|num|number|code|index|rows?|record")
TIME = re.compile(
    "year|yr|time|t|date|day|days|week|month|quarter|hour|minute|trial|round|period|obs|case|study|game"
)
WORDS_OF_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
NAMELESS = re.compile(r"column 1|Unnamed: 0|X|\.\.\.1|")  # of numbers of rows, perhaps with gaps
LEAST_DIFFERENT = 0.9  # share of different values of identifiers with a name that attributes have, too
#: Largest number of codes of classes or categories, and smallest number of objects of each code.
MAX_CODES, MIN_OBJECTS_PER_CODE = 10, 2
MIN_COUNTS = 10  # different whole numbers in a column of counts
SAME_SIZE = 10  # largest ratio of the medians of columns of counts in one unit
LEAST_SKEWNESS, LEAST_RATIO = 0.5, 4  # of counts, and of their 95 % and 5 % quantiles
#: Fewest objects for which numbers that increase by one, or that increase, are record numbers.
MIN_RECORDS, MIN_OBJECTS = 5, 10
DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}([T ]\d{1,2}:\d{2}(:\d{2})?)?")
DATES = "%Y-%m-%d %Y/%m/%d %Y.%m.%d %d.%m.%Y %d.%m.%y %d-%m-%Y %d/%m/%Y %m/%d/%Y"
TIME_FORMATS = ("", " %H:%M", " %H:%M:%S")
BEGINS_WITH_NUMBER = re.compile(r"\W{0,2}\d")
FIRST = 100  # cells on which date formats are tried
TWO_LETTERS, FEWEST_CODES = re.compile("[A-Z]{2}"), 5  # of countries and the like, of which NA is one
#: Answers of questionnaires in their order; answers with a bar are the same.
SCALES = [
    [frozenset(step.split("|")) for step in scale.split(" < ")]
    for scale in (
        "strongly disagree|disagree strongly|completely disagree|fully disagree"
        " < disagree|somewhat disagree|tend to disagree|rather disagree"
        " < neutral|neither agree nor disagree|neither|undecided|unsure"
        " < agree|somewhat agree|tend to agree|rather agree"
        " < strongly agree|agree strongly|completely agree|fully agree",
        "never < rarely|seldom|hardly ever|almost never < sometimes|occasionally < often|frequently|usually"
        " < very often|almost always < always",
        "very poor|very bad|terrible < poor|bad < fair|average|acceptable|ok|okay < good < very good"
        " < excellent",
        "very dissatisfied < dissatisfied|somewhat dissatisfied < neutral|neither"
        " < satisfied|somewhat satisfied < very satisfied",
        "very unlikely < unlikely < neutral|neither|possible < likely < very likely",
        "very low < low < medium|mid|middle|moderate|intermediate|normal < high < very high",
        "very weak < weak < medium|moderate < strong < very strong",
        "extra small|xs < small|s < medium|m < large|l < extra large|xl < xxl",
        "none|absent < mild|slight < moderate < severe < very severe|extreme",
        "not important|unimportant < slightly important < moderately important|important < very important"
        " < extremely important",
        "very easy < easy < medium|moderate|neutral < hard|difficult < very hard|very difficult",
        "not at all < a little|slightly|a little bit < somewhat|moderately < quite a bit|very"
        " < very much|extremely",
    )
]


@dataclass(frozen=True, eq=False)
class ParsedColumn:
    """A column after parsing."""

    label: str
    content: str  # see `roles.Column`
    values: pd.Series  # numbers, days since the first date, ranks, or words; NaN or None if missing
    invalid: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))  # not finite numbers
    numbers: Numbers | None = None  # how text was read as numbers
    alternative: str = ""  # another possible reading of dates or names
    texts: pd.Series | None = None  # of numbers

    @property
    def missing(self) -> np.ndarray:
        """Objects without a value: mask (n,)."""
        is_float = self.values.dtype == float  # the same faster, for wide tables
        return np.isnan(self.values.to_numpy()) if is_float else self.values.isna().to_numpy()

    @property
    def decimal_comma(self) -> bool:
        """Whether the numbers have a decimal comma."""
        return self.numbers is not None and self.numbers.decimal_comma


@dataclass(frozen=True)
class Reading:
    """How cells are read: decimal mark, words for missing values, and numbers beyond a limit."""

    decimal: str | None = None
    na_values: Sequence[str | float] = ()
    keep_na_words: bool = False
    beyond: str | None = None


def as_frame(columns: Mapping[str, pd.Series], index: pd.Index) -> pd.DataFrame:
    """Return columns with the same index as a data frame; floats as one array, for wide tables."""
    if columns and all(values.dtype == float for values in columns.values()):
        array = np.column_stack([values.to_numpy() for values in columns.values()])
        return pd.DataFrame(array, index=index, columns=list(columns))
    return pd.DataFrame(columns, index=index)


def parse_column(
    label: str, cells: pd.Series, positions: np.ndarray, reading: Reading, role: str | None = None
) -> ParsedColumn:
    """Parse the cells of a column and detect its content."""
    expect(not pd.api.types.is_complex_dtype(cells), f"real numbers in column {label!r}", cells.dtype)
    dtype = cells.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        if dtype.ordered and role in (None, "number"):
            return _ordered(label, cells.astype(object), [str(one) for one in dtype.categories])
        role, reading = "category", replace(reading, keep_na_words=True)
    if pd.api.types.is_timedelta64_dtype(cells):
        cells = cells / pd.Timedelta(days=1)
    typed = isinstance(dtype, np.dtype) and cells.dtype.kind in "iuf"
    as_words = role == "category"
    if typed and not as_words and not reading.na_values:
        values = cells.to_numpy(dtype=float)
        if not np.isinf(values).any() and not np.isnan(values).all():  # the same as below, for wide tables
            return ParsedColumn(label, content_of_numbers(label, values, positions), cells.astype(float))
    if not typed and not as_words and not reading.na_values and cells.dtype == object:
        plain = pd.to_numeric(cells, errors="coerce")  # most columns of numbers need nothing else
        if plain.dtype.kind in "iuf" and np.isfinite(values := plain.to_numpy(float)).all():
            found = parse_numbers(cells, reading.decimal) if reading.decimal else _points(cells, plain)
            if np.isfinite(found.values).all():
                content = content_of_numbers(label, found.values.to_numpy(), positions)
                return ParsedColumn(label, content, found.values, numbers=found, texts=cells)
    others = [str(value).strip().lower() for value in reading.na_values]
    keeps = reading.keep_na_words or as_words
    cells = _without_missing_words(cells, others, keeps)
    codes = pd.to_numeric(pd.Series(reading.na_values, dtype=object), errors="coerce").dropna()
    if cells.isna().all():
        return ParsedColumn(label, "nothing", cells.astype(object))
    if role is not None and "<" in role:
        return _ordered(label, cells, [step.strip() for step in role.split("<")])
    if not as_words and not pd.api.types.is_datetime64_any_dtype(cells):
        found = parse_numbers(cells, reading.decimal, reading.beyond)
        missing = found.values.isin(codes)
        left = found.beyond & found.values.isna().to_numpy() if found.beyond is not None else False
        numbers, cells = found.values.mask(missing), cells.mask(missing | left)
        if cells.isna().all():
            return ParsedColumn(label, "nothing", cells.astype(object))
        invalid = (cells.notna() & ~np.isfinite(numbers)).to_numpy()
        if not invalid.any():
            content = content_of_numbers(label, numbers.to_numpy(), positions)
            return ParsedColumn(label, content, numbers, invalid, found, texts=cells)
        mostly_valid = invalid.sum() < cells.notna().sum() / 2 or pd.api.types.is_numeric_dtype(cells)
        if mostly_valid or _most_look_like_numbers(cells):
            return ParsedColumn(label, "numbers and words", cells, invalid)
    if role not in ("category", "names", "classes") and (days := parse_dates(cells)) is not None:
        return ParsedColumn(label, "dates", days[0], alternative=days[1])
    known = cells.notna() & ~pd.to_numeric(cells, errors="coerce").isin(codes)
    words = cells.astype(str).astype(object).where(known, None)
    if not known.any():
        return ParsedColumn(label, "nothing", words)
    if role in (None, "number") and (scale := _scale_of(words)):
        return _ordered(label, words, scale)
    content = _content_of_words(label, words)
    unclear = content == "names" and words.dropna().str.match(BEGINS_WITH_NUMBER).mean() > 0.5
    return ParsedColumn(label, content, words, alternative="numbers with units" if unclear else "")


def _points(cells: pd.Series, plain: pd.Series) -> Numbers:
    """Read plain numbers; points may separate thousands if the numbers with points are whole thousandths."""
    first = plain.to_numpy(float)[:TRIED]
    if (first % 1 == 0).all() or (np.abs(first * 1000 % 1 - 0.5) < 0.499).any():
        return Numbers(plain.astype(float))
    return parse_numbers(cells)


def _without_missing_words(cells: pd.Series, others: Sequence[str], keeps: bool) -> pd.Series:
    """Replace cells that denote a missing value by None, and strip text.

    Words such as NA and None are kept if `keeps`, and if NA is one of many codes of two letters or the name
    of one object among others.
    """
    if pd.api.types.is_bool_dtype(cells) or isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype(object)
    if pd.api.types.is_numeric_dtype(cells) or pd.api.types.is_datetime64_any_dtype(cells):
        return cells
    texts = cells.astype(object).where(cells.isna(), cells.astype(str).str.strip()).astype(object)
    lower = texts.str.lower()
    gaps = lower.isin(["", *others]) | texts.isna()
    words = lower.isin(MISSING_WORDS) & ~gaps
    if words.any() and not keeps:
        rest = texts[~gaps & ~words]
        kept = texts[words].unique()
        if len(rest) and not _are_numbers(rest):
            words &= texts != "none"  # the answer, not a program's word
        codes = set(kept) == {"NA"} and rest.nunique() >= FEWEST_CODES
        names = len(rest) and rest.is_unique and words.sum() == len(kept) and not _are_numbers(rest)
        keeps = bool((codes and rest.str.fullmatch(TWO_LETTERS).all()) or (names and not gaps.any()))
    return texts.where(~(gaps if keeps else gaps | words), None)


def _are_numbers(texts: pd.Series) -> bool:
    return bool(parse_numbers(texts).values.notna().mean() > 0.5)


def _most_look_like_numbers(cells: pd.Series) -> bool:
    """Return whether most cells are numbers if points and commas are both decimal marks."""
    swapped = pd.to_numeric(cells.str.replace(",", ".", regex=False), errors="coerce")
    return bool(np.isfinite(swapped).sum() > cells.notna().sum() / 2)


# ---------------------------------------------------------------- content of numbers


def is_identifier(label: str, weak: bool = False) -> bool:
    """Return whether a column of this name identifies objects; names in `WEAK` also if `weak`."""
    word = _last_word(label)
    return bool(IDENTIFIER.fullmatch(word)) and (weak or not WEAK.fullmatch(word))


def numbers_rows(label: str) -> bool:
    """Return whether a column of this name numbers the rows, identifies them, or holds a time."""
    word = _last_word(label)
    other = NAMELESS.fullmatch(label) or any(one.fullmatch(word) for one in (TIME, GROUP, JOINED))
    return is_identifier(label, weak=True) or bool(other)


def _last_word(label: str) -> str:
    return [word.lower() for word in ("", *WORDS_OF_NAME.findall(label))][-1]


def content_of_numbers(label: str, numbers: np.ndarray, positions: np.ndarray) -> str:
    """Return the content of a column of numbers, with NaN for missing ones."""
    known = numbers[~np.isnan(numbers)]
    if (known == known[0]).all():
        return "one value"
    rising = len(known) >= MIN_OBJECTS and bool((known[1:] >= known[:-1]).all())
    if rising and TIME.fullmatch(_last_word(label)) and len(np.unique(known)) > len(known) / 2:
        return "record numbers"
    if (known % 1 != 0).any():
        return "numbers"
    values, counts = np.unique(known, return_counts=True)
    if len(known) == len(numbers) == len(values):
        offsets = known - positions
        if len(known) >= MIN_RECORDS and (offsets == offsets[0]).all():
            return "record numbers"
        dense = values[-1] - values[0] < 5 * len(positions)
        joined = JOINED.fullmatch(_last_word(label)) and len(known) >= MIN_OBJECTS
        if is_identifier(label, weak=True) or joined or (NAMELESS.fullmatch(label) and dense):
            return "identifiers"
        ordered = values[-1] - values[0] + 1 == len(known) or rising
        return "record numbers" if len(known) >= MIN_OBJECTS and ordered else "numbers"
    steps = np.diff(values)
    panel = counts[0] > 1 and np.ptp(counts) == 0 and np.ptp(steps) == 0 and len(values) > MAX_CODES
    weak = len(values) >= LEAST_DIFFERENT * len(known)
    named = is_identifier(label, weak) or any(one.fullmatch(_last_word(label)) for one in (GROUP, JOINED))
    if panel or (named and len(values) >= MAX_CODES):
        return "identifiers"  # all of a panel occur equally often
    contiguous = values[0] in (0, 1) and values[-1] - values[0] + 1 == len(values)
    frequent = len(known) >= MIN_OBJECTS and counts.min() >= MIN_OBJECTS_PER_CODE
    return "codes" if contiguous and frequent and len(counts) <= MAX_CODES else "numbers"


def with_table(parsed: Sequence[ParsedColumn]) -> list[ParsedColumn]:
    """Return the columns with contents that several columns decide together.

    Whole numbers from 0 on, except years, are "counts" if they have a long right tail. Columns of about the
    same size are counts as well, because all columns of a table of counts have the same unit. Several columns
    of record numbers that are not in the order of the rows are ranks, that is, numbers.
    """
    found = list(parsed)
    ranks = [l for l, column in enumerate(parsed) if _are_ranks(column)]
    if len(ranks) > 1:
        for l in ranks:
            found[l] = replace(parsed[l], content="numbers")
    whole = [l for l, column in enumerate(found) if column.content == "numbers" and _are_whole(column.values)]
    sizes = {l: parsed[l].values.median() + 1 for l in whole}
    skewed = [l for l in whole if _are_skewed(parsed[l].values.dropna().to_numpy())]
    for l in whole:
        if any(max(sizes[l] / sizes[k], sizes[k] / sizes[l]) < SAME_SIZE for k in skewed):
            found[l] = replace(found[l], content="counts")
    return found


def _are_ranks(column: ParsedColumn) -> bool:
    falls = column.content == "record numbers" and bool((column.values.diff() < 0).any())
    return falls and not numbers_rows(column.label)


def _are_whole(values: pd.Series) -> bool:
    known = values.dropna()
    whole = bool((known >= 0).all() and (known % 1 == 0).all() and known.nunique() >= MIN_COUNTS)
    return whole and not known.between(*YEARS).all()


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
        formats = (date + time for date in DATES.split() for time in TIME_FORMATS)
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


def _scale_of(words: pd.Series) -> list[str] | None:
    """Return at least three different words in the order of the known scale to which all of them belong."""
    different = words.dropna().unique()
    if not 3 <= len(different) <= 2 * MAX_CODES:
        return None
    for scale in SCALES:
        steps = {word: rank for rank, step in enumerate(scale) for word in step}
        ranks = [steps.get(str(word).lower()) for word in different]
        if None not in ranks and len(set(ranks)) >= 3:
            return [str(word) for _, word in sorted(zip(ranks, different))]
    return None


def _ordered(label: str, cells: pd.Series, order: Sequence[str]) -> ParsedColumn:
    """Return a column of ordered words, as the ranks of the words from 1; equal steps have equal ranks."""
    lower = {word.lower(): rank + 1 for rank, word in enumerate(order)}
    texts = cells.astype(object).where(cells.notna(), None)
    ranks = texts.map(lambda cell: np.nan if cell is None else lower.get(str(cell).lower(), np.inf))
    unknown = texts[np.isinf(ranks.astype(float))]
    expected = f"only {', '.join(map(repr, order))} in column {label!r}"
    expect(not len(unknown), expected, unknown.iloc[0] if len(unknown) else None)
    return ParsedColumn(label, "ordered words", ranks.astype(float))


def _content_of_words(label: str, words: pd.Series) -> str:
    known = words.dropna()
    n_words = known.nunique()
    if n_words == 1:
        return "one value"
    if n_words == len(words):
        return "names"
    if n_words >= MAX_CODES and is_identifier(label):
        return "identifiers"
    return "nearly unique words" if n_words > len(words) / 2 else "words"
