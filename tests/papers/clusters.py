"""A Dask cluster of real processes: a scheduler, and workers with environments of their own."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # no process works there: Python would look there first
START_S = 300  # s; imports on a busy machine


class Cluster:
    """A scheduler of this machine; workers are started as `work` says."""

    def __init__(self, folder, **environment):
        self.folder, self.workers = folder, []
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", environment=environment)
        deadline = time.monotonic() + START_S
        while not self._file.exists():
            assert self.scheduler.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)

    @property
    def address(self):
        return json.loads(self._file.read_text())["address"]

    def work(self, python=(), threads=1, **environment):
        """Start a worker, whose nanny restarts it; return the process of the nanny."""
        words = ["--nthreads", str(threads)]
        words += ["--local-directory", str(self.folder)]
        process = self._start("worker", *words, environment=environment, python=python)
        self.workers.append(process)
        return process

    def _start(self, *words, environment, python=()):
        kind, *words = words
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
        common = ["--host", "127.0.0.1", "--scheduler-file", str(self._file), "--no-dashboard"]
        command = [sys.executable, *(python or ["-m", "dask"]), kind, *common, *words]
        with Path(self.folder, f"{kind}.log").open("ab") as log:
            return subprocess.Popen(command, env=environment, cwd=self.folder, stdout=log, stderr=log)

    def end(self):
        """End the workers before the scheduler, which they tell that they go."""
        for processes in (self.workers, [self.scheduler]):
            for process in processes:
                process.terminate()
            for process in processes:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(30)
                process.kill()
                process.wait()
