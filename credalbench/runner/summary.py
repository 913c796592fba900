"""The state of the reproduction, artefact by artefact: what the site and REPRODUCTION.md are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from .execute import load_study
from .experiment import PAPER_BASES, Experiment
from .published import FilledTable, PrintedTable
from .result import RunResult
from .sealed import StoreError
from .verdicts import AFTER_A_CHOICE, VERDICTS, Judgement, PrintedVerdict, VerdictTable

_KINDS = {
    "fig": "Figure",
    "tab": "Table",
    "ex": "Example",
    "alg": "Algorithm",
    "eq": "Equation",
    "txt": "Text",
    "ours": "Beyond the paper",
}


#: What is judged several times counts by the least favourable verdict.
_WORST_FIRST = ("differs", "undecided", "cannot be checked", "substitute", "holds")
OUTCOMES = ("holds", AFTER_A_CHOICE, *VERDICTS[1:])
#: What is counted of a paper.
RESULTS, SENTENCES, OWN = "printed results", "sentences", "our own claims"


@dataclass(frozen=True)
class Artefact:
    """One figure, table or example, as one study reproduces it.

    ``result`` is None where it was not run, or where its stored result is damaged; then ``damage`` says how.
    ``layout`` is how the paper prints it, where it is a table.
    """

    id: str
    experiment: Experiment
    result: RunResult | None
    damage: str = ""
    layout: PrintedTable | None = None

    @property
    def title(self) -> str:
        return self.experiment.title_of(self.id)

    @property
    def label(self) -> str:
        """``Figure 6`` for ``evclus-fig-06``; ids of another form stay as they are."""
        match = re.fullmatch(r".+-(\w+)-0*(\d+\w?)", self.id)
        return f"{_KINDS[match[1]]} {match[2]}" if match and match[1] in _KINDS else self.id

    @property
    def judgements(self) -> list[Judgement]:
        """Verdicts on the claims of this artefact; without a result there are none."""
        return [j for j in self.result.judgements if j.claim.artefact == self.id] if self.result else []

    @property
    def by_origin(self) -> list[tuple[str, list[Judgement]]]:
        """The claims of the paper, and apart from them those that are properties or expectations of ours."""
        of_paper = [j for j in self.judgements if j.claim.basis in PAPER_BASES]
        others = [j for j in self.judgements if j.claim.basis not in PAPER_BASES]
        groups = [("Claims of the paper", of_paper), ("Properties and expectations beyond the paper", others)]
        return [(name, group) for name, group in groups if group]

    @property
    def printed(self) -> list[PrintedVerdict]:
        """The verdict on each printed value that was compared."""
        return [verdict for judgement in self.judgements for verdict in judgement.printed]

    @property
    def table(self) -> FilledTable | None:
        """The table as the paper prints it, with ours beside each value; None where there is none."""
        if self.layout is None or self.result is None:
            return None
        verdicts: dict[str, list[PrintedVerdict]] = {}
        for verdict in (v for judgement in self.result.judgements for v in judgement.printed):
            if verdict.printed.artefact == self.id:
                verdicts.setdefault(verdict.printed.quantity, []).append(verdict)
        judged = {
            name: (next((v.ours for v in found if v.ours), ""), outcome(found))
            for name, found in verdicts.items()
        }
        return self.layout.beside(judged, self.result.tables)

    @property
    def has_figure(self) -> bool:
        return bool(self.result) and not self.result.drawing_error and self.id in self.result.figures

    @property
    def left_out(self) -> str:
        """Why a part of it, at least, was left out, or empty."""
        whole = self.has_figure and all(j.verdict != "cannot be checked" for j in self.judgements)
        return "" if whole or not self.result else self.result.left_out

    @property
    def uses_substitute(self) -> bool:
        """Whether a claim was judged on data that stand in for others."""
        return any(judgement.verdict == "substitute" for judgement in self.judgements)

    @property
    def sort_key(self) -> tuple:
        """Examples, figures, tables in alphabetical order of kind, each by number."""
        return tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.split(r"(\d+)", self.id) if p)


@dataclass(frozen=True)
class Paper:
    """One paper: its heading, its artefacts in order, and the studies that were not run or are damaged."""

    key: str
    heading: str
    artefacts: tuple[Artefact, ...]
    sentences: Mapping[str, str] = field(default_factory=dict)

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
        """The claims about one sentence."""
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
        """Printed results, sentences, and our own claims, each counted by `OUTCOMES`; each counts once."""
        sentences = [self.on_sentence(sentence) for sentence in self.sentences]
        ours = [[j] for j in self.judgements if j.claim.basis not in PAPER_BASES]
        return {
            RESULTS: _tally(self.printed.values()),
            SENTENCES: _tally(filter(None, sentences)),
            OWN: _tally(ours),
        }


def outcome(verdicts: Iterable[Judgement | PrintedVerdict]) -> str:
    """One of `OUTCOMES` for what was judged one or more times."""
    verdicts = list(verdicts)
    worst = min((v.verdict for v in verdicts), key=_WORST_FIRST.index)
    return AFTER_A_CHOICE if worst == "holds" and any(v.fitted for v in verdicts) else worst


def _tally(groups: Iterable[list]) -> dict[str, int]:
    found = [outcome(group) for group in groups]
    return {word: found.count(word) for word in OUTCOMES}


def collect(
    experiments: Mapping[str, Mapping[str, Experiment]],
    profile: str,
    headings: Mapping[str, str] | None = None,
    sentences: Mapping[str, Mapping[str, str]] | None = None,
    layouts: Mapping[str, Mapping[str, PrintedTable]] | None = None,
) -> list[Paper]:
    """Load the stored results of one profile; computes no case.

    Parameters
    ----------
    experiments : dict
        Paper -> study -> experiment.
    profile : {"paper", "smoke"}
    headings : dict, optional
        Paper -> how to call it.
    sentences : dict, optional
        Paper -> its sentences.
    layouts : dict, optional
        Paper -> artefact -> how it is printed, of its tables.
    """
    papers = []
    for key in sorted(experiments):
        artefacts, tables = [], (layouts or {}).get(key, {})
        for experiment in experiments[key].values():
            result, damage = stored_result(experiment, profile)
            for name in experiment.artefacts:
                artefacts.append(Artefact(name, experiment, result, damage, tables.get(name)))
        artefacts.sort(key=lambda a: (a.sort_key, a.experiment.study))
        heading, said = (headings or {}).get(key, key), (sentences or {}).get(key, {})
        papers.append(Paper(key, heading, tuple(artefacts), said))
    return papers


def stored_result(experiment: Experiment, profile: str) -> tuple[RunResult | None, str]:
    """The stored result of a study, or None; and what is damaged in it, or empty."""
    try:
        return load_study(experiment, profile=profile), ""
    except StoreError as error:
        return None, str(error)


def results_of(papers: list[Paper]) -> list[RunResult]:
    """Each stored result once."""
    found = {a.experiment.name: a.result for paper in papers for a in paper.artefacts if a.result}
    return list(found.values())
