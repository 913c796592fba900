"""k-EVCLUS at a million objects: time and peak memory, from the attribute matrix to labels.

Data t4, c = 4, simple focal sets, k = 100 sampled partners, epsilon = 1e-5. Every fit runs in a process of
its own, so that the peak is its own; the process says what Python and the data took before the fit. Prints
one row per fit and the exponents of time and memory in n.
"""

import json
import subprocess
import sys

import numpy as np

SIZES = (100_000, 300_000, 1_000_000)
FIT = """
import json, resource, sys, time
from sklearn.metrics import adjusted_rand_score
from credalbench.cluster import EVCLUS
from credalbench.kernels import compile_kernels
from credalbench.datasets import make_t4

def peak_gib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20

n, updates = int(sys.argv[1]), sys.argv[2]
data = make_t4(n, random_state=0)
compile_kernels()
before, began = peak_gib(), time.perf_counter()
fit = EVCLUS(4, n_pairs=100, pair_updates=updates, random_state=0).fit(data.X)
seconds = time.perf_counter() - began
ari = adjusted_rand_score(data.y, fit.labels_)
print(json.dumps([seconds, fit.n_iter_, ari, before, peak_gib()]))
"""


def main():
    """Measure and print."""
    print("updates            n  seconds sweeps    ARI GiB before GiB peak")
    for updates in ("one-sided", "two-sided"):
        rows = []
        for n in SIZES:
            command = [sys.executable, "-c", FIT, str(n), updates]
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            seconds, sweeps, ari, before, peak = json.loads(answer)
            rows.append((seconds, peak - before))
            print(f"{updates:10s} {n:9d} {seconds:8.1f} {sweeps:6d} {ari:6.3f} {before:10.2f} {peak:8.2f}")
        slopes = np.polyfit(np.log(SIZES), np.log(rows), 1)[0]
        print(f"{updates}: time grows as n^{slopes[0]:.2f}, memory of the fit as n^{slopes[1]:.2f}")


if __name__ == "__main__":
    main()
