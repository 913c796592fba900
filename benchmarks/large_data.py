"""Compare fits to data in blocks with fits in memory: seconds, and the peak of allocated memory.

    python benchmarks/large_data.py ECM 10 1e5 1e6    method, attributes p, objects n; also EGMM, CatECM

The data are four normal clusters (rounded for CatECM) in files of 250 000 rows, which are written once to
results/bench/large_data. Fits use the default settings, and simple focal sets for EGMM. Both ways read the
same files, in turn, three times, with as many threads as numba uses; times are medians. Memory is the peak of
Python and numpy (tracemalloc) in a separate fit, without memory-mapped files. The program prints a table and
writes results/bench/large_data_<method>_<p>.csv.
"""

import sys
import time
import tracemalloc
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.cluster import ECM, EGMM, CatECM

METHODS = {
    "ECM": ECM(4, random_state=0),
    "EGMM": EGMM(4, focal_sets="simple", random_state=0),
    "CatECM": CatECM(4, random_state=0),
}
ROWS, REPEATS, IN_MEMORY = 250_000, 3, 10_000_000
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def written(n, p):
    """Return files with n objects; write them if they do not exist."""
    folder = OUT / "large_data" / f"{n}x{p}"
    if not folder.exists():
        centres = 7.0 * np.array(
            [[0] * p, [1] * p, [k % 2 for k in range(p)], [(k + 1) % 2 for k in range(p)]]
        )
        part = folder.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        for k, begin in enumerate(range(0, n, ROWS)):
            rng = np.random.default_rng(k)
            rows = min(ROWS, n - begin)
            np.save(part / f"{k:05}.npy", rng.normal(size=(rows, p)) + centres[rng.integers(4, size=rows)])
        part.rename(folder)
    return sorted(folder.iterdir())


def blocks(files, whole):
    """Yield the files, rounded if numbers must be whole."""
    for file in files:
        X = np.load(file)
        yield X.round().astype(int) if whole else X


def seconds(estimator, data):
    begin = time.perf_counter()
    estimator.fit(data())
    return time.perf_counter() - begin


def peak(estimator, data):
    """Return the peak memory of a fit, in GiB."""
    tracemalloc.start()
    estimator.fit(data())
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found / 2**30


def row(method, n, p):
    """Return the measurements for one number of objects."""
    estimator, read = METHODS[method], partial(blocks, written(n, p), method == "CatECM")
    ways = {"blocks": lambda: read}
    if n <= IN_MEMORY:
        ways["memory"] = lambda: np.concatenate(list(read()))
    found = [{way: seconds(estimator, data) for way, data in ways.items()} for _ in range(REPEATS)]
    result = {"n": n, "iterations": estimator.n_iter_}
    for way, data in ways.items():
        result |= {f"{way} (s)": np.median([times[way] for times in found])}
        result |= {f"{way} (GiB)": peak(estimator, data)}
    return result


def main(method, p, *sizes):
    warnings.simplefilter("ignore", UserWarning)
    table = pd.DataFrame([row(method, int(float(n)), int(p)) for n in sizes])
    print(table.T.to_string(float_format="{:.4g}".format))
    OUT.mkdir(parents=True, exist_ok=True)
    table.to_csv(OUT / f"large_data_{method}_{p}.csv", index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
