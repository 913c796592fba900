"""Compare NN-EVCLUS and nnevclus of R's evclust: processor time and loss of the same iterations.

Data t4, all pairs, one hidden layer of 10 units, both from the same weights. R returns the loss of its last
iteration, which may have been rejected; ours is the smallest loss.
"""

import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.transformation import gamma_from_d0
from credalbench.cluster.network.mass_network import MassNetwork
from credalbench.cluster.network.training import TrainingLoss, on_all
from credalbench.datasets import make_t4

SIZES, C, UNITS, ITERATIONS = (50, 100, 200), 4, 10, 30
NO_PAIRS = np.empty((0, 2), int)


def main() -> None:
    """Print a row for each number of objects."""
    print("n, seconds here, seconds in R, ratio, loss here, loss in R")
    for n in SIZES:
        X = make_t4(n, random_state=n).X
        d0 = float(np.quantile(pdist(X), 0.9))
        network = MassNetwork((2, UNITS, C + 2), gated=False)
        start = network.start(np.random.RandomState(n))
        loss = TrainingLoss(
            network, FocalSets.simple(C), X, None, gamma_from_d0(d0), np.empty(0, int), np.empty((0, C)),
            NO_PAIRS, NO_PAIRS, 0.0, 0.0, 0.0,
        )  # fmt: skip
        began = time.process_time()
        run = on_all(loss, loss.batch(slice(None)), start, tol=0.0, max_iter=ITERATIONS)
        seconds = time.process_time() - began
        V, W = network.matrices(start)
        in_r, of_r = by_r({"x": X, "V": V, "W": W, "settings": np.array([[C, UNITS, d0, ITERATIONS]])})
        values = f"{run.trace[-1]:.6f}, {of_r:.6f}"
        print(f"{n}, {seconds:.4f}, {in_r:.2f}, {in_r / seconds:.0f}, {values}", flush=True)


def by_r(tables: dict[str, np.ndarray]) -> tuple[float, float]:
    """Return the processor time of R, and the loss that it returns."""
    with tempfile.TemporaryDirectory() as folder:
        for name, table in tables.items():
            np.savetxt(Path(folder, f"{name}.csv"), table, delimiter=",", fmt="%.17g")
        script = Path(__file__).with_suffix(".R")
        subprocess.run(["Rscript", "--vanilla", script, folder], check=True, capture_output=True)
        seconds, value = np.loadtxt(Path(folder, "result.csv"))
    return float(seconds), float(value)


if __name__ == "__main__":
    main()
