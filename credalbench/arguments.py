"""Checks of constructor arguments: what was expected, what came. They run before any work starts."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np


def expect(condition: bool, what: str, got: object) -> None:
    """Raise a ValueError that names what was expected and what came, unless `condition` holds."""
    if not condition:
        raise ValueError(f"expected {what}, got {got!r}")


def expect_count(name: str, value: object, low: float, high: float = np.inf, high_name: str = "") -> None:
    """Refuse a `value` that is no integer in low..high; `high_name` says what the upper bound stands for."""
    expect(isinstance(value, Integral) and not isinstance(value, bool), f"an integer {name}", value)
    bound = f" <= {high_name} = {high}" if high_name else f" <= {high}" if high < np.inf else ""
    expect(low <= value <= high, f"{low} <= {name}{bound}", value)


def expect_number(name: str, value: object, low: float, *, closed: bool = False) -> None:
    """Refuse a `value` that is no finite number above `low` (or equal to it, when `closed`)."""
    finite = isinstance(value, Real) and not isinstance(value, bool) and np.isfinite(value)
    sign = ">=" if closed else ">"
    expect(finite and (value > low or (closed and value == low)), f"a finite {name} {sign} {low}", value)
