"""Compare MixedECM, EVCLUS on Gower's dissimilarities and k-prototypes on tables of numbers and categories.

Each table has 2 to 9 clusters of unequal size, 2 to 4 numbers in different units and 2 to 5 categories of 3
to 5 values; it is used without outliers and with 2 % far outliers. k-prototypes is that of the package kmodes
(extra `peers`), on standardised numbers, with the best of four weights of the categories, chosen by the
truth, which no user can do. Indices are computed on the objects that are not outliers. Two real tables with
classes follow: Zoo, and the penguins of the package palmerpenguins (extra `peers`), without and with three
objects whose numbers are a hundred times as far from the median. Prints means over the tables; writes
results/bench/mixed_tables.csv. `python benchmarks/mixed_tables.py 100 110` uses the seeds 100 to 109.
Parameters were chosen on the seeds 0 to 9.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from credalbench.cluster import ECM, EVCLUS, MixedECM
from credalbench.datasets import load
from credalbench.metrics import adjusted_rand
from credalbench.tables import gower_dissimilarities

CLUSTERS = range(2, 10)
OUTLYING = 0.02  # share of far objects
GAMMAS = (0.25, 0.5, 1.0, 2.0)  # weights of the categories that k-prototypes tries
OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def make_table(n_clusters, seed, n_objects=200, outliers=False):
    """Return a DataFrame, and clusters (n,) with -1 for outliers."""
    rng = np.random.default_rng([n_clusters, seed])
    q, p = rng.integers(2, 5), rng.integers(2, 6)
    shares = np.maximum(rng.dirichlet(np.full(n_clusters, 5.0)), 0.04)
    y = np.sort(rng.choice(n_clusters, n_objects, p=shares / shares.sum()))
    centres = rng.normal(size=(n_clusters, q)) * rng.uniform(2.5, 5.0)
    numbers = centres[y] + rng.normal(size=(n_objects, q))
    columns = []
    for _ in range(p):
        n_values = rng.integers(3, 6)
        modes = rng.integers(n_values, size=n_clusters)
        same = rng.random(n_objects) < rng.uniform(0.6, 0.95)
        columns.append(np.where(same, modes[y], rng.integers(n_values, size=n_objects)))
    if outliers:
        m = max(3, round(OUTLYING * n_objects))
        directions = rng.normal(size=(m, q))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        far = rng.uniform(40.0, 200.0, (m, 1))
        places = rng.choice(n_objects, m, replace=False)
        numbers[places], y = directions * far, y.copy()
        y[places] = -1
    numbers = numbers * 10.0 ** rng.uniform(-2, 3, q) + rng.normal(size=q)
    table = pd.DataFrame(numbers, columns=[f"x{l}" for l in range(q)])
    for l, values in enumerate(columns):
        table[f"word{l}"] = [f"value {value}" for value in values]
    return table, y


def real_tables():
    """Yield name, DataFrame and classes (n,), as loaded and with three far objects of class -1."""
    from palmerpenguins import load_penguins

    zoo, penguins = load("zoo"), load_penguins().dropna().drop(columns="year").reset_index(drop=True)
    animals = pd.DataFrame(zoo.X, columns=zoo.feature_names).astype("category")
    animals["legs"] = animals["legs"].astype(float)
    tables = {"zoo": (animals, zoo.y), "penguins": (penguins.drop(columns="species"), penguins["species"])}
    for name, (table, classes) in tables.items():
        y = pd.factorize(classes)[0]
        yield name, False, table, y
        far, numbers = table.copy(), table.select_dtypes("number").astype(float)
        rows = np.random.default_rng(0).choice(len(table), 3, replace=False)
        far[numbers.columns] = numbers
        far.loc[rows, numbers.columns] += 100 * (numbers - numbers.median()).loc[rows]
        yield name, True, far, np.where(np.isin(np.arange(len(y)), rows), -1, y)


def k_prototypes(table, n_clusters, gamma):
    """Return the labels of k-prototypes on standardised numbers."""
    from kmodes.kprototypes import KPrototypes

    numbers = table.select_dtypes("number")
    X = np.hstack([StandardScaler().fit_transform(numbers), table.drop(columns=numbers).to_numpy()])
    X = X.astype(object)
    X[:, : numbers.shape[1]] = X[:, : numbers.shape[1]].astype(float)
    words = list(range(numbers.shape[1], X.shape[1]))
    for init in ("Cao", "Huang", "random"):  # it gives up where a start has an empty cluster
        model = KPrototypes(n_clusters, n_init=2, init=init, gamma=gamma, max_iter=30, random_state=0)
        try:
            return model.fit_predict(X, categorical=words)
        except ValueError:
            pass
    return np.zeros(len(X), dtype=int)


def one_hot(table):
    """Return standardised numbers and truth values."""
    return StandardScaler().fit_transform(pd.get_dummies(table, dtype=float))


def methods(n_clusters):
    """Return a dict from names to functions of a table that return labels."""
    simple = {"focal_sets": "simple", "n_init": 1, "random_state": 0}

    def evclus(ranges):
        model = EVCLUS(n_clusters, metric="precomputed", **simple)
        return lambda table: model.fit(gower_dissimilarities(table, ranges=ranges)).labels_

    pairs = {"focal_sets": "pairs", "delta": 10.0, "n_init": 5, "random_state": 0}
    return {
        "MixedECM": lambda table: MixedECM(n_clusters, focal_sets="pairs", random_state=0).fit(table).labels_,
        "EVCLUS, Gower robust": evclus("robust"),
        "EVCLUS, Gower full": evclus("full"),
        "ECM, one-hot": lambda table: ECM(n_clusters, **pairs).fit(one_hot(table)).labels_,
    } | {f"k-prototypes {g}": lambda table, g=g: k_prototypes(table, n_clusters, g) for g in GAMMAS}


def measure(seeds):
    """Return one row per method and table."""
    cases = [
        (c, seed, outliers, *make_table(c, seed, outliers=outliers))
        for c in CLUSTERS
        for seed in seeds
        for outliers in (False, True)
    ]
    rows = []
    for c, seed, outliers, table, y in [*cases, *((y.max() + 1, *case, y) for *case, y in real_tables())]:
        ordinary = y >= 0
        for method, fit in methods(c).items():
            began = time.perf_counter()
            labels = fit(table)
            seconds = time.perf_counter() - began
            rows.append((c, seed, outliers, method, adjusted_rand(y[ordinary], labels[ordinary]), seconds))
    return pd.DataFrame(rows, columns=["c", "table", "outliers", "method", "ari", "time_s"])


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    seeds = range(*map(int, sys.argv[1:3])) if len(sys.argv) > 2 else range(100, 103)
    rows = measure(seeds)
    table = rows.pivot_table(index=["c", "table", "outliers"], columns="method", values="ari")
    table["k-prototypes' best"] = table.filter(like="k-prototypes").max(axis=1)
    real = table.index.get_level_values("table").isin(["zoo", "penguins"])
    print(table[real].T.round(2).to_string())
    table = table[~real]
    print(table.groupby("outliers").mean().T.round(3).to_string())
    print(table.groupby("c").mean().T.round(2).to_string())
    plain = table["k-prototypes' best"].xs(False, level="outliers").mean()
    print("share of k-prototypes' best without outliers:")
    print((table.groupby("outliers").mean() / plain).T.round(3).to_string())
    print(rows.groupby("method")["time_s"].mean().round(2).to_string())
    OUT.mkdir(parents=True, exist_ok=True)
    rows.to_csv(OUT / "mixed_tables.csv", index=False)


if __name__ == "__main__":
    main()
