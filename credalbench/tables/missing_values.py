"""Handle missing values: drop objects or attributes, impute values, or skip them in dissimilarities."""

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer

from credalbench.tables.cells import Cells, first_few
from credalbench.tables.roles import Question

#: Drop objects or attributes; impute the median or the most frequent category; skip in dissimilarities.
MISSING = ("rows", "columns", "impute", "skip")

#: Largest share of objects that is left out without a question.
MAX_DROPPED = 0.1

#: The options that also apply to missing classes.
DROPPING = ("rows", "columns")


def missing_value_question(cells: Cells, gaps: pd.DataFrame, classes: str | None) -> Question:
    """Return the question of how to handle missing values.

    Parameters
    ----------
    cells : Cells
    gaps : DataFrame of bool, shape (n, q)
        Mask of missing values, for the columns that have some.
    classes : str or None
        Name of the column of classes.
    """
    counts = [_count_missing(cells, gaps[label], label, label == classes) for label in gaps.columns[:3]]
    more = f" and {gaps.shape[1] - 3} more columns" if gaps.shape[1] > 3 else ""
    options = tuple({"missing": option} for option in MISSING if classes not in gaps or option in DROPPING)
    likely = _likely_answer(gaps, classes)
    return Question("missing values", "; ".join(counts) + more, options, blocking=True, likely=likely)


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
    """Handle missing values of attributes and classes.

    Parameters
    ----------
    frame : DataFrame of shape (n, p)
        Attributes.
    gaps : DataFrame of bool, shape (n, q)
        Mask of missing values of attributes and classes, for the columns that have some.
    missing : {"rows", "columns", "impute", "skip"}
        What to do.
    cells : Cells
        The source, for error messages.

    Returns
    -------
    frame : DataFrame
        Attributes without missing values, unless these are skipped.
    kept : ndarray of bool, shape (n,)
        Mask of the objects that remain.
    note : str
        What was done.

    Raises
    ------
    ValueError
        If fewer than three objects or no attribute would remain.
    """
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
