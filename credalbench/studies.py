"""The studies of the reproduced papers, by name: where they lie, and how a notebook runs one.

They are in the folder ``experiments`` of a checkout, and in ``credalbench._experiments`` of an installed
copy. A folder holds one paper, a module or package in it one study, its ``experiment``. The first line of a
paper's docstring is how the site calls the paper.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from credalbench.extras import require
from credalbench.runner import Experiment, RunResult, run_study
from credalbench.runner.parameters import field_types, suggestion
from credalbench.runner.places import in_checkout
from credalbench.runner.reference import PrintedTable, read_sentences, read_tables

require("papermill", "psutil", "matplotlib", extra="papers", purpose="credalbench.studies")

#: What lies beside the studies in the folder of a paper.
SHARED = "shared"


def discover() -> dict[str, dict[str, Experiment]]:
    """Paper -> study -> experiment, both in alphabetical order.

    Raises
    ------
    ValueError
        A module in a paper's folder that is no study, or a study whose names are not those of its folder and
        module.
    """
    return {paper: _studies_of(module) for paper, module in _papers().items()}


def headings() -> dict[str, str]:
    """Paper -> first line of its folder's docstring."""
    return {paper: (m.__doc__ or paper).strip().splitlines()[0].rstrip(".") for paper, m in _papers().items()}


def sentences() -> dict[str, Mapping[str, str]]:
    """Paper -> its sentences that claim something: name -> what it says and where."""
    return {paper: read_sentences(Path(module.__path__[0])) for paper, module in _papers().items()}


def printed_tables() -> dict[str, Mapping[str, PrintedTable]]:
    """Paper -> artefact -> how the paper prints it, of its tables."""
    return {paper: read_tables(Path(module.__path__[0])) for paper, module in _papers().items()}


def get_study(name: str) -> Experiment:
    """The study called ``paper/study``.

    Raises
    ------
    ValueError
        There is none; the message suggests the nearest name.
    """
    paper, _, study = name.partition("/")
    papers = _papers()
    if paper not in papers or study not in _names(papers[paper]):
        known = [f"{key}/{study}" for key, module in papers.items() for study in _names(module)]
        raise ValueError(f"unknown study {name!r}{suggestion(name, known)}; `credalbench list` shows all")
    return _study(papers[paper], study)


def reproduce(name: str, knobs: Mapping[str, Any]) -> RunResult:
    """Run a study with the knobs of a notebook.

    Parameters
    ----------
    name : str
        ``paper/study``.
    knobs : dict
        ``globals()`` of the notebook: of these names, the study's parameters and ``profile`` are used. A knob
        that is None keeps the value of the profile.
    """
    experiment = get_study(name)
    used = [*field_types(experiment.parameters), "profile"]
    return run_study(experiment, **{knob: knobs[knob] for knob in used if knob in knobs})


def look_for_data() -> tuple[str, str]:
    """Whether the data files of all studies are here, for ``credalbench doctor``: a state, and a finding.

    Where some are not: which studies are left out, in whole or in part, unless these can be downloaded.
    """
    from credalbench.datasets import verify

    wanting = {e.name: e.data for studies in discover().values() for e in studies.values() if e.data}
    found = verify({name for names in wanting.values() for name in names})
    if corrupt := sorted(found.loc[found["status"] == "corrupt", "where"]):
        return "broken", f"not the published files: {', '.join(corrupt)}; credalbench data verify"
    missing = set(found.loc[found["status"] == "missing", "name"])
    lines = [
        f"\n    {study} wants {', '.join(name for name in names if name in missing)}"
        for study, names in wanting.items()
        if missing.intersection(names)
    ]
    if not lines:
        return "ok", f"the files of {len(wanting)} studies are here"
    return "note", (
        f"{len(lines)} studies want files that are not here; where these cannot be downloaded, the studies "
        "are left out, in whole or in part. Ways out: credalbench data fetch, or a folder with the files, "
        f"named in CREDALBENCH_DATA{''.join(lines)}"
    )


def _studies_of(paper: ModuleType) -> dict[str, Experiment]:
    return {name: _study(paper, name) for name in _names(paper)}


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
