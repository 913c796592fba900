"""A statement of a paper, and what a check found: plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .parameters import suggestion
from .reasons import Choice, cause_of, choices

if TYPE_CHECKING:
    from .judging import Comparison

PAPER = "paper"
ARITHMETIC = "arithmetic on printed values"
#: Where a claim may come from: it stands in the paper, or follows from what is printed there.
BASES = (PAPER, ARITHMETIC)


@dataclass(frozen=True)
class Finding:
    """The result of a check.

    Parameters
    ----------
    holds : bool or None
        Whether the statement holds; None if that is open.
    ours : str
        Our value in words.
    note : str, default=""
        What a reader should know.
    compared : tuple of Comparison, optional
        The comparisons with printed values.
    rest : bool or None, optional
        Whether all else holds, if there are such comparisons.
    """

    holds: bool | None
    ours: str
    note: str = ""
    compared: tuple[Comparison, ...] = ()
    rest: bool | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.holds is not None:
            object.__setattr__(self, "holds", bool(self.holds))
        object.__setattr__(self, "ours", str(self.ours))


@dataclass(frozen=True)
class Claim:
    """A statement in the paper's argument, and the function that checks it on our tables.

    Parameters
    ----------
    artefact : str
        The figure, table or example it belongs to, as in the experiment's ``artefacts``.
    statement : str
        The statement in words, complete enough to be read alone.
    basis : str
        One of :data:`BASES`.
    check : callable
        ``check(params, tables) -> Finding``.
    sentence : str
        Names of the paper's sentences that the claim is about, from ``reference/sentences.csv``:
        ``"S07 S12"``.
    published : str
        The value printed in the paper. If it is empty, a study that is declared gets the text of its
        sentences instead.
    explanation : str
        Why it is not reproduced, if it is not; a difference without one is reported as unexplained.
    cause : str
        What the explanation comes down to, one of :data:`.CAUSES`. A claim that is not reproduced must have
        one. An explanation that begins with an erratum, "erratum E7: ...", implies it.
    fitted : Choice or tuple of Choice
        What was chosen because of printed values: shown whatever the verdict is, and counted separately.
    stand_in : bool or callable
        Whether the data stand in for private or lost data; the claim then never counts as agreement. If that
        depends on the tables, ``stand_in(params, tables) -> bool``.
    caveat : str
        What is said whatever the verdict is.
    by_definition : bool
        Whether it is true by construction: if it holds, nothing is learned.
    """

    artefact: str
    statement: str
    basis: str
    check: Callable[[Any, dict], Finding]
    sentence: str = ""
    published: str = ""
    explanation: str = ""
    cause: str = ""
    fitted: Choice | tuple[Choice, ...] = ()
    stand_in: bool | Callable[[Any, Mapping], bool] = False
    caveat: str = ""
    by_definition: bool = False

    def __post_init__(self) -> None:
        if self.basis not in BASES:
            raise ValueError(
                f"claim on {self.artefact!r}: expected a basis among {', '.join(map(repr, BASES))}, "
                f"got {self.basis!r}{suggestion(self.basis, BASES)}"
            )
        if not callable(self.check):
            raise TypeError(f"claim on {self.artefact!r}: expected check(params, tables), got {self.check!r}")
        object.__setattr__(self, "fitted", choices(self.fitted))
        object.__setattr__(self, "cause", cause_of(self.cause, self.explanation))

    def __call__(self, params: Any, tables: Mapping) -> Finding:
        """Return the finding of the check on these tables."""
        return self.check(params, tables)

    def stands_in(self, params: Any, tables: Mapping) -> bool:
        """Return whether these tables are about data that stand in for others.

        Parameters
        ----------
        params : object
            Parameters of the study.
        tables : dict of str to DataFrame
            Its tables.

        Returns
        -------
        bool
            True if the claim is judged only on stand-in data.
        """
        return bool(self.stand_in(params, tables) if callable(self.stand_in) else self.stand_in)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Names of the paper's sentences that it is about."""
        return tuple(self.sentence.split())
