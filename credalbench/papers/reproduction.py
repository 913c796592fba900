"""The state of the reproduction: verdicts on artefacts, printed values and sentences, and their numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import shorten

import pandas as pd

from .execute import load_study
from .experiment import Experiment
from .judging import smallest
from .reference import FilledTable, PrintedTable, Sentence
from .result import RunResult
from .store import StoreError
from .verdicts import (
    BY_DEFINITION,
    FITTED,
    NOT_CHECKABLE,
    NOT_REPRODUCED,
    ON_STAND_INS,
    OPEN,
    REPRODUCED,
    VERDICTS,
    WITH_A_CHOICE,
    Judgement,
    PrintedVerdict,
    VerdictTable,
    compared_values,
)

_KINDS = {
    "fig": "Figure",
    "tab": "Table",
    "ex": "Example",
    "alg": "Algorithm",
    "eq": "Equation",
    "txt": "Text",
    "ours": "Beyond the paper",
}
OUTCOMES = (REPRODUCED, WITH_A_CHOICE, BY_DEFINITION, *VERDICTS[1:])
#: The kinds of items that are counted.
RESULTS, SENTENCES = "printed results", "sentences"
#: The order of the list, and the least favourable first: it counts for an item that is judged several times.
DIFFERENCES_FIRST = (
    NOT_REPRODUCED,
    OPEN,
    NOT_CHECKABLE,
    ON_STAND_INS,
    WITH_A_CHOICE,
    REPRODUCED,
    BY_DEFINITION,
)
LISTED = 5  # printed values of an item that are named
LONGEST = 300  # characters of a reason; the claim has all of it


@dataclass(frozen=True)
class Artefact:
    """One figure, table or example, as one study reproduces it.

    ``result`` is None if the study was not run, or its stored result is damaged, as ``damage`` describes.
    ``layout`` is the printed table, if it is one. ``threshold`` is up to where tails of printed values are
    small, of all of the paper's.
    """

    id: str
    experiment: Experiment
    result: RunResult | None
    damage: str = ""
    layout: PrintedTable | None = None
    threshold: float | None = None

    @property
    def title(self) -> str:
        return self.experiment.title_of(self.id)

    @property
    def label(self) -> str:
        """``Figure 6`` for ``evclus-fig-06``; ids of another form stay as they are."""
        match = re.fullmatch(r".+-(\w+)-0*(\d+\w?)", self.id)
        return f"{_KINDS[match[1]]} {match[2]}" if match and match[1] in _KINDS else self.id

    @property
    def is_figure(self) -> bool:
        """Whether it is a figure of the paper."""
        return "-fig-" in self.id

    @property
    def judgements(self) -> list[Judgement]:
        """Verdicts on the claims of this artefact; without a result there are none."""
        return [j for j in self._of_study if j.claim.artefact == self.id]

    @property
    def _of_study(self) -> list[Judgement]:
        found = self.result.judgements if self.result else []
        return [replace(judgement, threshold=self.threshold) for judgement in found]

    @property
    def printed(self) -> list[PrintedVerdict]:
        """The verdict on each printed value that was compared."""
        return [verdict for judgement in self.judgements for verdict in judgement.printed]

    @property
    def table(self) -> FilledTable | None:
        """The printed table with our value in each cell; None if there is none."""
        if self.layout is None or self.result is None:
            return None
        verdicts: dict[str, list[PrintedVerdict]] = {}
        for verdict in (v for judgement in self._of_study for v in judgement.printed):
            if verdict.printed.artefact == self.id:
                verdicts.setdefault(verdict.printed.quantity, []).append(verdict)
        judged = {
            name: (next((v.ours for v in found if v.ours), ""), outcome(found))
            for name, found in verdicts.items()
        }
        return self.layout.fill(judged, self.result.tables)

    @property
    def has_figure(self) -> bool:
        return bool(self.result) and not self.result.drawing_error and self.id in self.result.figures

    @property
    def left_out(self) -> str:
        """Why at least a part of it was left out, or empty."""
        whole = self.has_figure and all(j.verdict != NOT_CHECKABLE for j in self.judgements)
        return "" if whole or not self.result else self.result.left_out

    @property
    def on_stand_ins(self) -> bool:
        """Whether a claim was judged on data that stand in for others."""
        return any(judgement.verdict == ON_STAND_INS for judgement in self.judgements)

    @property
    def sort_key(self) -> tuple:
        """Examples, figures, tables in alphabetical order of kind, each by number."""
        return tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.split(r"(\d+)", self.id) if p)


@dataclass(frozen=True)
class Paper:
    """One paper: its heading, its artefacts in order and its sentences."""

    key: str
    heading: str
    artefacts: tuple[Artefact, ...]
    sentences: Mapping[str, Sentence] = field(default_factory=dict)

    @property
    def verdicts(self) -> pd.DataFrame:
        return VerdictTable.of([j for artefact in self.artefacts for j in artefact.judgements])

    @property
    def missing(self) -> list[str]:
        """Names of the studies without a finished run."""
        return sorted({a.experiment.name for a in self.artefacts if a.result is None and not a.damage})

    @property
    def damaged(self) -> list[tuple[str, str]]:
        """Each study whose stored result is damaged, and what is damaged in it."""
        return sorted({(a.experiment.name, a.damage) for a in self.artefacts if a.damage})

    @property
    def judgements(self) -> list[Judgement]:
        return [judgement for artefact in self.artefacts for judgement in artefact.judgements]

    def on_sentence(self, sentence: str) -> list[Judgement]:
        """Return the verdicts on the claims about one sentence."""
        return [j for j in self.judgements if sentence in j.claim.sentences]

    @property
    def printed(self) -> dict[tuple[str, str], list[PrintedVerdict]]:
        """Artefact and name of each printed value -> the verdicts on it."""
        found: dict[tuple[str, str], list[PrintedVerdict]] = {}
        for verdict in (v for artefact in self.artefacts for v in artefact.printed):
            found.setdefault((verdict.printed.artefact, verdict.printed.quantity), []).append(verdict)
        return found

    @property
    def tallies(self) -> dict[str, dict[str, int]]:
        """Printed results and sentences, each counted by `OUTCOMES`; each counts once."""
        sentences = [self.on_sentence(sentence) for sentence in self.sentences]
        return {RESULTS: _tally(self.printed.values()), SENTENCES: _tally(filter(None, sentences))}


def outcome(verdicts: Iterable[Judgement | PrintedVerdict]) -> str:
    """Return one of `OUTCOMES` for an item that was judged one or more times."""
    verdicts = list(verdicts)
    worst = min((v.verdict for v in verdicts), key=DIFFERENCES_FIRST.index)
    if worst == REPRODUCED and all(isinstance(v, Judgement) and v.claim.by_definition for v in verdicts):
        return BY_DEFINITION
    return WITH_A_CHOICE if worst == REPRODUCED and any(v.fitted for v in verdicts) else worst


def _tally(groups: Iterable[list]) -> dict[str, int]:
    found = [outcome(group) for group in groups]
    return {word: found.count(word) for word in OUTCOMES}


def collect(
    experiments: Mapping[str, Mapping[str, Experiment]],
    profile: str,
    headings: Mapping[str, str] | None = None,
    sentences: Mapping[str, Mapping[str, Sentence]] | None = None,
    layouts: Mapping[str, Mapping[str, PrintedTable]] | None = None,
) -> list[Paper]:
    """Load the stored results of one profile; compute no case.

    Headings, sentences and printed tables are by paper, as :mod:`.studies` gives them.
    """
    papers = []
    for key in sorted(experiments):
        artefacts, tables = [], (layouts or {}).get(key, {})
        for experiment in experiments[key].values():
            result, damage = stored_result(experiment, profile)
            for name in experiment.artefacts:
                artefacts.append(Artefact(name, experiment, result, damage, tables.get(name)))
        artefacts.sort(key=lambda a: (a.sort_key, a.experiment.study))
        threshold = smallest(compared_values(j for r in _results(artefacts) for j in r.judgements))
        artefacts = [replace(artefact, threshold=threshold) for artefact in artefacts]
        heading, stated = (headings or {}).get(key, key), (sentences or {}).get(key, {})
        papers.append(Paper(key, heading, tuple(artefacts), stated))
    return papers


def stored_result(experiment: Experiment, profile: str) -> tuple[RunResult | None, str]:
    """Return the stored result of a study, or None; and what is damaged in it, or empty."""
    try:
        return load_study(experiment, profile=profile), ""
    except StoreError as error:
        return None, str(error)


def results_of(papers: list[Paper]) -> list[RunResult]:
    """Return each stored result once."""
    return _results(a for paper in papers for a in paper.artefacts)


def _results(artefacts: Iterable[Artefact]) -> list[RunResult]:
    return list({a.experiment.name: a.result for a in artefacts if a.result}.values())


# ---------------------------------------------------------------- what is judged, as a list


@dataclass(frozen=True)
class JudgedItem:
    """One judged item of a paper: a sentence, or the printed values of one outcome.

    ``count`` is how often it counts among the ``kind`` of :attr:`.Paper.tallies`. ``reason`` is the
    explanation of an outcome that is not plain agreement; ``cause`` that of a difference.
    """

    paper: Paper
    kind: str
    outcome: str
    count: int
    statement: str
    ours: str
    reason: str
    places: tuple[Artefact, ...]
    cause: str = ""


def judged_items(papers: Iterable[Paper]) -> list[JudgedItem]:
    """Return all that is judged of the papers, differences first, else in the order of the papers.

    The counts of the items add up to :attr:`.Paper.tallies`.
    """
    found = [item for p in papers for item in (*_result_items(p), *_sentence_items(p))]
    return sorted(found, key=lambda item: DIFFERENCES_FIRST.index(item.outcome))


def _result_items(paper: Paper) -> Iterator[JudgedItem]:
    """Group the printed values of each artefact by outcome."""
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
            ours = "; ".join(map(_compared, values[:LISTED])) + ("; ..." if len(values) > LISTED else "")
            yield _item(paper, RESULTS, word, number, ours, judged, len(values))


def _sentence_items(paper: Paper) -> Iterator[JudgedItem]:
    every = _judgements(paper)
    for name, text in paper.sentences.items():
        judged = [(a, j) for a, j in every if name in j.claim.sentences]
        if judged:
            word = outcome(j for _, j in judged)
            decisive = [(a, j) for a, j in judged if outcome([j]) == word]
            ours = "; ".join(dict.fromkeys(j.ours for _, j in decisive if j.ours))
            yield _item(paper, SENTENCES, word, f"{name}: {text}", ours, decisive)


def _judgements(paper: Paper) -> list[tuple[Artefact, Judgement]]:
    return [(artefact, judgement) for artefact in paper.artefacts for judgement in artefact.judgements]


def _item(
    paper: Paper,
    kind: str,
    word: str,
    statement: str,
    ours: str,
    judged: list[tuple[Artefact, Judgement]],
    count: int = 1,
) -> JudgedItem:
    """Return one item; its places are those of the claims that decide it."""
    places = tuple(a for a in paper.artefacts if any(a is place for place, _ in judged))
    reason = "" if word == REPRODUCED else "; ".join(dict.fromkeys(_reason(j) for _, j in judged))
    cause = ", ".join(dict.fromkeys(j.cause for _, j in judged if j.cause))
    return JudgedItem(paper, kind, word, count, statement, ours, reason, places, cause)


def _reason(judgement: Judgement) -> str:
    """Return the reason of a difference if one is given, else the explanation of the verdict.

    Choices that were fitted are left out: they have a place of their own.
    """
    given = judgement.claim.explanation if judgement.verdict == NOT_REPRODUCED else ""
    explanation = re.split(rf"(?:^|; ){FITTED}: ", judgement.explanation)[0]
    return shorten(given or explanation, LONGEST, placeholder=" ...")


def _compared(verdicts: list[PrintedVerdict]) -> str:
    value, ours = verdicts[0].printed, next((v.ours for v in verdicts if v.ours), "none")
    return f"{value.quantity} {value.text}, ours {ours}"
