"""Fits to data in blocks beside fits in memory: time of an iteration, and peak memory, against n.

    python benchmarks/large_data.py ECM 10 1e5 1e6 1e7    method, attributes p, numbers of objects n
    python benchmarks/large_data.py ECM 2 1e8
    python benchmarks/large_data.py CatECM 20 1e7         also EGMM, FuzzyCMeans, KModes
    python benchmarks/large_data.py model 10 1e7          an iteration with 1 and 2 workers, and as the
                                                          model of docs/cluster.md has it

Data: four normal clusters, of CatECM and KModes rounded, in parquet files of 250 000 rows, written once to
results/bench/large_data. Blocks are read by two workers of one thread and 1 GiB each; arrays up to 10^7
objects are fitted in memory, with two threads. An iteration (on simple focal sets) is timed by the difference
between a longer and a shorter fit from the same start; three repeats, the two ways in turn, medians. Then a
fit with the default settings until it converges, and for attributes at the same data the peers: k-means of
dask-ml where it is installed, and scikit-learn's MiniBatchKMeans, one pass over the blocks: time, and inertia
at the centres. Peak memory is the largest resident set of a worker.
Prints a table, writes results/bench/large_data_<method>_<p>.csv and .png.

Cluster and dashboard listen on 127.0.0.1 alone.
"""

import importlib.util
import sys
import time
import warnings
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, KilledWorker, LocalCluster
from numba import set_num_threads
from sklearn.cluster import MiniBatchKMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise_distances_argmin_min

from credalbench.baselines import FuzzyCMeans, KModes
from credalbench.cluster import ECM, EGMM, CatECM
from credalbench.plots.style import new_figure

#: Class, settings, how far the starting prototypes are from the centres, and the iterations of the short and
#: of the long fit. In EGMM a fit in memory looks into objects with mass on Omega: as many after both.
METHODS = {
    "ECM": (ECM, {"delta": 20.0, "focal_sets": "simple", "tol": 0.0}, 1.0, (1, 6)),
    "EGMM": (EGMM, {"focal_sets": "simple", "tol": 0.0}, 5.0, (6, 18)),
    "FuzzyCMeans": (FuzzyCMeans, {"tol": 0.0}, 1.0, (1, 6)),
    "CatECM": (CatECM, {"focal_sets": "simple"}, 3.0, (1, 6)),
    "KModes": (KModes, {}, 3.0, (1, 6)),
}
OF_CATEGORIES = ("CatECM", "KModes")
ROWS, WORKERS, LIMIT = 250_000, 2, "1GiB"
REPEATS, IN_MEMORY = 3, 10_000_000
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def centres(p):
    """Four corners, seven standard deviations apart."""
    return 7.0 * np.array([[0] * p, [1] * p, [k % 2 for k in range(p)], [(k + 1) % 2 for k in range(p)]])


def written(n, p):
    """Return a folder of parquet files with n objects; it is written where there is none."""
    folder = OUT / "large_data" / f"{n}x{p}"
    if not folder.exists():
        part = folder.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        for k, begin in enumerate(range(0, n, ROWS)):
            rng = np.random.default_rng(k)
            rows = min(ROWS, n - begin)
            X = rng.normal(size=(rows, p)) + centres(p)[rng.integers(4, size=rows)]
            frame = pd.DataFrame(X, columns=[f"x{l}" for l in range(p)])
            frame.to_parquet(part / f"{k:05}.parquet", compression=None)
        part.rename(folder)
    return folder


def read(folder, method):
    X = dd.read_parquet(folder, aggregate_files=False, split_row_groups=False)
    return X.round().astype(int) if method in OF_CATEGORIES else X


def seconds(estimator, X):
    begin = time.perf_counter()
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # as intended
        estimator.fit(X)
    return time.perf_counter() - begin


def iteration(method, X, p):
    """Return seconds of an iteration, from the difference of a short and a long fit."""
    cls, settings, away, lengths = METHODS[method]
    start = (centres(p) + away).astype(int if method in OF_CATEGORIES else float)
    fits = [cls(4, init=start, max_iter=k, **settings) for k in lengths]
    short, long = (seconds(fit, X) for fit in fits)
    return (long - short) / (fits[1].n_iter_ - fits[0].n_iter_)


def peak():
    """Return the largest resident set of this process; that of `resource` may be its parent's."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 2**20


def inertia(folder, V):
    """Return the sum of squared distances to the nearest centres."""
    files = sorted(folder.glob("*.parquet"))
    return sum(np.square(pairwise_distances_argmin_min(pd.read_parquet(f), V)[1]).sum() for f in files)


def peers(folder):
    """Yield name, seconds and inertia of other programs; initial centres are their own."""
    begin = time.perf_counter()
    means = MiniBatchKMeans(4, n_init=1, random_state=0)
    for file in sorted(folder.glob("*.parquet")):
        means.partial_fit(pd.read_parquet(file).to_numpy())
    yield "MiniBatchKMeans", time.perf_counter() - begin, inertia(folder, means.cluster_centers_)
    if importlib.util.find_spec("dask_ml"):
        from dask_ml.cluster import KMeans

        begin = time.perf_counter()
        try:
            means = KMeans(4, random_state=0).fit(read(folder, "KMeans").to_dask_array(lengths=True))
            yield "dask-ml KMeans", time.perf_counter() - begin, inertia(folder, means.cluster_centers_)
        except KilledWorker:  # of the limit
            yield "dask-ml KMeans", np.nan, np.nan
    else:
        print("dask-ml is not installed: its KMeans is left out")


def cluster_of(workers):
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=LIMIT,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    )


def row(method, n, p):
    """Return what is measured at one number of objects."""
    folder, cls = written(n, p), METHODS[method][0]
    X, found = read(folder, method), {"n": n}
    with cluster_of(WORKERS) as cluster, Client(cluster) as client:
        array = np.ascontiguousarray(X.compute(scheduler="sync")) if n <= IN_MEMORY else None
        blocks, memory = [], []
        for _ in range(REPEATS):
            blocks.append(iteration(method, X, p))
            if array is not None:
                memory.append(iteration(method, array, p))
        found |= {"blocks (s)": np.median(blocks), "in memory (s)": np.median(memory or [np.nan])}
        found["ratio"] = found["blocks (s)"] / found["in memory (s)"]
        fit = cls(4, random_state=0)
        found |= {"fit (s)": seconds(fit, X), "iterations": fit.n_iter_}
        found["peak of a worker (GiB)"] = max(client.run(peak).values())
        if method not in OF_CATEGORIES:
            found["inertia"] = inertia(folder, fit.cluster_centers_)
            for name, duration, value in peers(folder):
                found |= {f"{name} (s)": duration, f"{name}: inertia": value}
    return found


def model(p, n):
    """Print seconds of an iteration of ECM with 1 and 2 workers, and what docs/cluster.md says: a + b n / w.

    The time of a pass a is that of 1000 objects, that of an object b is measured in memory with one thread.
    """
    X, few = read(written(n, p), "ECM"), read(written(1000, p), "ECM")
    set_num_threads(1)
    block = np.ascontiguousarray(read(written(ROWS, p), "ECM").compute())
    b = np.median([iteration("ECM", block, p) for _ in range(REPEATS)]) / ROWS
    for workers in (1, 2):
        with cluster_of(workers) as cluster, Client(cluster):
            a = np.median([iteration("ECM", few, p) for _ in range(REPEATS)])
            t = np.median([iteration("ECM", X, p) for _ in range(REPEATS)])
        print(
            f"{workers} workers: {t:.4g} s; a = {a:.4g}, b = {b:.4g}, a + b n / w = {a + b * n / workers:.4g}"
        )


def draw(table, path):
    figure = new_figure(9, 3.6)
    times, memory = figure.subplots(1, 2)
    for name, marker in (("blocks (s)", "o"), ("in memory (s)", "s")):
        times.plot(table["n"], table[name], marker=marker, label=name.removesuffix(" (s)"))
    times.set(xscale="log", yscale="log", xlabel="objects n", ylabel="seconds of an iteration")
    times.legend()
    memory.plot(table["n"], table["peak of a worker (GiB)"], marker="o")
    memory.set(xscale="log", xlabel="objects n", ylabel="peak memory of a worker (GiB)", ylim=(0, 1.05))
    figure.savefig(path)


def main(method, p, *sizes):
    if method == "model":
        model(int(p), int(float(sizes[0])))
        return
    set_num_threads(WORKERS)
    table = pd.DataFrame([row(method, int(float(n)), int(p)) for n in sizes])
    print(table.T.to_string(float_format="{:.4g}".format))
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / f"large_data_{method}_{p}.csv"
    table.to_csv(path, index=False)
    draw(table, path.with_suffix(".png"))


if __name__ == "__main__":
    main(*sys.argv[1:])
