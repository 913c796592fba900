"""A recommended number of clusters from the votes of several criteria, or no clear answer.

More than half of the criteria must prefer a number, and it must not be at an end of the tried range: beyond
it there may be a better one. (Two clusters are not an end, since most criteria have no value for one.) The
*agreement* is

- *full*: at least two criteria, all of them, prefer it, one of them clearly (`CriterionVote.is_clear`), and
  each cluster has an object;
- *partial*: at least two criteria prefer it;
- *single*: only one criterion has a preference;
- *none*: there is no clear answer.

Agreement is not a probability of being right: criteria may prefer a wrong number together, as for classes
that touch.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .criteria import display_name
from .votes import CriterionVote

LEAST = 2  # clusters: no smaller number need be tried
Agreement = Literal["full", "partial", "single", "none"]


@dataclass(frozen=True, repr=False)
class Recommendation:
    """A recommended number of clusters, or none.

    Parameters
    ----------
    n_clusters : int or None
        None if there is no clear answer.
    agreement : {"full", "partial", "single", "none"}
        Agreement of the criteria on it.
    words : str
        A sentence: which criterion prefers what, how surely, and whether clusters are empty.
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
        The numbers of clusters that were tried.
    runs : str
        Name of the runs in the sentence.
    n_empty : mapping
        Number of clusters -> number of clusters without an object; 0 by default.

    Returns
    -------
    Recommendation
        With its reasons in words.
    """
    if not votes:
        return _no_answer("no criterion prefers any number")
    c, count = Counter(one.c for one in votes).most_common(1)[0]
    preferences = _preferences(votes, runs)
    if 2 * count <= len(votes):
        return _no_answer(preferences)
    if c == max(numbers) or c == min(numbers) > LEAST:
        end, more = ("largest", "larger") if c == max(numbers) else ("smallest", "smaller")
        return _no_answer(f"{preferences}. But {c} is the {end} number that was tried: try {more} ones")
    agreeing = [one for one in votes if one.c == c]
    others = [one for one in votes if one.c != c]
    empty = n_empty.get(c, 0)
    agreement = _agreement(agreeing, others, empty)
    clusters = "1 cluster" if c == 1 else f"{c} clusters"
    head = f"{clusters} ({agreement} agreement): " if count > 1 else f"{clusters}: "
    known = any(one.support is not None for one in votes)
    unsure = "" if known else "how sure they are is not known without n_resamples"
    parts = [_agree(agreeing, runs), _preferences(others, runs), unsure]
    words = head + "; ".join(filter(None, parts)) + _emptiness(c, empty)
    return Recommendation(c, agreement, f"{words}.")


def _no_answer(words: str) -> Recommendation:
    return Recommendation(None, "none", f"No clear answer: {words}.")


def _agreement(agreeing: Sequence[CriterionVote], others: Sequence[CriterionVote], empty: int) -> Agreement:
    """Return the agreement of the votes on a number of which so many clusters are empty."""
    if len(agreeing) == 1:
        return "single"
    return "full" if not others and not empty and any(one.is_clear for one in agreeing) else "partial"


def _agree(votes: Sequence[CriterionVote], runs: str) -> str:
    """List criteria that prefer the same number: ``EBIC (in 20 of 20 resamples) and silhouette agree``."""
    names = [_named(one, runs) for one in votes]
    if len(names) == 1:
        return f"only {names[0]} has a preference"
    return f"{', '.join(names[:-1])} and {names[-1]} agree"


def _preferences(votes: Sequence[CriterionVote], runs: str) -> str:
    """List each criterion with its preferred number."""
    return "; ".join(f"{_named(one, runs)} prefers {one.c}" for one in votes)


def _named(one: CriterionVote, runs: str) -> str:
    """Name a criterion, in how many runs it prefers its number, and whether its curve is flat."""
    if one.support is None:
        return display_name(one.criterion)
    count = f"in {round(one.support.value * one.support.n)} of {one.support.n} {runs}"
    return f"{display_name(one.criterion)} ({count}{'' if one.is_clear else ', flat'})"


def _emptiness(c: int, empty: int) -> str:
    """Return a sentence about clusters without objects, or nothing."""
    return f". But {empty} of the {c} {'has' if empty == 1 else 'have'} no object" if empty else ""
