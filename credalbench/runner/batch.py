"""Running many studies: up to two at a time, each in a process of its own, with progress and a time limit.

A study that measures time runs alone, after all others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self

from .experiment import Experiment
from .notebooks import injected, notebook_hash, notebook_path
from .parameters import as_dict
from .result import RunResult
from .sealed import StoreError, storing
from .store import StudyFolder
from .supervision import Worker

MAX_WORKERS = 2
POLL_S = 0.2


@dataclass
class Task:
    """One study to run, prepared: its folder, its notebook and what goes into it."""

    experiment: Experiment
    params: Any
    profile: str
    notebook: Path | None
    values: dict
    folder: StudyFolder
    cases: list[dict] = field(repr=False)
    hash: str = ""

    @property
    def is_stored(self) -> bool:
        """Nothing to do: the tables are complete and the executed notebook belongs to the present sources."""
        if not self.folder.is_complete:
            return False
        if self.notebook is None:
            return True
        return (self.folder.notebook or {}).get("hash") == self.hash


@dataclass
class Outcome:
    """How one study went.

    ``error`` is empty unless something went wrong: a claim that differs is not wrong, and neither is a study
    whose data cannot be had here, which ``left_out`` explains.
    """

    task: Task
    how: str
    seconds: float
    error: str = ""
    result: RunResult | None = None

    @property
    def left_out(self) -> str:
        return self.result.left_out if self.result is not None and not self.error else ""


def prepare(experiment: Experiment, profile: str, overrides: dict, *, use_notebook: bool = True) -> Task:
    """Check everything that can be checked before work starts.

    Raises
    ------
    ValueError, TypeError
        As :func:`.run_study`; also where the notebook has no knob for an override.
    """
    params = experiment.resolve(profile, overrides)
    notebook = notebook_path(experiment) if use_notebook else None
    values = injected(experiment, params, profile, notebook) if notebook else as_dict(params)
    folder, cases = StudyFolder.of(experiment, params), experiment.case_list(params)
    key = notebook_hash(experiment, notebook, values) if notebook else ""
    return Task(experiment, params, profile, notebook, values, folder, cases, key)


def run_batch(
    tasks: list[Task],
    *,
    jobs: int = 1,
    force: bool = False,
    time_limit_s: float = 7200.0,
    say: Callable[[str], None] = print,
) -> list[Outcome]:
    """Run the tasks, timed studies last and alone; returns one outcome per task, in the order of ``tasks``.

    Whatever goes wrong with one study, its folder and its files included, is the error of its outcome; the
    others go on. No process that a study has started outlives it.

    Parameters
    ----------
    jobs : int
        Processes in all: with two or more, two studies run side by side and share them; the last of them gets
        those of the other, from its next case on.
    force : bool
        Forget stored results first.
    time_limit_s : float
        Seconds after which one study is stopped; its finished cases stay.
    say : callable
        Takes one line for each study that ends.
    """
    outcomes = _forget(tasks) if force else {}
    timed_last = sorted(range(len(tasks)), key=lambda i: tasks[i].experiment.timed)
    waiting = [i for i in timed_last if i not in outcomes]
    running: dict[int, Worker] = {}
    with _bar(tasks) as bar:
        for outcome in outcomes.values():
            bar.say(say, _line(outcome))
        try:
            while waiting or running:
                while waiting and _may_start(tasks[waiting[0]], [tasks[i] for i in running], jobs):
                    i = waiting.pop(0)
                    begun = _begin(tasks[i], _share(jobs, tasks[i]), partial(bar.say, say))
                    if isinstance(begun, Worker):
                        running[i] = begun
                    else:
                        outcomes[i] = begun
                        bar.say(say, _line(begun))
                if len(running) == 1:  # and none may start beside it
                    next(iter(running.values())).offer(jobs)
                for i in [i for i, worker in running.items() if worker.has_ended(time_limit_s)]:
                    outcomes[i] = _outcome(tasks[i], running.pop(i))
                    bar.say(say, _line(outcomes[i]))
                bar.show(tasks, running)
                if running:
                    time.sleep(POLL_S)
        finally:
            _stop(running.values())
    return [outcomes[i] for i in range(len(tasks))]


def _forget(tasks: list[Task]) -> dict[int, Outcome]:
    """Clear the tasks' folders; returns the outcomes of those where that is not possible."""
    outcomes = {}
    for i, task in enumerate(tasks):
        try:
            task.folder.clear()
        except StoreError as problem:
            outcomes[i] = Outcome(task, "not stored", 0.0, str(problem))
    return outcomes


def _may_start(task: Task, running: list[Task], jobs: int) -> bool:
    if not running:
        return True
    alone = any(t.experiment.timed for t in (task, *running))
    return not alone and len(running) < min(MAX_WORKERS, jobs)


def _share(jobs: int, task: Task) -> int:
    """Processes for one study at its start; it is offered all of them where it is the only one."""
    return jobs if task.experiment.timed else max(1, jobs // min(MAX_WORKERS, jobs))


def _begin(task: Task, jobs: int, say: Callable[[str], None]) -> Worker | Outcome:
    """A worker on the task; its outcome where it is stored already, or cannot be."""
    job = {
        "module": task.experiment.compute.__module__,
        "profile": task.profile,
        "params": task.values,
        "notebook": str(task.notebook) if task.notebook else None,
        "target": str(task.folder.path / "notebook.ipynb"),
    }
    try:
        for damage in task.folder.repair(task.cases):
            say(f"! {task.experiment.name}  {damage}")
        if task.is_stored:
            return _ended(task, "stored", 0.0, "")
        with storing(task.folder.path):
            return Worker(job, task.folder.path / "run.log", jobs)
    except StoreError as problem:
        return Outcome(task, "not stored", 0.0, str(problem))


def _outcome(task: Task, worker: Worker) -> Outcome:
    """End the worker and tell how the study went."""
    error, how = worker.end(), "notebook" if task.notebook else "no notebook"
    try:
        if not error and task.notebook:
            task.folder.seal_notebook(task.hash, worker.seconds)
    except StoreError as problem:
        error = str(problem)
    return _ended(task, how, worker.seconds, error)


def _stop(workers: Collection[Worker]) -> None:
    """Interrupt all of them, then end what is left: seconds for all together."""
    for worker in workers:
        worker.stop("interrupted")
    while not all([worker.has_ended() for worker in workers]):
        time.sleep(POLL_S)
    for worker in workers:
        worker.end()


def _ended(task: Task, how: str, seconds: float, error: str) -> Outcome:
    """Load what is in the store and write the figures and verdicts beside it.

    What is in a folder may be damaged in any way: that is this study's error, and not the end of the others.
    """
    try:
        return _told(task, how, seconds, error)
    except StoreError as problem:
        found = str(problem)
    except Exception as problem:
        found = f"{type(problem).__name__}: {problem} (in {task.folder.path})"
    return Outcome(task, how, seconds, "\n".join(filter(None, [error, found])))


def _told(task: Task, how: str, seconds: float, error: str) -> Outcome:
    result = RunResult(task.experiment, task.params, task.folder) if task.folder.is_finished else None
    if error:  # a notebook stops at the first figure without data: say why there are none
        failed = result.errors[:1] if result is not None and len(result.failures) else []
        return Outcome(task, how, seconds, "\n".join([*failed, error]), result)
    if result is None:
        error = "the notebook ended, but did not run the study with the parameters it was given"
        if StudyFolder.of(task.experiment, task.params) != task.folder:
            error = "the source code changed during the run; run it again"
        return Outcome(task, how, seconds, error)
    result.save_verdicts()
    errors = result.errors
    if not result.drawing_error:
        result.save_figures()
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return Outcome(task, how, seconds, errors[0] + more if errors else "", result)


class _bar:
    """Progress over the cases of all tasks, on a terminal; in a pipe only the lines of ``say``."""

    def __init__(self, tasks: list[Task]) -> None:
        from tqdm import tqdm

        total = sum(len(task.cases) for task in tasks)
        self._tqdm = tqdm(total=total, unit="case", disable=None, dynamic_ncols=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tqdm.close()

    def say(self, say: Callable[[str], None], line: str) -> None:
        with self._tqdm.external_write_mode():
            say(line)

    def show(self, tasks: list[Task], running: Iterable[int]) -> None:
        if self._tqdm.disable:
            return
        self._tqdm.n = sum(task.folder.n_stored(task.cases) for task in tasks)
        names = ", ".join(tasks[i].experiment.study for i in running)
        self._tqdm.set_description_str(names, refresh=True)


def _line(outcome: Outcome) -> str:
    name, seconds = outcome.task.experiment.name, f"{outcome.seconds:.1f} s"
    if outcome.error:
        return f"✗ {name}  {outcome.error.splitlines()[0]}"
    if outcome.left_out:
        status = outcome.result.folder.status
        how_much = "left out" if status["failed"] == status["cases"] else "partly left out"
        return f"– {name}  {how_much}: {outcome.left_out}"
    without = "" if outcome.task.notebook else ", without a notebook"
    return f"✓ {name}  {'already stored' if outcome.how == 'stored' else seconds}{without}"
