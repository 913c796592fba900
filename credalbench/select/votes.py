"""The vote of a criterion for a number of clusters, and how sure it is.

A criterion prefers the number with the best value on all objects. The *runs* show how flat its curve is
there: the same criterion on random halves of the objects or, without halves, in fits from other seeds. The
vote is clear if no other number is better in more than half of the runs, and the 95 % interval of its margin
over the next best number lies above 0.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from credalbench.core.intervals import TAILS, Estimate, mean, proportion

from .criteria import CRITERIA, Scaling
from .stability import SHARE

EQUAL = 1e-3  # of the largest value of a run: numbers that differ by less are equally good
FEWEST = 2  # runs that have a spread


class CriterionVote(NamedTuple):
    """The number of clusters that a criterion prefers.

    Parameters
    ----------
    criterion : str
        Name of the criterion.
    c : int
        The preferred number of clusters.
    support : Estimate or None
        Share of the runs in which no other number is better, with Wilson's interval; None without runs.
    margin : Estimate or None
        Difference to the next best number, with its interval; None without runs.
    """

    criterion: str
    c: int
    support: Estimate | None = None
    margin: Estimate | None = None

    @property
    def is_clear(self) -> bool:
        """Whether support is above one half and the whole interval of the margin above 0."""
        known = self.support is not None and self.margin is not None
        return known and self.support.low > 0.5 and self.margin.low > 0


def criterion_vote(criterion: str, means: pd.Series, runs: pd.DataFrame, halves: bool) -> CriterionVote:
    """Return the vote of a criterion.

    Parameters
    ----------
    criterion : str
        A criterion with a direction.
    means : pandas.Series of shape (numbers,)
        Number of clusters -> value on all objects, at least one; among equal ones the fewest clusters win.
    runs : pandas.DataFrame of shape (numbers, runs)
        Values of the runs; NaN if there is none.
    halves : bool
        Whether the runs are random halves of the objects, or fits to all of them.

    Returns
    -------
    CriterionVote
        Without support and margin if there are too few runs.
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
    """Return a value on all objects with the 95 % interval estimated from its values (m,) on random halves.

    These vary as the value would over samples of all n objects [shao1989], after scaling to n objects: a sum
    over objects is multiplied, and for a number of which only ratios count the ratio is used.
    """
    typical = float(np.mean(values))
    ratio = abs(value / typical) if typical else 1.0
    factor = {"mean": 1.0, "sum": 1 / SHARE, "ratio": ratio}[scaling]
    reach = float(stdtrit(len(values) - 1, TAILS[1]) * np.std(values, ddof=1) * factor)
    return Estimate(float(value), float(value) - reach, float(value) + reach, len(values))
