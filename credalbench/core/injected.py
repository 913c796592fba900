"""Reject parameters that papermill sets and a notebook does not have.

papermill inserts a cell with the values of its option ``-p``. If the notebook does not have such a parameter,
papermill prints a line, and the notebook would run with its own value.
"""

import ast
import sys
from collections.abc import Iterable
from difflib import get_close_matches

#: The first line of the inserted cell.
INSERTED = "# Parameters\n"


def expect_known_parameters() -> None:
    """Raise a ValueError if papermill has set a name that no cell above the inserted one assigns.

    Nothing is checked outside notebooks, and in notebooks that people run by hand.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    kernel = getattr(shell, "kernel", None)
    if kernel is None or kernel.get_parent().get("content", {}).get("allow_stdin", True):
        return
    if unknown := unknown_parameters(shell.user_ns["In"]):
        raise ValueError("; ".join(unknown))


def unknown_parameters(cells: Iterable[str]) -> list[str]:
    """Return a message for each name of an inserted cell that no cell above it assigns."""
    known, found = [], []
    for cell in cells:
        names = assigned(cell)
        if cell.startswith(INSERTED):
            unknown = [name for name in names if name not in known]
            has = f"expected one of: {', '.join(known)}" if known else "the notebook has no parameters"
            for name in unknown:
                close = get_close_matches(name, known, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                found.append(f"unknown parameter {name!r}{hint} ({has})")
        known += names
    return found


def assigned(cell: str) -> list[str]:
    """Return the names that the statements of a cell assign; none if it is not plain Python."""
    try:
        body = ast.parse(cell).body
    except SyntaxError:
        return []
    targets = [
        target
        for node in body
        for target in getattr(node, "targets", [getattr(node, "target", None)])
        if isinstance(target, ast.Name)
    ]
    return [target.id for target in targets]
