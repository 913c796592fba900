"""Experiments, claims and findings: plain data.

An :class:`Experiment` has the paper's artefacts (figures, tables, examples) that one study reproduces, the
parameters with the paper's values, the independent cases, and functions without side effects: ``cases``,
``compute``, ``draw`` and the ``check`` of every :class:`Claim`. The rest of this package runs cases, stores
them, resumes, judges and reports.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .parameters import as_dict, describe, plain, resolve, suggestion
from .reasons import Choice, cause_of, choices

if TYPE_CHECKING:
    import pandas as pd

    from .judging import Comparison

PAPER = "paper"
ARITHMETIC = "arithmetic on printed values"
#: Where a claim may come from: it stands in the paper, or follows from what is printed there.
BASES = (PAPER, ARITHMETIC)
PROFILES = ("paper", "smoke")
RESERVED = ("params", "profile", "jobs", "force", "client")


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


def draw_nothing(params: Any, tables: dict[str, pd.DataFrame]) -> dict:
    """Draw no figure: the ``draw`` of studies whose artefacts are only numbers.

    Parameters
    ----------
    params : object
        Parameters of the study.
    tables : dict of str to DataFrame
        Its tables.

    Returns
    -------
    dict
        Empty.
    """
    return {}


@dataclass(frozen=True)
class Experiment:
    """A study of a paper.

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
        ``summary(params, tables) -> DataFrame``, tables to be read with the figures, by name of the function.
    smoke : dict
        Overrides of the parameters that make the study end within seconds.
    timed : bool
        Whether the cases measure time; they then run one after another in one process, and no other study
        runs meanwhile.
    data : tuple of str
        Names of the data sets, from files, that cases load; without them the cases are left out.
    module : str
        Name of the module that declares the experiment; by default that of `compute`.
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
    module: str = ""
    titles: Mapping[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        titles = dict(self.artefacts) if isinstance(self.artefacts, Mapping) else {}
        object.__setattr__(self, "titles", titles)
        object.__setattr__(self, "artefacts", tuple(self.artefacts))
        object.__setattr__(self, "claims", tuple(self.claims))
        object.__setattr__(self, "summaries", tuple(self.summaries))
        object.__setattr__(self, "smoke", dict(self.smoke))
        object.__setattr__(self, "data", tuple(self.data))
        object.__setattr__(self, "module", self.module or self.compute.__module__)
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
        """Return the title of an artefact.

        Parameters
        ----------
        artefact : str
            One of the artefacts.

        Returns
        -------
        str
            Its own title, or the study's.
        """
        return self.titles.get(artefact, self.title)

    def resolve(self, profile: str = "paper", overrides: Mapping[str, Any] | None = None) -> Any:
        """Return the parameters of a profile with overrides, checked.

        Parameters
        ----------
        profile : {"paper", "smoke"}, default="paper"
            The profile.
        overrides : dict, optional
            Individual parameters; None means "as in the profile".

        Returns
        -------
        object
            Instance of `parameters`.

        Raises
        ------
        ValueError, TypeError
            As in :func:`.parameters.resolve`, and for an unknown profile.
        """
        if profile not in PROFILES:
            raise ValueError(
                f"unknown profile {profile!r}{suggestion(profile, PROFILES)} "
                f"(expected one of: {', '.join(PROFILES)})"
            )
        smoke = self.smoke if profile == "smoke" else {}
        return resolve(self.parameters, smoke, overrides or {})

    def profile_of(self, params: Any) -> str:
        """Return the name of the profile of some parameters.

        Parameters
        ----------
        params : object
            Instance of `parameters`.

        Returns
        -------
        {"paper", "smoke", "custom"}
            "custom" if they are not those of a profile.
        """
        return next((p for p in PROFILES if as_dict(self.resolve(p)) == as_dict(params)), "custom")

    def case_list(self, params: Any) -> list[dict]:
        """Return the cases as plain values.

        Parameters
        ----------
        params : object
            Instance of `parameters`.

        Returns
        -------
        list of dict
            The identifying columns of each case.

        Raises
        ------
        ValueError
            If there is no case, or two cases are the same.
        """
        cases = [plain(case) for case in self.cases(params)]
        if not cases:
            raise ValueError(f"{self.name}: expected at least one case of cases(params), got none")
        if len({json.dumps(case, sort_keys=True) for case in cases}) < len(cases):
            raise ValueError(
                f"{self.name}: two cases have the same identifying columns; expected distinct ones"
            )
        return cases

    def knobs(self) -> list[dict[str, str]]:
        """Describe the parameters.

        Returns
        -------
        list of dict
            For each: name, type, value in the paper profile, value in the smoke profile, help.
        """
        return describe(self.parameters, self.smoke)
