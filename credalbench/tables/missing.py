"""Missing values: cells that may denote them, and what to do about those that are missing."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer

from credalbench.core.arguments import expect, shown
from credalbench.tables.cells import Cells, first_few
from credalbench.tables.columns import ParsedColumn
from credalbench.tables.roles import NUMERIC, Question

#: Largest number of digits of a sentinel; longer numbers are ordinary.
MAX_NINES = 8
SENTINELS = [sign * (10.0**nines - 1) for nines in range(2, MAX_NINES + 1) for sign in (-1, 1)]
SMALLEST = min(map(abs, SENTINELS))
#: Largest number of different words in numeric columns that may denote missing values.
MAX_WORDS = 3


def expect_na_values(na_values: object) -> tuple[str | float, ...]:
    """Check the argument `na_values`: a list of words or finite numbers."""
    listed = isinstance(na_values, Sequence) and not isinstance(na_values, str | bytes)
    expect(listed, "na_values to be a list of words or numbers", na_values)
    for value in na_values:
        number = isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)
        expect(number or isinstance(value, str), "words or finite numbers in na_values", value)
    return tuple(na_values)


def find_sentinels(numbers: pd.Series) -> list[float]:
    """Return the numbers of nines, such as -999 and 9999, that lie far from all other numbers.

    A number is far if its distance from the others exceeds their range, or if it alone is negative. There
    must be at least two other numbers.
    """
    values = numbers.to_numpy(dtype=float)
    if not (np.abs(values) >= SMALLEST).any():
        return []
    values = np.unique(values[~np.isnan(values)])
    nines = np.isin(values, SENTINELS)
    others = values[~nines]
    if len(others) < 2 or not nines.any():
        return []
    spread = others[-1] - others[0]
    low = others[0] - spread if others[0] < 0 else max(others[0] - spread, 0.0)
    far = (values < low) | (values > others[-1] + spread)
    return [float(value) for value in values[nines & far]]


def sentinel_questions(
    cells: Cells,
    parsed: Sequence[ParsedColumn],
    roles: Mapping[str, str],
    na_values: Sequence,
    given: Mapping,
) -> list[Question]:
    """Return questions about cells that may denote missing values, in addition to `na_values`.

    Columns whose role was `given` as numbers raise no question.
    """
    left_out = [c for c in parsed if roles[c.label] == "left out" != given.get(c.label)]
    mixed = [column for column in left_out if column.content == "numbers and words"]
    numbers = [c for c in parsed if roles[c.label] in NUMERIC and c.label not in given]
    questions = _word_question(cells, mixed, na_values), _number_question(cells, numbers, na_values)
    return [question for question in questions if question]


def _word_question(cells: Cells, mixed: Sequence[ParsedColumn], na_values: Sequence) -> Question | None:
    """Ask about words in numeric columns; the first columns are listed with a line."""
    if not mixed:
        return None
    faults = [_invalid_cell(cells, column) for column in mixed[:3]]
    more = f"; and {len(mixed) - 3} more columns" if len(mixed) > 3 else ""
    words = list(dict.fromkeys(str(word) for column in mixed for word in column.values[column.invalid]))
    labels = [column.label for column in mixed]
    options = [{"columns": dict.fromkeys(labels, role)} for role in ("left out", "category")]
    if len(words) <= MAX_WORDS:
        options = [{"na_values": (*na_values, *words)}, *options]
    return Question("columns", "; ".join(faults) + more, tuple(options), blocking=True, likely=options[0])


def _invalid_cell(cells: Cells, column: ParsedColumn) -> str:
    i, more = int(np.argmax(column.invalid)), int(column.invalid.sum()) - 1
    cell, others = str(column.values.iloc[i]), f" and {more} more" if more else ""
    finite = "finite " if "inf" in cell.lower() else ""
    return (
        f"column {column.label!r} should hold {finite}numbers; got {shown(cell)} in {cells.place(i)}{others}"
    )


def _number_question(cells: Cells, numbers: Sequence[ParsedColumn], na_values: Sequence) -> Question | None:
    """Ask about numbers that lie far from all others of their column."""
    suspicious = {c.label: (c, sentinels) for c in numbers if (sentinels := find_sentinels(c.values))}
    if not suspicious:
        return None
    listed = [
        f"{', '.join(f'{value:.0f}' for value in sentinels)} in column {label!r} "
        f"({cells.places(column.values.isin(sentinels))})"
        for label, (column, sentinels) in [*suspicious.items()][:3]
    ]
    more = f" and {len(suspicious) - 3} more columns" if len(suspicious) > 3 else ""
    text = f"possible missing values, far from all other numbers: {', '.join(listed)}{more}"
    values = dict.fromkeys(int(value) for _, sentinels in suspicious.values() for value in sentinels)
    options = {"na_values": (*na_values, *values)}, {"columns": dict.fromkeys(suspicious, "number")}
    return Question("missing values", text, options, blocking=True, likely=options[0])


# ---------------------------------------------------------------- what to do

#: Drop objects or attributes; impute the median or the most frequent category; skip in dissimilarities.
MISSING = ("rows", "columns", "impute", "skip")

#: Words for missing values that may be categories or names.
NA_WORDS = ("NA", "None", "none")
#: Largest share of objects that is left out without a question.
MAX_DROPPED = 0.1

#: The options that also apply to missing classes.
DROPPING = ("rows", "columns")


def missing_value_question(cells: Cells, gaps: pd.DataFrame, classes: str | None) -> Question:
    """Return the question of how to handle missing values."""
    counts = [_count_missing(cells, gaps[label], label, label == classes) for label in gaps.columns[:3]]
    more = f" and {gaps.shape[1] - 3} more columns" if gaps.shape[1] > 3 else ""
    options = [{"missing": option} for option in MISSING if classes not in gaps or option in DROPPING]
    if any(cells.frame[label][gaps[label].to_numpy()].isin(NA_WORDS).any() for label in gaps):
        options.append({"keep_na_words": True})
    likely = _likely_answer(gaps, classes)
    return Question("missing values", "; ".join(counts) + more, tuple(options), blocking=True, likely=likely)


def _likely_answer(gaps: pd.DataFrame, classes: str | None) -> dict[str, object]:
    """Return the likely answer: leave out few objects; otherwise impute values, and leave out classes."""
    if gaps.any(axis=1).mean() <= MAX_DROPPED:
        return {"missing": "rows"}
    return {"missing": "impute"} | ({"columns": {classes: "left out"}} if classes in gaps else {})


def _count_missing(cells: Cells, gaps: pd.Series, label: str, classes: bool) -> str:
    number = int(gaps.sum())
    kind = " (classes)" if classes else ""
    return f"column {label!r}{kind} has {number} missing value{'s' * (number > 1)} ({cells.places(gaps)})"


def handle_missing(
    frame: pd.DataFrame, gaps: pd.DataFrame, missing: str, cells: Cells
) -> tuple[pd.DataFrame, np.ndarray, str]:
    """Handle missing values of attributes and classes."""
    kept = np.ones(len(frame), dtype=bool)
    incomplete = [label for label in gaps if label in frame]
    if missing == "rows":
        kept = ~gaps.any(axis=1).to_numpy()
        note = f"left out for missing values: {cells.places(~kept)}"
        return _expect_some(frame[kept], cells, "missing='columns' or 'impute'"), kept, note
    if missing == "columns":
        note = f"left out for missing values: column{'s' * (gaps.shape[1] > 1)} {first_few(gaps.columns)}"
        return _expect_some(frame.drop(columns=incomplete), cells, "missing='rows' or 'impute'"), kept, note
    number = int(gaps[incomplete].to_numpy().sum())
    values = f"{number} missing value{'s' * (number > 1)}"
    if missing == "skip":
        return frame, kept, f"{values} skipped in dissimilarities"
    return impute(frame), kept, f"{values} replaced by the median or the most frequent category of the column"


def impute(frame: pd.DataFrame) -> pd.DataFrame:
    """Replace missing values by the median or the most frequent category of their column."""
    frame = frame.copy()
    for label in frame.columns[frame.isna().any()]:
        number = pd.api.types.is_numeric_dtype(frame[label])
        gap = np.nan if number else None
        imputer = SimpleImputer(missing_values=gap, strategy="median" if number else "most_frequent")
        known = frame[[label]].astype(float if number else object).where(frame[[label]].notna(), gap)
        frame[label] = imputer.fit_transform(known.to_numpy())[:, 0]
    return frame


def _expect_some(frame: pd.DataFrame, cells: Cells, alternative: str) -> pd.DataFrame:
    if len(frame) < 3 or frame.shape[1] == 0:
        raise ValueError(
            f"{cells.name}: expected at least 3 objects and 1 attribute without missing values; got "
            f"{len(frame)} and {frame.shape[1]}; use {alternative}"
        )
    return frame
