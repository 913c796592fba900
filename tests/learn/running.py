"""A lesson as a student runs it, without a kernel: its cells one after another, its claims after them."""

from functools import cache

from credalbench.learn.running import run_lesson
from credalbench.learn.source import read_lesson


@cache
def lived_through(name):
    """The names that the cells and claims of a lesson leave behind, and what each shows; run once."""
    return run_lesson(read_lesson(name), ("code", "claim"))
