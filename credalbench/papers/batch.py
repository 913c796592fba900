"""Run many studies: workers compute the cases, this process stores them, then a notebook shows each study.

Studies that measure time come first, one case at a time; meanwhile at most one other worker has work, and
only if it has a core of its own.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from joblib import cpu_count

from .engine import ClusterError, Engine, answer_of, compute
from .execute import keep, show
from .experiment import Experiment
from .keys import view_key
from .notebooks import injected, notebook_hash, notebook_path
from .parameters import as_dict
from .result import Report, RunResult
from .store import MANIFEST, TABLES, StoreError, StudyFolder, read_manifest, remove, storing

if TYPE_CHECKING:
    from distributed import Future

WHILE_TIMED = 2  # workers with work while cases measure time
POLL_S = 0.1
RESERVE = 2  # cases for each slot of a cluster of several machines that wait there


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
        return Report(**shown["report"])


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
            return RunResult(task.experiment, task.params, task.folder) if task.folder.status else None
        return None


def prepare(experiment: Experiment, profile: str, overrides: dict, *, use_notebook: bool = True) -> Task:
    """Check everything that can be checked before work starts; raise errors as :func:`.run_study` does."""
    params = experiment.resolve(profile, overrides)
    notebook = notebook_path(experiment) if use_notebook else None
    values = injected(experiment, params, profile, notebook) if notebook else as_dict(params)
    folder, cases = StudyFolder.of(experiment, params), experiment.case_list(params)
    view = view_key(experiment)
    key = notebook_hash(notebook, values, view) if notebook else None
    return Task(experiment, params, profile, notebook, values, folder, cases, view, key)


def run_batch(
    tasks: list[Task],
    *,
    jobs: int = 1,
    force: bool = False,
    time_limit_s: float = 7200.0,
    write: Callable[[str], None] = print,
    scheduler: str | None = None,
) -> list[Outcome]:
    """Run the tasks, studies that measure time first; return an outcome for each task.

    The cases run in `jobs` workers of this machine, or in those of a scheduler. A study is stopped after
    `time_limit_s`; its finished cases stay. Whatever goes wrong with a study, its folder and files included,
    is the error of its outcome, and the others continue. No process that a study has started outlives it.
    """
    outcomes: dict[int, Outcome] = {}
    waiting: deque[int] = deque()
    with _Progress(tasks) as bar:

        def end(i: int, outcome: Outcome) -> None:
            outcomes[i] = outcome
            left = bar.end(tasks[i], outcome.how)
            bar.write(write, _line(outcome) + (f"  ({left})" if left else ""))

        for i in sorted(range(len(tasks)), key=lambda i: not tasks[i].experiment.timed):
            if outcome := _stored(tasks[i], force, lambda line: bar.write(write, line)):
                end(i, outcome)
            else:
                waiting.append(i)
        if waiting:
            with Engine(jobs, scheduler) as engine:
                for line in (
                    []
                    if engine.is_local
                    else engine.check([(tasks[i].experiment, as_dict(tasks[i].params)) for i in waiting])
                ):
                    bar.write(write, f"! {line}")
                _run(engine, tasks, waiting, time_limit_s, end, bar)
    return [outcomes[i] for i in range(len(tasks))]


def _run(
    engine: Engine, tasks: list[Task], waiting: deque[int], time_limit_s: float, end: Callable, bar: _Progress
) -> None:
    """Run studies until none is left: fill the slots, wait for answers, take them."""
    running: dict[int, StudyRun] = {}
    while waiting or running:
        while (i := _next(tasks, waiting, running)) is not None:
            if not tasks[i].experiment.timed and not _fill(engine, [*running.values()]):
                break
            waiting.remove(i)
            try:
                with storing(tasks[i].folder.path):
                    running[i] = StudyRun(tasks[i], engine)
            except StoreError as problem:
                end(i, Outcome(tasks[i], "not stored", 0.0, str(problem)))
        else:
            _fill(engine, [*running.values()])
        for future in _ended(engine):
            for run in running.values():
                run.take(future)
        for i, run in [*running.items()]:
            if not run.has_ended and run.seconds > time_limit_s:
                run.fail(f"stopped after {time_limit_s:g} s; finished cases are kept")
            if run.has_ended:
                del running[i]
                end(i, run.outcome())
        bar.show([*running.values()])


def _next(tasks: list[Task], waiting: deque[int], running: dict[int, StudyRun]) -> int | None:
    """Return the next study to start: one that measures time as soon as no other one does."""
    is_timed = any(tasks[i].experiment.timed for i in running)
    return next((i for i in waiting if not (is_timed and tasks[i].experiment.timed)), None)


def _fill(engine: Engine, running: list[StudyRun]) -> bool:
    """Give the running studies work; return whether there are workers without work."""
    others = [run for run in running if not run.task.experiment.timed]
    limit = engine.slots if engine.is_local else RESERVE * engine.slots
    if others != running:
        [timed] = [run for run in running if run not in others]
        timed.sent or timed.give()
        limit = while_timed(limit) - 1 if engine.is_local else limit
    free = limit - sum(len(run.sent) for run in others)
    for run in others:
        while free > 0 and run.give():
            free -= 1
    return free > 0


def while_timed(jobs: int) -> int:
    """Return how many workers may have work while cases measure time; each needs its own core."""
    return min(jobs, cpu_count(only_physical_cores=True), WHILE_TIMED)


def _ended(engine: Engine) -> Iterator[Future]:
    """Wait a moment for a future that ends; yield all that have ended."""
    with contextlib.suppress(queue.Empty):
        yield engine.done.get(timeout=POLL_S)
        while True:
            yield engine.done.get_nowait()


def _stored(task: Task, force: bool, write: Callable[[str], None]) -> Outcome | None:
    """Return the outcome of a study that is stored already or cannot be stored; else None."""
    try:
        if force:
            remove(task.folder.path)
        for damage in task.folder.repair(task.cases):
            write(f"! {task.experiment.name}  {damage}")
        report = task.stored_report
    except StoreError as problem:
        return Outcome(task, "not stored", 0.0, str(problem))
    return report and Outcome(task, "stored", 0.0, _errors(report), report)


class StudyRun:
    """One study under way: cases that are left, those that are sent to workers, failures, report."""

    def __init__(self, task: Task, engine: Engine) -> None:
        self.task, self._engine, self.start = task, engine, time.monotonic()
        self.failed: dict[Path, dict] = {}
        self.sent: dict[Future, dict | None] = {}  # None: the result is shown
        self.error, self.report, self.is_shown, self._again = "", None, False, False
        self.log = task.folder.path / "run.log"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        self._look()

    def _look(self) -> None:
        """Look for the cases that are not stored."""
        folder = self.task.folder
        self.left = deque(case for case in self.task.cases if not folder.case_path(case).is_dir())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    @property
    def n_done(self) -> int:
        return len(self.task.cases) - len(self.left) - len(self.sent)

    @property
    def has_ended(self) -> bool:
        return not self.sent and (self.is_shown or bool(self.error))

    def give(self) -> bool:
        """Send the next case to a worker, or if all are done, the order to show the result."""
        task = self.task
        module, params = task.experiment.module, as_dict(task.params)
        if self.left and not self.error:
            case, is_here = self.left.popleft(), task.experiment.timed
            arguments = (compute, module, params, task.folder.path.name, case)
        elif not (self.sent or self.is_shown or self.error):
            case, is_here, self.is_shown = None, True, True
            keys = {"view": task.view, "notebook": task.notebook_hash}
            arguments = (show, module, params, task.folder, self.failed, task.notebook, task.values, keys)
        else:
            return False
        self.sent[self._engine.submit(*arguments, here=is_here)] = case
        return True

    def take(self, future: Future) -> None:
        """Take the answer of a future, if it belongs to this study."""
        if future not in self.sent:
            return
        case = self.sent.pop(future)
        try:
            answer = answer_of(future)
            if case is not None:
                with storing(self.log), self.log.open("ab") as log:
                    log.write(answer["printed"])
                keep(self.task.folder, case, answer, self.failed)
            elif "failure" in answer:
                self.fail(answer["failure"]["reason"])
            elif answer.get("again") and not self._again:
                self._again, self.is_shown = True, False
                self._look()
            else:
                self.error = self.error or answer.get("error", "cases vanish again and again; run it alone")
                self.report = Report(**answer["report"]) if answer.get("report") else None
        except (StoreError, ClusterError) as problem:
            self.fail(str(problem))
        except Exception as problem:
            self.fail(f"{type(problem).__name__}: {problem}")

    def fail(self, error: str) -> None:
        """Stop the study; keep its first error."""
        self.error = self.error or error
        sent, self.sent = self.sent, {}
        self._engine.stop(sent)

    def outcome(self) -> Outcome:
        """Return the outcome."""
        task, report, error = self.task, self.report, self.error
        if error and report is not None and report.errors:
            error = f"{report.errors[0]}\n{error}"  # a notebook stops at the first figure without data
        elif not error and report is None:
            error = "the notebook ended, but did not run the study with the parameters it was given"
        elif not error:
            error = _errors(report)
        return Outcome(task, "notebook" if task.notebook else "no notebook", self.seconds, error, report)


def _errors(report: Report) -> str:
    """Return the first error of a report, and how many more there are."""
    more = f" (and {len(report.errors) - 1} more)" if len(report.errors) > 1 else ""
    return report.errors[0] + more if report.errors else ""


class _Progress:
    """How far a run is: a line on a terminal, and with each line of `write` in a pipe.

    A case counts as long as those of its study in an earlier run, whatever the code was, or as all others.
    """

    def __init__(self, tasks: list[Task]) -> None:
        from tqdm import tqdm

        known = {task.experiment.name: seconds for task in tasks if (seconds := _earlier_seconds(task))}
        usual = sum(known.values()) / len(known) if known else 1.0
        self._weights = {task.experiment.name: known.get(task.experiment.name, usual) for task in tasks}
        self._left = {id(task): self._weight(task, len(task.cases)) for task in tasks}
        self._done, self._start, self._shown_at = 0.0, time.monotonic(), 0.0
        self._tqdm = tqdm(total=1, disable=None, bar_format="{desc}", leave=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tqdm.close()

    def write(self, write: Callable[[str], None], line: str) -> None:
        with self._tqdm.external_write_mode():
            write(line)

    def end(self, task: Task, how: str) -> str:
        """Count a study that has ended; return what is left of the run, in words."""
        weight = self._weight(task, len(task.cases))
        self._done += 0.0 if how == "stored" else weight
        del self._left[id(task)]
        return self.words({})

    def words(self, running: Mapping[int, float]) -> str:
        """Return how many studies are left, and for how long; `running` has the weights of cases done."""
        done, left = self._done + sum(running.values()), sum(self._left.values()) - sum(running.values())
        if not self._left or not done:
            return f"{len(self._left)} left" if self._left else ""
        minutes = (time.monotonic() - self._start) * left / done / 60
        return f"{len(self._left)} left, about {max(1, round(minutes))} min"

    def show(self, running: Collection[StudyRun]) -> None:
        if self._tqdm.disable or time.monotonic() - self._shown_at < POLL_S:
            return
        self._shown_at = time.monotonic()
        counts = [
            f"{run.task.experiment.study}: {run.n_done} done, {len(run.sent)} running, {len(run.left)} left"
            for run in running
        ]
        weights = {id(run.task): self._weight(run.task, run.n_done) for run in running}
        self._tqdm.set_description_str(f"{' · '.join(counts)} · studies: {self.words(weights)}")

    def _weight(self, task: Task, n_cases: int) -> float:
        return self._weights[task.experiment.name] * n_cases


def _earlier_seconds(task: Task) -> float:
    """Return how long a case of a study took in the last run with as many cases; 0 without one."""
    paths = sorted(
        task.folder.path.parent.glob(f"*/{TABLES}/{MANIFEST}"), key=lambda path: path.stat().st_mtime
    )
    for path in reversed(paths):
        with contextlib.suppress(StoreError):
            status = read_manifest(path.parent)
            if status and status["cases"] == len(task.cases):
                return status["seconds"] / status["cases"]
    return 0.0


def _line(outcome: Outcome) -> str:
    name, seconds = outcome.task.experiment.name, f"{outcome.seconds:.1f} s"
    if outcome.error:
        return f"✗ {name}  {outcome.error.splitlines()[0]}"
    if outcome.left_out:
        how_much = "left out" if outcome.report.failed == len(outcome.task.cases) else "partly left out"
        return f"– {name}  {how_much}: {outcome.left_out}"
    without = "" if outcome.task.notebook else ", without a notebook"
    return f"✓ {name}  {'already stored' if outcome.how == 'stored' else seconds}{without}"
