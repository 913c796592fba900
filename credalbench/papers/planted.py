"""Planted errors: in how many of the printed values that we reproduce would another value be noticed?

Two values are planted, one at a time: the next one in the row of the printed table (that of another method,
for instance) unless it is within two units of the last digit, and the printed one plus twice the width of the
comparison, at least three units.
"""

from collections.abc import Iterable
from dataclasses import replace

from .judging import Comparison, smallest, two_units, with_printed
from .reference import ROUNDING

NEXT, FAR = "the next value in its row", "the printed value plus twice the width"


def planted(compared: Iterable[Comparison]) -> dict[str, tuple[int, int, int]]:
    """Return for each kind of value how many were planted, not reproduced, and at least noticed.

    Parameters
    ----------
    compared : iterable of Comparison
        Those with the printed values of one paper.

    Returns
    -------
    dict of str to tuple
        A value is noticed if it is not called reproduced. Only values with chance that are reproduced are
        replaced.
    """
    compared = list(compared)
    threshold, found = smallest(compared), {NEXT: [], FAR: []}
    for k, one in enumerate(compared):
        value = one.printed.value
        if one.estimate.is_exact or one.printed.relation != "=" or not one.outcome(threshold):
            continue
        for kind, wrong in (
            (NEXT, one.printed.row[:1]),
            (FAR, (value + max(2 * one.width, 1.5 * two_units(one.printed)),)),
        ):
            for number in wrong:
                if abs(number - value) > two_units(one.printed) + ROUNDING:
                    there = _compared(one, number)
                    others = [*compared[:k], there, *compared[k + 1 :]]
                    found[kind].append(there.outcome(smallest(others)))
    return {
        kind: (len(seen), seen.count(False), len(seen) - seen.count(True)) for kind, seen in found.items()
    }


def _compared(one: Comparison, number: float) -> Comparison:
    """Return the comparison with another value in the place of the printed one."""
    others = tuple(one.printed.value if other == number else other for other in one.printed.row)
    return with_printed(replace(one.printed, value=number, row=others), one.estimate)
