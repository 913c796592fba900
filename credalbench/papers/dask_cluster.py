"""Cases of studies on a Dask cluster: the only module of the runner that uses Dask.

Dask decides which machine computes which case, and gives a case to another machine if one is lost. On each
machine a worker process of this package computes the case (:mod:`.case_process`), as without a cluster; a
thread of a Dask worker only waits for it. The answer is the files of the stored case, and the client writes
them into the store of results. When Dask cancels the case, because the client was interrupted or killed, the
thread ends the process.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import json
import logging
import signal
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credalbench.core.extras import require

from .case_process import CaseProcess
from .experiment import Experiment
from .parameters import as_dict
from .sealed import StoreError, shortened, storing
from .store import StudyFolder

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
DEATHS = 3  # of worker processes, after which a case is given up
IN_FLIGHT = 1000  # cases that Dask knows at a time: more keep no more machines busy
CONNECT_S = 20
_LOOKING = threading.Lock()


class ClusterError(RuntimeError):
    """A cluster cannot be reached, or would not compute what this machine computes."""


@contextlib.contextmanager
def connected(scheduler: str, jobs: int) -> Iterator[Client]:
    """Connect to a Dask scheduler; leave it at the end.

    The scheduler is an address, "tcp://192.168.1.5:8786"; or "local" for a cluster of `jobs` workers on this
    machine, which ends with the context. Without Dask this raises MissingPackage, without an answer
    ClusterError.
    """
    require("dask", "distributed", extra="distributed", purpose="--scheduler")
    import dask
    from distributed import Client, LocalCluster

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # we say what is lost in one line
    with contextlib.ExitStack() as stack:
        if scheduler == LOCAL:
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": DEATHS - 1}))
            options = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
            with _ignored_by_children(signal.SIGINT):
                cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, **options)
            scheduler = stack.enter_context(cluster)
        try:
            client = Client(scheduler, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"no Dask scheduler answers at {scheduler}: {error}") from error
        yield stack.enter_context(client)


@contextlib.contextmanager
def _ignored_by_children(number: int) -> Iterator[None]:
    """Let processes that start within this context ignore a signal: Ctrl-C reaches all on a terminal."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before)


class DaskCluster:
    """A Dask cluster that computes the cases of some studies, given with their parameters.

    `notes` has a line for each worker on another kind of machine. A study that measures time raises
    ValueError, a missing or asynchronous client TypeError. ClusterError is raised if there are no workers, or
    if some would compute with other code, versions or data files than this machine; its message has a line
    for each difference.
    """

    def __init__(self, client: Client, studies: Iterable[tuple[Experiment, Any]]) -> None:
        studies = [*studies]
        if timed := [experiment.name for experiment, _ in studies if experiment.timed]:
            raise ValueError(
                f"{', '.join(timed)}: expected studies that measure no time, since the machines of a cluster "
                "differ and are shared; run these on one machine"
            )
        from distributed import Client

        if not isinstance(client, Client) or client.asynchronous:
            raise TypeError(f"expected a distributed.Client that is not asynchronous, got {client!r}")
        self.client, self.in_flight, self._address = client, IN_FLIGHT, client.scheduler.address
        order = [[experiment.module, as_dict(params)] for experiment, params in studies]
        self._order = json.dumps([uuid.uuid4().hex, order])  # looked at once on each worker in each run
        self._expected: dict[str, str] = {}
        self.notes: list[str] = []
        self._check()
        self._bell, self._rope = socket.socketpair()
        self._bell.setblocking(False)

    def __str__(self) -> str:
        workers = self._workers()
        threads = sum(worker["nthreads"] for worker in workers.values())
        words = f"{len(workers)} {'worker' if len(workers) == 1 else 'workers'}, cases at a time: {threads}"
        return f"{self._address} ({words}); dashboard {self.client.dashboard_link}"

    def worker(self, job: dict[str, Any], log: Path) -> CaseOnCluster:
        """Return a worker for the cases of a study, which the loop of cases treats as one of its own."""
        return CaseOnCluster(self, job, log)

    def outcomes(
        self, experiment: Experiment, params: Any, cases: list[dict], folder: StudyFolder
    ) -> Iterator[tuple[dict, dict | None]]:
        """Compute and store cases; yield each with its failure, if any, as they end.

        Raise StoreError if a case cannot be stored, ClusterError if the scheduler was lost or a worker
        could not compute at all.
        """
        job = {
            "module": experiment.module,
            "params": as_dict(params),
            "values": as_dict(params),
            "folder": str(folder.path),
        }
        sent = {self.compute(job, case): case for case in cases}
        try:
            for future in concurrent.futures.as_completed(sent):
                answer = future.result()
                sys.stderr.write(answer["printed"].decode(errors="replace"))
                if answer.get("error"):
                    raise ClusterError(answer["error"])
                if answer["files"]:
                    folder.store_files(sent[future], answer["files"])
                yield sent[future], answer["failure"]
        finally:
            for future in sent:
                future.cancel()

    def compute(self, job: dict[str, Any], case: dict) -> concurrent.futures.Future:
        """Let the cluster compute a case; the result is that of `compute_case`, but never a death."""
        return asyncio.run_coroutine_threadsafe(self._computed(job, case), self.client.loop.asyncio_loop)

    def fileno(self) -> int:
        """Return the descriptor that becomes readable once `ring` is called."""
        return self._bell.fileno()

    def ring(self, *_: object) -> None:
        """Make the descriptor readable."""
        self._rope.send(b".")

    def drain(self) -> None:
        """Make the descriptor unreadable."""
        with contextlib.suppress(BlockingIOError):
            self._bell.recv(1 << 16)

    async def _computed(self, job: dict[str, Any], case: dict) -> dict[str, Any]:
        """Return the answer of a worker; if it dies, that of another, until too many have died."""
        from distributed import KilledWorker

        printed = b""
        for _ in range(DEATHS):
            key = f"{job['module']}-{uuid.uuid4().hex}"  # the dashboard shows what is before the hyphen
            future = self.client.submit(compute_case, job, case, self._order, self._expected, key=key)
            try:
                answer = await future
            except KilledWorker as error:
                return _given_up(case, str(error), printed)
            except concurrent.futures.CancelledError:  # by Dask; if we cancel, it is that of asyncio
                error = f"the scheduler {self._address} was lost; finished cases are kept"
                return {"error": error, "printed": printed}
            except Exception as error:
                return {"error": f"on the cluster: {type(error).__name__}: {error}", "printed": printed}
            finally:
                future.release()  # ends the work if we were cancelled
            printed += answer["printed"]
            if "death" not in answer:
                return {**answer, "printed": printed}
        return _given_up(case, f"{DEATHS} times, the last time it {answer['death']}", printed)

    # ------------------------------------------------------------------- before work starts

    def _workers(self) -> dict[str, dict]:
        return self.client.scheduler_info(n_workers=-1)["workers"]

    def _check(self) -> None:
        """Compare every worker with this machine: first what asking requires, then what it would compute."""
        if not self._workers():
            with contextlib.suppress(TimeoutError):
                self.client.wait_for_workers(1, timeout=CONNECT_S)
        found = self.client.get_versions(packages=["credalbench"])
        if not found["workers"]:
            raise ClusterError(f"{self._address} has no workers; start one with: dask worker")
        here = _basics(found["client"])
        lines = [
            line for name, one in found["workers"].items() for line in _differences(name, here, _basics(one))
        ]
        kinds = {name: _kind(one) for name, one in found["workers"].items()}
        mine = _kind(found["client"])
        self.notes = [
            f"{name} is {kind}, this machine {mine}: numbers may differ in the last digits"
            for name, kind in kinds.items()
            if kind != mine
        ]
        if not lines:
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                local = pool.submit(_inventory, self._order)
                there = self.client.run(_inventory_of_worker, self._order, on_error="return")
            self._expected = local.result()
            for name, one in there.items():
                lines += (
                    [f"{name}: {type(one).__name__}: {one}"]
                    if isinstance(one, BaseException)
                    else _differences(name, self._expected, one)
                )
        if lines:
            raise ClusterError("\n".join(["these workers would not compute what this machine does:", *lines]))


class CaseOnCluster:
    """A worker (as :class:`.Worker`) whose one case at a time is computed by a cluster."""

    shows = False

    def __init__(self, cluster: DaskCluster, job: dict[str, Any], log: Path) -> None:
        self.task: dict[str, Any] | None = None
        self.is_leaving = False
        self._cluster, self._job, self._log = cluster, job, log
        self._folder = StudyFolder(Path(job["folder"]))
        self._answer: concurrent.futures.Future | None = None

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when there is an answer."""
        return self._cluster.fileno()

    def give(self, task: dict[str, Any]) -> None:
        """Give it a case; `answers` returns the answer once it is stored."""
        self.task, self._answer = task, self._cluster.compute(self._job, task["case"])
        self._answer.add_done_callback(self._cluster.ring)

    def answers(self) -> list[dict[str, Any]]:
        """Return the answer since the last call, if there is one."""
        self._cluster.drain()
        if self._answer is None or not self._answer.done() or self._answer.cancelled():
            return []
        answer, self._answer = self._answer.result(), None
        try:
            with storing(self._log), self._log.open("ab") as log:
                log.write(answer.pop("printed"))
            if files := answer.pop("files", None):
                self._folder.store_files(self.task["case"], files)
        except StoreError as problem:
            return [{"error": str(problem)}]
        return [answer]

    def dismiss(self) -> None:
        """Let the worker end."""
        self.is_leaving = True

    def stop(self) -> None:
        """End its case on the cluster."""
        self.is_leaving = True
        if self._answer is not None:
            self._answer.cancel()

    def has_ended(self) -> bool:
        """Return whether it has ended, which it does only if it was dismissed or stopped."""
        return self.is_leaving and (self._answer is None or self._answer.done())

    def end(self) -> None:
        """Do nothing: what it has started ends on the cluster."""


def _given_up(case: dict, how: str, printed: bytes) -> dict[str, Any]:
    words = ", ".join(f"{name} {value}" for name, value in case.items())
    reason = f"workers die when they compute this case ({words}): {how}"
    failure = {"status": "failed", "error": "WorkerDied", "reason": reason}
    return {"failure": failure, "files": {}, "printed": printed}


def _basics(found: dict[str, Any]) -> dict[str, str]:
    """Return what must be equal before a function of ours can be sent."""
    packages = found["packages"]
    python = ".".join(packages["python"].split(".")[:2])
    return {"Python": python, "credalbench": packages["credalbench"] or "missing"}


def _kind(found: dict[str, Any]) -> str:
    return f"{found['host']['OS']} {found['host']['machine']}"


def _differences(worker: str, here: dict[str, str], there: dict[str, str]) -> list[str]:
    """Return a line for each subject in which a worker differs from this machine."""
    subjects = dict.fromkeys([*here, *there])
    return [
        f"{worker}: {subject} {there.get(subject, 'missing')}, on this machine {here.get(subject, 'missing')}"
        for subject in subjects
        if here.get(subject) != there.get(subject)
    ]


# ------------------------------------------------------------------------ on the machines of the cluster


def _inventory(order: str) -> dict[str, str]:
    """Return the inventory of a new process here for the studies of an order; compute it once."""
    with _LOOKING:
        return _looked(order)


@functools.lru_cache(maxsize=4)
def _looked(order: str) -> dict[str, str]:
    command = [sys.executable, "-m", "credalbench.papers.inventory"]
    done = subprocess.run(command, input=json.dumps(json.loads(order)[1]), capture_output=True, text=True)
    if done.returncode:
        raise ClusterError(f"{' '.join(command)}: {done.stderr.strip().rpartition(chr(10))[2]}")
    return json.loads(done.stdout)


async def _inventory_of_worker(order: str) -> dict[str, str]:
    return await asyncio.to_thread(_inventory, order)


def compute_case(job: dict[str, Any], case: dict, order: str, expected: dict[str, str]) -> dict[str, Any]:
    """Compute a case on this machine, in a thread of a Dask worker.

    The job is that of :class:`.Worker`, `order` the studies of the run as JSON. `expected` is their inventory
    on the machine of the client: a worker that joined the cluster late is compared here. The answer has the
    ``printed`` bytes; and either ``failure`` and ``files``, the files of the stored case; or ``error``, which
    ends the study; or ``death``: how the worker process ended.
    """
    from distributed import get_worker

    dask_worker = get_worker()
    if lines := _differences(dask_worker.address, expected, _inventory(order)):
        return {"error": shortened(lines), "printed": b""}
    key = dask_worker.get_current_task()

    def is_wanted() -> bool:
        task = dask_worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    process = CaseProcess.idle(job)
    answer = process.compute(case, is_wanted)
    if "failure" in answer:
        process.wait_for_more()
    else:
        process.end()
    if "error" in answer:
        answer["error"] = f"{dask_worker.address}: {answer['error']}"
    return answer
