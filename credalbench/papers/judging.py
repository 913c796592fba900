"""The rule by which estimates are judged, singly and together; see docs/JUDGING.md.

An estimate is compared with a range: the values for which the statement is true. The range of a printed
value is as wide as its precision, and is widened on both sides by the error that the paper's own repetitions
leave. The value is *reproduced* if its 95 % interval lies inside, *not reproduced* if it lies outside, and
*open* otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scipy.special import ndtr, ndtri, pdtrc

from credalbench.core.intervals import LEVEL, TAILS, Estimate

from .reference import ROUNDING, Printed

#: A larger multiple of the number of runs is not practicable.
MOST_TIMES = 1000
#: Half the width of a 95 % interval, in standard errors.
WIDTH = float(ndtri(TAILS[1]))


@dataclass(frozen=True)
class Comparison:
    """An estimate, and the range of values for which a statement is true.

    Parameters
    ----------
    estimate : Estimate
    low, high : float
        The range; one end may be infinite.
    closed : bool
        Whether the ends belong to it.
    error : float
        Half the 95 % interval of the printed value that the range is about.
    printed : Printed, optional
        That value.
    form : str
        Format of the numbers.
    """

    estimate: Estimate
    low: float = -math.inf
    high: float = math.inf
    closed: bool = False
    error: float = 0.0
    printed: Printed | None = None
    form: str = ".3g"

    @classmethod
    def with_printed(cls, printed: Printed, estimate: Estimate, form: str) -> Comparison:
        """Compare with a printed value: within its precision, or on the printed side of it."""
        if printed.relation == ">":
            return cls(estimate, low=printed.value, printed=printed, form=form)
        if printed.relation == "<":
            return cls(estimate, high=printed.value, printed=printed, form=form)
        low, high = printed.value - printed.precision, printed.value + printed.precision
        return cls(estimate, low, high, True, printed.error(estimate), printed, form)

    @property
    def margin(self) -> float:
        """Largest difference from the printed value that counts as agreement."""
        return (self.high - self.low) / 2 + self.error if self.closed else 0.0

    @property
    def slack(self) -> float:
        """Width added to the range on both sides."""
        return self.error + (ROUNDING if self.closed else 0.0)

    @property
    def holds(self) -> bool | None:
        """Whether the interval lies inside the range; None if that is open."""
        low, high = self.low - self.slack, self.high + self.slack
        e = self.estimate
        if (e.low > low or math.isinf(low)) and (e.high < high or math.isinf(high)):
            return True
        return False if e.high <= low or e.low >= high else None

    @property
    def ours(self) -> str:
        return format(self.estimate, self.form)

    @property
    def reach(self) -> float:
        """Half the width of our interval."""
        return (self.estimate.high - self.estimate.low) / 2

    @property
    def chance(self) -> float:
        """Probability of differing by chance if the truth lies at an end of the range; at most 5 %."""
        spread = math.hypot(self.error, self.reach)
        if not 0 < spread < math.inf:
            return 0.0
        gaps = self.error + self.reach, self.error + self.reach + self.high - self.low
        return float(sum(ndtr(-WIDTH * gap / spread) for gap in gaps))

    @property
    def surprise(self) -> float:
        """Probability of lying at least so far outside if the truth lies at an end of the range."""
        gap = max(self.low - self.estimate.value, self.estimate.value - self.high)
        spread = math.hypot(self.error, self.reach)
        return float(ndtr(-WIDTH * gap / spread)) if 0 < spread < math.inf else float(gap <= 0)

    @property
    def what_decides(self) -> str:
        """What would decide an open comparison; else empty."""
        if self.holds is not None:
            return ""
        if self.estimate.n == 1 and math.isinf(self.reach):
            return "open: one run has no interval"
        ends = (self.low - self.error, self.high + self.error)
        clearance = min(abs(self.estimate.value - end) for end in ends)
        excess = self.reach / clearance if clearance else math.inf
        if not 1 <= excess <= math.sqrt(MOST_TIMES):
            return "open: the interval includes the bound"
        times = max(math.ceil(excess**2), 2)
        return f"open: about {times} times as many runs would decide, if the value stays"


def judge_together(comparisons: Sequence[Comparison]) -> bool | None:
    """Return one verdict on several comparisons of the same kind.

    They hold if each holds. They do not hold if more of them differ than expected by chance, or if one
    differs by more than the largest of so many could by chance. Otherwise the verdict is open.
    """
    differing = [c for c in comparisons if c.holds is False]
    if not differing:
        return conjunction(c.holds for c in comparisons)
    too_many = float(pdtrc(len(differing) - 1, by_chance(comparisons))) < 1 - LEVEL
    too_far = min(c.surprise for c in differing) * len(comparisons) < 1 - LEVEL
    return False if too_many or too_far else None


def by_chance(comparisons: Iterable[Comparison]) -> float:
    """Return how many comparisons would differ by chance, at most, if the statement is true of each."""
    return sum(c.chance for c in comparisons)


def conjunction(outcomes: Iterable[bool | None]) -> bool | None:
    """Return the three-valued conjunction: False before None before True."""
    outcomes = list(outcomes)
    return False if False in outcomes else None if None in outcomes else True
