"""An :class:`Experiment` declares a study: plain data, and functions without side effects.

It has the paper's artefacts (figures, tables, examples) that the study reproduces, the parameters with the
paper's values, the independent cases, and functions: ``cases``, ``compute``, ``draw`` and the claims.
"""

import dataclasses
import importlib
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from .claims import claims_of
from .parameters import as_dict, field_types, plain, resolve, suggestion, type_name
from .reference import Sentence, read_sentences
from .statement import Claim

PROFILES = ("paper", "smoke")
RESERVED = ("params", "profile", "force")


def draw_nothing(params: Any, tables: dict) -> dict:
    """Draw no figure: the ``draw`` of studies whose artefacts are numbers only.

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
        ``draw(params, tables) -> dict[str, Figure]`` by artefact; by default, no figure.
    claims : tuple of Claim
        Those of a module: ``claims_of(__name__)``.
    summaries : tuple of callable, optional
        ``summary(params, tables) -> DataFrame``, tables to be read with the figures, by name of the function.
    smoke : dict
        Overrides of the parameters that make the study end within seconds.
    timed : bool
        Whether the cases measure time; they then run one after another, and at most one other process
        computes meanwhile.
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
        kept = {
            "titles": dict(self.artefacts) if isinstance(self.artefacts, Mapping) else {},
            "smoke": dict(self.smoke),
            "module": self.module or self.compute.__module__,
            **{name: tuple(getattr(self, name)) for name in ("artefacts", "claims", "summaries", "data")},
        }
        for name, value in kept.items():
            object.__setattr__(self, name, value)
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
        """Return the title of an artefact: its own, or the study's.

        Parameters
        ----------
        artefact : str
            One of the artefacts.

        Returns
        -------
        str
            The title.
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
        return resolve(self.parameters, self.smoke if profile == "smoke" else {}, overrides or {})

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
        paper, smoke = (as_dict(self.resolve(profile)) for profile in PROFILES)
        kinds = field_types(self.parameters)
        return [
            {
                "name": f.name,
                "type": type_name(kinds[f.name]),
                "paper": json.dumps(paper[f.name]),
                "smoke": json.dumps(smoke[f.name]),
                "help": f.metadata.get("help", ""),
            }
            for f in dataclasses.fields(self.parameters)
        ]


def declare(
    module: str,
    *,
    title: str,
    artefacts: Mapping[str, str],
    summaries: tuple[Callable, ...] = (),
    smoke: Mapping[str, Any] | None = None,
    timed: bool = False,
    data: Iterable[str] = (),
) -> Experiment:
    """Declare the experiment of a study, in the last lines of its module.

    Paper and study are the last two parts of the module's name. ``Parameters``, ``cases`` and ``compute``
    are the names of the module. ``draw`` and the claims are its own or, if the study is a folder, those
    of the modules ``figures`` and ``claims`` in it. Claims without a printed value get the text of their
    sentences.

    Parameters
    ----------
    module : str
        ``__name__`` of the study's module.
    title : str
        The title of the study.
    artefacts : mapping of str to str
        Ids of its figures and tables, and their titles.
    summaries : tuple of callable, default=()
        Functions of parameters and tables that return tables for the notebook.
    smoke : mapping, optional
        Parameters of the smoke profile that differ from the paper's.
    timed : bool, default=False
        Whether the cases measure time.
    data : iterable of str, default=()
        Names of the data sets that it loads.

    Returns
    -------
    Experiment
        The study, to be named ``experiment``.

    Raises
    ------
    KeyError
        If the module lacks one of the three names.
    """
    package, paper, study = module.rpartition(".")[0], *module.split(".")[-2:]
    names = vars(sys.modules[module])
    drawing = vars(_part(module, "figures")) | names
    claims = claims_of(module, _part(module, "claims").__name__)
    return Experiment(
        paper=paper,
        study=study,
        title=title,
        artefacts=artefacts,
        parameters=names["Parameters"],
        cases=names["cases"],
        compute=names["compute"],
        claims=_with_sentences(claims, read_sentences(Path(sys.modules[package].__path__[0]))),
        summaries=summaries,
        smoke=smoke or {},
        timed=timed,
        data=tuple(data),
        module=module,
        **{name: drawing[name] for name in ("draw",) if name in drawing},
    )


def _with_sentences(claims: Iterable[Claim], sentences: Mapping[str, Sentence]) -> tuple[Claim, ...]:
    """Return the claims; those without a printed value get the text of their sentences."""
    text = {claim: "; ".join(str(sentences[name]) for name in claim.sentences) for claim in claims}
    return tuple(c if c.published else dataclasses.replace(c, published=text[c]) for c in claims)


def _part(module: str, name: str) -> ModuleType:
    """Return the module of that name in the study's folder, or the study's own."""
    in_folder = hasattr(sys.modules[module], "__path__") and importlib.util.find_spec(f"{module}.{name}")
    return importlib.import_module(f"{module}.{name}") if in_folder else sys.modules[module]
