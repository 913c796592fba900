"""A lesson as a student runs it, without a kernel: its cells one after another, its claims after them."""

import ast
from functools import cache

from credalbench.learn.source import read_lesson


def run(source, namespace):
    """Execute a cell; return what its last line shows."""
    *lines, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        lines, last = [*lines, last], None
    exec(compile(ast.Module(lines, []), "<cell>", "exec"), namespace)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)


@cache
def lived_through(name):
    """The names that the cells and claims of a lesson leave behind; run once."""
    namespace = {}
    for cell in read_lesson(name).cells:
        if cell.kind != "text":
            run(cell.source, namespace)
    return namespace
