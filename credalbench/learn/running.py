"""The cells of a lesson, run without a kernel."""

from __future__ import annotations

import ast
from collections.abc import Container

from .source import Lesson


def run_cell(source: str, namespace: dict[str, object]) -> object:
    """Execute a cell in a namespace; return what its last line shows, None where that is nothing."""
    *lines, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        lines, last = [*lines, last], None
    exec(compile(ast.Module(lines, []), "<cell>", "exec"), namespace)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)


def run_lesson(lesson: Lesson, kinds: Container[str] = ("code",)) -> tuple[dict[str, object], list[object]]:
    """Run the cells of some kinds, as a student would from the first to the last.

    Returns
    -------
    namespace : dict
        The names that they leave behind.
    shown : list
        What each cell of the lesson shows; None for those that show nothing or are of other kinds.
    """
    namespace: dict[str, object] = {}
    shown = [run_cell(cell.source, namespace) if cell.kind in kinds else None for cell in lesson.cells]
    return namespace, shown
