"""A notebook run without a kernel: what its cells show, and in which forms Jupyter would."""

from pathlib import Path

import nbformat
from IPython.core.formatters import DisplayFormatter

from credalbench.learn.source import run_cell


def shown_by(path: Path) -> list[object]:
    """What its code cells show, from the first to the last; those that show nothing are passed over."""
    namespace = {}
    cells = nbformat.read(path, as_version=4).cells
    shown = [run_cell(cell.source, namespace) for cell in cells if cell.cell_type == "code"]
    return [value for value in shown if value is not None]


def forms(value: object) -> set[str]:
    """Media types, other than plain text, in which Jupyter shows a value."""
    data, _ = DisplayFormatter().format(value)
    return set(data) - {"text/plain"}
