"""Make an :class:`Experiment` from a study's module; its parts are found by name."""

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
from .reference import Sentence, read_sentences


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
    of the modules ``figures`` and ``claims`` in it.

    Parameters
    ----------
    module : str
        ``__name__`` of the study's module.
    title : str
        What the study shows, in one line.
    artefacts : dict of str to str
        Id -> title of each figure, table or example that is reproduced.
    summaries : tuple of callable, optional
        ``summary(params, tables) -> DataFrame``, tables to be read with the figures.
    smoke : dict, optional
        Overrides of the parameters that make the study end within seconds.
    timed : bool, default=False
        Whether the cases measure time; see :class:`Experiment`.
    data : iterable of str, optional
        Names of the data sets, from files, that cases load.

    Returns
    -------
    Experiment
        The study, to be named ``experiment``.

    Raises
    ------
    KeyError
        If the module lacks one of the three names.
    """
    *_, paper, study = module.split(".")
    names = vars(sys.modules[module])
    drawing = vars(_part(module, "figures")) | names
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
            claims_of(module, _part(module, "claims").__name__),
            read_sentences(Path(sys.modules[module.rpartition(".")[0]].__path__[0])),
        ),
        summaries=summaries,
        smoke=smoke or {},
        timed=timed,
        data=tuple(data),
        module=module,
    )


def _with_sentences(claims: Iterable[Claim], sentences: Mapping[str, Sentence]) -> tuple[Claim, ...]:
    """Return the claims; those without a printed value get the text of their sentences."""
    text = {claim: "; ".join(str(sentences[name]) for name in claim.sentences) for claim in claims}
    return tuple(claim if claim.published else replace(claim, published=text[claim]) for claim in claims)


def _part(module: str, name: str) -> ModuleType:
    """Return the module of that name in the study's folder, or the study's own."""
    in_folder = hasattr(sys.modules[module], "__path__") and importlib.util.find_spec(f"{module}.{name}")
    return importlib.import_module(f"{module}.{name}") if in_folder else sys.modules[module]
