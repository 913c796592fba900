"""Run many studies: workers compute the cases, this process stores them, then a notebook shows each study.

Studies that measure time come first, one case at a time; meanwhile at most one other worker has work, and
only if it has a core of its own.
"""

from __future__ import annotations

import contextlib
import csv
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from joblib import cpu_count

from .engine import ClusterError, Engine, answer_of, compute
from .execute import injected, keep, notebook_hash, notebook_path, show
from .experiment import Experiment
from .keys import view_key
from .parameters import as_dict
from .result import Report, RunResult
from .store import StoreError, StudyFolder, remove, storing

if TYPE_CHECKING:
    from distributed import Future
    from distributed.deploy import Cluster

WHILE_TIMED = 2  # workers with work while cases measure time
RESERVE = 2  # cases for each slot of a cluster of several machines that wait there
NOTEBOOK_S = 8.0  # to show a study, before the first is shown
LOOK_S = 0.5  # between two lines of progress on a terminal


@dataclass(eq=False)
class StudyRun:
    """One study of a batch: prepared, under way, or ended.

    ``values`` are those of the notebook's parameters. ``view`` is the hash of the code that judges and draws,
    ``notebook_hash`` that of all that the executed notebook depends on, or None without a notebook.

    When it has ended, ``how`` says how: "notebook", "no notebook", "stored", "not stored". ``error`` is empty
    unless something went wrong. A claim that is not reproduced is not an error. Neither is a study whose data
    cannot be obtained, which ``left_out`` explains. ``report`` is None if nothing was judged.
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
    how: str = ""
    seconds: float = 0.0
    error: str = ""
    report: Report | None = None
    left: deque[dict] = field(default_factory=deque, repr=False)
    sent: dict[Future, dict | None] = field(default_factory=dict, repr=False)  # None: the result is shown
    failed: dict[Path, dict] = field(default_factory=dict, repr=False)
    is_shown: bool = False  # or about to be
    case_seconds: list[float] = field(default_factory=list, repr=False)  # of those that ended in this batch
    show_seconds: float = 0.0

    @property
    def name(self) -> str:
        return self.experiment.name

    @property
    def n_left(self) -> int:
        """Number of cases that have not ended."""
        return len(self.left) + sum(case is not None for case in self.sent.values())

    @property
    def left_out(self) -> str:
        return self.report.left_out if self.report is not None and not self.error else ""

    @property
    def result(self) -> RunResult | None:
        """The stored result; None if the study is not finished or its status is damaged."""
        with contextlib.suppress(StoreError):
            return RunResult(self.experiment, self.params, self.folder) if self.folder.status else None
        return None

    def look(self, force: bool, write: Callable[[str], None]) -> None:
        """Forget the stored result, or repair it; if nothing is left to compute or to show, end."""
        try:
            if force:
                remove(self.folder.path)
            for damage in self.folder.repair(self.cases):
                write(f"! {self.name}  {damage}")
            shown = self.folder.shown if self.folder.is_complete(self.cases) else None
        except StoreError as problem:
            return self._end("not stored", str(problem))
        if shown and shown["notebook" if self.notebook else "view"] == (self.notebook_hash or self.view):
            self.report = Report(**shown["report"])
            self._end("stored")
        self.left.extend(case for case in self.cases if not self.folder.case_path(case).is_dir())

    def start(self, engine: Engine) -> None:
        """Begin: clear the log."""
        self._engine, self._began, self._log = engine, time.monotonic(), self.folder.path / "run.log"
        try:
            with storing(self.folder.path):
                self._log.parent.mkdir(parents=True, exist_ok=True)
                self._log.write_bytes(b"")
        except StoreError as problem:
            self._end("not stored", str(problem))

    def give(self) -> bool:
        """Send the next case to a worker, or if all are done, the order to show the result."""
        module, params = self.experiment.module, as_dict(self.params)
        if self.left and not self.error:
            case, is_here = self.left.popleft(), self.experiment.timed
            arguments = (compute, module, params, self.folder.path.name, case)
        elif not (self.sent or self.is_shown or self.error):
            case, is_here, self.is_shown = None, True, True
            keys = {"view": self.view, "notebook": self.notebook_hash}
            arguments = (show, module, params, self.folder, self.failed, self.notebook, self.values, keys)
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
                with storing(self._log), self._log.open("ab") as log:
                    log.write(answer["printed"])
                keep(self.folder, case, answer, self.failed)
                self.case_seconds.append(answer.get("seconds", 0.0))
            elif "failure" in answer:
                self.fail(answer["failure"]["reason"])
            else:
                self.error = self.error or answer["error"]
                self.report = Report(**answer["report"]) if answer["report"] else None
                self.show_seconds = answer["seconds"]
        except (StoreError, ClusterError) as problem:
            self.fail(str(problem))
        except Exception as problem:
            self.fail(f"{type(problem).__name__}: {problem}")

    def fail(self, error: str) -> None:
        """Stop; keep the first error."""
        self.error = self.error or error
        sent, self.sent = self.sent, {}
        self._engine.stop(sent)

    def has_ended(self, time_limit_s: float) -> bool:
        """Return whether it has ended; stop it after the time limit."""
        self.seconds = time.monotonic() - self._began
        if (self.sent or not (self.is_shown or self.error)) and self.seconds > time_limit_s:
            self.fail(f"stopped after {time_limit_s:g} s; finished cases are kept")
        if self.sent or not (self.is_shown or self.error):
            return False
        error = self.error
        if error and self.report is not None and self.report.errors:
            error = f"{self.report.errors[0]}\n{error}"  # a notebook stops at the first figure without data
        elif not error and self.report is None:
            error = "the notebook ended, but did not run the study with the parameters it was given"
        self._end("notebook" if self.notebook else "no notebook", error)
        return True

    def _end(self, how: str, error: str = "") -> None:
        """End; without another error, that is the first one of the report."""
        if not error and self.report and self.report.errors:
            more = f" (and {len(self.report.errors) - 1} more)" if len(self.report.errors) > 1 else ""
            error = self.report.errors[0] + more
        self.how, self.error = how, error

    @property
    def line(self) -> str:
        """The line that is printed when it has ended."""
        if self.error:
            return f"✗ {self.name}  {self.error.splitlines()[0]}"
        if self.left_out:
            how_much = "left out" if self.report.failed == len(self.cases) else "partly left out"
            return f"– {self.name}  {how_much}: {self.left_out}"
        without = "" if self.notebook else ", without a notebook"
        how_long = "already stored" if self.how == "stored" else f"{self.seconds:.1f} s"
        return f"✓ {self.name}  {how_long}{without}"


def prepare(experiment: Experiment, profile: str, overrides: dict, *, use_notebook: bool = True) -> StudyRun:
    """Check everything that can be checked before work starts; raise errors as :func:`.run_study` does."""
    params = experiment.resolve(profile, overrides)
    notebook = notebook_path(experiment) if use_notebook else None
    values = injected(experiment, params, profile, notebook) if notebook else as_dict(params)
    folder, cases = StudyFolder.of(experiment, params), experiment.case_list(params)
    view = view_key(experiment)
    key = notebook_hash(notebook, values, view) if notebook else None
    return StudyRun(experiment, params, profile, notebook, values, folder, cases, view, key)


def run_batch(
    runs: list[StudyRun],
    *,
    jobs: int = 1,
    force: bool = False,
    time_limit_s: float = 7200.0,
    write: Callable[[str], None] = print,
    scheduler: str | Cluster | None = None,
) -> list[StudyRun]:
    """Run studies that were prepared, those that measure time first; return them when all have ended.

    The cases run in `jobs` workers of this machine, or in those of a scheduler. A study is stopped after
    `time_limit_s`; its finished cases stay. Whatever goes wrong with a study, its folder and files included,
    is its error, and the others continue. No process that a study has started outlives it.
    """
    with _Progress(runs, write) as progress:
        for run in sorted(runs, key=lambda run: not run.experiment.timed):
            run.look(force, progress.write)
            progress.write(run.line) if run.how else progress.waiting.append(run)
        if waiting := progress.waiting:
            n_cases = sum(max(1, len(run.left)) for run in waiting)
            with Engine(min(jobs, n_cases), scheduler) as engine:
                if not engine.is_local:
                    studies = [(run.experiment.module, as_dict(run.params)) for run in waiting]
                    for note in engine.check(studies):
                        progress.write(f"! {note}")
                _run(engine, progress, time_limit_s)
    return runs


def _run(engine: Engine, progress: _Progress, time_limit_s: float) -> None:
    """Run studies until none is left: fill the slots, wait for answers, take them."""
    waiting, running = progress.waiting, progress.running
    while waiting or running:
        while run := _next(waiting, running):
            if not run.experiment.timed and not _fill(engine, running):
                break
            waiting.remove(run)
            run.start(engine)
            running.append(run)
        else:
            _fill(engine, running)
        for future in engine.ended():
            for run in running:
                run.take(future)
        for run in [run for run in running if run.how or run.has_ended(time_limit_s)]:
            running.remove(run)
            progress.end(run)
        progress.show()


def _next(waiting: list[StudyRun], running: list[StudyRun]) -> StudyRun | None:
    """Return the next study to start: one that measures time as soon as no other one does."""
    is_timed = any(run.experiment.timed for run in running)
    return next((run for run in waiting if not (is_timed and run.experiment.timed)), None)


def _fill(engine: Engine, running: list[StudyRun]) -> bool:
    """Give the running studies work; return whether there are workers without work."""
    running = [run for run in running if not run.how]
    others = [run for run in running if not run.experiment.timed]
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


class _Progress:
    """How far a batch is: a line for each study under way on a terminal, and with each line of `write`.

    The time left is that of the work left, at the pace of this batch so far. A case counts as the others of
    its study did, or, before one has ended, as in ``seconds.csv``, in proportion to the studies under way.
    """

    def __init__(self, runs: list[StudyRun], write: Callable[[str], None]) -> None:
        from tqdm import tqdm

        self.waiting: list[StudyRun] = []
        self.running: list[StudyRun] = []
        self._ended: list[StudyRun] = []
        self._write, self._expected, self._began = write, expected_seconds(runs), time.monotonic()
        self._lines, self._shown_at = [tqdm(total=1, disable=None, bar_format="{desc}", leave=False)], 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for line in self._lines:
            line.close()

    def write(self, line: str) -> None:
        """Write a line above those on the terminal."""
        with self._lines[0].external_write_mode():
            self._write(line)

    def end(self, run: StudyRun) -> None:
        """Say how a study ended, and what is left of the batch."""
        self._ended.append(run)
        left = self.words()
        self.write(run.line + (f"  ({left})" if left else ""))

    def words(self) -> str:
        """Return how many studies are left, and for how long; empty after the last one."""
        every, left = [*self._ended, *self.running, *self.waiting], [*self.running, *self.waiting]
        if not left:
            return ""
        shows = [run.show_seconds for run in every if run.show_seconds]
        to_show = sum(shows) / len(shows) if shows else NOTEBOOK_S
        done = sum(sum(run.case_seconds) for run in every) + sum(shows)
        expected = sum(self._expected[run.name] * len(run.case_seconds) for run in every)
        scale = (done - sum(shows)) / expected if expected else 1.0
        work = len(left) * to_show
        for run in left:
            n, seconds = len(run.case_seconds), sum(run.case_seconds)
            work += run.n_left * (seconds / n if n else scale * self._expected[run.name])
        minutes = (time.monotonic() - self._began) * work / done / 60 if done else 0
        return f"{len(left)} left" + (f", about {max(1, round(minutes))} min" if done else "")

    def show(self) -> None:
        """Show on a terminal each study under way: cases done, running, left."""
        from tqdm import tqdm

        if self._lines[0].disable or time.monotonic() - self._shown_at < LOOK_S:
            return
        self._shown_at = time.monotonic()
        texts = [
            f"{run.name}: {len(run.cases) - run.n_left} done, {len(run.sent)} running, {len(run.left)} left"
            for run in self.running
        ]
        texts.append(f"studies: {self.words()}")
        while len(self._lines) < len(texts):
            self._lines.append(tqdm(total=1, bar_format="{desc}", leave=False, position=len(self._lines)))
        for i, line in enumerate(self._lines):
            line.set_description_str(texts[i] if i < len(texts) else "")


def expected_seconds(runs: list[StudyRun]) -> dict[str, float]:
    """Return how long a case of each study takes on some machine; of an unknown one, as the others do."""
    with Path(__file__).with_name("seconds.csv").open(encoding="utf-8", newline="") as file:
        known = {row["study"]: row for row in csv.DictReader(file)}
    found = {run.name: float(known.get(run.name, {}).get(run.profile) or "nan") for run in runs}
    usual = [seconds for seconds in found.values() if seconds == seconds]
    usual = sum(usual) / len(usual) if usual else 1.0
    return {
        run.name: (found[run.name] if found[run.name] == found[run.name] else usual) / len(run.cases)
        for run in runs
    }
