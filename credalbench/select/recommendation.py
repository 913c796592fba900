"""A recommended number of clusters from the votes of several criteria, or no clear answer.

A criterion votes for the number with the best value on all objects. The *runs* show how flat its curve is
there: they are the same criterion on random halves of the objects or, without halves, in fits from other
seeds. The vote is clear if no other number is better in more than half of the runs, and the 95 % interval of
its margin over the next best number lies above 0.

A number is recommended if more than half of the criteria prefer it, unless it is at an end of the tried
range, since a better one may lie beyond it. (Two clusters are not an end, because most criteria have no value
for one cluster.) The *agreement* is

- *full*: all criteria, at least two, prefer it, at least one clearly (`CriterionVote.is_clear`), and
  each cluster has an object;
- *partial*: at least two criteria prefer it;
- *single*: only one criterion has a preference;
- *none*: there is no clear answer.

Agreement is not a probability of being right: criteria may prefer a wrong number together, for example for
classes that touch.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from credalbench.core.intervals import TAILS, Estimate, mean, proportion

from .criteria import CRITERIA, Scaling, display_name
from .stability import SHARE

LEAST = 2  # clusters: smaller numbers need not be tried
Agreement = Literal["full", "partial", "single", "none"]
EQUAL = 1e-3  # share of the largest value of a run by which equally good numbers may differ
FEWEST = 2  # smallest number of runs that have a spread


class CriterionVote(NamedTuple):
    """Vote of a criterion: the number of clusters that it prefers.

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
        """Whether the intervals of support and margin lie above one half and 0."""
        known = self.support is not None and self.margin is not None
        return known and self.support.low > 0.5 and self.margin.low > 0


def criterion_vote(criterion: str, means: pd.Series, runs: pd.DataFrame, halves: bool) -> CriterionVote:
    """Return the vote of a criterion.

    Parameters
    ----------
    criterion : str
        Name of a criterion with a direction.
    means : pandas.Series of shape (numbers,)
        Number of clusters -> value on all objects, at least one; ties go to the fewest clusters.
    runs : pandas.DataFrame of shape (numbers, runs)
        Values of the runs; NaN if there is no value.
    halves : bool
        Whether the runs are fits to random halves of the objects instead of fits to all of them.

    Returns
    -------
    CriterionVote
        Vote, without support and margin if there are too few runs.
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
    """Return a value on all objects with its 95 % interval, estimated from values (m,) on random halves.

    Scaled to n objects, these vary as the value would over samples of all n objects [shao1989]. Sums over
    objects are doubled; if only ratios are comparable, the ratio of the value to the mean is the factor.
    """
    typical = float(np.mean(values))
    ratio = abs(value / typical) if typical else 1.0
    factor = {"mean": 1.0, "sum": 1 / SHARE, "ratio": ratio}[scaling]
    reach = float(stdtrit(len(values) - 1, TAILS[1]) * np.std(values, ddof=1) * factor)
    return Estimate(float(value), float(value) - reach, float(value) + reach, len(values))


@dataclass(frozen=True, repr=False)
class Recommendation:
    """Recommended number of clusters, or none.

    Parameters
    ----------
    n_clusters : int or None
        None if there is no clear answer.
    agreement : {"full", "partial", "single", "none"}
        Agreement of the criteria on this number.
    words : str
        Sentence that says which criterion prefers what, how certain it is, and whether clusters are empty.
    """

    n_clusters: int | None
    agreement: Agreement
    words: str

    def __repr__(self) -> str:
        return self.words


def recommend(
    votes: Sequence[CriterionVote], numbers: Sequence[int], runs: str, n_empty: Mapping[int, int]
) -> Recommendation:
    """Recommend a number of clusters from votes.

    Parameters
    ----------
    votes : sequence of CriterionVote
        Votes of the criteria.
    numbers : sequence of int
        Numbers of clusters that were tried.
    runs : str
        Word for the runs in the sentence.
    n_empty : mapping
        Number of clusters -> number of clusters without an object; 0 by default.

    Returns
    -------
    Recommendation
        Recommendation with its reasons in words.
    """
    if not votes:
        return _no_answer("no criterion prefers any number")
    c, count = Counter(one.c for one in votes).most_common(1)[0]
    preferences = _preferences(votes, runs)
    if 2 * count <= len(votes):
        return _no_answer(preferences)
    if c == max(numbers) or c == min(numbers) > LEAST:
        end, more = ("largest", "larger") if c == max(numbers) else ("smallest", "smaller")
        return _no_answer(f"{preferences}. But {c} is the {end} number that was tried; try {more} ones")
    agreeing = [one for one in votes if one.c == c]
    others = [one for one in votes if one.c != c]
    empty = n_empty.get(c, 0)
    full = not others and not empty and any(one.is_clear for one in agreeing)
    agreement = "single" if count == 1 else "full" if full else "partial"
    clusters = "1 cluster" if c == 1 else f"{c} clusters"
    head = f"{clusters} ({agreement} agreement): " if count > 1 else f"{clusters}: "
    known = any(one.support is not None for one in votes)
    unsure = "" if known else "set n_resamples to see how certain this is"
    parts = [_agree(agreeing, runs), _preferences(others, runs), unsure]
    words = head + "; ".join(filter(None, parts))
    if empty:
        words += f". But {empty} of the {c} {'has' if empty == 1 else 'have'} no object"
    return Recommendation(c, agreement, f"{words}.")


def _no_answer(words: str) -> Recommendation:
    return Recommendation(None, "none", f"No clear answer: {words}.")


def _agree(votes: Sequence[CriterionVote], runs: str) -> str:
    """List criteria with the same preference: ``EBIC (in 20 of 20 resamples) and silhouette agree``."""
    names = [_named(one, runs) for one in votes]
    if len(names) == 1:
        return f"only {names[0]} has a preference"
    return f"{', '.join(names[:-1])} and {names[-1]} agree"


def _preferences(votes: Sequence[CriterionVote], runs: str) -> str:
    """List each criterion with its preferred number."""
    return "; ".join(f"{_named(one, runs)} prefers {one.c}" for one in votes)


def _named(one: CriterionVote, runs: str) -> str:
    """Name a criterion, with the number of runs that support it and whether its curve is flat."""
    if one.support is None:
        return display_name(one.criterion)
    count = f"in {round(one.support.value * one.support.n)} of {one.support.n} {runs}"
    return f"{display_name(one.criterion)} ({count}{'' if one.is_clear else ', flat'})"
