"""Measure NN-EVCLUS on a million objects with ten attributes, in mini-batches: processor time, memory, ARI.

Four groups, the first two attributes of t4 and eight of noise a tenth as wide. A number as an argument
replaces the million. With one thread of BLAS (OMP_NUM_THREADS=1), processor time is that of one core.
"""

import resource
import sys
import time

import numpy as np

from credalbench.cluster import NNEVCLUS
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand


def main(n: int = 1_000_000) -> None:
    """Fit once and print."""
    data = make_t4(n, random_state=0)
    spread = 0.1 * data.X.std()
    noise = np.random.default_rng(0).normal(scale=spread, size=(n, 8))
    X = np.hstack([data.X, noise])
    began, wall = time.process_time(), time.perf_counter()
    fit = NNEVCLUS(4, batch_size=200, random_state=0).fit(X)
    seconds, wall = time.process_time() - began, time.perf_counter() - wall
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    ari = adjusted_rand(data.y, fit.labels_)
    print(f"n = {n}: {seconds:.0f} s of processor time, {wall:.0f} s, peak {memory:.2f} GiB, ARI {ari:.3f}")
    print(f"{fit.n_iter_} epochs, converged: {fit.converged_}, loss {fit.objective_trace_[[0, -1]]}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
