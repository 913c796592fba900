"""The studies of the reproduced papers: find them by name, and run one from a notebook.

They are in the folder ``experiments`` of a checkout, and in ``credalbench._experiments`` of an installed
copy. A folder holds one paper; each module or package in it is one study and defines ``experiment``. The
first line of a paper's docstring is its heading on the site.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from credalbench.core.extras import require
from credalbench.core.injected import expect_known_parameters
from credalbench.papers import Experiment, RunResult, run_study
from credalbench.papers.parameters import field_types, suggestion
from credalbench.papers.places import in_checkout
from credalbench.papers.reference import PrintedTable, Sentence, read_sentences, read_tables

require("papermill", "matplotlib", extra="papers", purpose="credalbench.papers.studies")

#: The package in the folder of a paper that is not a study.
SHARED = "shared"


def names() -> dict[str, list[str]]:
    """Return the names of all studies, which are not imported: paper -> studies, in alphabetical order."""
    return {paper: _names(module) for paper, module in _papers().items()}


def discover() -> dict[str, dict[str, Experiment]]:
    """Return all studies: paper -> study -> `Experiment`, both in alphabetical order.

    A module in a paper's folder that is not a study, or whose names differ from its folder and module, raises
    ValueError.
    """
    return {paper: {name: get_study(f"{paper}/{name}") for name in found} for paper, found in names().items()}


def headings() -> dict[str, str]:
    """Return the headings of the papers: the first lines of the docstrings of their folders."""
    return {paper: (m.__doc__ or paper).strip().splitlines()[0].rstrip(".") for paper, m in _papers().items()}


def sentences() -> dict[str, Mapping[str, Sentence]]:
    """Return the sentences of the papers that claim something: paper -> name -> `Sentence`."""
    return {paper: read_sentences(Path(module.__path__[0])) for paper, module in _papers().items()}


def printed_tables() -> dict[str, Mapping[str, PrintedTable]]:
    """Return the tables of the papers as they are printed: paper -> artefact -> `PrintedTable`."""
    return {paper: read_tables(Path(module.__path__[0])) for paper, module in _papers().items()}


def get_study(name: str) -> Experiment:
    """Return a study by its name, ``paper/study``; a ValueError suggests the nearest name."""
    paper, _, study = name.partition("/")
    known = [f"{paper}/{study}" for paper, found in names().items() for study in found]
    if name not in known:
        raise ValueError(f"unknown study {name!r}{suggestion(name, known)}; `credalbench list` shows all")
    return _study(_papers()[paper], study)


def reproduce(name: str, knobs: Mapping[str, Any]) -> RunResult:
    """Run a study, ``paper/study``, with the parameters of a notebook.

    Of the names in `knobs`, the ``globals()`` of the notebook, the study's parameters and ``profile`` are
    used. None keeps the value of the profile. A parameter that papermill sets and the notebook does not have
    raises a ValueError.
    """
    expect_known_parameters()
    experiment = get_study(name)
    used = [*field_types(experiment.parameters), "profile"]
    return run_study(experiment, **{knob: knobs[knob] for knob in used if knob in knobs})


def _names(paper: ModuleType) -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(paper.__path__) if info.name != SHARED)


def _study(paper: ModuleType, name: str) -> Experiment:
    expected = f"{paper.__name__.rpartition('.')[2]}/{name}"
    experiment = getattr(importlib.import_module(f"{paper.__name__}.{name}"), "experiment", None)
    got = experiment.name if isinstance(experiment, Experiment) else experiment
    if got != expected:
        raise ValueError(f"{paper.__name__}.{name}: expected the experiment {expected}, got {got}")
    return experiment


def _papers() -> dict[str, ModuleType]:
    package = _experiments()
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__) if info.ispkg)
    return {name: importlib.import_module(f"{package.__name__}.{name}") for name in names}


def _experiments() -> ModuleType:
    return importlib.import_module("experiments" if in_checkout() else "credalbench._experiments")
