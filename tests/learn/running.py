"""A lesson as a student runs it, without a kernel: its cells one after another, its claims after them."""

from functools import cache

from credalbench.learn.running import run_cell
from credalbench.learn.source import read_lesson


@cache
def lived_through(name):
    """The names that the cells and claims of a lesson leave behind; run once."""
    namespace = {}
    for cell in read_lesson(name).cells:
        if cell.kind in ("code", "claim"):
            run_cell(cell.source, namespace)
    return namespace
