"""Measure how constraints change EVCLUS: ARI of the unconstrained objects, by number of constraints and xi.

Constraints are random pairs with their true classes, drawn anew for each run; all other parameters are the
defaults. Objects in constraints do not count, so the ARI measures what the other objects learn. "none" is the
fit without constraints, evaluated on the same objects. The program prints means over the runs, and the
differences from "none" with 95 % intervals (t).
"""

import warnings

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from credalbench.cluster import EVCLUS
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand

RUNS, XIS = 12, (0.02, 0.05, 0.5)
SHARES = (0.1, 0.3)  # constraints by objects


def data_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return attributes and classes."""
    t4 = make_t4(200, random_state=1)
    found = {"t4": (t4.X, t4.y)}
    for name, load in (("iris", load_iris), ("wine", load_wine), ("cancer", load_breast_cancer)):
        X, y = load(return_X_y=True)
        rows = np.random.default_rng(0).permutation(len(X))[:200]
        found[name] = StandardScaler().fit_transform(X[rows]), y[rows]
    return found


def main() -> None:
    """Fit each data set with each number of constraints and each weight."""
    warnings.simplefilter("ignore")  # of outliers that meet must-links
    rows = []
    for name, (X, y) in data_sets().items():
        c = len(np.unique(y))
        plain = EVCLUS(c, random_state=0).fit(X).labels_
        for share in SHARES:
            for run in range(RUNS):
                pairs = random_pairs(len(X), int(share * len(X)), np.random.default_rng(run))
                constraints = PairwiseConstraints.from_labels(y, pairs)
                rest = ~constraints.constrained
                row = {"data": name, "share": share, "run": run, "none": adjusted_rand(y[rest], plain[rest])}
                for xi in XIS:
                    fit = EVCLUS(c, xi=xi, random_state=0)
                    fit.fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)
                    row[f"xi {xi}"] = adjusted_rand(y[rest], fit.labels_[rest])
                    row[f"met, xi {xi}"] = 1 - len(fit.violated_) / len(constraints)
                rows.append(row)
    table = pd.DataFrame(rows).set_index(["data", "share", "run"])
    print(table.groupby(["data", "share"]).mean().round(3).to_string())
    for xi in XIS:
        change = (table[f"xi {xi}"] - table["none"]).groupby(["data", "share"])
        half = stats.t.ppf(0.975, RUNS - 1) * change.std() / np.sqrt(RUNS)
        print(pd.DataFrame({f"xi {xi}": change.mean(), "half width": half}).round(3).to_string())


if __name__ == "__main__":
    main()
