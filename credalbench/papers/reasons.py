"""Reasons of a verdict: our choices behind an agreement, and the cause of a difference."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .reference import Printed

PAPERS_ERROR = "error of the paper"
AUTHORS_PROGRAM = "authors' program"
OTHER_DATA = "other data"
OPEN_SETTING = "setting not printed"
OURS = "ours"
UNEXPLAINED = "unexplained"
#: What explains a difference. The explanation names the erratum, the setting that agrees, or what was tried.
CAUSES = (PAPERS_ERROR, AUTHORS_PROGRAM, OTHER_DATA, OPEN_SETTING, OURS, UNEXPLAINED)
#: The caveat of every claim on times.
TIMES = "times belong to these programs and this machine as much as to the algorithms"


@dataclass(frozen=True)
class Choice:
    """A choice that the paper leaves open, and that was made because of its printed values.

    Parameters
    ----------
    chosen : str
        What was chosen, and why.
    among : str
        The possible settings.
    evidence : str
        The printed values that decided.
    cells : tuple of str, optional
        Patterns for the names of the printed values that depend on it, as of `fnmatch`; all if empty.
    """

    chosen: str
    among: str
    evidence: str
    cells: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field in ("chosen", "among", "evidence"):
            if not getattr(self, field).strip():
                raise ValueError(f"choice {self.chosen!r}: expected words in {field!r}, got none")

    def at(self, *cells: str) -> Choice:
        """Return the choice for only some printed values of a claim.

        Parameters
        ----------
        *cells : str
            Patterns for their names.

        Returns
        -------
        Choice
            With these `cells`.
        """
        return dataclasses.replace(self, cells=cells)

    @property
    def everywhere(self) -> Choice:
        """The choice as it was declared, whatever depends on it."""
        return dataclasses.replace(self, cells=())

    def concerns(self, printed: Printed) -> bool:
        """Return whether a printed value depends on the choice.

        Parameters
        ----------
        printed : Printed
            One of the printed values that a claim compares.

        Returns
        -------
        bool
            True if no cells are named, or one pattern fits.
        """
        return not self.cells or any(fnmatchcase(printed.quantity, cell) for cell in self.cells)


def choices(given: Choice | Iterable[Choice]) -> tuple[Choice, ...]:
    """Return one or several choices as a tuple; raise TypeError for anything else, such as free text."""
    found = (given,) if isinstance(given, Choice | str) else tuple(given)
    for one in found:
        if not isinstance(one, Choice):
            raise TypeError(f"expected fitted to be a Choice, or several, got {one!r}")
    return found


def cause_of(given: str, explanation: str) -> str:
    """Return the cause of a difference; an explanation that begins with an erratum gives it.

    An unknown cause, one without explanation, or an error of the paper without its erratum raises ValueError.
    """
    if re.match(r"errat(um|a) E\d", explanation):
        return PAPERS_ERROR
    if given and given not in CAUSES:
        raise ValueError(f"expected a cause among {', '.join(map(repr, CAUSES))}, got {given!r}")
    if given and not explanation:
        raise ValueError(f"cause {given!r}: expected an explanation with it, got none")
    if given == PAPERS_ERROR and not re.search(r"\berrat(um|a) E\d", explanation):
        raise ValueError(f"cause {given!r}: expected an erratum such as E7 in the explanation")
    return given
