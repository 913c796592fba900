"""One study in a process of its own: ``python -m credalbench.runner.worker``, started by :mod:`.supervision`.

The job comes as one line of JSON on standard input; the outcome goes out as one line of JSON on what was
standard output at the start, which the study and its processes do not get to see. Standard input stays open
as long as the parent lives: when it closes, this process ends too, and its family with it, so that a killed
``credalbench run`` leaves nothing running.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from pathlib import Path

from .processes import end_own_family

PATIENCE_S = 5


def main() -> int:
    """Read the job, do it, write the outcome."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start without it
    job = json.loads(sys.stdin.readline())
    answer = os.fdopen(os.dup(1), "w")  # not inherited by the processes of the study
    os.dup2(2, 1)  # whatever these print goes to the log
    sys.stdout = sys.stderr
    threading.Thread(target=_end_with_parent, args=(job,), daemon=True).start()
    error, problem = "", None
    try:
        _study(job) if job["notebook"] is None else _notebook(job)
    except KeyboardInterrupt:
        error = "interrupted"
    except Exception as caught:
        error, problem = f"{type(caught).__name__}: {caught}", caught
    try:
        print(json.dumps({"error": error}), file=answer, flush=True)
    except BrokenPipeError:
        _leave_nothing(job)
    if problem is not None:
        with contextlib.suppress(OSError):  # the log may lie on the disk that is full
            traceback.print_exception(problem)
    return 1 if error else 0


def _study(job: dict) -> None:
    from .execute import run_study

    experiment = importlib.import_module(job["module"]).experiment
    result = run_study(experiment, profile=job["profile"], **job["params"])
    if not (result.left_out and result.drawing_error):
        result.save_figures()


def _notebook(job: dict) -> None:
    from .notebooks import execute_notebook
    from .sealed import storing

    with storing(Path(job["target"])):
        execute_notebook(Path(job["notebook"]), Path(job["target"]), job["params"])


def _end_with_parent(job: dict) -> None:
    # The raw descriptor: a buffered read would hold a lock that the interpreter wants at its end.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGINT)  # lets papermill shut its kernel down
    time.sleep(PATIENCE_S)
    _leave_nothing(job)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)  # this process leads a group of its own
    os._exit(1)


def _leave_nothing(job: dict) -> None:
    """What the parent does at the end of a worker, where there is no parent any more."""
    end_own_family()
    shutil.rmtree(job["scratch"], ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
