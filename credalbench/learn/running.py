"""Run the cells of a lesson without a kernel."""

import ast
from collections.abc import Container

from .source import Lesson


def run_cell(source: str, namespace: dict[str, object]) -> object:
    """Execute a cell in a namespace; return the value of its last line, or None if that has none."""
    *lines, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        lines, last = [*lines, last], None
    exec(compile(ast.Module(lines, []), "<cell>", "exec"), namespace)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)


def run_lesson(lesson: Lesson, kinds: Container[str] = ("code",)) -> tuple[dict[str, object], list[object]]:
    """Run the cells of some kinds, from the first to the last.

    Returns
    -------
    namespace : dict
        The names that the cells define.
    outputs : list
        Output of each cell of the lesson; None for cells of other kinds or without output.
    """
    namespace: dict[str, object] = {}
    outputs = [run_cell(cell.source, namespace) if cell.kind in kinds else None for cell in lesson.cells]
    return namespace, outputs
