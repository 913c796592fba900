"""Compare EVCLUS with constraints and kcevclus of R's evclust: processor time and objective on the same task.

Data t4, all pairs, random true constraints, one for every five objects; both start from the same masses and
stop at the same smoothed change. R counts a constraint twice, so its xi is half of ours; our objective is
evaluated at the masses of both. Kernels are compiled before the clock starts.
"""

import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.constrained.linked_stress import LinkCosts
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import make_t4

SIZES, C, XI, TOL = (100, 200, 400), 4, 1.0, 1e-5


def main() -> None:
    """Print a row for each number of objects."""
    print("n, seconds here, seconds in R, ratio, objective here, objective in R")
    for n in SIZES:
        rng = np.random.default_rng(n)
        data = make_t4(n, random_state=n)
        constraints = PairwiseConstraints.from_labels(data.y, random_pairs(n, n // 5, rng))
        start, d0 = rng.dirichlet(np.ones(C + 2), size=n), float(np.quantile(pdist(data.X), 0.9))
        ours, seconds = fitted(data.X, constraints, start, d0)
        theirs, in_r = by_r(data.X, constraints, start, d0)
        costs = LinkCosts.of(constraints, FocalSets.simple(C), XI).value_and_gradient(theirs)[0]
        objective = ours.conflict_pairs_.value(theirs, FocalSets.simple(C).conflict) + costs
        values = f"{ours.objective_:.6f}, {objective:.6f}"
        print(f"{n}, {seconds:.3f}, {in_r:.2f}, {in_r / seconds:.0f}, {values}", flush=True)


def fitted(X: np.ndarray, constraints: PairwiseConstraints, start: np.ndarray, d0: float):
    """Return our fit, the second of two, and its processor time."""
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    for _ in range(2):
        began = time.process_time()
        fit = EVCLUS(C, d0=d0, init=start, xi=XI, tol=TOL).fit(X, **links)
        seconds = time.process_time() - began
    return fit, seconds


def by_r(X: np.ndarray, constraints: PairwiseConstraints, start: np.ndarray, d0: float):
    """Return the masses that R ends with, cut at 0, and its processor time."""
    with tempfile.TemporaryDirectory() as folder:
        tables = {"x": X, "must": constraints.must_link, "cannot": constraints.cannot_link, "start": start}
        for name, table in (tables | {"settings": np.array([[C, XI / 2, d0, TOL]])}).items():
            np.savetxt(Path(folder, f"{name}.csv"), table, delimiter=",", fmt="%.17g")
        script = Path(__file__).with_suffix(".R")
        subprocess.run(["Rscript", "--vanilla", script, folder], check=True, capture_output=True)
        masses = np.maximum(np.loadtxt(Path(folder, "masses.csv"), delimiter=","), 0.0)
        return masses / masses.sum(axis=1, keepdims=True), float(np.loadtxt(Path(folder, "seconds.csv")))


if __name__ == "__main__":
    main()
