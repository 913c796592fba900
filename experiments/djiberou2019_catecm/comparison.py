"""cat-ECM, k-modes and fuzzy k-modes on Soybean and Zoo; the paper compares with no other method.

All methods get the same table, the true number of clusters and ten random starts, of which the one with the
lowest objective of the method counts; each experiment is repeated. cat-ECM is that of Section IV: alpha =
-0.05, beta = 1.1, delta = 10, the empty set and sets of at most two clusters; and with alpha = 1, which
leaves hardly any mass on two clusters. Fuzzy k-modes has the same exponent of 1.1, with modes as prototypes
(Huang and Ng) and with fuzzy centroids (Kim and others), the two variants that Section II-A describes.

Its sentences on fuzzy k-modes have no numbers: "relatively good" is read as no worse than k-modes by more
than 0.05 of the adjusted Rand index, and a value is frequent if it has a quarter of a cluster's memberships.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.baselines import FuzzyKModes, KModes
from credalbench.cluster import CatECM
from credalbench.core.intervals import difference, mean
from credalbench.metrics import accuracy, adjusted_rand, purity
from credalbench.papers import NotCheckable, case_random_state, declare, knob
from credalbench.papers.claims import above, claim
from credalbench.plots import box_plot, new_figure

from .shared.restarts import fitted
from .shared.tables import TITLES, at_most_pairs, problem

ARTEFACT = "catecm-txt-02"
CLUSTERS = {"soybean": 4, "zoo": 7}
METHODS = ("cat-ECM", "cat-ECM, alpha = 1", "k-modes", "fuzzy k-modes", "fuzzy centroids")
MARGIN = 0.05  # of the adjusted Rand index: no worse
FREQUENT = 0.25  # of the memberships of a cluster: a frequent value


@dataclass(frozen=True)
class Parameters:
    """The setting of Section IV for all methods."""

    beta: float = knob(1.1, "exponent of masses and memberships (Section IV-C)", low=1.01)
    delta: float = knob(10.0, "outlier distance, to the empty set (Section IV-C)", low=0.01)
    n_restarts: int = knob(10, "random starts of an experiment (Section IV-A)", low=1)
    n_repetitions: int = knob(60, "repetitions of the ten starts (ours)", low=2)
    seed: int = knob(0, "seed of the random starts", low=0)


def cases(params):
    return [{"dataset": name, "method": method} for name in CLUSTERS for method in METHODS]


def compute(params, case):
    """Compute table ``runs``, a row for each experiment; of fuzzy k-modes also ignored frequent values."""
    name, method = case["dataset"], case["method"]
    found, rows = problem(name), []
    for number in range(params.n_repetitions):
        state = case_random_state(params.seed, name, number)
        model = clusterer(method, params, CLUSTERS[name]).set_params(
            n_init=params.n_restarts, random_state=state
        )
        labels = fitted(model, found.table).labels_
        row = {
            "repetition": number,
            "ari": adjusted_rand(found.y, labels),
            "accuracy": accuracy(found.y, labels),
            "majority": purity(found.y, labels),
        }
        if method == "fuzzy k-modes":
            row |= ignored_values(model, found.table, params.beta)
        rows.append(row)
    return {"runs": pd.DataFrame(rows)}


def clusterer(method, params, n_clusters):
    """Return an estimator with its own options."""
    if method == "k-modes":
        return KModes(n_clusters)
    if method.startswith("fuzzy"):
        return FuzzyKModes(n_clusters, m=params.beta, centroids="modes" if "modes" in method else "fuzzy")
    alpha = 1.0 if "alpha" in method else -0.05
    options = {"alpha": alpha, "beta": params.beta, "delta": params.delta}
    return CatECM(n_clusters, focal_sets=at_most_pairs(n_clusters), init="random", **options)


def ignored_values(model, table, beta):
    """Return the share of pairs of cluster and attribute with a frequent value that the prototype lacks."""
    weights = model.membership_**beta
    weights = weights / weights.sum(axis=0)
    second, several = [], []
    for column, kept in zip(table, model.weights_):
        values = pd.get_dummies(table[column]).to_numpy(dtype=float)
        shares = np.sort(weights.T @ values, axis=1)
        second.append(shares[:, -2] if shares.shape[1] > 1 else np.zeros(len(shares)))
        several.append((kept > 0).sum(axis=1))
    return {"ignored": float((np.array(second) >= FREQUENT).mean()), "most_values": int(np.max(several))}


def means(params, tables):
    """Return the means and standard deviations over the experiments, by data set and method."""
    groups = tables["runs"].groupby(["dataset", "method"], sort=False)[["ari", "accuracy", "majority"]]
    return groups.agg(lambda values: f"{values.mean():.3f} ± {values.std():.3f}")


def draw(params, tables):
    figure = new_figure(10.4, 3.8)
    for ax, name in zip(figure.subplots(1, len(CLUSTERS), sharey=True), CLUSTERS):
        runs = tables["runs"].query("dataset == @name")
        lines = {method: method.replace(", ", ",\n").replace("fuzzy ", "fuzzy\n") for method in METHODS}
        runs = runs.assign(method=runs["method"].map(lines))
        box_plot(ax, runs, "ari", "method", title=f"{TITLES[name]}, c = {CLUSTERS[name]}")
        ax.set_ylabel("adjusted Rand index" if name == "soybean" else "")
    return {ARTEFACT: figure}


# ------------------------------------------------------------------------------------------ claims


def values(tables, name, method, measure="ari"):
    """Return one measure of all experiments with a method on a data set."""
    rows = tables["runs"].query("dataset == @name and method == @method").sort_values("repetition")
    return rows[measure].to_numpy()


def leads(tables, first, second):
    """Return paired differences of the adjusted Rand index, first minus second, on each data set."""
    return {
        TITLES[name]: difference(values(tables, name, first), values(tables, name, second))
        for name in CLUSTERS
    }


@claim(
    ARTEFACT,
    f"cat-ECM clusters Soybean and Zoo at least as well as k-modes, to {MARGIN:g} of the adjusted Rand index",
    sentence="S01",
)
def efficient(params, tables):
    note = "; ".join(
        f"{TITLES[name]}: accuracy {mean(values(tables, name, 'cat-ECM', 'accuracy')).value:.3f}"
        for name in CLUSTERS
    )
    return above(-MARGIN, leads(tables, "cat-ECM", "k-modes"), "+.3f", note)


@claim(
    ARTEFACT,
    f"fuzzy k-modes clusters Soybean and Zoo at least as well as k-modes, to {MARGIN:g} of the adjusted Rand "
    "index",
    sentence="S04",
)
def fuzzy_modes_do_well(params, tables):
    return above(-MARGIN, leads(tables, "fuzzy k-modes", "k-modes"), "+.3f")


@claim(
    ARTEFACT,
    "prototypes of fuzzy k-modes have one value for each attribute, and some leave out a value that has a "
    "quarter of the memberships of their cluster or more",
    sentence="S05",
)
def frequent_values_are_ignored(params, tables):
    fuzzy = {name: values(tables, name, "fuzzy k-modes", "ignored") for name in CLUSTERS}
    kept = max(values(tables, name, "fuzzy k-modes", "most_values").max() for name in CLUSTERS)
    if kept != 1:
        raise NotCheckable(f"a prototype has {kept:g} values for one attribute")
    shares = {f"{TITLES[name]}, share of cluster and attribute": mean(v) for name, v in fuzzy.items()}
    return above(0, shares, ".1%")


experiment = declare(
    __name__,
    title="cat-ECM compared with k-modes and fuzzy k-modes",
    artefacts={ARTEFACT: "Agreement with the classes, three kinds of methods"},
    summaries=(means,),
    smoke={"n_restarts": 3, "n_repetitions": 3},
    data=("soybean_small", "zoo"),
)
