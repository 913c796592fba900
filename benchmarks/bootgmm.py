"""Measure time and memory of BootGMM from the attribute matrix to labels: far below B n^2 numbers.

Data t4, c = 4, "full" covariances, B = 500 refits, n from 250 to 4000, one job, one thread. Every fit runs in
its own process, so that its peak of memory is measured separately; the last column is what all pair
probabilities together would take. The program prints the seconds of the mixture with its refits, of the
intervals and of the masses, with the fitted exponents in n. Then, if Rscript finds the R package evclust with
mclust, it runs `bootclus` on the same task.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from credalbench.datasets import make_t4

SIZES = (250, 500, 1000, 2000, 4000)
B, C = 500, 4
PARTS = ("mixture_by_bic", "bootstrapped", "interval_targets", "irqp")
R_UP_TO = 500
R = """
suppressMessages({library(evclust); library(mclust)})
X <- as.matrix(read.csv(commandArgs(TRUE)[1], header = FALSE))
set.seed(0)
began <- proc.time()[3]
fit <- bootclus(X, conf = 0.9, B = %d, param = list(G = %d, modelNames = "VVV", verbose = FALSE))
cat(proc.time()[3] - began)
"""


def child(n):
    """Fit once; return the seconds of the parts, iterations, and the growth of peak memory in GiB."""
    import resource  # not on every system

    from credalbench.cluster import BootGMM, bootgmm
    from credalbench.core.kernels import compile_kernels

    seconds = {}

    def timed(name, function):
        def call(*args, **kwargs):
            began = time.perf_counter()
            result = function(*args, **kwargs)
            seconds[name] = time.perf_counter() - began
            return result

        return call

    X = make_t4(n, random_state=0).X
    compile_kernels()
    BootGMM(C, n_bootstrap=2, covariance_type="full", random_state=0).fit(X[:50])
    for name in PARTS:
        setattr(bootgmm, name, timed(name, getattr(bootgmm, name)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fit = BootGMM(C, n_bootstrap=B, covariance_type="full", random_state=0).fit(X)
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**20
    print(json.dumps([seconds, fit.n_iter_, peak]))


def measured(n):
    """Return what `child` measures for n objects, in a separate process."""
    command = [sys.executable, "-W", "ignore", __file__, str(n)]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=one_thread, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def r_seconds(n):
    """Return the seconds of bootclus, or None if it is not available."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        data, script = Path(folder) / "x.csv", Path(folder) / "run.R"
        np.savetxt(data, make_t4(n, random_state=0).X, delimiter=",")
        script.write_text(R % (B, C))
        done = subprocess.run(["Rscript", script, data], capture_output=True, text=True)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else None


def main():
    """Fit every size once; print seconds, memory and exponents."""
    rows = []
    print(f"B = {B}, c = {C}; seconds of mixture, refits, intervals, masses; GiB, and those of all pairs")
    for n in SIZES:
        seconds, n_iter, peak = measured(n)
        rows.append([seconds[part] for part in PARTS])
        parts = "  ".join(f"{s:8.2f}" for s in rows[-1])
        print(f"n = {n:5d}  {parts}  {n_iter:3d} sweeps  {peak:6.2f} GiB of {4 * B * n**2 / 2**30:7.2f}")
    exponents = np.polyfit(np.log(SIZES[1:]), np.log(rows[1:]), 1)[0]
    print("exponent   " + "  ".join(f"{e:8.2f}" for e in exponents))
    for n in (n for n in SIZES if n <= R_UP_TO):
        theirs = r_seconds(n)
        if theirs is None:
            print("bootclus is left out: no Rscript that has evclust and mclust")
            return
        ours = sum(rows[SIZES.index(n)])
        print(f"n = {n:5d}  bootclus of R: {theirs:.1f} s, {theirs / ours:.1f} times ours")


if __name__ == "__main__":
    child(int(sys.argv[1])) if len(sys.argv) > 1 else main()
