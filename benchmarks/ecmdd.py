"""Compare the processor time of ECMdd with the Python package evclust, and measure how it grows with n.

First part: distances of Fourclass data, all subsets of four clusters, random medoids; processor time of an
iteration. The other program runs ten iterations if ``EVCLUST_PYTHON`` names the Python that has it; ours
stops when no move lowers the objective. The outputs of the other program are not compared, because its
objective is not that of its masses.

Second part: a fit with the defaults, in processor time and wall time. ``python benchmarks/ecmdd.py 5000``
sets the largest n.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.exceptions import ConvergenceWarning

from credalbench.cluster import ECMdd
from credalbench.datasets import make_fourclass
from credalbench.metrics import adjusted_rand

SIZES, GROWING, C = (100, 200, 400, 800), (1000, 2000, 5000), 4
OTHER = """
import sys, time, numpy as np
from evclust.ecmdd import ecmdd
D = np.load(sys.argv[1])
began = time.process_time()
ecmdd(D, c=4, type="full", delta=None, epsi=-1, maxit=10, disp=False)
print(time.process_time() - began)
"""


def main(largest: int = GROWING[-1]) -> None:
    """Print both parts."""
    print("n, an iteration here s, in evclust of Python s, iterations here")
    for n in SIZES:
        D = squareform(pdist(make_fourclass(n, random_state=0).X))
        model = ECMdd(C, metric="precomputed", tol=0.0, random_state=0)
        timed(model, D)  # compiles and loads
        ours = timed(model, D) / (model.n_iter_ + 2)  # the start and the last, idle move are work, too
        print(f"{n}, {ours:.5f}, {of_other(D)}, {model.n_iter_}", flush=True)
    print("n, psi, processor s, clock s, moves, ARI")
    for n in (n for n in GROWING if n <= largest):
        data = make_fourclass(n, random_state=0)
        for psi in (None, 1.1):
            model = ECMdd(C, psi=psi, random_state=0)
            began = time.perf_counter()
            seconds = timed(model, data.X)
            clock, ari = time.perf_counter() - began, adjusted_rand(data.y, model.labels_)
            print(f"{n}, {psi}, {seconds:.2f}, {clock:.2f}, {model.n_iter_}, {ari:.3f}", flush=True)


def timed(model: ECMdd, X: np.ndarray) -> float:
    """Return the processor time of a fit."""
    began = time.process_time()
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        model.fit(X)
    return time.process_time() - began


def of_other(D: np.ndarray) -> str:
    """Return the processor time of an iteration of the other program, if it is installed."""
    python = os.environ.get("EVCLUST_PYTHON")
    if python is None:
        return "-"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "D.npy")
        np.save(file, D)
        found = subprocess.run([python, "-c", OTHER, file], check=True, capture_output=True, text=True)
    return f"{float(found.stdout) / 10:.3f}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
