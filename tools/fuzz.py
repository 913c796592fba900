"""Fuzz the estimators: each random call must end in a valid result or in a clear error, within ten seconds.

Usage::

    python -P tools/fuzz.py --seeds 2000
    python -P tools/fuzz.py --seeds 10000 --start 50000 --jobs 2  # before a release, with fresh seeds
    python -P tools/fuzz.py --seeds 500 --only EVCLUS MECM
    python -P tools/fuzz.py --seeds 30000 --functions --jobs 2

A seed makes one call: an exported estimator, constructor values, data, constraints, and what follows the fit.
With ``--functions`` it calls a public function instead, or a method of what has no ``fit``.
Most values are sensible, some are odd. A call is kept as source text, so that what is printed of a finding is
what was run, made as small as it goes. Calls run in processes of their own: one that dies costs its seed. The
exit code is 1 where anything is found.

Findings are NaN and infinity in results, rows off the simplex, labels that are none, an objective that goes
the wrong way by its docstring, broken laws, changed input, numpy's warnings, errors of another type than
documented, errors that speak of something deep inside, and calls without an end.

The parts lie in ``tests/fuzzing/``: what is drawn, how it is judged, how it is made small.
"""

import argparse
import multiprocessing
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import numba
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.core.kernels import compile_kernels  # noqa: E402
from tests.fuzzing.calls import ESTIMATORS, Call, draw  # noqa: E402
from tests.fuzzing.functions import draw_function  # noqa: E402
from tests.fuzzing.reproductions import SHRINKING_S, shrunk  # noqa: E402
from tests.fuzzing.verdicts import LIMIT_S, is_fine, judge  # noqa: E402

STARTING_S = 300.0  # for a process that compiles kernels first
PATIENCE_S = {"judge": 12 * LIMIT_S, "shrink": SHRINKING_S + 4 * LIMIT_S}


class Worker:
    """A process that judges calls and shrinks them, one at a time; one that dies or hangs is replaced."""

    def __init__(self, draw_call: Callable[[int], Call]) -> None:
        self.draw = draw_call
        self.process = None

    def request(self, task: str, seed: int) -> str:
        """The verdict on the call of a seed ("judge"), or its reproduction ("shrink")."""
        if self.process is None:
            self._start()
        try:
            self.pipe.send((task, seed))
            if self.pipe.poll(PATIENCE_S[task]):
                return self.pipe.recv()
            lost = "no end: the process had to be killed"
        except (EOFError, OSError):
            lost = "the process died"
        self.close()
        return lost if task == "judge" else self.draw(seed).text

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, end = context.Pipe()
        self.process = context.Process(target=serve, args=(end, self.draw), daemon=True)
        self.process.start()
        end.close()
        if not self.pipe.poll(STARTING_S):
            raise RuntimeError(f"expected a process to be ready after {STARTING_S:g} s, got no sign of it")
        self.pipe.recv()

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def serve(pipe: Connection, draw_call: Callable[[int], Call]) -> None:
    """Answer what is asked through a pipe, for ever."""
    compile_kernels()
    numba.set_num_threads(1)
    with threadpool_limits(1):
        pipe.send("ready")
        while True:
            task, seed = pipe.recv()
            call = draw_call(seed)
            pipe.send(judge(call) if task == "judge" else shrunk(call).text)


class Report:
    """Verdicts counted, and a reproduction of each kind of finding, printed as they come."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.findings: set[tuple[str, str]] = set()  # estimator, verdict
        self._lock = threading.Lock()

    def note(self, worker: Worker, seed: int) -> None:
        """Judge the call of a seed; shrink and print it where it is a new finding."""
        finding = worker.draw(seed).name, worker.request("judge", seed)
        with self._lock:
            self.counts[finding[1]] += 1
            if is_fine(finding[1]) or finding in self.findings:
                return
            self.findings.add(finding)
        text = worker.request("shrink", seed)
        print(f"# seed {seed}, {': '.join(finding)}\n{text}\n", flush=True)

    def __str__(self) -> str:
        return "\n".join(f"{count:6d}  {verdict}" for verdict, count in self.counts.most_common())


def fuzz(seeds: range, jobs: int, draw_call: Callable[[int], Call]) -> Report:
    """Judge the calls of all seeds, in so many processes."""
    report = Report()

    def work(share: range) -> None:
        worker = Worker(draw_call)
        try:
            for seed in share:
                report.note(worker, seed)
        finally:
            worker.close()

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, [seeds[job::jobs] for job in range(jobs)]))
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=2000, help="how many (default 2000)")
    parser.add_argument("--start", type=int, default=0, help="the first of them (default 0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--only", nargs="+", choices=sorted(ESTIMATORS), default=sorted(ESTIMATORS))
    parser.add_argument("--functions", action="store_true", help="call functions, not estimators")
    chosen, began = parser.parse_args(), time.monotonic()
    draw_call = draw_function if chosen.functions else partial(draw, names=chosen.only)
    report = fuzz(range(chosen.start, chosen.start + chosen.seeds), chosen.jobs, draw_call)
    print(report)
    print(f"{chosen.seeds} calls, {len(report.findings)} kinds of findings, {time.monotonic() - began:.0f} s")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
