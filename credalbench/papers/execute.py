"""Run a study: compute its cases, one by one or in parallel, and store each; continue a run that stopped.

Every case uses one thread of BLAS and of compiled kernels. Its numbers therefore do not depend on the number
of cores or on other processes, and a time is the time of one core.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from .engine import Engine, run_case
from .experiment import Experiment
from .notebooks import execute_notebook
from .parameters import as_dict
from .result import RunResult, provenance
from .store import SEAL, Damaged, StoreError, StudyFolder, remove, storing, tables_in, whole_folder
from .tables import FAILURES, stacked, table_files

if TYPE_CHECKING:
    from distributed import Client
    from tqdm import tqdm

LISTED = 3  # damages that are named
#: Names a folder for what a notebook shows; its file ``folder`` names the result.
SHOW = "CREDALBENCH_SHOW"


def run_study(
    experiment: Experiment,
    params: Any = None,
    *,
    profile: str = "paper",
    jobs: int | None = None,
    force: bool = False,
    client: Client | None = None,
    **overrides: Any,
) -> RunResult:
    """Compute what is not stored yet, and return the study's tables, figures and verdicts.

    Parameters
    ----------
    experiment : Experiment
        The study.
    params : object, optional
        Complete parameters, an instance of ``experiment.parameters``, instead of profile and overrides.
    profile : {"paper", "smoke"}, default="paper"
        The paper's protocol, or a version that ends within seconds.
    jobs : int, optional
        Number of cases that are computed at a time, each in a process of its own; -1 for one per core.
        Default: the environment variable ``CREDALBENCH_JOBS``, or 1. A study that measures time always runs
        one case at a time in this process.
    force : bool, default=False
        Forget what is stored for these parameters and compute it again.
    client : distributed.Client, optional
        Client of a Dask cluster, which computes the cases; ``jobs`` is not used then. This process stores
        them. Workers must have the same code, versions and data files as this machine.
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
        wrong type or an illegal value, or if there is a client for a study that measures time.
    StoreError
        If the results cannot be written, to a full disk or a read-only folder. Finished cases stay.
    ClusterError
        If workers of the cluster would not compute what this machine does (before any work starts), or the
        cluster was lost. Finished cases stay.

    Notes
    -----
    A case that raises becomes a row of the table ``failures`` and is tried again by the next run. An
    interrupted or killed run loses only the cases that were under way. A warning names each file of the store
    that has changed since it was written; the case, table or notebook that it belongs to is made anew.
    """
    params = _checked(experiment, params, profile, overrides)
    jobs = _n_jobs(jobs)
    if order := os.environ.get(SHOW):
        return _show_stored(experiment, params, Path(order))
    cases = experiment.case_list(params)
    folder = StudyFolder.of(experiment, params)
    if force:
        remove(folder.path)
    for damage in folder.repair(cases):
        warnings.warn(f"{experiment.name}: {damage}", RuntimeWarning, stacklevel=2)
    if client is not None and experiment.timed:
        raise ValueError(f"{experiment.name} measures time: expected no client, since machines differ")
    if not folder.is_complete(cases):
        _complete(experiment, params, cases, folder, jobs, client)
    return RunResult(experiment, params, folder)


def _show_stored(experiment: Experiment, params: Any, order: Path) -> RunResult:
    """Return the stored result that the runner ordered; judge it, draw it and write the report."""
    folder = StudyFolder(Path((order / "folder").read_text("utf-8")))
    if folder.path.parts[-3:] != StudyFolder.of(experiment, params).path.parts[-3:]:
        raise ValueError(
            "the notebook did not run the study with the parameters it was given: expected those of "
            f"{folder.path}, got {experiment.name} with {as_dict(params)}"
        )
    result = RunResult(experiment, params, folder)
    report = result.save(order / "shown")
    (order / "report.json").write_text(json.dumps(asdict(report)), "utf-8")
    return result


def load_study(
    experiment: Experiment, params: Any = None, *, profile: str = "paper", **overrides: Any
) -> RunResult | None:
    """Load the stored result of a finished study; compute nothing.

    Parameters
    ----------
    experiment : Experiment
        The study.
    params : object, optional
        Complete parameters, an instance of ``experiment.parameters``, instead of profile and overrides.
    profile : {"paper", "smoke"}, default="paper"
        The paper's protocol, or a version that ends within seconds.
    **overrides
        Individual parameters; None means "as in the profile".

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


def _n_jobs(jobs: int | None) -> int:
    jobs = int(os.environ.get("CREDALBENCH_JOBS") or 1) if jobs is None else jobs
    if isinstance(jobs, bool) or not isinstance(jobs, int) or (jobs < 1 and jobs != -1):
        raise ValueError(f"expected jobs to be a positive integer or -1 for every core, got {jobs!r}")
    return (os.cpu_count() or 1) if jobs == -1 else jobs


def _complete(
    experiment: Experiment,
    params: Any,
    cases: list[dict],
    folder: StudyFolder,
    jobs: int,
    client: Client | None,
) -> None:
    """Compute the cases that are missing and put the tables together.

    Cases that vanish meanwhile, because of a run with ``force``, are computed again once.
    """
    for last in (False, True):
        missing = [case for case in cases if not folder.case_path(case).is_dir()]
        failed: dict[Path, dict] = {}
        with progress(experiment.study, len(cases), len(cases) - len(missing)) as bar:
            for case, answer in _answers(experiment, params, missing, folder.path.name, jobs, client):
                keep(folder, case, answer, failed)
                bar.update()
        try:
            return finish(experiment, params, cases, folder, failed)
        except Damaged:
            if last:
                raise
            folder.repair(cases)


def keep(folder: StudyFolder, case: dict, answer: Mapping[str, Any], failed: dict[Path, dict]) -> None:
    """Store the files of a case, or its row in the table of failures."""
    if "failure" in answer:
        failed[folder.case_path(case)] = {**case, **answer["failure"]}
    else:
        folder.store_case(case, answer["files"], answer["seconds"])


def finish(
    experiment: Experiment, params: Any, cases: list[dict], folder: StudyFolder, failed: Mapping[Path, dict]
) -> None:
    """Concatenate the tables of the stored cases and store them; `failed` has rows of the other cases.

    A case that is neither stored nor failed raises Damaged.
    """
    paths = [folder.case_path(case) for case in cases]
    stored = {path: whole_folder(path) for path in paths if path not in failed}
    pieces: dict[str, list[pd.DataFrame]] = {}
    for path, manifest in stored.items():
        for name, table in tables_in(path, manifest).items():
            pieces.setdefault(name, []).append(table)
    columns = dict.fromkeys([c for case in cases for c in case] + ["status", "error", "reason"])
    rows = [failed[path] for path in paths if path in failed]
    pieces[FAILURES] = [pd.DataFrame(rows, columns=list(columns)).infer_objects()]
    documents = {"params": as_dict(params), "provenance": provenance(experiment, params)}
    files = {f"{name}.json": json.dumps(value, indent=1).encode() for name, value in documents.items()}
    for name, frames in pieces.items():
        files |= table_files(name, stacked(frames))
    seconds = round(sum(manifest["seconds"] for manifest in stored.values()), 3)
    made_of = {path.name: manifest[SEAL] for path, manifest in stored.items()}
    record = {"cases": len(cases), "failed": len(rows), "seconds": seconds, "made_of": made_of}
    folder.store_tables(files, record)


def _answers(
    experiment: Experiment, params: Any, cases: list[dict], key: str, jobs: int, client: Client | None
) -> Iterator[tuple[dict, dict]]:
    """Compute cases one by one here, or in several processes; timed studies always one by one."""
    if client is None and (jobs == 1 or len(cases) < 2 or experiment.timed):
        for case in cases:
            yield case, run_case(experiment.compute, params, case)
    elif cases:
        with Engine(min(jobs, len(cases)), client=client) as engine:
            if client is not None:
                engine.check([(experiment, as_dict(params))])
            for case, answer in engine.outcomes((experiment.module, as_dict(params), key), cases):
                sys.stderr.write(answer["printed"].decode(errors="replace"))
                yield case, answer


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

    The answer has the ``report``, if there is one, and an ``error``; or ``again``: a case has vanished.
    """
    experiment = importlib.import_module(module).experiment
    resolved = experiment.resolve("paper", params)
    cases, began = experiment.case_list(resolved), time.monotonic()
    try:
        finish(experiment, resolved, cases, folder, failed)
    except Damaged:
        folder.repair(cases)
        return {"again": True}
    with tempfile.TemporaryDirectory() as order:
        shown, report, error = Path(order, "shown"), Path(order, "report.json"), ""
        shown.mkdir()
        Path(order, "folder").write_text(str(folder.path), "utf-8")
        os.environ[SHOW] = order
        try:
            if notebook is None:
                run_study(experiment, resolved)
            else:
                target = folder.path / "notebook.ipynb"
                with storing(target):
                    execute_notebook(notebook, target, values)
                    shutil.move(target, shown / target.name)
        except StoreError as problem:
            error = str(problem)
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"
        finally:
            del os.environ[SHOW]
        found = json.loads(report.read_text("utf-8")) if report.exists() else None
        if found and not error:
            files = {p.relative_to(shown).as_posix(): p.read_bytes() for p in shown.rglob("*") if p.is_file()}
            seconds = round(time.monotonic() - began, 1)
            folder.store_shown(files, {**keys, "report": found, "seconds": seconds})
    return {"report": found, "error": error}


def progress(label: str, total: int, done: int) -> tqdm:
    """Return a progress bar for a terminal or a live notebook; silent in pipes, logs and papermill runs."""
    from tqdm.auto import tqdm

    quiet = os.environ.get("CREDALBENCH_PROGRESS") == "off" or done == total
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    elsewhere = False if hasattr(shell, "kernel") else None  # None: only where stderr is a terminal
    return tqdm(total=total, initial=done, desc=label, unit="case", disable=True if quiet else elsewhere)
