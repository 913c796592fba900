"""One number of clusters out of several opinions, in words, with how far they agree; or no clear answer.

More than half of the criteria have to prefer a number, and it must not be at an end of what was tried: beyond
it there may be a better one. (Two clusters are no end, since most criteria have no value for one.) The
*agreement* is

- *full*: two criteria or more, all of them, prefer it, one of them clearly (`CriterionVote.is_clear`),
  and each cluster has an object;
- *partial*: two criteria or more prefer it;
- *single*: only one criterion tells a number;
- *none*: there is no clear answer.

Agreement is no probability of being right: criteria may prefer a wrong number together, as on classes that
touch. How often each level is right where the number of classes is known, a study tells:
``credalbench run jiao2022_egmm/number_of_clusters``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .criteria import in_words
from .votes import CriterionVote

LEAST = 2  # clusters that need no smaller number beside them
Agreement = Literal["full", "partial", "single", "none"]


@dataclass(frozen=True, repr=False)
class Recommendation:
    """A number of clusters, or none.

    Attributes
    ----------
    n_clusters : int or None
        None where there is no clear answer.
    agreement : {"full", "partial", "single", "none"}
        How far the criteria agree on it.
    words : str
        Who prefers what, how surely, and whether clusters are empty.
    """

    n_clusters: int | None
    agreement: Agreement
    words: str

    def __repr__(self) -> str:
        return self.words


def recommend(
    opinions: Sequence[CriterionVote], numbers: Sequence[int], runs: str, n_empty: Mapping[int, int]
) -> Recommendation:
    """The recommendation that follows from opinions.

    Parameters
    ----------
    opinions : sequence of CriterionVote
    numbers : sequence of int
        The numbers of clusters that were tried.
    runs : str
        What the runs are called.
    n_empty : mapping
        Number of clusters -> how many of them have no object; 0 where it says nothing.
    """
    if not opinions:
        return _no_answer("no criterion prefers any number")
    c, votes = Counter(one.c for one in opinions).most_common(1)[0]
    all_words = _preferences(opinions, runs)
    if 2 * votes <= len(opinions):
        return _no_answer(all_words)
    if c == max(numbers) or c == min(numbers) > LEAST:
        end, more = ("largest", "larger") if c == max(numbers) else ("smallest", "smaller")
        return _no_answer(f"{all_words}. But {c} is the {end} number that was tried: try {more} ones")
    agreeing = [one for one in opinions if one.c == c]
    others = [one for one in opinions if one.c != c]
    empty = n_empty.get(c, 0)
    agreement = _agreement(agreeing, others, empty)
    head = f"{_clusters(c)} ({agreement} agreement): " if votes > 1 else f"{_clusters(c)}: "
    parts = [_agree(agreeing, runs), _preferences(others, runs), _untold(opinions)]
    words = head + "; ".join(filter(None, parts)) + _emptiness(c, empty)
    return Recommendation(c, agreement, _ended(words))


def _no_answer(words: str) -> Recommendation:
    return Recommendation(None, "none", _ended(f"No clear answer: {words}"))


def _agreement(agreeing: Sequence[CriterionVote], others: Sequence[CriterionVote], empty: int) -> Agreement:
    """How far opinions agree on a number of which so many clusters are empty."""
    if len(agreeing) == 1:
        return "single"
    return "full" if not others and not empty and any(one.is_clear for one in agreeing) else "partial"


def _clusters(c: int) -> str:
    return "1 cluster" if c == 1 else f"{c} clusters"


def _agree(opinions: Sequence[CriterionVote], runs: str) -> str:
    """Criteria that prefer the same number: ``EBIC (in 20 of 20 resamples) and silhouette agree``."""
    names = [_named(one, runs) for one in opinions]
    if len(names) == 1:
        return f"only {names[0]} tells a number"
    return f"{', '.join(names[:-1])} and {names[-1]} agree"


def _preferences(opinions: Sequence[CriterionVote], runs: str) -> str:
    """Each criterion with the number that it prefers."""
    return "; ".join(f"{_named(one, runs)} prefers {one.c}" for one in opinions)


def _named(one: CriterionVote, runs: str) -> str:
    """A criterion, in how many runs it prefers its number, and whether that is flat."""
    if one.support is None:
        return in_words(one.criterion)
    count = f"in {round(one.support.value * one.support.n)} of {one.support.n} {runs}"
    return f"{in_words(one.criterion)} ({count}{'' if one.is_clear else ', flat'})"


def _untold(opinions: Sequence[CriterionVote]) -> str:
    if any(one.support is not None for one in opinions):
        return ""
    return "how sure they are is not known without n_resamples"


def _emptiness(c: int, empty: int) -> str:
    """A sentence about clusters without objects, of which there may be none."""
    return f". But {empty} of the {c} {'has' if empty == 1 else 'have'} no object" if empty else ""


def _ended(words: str) -> str:
    return f"{words}."
