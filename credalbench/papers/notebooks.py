"""Execute the notebook of a study with papermill.

papermill injects unknown parameters after a log line, marks an interrupted notebook as ended, and lets
kernels that start at the same time share a port or a socket name. This module rejects unknown
parameters, names the executed notebook only when it is complete, gives every kernel its own socket, and
restarts a kernel that dies at its start once.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credalbench.core.locked_tempdir import LockedTempDir

from .experiment import Experiment
from .parameters import as_dict, plain, suggestion
from .places import notebooks_folder

if TYPE_CHECKING:
    from nbformat import NotebookNode

KERNEL = "python3"
START_TIMEOUT_S = 60


class NotebookError(RuntimeError):
    """A notebook that stopped; the message names the cell and its error."""


def notebook_path(experiment: Experiment) -> Path | None:
    """Return the path of the notebook ``reproduce/<paper>/<study>.ipynb``; None if there is none."""
    path = notebooks_folder() / "reproduce" / experiment.paper / f"{experiment.study}.ipynb"
    return path if path.is_file() else None


def parameters_cells(notebook: NotebookNode) -> list:
    """Return the cells tagged ``parameters`` of a notebook node."""
    return [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]


def read_parameters(path: Path) -> dict[str, Any]:
    """Return name -> default value of the notebook's ``parameters`` cell.

    There must be one such cell, and every line in it assigns a literal.
    """
    import nbformat

    cells = parameters_cells(nbformat.read(path, as_version=4))
    if len(cells) != 1:
        raise ValueError(f"{path.name}: expected exactly one cell tagged 'parameters', got {len(cells)}")
    found = {}
    for node in ast.parse(cells[0].source).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        try:
            found[target.id] = ast.literal_eval(node.value)
        except (AttributeError, ValueError):
            text = ast.unparse(node)
            raise ValueError(
                f"{path.name}: expected only name = literal in the parameters cell, got {text!r}"
            ) from None
    return found


def parameters_source(experiment: Experiment) -> str:
    """Return the ``parameters`` cell of a study's notebook, from the study's declaration.

    Each parameter has a line with the paper's value or, if the smoke profile has another one, None and a
    comment with both.
    """
    lines = ['profile: str = "smoke"  # "smoke" for a quick look, "paper" for the protocol of the paper']
    for knob in experiment.knobs():
        paper, smoke = (repr(json.loads(knob[profile])).replace("'", '"') for profile in ("paper", "smoke"))
        value, both = (paper, "") if paper == smoke else ("None", f"; paper {paper}, smoke {smoke}")
        kind = re.match(r"[a-z]+", knob["type"])[0].replace("tuple", "list")
        lines.append(f"{knob['name']}: {kind} = {value}  # {knob['help']}{both}")
    return "\n".join(lines)


def injected(experiment: Experiment, params: Any, profile: str, path: Path) -> dict[str, Any]:
    """Return what to inject so that the notebook runs the study with exactly these parameters.

    A parameter that differs from the profile's must be in the parameters cell.
    """
    knobs = read_parameters(path)
    values, defaults = as_dict(params), as_dict(experiment.resolve(profile))
    for name, value in values.items():
        if name not in knobs and value != defaults[name]:
            raise ValueError(
                f"{experiment.name}: its notebook has no parameter {name!r}; run it with --no-notebook"
            )
    return {name: value for name, value in {**values, "profile": profile}.items() if name in knobs}


def notebook_hash(path: Path, values: Mapping[str, Any], view: str) -> str:
    """Return the hash of all that an executed notebook depends on: its cells, the parameters, the code."""
    import nbformat

    cells = [
        [c.cell_type, c.source, c.metadata.get("tags", [])] for c in nbformat.read(path, as_version=4).cells
    ]
    text = json.dumps([cells, plain(values), view], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def execute_notebook(source: Path, target: Path, values: Mapping[str, Any]) -> None:
    """Execute ``source`` with parameters into ``target``, which appears only when every cell has run.

    A parameter that the notebook lacks raises ValueError. If a cell raises, NotebookError is raised, and the
    cells up to it are written to ``<target>.failed.ipynb``.
    """
    values = plain(values)
    known = read_parameters(source)
    for name in values:
        if name not in known:
            raise ValueError(
                f"{source.name}: unknown parameter {name!r}{suggestion(name, known)} "
                f"(its parameters cell has: {', '.join(known)})"
            )
    target.parent.mkdir(parents=True, exist_ok=True)
    part, failed = target.with_suffix(".part.ipynb"), target.with_suffix(".failed.ipynb")
    for attempt in (1, 2):
        try:
            _papermill(source, part, values)
            break
        except NotebookError:
            with contextlib.suppress(OSError):  # a full disk: the error of the cell is raised all the same
                os.replace(part, failed)
            raise
        except RuntimeError:  # the kernel died or did not answer, probably by no fault of the notebook
            part.unlink(missing_ok=True)
            if attempt == 2:
                raise
    failed.unlink(missing_ok=True)
    os.replace(part, target)


def _papermill(source: Path, part: Path, values: Mapping[str, Any]) -> None:
    import nbformat
    import papermill
    from papermill.exceptions import PapermillExecutionError

    with _own_socket() as config:
        try:
            notebook = papermill.execute_notebook(
                source,
                part,
                parameters=values,
                kernel_name=KERNEL,
                start_timeout=START_TIMEOUT_S,
                progress_bar=False,
                cwd=source.parent,
                **config,
            )
        except PapermillExecutionError as error:
            raise NotebookError(
                f"{source.name}, cell {error.cell_index}: {error.ename}: {error.evalue}"
            ) from error
    for place in ("input_path", "output_path"):  # do not publish folders of this machine
        notebook.metadata.get("papermill", {}).pop(place, None)
    nbformat.write(notebook, part)


@contextlib.contextmanager
def _own_socket() -> Iterator[dict[str, Any]]:
    """Yield engine options for a kernel on a Unix socket in a new short folder; TCP outside POSIX."""
    if os.name != "posix":
        yield {}
        return
    from traitlets.config import Config

    folder = LockedTempDir()
    try:
        socket = os.path.join(folder.path, "s")
        yield {"config": Config({"KernelManager": {"transport": "ipc", "ip": socket}})}
    finally:
        folder.remove()
