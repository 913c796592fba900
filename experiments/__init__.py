"""The reproduced papers: one folder per paper, one module per study.

A module counts as a study when it holds an ``experiment``. The first line of a paper folder's docstring is
how the report calls the paper."""

from __future__ import annotations

import importlib
import pkgutil

from credalbench.runner import Experiment


def discover() -> dict[str, dict[str, Experiment]]:
    """Paper -> study -> experiment, both in alphabetical order.

    Raises
    ------
    ValueError
        An experiment whose names are not those of its folder and module.
    """
    found: dict[str, dict[str, Experiment]] = {}
    for paper in _packages():
        package = importlib.import_module(f"{__name__}.{paper}")
        for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            experiment = getattr(module, "experiment", None)
            if not isinstance(experiment, Experiment):
                continue
            if experiment.name != f"{paper}/{info.name}":
                raise ValueError(
                    f"{module.__name__}: expected the experiment {paper}/{info.name}, got {experiment.name}"
                )
            found.setdefault(paper, {})[info.name] = experiment
    return found


def headings() -> dict[str, str]:
    """Paper -> first line of its folder's docstring."""
    modules = {paper: importlib.import_module(f"{__name__}.{paper}") for paper in _packages()}
    return {
        paper: (module.__doc__ or paper).strip().splitlines()[0].rstrip(".")
        for paper, module in modules.items()
    }


def _packages() -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(__path__) if info.ispkg)
