"""Measure how often `credalbench cluster` finds the number of clusters of generated tables, and how surely.

Two generators make tables of numbers, distances, categories, and numbers and categories. The criteria of
`select_by_silhouette` and their bounds were chosen on the first generator ("tuning"): round Gaussians,
categories with noise. The second generator ("acceptance") evaluates them: 60 tables of balls, ellipsoids and
heavy tails, at least six standard deviations apart, and of categories with shares, with 2 to 9 clusters of
unequal sizes and in every other table 2 % far outliers; and 20 tables without clusters. Beside it: the number
with the largest mean silhouette of Ward's clusters, and the number that most criteria of `select_n_clusters`
prefer (fuzzy c-means for numbers, else EVCLUS; 1 to 12 clusters, five halves; the smallest in case of a tie),
which `credalbench cluster` used before.

Prints the tables that are right, and how often a clear choice is; writes a file of results/bench. `python
benchmarks/number_of_clusters.py tuning 500 520` takes the seeds 500 to 519 of the tuning tables, `touching`
makes their clusters touch and overlap. `users` takes tables as users have them: a machine with faulty
readings, and customers with attributes that say nothing. `mixture` takes a table of each of 21 kinds for each
seed: all of these, clusters that differ in one column, an attribute that divides all clusters, and numbers
without clusters, skewed or counted. The rule about valleys was made on its seeds 1000 to 1019, what "clear"
promises was measured on 2000 to 2007.
"""

import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform

from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import EVCLUS
from credalbench.core.intervals import proportion
from credalbench.report import choose_n_clusters
from credalbench.report.choice import metric_of
from credalbench.select import select_n_clusters
from credalbench.select.silhouettes import dissimilarities, linkage_criteria
from credalbench.tables.reading import read_with_likely_answers

OUT = Path(__file__).resolve().parent.parent / "results" / "bench"
KINDS = ("numbers", "distances", "categories", "mixed")
OUTLYING = 0.02  # share of far objects in every other table


def sizes_of(shares, n):
    """Return cluster numbers (n,) with the given shares, at least 8 objects each."""
    shares = np.maximum(shares / shares.sum(), 8 / n)
    counts = np.floor(shares / shares.sum() * n).astype(int)
    counts[0] += n - counts.sum()
    return np.repeat(np.arange(len(counts)), counts)


def apart(draw, least, c, grow=1.05):
    """Return c points from `draw(scale)`, at least `least` apart; the scale grows until they are."""
    scale = 1.0
    while True:
        points = [draw(scale)]
        for _ in range(300):
            one = draw(scale)
            if min(np.linalg.norm(one - other) for other in points) >= least:
                points.append(one)
            if len(points) == c:
                return np.array(points)
        scale *= grow


def distances_of(X, metric, rng, noise):
    """Return distances (n, n) with relative errors."""
    d = pdist(X, metric)
    return pd.DataFrame(squareform(d * np.exp(noise * rng.normal(size=len(d)))))


# ---------------------------------------------------------------- tuning: round Gaussians, modes with noise


def gaussians(c, n, p, separation, rng):
    """Return round Gaussians with centres in a box: X (n, p), y."""
    stretch = rng.choice([1.0, 1.0, 2.0, 3.0])
    centers = apart(lambda scale: rng.uniform(0, stretch * separation * scale, p), separation, c)
    y = sizes_of(np.ones(c) if rng.random() < 0.5 else rng.dirichlet(np.full(c, 3.0)), n)
    return centers[y] + rng.uniform(0.7, 1.0, c)[y, None] * rng.normal(size=(n, p)), y


def modes_with_noise(y, q, share, rng, most=0.25):
    """Return categories (n, q) of 2 to 5 values; modes of any two clusters differ in a share of columns."""
    c, levels = y.max() + 1, rng.integers(2, 6, q)
    for trial in range(1, 10**6):
        modes = rng.integers(0, levels, (c, len(levels)))
        if ((modes[:, None] != modes).mean(axis=2) + np.eye(c) >= share).all():
            break
        if trial % 200 == 0:
            levels = np.append(levels, rng.integers(3, 6))
    other = rng.integers(0, levels, (len(y), len(levels)))
    noisy = rng.random(other.shape) < rng.uniform(0.05, most)
    return pd.DataFrame(np.where(noisy, other, modes[y])).map("v{}".format).add_prefix("k")


def tuning_table(kind, seed, easy=True):
    """Return the planted number of clusters and a table; clusters may touch unless it is easy."""
    rng = np.random.default_rng([1, KINDS.index(kind), seed])
    c, n, p = 2 + seed % 8, int(rng.integers(120, 400)), int(rng.choice([2, 3, 5, 8]))
    separation, share = (6.0, 0.5) if easy else (rng.uniform(1.5, 5), rng.uniform(0.15, 0.5))
    X, y = gaussians(c, n, p, separation, rng)
    if seed // 8 % 2:
        m = max(2, round(OUTLYING * n))
        v = rng.normal(size=(m, p))
        middle, reach = X.mean(axis=0), np.ptp(X, axis=0).max()
        X[rng.choice(n, m, replace=False)] = middle + v / np.linalg.norm(v, axis=1)[:, None] * reach * (
            rng.uniform(1.2, 3, (m, 1))
        )
    if kind == "numbers":
        return c, pd.DataFrame(X).add_prefix("x")
    if kind == "distances":
        return c, distances_of(X, rng.choice(["cityblock", "euclidean"]), rng, 0.03)
    words = modes_with_noise(
        y, int(rng.integers(6, 16)) if kind == "categories" else int(rng.integers(3, 7)), share, rng
    )
    return c, words if kind == "categories" else pd.concat([pd.DataFrame(X).add_prefix("x"), words], axis=1)


# ---------------------------------------------------------------- acceptance: other shapes


def shaped(c, n, p, rng):
    """Return clusters of several shapes, at least six standard deviations apart: X (n, p), y."""
    y = sizes_of(1 / np.sqrt(rng.permutation(c) + 1.0), n)
    centers = apart(lambda scale: 4.0 * scale * rng.normal(size=p), 6.0, c)
    X = np.empty((n, p))
    for k in range(c):
        m, shape = (y == k).sum(), rng.choice(["ball", "ellipsoid", "tails"])
        Z = rng.normal(size=(m, p))
        if shape == "ball":  # uniform, of standard deviation 1
            Z *= np.sqrt(p + 2) * (rng.random(m) ** (1 / p) / np.linalg.norm(Z, axis=1))[:, None]
        elif shape == "ellipsoid":
            axes = np.linalg.qr(rng.normal(size=(p, p)))[0]
            Z = Z * rng.uniform(0.4, 1.0, p) @ axes
        else:  # Student's t with 8 degrees of freedom, standardised
            Z *= np.sqrt(6 / rng.chisquare(8, (m, 1)))
        X[y == k] = centers[k] + Z
    return X, y


def profiles(y, q, rng):
    """Return categories (n, q) with probabilities by cluster; a fifth of the columns is uninformative."""
    c, columns = y.max() + 1, []
    modes, levels = np.zeros((c, 0), int), []
    while len(levels) < q or ((modes[:, None] != modes).mean(axis=2) + np.eye(c) < 0.5).any():
        if len(levels) >= 2 * q:
            modes, levels = np.zeros((c, 0), int), []
        levels.append(int(rng.integers(2, 7)))
        modes = np.column_stack([modes, rng.permutation(np.arange(c) % levels[-1])])
    for l, size in enumerate(levels):
        certainty = rng.uniform(0.75, 0.97, c)
        P = rng.dirichlet(np.ones(size), c) * (1 - certainty)[:, None]
        P[np.arange(c), modes[:, l]] += certainty
        columns.append([rng.choice(size, p=P[k]) for k in y])
    columns += [rng.integers(0, rng.integers(2, 5), len(y)) for _ in range(q // 5)]
    table = pd.DataFrame(np.column_stack(columns)[:, rng.permutation(len(columns))])
    return table.map("ABCDEFG".__getitem__).add_prefix("w")


def acceptance_table(kind, seed):
    """Return the planted number of clusters and a table; every other table has far outliers."""
    rng = np.random.default_rng([2, KINDS.index(kind), seed])
    c, n, p = 2 + seed % 8, int(rng.integers(150, 500)), int(rng.integers(2, 7))
    X, y = shaped(c, n, p, rng)
    far = rng.choice(n, round(OUTLYING * n), replace=False) if seed % 2 else np.zeros(0, int)
    reach = np.linalg.norm(X - X.mean(axis=0), axis=1).max()
    v = rng.normal(size=(len(far), p))
    X[far] = X.mean(axis=0) + v / np.linalg.norm(v, axis=1)[:, None] * reach * rng.uniform(
        2, 8, (len(far), 1)
    )
    if kind == "distances":
        return c, distances_of(X, rng.choice(["euclidean", "chebyshev", "cityblock"]), rng, 0.05)
    numbers = pd.DataFrame(X * 10 ** rng.uniform(-0.3, 0.3, p)).add_prefix("x")
    if kind == "numbers":
        return c, numbers
    words = profiles(y, int(rng.integers(8, 20)) if kind == "categories" else int(rng.integers(3, 9)), rng)
    if kind == "categories":
        words.iloc[far] = np.array(
            [[f"other {i} {l}" for l in range(words.shape[1])] for i in far], object
        ).reshape(-1, words.shape[1])
        return c, words
    return c, pd.concat([numbers, words], axis=1)


def table_without_clusters(kind, seed, generator=2):
    """Return a table without clusters: Gaussian, uniform or correlated numbers; independent categories."""
    rng = np.random.default_rng([10 * generator, KINDS.index(kind), seed])
    n, p = int(rng.integers(100, 400)), int(rng.integers(2, 7))
    X = rng.uniform(size=(n, p)) if seed % 3 == 1 else rng.normal(size=(n, p))
    if seed % 3 == 2:
        X = X @ (np.eye(p) + 0.8 * rng.normal(size=(p, p)))
    if kind == "numbers":
        return pd.DataFrame(X).add_prefix("x")
    if kind == "distances":
        return distances_of(X, "euclidean", rng, 0.03)
    levels = rng.integers(2, 6, int(rng.integers(5, 12)))
    words = (
        pd.DataFrame(
            np.column_stack([rng.choice(size, n, p=rng.dirichlet(np.full(size, 3.0))) for size in levels])
        )
        .map("ABCDEFG".__getitem__)
        .add_prefix("w")
    )
    return words if kind == "categories" else pd.concat([pd.DataFrame(X).add_prefix("x"), words], axis=1)


# ---------------------------------------------------------------- as users have them


def sensor_table(seed):
    """Return five states of a machine; two are alike except in the column with faulty readings."""
    rng = np.random.default_rng([3, seed])
    n, gaps = int(rng.integers(300, 700)), np.zeros(4)
    while gaps.min() < 7:
        levels = apart(lambda scale: 4 * scale * rng.normal(size=4), 7.0, 4)
        fifth = levels[0] + [0, rng.uniform(7, 10), 0, 0]
        gaps = np.linalg.norm(levels - fifth, axis=1)
    y = sizes_of(rng.dirichlet(np.full(5, 6.0)), n)
    X = np.vstack([levels, fifth])[y] + rng.normal(size=(n, 4))
    X = (X - X.min(axis=0)) * [2.0, 0.2, 0.5, 30.0] + [20.0, 0.3, 2.0, 1200.0]
    X[rng.choice(n, 6, replace=False), 1] = 99.9
    return 5, pd.DataFrame(X.round(3), columns=["temperature", "vibration", "current", "speed"])


def customers_table(seed):
    """Return four groups of customers; three numbers and a category separate them, three columns do not."""
    rng = np.random.default_rng([4, seed])
    n = int(rng.integers(250, 500))
    y = sizes_of(rng.dirichlet(np.full(4, 8.0)), n)
    order = rng.permutation(4)
    orders = rng.poisson(np.array([3, 9, 17, 28])[order][y])
    baskets = np.exp(rng.normal(np.log([25, 40, 70, 140])[rng.permutation(4)][y], 0.25))
    returns = rng.gamma(9, np.array([2, 5, 5, 20])[rng.permutation(4)][y] / 9)
    usual = rng.permutation([0, 1, 2, rng.integers(3)])[y]
    channels = np.where(rng.random(n) < 0.7, usual, rng.integers(0, 3, n))
    table = pd.DataFrame(
        {
            "since": rng.integers(0, 3000, n),
            "orders": orders,
            "basket": baskets.round(2),
            "returns": returns.round(1),
            "channel": np.array(["app", "shop", "web"], object)[channels],
            "newsletter": np.array(["yes", "no"], object)[rng.integers(0, 2, n)],
            "region": np.array(["north", "east", "south", "west"], object)[rng.integers(0, 4, n)],
        }
    )
    table.loc[rng.choice(n, 3, replace=False), "basket"] = [5000.0, 9000.0, 15000.0]
    for name in ("returns", "channel"):
        table.loc[rng.choice(n, round(0.03 * n), replace=False), name] = None
    return 4, table


def one_column_table(seed):
    """Return three to six clusters of numbers; one or two differ from another cluster in one column only."""
    rng = np.random.default_rng([5, seed])
    n, p, c = int(rng.integers(200, 600)), int(rng.integers(3, 7)), int(rng.integers(3, 7))
    n_near = int(rng.integers(1, max(2, c // 2)))
    centers = apart(lambda scale: 4 * scale * rng.normal(size=p), 6.5, c - n_near)
    while len(centers) < c:
        step = np.zeros(p)
        step[rng.integers(p)] = rng.choice([-1, 1]) * rng.uniform(6.5, 10)
        new = centers[rng.integers(c - n_near)] + step
        if np.linalg.norm(centers - new, axis=1).min() >= 6.5:
            centers = np.vstack([centers, new])
    y = sizes_of(rng.dirichlet(np.full(c, 5.0)), n)
    noise = rng.normal(size=(n, int(rng.integers(0, 3))))
    X = np.hstack([centers[y] + rng.normal(size=(n, p)), noise])
    X = X[:, rng.permutation(X.shape[1])] * 10 ** rng.uniform(-1, 2, X.shape[1])
    return c, pd.DataFrame(X).add_prefix("x")


def divided_table(seed):
    """Return two to five clusters of numbers and categories; the attribute "sex" divides all of them."""
    rng = np.random.default_rng([6, seed])
    n, q, c = int(rng.integers(200, 500)), int(rng.integers(2, 5)), int(rng.integers(2, 6))
    centers = apart(lambda scale: 4 * scale * rng.normal(size=q), 5.5, c)
    y = sizes_of(rng.dirichlet(np.full(c, 6.0)), n)
    sex = rng.integers(0, 2, n)
    X = centers[y] + rng.normal(size=(n, q)) + np.outer(sex, rng.uniform(0, 1.5, q))
    table = pd.DataFrame(X * 10 ** rng.uniform(-1, 2, q)).add_prefix("x")
    for l in range(int(rng.integers(1, 4))):
        size = int(rng.integers(2, 5))
        usual = rng.permutation(np.arange(max(c, size)) % size)[y]
        values = np.where(rng.random(n) < rng.uniform(0.7, 0.97), usual, rng.integers(0, size, n))
        table[f"word{l}"] = np.array(list("ABCD"), object)[values]
    table["sex"] = np.array(["male", "female"], object)[sex]
    for l in range(int(rng.integers(0, 3))):
        table[f"noise{l}"] = np.array(list("PQRS"), object)[rng.integers(0, rng.integers(2, 5), n)]
    return c, table


def skewed_table_without_clusters(seed):
    """Return lognormal and gamma numbers, counts and ratings without clusters, some correlated."""
    rng = np.random.default_rng([7, seed])
    n, q = int(rng.integers(150, 500)), int(rng.integers(1, 4))
    Z = rng.normal(size=(n, q)) @ (np.eye(q) + 0.5 * rng.normal(size=(q, q)))
    columns = [*np.exp(0.6 * Z).T, rng.gamma(2.0, size=n), rng.poisson(rng.uniform(1, 12), n)]
    columns.append(rng.choice(5, n, p=rng.dirichlet(np.full(5, 3.0))) + 1)
    return 1, pd.DataFrame(np.column_stack(columns)).add_prefix("x")


# ---------------------------------------------------------------- judging


USERS = {"sensor": sensor_table, "customers": customers_table}
DIVIDED = {"one column": one_column_table, "divided": divided_table}


def kinds_of_mixture():
    """Return the kinds of tables of the mixture: name -> function of a seed."""
    found = dict(USERS | DIVIDED) | {"skewed, none": skewed_table_without_clusters}
    for kind in KINDS:
        found |= {
            f"round {kind}": lambda seed, kind=kind: tuning_table(kind, seed),
            f"touching {kind}": lambda seed, kind=kind: tuning_table(kind, seed, easy=False),
            f"shaped {kind}": lambda seed, kind=kind: acceptance_table(kind, seed),
            f"{kind}, none": lambda seed, kind=kind: (1, table_without_clusters(kind, seed, seed % 2 + 1)),
        }
    return found


def tables(which, seeds):
    """Yield kind, seed, planted number (1 without clusters) and table."""
    if which in ("users", "mixture"):
        for seed in seeds:
            for kind, make in (USERS if which == "users" else kinds_of_mixture()).items():
                yield kind, seed, *make(seed)
        return
    for kind in KINDS:
        for seed in seeds:
            if which == "acceptance":
                yield kind, seed, *acceptance_table(kind, seed)
            else:
                yield kind, seed, *tuning_table(kind, seed, easy=which == "tuning")
    for kind in KINDS:
        for seed in seeds[: max(1, len(seeds) // 3)]:
            generator = 2 if which == "acceptance" else 1
            yield kind, seed, 1, table_without_clusters(kind, seed, generator)


def by_votes(table):
    """Return the number that most criteria prefer, the smallest in case of a tie."""
    if metric_of(table) == "euclidean":
        estimator, data = FuzzyCMeans(random_state=0), table.X
    else:
        estimator, data = EVCLUS(metric="precomputed", random_state=0), table.D
    curves = select_n_clusters(estimator, data, range(1, 13), n_resamples=5, random_state=0)
    if curves.recommendation.n_clusters is not None:
        return curves.recommendation.n_clusters
    votes = Counter(vote.c for vote in curves.votes)
    return min(votes, key=lambda c: (-votes[c], c)) if votes else 2


def measure(which, seeds):
    """Return one row per table."""
    rows = []
    for kind, seed, c, frame in tables(which, seeds):
        if kind.endswith("distances"):
            frame.columns = frame.index = [f"object {i}" for i in range(len(frame))]
        roles = {name: "category" for name in frame.columns if frame[name].dtype == object}
        table, _ = read_with_likely_answers(frame, name=f"{kind} {seed}", columns=roles)
        choice = choose_n_clusters(table)
        found = choice.silhouettes
        row = {"kind": kind, "seed": seed, "c": c, "chosen": choice.n_clusters}
        if which == "acceptance":
            compared = dissimilarities(table.D if kind == "distances" else table.frame, metric_of(table))
            criteria, _ = linkage_criteria(compared, range(2, 13))
            row |= {"silhouette": criteria["silhouette"].idxmax(), "votes": by_votes(table)}
        row |= {"second": found.second, "clear": found.is_clear, "support": found.support.value}
        rows.append(row | {"reached": found.n_reached, "read": table.kind, "n": table.n_objects})
    return pd.DataFrame(rows)


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    which = sys.argv[1] if len(sys.argv) > 1 else "acceptance"
    seeds = range(*map(int, sys.argv[2:4])) if len(sys.argv) > 3 else range(15)
    rows = measure(which, seeds)
    OUT.mkdir(parents=True, exist_ok=True)
    rows.to_csv(OUT / f"number_of_clusters-{which}.csv", index=False)
    clustered, without = rows[rows["c"] > 1], rows[rows["c"] == 1]
    methods = [name for name in ("chosen", "silhouette", "votes") if name in rows]
    right = clustered[methods].eq(clustered["c"], axis=0)
    print(right.groupby(clustered["kind"]).sum().assign(tables=clustered.groupby("kind").size()).to_string())
    print(f"right: {right.sum().to_dict()} of {len(right)}; ended at 1: {(clustered['chosen'] == 1).sum()}")
    for clear, ones in rows.groupby("clear"):
        hits = ones["chosen"] == ones["c"]
        either = hits | (ones["second"] == ones["c"])
        print(
            f"{'clear' if clear else 'not sure'}: {proportion(hits)} of {len(ones)} right, "
            f"one of two readings {either.sum()}"
        )
    counts = without["chosen"].value_counts().sort_index().to_dict()
    confident = (without["chosen"] > 1) & without["clear"]
    print(f"without clusters: {confident.sum()} of {len(without)} clear; chosen {counts}")
    print("clear and wrong:", rows[rows["clear"] & (rows["chosen"] != rows["c"])].to_string(), sep="\n")


if __name__ == "__main__":
    main()
