"""The cells of a lesson, run without a kernel."""

from __future__ import annotations

import ast


def run_cell(source: str, namespace: dict[str, object]) -> object:
    """Execute a cell in a namespace; return what its last line shows, None where that is nothing."""
    *lines, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        lines, last = [*lines, last], None
    exec(compile(ast.Module(lines, []), "<cell>", "exec"), namespace)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
