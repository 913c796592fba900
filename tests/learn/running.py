"""Run a lesson without a kernel: its cells and its claims, in order."""

from functools import cache

from credalbench.learn.source import read_lesson, run_lesson


@cache
def executed(name):
    """Return the names that the cells and claims of a lesson define, and their outputs; computed once."""
    return run_lesson(read_lesson(name), ("code", "claim"))
