"""Decide whether a study has run often enough, at a few looks before the last run."""

from collections.abc import Iterable
from dataclasses import replace

from scipy.special import ndtri

from credalbench.core.intervals import TAILS, Estimate
from credalbench.papers.judging import Comparison

#: Width of a 99 % interval over that of a 95 % one, of a normal estimate.
WIDER = float(ndtri(0.995) / ndtri(TAILS[1]))


def may_end(comparisons: Iterable[Comparison], n_runs: int, most_runs: int) -> bool:
    """Return whether more runs, up to `most_runs`, would hardly change what is decided.

    In that case, each comparison would also be decided with 99 % intervals, or stay open with the shorter
    ones of `most_runs` about the same value. Testing often, and stopping at a verdict, errs in more than 5 of
    100 cases. A test at 99 % adds at most one hundredth [haybittle1971], and a stop without a verdict adds
    nothing.
    """
    shorter = (n_runs / most_runs) ** 0.5
    return all(
        scaled(one, WIDER).holds is not None or scaled(one, shorter).holds is None for one in comparisons
    )


def looks(enough: int, most_runs: int) -> list[int]:
    """Return after how many runs to look: after `enough`, then each time they have doubled."""
    return [enough << k for k in range(most_runs.bit_length()) if enough << k < most_runs]


def scaled(comparison: Comparison, factor: float) -> Comparison:
    """Return the comparison with an interval `factor` times as wide."""
    e = comparison.estimate
    low, high = (e.value + factor * (end - e.value) for end in (e.low, e.high))
    return replace(comparison, estimate=Estimate(e.value, low, high, e.n))
