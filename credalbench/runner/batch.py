"""Running many studies: up to two at a time, each in a process of its own, with progress and a time limit.

A study that measures time runs alone, after all others.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection
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

    Parameters
    ----------
    jobs : int
        Processes in all: with two or more, two studies run side by side and share them.
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
    running: dict[int, _Running] = {}
    with _bar(tasks) as bar:
        for outcome in outcomes.values():
            bar.say(say, _line(outcome))
        try:
            while waiting or running:
                while waiting and _may_start(tasks[waiting[0]], running.values(), jobs):
                    i = waiting.pop(0)
                    share = _share(jobs, tasks[i], waiting, running)
                    begun = _begin(tasks[i], share, partial(bar.say, say))
                    if isinstance(begun, _Running):
                        running[i] = begun
                    else:
                        outcomes[i] = begun
                        bar.say(say, _line(begun))
                for i in [i for i, r in running.items() if r.has_ended(time_limit_s)]:
                    outcomes[i] = running.pop(i).outcome(time_limit_s)
                    bar.say(say, _line(outcomes[i]))
                bar.show(tasks, running)
                if running:
                    time.sleep(POLL_S)
        finally:
            for process in running.values():
                process.stop()
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


def _begin(task: Task, jobs: int, say: Callable[[str], None]) -> _Running | Outcome:
    """A worker on the task; its outcome where it is stored already, or cannot be."""
    try:
        for damage in task.folder.repair(task.cases):
            say(f"! {task.experiment.name}  {damage}")
        return _ended(task, "stored", 0.0, "") if task.is_stored else _Running(task, jobs)
    except StoreError as problem:
        return Outcome(task, "not stored", 0.0, str(problem))


def _may_start(task: Task, running: Collection[_Running], jobs: int) -> bool:
    running = list(running)
    if not running:
        return True
    alone = task.experiment.timed or any(r.task.experiment.timed for r in running)
    return not alone and len(running) < min(MAX_WORKERS, jobs)


def _share(jobs: int, task: Task, waiting: Collection[int], running: Collection) -> int:
    """Processes for one study: all of them when it will be the only one, else half."""
    only = not running and not waiting
    return jobs if only or task.experiment.timed else max(1, jobs // min(MAX_WORKERS, jobs))


class _Running:
    """A worker process and the study it runs."""

    def __init__(self, task: Task, jobs: int) -> None:
        self.task, self.start = task, time.monotonic()
        folder = task.folder.path
        with storing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self.log = (folder / "run.log").open("w", encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "credalbench.runner.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            start_new_session=True,
            env=_environment(jobs),
        )
        job = {
            "module": task.experiment.compute.__module__,
            "profile": task.profile,
            "params": task.values,
            "notebook": str(task.notebook) if task.notebook else None,
            "target": str(folder / "notebook.ipynb"),
        }
        with contextlib.suppress(BrokenPipeError):  # a worker that dies at once is seen by has_ended
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    def has_ended(self, time_limit_s: float) -> bool:
        return self.process.poll() is not None or self.seconds > time_limit_s

    def outcome(self, time_limit_s: float) -> Outcome:
        how = "notebook" if self.task.notebook else "no notebook"
        if self.process.poll() is None:
            self.stop()
            error = f"stopped after {time_limit_s:g} s; finished cases are kept"
        else:
            answer = self.process.stdout.read().strip().splitlines()
            died = f"the worker process died with exit code {self.process.returncode}{self._where()}"
            error = json.loads(answer[-1])["error"] if answer else died
        self._close()
        try:
            if not error and self.task.notebook:
                self.task.folder.seal_notebook(self.task.hash, self.seconds)
            return _ended(self.task, how, self.seconds, error)
        except StoreError as problem:
            return Outcome(self.task, how, self.seconds, "\n".join(filter(None, [error, str(problem)])))

    def _where(self) -> str:
        """Where to read more, if the worker could write anything."""
        log = Path(self.log.name)
        return f" (see {log})" if log.stat().st_size else " and left nothing in run.log"

    def stop(self) -> None:
        """Interrupt, so that papermill ends its kernel; then kill."""
        for sign, patience_s in ((signal.SIGINT, 6), (signal.SIGKILL, 6)):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(self.process.pid, sign)
                self.process.wait(patience_s)
                break
        self._close()

    def _close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout, self.log):
            with contextlib.suppress(OSError):
                stream.close()


def _environment(jobs: int) -> dict[str, str]:
    ours = {
        "CREDALBENCH_JOBS": str(jobs),
        "CREDALBENCH_PROGRESS": "off",  # the bar of this process counts stored cases instead
        "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel of this environment, whatever the user has installed
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONUTF8": "1",
    }
    return {**os.environ, **ours}


def _ended(task: Task, how: str, seconds: float, error: str) -> Outcome:
    """Load what is in the store and write the figures and verdicts beside it."""
    result = RunResult(task.experiment, task.params, task.folder) if task.folder.is_finished else None
    if error and result is not None and result.left_out and not result.errors and result.drawing_error:
        error = ""  # the notebook stopped at a figure whose data were left out
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

    def show(self, tasks: list[Task], running: dict[int, _Running]) -> None:
        if self._tqdm.disable:
            return
        self._tqdm.n = sum(task.folder.n_stored(task.cases) for task in tasks)
        self._tqdm.set_description_str(
            ", ".join(r.task.experiment.study for r in running.values()), refresh=True
        )


def _line(outcome: Outcome) -> str:
    name, seconds = outcome.task.experiment.name, f"{outcome.seconds:.1f} s"
    if outcome.error:
        return f"✗ {name}  {outcome.error.splitlines()[0]}"
    if outcome.left_out:
        how_much = "left out" if outcome.result.drawing_error else "partly left out"
        return f"– {name}  {how_much}: {outcome.left_out.splitlines()[0].rstrip(':')}"
    without = "" if outcome.task.notebook else ", without a notebook"
    return f"✓ {name}  {'already stored' if outcome.how == 'stored' else seconds}{without}"
