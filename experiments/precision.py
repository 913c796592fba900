"""When a study has run often enough: one look before the last run."""

from collections.abc import Iterable
from dataclasses import replace

from scipy.special import ndtri

from credalbench.intervals import TAILS, Estimate
from credalbench.runner.judging import Comparison

#: Width of a 99.9 % interval over that of a 95 % one, of a normal estimate.
WIDER = float(ndtri(0.9995) / ndtri(TAILS[1]))


def is_settled(comparisons: Iterable[Comparison]) -> bool:
    """Return whether each comparison would be decided with 99.9 % intervals, too.

    Then the runs may end. Whoever looks often, and ends where a verdict is reached, errs more often than in 5
    of 100 cases. A single look that asks for so much adds a thousandth [haybittle1971].
    """
    return all(replace(one, estimate=widened(one.estimate)).holds is not None for one in comparisons)


def widened(estimate: Estimate) -> Estimate:
    """Return the estimate with an interval `WIDER` times as wide."""
    low, high = (estimate.value + WIDER * (end - estimate.value) for end in (estimate.low, estimate.high))
    return replace(estimate, low=low, high=high)
