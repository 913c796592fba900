"""Cells that stand for a missing value in disguise: -999 far from all other numbers, words among numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from credalbench.arguments import expect, shown
from credalbench.tables.cells import Cells
from credalbench.tables.columns import Contents
from credalbench.tables.roles import Question

#: More nines than that are a number.
MOST_NINES = 8
SENTINELS = [sign * (10.0**nines - 1) for nines in range(2, MOST_NINES + 1) for sign in (-1, 1)]
#: Different words among numbers that may stand for missing values.
MOST_WORDS = 3


def expect_na_values(na_values: object) -> tuple[str | float, ...]:
    """Return the cells that were said to stand for missing values: words or numbers.

    Raises
    ------
    ValueError
    """
    listed = isinstance(na_values, Sequence) and not isinstance(na_values, str | bytes)
    expect(listed, "na_values to be a list of words or numbers", na_values)
    for value in na_values:
        number = isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)
        expect(number or isinstance(value, str), "words or finite numbers in na_values", value)
    return tuple(na_values)


def sentinels_in(numbers: pd.Series) -> list[float]:
    """Return the numbers of nothing but nines that lie far from all others, as -999 and 9999 do.

    Far is further away than the others are from each other, or negative where no other number is; there must
    be two others at least.
    """
    values = np.unique(numbers.dropna())
    nines = np.isin(values, SENTINELS)
    others = values[~nines]
    if len(others) < 2 or not nines.any():
        return []
    width = others[-1] - others[0]
    low = others[0] - width if others[0] < 0 else max(others[0] - width, 0.0)
    far = (values < low) | (values > others[-1] + width)
    return [float(value) for value in values[nines & far]]


def questions_about_cells(
    cells: Cells, found: Sequence[Contents], taken: Mapping[str, str], na_values: Sequence, said: Mapping
) -> list[Question]:
    """What is to be asked of cells that may stand for missing values, beside `na_values`.

    Columns that were `said` to hold numbers are not asked about.
    """
    left_out = [c for c in found if taken[c.label] == "left out" != said.get(c.label)]
    mixed = [column for column in left_out if column.holds == "numbers and words"]
    numbers = [c for c in found if taken[c.label] == "number" and c.label not in said]
    questions = _of_words(cells, mixed, na_values), _of_numbers(cells, numbers, na_values)
    return [question for question in questions if question]


def _of_words(cells: Cells, mixed: Sequence[Contents], na_values: Sequence) -> Question | None:
    """Ask about columns of numbers with words in them; all of them are named, the first ones with a line."""
    if not mixed:
        return None
    told = [_wrong(cells, column) for column in mixed[:3]]
    more = f"; and {len(mixed) - 3} more columns" if len(mixed) > 3 else ""
    words = _unique(str(word) for column in mixed for word in column.values[column.wrong])
    labels = [column.label for column in mixed]
    ways = [{"columns": dict.fromkeys(labels, role)} for role in ("left out", "category")]
    if len(words) <= MOST_WORDS:
        ways = [{"na_values": (*na_values, *words)}, *ways]
    return Question("columns", "; ".join(told) + more, tuple(ways), blocking=True)


def _wrong(cells: Cells, column: Contents) -> str:
    i, more = int(np.argmax(column.wrong)), int(column.wrong.sum()) - 1
    cell, others = str(column.values.iloc[i]), f" and {more} more" if more else ""
    finite = "finite " if "inf" in cell.lower() else ""
    return (
        f"column {column.label!r} should hold {finite}numbers; got {shown(cell)} in {cells.place(i)}{others}"
    )


def _of_numbers(cells: Cells, numbers: Sequence[Contents], na_values: Sequence) -> Question | None:
    """Ask about numbers far from all others of their columns."""
    strange = {c.label: (c, sentinels) for c in numbers if (sentinels := sentinels_in(c.values))}
    if not strange:
        return None
    told = [
        f"{', '.join(f'{value:.0f}' for value in sentinels)} in column {label!r} "
        f"({cells.places(column.values.isin(sentinels))})"
        for label, (column, sentinels) in [*strange.items()][:3]
    ]
    more = f" and {len(strange) - 3} more columns" if len(strange) > 3 else ""
    text = f"far from all other numbers, and perhaps missing values: {', '.join(told)}{more}"
    values = _unique(int(value) for _, sentinels in strange.values() for value in sentinels)
    as_they_are = {"columns": dict.fromkeys(strange, "number")}
    return Question(
        "missing values", text, ({"na_values": (*na_values, *values)}, as_they_are), blocking=True
    )


def _unique(values: Iterable) -> list:
    return list(dict.fromkeys(values))
