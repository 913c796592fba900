"""Compare rules for d0 and the start of EVCLUS, given only the number of clusters, on 51 data sets.

    python benchmarks/evclus_defaults.py [--runs 5]

The default was chosen on the 21 tuning sets; the 30 others were listed before any rule was tried on them. For
each rule, the program prints the mean ARI over each group, and the share of the objects that the rule calls
outliers after two far objects in a hundred were added. It needs the data files that `TUNING` and `FILES`
name.
"""

import argparse

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.metrics import silhouette_score

from credalbench.baselines.base_partitions import no_user_warnings
from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.preliminary import DECIMALS, sample_objects, short_fits, ward_masses
from credalbench.cluster.conflict.transformation import d0_from_quantile, transformed
from credalbench.cluster.inputs.dissimilarities import dissimilarity_matrix
from credalbench.datasets import load
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, case_rng

TUNING = (*(f"blobs {c}" for c in (2, 3, 4, 5, 6, 8, 10, 12)), "unequal blobs 5", "unequal blobs 8", "iris")
TUNING += (
    "wine",
    "cancer",
    "seeds",
    "r15",
    "aggregation",
    "flame",
    "jain",
    "compound",
    "fourclass",
    "protein",
)
FILES = ("s2", "letters_ijl", "glass_types", "soybean_small", "zoo", "user_knowledge", "vehicle", "spiral")
FILES += ("ecoli", "breast_cancer_wisconsin", "mfeat_pix", "libras")
STANDARDISED, MOST = ("wine", "cancer", "glass_types", "vehicle"), 800
TRIANGLE = np.array([(0, 0), (1, 0), (0.5, 0.9)])


def centres(c, p, gap, rng):
    """Draw c centres at least `gap` apart, in a box that grows until there is room."""
    side = gap * c ** (1 / p) * 1.2
    while True:
        found = []
        for _ in range(2000):
            x = rng.uniform(0, side, p)
            found += [x] if all(np.linalg.norm(x - y) >= gap for y in found) else []
            if len(found) == c:
                return np.array(found)
        side *= 1.15


def classes(n, shares, rng):
    """Draw n classes with at least five objects each; `shares` may be the number of classes."""
    shares = np.full(shares, 1 / shares) if np.isscalar(shares) else shares
    return np.r_[np.repeat(np.arange(len(shares)), 5)[:n], rng.choice(len(shares), n, p=shares)][:n]


def blobs(c, rng, n=500, p=2, gap=6.0, equal=True):
    places = centres(c, p, gap, rng)
    shares = np.full(c, 1 / c) if equal else np.maximum(rng.dirichlet(np.full(c, 2.0)), 0.01)
    y = classes(n, shares / shares.sum(), rng)
    return places[y] + rng.normal(size=(n, p)), y, "euclidean"


def at(places, n, noise, rng, shares=None):
    """Add noise(rng, y) to the centres of classes that are drawn."""
    y = classes(n, len(places) if shares is None else np.array(shares), rng)
    return places[y] + noise(rng, y), y, "euclidean"


def normal(p):
    return lambda rng, y: rng.normal(size=(len(y), p))


def elongated(rng):
    places, y = centres(5, 3, 12.0, rng), classes(400, 5, rng)
    axes = np.linalg.qr(rng.normal(size=(5, 3, 3)))[0] * np.array([3.0, 1.0, 0.5])
    return places[y] + np.einsum("ipq,iq->ip", axes[y], rng.normal(size=(400, 3))), y, "euclidean"


def in_discs(rng, y):
    radii, angles = (
        rng.uniform(1.0, 3.0, 5)[y] * np.sqrt(rng.random(len(y))),
        rng.uniform(0, 2 * np.pi, len(y)),
    )
    return radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


def of_spreads(rng, y):
    return rng.uniform(0.4, 2.0, 6)[y, None] * rng.normal(size=(len(y), 2))


def lattice(side, p, n, rng):
    places = 6.0 * np.stack(np.meshgrid(*[np.arange(side)] * p), axis=-1).reshape(-1, p)
    return at(places, n, normal(p), rng)


def words(rng):
    y = classes(300, 5, rng)
    values, changed = rng.integers(5, size=(5, 15))[y], rng.random((300, 15)) < 0.3
    return np.where(changed, rng.integers(5, size=(300, 15)), values), y, "hamming"


def noisy(rng):
    X, y, _ = blobs(6, rng, n=300, p=3)
    d = pdist(X, "sqeuclidean")
    return squareform(d * rng.lognormal(sigma=0.3, size=d.shape)), y, "precomputed"


#: Name -> function of a generator that draws objects, classes and the metric.
GENERATED = {
    "5 dimensions": lambda rng: blobs(7, rng, 400, 5, equal=False),
    "10 dimensions": lambda rng: blobs(4, rng, 300, 10),
    "20 dimensions": lambda rng: blobs(9, rng, 400, 20),
    "4 sd apart": lambda rng: blobs(5, rng, 400, gap=4.0),
    "40 objects": lambda rng: blobs(4, rng, 40),
    "Student": lambda rng: student(rng),
    "elongated": elongated,
    "spreads": lambda rng: at(centres(6, 2, 10.0, rng), 400, of_spreads, rng),
    "discs": lambda rng: at(centres(5, 2, 7.0, rng), 400, in_discs, rng),
    "nested": lambda rng: at(
        30 * np.repeat(TRIANGLE, 3, axis=0) + np.tile(6 * TRIANGLE, (3, 1)), 360, normal(2), rng
    ),
    "lattice 4 x 4": lambda rng: lattice(4, 2, 480, rng),
    "cube": lambda rng: lattice(2, 3, 400, rng),
    "rare": lambda rng: at(centres(4, 3, 7.0, rng), 400, normal(3), rng, (0.7, 0.2, 0.07, 0.03)),
    "moons": lambda rng: (*make_moons(300, noise=0.08, random_state=int(rng.integers(2**31))), "euclidean"),
    "city blocks": lambda rng: (
        *at(centres(5, 4, 9.0, rng), 350, lambda g, y: g.laplace(size=(350, 4)), rng)[:2], "cityblock"
    ),
    "words": words,
    "noisy": noisy,
}  # fmt: skip


def student(rng):
    y = classes(400, 6, rng)
    return centres(6, 2, 10.0, rng)[y] + rng.standard_t(3, size=(400, 2)), y, "euclidean"


def real(name):
    data = None if name == "cancer" else load(name)
    if data is not None and data.X is None:
        return data.D, data.y, "precomputed"
    X, y = load_breast_cancer(return_X_y=True) if data is None else (data.X, data.y)
    if name in ("soybean_small", "zoo"):
        codes = [np.unique(column, return_inverse=True)[1] for column in np.asarray(X).T]
        return np.column_stack(codes), y, "hamming"
    X = np.asarray(X, float)
    return (X - X.mean(axis=0)) / X.std(axis=0) if name in STANDARDISED else X, y, "euclidean"


def data_of(part, name, run):
    """Return objects, classes and metric; 800 objects of larger evaluation sets."""
    rng = np.random.default_rng(case_random_state(0, part, name, run))
    if part == "tuning" and "blobs" in name:
        c, equal = int(name.split()[-1]), name.startswith("blobs")
        return blobs(c, np.random.default_rng(c if equal else 100 + c), equal=equal)
    X, y, metric = GENERATED[name](rng) if name in GENERATED else real(name)
    if part == "tuning" or len(y) <= MOST:
        return X, y, metric
    rows = np.sort(rng.choice(len(y), MOST, replace=False))
    return X[rows], y[rows], metric


def with_far_objects(X, rng):
    """Add objects in all directions from the middle, 1.2 to 3 diameters of the data away."""
    middle = (X.min(axis=0) + X.max(axis=0)) / 2
    diameter = 2 * np.linalg.norm(X - middle, axis=1).max()
    ways = rng.normal(size=(max(3, round(0.02 * len(X))), X.shape[1]))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return np.r_[X, middle + diameter * rng.uniform(1.2, 3, size=(len(ways), 1)) * ways]


def rules(X, metric, c, seed):
    """Yield the settings of each rule; rules that use the data use the sample of the default."""
    rows = sample_objects(len(X), c, np.random.RandomState(seed))
    D = X[np.ix_(rows, rows)] if metric == "precomputed" else dissimilarity_matrix(X[rows], metric, False)
    looks = short_fits(D, c, alpha=0.05)
    spread = [round(fit.partition.nonspecificity(), DECIMALS) for fit in looks]
    labels = [fit.partition.labels("plausibility") for fit in looks]
    several = [1 < np.unique(y).size < len(y) for y in labels]
    sharp = [silhouette_score(D, y, metric="precomputed") if ok else -1.0 for y, ok in zip(labels, several)]
    d = squareform(D, checks=False)
    ward = ward_masses(transformed(d, d0_from_quantile(d, 0.5, condensed=True), 0.05), FocalSets.simple(c))
    sizes = np.bincount(ward.argmax(axis=1))
    within = (sizes * (sizes - 1)).sum() / (len(D) * (len(D) - 1))
    least = max(fit.quantile for fit, value in zip(looks, spread) if value == min(spread))
    quantiles = {"least nonspecificity": least, "best silhouette": looks[int(np.argmax(sharp))].quantile}
    quantiles |= {
        "1.5 times Ward's share": 1.5 * within,
        "2/c": 2 / c,
        "1.5/c": 1.5 / c,
        "0.5": 0.5,
        "0.9": 0.9,
    }
    yield "the default", {}
    for name, quantile in quantiles.items():
        yield name, {"d0_quantile": min(quantile, looks[-1].quantile), "init": "linkage"}
    yield "0.9, random start", {"d0_quantile": 0.9, "init": "random"}


def rows_of(part, name, run):
    """Yield the ARI of each rule, and the share of outliers among the original objects."""
    X, y, metric = data_of(part, name, run)
    c, seed = np.unique(y).size, case_random_state(0, part, name, run)
    objects = {"ari": X}
    if metric == "euclidean":
        objects["outliers"] = with_far_objects(X, case_rng(0, part, name, run, "far"))
    for measure, given in objects.items():
        for rule, settings in rules(given, metric, c, seed):
            with no_user_warnings():  # of clusters that stay empty
                fit = EVCLUS(c, metric=metric, random_state=seed, **settings).fit(given)
            outliers = fit.partition_.outliers()[: len(y)].mean()
            value = adjusted_rand(y, fit.labels_) if measure == "ari" else outliers
            yield {"rule": rule, "part": part, "dataset": name, "measure": measure, "value": value}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="draws and starts of each data set")
    runs = range(parser.parse_args().runs)
    parts = {"tuning": TUNING, "unseen": (*GENERATED, "digits", *FILES)}
    cases = [(part, name, run) for part, names in parts.items() for name in names for run in runs]
    table = pd.DataFrame(row for case in cases for row in rows_of(*case))
    print(table.pivot_table(index="rule", columns=["measure", "part"], values="value", sort=False).round(3))


if __name__ == "__main__":
    main()
