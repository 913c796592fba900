"""Leave out, and say so, the notebooks whose data cannot be had here: no such file, and no network.

A notebook names its data sets in its metadata, ``"credalbench": {"data": ["protein"]}``.
"""

import json
from functools import cache

from credalbench.datasets import DataUnavailable, load

LEFT_OUT = {}


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
    needed = json.loads(collection_path.read_text())["metadata"].get("credalbench", {}).get("data", [])
    reasons = [_missing(name) for name in needed if _missing(name)]
    if not reasons:
        return None
    LEFT_OUT[collection_path.name] = reasons[0]
    return True


def pytest_terminal_summary(terminalreporter):
    """Name the notebooks that were left out, with the ways out."""
    for name, reason in LEFT_OUT.items():
        terminalreporter.write_line(f"left out: {name}: {reason}")
