"""What an experiment is: data, not plumbing.

An :class:`Experiment` names the paper's artefacts (figures, tables, examples) that one study reproduces,
the parameters with the paper's values, the independent cases, and four functions without side effects:
``cases``, ``compute``, ``draw`` and the ``check`` of every :class:`Claim`. How cases are executed, stored,
resumed, judged and reported is written once, in the rest of this package.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .parameters import as_dict, describe, plain, resolve, suggestion

if TYPE_CHECKING:
    import pandas as pd

    from .judging import Comparison

PAPER = "paper"
ARITHMETIC = "arithmetic on printed values"
PROPERTY = "mathematical property"
EXPECTATION = "own expectation, not in paper"
#: Where a claim may come from. Only the first two count as agreement or disagreement with the paper.
BASES = (PAPER, ARITHMETIC, PROPERTY, EXPECTATION)
PAPER_BASES = BASES[:2]
PROFILES = ("paper", "smoke")
RESERVED = ("params", "profile", "jobs", "force")


@dataclass(frozen=True)
class Finding:
    """What a check found: whether the statement holds (None: undecided), our value in words, a note.

    ``compared`` are the printed values that it compared, each beside ours.
    """

    holds: bool | None
    ours: str
    note: str = ""
    compared: tuple[Comparison, ...] = ()

    def __post_init__(self) -> None:
        if self.holds is not None:
            object.__setattr__(self, "holds", bool(self.holds))
        object.__setattr__(self, "ours", str(self.ours))


@dataclass(frozen=True)
class Claim:
    """One statement that the paper argues with, and the function that checks it on our tables.

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
        Names of the paper's sentences that it is about, from ``reference/sentences.csv``: ``"S07 S12"``.
    published : str
        The value printed in the paper. Where it is empty, a study that is declared gets the text of its
        sentences instead.
    explanation : str
        Why ours differs, where it does; a difference without one is reported as unexplained.
    fitted : str or callable
        What was chosen because of the printed values, where something was: shown whatever the verdict, and
        counted apart. Where only the tables tell, ``fitted(params, tables) -> str``.
    substitute : bool or callable
        The data stand in for private or lost data: never counted as agreement. Where only the tables tell,
        ``substitute(params, tables) -> bool``.
    """

    artefact: str
    statement: str
    basis: str
    check: Callable[[Any, dict], Finding]
    sentence: str = ""
    published: str = ""
    explanation: str = ""
    fitted: str | Callable[[Any, Mapping], str] = ""
    substitute: bool | Callable[[Any, Mapping], bool] = False

    def __post_init__(self) -> None:
        if self.basis not in BASES:
            raise ValueError(
                f"claim on {self.artefact!r}: expected a basis among {', '.join(map(repr, BASES))}, "
                f"got {self.basis!r}{suggestion(self.basis, BASES)}"
            )
        if not callable(self.check):
            raise TypeError(f"claim on {self.artefact!r}: expected check(params, tables), got {self.check!r}")

    def __call__(self, params: Any, tables: Mapping) -> Finding:
        """What the check finds in these tables."""
        return self.check(params, tables)

    def stands_in(self, params: Any, tables: Mapping) -> bool:
        """Whether these tables are about data that stand in for others."""
        return bool(self.substitute(params, tables) if callable(self.substitute) else self.substitute)

    def choice(self, params: Any, tables: Mapping) -> str:
        """What was chosen because of the printed values, or empty."""
        return self.fitted(params, tables) if callable(self.fitted) else self.fitted

    @property
    def sentences(self) -> tuple[str, ...]:
        """Names of the paper's sentences that it is about."""
        return tuple(self.sentence.split())


def draw_nothing(params: Any, tables: dict[str, pd.DataFrame]) -> dict:
    """For studies whose artefacts are numbers only."""
    return {}


@dataclass(frozen=True)
class Experiment:
    """One study of one paper.

    Parameters
    ----------
    paper, study : str
        Folder and module name below ``experiments``.
    title : str
        What the study shows, in one line.
    artefacts : tuple of str or dict
        Ids of the artefacts reproduced, or a mapping of id to a title of its own.
    parameters : type
        Frozen dataclass of plain values; the defaults are the paper's.
    cases : callable
        ``cases(params) -> list[dict]``: the identifying columns of each independent case.
    compute : callable
        ``compute(params, case) -> dict[str, DataFrame]``: the tidy tables of one case.
    draw : callable, optional
        ``draw(params, tables) -> dict[str, Figure]`` by artefact.
    claims : tuple of Claim
        Those of a module: ``claims_of(__name__)``.
    summaries : tuple of callable, optional
        ``summary(params, tables) -> DataFrame``, each a table to be read beside the figures, by its name.
    smoke : dict
        Overrides of the parameters that make the study end within seconds.
    timed : bool
        The cases measure time: they run one after another in one process, and beside nothing else.
    data : tuple of str
        Names of the data sets, out of files, that cases load: without them the cases are left out.
    """

    paper: str
    study: str
    title: str
    artefacts: tuple[str, ...]
    parameters: type
    cases: Callable[[Any], list[dict]]
    compute: Callable[[Any, dict], dict]
    draw: Callable[[Any, dict], dict] = draw_nothing
    claims: tuple[Claim, ...] = ()
    summaries: tuple[Callable[[Any, dict], Any], ...] = ()
    smoke: Mapping[str, Any] = field(default_factory=dict)
    timed: bool = False
    data: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        titles = dict(self.artefacts) if isinstance(self.artefacts, Mapping) else {}
        object.__setattr__(self, "titles", titles)
        object.__setattr__(self, "artefacts", tuple(self.artefacts))
        object.__setattr__(self, "claims", tuple(self.claims))
        object.__setattr__(self, "summaries", tuple(self.summaries))
        object.__setattr__(self, "smoke", dict(self.smoke))
        object.__setattr__(self, "data", tuple(self.data))
        self._validate()

    def _validate(self) -> None:
        for name in (self.paper, self.study):
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                raise ValueError(
                    f"expected a name of lower-case letters, digits and underscores, got {name!r}"
                )
        if not self.artefacts:
            raise ValueError(f"{self.name}: expected at least one artefact, got none")
        frozen = getattr(getattr(self.parameters, "__dataclass_params__", None), "frozen", False)
        if not (dataclasses.is_dataclass(self.parameters) and frozen):
            raise TypeError(
                f"{self.name}: expected parameters to be a frozen dataclass, got {self.parameters!r}"
            )
        for taken in {f.name for f in dataclasses.fields(self.parameters)} & set(RESERVED):
            raise ValueError(f"{self.name}: parameter name {taken!r} is reserved for run_study")
        for claim in self.claims:
            if claim.artefact not in self.artefacts:
                hint = suggestion(claim.artefact, self.artefacts)
                raise ValueError(f"{self.name}: a claim names the unknown artefact {claim.artefact!r}{hint}")
        for profile in PROFILES:
            self.resolve(profile)

    @property
    def name(self) -> str:
        """``paper/study``, as on the command line."""
        return f"{self.paper}/{self.study}"

    def title_of(self, artefact: str) -> str:
        """Title of one artefact, or the study's where it has none of its own."""
        return self.titles.get(artefact, self.title)

    def resolve(self, profile: str = "paper", overrides: Mapping[str, Any] | None = None) -> Any:
        """Parameters of a profile with overrides, checked (see :func:`.parameters.resolve`)."""
        if profile not in PROFILES:
            raise ValueError(
                f"unknown profile {profile!r}{suggestion(profile, PROFILES)} "
                f"(expected one of: {', '.join(PROFILES)})"
            )
        smoke = self.smoke if profile == "smoke" else {}
        return resolve(self.parameters, smoke, overrides or {})

    def profile_of(self, params: Any) -> str:
        """Which profile these parameters are: "paper", "smoke", or "custom" for any others."""
        return next((p for p in PROFILES if as_dict(self.resolve(p)) == as_dict(params)), "custom")

    def case_list(self, params: Any) -> list[dict]:
        """The cases as plain values, checked to be distinct and at least one."""
        cases = [plain(case) for case in self.cases(params)]
        if not cases:
            raise ValueError(f"{self.name}: cases(params) gave no case; expected at least one")
        if len({json.dumps(case, sort_keys=True) for case in cases}) < len(cases):
            raise ValueError(
                f"{self.name}: two cases have the same identifying columns; expected distinct ones"
            )
        return cases

    def knobs(self) -> list[dict[str, str]]:
        """One row per parameter: name, type, paper value, smoke value, help."""
        return describe(self.parameters, self.smoke)
