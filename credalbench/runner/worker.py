"""One study in a process of its own: ``python -m credalbench.runner.worker``, started by :mod:`.batch`.

The job comes as one line of JSON on standard input; the outcome goes out as one line of JSON on standard
output. Standard input stays open as long as the parent lives: when it closes, this process ends too, so
that a killed ``credalbench run`` leaves nothing running.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path


def main() -> int:
    """Read the job, do it, write the outcome."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start without it
    job = json.loads(sys.stdin.readline())
    answer, sys.stdout = sys.stdout, sys.stderr  # whatever the study prints goes to the log
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _study(job) if job["notebook"] is None else _notebook(job)
        error = ""
    except KeyboardInterrupt:
        error = "interrupted"
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"
        import traceback

        traceback.print_exc()
    print(json.dumps({"error": error}), file=answer, flush=True)
    return 1 if error else 0


def _study(job: dict) -> None:
    from .execute import run_study

    experiment = importlib.import_module(job["module"]).experiment
    run_study(experiment, profile=job["profile"], **job["params"]).save_figures()


def _notebook(job: dict) -> None:
    from .notebooks import execute_notebook
    from .sealed import storing

    with storing(Path(job["target"])):
        execute_notebook(Path(job["notebook"]), Path(job["target"]), job["params"])


def _end_with_parent() -> None:
    # The raw descriptor: a buffered read would hold a lock that the interpreter wants at its end.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGINT)  # lets papermill shut its kernel down
    time.sleep(5)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)  # this process leads a group of its own (see batch.py)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
