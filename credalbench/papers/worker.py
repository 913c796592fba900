"""A worker process, ``python -m credalbench.papers.worker``: computes cases of a study, or shows its result.

Messages are lines of JSON on standard input: first the job, then one task at a time, ``{"case": ...}`` or
``{"show": ...}``, last ``null``. One line of JSON answers each task, on what was standard output at the
start, which the study cannot write to. Standard input stays open while the parent runs. When it closes, this
process ends with all that it has started, so that a killed ``credalbench run`` leaves nothing running.
"""

import contextlib
import importlib
import json
import os
import queue
import shutil
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from .processes import end_own_tree

PATIENCE_S = 5


def main() -> int:
    """Read the job, do its tasks, answer each."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start without it
    answers = os.fdopen(os.dup(1), "w")  # not inherited by the programs that the study starts
    os.dup2(2, 1)  # what these print goes to the log
    sys.stdout = sys.stderr
    messages = queue.SimpleQueue()
    threading.Thread(target=_read, args=(messages,), daemon=True).start()
    answer: dict[str, Any] = {}
    try:
        job = messages.get()
        study = _Study(job)
        while (task := messages.get()) is not None:
            answer = study.do(task)
            print(json.dumps(answer), file=answers, flush=True)
    except KeyboardInterrupt:
        answer = {"error": "interrupted"}
    except BrokenPipeError:
        _leave_nothing(job)
        return 1
    except Exception as problem:
        answer = {"error": _described(problem)}
    else:
        return 0
    try:
        print(json.dumps(answer), file=answers, flush=True)
    except BrokenPipeError:
        _leave_nothing(job)
    return 1


def _described(problem: Exception) -> str:
    """Write an exception to the log; return it in one line."""
    with contextlib.suppress(OSError):  # the log may lie on the disk that is full
        traceback.print_exception(problem)
    return f"{type(problem).__name__}: {problem}"


def _read(messages: queue.SimpleQueue) -> None:
    """Pass on the messages of the parent; end this process when the parent has ended."""
    # The raw descriptor: a buffered read would hold a lock that the interpreter needs at its end.
    text, job = b"", None
    while piece := os.read(0, 1 << 16):
        *lines, text = (text + piece).split(b"\n")
        for line in lines:
            message = json.loads(line)
            job = job or message
            messages.put(message)
    os.kill(os.getpid(), signal.SIGINT)  # lets papermill shut its kernel down
    time.sleep(PATIENCE_S)
    _leave_nothing(job)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)  # this process leads a group of its own
    os._exit(1)


def _leave_nothing(job: dict | None) -> None:
    """Do what the parent does at the end of a worker, when there is no longer a parent."""
    end_own_tree()
    if job is not None:
        shutil.rmtree(job["tempdir"], ignore_errors=True)


class _Study:
    """The study of a job, and what to do for it."""

    def __init__(self, job: dict) -> None:
        from .store import StudyFolder

        self.experiment = importlib.import_module(job["module"]).experiment
        self.params = self.experiment.resolve("paper", job["params"])
        self.cases = self.experiment.case_list(self.params)
        self.folder = StudyFolder(Path(job["folder"]))
        self.tempdir, self.values = Path(job["tempdir"]), job["values"]
        if StudyFolder.of(self.experiment, self.params).path.name != self.folder.path.name:
            raise RuntimeError("the source code changed during the run; run it again")

    def do(self, task: dict) -> dict[str, Any]:
        if "case" in task:
            from .execute import run_case

            return {"failure": run_case(self.experiment.compute, self.params, task["case"], self.folder)[1]}
        return self.show(**task["show"])

    def show(self, failed: list[tuple[dict, dict]], notebook: str | None) -> dict[str, Any]:
        """Put the tables together and execute the notebook; without one, judge and draw here."""
        from .execute import SHOW, complete, report_path, run_study
        from .notebooks import execute_notebook
        from .sealed import storing
        from .store import NOTEBOOK

        rows = {self.folder.case_path(case): {**case, **row} for case, row in failed}
        complete(self.experiment, self.params, self.cases, self.folder, failed=rows)
        order, error = self.tempdir / "show", ""
        order.write_text(str(self.folder.path), "utf-8")
        os.environ[SHOW] = str(order)
        if notebook is None:
            run_study(self.experiment, self.params)
        else:
            target = self.folder.path / NOTEBOOK
            try:
                with storing(target):
                    execute_notebook(Path(notebook), target, self.values)
            except Exception as problem:
                error = _described(problem)
        report = report_path(order)
        return {"error": error, "report": json.loads(report.read_text("utf-8")) if report.exists() else None}


if __name__ == "__main__":
    sys.exit(main())
