"""By day a part of the cases of a test stands for all of them; `make nightly` tries them all."""

from collections.abc import Iterable

import pytest


def some_by_day(values: Iterable, every: int = 3) -> list:
    """Return all values for `parametrize`, of which each `every`-th is tried by day."""
    return [
        with_mark(value, () if number % every == 0 else (pytest.mark.nightly,))
        for number, value in enumerate(values)
    ]


def with_mark(value, marks: tuple):
    if hasattr(value, "marks"):  # from `pytest.param`
        return pytest.param(*value.values, marks=(*value.marks, *marks), id=value.id)
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks)
