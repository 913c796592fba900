"""Run a study: compute its cases, one by one or in parallel, and store each; continue a run that stopped.

Every case uses one thread of BLAS and of compiled kernels. Its numbers therefore do not depend on the number
of cores or on other processes, and a time is the time of one core.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .experiment import Experiment
from .left_out import LEFT_OUT
from .parameters import as_dict
from .result import RunResult
from .sealed import Damaged, StoreError, read_sealed, shortened
from .store import PARAMS, StudyFolder

if TYPE_CHECKING:
    import pandas as pd
    from tqdm import tqdm

    from .dask_cluster import Client, DaskCluster

SHOW = "CREDALBENCH_SHOW"  # names a file with the folder of the result that a notebook is to show


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
        folder.clear()
    for damage in folder.repair(cases):
        warnings.warn(f"{experiment.name}: {damage}", RuntimeWarning, stacklevel=2)
    cluster = None
    if client is not None and not folder.is_complete(cases):
        from .dask_cluster import DaskCluster

        cluster = DaskCluster(client, [(experiment, params)])
    complete(experiment, params, cases, folder, jobs, cluster=cluster)
    result = RunResult(experiment, params, folder)
    result.save_verdicts()
    return result


def _show_stored(experiment: Experiment, params: Any, order: Path) -> RunResult:
    """Return the stored result that the runner ordered; judge it, draw it and write the report."""
    folder = StudyFolder(Path(order.read_text("utf-8")))
    expected = StudyFolder.place(experiment)
    if folder.path.parent != expected or read_sealed(folder.path / PARAMS) != as_dict(params):
        raise ValueError(
            "the notebook did not run the study with the parameters it was given: expected those of "
            f"{folder.path}, got {experiment.name} with {as_dict(params)}"
        )
    result = RunResult(experiment, params, folder)
    report_path(order).write_text(json.dumps(asdict(result.save())), "utf-8")
    return result


def report_path(order: Path) -> Path:
    """Return the path of the report on the result that was shown on an order."""
    return order.with_suffix(".json")


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
        raise StoreError(f"damaged in the store: {shortened(damages)}")
    return RunResult(experiment, params, folder) if folder.is_finished else None


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


def complete(
    experiment: Experiment,
    params: Any,
    cases: list[dict],
    folder: StudyFolder,
    jobs: int = 1,
    failed: Mapping[Path, dict] | None = None,
    cluster: DaskCluster | None = None,
) -> None:
    """Compute the cases that are missing and put the tables together, unless the study is complete.

    The `cluster`, or else this machine, computes the cases. `failed` has cases that were tried before, with
    their rows in the table of failures. Cases that vanish meanwhile, because of a run with ``force``, are
    computed again once.
    """
    if folder.is_complete(cases):
        return
    for last in (False, True):
        rows = _compute_missing(experiment, params, cases, folder, jobs, failed or {}, cluster)
        try:
            return folder.finish(experiment, params, cases, rows)
        except Damaged:
            if last:
                raise
            folder.repair(cases)


def _compute_missing(
    experiment: Experiment,
    params: Any,
    cases: list[dict],
    folder: StudyFolder,
    jobs: int,
    failed: Mapping[Path, dict],
    cluster: DaskCluster | None,
) -> dict[Path, dict]:
    """Compute and store the cases that are not stored; return path and row of each that failed, in order."""
    paths, rows = {folder.case_path(case): case for case in cases}, dict(failed)
    missing = [case for path, case in paths.items() if path not in rows and not path.is_dir()]
    with progress(experiment.study, len(cases), len(cases) - len(missing)) as bar:
        for case, failure in _outcomes(experiment, params, missing, folder, jobs, cluster):
            if failure is not None:
                rows[folder.case_path(case)] = {**case, **failure}
            bar.update()
    return {path: rows[path] for path in paths if path in rows}


def _outcomes(
    experiment: Experiment,
    params: Any,
    cases: list[dict],
    folder: StudyFolder,
    jobs: int,
    cluster: DaskCluster | None,
) -> Iterator[tuple[dict, dict | None]]:
    """Run cases on a cluster, one by one here, or in several processes; timed studies always one by one."""
    if cluster is not None:
        yield from cluster.outcomes(experiment, params, cases, folder)
    elif jobs > 1 and len(cases) > 1 and not experiment.timed:
        yield from _in_parallel(experiment.compute, params, cases, folder, jobs)
    else:
        for case in cases:
            yield run_case(experiment.compute, params, case, folder)


def _in_parallel(
    compute: Callable[[Any, dict], dict[str, pd.DataFrame]],
    params: Any,
    cases: list[dict],
    folder: StudyFolder,
    jobs: int,
) -> Iterator[tuple[dict, dict | None]]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import BrokenProcessPool

    with parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=min(jobs, len(cases)), return_as="generator_unordered", batch_size=1)
        try:
            yield from pool(delayed(run_case)(compute, params, case, folder) for case in cases)
        except BrokenProcessPool as error:
            stored = folder.n_stored(cases)
            raise RuntimeError(
                f"a worker process died ({error}); {stored} of {len(cases)} cases "
                "are stored. Run again to continue, with one job if it dies again"
            ) from error


def run_case(
    compute: Callable[[Any, dict], dict[str, pd.DataFrame]], params: Any, case: dict, folder: StudyFolder
) -> tuple[dict, dict | None]:
    """Compute one case and store it; return the case and, if it failed, status, error and reason."""
    from sklearn.exceptions import ConvergenceWarning

    start = time.perf_counter()
    try:
        with single_threaded(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a study counts iterations where they matter
            tables = compute(params, dict(case))
        if not isinstance(tables, dict):
            raise TypeError(
                f"expected compute(params, case) to return a dict of tables, got {type(tables).__name__}"
            )
        folder.store_case(case, tables, time.perf_counter() - start)
    except StoreError:
        raise  # this is not a failure of the case; the next one could not be stored either
    except Exception as error:
        status = LEFT_OUT if getattr(error, "leaves_out", False) else "failed"
        return case, {"status": status, "error": type(error).__name__, "reason": str(error)}
    return case, None


@contextlib.contextmanager
def single_threaded() -> Iterator[None]:
    """Limit BLAS, OpenMP and compiled kernels to one thread within this context."""
    from threadpoolctl import threadpool_limits

    numba = sys.modules.get("numba")
    threads = numba.get_num_threads() if numba else None
    with threadpool_limits(1):
        if numba:
            numba.set_num_threads(1)
        try:
            yield
        finally:
            if numba:
                numba.set_num_threads(threads)


def progress(label: str, total: int, done: int) -> tqdm:
    """Return a progress bar for a terminal or a live notebook; silent in pipes, logs and papermill runs."""
    from tqdm.auto import tqdm

    quiet = os.environ.get("CREDALBENCH_PROGRESS") == "off" or done == total
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    elsewhere = False if hasattr(shell, "kernel") else None  # None: only where stderr is a terminal
    return tqdm(total=total, initial=done, desc=label, unit="case", disable=True if quiet else elsewhere)
