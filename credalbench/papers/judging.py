"""The rule by which results are judged; see docs/JUDGING.md.

A printed value is compared with what the same statistic of as many runs of our program would be: `tail` says
where it lies, `width` how sharp the comparison is. A statement of order is compared by its 95 % interval.
Both have a tail probability, and those that belong together are decided together, by the procedure of
Benjamini and Hochberg [benjamini1995].
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from credalbench.core.intervals import LEVEL, TAILS, Estimate, pooled_deviation

from .reference import ROUNDING, Printed

ERRORS = 1 - LEVEL
#: Half the width of a 95 % interval, in standard errors.
WIDTH = float(ndtri(TAILS[1]))
#: Widest comparison that shows agreement: of a measure up to 1; ratio of the ends of other quantities.
RELEVANT, FACTOR = 0.1, 3.0
DRAWS = 4000  # of the runs that a paper may have had
OUTER = 0.1  # share of the draws beyond which a tail is taken as exponential
#: A larger multiple of the number of runs is not practicable.
MOST_TIMES = 1000


@dataclass(frozen=True)
class Comparison:
    """An estimate beside what is stated, and how both are compared.

    Parameters
    ----------
    estimate : Estimate
    tail : float
        Probability of lying at least so far away if the statement is true, on either side; 0 if a value
        without chance differs.
    is_sharp : bool
        Whether agreement can be said.
    width, bound : float
        Of a printed value: the range that holds it and the central 95 % of what our program would print; and
        how wide it may be.
    ours_open : bool
        Whether more runs of ours would make a wide comparison sharp; else the paper has too few.
    printed : Printed, optional
        The printed value.
    form, label : str
        Format of the numbers, and what is compared.
    """

    estimate: Estimate
    tail: float
    is_sharp: bool
    width: float = 0.0
    bound: float = 0.0
    ours_open: bool = False
    printed: Printed | None = None
    form: str = ".3g"
    label: str = ""

    def outcome(self, threshold: float = ERRORS) -> bool | None:
        """Return whether the statement holds if tails up to `threshold` are small; None if that is open."""
        if self.tail <= threshold:
            return False
        return True if self.is_sharp else None

    @property
    def ours(self) -> str:
        return format(self.estimate, self.form)

    @property
    def what_decides(self) -> str:
        """What would decide a comparison that is not sharp."""
        e = self.estimate
        if e.n == 1 and math.isinf(e.high - e.low):
            return "one run has no interval"
        if self.printed and self.printed.relation == "=":
            whose = "ours" if self.ours_open else "the paper's"
            return f"too few runs to tell, {whose}: width {self.width:.2g}, at most {self.bound:.2g} would do"
        if math.isfinite(self.width) and self.width <= math.sqrt(MOST_TIMES):
            times = max(math.ceil(self.width**2), 2)
            return f"about {times} times as many runs would decide, if the value stays"
        return "the interval includes the bound"


# ---------------------------------------------------------------- orders


def with_range(
    estimate: Estimate, low: float = -math.inf, high: float = math.inf, closed: bool = False, **more: Any
) -> Comparison:
    """Compare with a range, whose ends belong to it if `closed`: by the side on which the interval lies."""
    slack = ROUNDING if closed else 0.0
    low, high, e = low - slack, high + slack, estimate
    inside = (e.low > low or math.isinf(low)) and (e.high < high or math.isinf(high))
    tail = 1.0
    if not inside and (e.high <= low or e.low >= high):
        gap, reach = (low - e.value, e.high - e.value) if e.high <= low else (e.value - high, e.value - e.low)
        tail = min(2 * float(ndtr(-WIDTH * gap / reach)), ERRORS) if reach > 0 else 0.0
    # how many times wider the interval is than one that would just decide
    clearance = min(abs(e.value - low), abs(e.value - high))
    excess = (e.high - e.low) / 2 / clearance if clearance else math.inf
    return Comparison(e, tail, inside, excess if excess >= 1 else math.inf, **more)


# ---------------------------------------------------------------- printed values


def with_printed(printed: Printed, estimate: Estimate, **more: Any) -> Comparison:
    """Compare with a printed value: with a bound by the side, else by what our program would print."""
    more["printed"] = printed
    if printed.relation == ">":
        return with_range(estimate, low=printed.value, **more)
    if printed.relation == "<":
        return with_range(estimate, high=printed.value, **more)
    half, x = printed.precision + ROUNDING, printed.value
    if estimate.is_exact:
        equal = abs(estimate.value - x) <= half
        return Comparison(estimate, float(equal), equal, **more)
    if estimate.n == 1 or not math.isfinite(estimate.high - estimate.low):
        return Comparison(estimate, 1.0, False, math.inf, ours_open=True, **more)
    m = printed.runs or estimate.n
    draws, wider = would_print(estimate, m, half), _error_of_scale(estimate.n)
    if estimate.statistic is pooled_deviation:  # compared as ratios
        (low, high), centre = _central(np.log(draws), wider, math.log(max(estimate.value, half)))
        near = [math.log(max(end, half)) for end in (x - half, x + half)]
        tail = _two_sided(np.log(draws), centre, near, wider, estimate.n)
        low, high = math.exp(low), math.exp(high)
    else:
        (low, high), centre = _central(draws, wider, estimate.value)
        tail = _two_sided(draws, centre, (x - half, x + half), wider, estimate.n)
    width = max(high, x - half) - min(low, x + half)
    bound = relevance(printed, estimate, max(abs(low), abs(high), abs(x)))
    ours_open = width * math.sqrt(estimate.n / (estimate.n + m)) <= bound < width
    return Comparison(estimate, tail, width <= bound, width, bound, ours_open, **more)


def would_print(estimate: Estimate, m: int, half: float = 0.0) -> np.ndarray:
    """Draw the statistic of m runs again and again from our N, with the error of these: (DRAWS,).

    For each draw, N of the N runs are drawn first, and m of these. The share of runs is drawn first from its
    beta distribution (Jeffreys' prior) instead: what none of N runs does, one of m may. A deviation is that
    of m runs times what that of N others falls short of ours: few runs miss the rare ones that make it large.
    What is below `half` a unit is printed as 0.
    """
    if not estimate.runs:  # an estimate of its own kind: as if normal
        reach = math.hypot(1, math.sqrt(estimate.n / m)) * (estimate.high - estimate.low) / 2 / WIDTH
        steps = (np.arange(DRAWS) + 0.5) / DRAWS
        return estimate.value + reach * ndtri(steps)
    if _is_share(estimate):
        hits, rng = estimate.value * estimate.n, np.random.default_rng(0)
        return rng.binomial(m, rng.beta(hits + 0.5, estimate.n - hits + 0.5, DRAWS)) / m
    if estimate.statistic is not pooled_deviation:
        return estimate.statistic(*(_drawn(values, m, "both") for values in estimate.runs))
    [runs] = estimate.runs
    theirs, again = (pooled_deviation(_drawn(runs, n, way)) for n, way in ((m, "m"), (m, "N")))
    factor = np.divide(estimate.value, again, out=np.ones_like(again), where=again > 0)
    return np.maximum(theirs * factor, max(half, ROUNDING))


def _is_share(estimate: Estimate) -> bool:
    """Return whether an estimate is the share of the runs in which something happens."""
    [runs, *others] = estimate.runs
    return not others and runs.ndim == 1 and np.isin(runs, (0, 1)).all() and runs.mean() == estimate.value


def relevance(printed: Printed, estimate: Estimate, largest: float) -> float:
    """Return how wide a comparison may be that shows agreement; `largest` is the largest value in it.

    A measure up to 1 may vary by a tenth, and the ends of other quantities may differ by a factor of 3, as
    ten normal runs determine their deviation. If less, it is half the distance to the nearest other value in
    its row, but not for deviations. Two units of the last printed digit are always allowed.
    """
    widest = largest * (1 - 1 / FACTOR)
    if estimate.statistic is not pooled_deviation:
        is_measure = max([abs(printed.value), *(np.abs(v).max() for v in estimate.runs)]) <= 1
        gaps = [abs(other - printed.value) for other in printed.row if other != printed.value]
        widest = min([RELEVANT if is_measure and printed.precision else widest, *(gap / 2 for gap in gaps)])
    return max(two_units(printed), widest)


def two_units(printed: Printed) -> float:
    """Return two units of the last printed digit, a difference that never matters."""
    return 4 * printed.precision


@lru_cache(maxsize=32)
def _places(n: int, m: int, way: str) -> np.ndarray:
    """Return which of n runs are drawn, (DRAWS, m): the same each time."""
    rng = np.random.default_rng(0)
    outer = rng.integers(n, size=(DRAWS, n))
    inner = rng.integers(n, size=(DRAWS, m))
    return {"N": outer, "m": inner, "both": np.take_along_axis(outer, inner, axis=-1)}[way]


def _drawn(values: np.ndarray, m: int, way: str) -> np.ndarray:
    """Draw from the runs on the last axis: (..., N) -> (DRAWS, ..., m)."""
    return np.moveaxis(values[..., _places(values.shape[-1], m, way)], -2, 0)


def _error_of_scale(n: int) -> float:
    """Return how much wider Student's interval of n runs is than what their resampling gives."""
    return float(stdtrit(n - 1, TAILS[1])) / WIDTH * math.sqrt(n / (n - 1))


def _central(draws: np.ndarray, wider: float, centre: float) -> tuple[tuple[float, float], float]:
    """Return the central 95 % of the draws, widened about the centre, and the centre."""
    low, high = (centre + wider * (float(end) - centre) for end in np.quantile(draws, TAILS))
    return (low, high), centre


def _two_sided(draws: np.ndarray, centre: float, ends: Iterable[float], wider: float, n: int) -> float:
    """Return the probability, on either side, of a draw that is printed as far out as the value is."""
    low, high = (centre + (end - centre) / wider for end in ends)
    return min(1.0, 2 * min(_beyond(draws, low, n), _beyond(-draws, -high, n)))


def _beyond(draws: np.ndarray, x: float, n: int) -> float:
    """Return the probability of a draw of at least x.

    Beyond the outer tenth it is that of an exponential distribution, whose scale is known from as many values
    as n runs have there: (1 + y / k)^-k for y scales beyond.
    """
    share, start = float(np.mean(draws >= x)), float(np.quantile(draws, 1 - OUTER))
    if x <= start:
        return share
    excess = draws[draws > start] - start
    scale = float(excess.mean()) if len(excess) else float(np.diff(np.unique(draws)).min(initial=np.inf))
    if math.isinf(scale):  # all draws are equal
        return 0.0
    beyond = len(excess) / len(draws) or OUTER  # less than the tenth if draws are equal
    k = max(beyond * n, 1.0)
    return max(share, beyond * (1 + (x - start) / (k * scale)) ** -k)


# ---------------------------------------------------------------- several comparisons


def smallest(comparisons: Iterable[Comparison], level: float = ERRORS) -> float:
    """Return the largest tail that Benjamini and Hochberg call small, 0 if none is.

    Only comparisons with chance count: others are equal or are not.
    """
    tails = np.sort([c.tail for c in comparisons if not c.estimate.is_exact])
    small = tails[tails <= level * np.arange(1, len(tails) + 1) / max(len(tails), 1)]
    return float(small[-1]) if len(small) else 0.0


def judge_together(comparisons: Iterable[Comparison], threshold: float | None = None) -> bool | None:
    """Return one verdict: not if one differs, open if one is open; without threshold, by their own tails."""
    comparisons = list(comparisons)
    threshold = smallest(comparisons) if threshold is None else threshold
    return conjunction(c.outcome(threshold) for c in comparisons)


def conjunction(outcomes: Iterable[bool | None]) -> bool | None:
    """Return the three-valued conjunction: False before None before True."""
    outcomes = list(outcomes)
    return False if False in outcomes else None if None in outcomes else True
