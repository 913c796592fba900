"""Compare the partition that `credalbench cluster` writes with those of programs that users would take.

For each kind of planted table (`planted_tables.py`) and each seed, the program reads the table as the command
does, lets it choose the number of clusters, and scores its partition by the adjusted Rand index of the
planted clusters. Beside it: k-means, Ward's linkage and k-prototypes with the number of clusters of the page,
and the Gaussian mixture of best BIC and HDBSCAN, which find their own number. ``python
benchmarks/written_partition.py judging 0 20`` takes the seeds 0 to 19 of the stream "judging"; a file of
results/bench has a row for each table and method.
"""

import sys
import warnings
from pathlib import Path

import pandas as pd
from planted_tables import KINDS, table
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from credalbench.core.axes import principal_coordinates
from credalbench.report import cluster_report
from credalbench.tables.reading import read_with_likely_answers

OUT = Path(__file__).resolve().parent.parent / "results" / "bench"
MOST = 12  # components of a mixture
LEAST_SIZE = 10  # objects in a cluster of HDBSCAN


def peers(read, c):
    """Yield the names and labels of other programs."""
    if read.kind == "numbers":
        X = read.X.to_numpy(float)
    elif read.kind == "dissimilarities":
        X = None
    else:  # numbers with unit deviation, and a column for each value
        X = pd.get_dummies(read.frame.apply(_standardized)).to_numpy(float)
    if X is None:
        D = read.D.to_numpy(float)
        yield (
            "average linkage",
            AgglomerativeClustering(c, metric="precomputed", linkage="average").fit_predict(D),
        )
        positions, values = principal_coordinates(D)
        X = positions[:, values > 0.01 * values[0]]
        yield "HDBSCAN", HDBSCAN(LEAST_SIZE, metric="precomputed", copy=True).fit_predict(D)
    else:
        yield "HDBSCAN", HDBSCAN(LEAST_SIZE, copy=True).fit_predict(X)
    yield "k-means", KMeans(c, n_init=10, random_state=0).fit_predict(X)
    yield "Ward", AgglomerativeClustering(c).fit_predict(X)
    if read.kind in ("numbers", "dissimilarities"):
        mixtures = [
            GaussianMixture(
                k, covariance_type=shape, n_init=1, reg_covar=1e-4 * X.var(axis=0).mean(), random_state=0
            ).fit(X)
            for shape in ("full", "diag", "tied", "spherical")
            for k in range(1, MOST + 1)
        ]
        yield "mixture", min(mixtures, key=lambda one: one.bic(X)).predict(X)
    else:
        from kmodes.kmodes import KModes
        from kmodes.kprototypes import KPrototypes

        words = [
            i
            for i, name in enumerate(read.frame)
            if read.frame[name].dtype == object
            or str(read.frame[name].dtype) in ("category", "str", "string")
        ]
        values = read.frame.apply(_standardized).to_numpy(object)
        program = (
            KModes(c, n_init=5, random_state=0)
            if len(words) == values.shape[1]
            else KPrototypes(c, n_init=3, random_state=0)
        )
        options = {} if len(words) == values.shape[1] else {"categorical": words}
        yield "k-prototypes", program.fit_predict(values, **options)


def _standardized(column):
    return (column - column.mean()) / column.std() if pd.api.types.is_numeric_dtype(column) else column


def rows_of(kind, seed, stream):
    """Yield a row for each method."""
    frame, y = table(kind, seed, stream)
    read, _ = read_with_likely_answers(frame, name=f"{kind} {seed}")
    report = cluster_report(read)
    inside, c = y >= 0, report.choice.n_clusters
    found = {"written": report.partition.labels()}
    found |= {f"page: {one.method.name}": one.partition.labels() for one in report.fitted}
    found |= dict(peers(read, c))
    clear = report.choice.silhouettes.is_clear
    for name, labels in found.items():
        yield {
            "kind": kind,
            "seed": seed,
            "planted": y.max() + 1,
            "c": c,
            "clear": clear,
            "method": name,
            "ari": adjusted_rand_score(y[inside], labels[inside]),
            "first": report.results[0].method.name,
            "false": int(report.partition.outliers()[inside].sum()),
            "far": int((~inside).sum()),
            "found": int(report.partition.outliers()[~inside].sum()),
        }


def main():
    """Measure, print means and write all rows."""
    warnings.simplefilter("ignore")
    stream, first, last, *kinds = sys.argv[1:]
    rows = []
    for kind in kinds or KINDS:
        for seed in range(int(first), int(last)):
            rows += rows_of(kind, seed, stream)
        part = pd.DataFrame([row for row in rows if row["kind"] == kind])
        print(kind, part.groupby("method", sort=False)["ari"].mean().round(3).to_dict(), flush=True)
    result = pd.DataFrame(rows)
    OUT.mkdir(parents=True, exist_ok=True)
    result.to_csv(OUT / f"written_partition-{stream}.csv", index=False)
    means = result.pivot_table(index="kind", columns="method", values="ari", sort=False)
    print(means.round(3).to_string())


if __name__ == "__main__":
    main()
