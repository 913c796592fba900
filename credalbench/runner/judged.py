"""What is judged of a paper as one list, differences first: what the site's readers filter and search.

Its lines are what :attr:`.Paper.tallies` counts, and their counts add up to its numbers: a sentence, a claim
of ours, or all printed values of an artefact with the same outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import shorten

from .experiment import PAPER_BASES
from .summary import OWN, RESULTS, SENTENCES, Artefact, Paper, outcome
from .verdicts import AFTER_A_CHOICE, Judgement, PrintedVerdict

#: The order of the list: a reader looks for differences first.
DIFFERENCES_FIRST = ("differs", "undecided", "cannot be checked", "substitute", AFTER_A_CHOICE, "holds")
LISTED = 5  # printed values of a line that are named
LONGEST = 300  # letters of a reason; all of it stands where the claim does


@dataclass(frozen=True)
class Judged:
    """One line: what is judged, where, and with which outcome.

    ``count`` is how often it counts among the ``kind`` of :attr:`.Paper.tallies`; ``why`` is the explanation
    of an outcome that is not plain agreement.
    """

    paper: Paper
    kind: str
    outcome: str
    count: int
    says: str
    ours: str
    why: str
    places: tuple[Artefact, ...]


def judged_lines(papers: Iterable[Paper]) -> list[Judged]:
    """Everything that is judged of the papers, differences first, else in the order of the papers."""
    found = [line for paper in papers for kind in (_results, _sentences, _own) for line in kind(paper)]
    return sorted(found, key=lambda line: DIFFERENCES_FIRST.index(line.outcome))


def _results(paper: Paper) -> Iterator[Judged]:
    """The printed values of each artefact, those with one outcome together."""
    found: dict[str, dict[str, list[list[PrintedVerdict]]]] = {}
    for (artefact, _), verdicts in paper.printed.items():
        found.setdefault(artefact, {}).setdefault(outcome(verdicts), []).append(verdicts)
    every = _judgements(paper)
    for by_outcome in found.values():
        total = sum(map(len, by_outcome.values()))
        for word, values in by_outcome.items():
            decisive = {v for verdicts in values for v in verdicts if outcome([v]) == word}
            judged = [(a, j) for a, j in every if decisive & set(j.printed)]
            number = "the printed value" if total == 1 else f"{len(values)} of {total} printed values"
            ours = "; ".join(map(_beside, values[:LISTED])) + ("; ..." if len(values) > LISTED else "")
            yield _line(paper, RESULTS, word, number, ours, judged, len(values))


def _sentences(paper: Paper) -> Iterator[Judged]:
    every = _judgements(paper)
    for name, says in paper.sentences.items():
        judged = [(a, j) for a, j in every if name in j.claim.sentences]
        if judged:
            word = outcome(j for _, j in judged)
            decisive = [(a, j) for a, j in judged if outcome([j]) == word]
            ours = "; ".join(dict.fromkeys(j.ours for _, j in decisive if j.ours))
            yield _line(paper, SENTENCES, word, f"{name}: {says}", ours, decisive)


def _own(paper: Paper) -> Iterator[Judged]:
    for artefact, judgement in _judgements(paper):
        claim = judgement.claim
        if claim.basis not in PAPER_BASES:
            judged = [(artefact, judgement)]
            yield _line(paper, OWN, outcome([judgement]), claim.statement, judgement.ours, judged)


def _judgements(paper: Paper) -> list[tuple[Artefact, Judgement]]:
    return [(artefact, judgement) for artefact in paper.artefacts for judgement in artefact.judgements]


def _line(
    paper: Paper,
    kind: str,
    word: str,
    says: str,
    ours: str,
    judged: list[tuple[Artefact, Judgement]],
    count: int = 1,
) -> Judged:
    """One line; its places are those of the claims that decide it."""
    places = tuple(a for a in paper.artefacts if any(a is place for place, _ in judged))
    why = "" if word == "holds" else "; ".join(dict.fromkeys(_why(j) for _, j in judged))
    return Judged(paper, kind, word, count, says, ours, why, places)


def _why(judgement: Judgement) -> str:
    """The reason of a difference where one is given, else all that is said of the verdict."""
    reason = judgement.claim.explanation if judgement.verdict == "differs" else ""
    return shorten(reason or judgement.explanation, LONGEST, placeholder=" ...")


def _beside(verdicts: list[PrintedVerdict]) -> str:
    value, ours = verdicts[0].printed, next((v.ours for v in verdicts if v.ours), "none")
    return f"{value.quantity} {value.text}, ours {ours}"
