"""Verdicts on claims: holds, differs, undecided, cannot be checked, substitute.

A difference is a finding and is shown with its explanation. Substitutes of lost or private data never count
as agreement. Only claims of the paper count as agreement with the paper.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from .claims import CannotBeChecked
from .experiment import PAPER_BASES, Claim, Experiment, Finding
from .left_out import FAILURES, reason_left_out
from .reasons import Choice
from .reference import Printed

VERDICTS = ("holds", "differs", "undecided", "cannot be checked", "substitute")
#: What counts apart from holds, where results are counted.
AFTER_A_CHOICE = "holds after a fitted choice"
#: The words for people, of what the programs call so: in README, docs, site, pages and command line.
IN_WORDS = {
    "holds": "reproduced",
    AFTER_A_CHOICE: "reproduced with a choice of ours",
    "differs": "not reproduced",
    "undecided": "open",
    "cannot be checked": "not checkable",
    "substitute": "on stand-in data only",
}
#: Outcome of a comparison -> verdict.
WORDS = {True: "holds", False: "differs", None: "undecided"}
COLUMNS = ("artefact", "claim", "sentence", "basis", "published", "ours", "verdict", "explanation")
FITTED = "rests on a choice made because of the printed values"


@dataclass(frozen=True)
class PrintedVerdict:
    """The verdict on one printed value, with the margin within which ours counts as the same.

    ``fitted`` are the choices that this value depends on.
    """

    printed: Printed
    verdict: str
    ours: str = ""
    margin: float = 0.0
    fitted: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """The verdict on one claim, and on each printed value in it; ``error`` is set when its check raised.

    ``fitted`` are the choices that it depends on, in one of its printed values at least.
    """

    claim: Claim
    ours: str
    verdict: str
    explanation: str
    error: str = ""
    fitted: tuple[Choice, ...] = ()
    printed: tuple[PrintedVerdict, ...] = ()

    @property
    def cause(self) -> str:
        """The cause of a difference; empty where there is none, or where none is declared."""
        return self.claim.cause if self.verdict == "differs" else ""

    def cause_of(self, value: PrintedVerdict) -> str:
        """Return the cause of a difference of one of its printed values; empty where there is none."""
        return self.claim.cause if value.verdict == "differs" else ""

    def row(self) -> dict[str, str]:
        """Return the row of the verdict table."""
        claim = self.claim
        stated = (claim.artefact, claim.statement, claim.sentence, claim.basis, claim.published)
        return dict(zip(COLUMNS, (*stated, self.ours, self.verdict, self.explanation)))


def judge(experiment: Experiment, params: Any, tables: dict[str, pd.DataFrame]) -> list[Judgement]:
    """Return the verdict on every claim of a study; where a check raises, the claim cannot be checked."""
    return [judge_claim(claim, params, tables) for claim in experiment.claims]


def judge_claim(claim: Claim, params: Any, tables: dict[str, pd.DataFrame]) -> Judgement:
    """Return the verdict on one claim."""
    try:
        finding = claim.check(params, tables)
        if not isinstance(finding, Finding):
            raise TypeError(f"expected a Finding from the check, got {type(finding).__name__}")
        stands_in = claim.stands_in(params, tables)
    except CannotBeChecked as reason:
        why = _sentences(_left_out(tables), str(reason)) or "no reason given"
        printed = tuple(PrintedVerdict(value, "cannot be checked") for value in reason.printed)
        return Judgement(claim, "", "cannot be checked", why, printed=printed)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return Judgement(claim, "", "cannot be checked", _why_stopped(tables, reason), reason)
    verdict, explanation = _verdict(claim, finding, stands_in)
    printed = tuple(
        PrintedVerdict(
            c.printed,
            "substitute" if stands_in else WORDS[c.holds],
            c.ours,
            c.margin,
            tuple(choice.everywhere for choice in claim.fitted if choice.concerns(c.printed)),
        )
        for c in finding.compared
    )
    fitted, words = _choices(claim, printed)
    return Judgement(
        claim, finding.ours, verdict, _sentences(explanation, words), fitted=fitted, printed=printed
    )


def _choices(claim: Claim, printed: tuple[PrintedVerdict, ...]) -> tuple[tuple[Choice, ...], str]:
    """Return the choices that a claim depends on, and in words with the number of values, where not all."""
    found = {}
    for choice in (choice.everywhere for choice in claim.fitted):
        n = sum(choice in value.fitted for value in printed)
        if n or not printed:
            found[choice] = "" if n == len(printed) else f" ({n} of {len(printed)} values)"
    words = "; ".join(f"{choice.chosen}{share}" for choice, share in found.items())
    return tuple(found), f"{FITTED}: {words}" if words else ""


def _why_stopped(tables: dict[str, pd.DataFrame], reason: str) -> str:
    """Explain why a check raised: missing cases come before the error they caused."""
    if left_out := _left_out(tables):
        return left_out
    n_failed = len(tables.get(FAILURES, ()))
    return f"{f'{n_failed} failed case(s); ' if n_failed else ''}the check stopped with {reason}"


def _left_out(tables: Mapping[str, pd.DataFrame]) -> str:
    """Say that cases were left out, and why; empty if none were."""
    why = reason_left_out(tables)
    return f"left out: {why}" if why else ""


def _verdict(claim: Claim, finding: Finding, stands_in: bool) -> tuple[str, str]:
    if stands_in:
        does = {True: "holds", False: "does not hold", None: "is undecided"}[finding.holds]
        return "substitute", _sentences(f"stand-in data, on which it {does}", finding.note, claim.explanation)
    if finding.holds is None:
        return "undecided", _sentences(finding.note or "it is not known what would decide it")
    if finding.holds:
        return "holds", _sentences(finding.note)
    return "differs", _sentences(finding.note, claim.explanation or "unexplained")


def _sentences(*parts: str) -> str:
    return "; ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))


class VerdictTable(pd.DataFrame):
    """A DataFrame with :data:`COLUMNS` that a notebook shows in full, with coloured verdicts."""

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    @classmethod
    def of(cls, judgements: list[Judgement]) -> VerdictTable:
        """Return the table with one row per claim, in the order of declaration."""
        return cls([j.row() for j in judgements], columns=list(COLUMNS), dtype="object")

    def _repr_html_(self) -> str:
        if tuple(self.columns) != COLUMNS:
            return pd.DataFrame(self)._repr_html_()
        head = "".join(f"<th style='text-align:left'>{name}</th>" for name in COLUMNS)
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{_cell(name, row[name])}</td>" for name in COLUMNS)
            for _, row in self.iterrows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


#: Verdict -> (sign, background, text colour): distinguished by sign and word, not by colour alone.
CHIPS = {
    "holds": ("✓", "#d3f0e3", "#00573c"),
    "differs": ("≠", "#fbe0cf", "#7f3300"),
    "undecided": ("±", "#fdf3c4", "#5c4a00"),
    "cannot be checked": ("?", "#e6e6e6", "#3d3d3d"),
    "substitute": ("≈", "#dcebf7", "#064a75"),
}
CHIPS[AFTER_A_CHOICE] = CHIPS["holds"]


def in_words(verdict: str) -> str:
    """Return a verdict, or an outcome of several, in the words for people."""
    return IN_WORDS[verdict]


def sign(verdict: str) -> str:
    """Return the sign of a verdict."""
    return CHIPS[verdict][0]


def chip(verdict: str) -> str:
    """Return a verdict as a small coloured label in HTML."""
    _, background, colour = CHIPS[verdict]
    style = f"background:{background};color:{colour};border-radius:.6em;padding:.05em .5em;white-space:nowrap"
    return f"<span style='{style}'>{sign(verdict)} {html.escape(in_words(verdict))}</span>"


def _cell(name: str, value: str) -> str:
    return chip(value) if name == "verdict" else html.escape(str(value))


def counts(table: pd.DataFrame, *, of_paper: bool | None = None) -> dict[str, int]:
    """Count claims by verdict.

    Parameters
    ----------
    table : DataFrame
        Rows of a `VerdictTable`.
    of_paper : bool, optional
        Count the claims of the paper only, or (False) only the others.

    Returns
    -------
    dict of str to int
    """
    if of_paper is not None:
        table = table[table["basis"].isin(PAPER_BASES) == of_paper]
    return {verdict: int((table["verdict"] == verdict).sum()) for verdict in VERDICTS}
