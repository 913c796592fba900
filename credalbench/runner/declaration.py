"""A study's module as an :class:`Experiment`: what it is made of is found by its name."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from .claims import claims_of
from .experiment import Claim, Experiment, draw_nothing
from .reference import read_sentences


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
    """The experiment that a module is, in its last lines: ``experiment = declare(__name__, title=...)``.

    Paper and study are the last two parts of the module's name. ``Parameters``, ``cases`` and ``compute``
    are what the module calls so. ``draw`` and the claims are its own or, where the study is a folder, those
    of the modules ``figures`` and ``claims`` in it. For the rest see :class:`Experiment`.

    Raises
    ------
    KeyError
        The module lacks one of the three names.
    """
    *_, paper, study = module.split(".")
    names = vars(sys.modules[module])
    drawing = vars(_beside(module, "figures")) | names
    return Experiment(
        paper=paper,
        study=study,
        title=title,
        artefacts=artefacts,
        parameters=names["Parameters"],
        cases=names["cases"],
        compute=names["compute"],
        draw=drawing.get("draw", draw_nothing),
        claims=_with_sentences(
            claims_of(module, _beside(module, "claims").__name__),
            read_sentences(Path(sys.modules[module.rpartition(".")[0]].__path__[0])),
        ),
        summaries=summaries,
        smoke=smoke or {},
        timed=timed,
        data=tuple(data),
    )


def _with_sentences(claims: Iterable[Claim], sentences: Mapping[str, str]) -> tuple[Claim, ...]:
    """The claims; those without a printed value get the text of their sentences."""
    text = {claim: "; ".join(sentences[name] for name in claim.sentences) for claim in claims}
    return tuple(claim if claim.published else replace(claim, published=text[claim]) for claim in claims)


def _beside(module: str, name: str) -> ModuleType:
    """The module of that name in the study's folder; the study's own where there is none."""
    in_folder = hasattr(sys.modules[module], "__path__") and importlib.util.find_spec(f"{module}.{name}")
    return importlib.import_module(f"{module}.{name}") if in_folder else sys.modules[module]
