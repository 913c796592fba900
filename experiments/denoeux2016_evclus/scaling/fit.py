"""One fit of k-EVCLUS in a separate process, so that its peak of memory is measured separately.

``measured_fit(order)`` runs this file as a program, which draws its data, loads the compiled kernels, and
only then starts measuring time and memory. The fit runs on one thread.

Memory is the resident set: its peak during the fit, less its size just before. Linux forgets earlier peaks
on request (``/proc/self/clear_refs``). Elsewhere the earlier peak itself is subtracted: that of
imports and data, below which a small fit may hide.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from mmap import PAGESIZE
from pathlib import Path

import numpy as np

from credalbench.cluster import EVCLUS
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import make_t4
from credalbench.metrics.external import adjusted_rand
from credalbench.papers import case_random_state, case_seed
from credalbench.papers.engine import single_threaded

OWN = Path("/proc/self")  # of this process, on Linux


@dataclass(frozen=True)
class Order:
    """What to fit: t4 data of n objects, k partners each, c clusters."""

    n: int
    k: int
    c: int
    focal_sets: str
    pair_updates: str
    tol: float
    max_sweeps: int
    seed: int
    repetition: int


def measured_fit(order: Order) -> dict:
    """Run the order in a fresh process, and return the answer of :func:`fit`."""
    command = [sys.executable, "-P", __file__, json.dumps(asdict(order))]
    modules = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}  # the same library as here
    done = subprocess.run(command, env=modules, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"the process of {order} ended with code {done.returncode}: {last}")
    return json.loads(done.stdout.splitlines()[-1])


def fit(order: Order) -> dict:
    """Fit and measure, in this process: seconds, sweeps, memory in bytes, and how good the result is.

    ``sweep_s`` is the time of a sweep, the value of the stress included: the lower quartile of all sweeps,
    since other load on the machine can only add to it. ``time_s`` is that of the whole fit, from
    attributes to labels. Data and start depend on n and the repetition only, so that fits that differ in k
    or c have the same objects.
    """
    axes = (order.seed, "t4", order.n, order.repetition)
    data = make_t4(order.n, case_seed(*axes))
    model = EVCLUS(
        order.c,
        n_pairs=order.k,
        pair_sampling="independent",
        pair_updates=order.pair_updates,
        focal_sets=order.focal_sets,
        d0_quantile=0.9,
        init="random",
        tol=order.tol,
        max_iter=order.max_sweeps,
        random_state=case_random_state(*axes, "fit"),
    )
    compile_kernels()
    with single_threaded():
        forget_peak()
        before, began = resident_bytes(), time.process_time()
        model.fit(data.X)
        seconds, peak = time.process_time() - began, peak_bytes()
    return {
        "f": len(model.partition_.focal_sets),
        "time_s": seconds,
        "sweep_s": float(np.quantile(np.diff(model.time_trace_), 0.25)),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "memory_bytes": max(peak - before, PAGESIZE),  # less than a page cannot be seen
        "peak_bytes": peak,
        "stress": model.objective_,
        "ari": adjusted_rand(data.y, model.partition_.labels("plausibility")),
    }


# ---------------------------------------------------------------- memory of this process


def forget_peak() -> None:
    """Count the peak from here if the system can."""
    with suppress(OSError):
        (OWN / "clear_refs").write_text("5")


def resident_bytes() -> int:
    """Return the resident memory now, or the peak so far if the system does not report it."""
    return status("VmRSS") or peak_bytes()


def peak_bytes() -> int:
    """Return the largest resident memory, since :func:`forget_peak` if that worked."""
    if peak := status("VmHWM"):
        return peak
    import resource  # not on every system, and not needed on most

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def status(field: str) -> int | None:
    """Return an entry of ``/proc/self/status``, kB turned into bytes; None where there is none.

    Not ``ru_maxrss``: across the start of a new program that keeps the peak of the process that started it.
    """
    try:
        lines = (OWN / "status").read_text().splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(f"{field}:")]
    return 1024 * int(found[0]) if found else None


if __name__ == "__main__":
    print(json.dumps(fit(Order(**json.loads(sys.argv[1])))))
