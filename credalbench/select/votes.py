"""What a criterion says of the number of clusters, and how sure it is of that.

A criterion prefers the number where its value on all objects is best. How flat its curve is there shows in
the *runs*: the same criterion on random halves of the objects, or, where there are none, in fits from other
seeds. It is sure of its number where no other one is better in more than half of the runs, and where the 95 %
interval of its margin over the next best lies above 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from credalbench.intervals import TAILS, Estimate, mean, proportion

from .criteria import CRITERIA, Scaling
from .stability import SHARE

EQUAL = 1e-3  # of the largest value of a run: numbers that differ by less are equally good
FEWEST = 2  # runs that tell of a spread


class CriterionVote(NamedTuple):
    """The number of clusters that a criterion prefers.

    Attributes
    ----------
    criterion : str
    c : int
        The number that it prefers.
    support : Estimate or None
        Share of the runs in which no other number is better, with Wilson's interval; None without runs.
    margin : Estimate or None
        By how much it is better than the next best number, with its interval; None without runs.
    """

    criterion: str
    c: int
    support: Estimate | None = None
    margin: Estimate | None = None

    @property
    def is_clear(self) -> bool:
        """Whether support is above one half, and the whole interval of the margin above 0: not flat."""
        known = self.support is not None and self.margin is not None
        return known and self.support.low > 0.5 and self.margin.low > 0


def criterion_vote(criterion: str, means: pd.Series, runs: pd.DataFrame, halves: bool) -> CriterionVote:
    """What a criterion prefers, and how surely.

    Parameters
    ----------
    criterion : str
        One that has a direction.
    means : pandas.Series of shape (numbers,)
        Number of clusters -> value on all objects, one at least; of equal ones the fewest clusters win.
    runs : pandas.DataFrame of shape (numbers, runs)
        Values of the runs; NaN where there is none.
    halves : bool
        Whether the runs are random halves of the objects, or fits to all of them.
    """
    sign = 1 if CRITERIA[criterion].better == "higher" else -1
    scores, scored = (sign * means).sort_index(), sign * runs.dropna(axis=1, how="all")
    c = scores.idxmax()
    others = scores.drop(c)
    if others.empty or scored.shape[1] < FEWEST:
        return CriterionVote(criterion, int(c))
    lead = scored.loc[c] - scored.drop(c).max()
    support = proportion(lead >= -EQUAL * scored.abs().max())
    gaps = (scored.loc[c] - scored.loc[others.idxmax()]).dropna()
    if len(gaps) < FEWEST:
        return CriterionVote(criterion, int(c), support)
    gap = scores[c] - others.max()
    margin = of_halves(gap, gaps, CRITERIA[criterion].scaling) if halves else mean(gaps)
    return CriterionVote(criterion, int(c), support, margin)


def of_halves(value: float, values: np.ndarray | pd.Series, scaling: Scaling) -> Estimate:
    """A value on all objects, with the 95 % interval that its values (m,) on random halves of them tell.

    They vary as the value would over samples of all n objects [shao1989], once they are brought to n objects:
    a sum over the objects is multiplied, and of a number of which only ratios count the ratio is taken.
    """
    typical = float(np.mean(values))
    ratio = abs(value / typical) if typical else 1.0
    factor = {"mean": 1.0, "sum": 1 / SHARE, "ratio": ratio}[scaling]
    reach = float(stdtrit(len(values) - 1, TAILS[1]) * np.std(values, ddof=1) * factor)
    return Estimate(float(value), float(value) - reach, float(value) + reach, len(values))
