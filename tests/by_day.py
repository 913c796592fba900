"""By day a part of the cases of a test stands for all of them; `make nightly` tries them all."""

from collections.abc import Iterable

import pytest


def some_by_day(values: Iterable, every: int = 3) -> list:
    """Return all values for `parametrize`, of which each `every`-th is tried by day."""
    cases = (value if isinstance(value, tuple) else (value,) for value in values)
    return [
        pytest.param(*case, marks=() if number % every == 0 else pytest.mark.nightly)
        for number, case in enumerate(cases)
    ]
