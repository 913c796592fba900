"""Verdicts on claims: reproduced, not reproduced, open, not checkable, on stand-in data only.

A difference is a finding and is shown with its explanation. A result on data that stand in for lost or
private ones never counts as agreement with the paper.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from .claims import NotCheckable, exceptions, sentences
from .experiment import Experiment
from .judging import Comparison, conjunction, judge_together, smallest
from .reasons import UNEXPLAINED, Choice
from .reference import Printed
from .statement import Claim, Finding
from .tables import FAILURES, reason_left_out

REPRODUCED, NOT_REPRODUCED, OPEN = "reproduced", "not reproduced", "open"
NOT_CHECKABLE, ON_STAND_INS = "not checkable", "on stand-in data only"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, OPEN, NOT_CHECKABLE, ON_STAND_INS)
#: Words for results that are counted separately from reproduced ones.
WITH_A_CHOICE, BY_DEFINITION = "reproduced with a choice of ours", "by definition"
#: Whether a statement holds -> verdict.
BY_TRUTH = {True: REPRODUCED, False: NOT_REPRODUCED, None: OPEN}
COLUMNS = ("artefact", "claim", "sentence", "basis", "published", "ours", "verdict", "explanation")
FITTED = "rests on a choice made because of the printed values"


@dataclass(frozen=True)
class PrintedVerdict:
    """The verdict on one printed value, and its comparison with ours if there is one.

    ``fitted`` are the choices that this value depends on.
    """

    printed: Printed
    verdict: str
    compared: Comparison | None = None
    fitted: tuple[Choice, ...] = ()

    @property
    def ours(self) -> str:
        return self.compared.ours if self.compared else ""


@dataclass(frozen=True)
class Judgement:
    """The verdict on one claim, and on each printed value in it.

    Parameters
    ----------
    claim : Claim
    finding : Finding, optional
        What its check found; without one, the claim is not checkable.
    stands_in : bool
        Whether the data stand in for others.
    why, error, not_compared : str, str, tuple of Printed
        Why it is not checkable, the error of the check, and the printed values that it is about.
    threshold : float, optional
        Printed values with tails up to this are not reproduced; those of the claim decide it by default.
    """

    claim: Claim
    finding: Finding | None = None
    stands_in: bool = False
    why: str = ""
    error: str = ""
    not_compared: tuple[Printed, ...] = ()
    threshold: float | None = None

    @property
    def _compared(self) -> tuple[Comparison, ...]:
        return self.finding.compared if self.finding else ()

    @property
    def _small(self) -> float:
        return smallest(self._compared) if self.threshold is None else self.threshold

    @cached_property
    def _found(self) -> str:
        """The verdict, whatever the data are."""
        if not self._compared:
            return BY_TRUTH[self.finding.holds]
        return BY_TRUTH[conjunction((self.finding.rest, judge_together(self._compared, self._small)))]

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        if self.finding is None:
            return NOT_CHECKABLE
        return ON_STAND_INS if self.stands_in else self._found

    @cached_property
    def printed(self) -> tuple[PrintedVerdict, ...]:
        """The verdict on each printed value."""
        if self.finding is None:
            return tuple(PrintedVerdict(value, NOT_CHECKABLE) for value in self.not_compared)
        return tuple(
            PrintedVerdict(
                c.printed,
                ON_STAND_INS if self.stands_in else BY_TRUTH[c.outcome(self._small)],
                c,
                tuple(choice.everywhere for choice in self.claim.fitted if choice.concerns(c.printed)),
            )
            for c in self._compared
        )

    @property
    def fitted(self) -> tuple[Choice, ...]:
        """The choices that it depends on, in one of its printed values at least."""
        return tuple(self._choices)

    @property
    def _choices(self) -> dict[Choice, str]:
        """The choices that it depends on, with the number of values in words if not all."""
        found = {}
        for choice in (choice.everywhere for choice in self.claim.fitted * (self.finding is not None)):
            n = sum(choice in value.fitted for value in self.printed)
            if n or not self.printed:
                share = f" ({n} of {len(self.printed)} values)" if n < len(self.printed) else ""
                found[choice] = f"{choice.chosen}{share}"
        return found

    @property
    def ours(self) -> str:
        """Our value in words; of several printed values also how many are reproduced."""
        n = len(self._compared)
        held = sum(c.outcome(self._small) is True for c in self._compared)
        return (f"{held} of {n}; " if n > 1 else "") + (self.finding.ours if self.finding else "")

    @cached_property
    def explanation(self) -> str:
        """What a reader should know: what differs, and why; choices; a caveat, whatever the verdict is."""
        claim = self.claim
        if self.finding is None:
            return self.why
        notes = [self.finding.note, *exceptions(self._compared, self._small)]
        if self.stands_in:
            notes = [f"stand-in data, on which it is {self._found}", *notes, claim.explanation]
        elif self.verdict == NOT_REPRODUCED:
            notes += [claim.explanation or UNEXPLAINED]
        elif self.verdict == OPEN and not any(notes):
            notes = ["it is not known what would decide it"]
        choices = "; ".join(self._choices.values())
        return sentences(*notes, claim.caveat, f"{FITTED}: {choices}" if choices else "")

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
    return decide([judge_claim(claim, params, tables) for claim in experiment.claims])


def decide(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Decide together which of the printed values in some judgements, of a study or a paper, differ."""
    judgements = list(judgements)
    threshold = smallest(compared_values(judgements))
    return [replace(judgement, threshold=threshold) for judgement in judgements]


def compared_values(judgements: Iterable[Judgement]) -> list[Comparison]:
    """Return the comparisons with printed values, without those on stand-in data."""
    return [c for j in judgements if j.finding and not j.stands_in for c in j.finding.compared]


def judge_claim(claim: Claim, params: Any, tables: dict[str, pd.DataFrame]) -> Judgement:
    """Return the verdict on one claim."""
    try:
        finding = claim.check(params, tables)
        if not isinstance(finding, Finding):
            raise TypeError(f"expected a Finding from the check, got {type(finding).__name__}")
        return Judgement(claim, finding, claim.stands_in(params, tables))
    except NotCheckable as reason:
        why = sentences(_left_out(tables), str(reason)) or "no reason given"
        return Judgement(claim, why=why, not_compared=reason.printed)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return Judgement(claim, why=_why_stopped(tables, reason), error=reason)


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
CHIPS[BY_DEFINITION] = ("=", "#e6e6e6", "#3d3d3d")


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
