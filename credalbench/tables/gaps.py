"""What is done about missing values: objects or attributes left out, others put in, or the gaps skipped."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer

from credalbench.tables.cells import Cells, first_few
from credalbench.tables.roles import Question

#: Leave out objects, or attributes; put in the median or the commonest category; skip in dissimilarities.
MISSING = ("rows", "columns", "impute", "skip")

#: Of these, what can be done about classes that are missing.
LEAVING_OUT = ("rows", "columns")


def question_about(cells: Cells, gaps: pd.DataFrame, classes: str | None) -> Question:
    """What to ask where values are missing.

    Parameters
    ----------
    cells : Cells
    gaps : DataFrame of bool, shape (n, q)
        Where they are, in columns that have some.
    classes : str or None
        Name of the column of classes.
    """
    told = [_told(cells, gaps[label], label, label == classes) for label in gaps.columns[:3]]
    more = f" and {gaps.shape[1] - 3} more columns" if gaps.shape[1] > 3 else ""
    ways = tuple({"missing": way} for way in MISSING if classes not in gaps or way in LEAVING_OUT)
    return Question("missing values", "; ".join(told) + more, ways, blocking=True)


def _told(cells: Cells, gaps: pd.Series, label: str, classes: bool) -> str:
    number = int(gaps.sum())
    what = "gap" if classes else "missing value"
    kind = " (classes)" if classes else ""
    return f"column {label!r}{kind} has {number} {what}{'s' * (number > 1)} ({cells.places(gaps)})"


def without_gaps(
    frame: pd.DataFrame, gaps: pd.DataFrame, missing: str, cells: Cells
) -> tuple[pd.DataFrame, np.ndarray, str]:
    """Deal with missing values of attributes in the way that was asked for.

    Parameters
    ----------
    frame : DataFrame of shape (n, p)
        Attributes.
    gaps : DataFrame of bool, shape (n, q)
        Missing values of attributes and classes, in columns that have some.
    missing : {"rows", "columns", "impute", "skip"}
    cells : Cells
        For messages.

    Returns
    -------
    frame : DataFrame
        Without gaps, unless they are skipped.
    stay : ndarray of bool, shape (n,)
        Which objects are left.
    said : str
        What was done.

    Raises
    ------
    ValueError
        Nothing would be left.
    """
    stay = np.ones(len(frame), dtype=bool)
    holes = [label for label in gaps if label in frame]
    if missing == "rows":
        stay = ~gaps.any(axis=1).to_numpy()
        said = f"left out, values missing: {cells.places(~stay)}"
        return _expect_some(frame[stay], cells, "missing='columns' or 'impute'"), stay, said
    if missing == "columns":
        said = f"left out, values missing: column{'s' * (gaps.shape[1] > 1)} {first_few(gaps.columns)}"
        return _expect_some(frame.drop(columns=holes), cells, "missing='rows' or 'impute'"), stay, said
    number = int(gaps[holes].to_numpy().sum())
    values = f"{number} missing value{'s' * (number > 1)}"
    if missing == "skip":
        return frame, stay, f"{values} skipped in dissimilarities"
    return imputed(frame), stay, f"{values} replaced by the median or the commonest category of the column"


def imputed(frame: pd.DataFrame) -> pd.DataFrame:
    """Attributes with the median, or the commonest category, where a value is missing."""
    frame = frame.copy()
    for label in frame.columns[frame.isna().any()]:
        number = pd.api.types.is_numeric_dtype(frame[label])
        gap = np.nan if number else None
        imputer = SimpleImputer(missing_values=gap, strategy="median" if number else "most_frequent")
        known = frame[[label]].astype(float if number else object).where(frame[[label]].notna(), gap)
        frame[label] = imputer.fit_transform(known.to_numpy())[:, 0]
    return frame


def _expect_some(frame: pd.DataFrame, cells: Cells, advice: str) -> pd.DataFrame:
    if len(frame) < 3 or frame.shape[1] == 0:
        raise ValueError(
            f"{cells.name}: expected 3 objects and an attribute without missing values; got "
            f"{len(frame)} and {frame.shape[1]}. Instead: {advice}"
        )
    return frame
