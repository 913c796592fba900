"""Compare the processor time of ECMdd with the Python package evclust, and measure how it grows with n.

First part: distances of Fourclass data, all subsets of four clusters, random medoids; processor time of an
iteration. The other program runs ten iterations if ``EVCLUST_PYTHON`` names the Python that has it; ours
stops when no move lowers the objective. The outputs of the other program are not compared, because its
objective is not that of its masses.

Second part: a fit with the defaults, in processor time and wall time. ``python benchmarks/ecmdd.py 5000``
sets the largest n.

Third part: how many single swaps of a medoid lower the objective of a fit, by how much at most, and the
adjusted Rand index (ARI) before and after swapping until none does, on data of the studies and on planted
tables.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import product
from pathlib import Path

import numpy as np
from planted_tables import NUMBERS, table
from scipy.spatial.distance import pdist, squareform
from sklearn.exceptions import ConvergenceWarning

from credalbench.belief import CredalPartition
from credalbench.cluster import ECMdd
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs, objective
from credalbench.cluster.prototypes.medoids import SetPrototypes
from credalbench.core.checks import standardized
from credalbench.datasets import load, make_fourclass, make_t4
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
    """Print all parts."""
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

    print("data, swaps that lower J, of, by at most, ARI before, after, fall of J")
    for name, X, y in swapped_data():
        tau, kept = squareform(pdist(X)), y >= 0  # -1: a far object
        fit = ECMdd(len(set(y[kept])), metric="precomputed").fit(tau)
        falls, after, value = swapped(fit, tau)
        scores = [adjusted_rand(y[kept], labels[kept]) for labels in (fit.labels_, after)]
        print(f"{name}, {(falls > 0).sum()}, {np.isfinite(falls).sum()}, {falls.max():.4f}, ", end="")
        print(f"{scores[0]:.3f}, {scores[1]:.3f}, {1 - value / fit.objective_:.4f}", flush=True)


def swapped_data():
    """Yield names, attributes and clusters."""
    for data in (make_t4(120, random_state=0), load("fourclass")):
        yield data.name, data.X, data.y
    for kind in NUMBERS[:-1]:
        for seed in range(4):
            frame, y = table(kind, seed)
            yield f"{kind} {seed}", standardized(frame.to_numpy(float)), y


def swapped(fit, tau):
    """Return by what share each swap lowers the objective (c, n); labels and objective after best swaps."""

    def at(medoids):
        d = SetPrototypes.of(tau, medoids, focal_sets, fit.gamma, fit.eta).dissimilarities(tau)
        costs = focal_costs(d, focal_sets, fit.alpha, fit.delta_)
        masses = masses_from_costs(costs, fit.beta)
        return masses, objective(masses, costs, fit.beta)

    focal_sets, medoids, value, first = fit.partition_.focal_sets, fit.medoid_indices_, fit.objective_, None
    while True:
        found = np.full((len(medoids), len(tau)), np.inf)
        for k, p in product(range(len(medoids)), np.setdiff1d(np.arange(len(tau)), medoids)):
            found[k, p] = at(np.r_[medoids[:k], p, medoids[k + 1 :]])[1]
        first = 1 - found / value if first is None else first
        if found.min() >= value * (1 - 1e-12):
            return first, CredalPartition(at(medoids)[0], focal_sets).labels(), value
        k, p = np.unravel_index(found.argmin(), found.shape)
        medoids, value = np.r_[medoids[:k], p, medoids[k + 1 :]], found.min()


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
