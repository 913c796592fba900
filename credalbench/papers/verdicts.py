"""Verdicts on claims: reproduced, not reproduced, open, not checkable, on stand-in data only.

A difference is a finding and is shown with its explanation. A result on data that stand in for lost or
private ones never counts as agreement with the paper.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from .claims import NotCheckable
from .experiment import Claim, Experiment, Finding
from .left_out import FAILURES, reason_left_out
from .reasons import UNEXPLAINED, Choice
from .reference import Printed

REPRODUCED, NOT_REPRODUCED, OPEN = "reproduced", "not reproduced", "open"
NOT_CHECKABLE, ON_STAND_INS = "not checkable", "on stand-in data only"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, OPEN, NOT_CHECKABLE, ON_STAND_INS)
#: Word for results that are counted separately from reproduced ones.
WITH_A_CHOICE = "reproduced with a choice of ours"
#: Whether a statement holds -> verdict.
BY_TRUTH = {True: REPRODUCED, False: NOT_REPRODUCED, None: OPEN}
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
        """Why it is not reproduced; empty if it is, or if no cause is declared."""
        return self.claim.cause if self.verdict == NOT_REPRODUCED else ""

    def cause_of(self, value: PrintedVerdict) -> str:
        """Return why one of its printed values is not reproduced; empty if it is."""
        return self.claim.cause if value.verdict == NOT_REPRODUCED else ""

    def row(self) -> dict[str, str]:
        """Return the row of the verdict table."""
        claim = self.claim
        stated = (claim.artefact, claim.statement, claim.sentence, claim.basis, claim.published)
        return dict(zip(COLUMNS, (*stated, self.ours, self.verdict, self.explanation)))


def judge(experiment: Experiment, params: Any, tables: dict[str, pd.DataFrame]) -> list[Judgement]:
    """Return the verdict on every claim of a study; if a check raises, the claim is not checkable."""
    return [judge_claim(claim, params, tables) for claim in experiment.claims]


def judge_claim(claim: Claim, params: Any, tables: dict[str, pd.DataFrame]) -> Judgement:
    """Return the verdict on one claim."""
    try:
        finding = claim.check(params, tables)
        if not isinstance(finding, Finding):
            raise TypeError(f"expected a Finding from the check, got {type(finding).__name__}")
        stands_in = claim.stands_in(params, tables)
    except NotCheckable as reason:
        why = _sentences(_left_out(tables), str(reason)) or "no reason given"
        printed = tuple(PrintedVerdict(value, NOT_CHECKABLE) for value in reason.printed)
        return Judgement(claim, "", NOT_CHECKABLE, why, printed=printed)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return Judgement(claim, "", NOT_CHECKABLE, _why_stopped(tables, reason), reason)
    verdict, explanation = _verdict(claim, finding, stands_in)
    printed = tuple(
        PrintedVerdict(
            c.printed,
            ON_STAND_INS if stands_in else BY_TRUTH[c.holds],
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
    """Return the choices that a claim depends on, and in words with the number of values if not all."""
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
    found = BY_TRUTH[finding.holds]
    if stands_in:
        seen = f"stand-in data, on which it is {found}"
        return ON_STAND_INS, _sentences(seen, finding.note, claim.explanation)
    if found == OPEN:
        return found, _sentences(finding.note or "it is not known what would decide it")
    if found == REPRODUCED:
        return found, _sentences(finding.note)
    return found, _sentences(finding.note, claim.explanation or UNEXPLAINED)


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
    REPRODUCED: ("✓", "#d3f0e3", "#00573c"),
    NOT_REPRODUCED: ("≠", "#fbe0cf", "#7f3300"),
    OPEN: ("±", "#fdf3c4", "#5c4a00"),
    NOT_CHECKABLE: ("?", "#e6e6e6", "#3d3d3d"),
    ON_STAND_INS: ("≈", "#dcebf7", "#064a75"),
}
CHIPS[WITH_A_CHOICE] = CHIPS[REPRODUCED]


def sign(verdict: str) -> str:
    """Return the sign of a verdict."""
    return CHIPS[verdict][0]


def chip(verdict: str) -> str:
    """Return a verdict as a small coloured label in HTML."""
    _, background, colour = CHIPS[verdict]
    style = f"background:{background};color:{colour};border-radius:.6em;padding:.05em .5em;white-space:nowrap"
    return f"<span style='{style}'>{sign(verdict)} {html.escape(verdict)}</span>"


def _cell(name: str, value: str) -> str:
    return chip(value) if name == "verdict" else html.escape(str(value))


def counts(table: pd.DataFrame) -> dict[str, int]:
    """Count claims, rows of a `VerdictTable`, by verdict."""
    return {verdict: int((table["verdict"] == verdict).sum()) for verdict in VERDICTS}
