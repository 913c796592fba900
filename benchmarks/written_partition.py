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
from planted_tables import KINDS, OTHERS, WITHOUT, table
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from credalbench.core.axes import principal_coordinates
from credalbench.core.intervals import proportion
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
    report, y = cluster_report(read), y[read.index.to_numpy()]  # of the rows that were not left out
    inside, c, found = y >= 0, report.choice.n_clusters, report.choice.silhouettes
    outliers = report.partition.outliers()
    row = {"kind": kind, "seed": seed, "planted": y.max() + 1, "c": c, "second": found.second}
    row |= {"clear c": found.is_clear, "clear": report.is_clear, "first": report.main}
    row |= {"reason": report.reason, "false outliers": outliers[inside].mean(), "far": (~inside).sum()}
    row |= {"found": outliers[~inside].sum()}
    labels = {"written": report.partition.labels()}
    labels |= {f"page: {one.method.name}": one.partition.labels() for one in report.fitted}
    for name, found in (labels | dict(peers(read, c))).items():
        yield row | {"method": name, "ari": adjusted_rand_score(y[inside], found[inside])}


def main():
    """Measure, print means and write all rows."""
    warnings.simplefilter("ignore")
    stream, first, last, *kinds = sys.argv[1:]
    rows = []
    for kind in kinds or (*KINDS, *OTHERS, *WITHOUT):
        for seed in range(int(first), int(last)):
            rows += rows_of(kind, seed, stream)
        part = pd.DataFrame([row for row in rows if row["kind"] == kind])
        means = part.groupby("method", sort=False)["ari"].mean()
        print(kind, means[~means.index.str.startswith("page: ")].round(3).to_dict(), flush=True)
    rows = pd.DataFrame(rows)
    OUT.mkdir(parents=True, exist_ok=True)
    rows.to_csv(OUT / f"written_partition-{stream}.csv", index=False)
    one = rows[rows["method"] == "written"]
    right, second = one["c"] == one["planted"], one["second"] == one["planted"]
    for name, among in (
        ("clear, several", one["clear"] & (one["c"] > 1)),
        ("clear, one", one["clear"] & (one["c"] == 1)),
        ("not clear", ~one["clear"]),
    ):
        either = (right | second)[among].sum()
        print(f"{name}: right number {proportion(right[among])} of {among.sum()}, one of two {either}")
    sure = one["clear"] & (one["c"] > 1)
    print(f"clear, and ARI at least .9: {(one['ari'] >= 0.9)[sure].sum()} of {sure.sum()}")
    kmeans = rows[rows["method"] == "k-means"].set_index(["kind", "seed"])["ari"]
    worse = one.set_index(["kind", "seed"])["ari"].reindex(kmeans.index) < kmeans - 0.05
    print(f"worse than k-means by more than .05: {worse.sum()} of {len(worse)}")


if __name__ == "__main__":
    main()
