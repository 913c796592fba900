"""Leave out, and say so, the notebooks of studies whose data cannot be had here: no file, and no network."""

from functools import cache

from credalbench.datasets import DataUnavailable, load
from credalbench.runner.notebooks import notebook_path
from credalbench.studies import discover

LEFT_OUT = {}


@cache
def _needed():
    """Path of a notebook -> the data sets of its study."""
    return {notebook_path(e): e.data for studies in discover().values() for e in studies.values()}


@cache
def _missing(name):
    try:
        load(name)
    except DataUnavailable as reason:
        return str(reason)
    return ""


def pytest_ignore_collect(collection_path):
    """Ignore a notebook when one of its data sets is missing."""
    if collection_path.suffix != ".ipynb":
        return None
    reasons = [_missing(name) for name in _needed().get(collection_path, ()) if _missing(name)]
    if not reasons:
        return None
    LEFT_OUT[collection_path.name] = reasons[0]
    return True


def pytest_terminal_summary(terminalreporter):
    """Name the notebooks that were left out, with the ways out."""
    for name, reason in LEFT_OUT.items():
        terminalreporter.write_line(f"left out: {name}: {reason}")
