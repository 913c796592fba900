"""The state of the reproduction, artefact by artefact: what the site and REPRODUCTION.md are made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from .execute import load_study
from .experiment import PAPER_BASES, Experiment
from .result import RunResult
from .verdicts import Judgement, VerdictTable, counts

_KINDS = {
    "fig": "Figure",
    "tab": "Table",
    "ex": "Example",
    "alg": "Algorithm",
    "eq": "Equation",
    "text": "Text",
}


@dataclass(frozen=True)
class Artefact:
    """One figure, table or example, as one study reproduces it; ``result`` is None where it was not run."""

    id: str
    experiment: Experiment
    result: RunResult | None

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
    def has_figure(self) -> bool:
        return bool(self.result) and not self.result.drawing_error and self.id in self.result.figures

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
    """One paper: its heading, its artefacts in order, and the studies that were not run."""

    key: str
    heading: str
    artefacts: tuple[Artefact, ...]

    @property
    def verdicts(self) -> pd.DataFrame:
        return VerdictTable.of([j for artefact in self.artefacts for j in artefact.judgements])

    @property
    def missing(self) -> list[str]:
        """Names of the studies without a finished run."""
        return sorted({a.experiment.name for a in self.artefacts if a.result is None})

    def counts(self, of_paper: bool) -> dict[str, int]:
        """Number of claims by verdict, of the paper's own claims or of the others."""
        return counts(self.verdicts, of_paper=of_paper)


def collect(
    experiments: Mapping[str, Mapping[str, Experiment]],
    profile: str,
    headings: Mapping[str, str] | None = None,
) -> list[Paper]:
    """Load the stored results of one profile; computes no case.

    Parameters
    ----------
    experiments : dict
        Paper -> study -> experiment.
    profile : {"paper", "smoke"}
    headings : dict, optional
        Paper -> how to call it.
    """
    papers = []
    for key in sorted(experiments):
        artefacts = []
        for experiment in experiments[key].values():
            result = load_study(experiment, profile=profile)
            artefacts += [Artefact(a, experiment, result) for a in experiment.artefacts]
        artefacts.sort(key=lambda a: (a.sort_key, a.experiment.study))
        papers.append(Paper(key, (headings or {}).get(key, key), tuple(artefacts)))
    return papers


def results_of(papers: list[Paper]) -> list[RunResult]:
    """Each stored result once."""
    found = {a.experiment.name: a.result for paper in papers for a in paper.artefacts if a.result}
    return list(found.values())
