"""The engine: cases run in worker processes of a Dask cluster, on this machine or on many.

Without an address, the cluster is one of this machine that ends with the command; each worker has one thread.
Dask restarts a worker that dies or eats memory and gives its case to another one, three times at most. What
must run on this machine, notebooks and cases that measure time, always runs in workers of this machine. A
worker returns the files of a case, and the process that runs the study stores them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import logging
import os
import platform
import queue
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import psutil

from credalbench.core.extras import require
from credalbench.core.locked_tempdir import LockedTempDir
from credalbench.core.processes import end_members, marked

from .experiment import Experiment
from .keys import COMPUTING_PACKAGES, study_key
from .tables import LEFT_OUT, identified, table_files

if TYPE_CHECKING:
    import pandas as pd
    from distributed import Client, Future, LocalCluster
    from distributed.deploy import Cluster

DEATHS = 3  # of workers, after which a case is given up
CONNECT_S, CLOSE_S, POLL_S = 20, 5, 0.1
MACHINE = "machine"  # another one is a note, not an error
LEAST_MEMORY = 0.25  # of the machine that a worker may use, whatever the number of workers is
CHUNK, PRINTED = 1 << 12, 1 << 18  # bytes: of a pipe read at a time, of what a case prints that are kept
QUIET = {
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.target": False,
    "distributed.scheduler.allowed-failures": DEATHS - 1,
}
Compute = Callable[[Any, dict], "dict[str, pd.DataFrame]"]


class ClusterError(RuntimeError):
    """A cluster cannot be reached, or would not compute what this machine computes."""


class Engine:
    """Workers for cases: `jobs` of them on this machine, or those of a scheduler.

    Use it as a context. `slots` is the number of cases at a time; `done` has the futures that have ended.
    """

    def __init__(self, jobs: int = 1, scheduler: str | Cluster | None = None) -> None:
        require("dask", "distributed", extra="papers", purpose="running cases in several processes")
        self._address, self.is_local, self.slots = scheduler, scheduler is None, jobs
        self.done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        from distributed import Client

        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what happens is said in our lines
        with self._stack as stack:
            self._here = self._client = stack.enter_context(_this_machine(self.slots if self.is_local else 1))
            if not self.is_local:
                try:
                    self._client = Client(self._address, timeout=CONNECT_S, set_as_default=False)
                except (OSError, ValueError) as error:
                    raise ClusterError(f"no Dask scheduler answers at {self._address}: {error}") from error
                stack.callback(_close, self._client)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def submit(self, function: Callable, *arguments: Any, here: bool = False) -> Future:
        """Let a worker call a function; the future appears in `done` when it has ended."""
        future = (self._here if here else self._client).submit(function, *arguments, pure=False)
        future.add_done_callback(self.done.put)
        return future

    def ended(self) -> Iterator[Future]:
        """Wait a moment for a future that ends; yield all that have ended."""
        with contextlib.suppress(queue.Empty):
            yield self.done.get(timeout=POLL_S)
            while True:
                yield self.done.get_nowait()

    def stop(self, futures: Iterable[Future]) -> None:
        """Cancel futures and restart the workers that work on them, which ends whatever they do."""
        futures = [*futures]
        for client in {self._client, self._here}:
            mine = [future for future in futures if future.client is client]
            with contextlib.suppress(Exception):  # no worker is restarted without its nanny or scheduler
                busy = {key: name for name, keys in client.processing().items() for key in keys}
                workers = {busy[future.key] for future in mine if future.key in busy}
                client.cancel(mine)
                client.restart_workers(list(workers), timeout=CONNECT_S, raise_for_error=False)

    def check(self, studies: list[tuple[str, dict]]) -> list[str]:
        """Compare the workers of a scheduler with this machine, for studies given by module and parameters.

        Return a note on each worker of another kind of machine. ClusterError is raised if there are no
        workers, or if some would compute with other code, versions or data files; its message has a line for
        each difference.
        """
        with contextlib.suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise ClusterError(f"{self._address} has no workers; start one with: dask worker")
        here, lines, notes = inventory(studies), [], []
        for name, there in self._client.run(inventory, studies, on_error="return").items():
            n_threads = workers[name]["nthreads"]
            if n_threads > 1:
                start = f"start it with --nthreads 1 --nworkers {n_threads}"
                lines.append(f"{name}: {n_threads} cases at a time in one process; {start}")
            if isinstance(there, BaseException):
                lines.append(f"{name}: {type(there).__name__}: {there}")
                continue
            for subject in [subject for subject in here if here[subject] != there.get(subject)]:
                found = notes if subject == MACHINE else lines
                found.append(
                    f"{name}: {subject} {there.get(subject, 'missing')}, on this machine {here[subject]}"
                )
        if lines:
            raise ClusterError("\n".join(["these workers would not compute what this machine does:", *lines]))
        self.slots = sum(worker["nthreads"] for worker in workers.values())
        return [f"{note}: numbers may differ in the last digits" for note in notes]


def answer_of(future: Future) -> dict[str, Any]:
    """Return the answer of a case; ClusterError if there is none."""
    from distributed import CancelledError, KilledWorker

    try:
        return future.result()
    except KilledWorker:
        reason = f"{DEATHS} workers died while they computed this case, most often because memory ran out"
        return {"failure": {"status": "failed", "error": "WorkerDied", "reason": reason}, "printed": b""}
    except CancelledError as error:
        raise ClusterError("the scheduler was lost; finished cases are kept") from error


@contextlib.contextmanager
def _this_machine(n_workers: int) -> Iterator[Client]:
    """Start workers here; at their end, end every process that they have started."""
    import dask
    from distributed import Client, LocalCluster

    limit = psutil.virtual_memory().total * max(LEAST_MEMORY, 1 / n_workers)
    resource_tracker.ensure_running()  # it outlives the workers, and must not have their mark
    room = LockedTempDir()
    environment = {
        "TMPDIR": room.path,
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "DASK_LOGGING__DISTRIBUTED": "critical",
    }
    with contextlib.ExitStack() as stack:
        stack.callback(room.remove)
        mark = stack.enter_context(marked(Path(room.path)))
        stack.enter_context(dask.config.set(QUIET))
        with _ignoring(signal.SIGINT):  # on a terminal, Ctrl-C reaches all
            cluster = LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                host="127.0.0.1",
                memory_limit=limit,
                dashboard_address="127.0.0.1:0",
                local_directory=room.path,
                env=environment,
            )
        stack.callback(end_members, mark, 0.0, None)
        stack.callback(_close, cluster)
        stack.callback(_close, client := Client(cluster, set_as_default=False))
        yield client


def _close(one: Client | LocalCluster) -> None:
    """Close a client or a cluster; on a busy machine that may take too long, and its processes are ended."""
    with contextlib.suppress(TimeoutError):
        one.close(CLOSE_S)


@contextlib.contextmanager
def _ignoring(number: int) -> Iterator[None]:
    """Let processes that start within this context ignore a signal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before)


# ------------------------------------------------------------------------- in a worker


def inventory(studies: list[tuple[str, dict]]) -> dict[str, str]:
    """Return what the tables of some studies depend on here: versions, keys, and states of data files."""
    from credalbench.datasets import verify

    found = {"Python": ".".join(platform.python_version_tuple()[:2])}
    found |= {package: version(package) for package in ("credalbench", *COMPUTING_PACKAGES, "pandas")}
    names: set[str] = set()
    for module, params in studies:
        try:
            experiment, _, found[f"code of {module}"] = _study(module, json.dumps(params))
            names |= set(experiment.data)
        except Exception as error:
            found[f"code of {module}"] = f"{type(error).__name__}: {error}"
    for row in verify(sorted(names)).to_dict("records") if names else ():
        found[f"data {row['name']}, file {row['file']}"] = row["status"]
    return found | {MACHINE: f"{platform.system()} {platform.machine()}"}


@functools.cache
def _study(module: str, params: str) -> tuple[Experiment, Any, str]:
    """Return a study, parameters, and their key when the study was imported."""
    experiment = importlib.import_module(module).experiment
    resolved = experiment.resolve("paper", json.loads(params))
    return experiment, resolved, study_key(experiment, resolved)


def compute(module: str, params: dict, key: str, case: dict) -> dict[str, Any]:
    """Compute a case here: ``printed`` bytes, and ``failure`` or else ``files`` and ``seconds``.

    A worker whose code or versions differ from those of the run raises ClusterError.
    """
    experiment, resolved, mine = _study(module, json.dumps(params))
    if mine != key:
        raise ClusterError("the code or the versions here are not those of the run; restart the workers")
    with _captured() as printed:
        answer = run_case(experiment.compute, resolved, case)
    return {**answer, "printed": b"".join(printed)}


def run_case(compute: Compute, params: Any, case: dict) -> dict[str, Any]:
    """Compute one case: ``files`` of its tables and ``seconds``, or ``failure``: status, error and reason."""
    from sklearn.exceptions import ConvergenceWarning

    start = time.perf_counter()
    try:
        with single_threaded(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # a study counts iterations where they matter
            tables = compute(params, dict(case))
        if not isinstance(tables, dict):
            got = type(tables).__name__
            raise TypeError(f"expected compute(params, case) to return a dict of tables, got {got}")
        seconds, files = time.perf_counter() - start, {}
        for name, table in tables.items():
            files |= table_files(name, identified(table, case, name))
        return {"files": files, "seconds": seconds}
    except Exception as error:
        status = LEFT_OUT if getattr(error, "leaves_out", False) else "failed"
        return {"failure": {"status": status, "error": type(error).__name__, "reason": str(error)}}


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


@contextlib.contextmanager
def _captured() -> Iterator[deque[bytes]]:
    """Yield the last pieces of what this process and those that it starts print; then end the latter."""
    before = set(psutil.Process().children())
    printed: deque[bytes] = deque(maxlen=PRINTED // CHUNK)
    source, sink = os.pipe()

    def read() -> None:
        while piece := os.read(source, CHUNK):
            printed.append(piece)
        os.close(source)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    kept = [os.dup(number) for number in (1, 2)]
    for number in (1, 2):
        os.dup2(sink, number)
    os.close(sink)
    try:
        yield printed
    finally:
        for process in set(psutil.Process().children(recursive=True)) - before:
            with contextlib.suppress(psutil.Error):
                process.kill()
        for number, stream, copy in zip((1, 2), (sys.stdout, sys.stderr), kept):
            stream.flush()
            os.dup2(copy, number)
            os.close(copy)
        reader.join(1.0)
