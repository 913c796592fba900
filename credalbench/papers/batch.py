"""Run many studies: worker processes compute the cases and store them, then each study's notebook shows them.

Up to two studies run at a time, and share the processes. Studies that measure time run first, one study and
one case at a time; meanwhile at most one other process runs, and only if it has a core of its own.
With a cluster, its machines compute the cases, and this one stores and shows them.
"""

from __future__ import annotations

import contextlib
import select
import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from joblib import cpu_count

from .experiment import Experiment
from .notebooks import injected, notebook_hash, notebook_path
from .parameters import as_dict
from .result import Report, RunResult
from .sealed import StoreError, storing
from .sources import view_hash
from .store import StudyFolder
from .supervision import LOG_LIMIT, Worker, size

if TYPE_CHECKING:
    from .dask_cluster import CaseOnCluster, DaskCluster

#: Makes a worker, here or on a cluster, from a job and a log.
MakeWorker = Callable[[dict, Path], "Worker | CaseOnCluster"]
MAX_STUDIES = 2
WHILE_TIMED = 2  # processes while cases measure time
POLL_S = 0.1


@dataclass
class Task:
    """One study to run, prepared.

    ``values`` are those of the notebook's parameters. ``view`` is the hash of the code that judges and draws,
    ``notebook_hash`` that of all that the executed notebook depends on, or None without a notebook.
    """

    experiment: Experiment
    params: Any
    profile: str
    notebook: Path | None
    values: dict
    folder: StudyFolder
    cases: list[dict] = field(repr=False)
    view: str
    notebook_hash: str | None

    @property
    def stored_report(self) -> Report | None:
        """The report on the stored result if nothing is left to compute or to show; else None."""
        shown = self.folder.shown if self.folder.is_complete(self.cases) else None
        if shown is None or shown["view"] != self.view:
            return None
        if self.notebook and shown["notebook"] != self.notebook_hash:
            return None
        report = Report(**shown["report"])
        files = ["verdicts.csv", *(f"figures/{artefact}.png" for artefact in report.figures)]
        return report if all((self.folder.path / file).is_file() for file in files) else None


@dataclass
class Outcome:
    """The outcome of one study.

    ``error`` is empty unless something went wrong. A claim that is not reproduced is not an error. Neither
    is a study whose data cannot be obtained, which ``left_out`` explains. ``report`` is None if nothing was
    judged.
    """

    task: Task
    how: str
    seconds: float
    error: str = ""
    report: Report | None = None

    @property
    def left_out(self) -> str:
        return self.report.left_out if self.report is not None and not self.error else ""

    @cached_property
    def result(self) -> RunResult | None:
        """The stored result; None if the study is not finished or its status is damaged."""
        task = self.task
        with contextlib.suppress(StoreError):
            return RunResult(task.experiment, task.params, task.folder) if task.folder.is_finished else None
        return None


def prepare(experiment: Experiment, profile: str, overrides: dict, *, use_notebook: bool = True) -> Task:
    """Check everything that can be checked before work starts; raise errors as :func:`.run_study` does."""
    params = experiment.resolve(profile, overrides)
    notebook = notebook_path(experiment) if use_notebook else None
    values = injected(experiment, params, profile, notebook) if notebook else as_dict(params)
    folder, cases = StudyFolder.of(experiment, params), experiment.case_list(params)
    view = view_hash(experiment)
    key = notebook_hash(notebook, values, view) if notebook else None
    return Task(experiment, params, profile, notebook, values, folder, cases, view, key)


def run_batch(
    tasks: list[Task],
    *,
    jobs: int = 1,
    force: bool = False,
    time_limit_s: float = 7200.0,
    write: Callable[[str], None] = print,
    cluster: DaskCluster | None = None,
) -> list[Outcome]:
    """Run the tasks, studies that measure time first and one at a time; return an outcome for each task.

    Studies that run at the same time share the `jobs` worker processes; with a `cluster`, its workers compute
    instead. A study is stopped after `time_limit_s`; its finished cases stay. Whatever goes wrong with a
    study, its folder and files included, is the error of its outcome, and the others continue. No process
    that a study has started outlives it.
    """
    make_worker = cluster.worker if cluster else Worker
    jobs = cluster.in_flight if cluster else jobs
    outcomes = _forget(tasks) if force else {}
    waiting = [i for i in range(len(tasks)) if i not in outcomes]
    running: dict[int, StudyRun] = {}
    with _Bar(tasks) as bar:
        for outcome in outcomes.values():
            bar.write(write, _line(outcome))
        try:
            while waiting or running:
                while (i := _next(waiting, [*running], tasks, jobs)) is not None:
                    waiting.remove(i)
                    begun = _begin(tasks[i], make_worker, partial(bar.write, write))
                    if isinstance(begun, StudyRun):
                        running[i] = begun
                    else:
                        outcomes[i] = begun
                        bar.write(write, _line(begun))
                _share([*running.values()], jobs)
                _wait([worker for run in running.values() for worker in run.workers])
                for run in running.values():
                    run.advance(time_limit_s)
                for i in [i for i, run in running.items() if not run.workers]:
                    outcomes[i] = running.pop(i).outcome()
                    bar.write(write, _line(outcomes[i]))
                bar.show(outcomes.values(), [*running.values()])
        finally:
            _stop([*running.values()])
    return [outcomes[i] for i in range(len(tasks))]


def _forget(tasks: list[Task]) -> dict[int, Outcome]:
    """Clear the folders of the tasks; return the outcomes of those whose folder cannot be cleared."""
    outcomes = {}
    for i, task in enumerate(tasks):
        try:
            task.folder.clear()
        except StoreError as problem:
            outcomes[i] = Outcome(task, "not stored", 0.0, str(problem))
    return outcomes


def _next(waiting: list[int], running: list[int], tasks: list[Task], jobs: int) -> int | None:
    """Return the study to start: a timed one unless one runs, else an untimed one; None if none may start."""
    timed = [i for i in waiting if tasks[i].experiment.timed]
    others = [i for i in waiting if not tasks[i].experiment.timed]
    is_timed = any(tasks[i].experiment.timed for i in running)
    if len(running) >= min(MAX_STUDIES, while_timed(jobs) if is_timed else jobs):
        return None
    return next(iter(others if is_timed else [*timed, *others]), None)


def while_timed(jobs: int) -> int:
    """Return how many processes may run while cases measure time; each needs its own core."""
    return min(jobs, cpu_count(only_physical_cores=True), WHILE_TIMED)


def _begin(task: Task, make_worker: MakeWorker, write: Callable[[str], None]) -> StudyRun | Outcome:
    """Start the study; return its outcome if it is stored already or cannot be stored."""
    try:
        for damage in task.folder.repair(task.cases):
            write(f"! {task.experiment.name}  {damage}")
        if (report := task.stored_report) is not None:
            return Outcome(task, "stored", 0.0, _errors(report), report)
        with storing(task.folder.path):
            return StudyRun(task, make_worker)
    except StoreError as problem:
        return Outcome(task, "not stored", 0.0, str(problem))


def _share(running: list[StudyRun], jobs: int) -> None:
    """Start workers while there are processes left, first for the study with the fewest workers."""
    others = [run for run in running if not run.task.experiment.timed]
    free = (while_timed(jobs) - 1 if others != running else jobs) - sum(len(run.active) for run in others)
    while free > 0 and (wanting := [run for run in running if run.wants_worker]):
        min(wanting, key=lambda run: len(run.active)).add_worker()
        free -= 1


def _wait(workers: list[Worker]) -> None:
    """Wait until a worker answers or ends, or for a moment."""
    if workers:
        select.select({worker.fileno() for worker in workers if worker.task}, [], [], POLL_S)


def _stop(running: list[StudyRun]) -> None:
    """Interrupt all workers, then end what is left of them, which takes seconds for all together."""
    workers = [worker for run in running for worker in run.workers]
    for worker in workers:
        worker.stop()
    while not all([worker.has_ended() for worker in workers]):
        time.sleep(POLL_S)
    for worker in workers:
        worker.end()


class StudyRun:
    """One study under way: its workers, the cases that are left, its failures and its report.

    The last worker that has computed a case shows the result. The study has ended when no worker is left.
    `make_worker` makes a worker that computes cases, from a job and a log.
    """

    def __init__(self, task: Task, make_worker: MakeWorker) -> None:
        self.task, self._make_worker = task, make_worker
        self.start = time.monotonic()
        self.failed: list[tuple[dict, dict]] = []
        self.left = deque(case for case in task.cases if not task.folder.case_path(case).is_dir())
        self.n_done = len(task.cases) - len(self.left)
        self.error, self.report, self.is_shown = "", None, False
        self.workers: list[Worker] = []
        self.log = task.folder.path / "run.log"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        self.add_worker()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    @property
    def active(self) -> list[Worker]:
        """The workers that have a task or may still get one."""
        return [worker for worker in self.workers if not worker.is_leaving]

    @property
    def wants_worker(self) -> bool:
        """Whether one more worker would have work."""
        return bool(self.left) and not self.error and not self.task.experiment.timed

    def add_worker(self) -> None:
        """Start a worker and give it a task; the study fails if that is not possible."""
        job = {
            "module": self.task.experiment.module,
            "params": as_dict(self.task.params),
            "values": self.task.values,
            "folder": str(self.task.folder.path),
        }
        try:
            with storing(self.task.folder.path):
                worker = (self._make_worker if self.left else Worker)(job, self.log)
        except StoreError as problem:
            self.fail(str(problem))
            return
        self.workers.append(worker)
        self._give(worker)

    def advance(self, time_limit_s: float) -> None:
        """Collect the workers' answers, give them new tasks, and stop the study if it exceeds a limit."""
        for worker in [*self.workers]:
            has_ended = worker.has_ended()
            for answer in worker.answers():
                self._take(worker, answer)
            if has_ended:
                worker.end()
                self.workers.remove(worker)
                if not worker.is_leaving:
                    self.fail(worker.cause_of_end)
            elif worker.task is None and not worker.is_leaving:
                self._give(worker)
        if self.active and self.seconds > time_limit_s:
            self.fail(f"stopped after {time_limit_s:g} s; finished cases are kept")
        elif self.active and size(self.log) > LOG_LIMIT:
            limit = f"{LOG_LIMIT >> 20} MiB"
            self.fail(f"stopped: it wrote more than {limit} into {self.log}; finished cases are kept")

    def fail(self, error: str) -> None:
        """Stop the study; keep its first error."""
        self.error = self.error or error
        for worker in self.workers:
            worker.stop()

    def _take(self, worker: Worker, answer: dict[str, Any]) -> None:
        task, worker.task = worker.task, None
        if error := answer.get("error"):
            self.fail(error)
        if task and "show" in task and answer.get("report"):
            self.report = Report(**answer["report"])
        elif task and "case" in task and not error:
            self.n_done += 1
            if answer["failure"] is not None:
                self.failed.append((task["case"], answer["failure"]))

    def _give(self, worker: Worker) -> None:
        """Give a worker the next case; if none is left, the last worker shows the result."""
        if self.left and not self.error:
            worker.give({"case": self.left.popleft()})
        elif self.error or self.is_shown or any(w.task for w in self.active):
            worker.dismiss()
        elif not worker.shows:
            worker.dismiss()
            self.add_worker()
        else:
            notebook = str(self.task.notebook) if self.task.notebook else None
            worker.give({"show": {"failed": self.failed, "notebook": notebook}})
            self.is_shown = True

    def outcome(self) -> Outcome:
        """Return the outcome, and record that the result was shown."""
        task, report, error = self.task, self.report, self.error
        if error and report is not None and report.errors:
            error = f"{report.errors[0]}\n{error}"  # a notebook stops at the first figure without data
        elif not error and report is None:
            error = "the notebook ended, but did not run the study with the parameters it was given"
        elif not error:
            error = _errors(report)
            try:
                if task.folder.is_finished:
                    task.folder.seal_shown(task.view, task.notebook_hash, self.seconds, asdict(report))
            except StoreError as problem:
                error = str(problem)
            except Exception as problem:
                error = f"{type(problem).__name__}: {problem} (in {task.folder.path})"
        return Outcome(task, "notebook" if task.notebook else "no notebook", self.seconds, error, report)


def _errors(report: Report) -> str:
    """Return the first error of a report, and how many more there are."""
    more = f" (and {len(report.errors) - 1} more)" if len(report.errors) > 1 else ""
    return report.errors[0] + more if report.errors else ""


class _Bar:
    """Progress over the cases of all tasks, on a terminal; in a pipe only the lines of `write`."""

    def __init__(self, tasks: list[Task]) -> None:
        from tqdm import tqdm

        total = sum(len(task.cases) for task in tasks)
        self._tqdm = tqdm(total=total, unit="case", disable=None, dynamic_ncols=True)
        self._shown_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tqdm.close()

    def write(self, write: Callable[[str], None], line: str) -> None:
        with self._tqdm.external_write_mode():
            write(line)

    def show(self, ended: Collection[Outcome], running: Collection[StudyRun]) -> None:
        if self._tqdm.disable or time.monotonic() - self._shown_at < POLL_S:
            return
        self._shown_at = time.monotonic()
        n_done = sum(len(outcome.task.cases) for outcome in ended) + sum(run.n_done for run in running)
        self._tqdm.update(n_done - self._tqdm.n)
        self._tqdm.set_description_str(", ".join(run.task.experiment.study for run in running))


def _line(outcome: Outcome) -> str:
    name, seconds = outcome.task.experiment.name, f"{outcome.seconds:.1f} s"
    if outcome.error:
        return f"✗ {name}  {outcome.error.splitlines()[0]}"
    if outcome.left_out:
        how_much = "left out" if outcome.report.failed == len(outcome.task.cases) else "partly left out"
        return f"– {name}  {how_much}: {outcome.left_out}"
    without = "" if outcome.task.notebook else ", without a notebook"
    return f"✓ {name}  {'already stored' if outcome.how == 'stored' else seconds}{without}"
