"""One number of clusters out of several opinions, in words, with a confidence; or no clear answer.

Opinions that are clear decide; only where none is, all of them do. More than half of those that decide have
to agree, and on a number that is not at an end of what was tried: beyond it there may be a better one. (Two
clusters are no end, since most criteria have no value for one.) Confidence tells how well criteria agree, not
how often they are right: a criterion may prefer a wrong number clearly. It is

- *high*: two clear opinions or more agree, and none contradicts;
- *moderate*: two or more agree and are contradicted, or a clear one is seconded by one that is not clear;
- *low*: a clear opinion stands alone, or no opinion is clear;
- *none*: there is no clear answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .criteria import in_words
from .opinions import Opinion

LEAST = 2  # clusters that need no smaller number beside them


@dataclass(frozen=True, repr=False)
class Recommendation:
    """A number of clusters, or none.

    Attributes
    ----------
    n_clusters : int or None
        None where there is no clear answer.
    confidence : {"high", "moderate", "low", "none"}
    words : str
        Who prefers what, and how surely.
    """

    n_clusters: int | None
    confidence: Literal["high", "moderate", "low", "none"]
    words: str

    def __repr__(self) -> str:
        return self.words


def recommended(opinions: Sequence[Opinion], numbers: Sequence[int], runs: str) -> Recommendation:
    """The recommendation that follows from opinions.

    Parameters
    ----------
    opinions : sequence of Opinion
    numbers : sequence of int
        The numbers of clusters that were tried.
    runs : str
        What the runs are called.
    """
    if not opinions:
        return _no_answer("no criterion prefers any number")
    clear = [one for one in opinions if one.is_clear]
    deciding = clear or list(opinions)
    c, votes = Counter(one.c for one in deciding).most_common(1)[0]
    all_words = _preferences(opinions, runs)
    if 2 * votes <= len(deciding):
        return _no_answer(all_words)
    if c == max(numbers) or c == min(numbers) > LEAST:
        end, more = ("largest", "larger") if c == max(numbers) else ("smallest", "smaller")
        return _no_answer(f"{all_words}. But {c} is the {end} number that was tried: try {more} ones")
    confidence = _confidence(c, clear, opinions)
    agreeing = [one for one in opinions if one.c == c]
    others = _preferences([one for one in opinions if one.c != c], runs)
    words = f"{_clusters(c)} ({confidence} confidence): {_agree(agreeing, runs)}"
    return Recommendation(c, confidence, _ended("; ".join(filter(None, [words, others, _untold(opinions)]))))


def _no_answer(words: str) -> Recommendation:
    return Recommendation(None, "none", _ended(f"No clear answer: {words}"))


def _confidence(c: int, clear: list[Opinion], opinions: Sequence[Opinion]) -> str:
    agreeing = sum(one.c == c for one in clear)
    if agreeing >= 2:
        return "high" if agreeing == len(clear) else "moderate"
    seconded = sum(one.c == c for one in opinions) >= 2
    return "moderate" if agreeing and seconded else "low"


def _clusters(c: int) -> str:
    return "1 cluster" if c == 1 else f"{c} clusters"


def _agree(opinions: list[Opinion], runs: str) -> str:
    """Criteria that prefer the same number: ``EBIC (in 20 of 20 resamples) and silhouette agree``."""
    names = [_named(one, runs) for one in opinions]
    if len(names) == 1:
        return f"only {names[0]} prefers that"
    return f"{', '.join(names[:-1])} and {names[-1]} agree"


def _preferences(opinions: Sequence[Opinion], runs: str) -> str:
    """Each criterion with the number that it prefers."""
    return "; ".join(f"{_named(one, runs)} prefers {one.c}" for one in opinions)


def _named(one: Opinion, runs: str) -> str:
    """A criterion, in how many runs it prefers its number, and whether that is flat."""
    if one.support is None:
        return in_words(one.criterion)
    count = f"in {round(one.support.value * one.support.n)} of {one.support.n} {runs}"
    return f"{in_words(one.criterion)} ({count}{'' if one.is_clear else ', flat'})"


def _untold(opinions: Sequence[Opinion]) -> str:
    if any(one.support is not None for one in opinions):
        return ""
    return "how sure they are is not known without n_resamples"


def _ended(words: str) -> str:
    return f"{words}."
