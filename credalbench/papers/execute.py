"""One study: compute its cases in this process, and execute its notebook with papermill.

Every case uses one thread of BLAS and of compiled kernels. Its numbers therefore do not depend on the number
of cores or on other processes, and a time is the time of one core.

papermill injects unknown parameters after a log line, marks an interrupted notebook as ended, and lets
kernels that start at the same time share a port or a socket name. This module rejects unknown
parameters, names the executed notebook only when it is complete, gives every kernel its own socket, and
restarts a kernel that dies at its start once.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from credalbench.core.locked_tempdir import LockedTempDir

from .engine import run_case
from .experiment import Experiment
from .keys import digest
from .parameters import as_dict, plain, suggestion
from .places import notebooks_folder
from .result import RunResult, provenance
from .store import StoreError, StudyFolder, remove, storing

KERNEL = "python3"
START_TIMEOUT_S = 60
LISTED = 3  # damages that are named
#: Environment variable of notebooks: a folder for what they show, with the key of the result as its name.
SHOW = "CREDALBENCH_SHOW"


def run_study(
    experiment: Experiment,
    params: Any = None,
    *,
    profile: str = "paper",
    force: bool = False,
    **overrides: Any,
) -> RunResult:
    """Compute what is not stored yet, and return the study's tables, figures and verdicts.

    The cases are computed here, one after another. ``credalbench run`` computes them in several processes;
    this function then finds them in the store.

    Parameters
    ----------
    experiment : Experiment
        The study.
    params : object, optional
        Complete parameters, an instance of ``experiment.parameters``, instead of profile and overrides.
    profile : {"paper", "smoke"}, default="paper"
        The paper's protocol, or a version that ends within seconds.
    force : bool, default=False
        Forget what is stored for these parameters and compute it again.
    **overrides
        Individual parameters; None means "as in the profile".

    Returns
    -------
    RunResult
        Tables, figures and verdicts.

    Raises
    ------
    ValueError, TypeError
        Before any work starts, if a parameter is unknown (the message has the nearest known name), has a
        wrong type or an illegal value.
    StoreError
        If the results cannot be written, to a full disk or a read-only folder. Finished cases stay.

    Notes
    -----
    A case that raises becomes a row of the table ``failures`` and is tried again by the next run. An
    interrupted or killed run loses only the case that was under way. A warning names each file of the store
    that has changed since it was written; the case, table or notebook that it belongs to is made anew.
    """
    params = _checked(experiment, params, profile, overrides)
    folder, cases = StudyFolder.of(experiment, params), experiment.case_list(params)
    result = RunResult(experiment, params, folder)
    if order := os.environ.get(SHOW):
        return _shown(result, Path(order))
    if force:
        remove(folder.path)
    for damage in folder.repair(cases):
        warnings.warn(f"{experiment.name}: {damage}", RuntimeWarning, stacklevel=2)
    if not folder.is_complete(cases):
        failed = {}
        for case in _tracked(
            [case for case in cases if not folder.case_path(case).is_dir()], experiment.study
        ):
            keep(folder, case, run_case(experiment.compute, params, case), failed)
        folder.store_tables(cases, failed, documents(experiment, params))
    return result


def load_study(
    experiment: Experiment, params: Any = None, *, profile: str = "paper", **overrides: Any
) -> RunResult | None:
    """Load the stored result of a finished study; compute nothing.

    Parameters
    ----------
    experiment : Experiment
        The study.
    params : optional
        Its parameters, as for :func:`run_study`.
    profile : str, default "paper"
        The profile that ``overrides`` change.
    **overrides
        Parameters that differ from the profile.

    Returns
    -------
    RunResult or None
        None if the study has not been run with these parameters and the present code.

    Raises
    ------
    StoreError
        If files of the stored result are damaged or missing; the message names them.
    """
    params = _checked(experiment, params, profile, overrides)
    folder = StudyFolder.of(experiment, params)
    if damages := folder.damages(experiment.case_list(params)):
        more = f"; and {len(damages) - LISTED} more" if len(damages) > LISTED else ""
        raise StoreError(f"damaged in the store: {'; '.join([*damages][:LISTED])}{more}")
    return RunResult(experiment, params, folder) if folder.status else None


def _checked(experiment: Experiment, params: Any, profile: str, overrides: dict) -> Any:
    if params is None:
        return experiment.resolve(profile, overrides)
    if overrides or not isinstance(params, experiment.parameters):
        expected = experiment.parameters.__qualname__
        raise TypeError(
            f"expected either a {expected} of this study or individual parameters, got {params!r} {overrides}"
        )
    return params


def _shown(result: RunResult, order: Path) -> RunResult:
    """Return the stored result that `show` ordered, judged and drawn; write the report."""
    if result.path.name != order.name:
        raise ValueError(
            "the notebook did not run the study with the parameters it was given: expected the result "
            f"{order.name}, got {result.path.name}, of {result.experiment.name} with {as_dict(result.params)}"
        )
    (order / "report.json").write_text(json.dumps(asdict(result.save(order / "shown"))), "utf-8")
    return result


def _tracked(cases: list[dict], label: str) -> Iterable[dict]:
    """Iterate over cases with a bar in a live notebook or on a terminal."""
    from tqdm.auto import tqdm

    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    hidden = False if cases and hasattr(shell, "kernel") else None  # None: only a terminal has a bar
    return tqdm(cases, desc=label, unit="case", disable=hidden if cases else True)


def keep(folder: StudyFolder, case: dict, answer: Mapping[str, Any], failed: dict[Path, dict]) -> None:
    """Store the files of a case, or its row in the table of failures."""
    if "failure" in answer:
        failed[folder.case_path(case)] = {**case, **answer["failure"]}
    else:
        folder.store_case(case, answer["files"], answer["seconds"])


def documents(experiment: Experiment, params: Any) -> dict[str, Any]:
    """Return what is stored with the tables of a study."""
    return {"params": as_dict(params), "provenance": provenance(experiment, params)}


def show(
    module: str,
    params: dict,
    folder: StudyFolder,
    failed: dict,
    notebook: Path | None,
    values: dict,
    keys: dict,
) -> dict[str, Any]:
    """Put the tables together and execute the notebook; without one, judge and draw here.

    The answer has the ``report``, or None, an ``error``, which may be empty, and ``seconds``.
    """
    experiment = importlib.import_module(module).experiment
    resolved = experiment.resolve("paper", params)
    report, error, began = None, "", time.monotonic()
    with tempfile.TemporaryDirectory() as parent:
        order = Path(parent, folder.path.name)
        (order / "shown").mkdir(parents=True)
        os.environ[SHOW] = str(order)
        try:
            folder.store_tables(experiment.case_list(resolved), failed, documents(experiment, resolved))
            if notebook is None:
                run_study(experiment, resolved)
            else:
                with storing(target := folder.path / "notebook.ipynb"):
                    execute_notebook(notebook, target, values)
                    shutil.move(target, order / "shown" / target.name)
        except Exception as problem:
            error = (
                str(problem) if isinstance(problem, StoreError) else f"{type(problem).__name__}: {problem}"
            )
        finally:
            del os.environ[SHOW]
        if (order / "report.json").exists():
            report = json.loads((order / "report.json").read_text("utf-8"))
        if report and not error:
            paths = [path for path in (order / "shown").rglob("*") if path.is_file()]
            files = {path.relative_to(order / "shown").as_posix(): path.read_bytes() for path in paths}
            folder.store_shown(files, {**keys, "report": report})
    return {"report": report, "error": error, "seconds": time.monotonic() - began}


# ---------------------------------------------------------------------------- notebooks


class NotebookError(RuntimeError):
    """A notebook that stopped; the message names the cell and its error."""


def notebook_path(experiment: Experiment) -> Path | None:
    """Return the path of the notebook ``reproduce/<paper>/<study>.ipynb``; None if there is none."""
    path = notebooks_folder() / "reproduce" / experiment.paper / f"{experiment.study}.ipynb"
    return path if path.is_file() else None


def read_cells(path: Path) -> list[tuple[str, str, list[str]]]:
    """Return kind, source and tags of each cell of a notebook."""
    found = json.loads(path.read_text("utf-8"))["cells"]
    return [(c["cell_type"], "".join(c["source"]), c["metadata"].get("tags", [])) for c in found]


def read_parameters(path: Path) -> dict[str, Any]:
    """Return name -> default value of the notebook's ``parameters`` cell.

    There must be one such cell, and every line in it assigns a literal.
    """
    sources = [source for _, source, tags in read_cells(path) if "parameters" in tags]
    if len(sources) != 1:
        raise ValueError(f"{path.name}: expected exactly one cell tagged 'parameters', got {len(sources)}")
    found = {}
    for node in ast.parse(sources[0]).body:
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
    return digest([read_cells(path), plain(values), view])


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
