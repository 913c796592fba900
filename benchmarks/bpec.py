"""Compare BPEC with R's evclust on the same task, and measure how time and memory grow with n.

First part: data t4, K = sqrt(n), all subsets of four clusters, the same prototypes, both metrics. The program
prints the processor time of our second run and of R's only run, for the graph and the masses, and both
objectives; we evaluate the second one at R's masses. Ours does not stop earlier: it stops when J falls by
1e-7 of J, and R when its sum, which is below 2000, falls by 0.001.

Second part: a fit to n objects by the default rule, in processor time and wall time. ``python
benchmarks/bpec.py 100000`` sets the largest n.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from credalbench.cluster import BPEC, delta_bel
from credalbench.cluster.prototypes.mass_update import focal_costs, objective
from credalbench.cluster.prototypes.prototype_step import identity_norms, norm_matrices, squared_distances
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand

SIZES, GROWING, C, DELTA = (200, 400, 800, 1600), (1000, 10_000, 100_000), 4, 5.0
METRICS = ("euclidean", "mahalanobis")


def main(largest: int = GROWING[-1]) -> None:
    """Print both parts."""
    print("n, metric, graph here s, in R s, masses here s, in R s, ratio of all, J here, J in R, max |dBel|")
    for n in SIZES:
        X = make_t4(n, random_state=n).X
        K = round(n**0.5)
        for metric in METRICS:
            graph, of_graph = timed(lambda X=X, K=K: delta_bel(X, K))
            V = X[graph.peaks(C)]
            model = BPEC(prototypes=V, metric=metric, delta=DELTA, focal_sets="full", tol=1e-7)
            fit, of_masses = timed(lambda model=model, X=X: model.fit(X))
            theirs, beliefs, (graph_in_r, masses_in_r) = by_r(X, V, K, METRICS.index(metric))
            J = objective_of(theirs, X, V, fit, metric)
            ratio = (graph_in_r + masses_in_r) / (of_graph + of_masses)
            print(
                f"{n}, {metric}, {of_graph:.4f}, {graph_in_r:.2f}, {of_masses:.4f}, {masses_in_r:.2f}, "
                f"{ratio:.0f}, {fit.objective_:.9f}, {J:.9f}, {np.abs(beliefs - graph.belief).max():.1e}",
                flush=True,
            )
    print("n, processor s, clock s, clusters, ARI")
    for n in (n for n in GROWING if n <= largest):
        data = make_t4(n, random_state=0)
        began = time.perf_counter()
        fit, seconds = timed(lambda data=data: BPEC().fit(data.X), runs=1)
        clock, ari = time.perf_counter() - began, adjusted_rand(data.y, fit.labels_)
        print(f"{n}, {seconds:.2f}, {clock:.2f}, {fit.n_clusters_}, {ari:.4f}", flush=True)


def timed(job, runs=2):
    """Return the result of the last of several runs, and its processor time."""
    for _ in range(runs):
        began = time.process_time()
        found = job()
        seconds = time.process_time() - began
    return found, seconds


def objective_of(masses: np.ndarray, X: np.ndarray, V: np.ndarray, fit: BPEC, metric: str) -> float:
    """Return our J at given masses, with the norms that are best for these; columns in R's order of sets."""
    sets = fit.partition_.focal_sets
    columns = [sum(1 << k for k in A) for A in sets.sets]  # R counts in binary, the first cluster lowest
    masses = masses[:, columns]
    S = identity_norms(*V.shape)
    if metric == "mahalanobis":
        S, _ = norm_matrices(X, V, masses, sets, 1.0)
    costs = focal_costs(squared_distances(X, V, sets, S), sets, 1.0, DELTA)
    return objective(masses, costs, 2.0) / masses.size


def by_r(X: np.ndarray, V: np.ndarray, K: int, distance: int):
    """Return R's masses (n, 2^c), its beliefs (n,), and processor times of graph and masses."""
    with tempfile.TemporaryDirectory() as folder:
        settings = np.array([[K, DELTA, distance, 1e9, 2.0]])  # a corner beyond all: nothing is chosen
        for name, table in {"x": X, "peaks": V, "settings": settings}.items():
            np.savetxt(Path(folder, f"{name}.csv"), table, delimiter=",", fmt="%.17g")
        script = Path(__file__).with_suffix(".R")
        subprocess.run(["Rscript", "--vanilla", script, folder], check=True, capture_output=True)
        read = {name: np.loadtxt(Path(folder, f"{name}.csv"), delimiter=",") for name in ("masses", "graph")}
        return read["masses"], read["graph"][:, 0], np.loadtxt(Path(folder, "seconds.csv"))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
