"""Figure 1: four rules that combine what the bases say about each pair of objects, on Fourclass.

Printed: the settings of Section 4.1.1, and the results in words, without numbers. Not printed: alpha, beta
and the threshold of ECM, the number of starts of the consensus, and the order in which the rule of Dubois and
Prade combines the bases. The rule is not associative, so both readings are run: all bases at once, and one
after another.

The data are the file that the authors' R package calls fourclass: 4 x 100 objects, and one far from all
others, as the paper describes. The paper has one run; ours has ten ensembles on the same objects, of which
Figure 1 shows the first. Ensembles of bases with as many clusters as classes, instead of 15, show where the
differences of the bases come from.
"""

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pandas as pd

from credalbench.core.axes import convex_hull
from credalbench.datasets import load
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, declare, knob, printed_values
from credalbench.plots import new_figure
from credalbench.plots.style import LABEL_SIZE

from ..shared.ensembles import bases_of, consensus_of
from ..shared.pictures import first_panels, panel, panels_table, partition_panel, signs
from .claims import FIG, RULES, by_rule, of

PRINTED = {name: value.value for name, value in printed_values(__file__).items()}


@dataclass(frozen=True)
class Parameters:
    """What Section 4.1.1 fixes, and what it leaves open."""

    n_clusters: int = knob(int(PRINTED["n_clusters"]), "clusters k_r of the consensus (Section 4.1.1)", low=2)
    base_n_clusters: int = knob(
        int(PRINTED["base_n_clusters"]), "clusters k_b of each base (Section 4.1.1)", low=3
    )
    n_estimators: int = knob(int(PRINTED["n_estimators"]), "number N of bases (Section 4.1.1)", low=2)
    pair_neighbors: int = knob(
        int(PRINTED["pair_neighbors"]),
        "nearest clusters K whose pairs become focal sets (Section 4.1.1)",
        low=1,
    )
    delta_quantile: float = knob(
        PRINTED["delta_quantile"], "delta as a quantile of the distances (Section 4.1.1)", low=0.01, high=1.0
    )
    n_init: int = knob(3, "starts of the consensus (not stated)", low=1)
    n_ensembles: int = knob(10, "ensembles (one is shown in the paper)", low=2)
    seed: int = knob(0, "seed of the starts (not stated)", low=0)


def cases(params):
    return [{"repetition": number} for number in range(params.n_ensembles)]


def compute(params, case):
    """Compute the tables ``rules`` and ``bases`` of an ensemble; of the first also what Figure 1 shows."""
    data, number = load("fourclass"), case["repetition"]
    seed = case_random_state(params.seed, "fourclass", number)
    bases = bases_of(params, data.X, params.base_n_clusters, seed)
    few = bases_of(params, data.X, params.n_clusters, seed)
    models = {rule: consensus_of(params, bases, seed, rule=rule) for rule in RULES}
    tables = {
        "rules": pd.DataFrame([rule_row(name, model, data) for name, model in models.items()]),
        "bases": pd.DataFrame([bases_row(bases, data), bases_row(few, data)]),
    }
    if number == 0:
        tables |= {"data": data_table(data), "objects": panels_table(bases[0], models)}
    return tables


def rule_row(rule, model, data):
    """Return how well the classes are met, and what lower and upper approximations are like.

    ``n_lower``: objects in some lower approximation; ``n_all``: objects possibly in every cluster;
    ``margin_...``: mean distance to the second nearest class mean less that to the nearest, of objects in
    one lower approximation and of those possibly in several. ``one_hull``: whether the upper approximations
    have one hull.
    ``outlier_rank``: other objects with as much mass on the empty set as the one farthest from its class.
    """
    partition = model.partition_
    sure = partition.lower_approximation().any(axis=1)
    possible = partition.interval_dominance()
    several = possible.sum(axis=1) > 1
    margin, empty = class_margin(data), partition.masses[:, partition.focal_sets.index([])]
    relation = model.relation_
    return {
        "rule": rule,
        "ari": adjusted_rand(data.y, partition.labels("plausibility")),
        "n_lower": int(sure.sum()),
        "n_upper": int(several.sum()),
        "n_all": int(possible.all(axis=1).sum()),
        "margin_lower": average(margin[sure]),
        "margin_upper": average(margin[several]),
        "one_hull": hulls_coincide(data.X, possible & ~partition.outliers()[:, None]),
        "outlier_rank": int((empty >= empty[farthest(data)]).sum()) - 1,
        "ignorance": relation.nonspecificity(),
        "nonspecificity": partition.nonspecificity(),
        "credal_rand": model.credal_rand_,
        "stress": model.objective_,
        "converged": model.converged_,
    }


def hulls_coincide(X, possible):
    """Return whether the upper approximations, (n, c) bool, all have the same convex hull."""
    corners = [convex_hull(X[inside]) for inside in possible.T]
    return all(np.array_equal(corners[0], others) for others in corners[1:])


def bases_row(bases, data):
    """Return how the bases of one ensemble differ, how reliable they are, and how many pairs one has at most.

    ``agreement``: mean adjusted Rand index of two bases; ``apart``: of the pairs in one class the share that
    a base believes apart by more than a half, mean over the bases; ``correlation``: of the beliefs "same" of
    two bases over all pairs of objects, mean over neighbouring bases.
    """
    labels = [base.labels("plausibility") for base in bases]
    relations = [base.normalized().relational() for base in bases]
    upper = np.triu_indices(len(data.y), 1)
    alike = data.y[upper[0]] == data.y[upper[1]]
    same = [relation.same[upper] for relation in relations]
    apart = [relation.different[upper][alike] > 0.5 for relation in relations]
    return {
        "n_clusters": bases[0].n_clusters,
        "n_pairs": max(int((base.focal_sets.cardinality == 2).sum()) for base in bases),
        "agreement": float(np.mean([adjusted_rand(a, b) for a, b in combinations(labels, 2)])),
        "apart": float(np.mean(apart)),
        "correlation": float(np.mean([np.corrcoef(a, b)[0, 1] for a, b in pairwise(same)])),
    }


def data_table(data):
    """Return the objects with their class, and how far they are from its mean.

    ``distance``: in units of the covariance of the class; ``behind``: distance to the mean of the own class
    less that to the nearest other mean.
    """
    table = pd.DataFrame({"class": data.y, "x": data.X[:, 0], "y": data.X[:, 1]})
    to_means = distances_to_means(data)
    own = to_means[np.arange(len(data.y)), data.y]
    others = np.where(np.arange(to_means.shape[1]) == data.y[:, None], np.inf, to_means)
    return table.assign(behind=own - others.min(axis=1), distance=class_distance(data))


def class_distance(data):
    """Return the Mahalanobis distance of each object to its class mean, with its covariance: (n,)."""
    found = np.empty(len(data.y))
    for k in range(data.y.max() + 1):
        inside = data.X[data.y == k]
        centred = inside - inside.mean(axis=0)
        precision = np.linalg.inv(np.cov(inside.T, bias=True))
        found[data.y == k] = np.sqrt(np.einsum("ip,pq,iq->i", centred, precision, centred))
    return found


def distances_to_means(data):
    """Return the Euclidean distances to the means of the classes: (n, g)."""
    means = np.array([data.X[data.y == k].mean(axis=0) for k in range(data.y.max() + 1)])
    return np.linalg.norm(data.X[:, None] - means, axis=2)


def class_margin(data):
    """Return the distance to the second nearest class mean less that to the nearest: (n,)."""
    return np.diff(np.sort(distances_to_means(data), axis=1)[:, :2], axis=1).ravel()


def farthest(data):
    """Return the object that is farthest from the nearest class mean."""
    return int(distances_to_means(data).min(axis=1).argmax())


def average(values):
    """Return the mean, or NaN if there are no values."""
    return float(np.mean(values)) if len(values) else np.nan


# ---------------------------------------------------------------- drawing


#: The panels of the paper, then the other reading of the rule of Dubois and Prade.
PANELS = ("average", "dempster", "disjunctive", "dubois_prade_sequential", "dubois_prade")


def draw(params, tables):
    """Draw data, a base, and the partitions under four rules, of the first ensemble."""
    figure = new_figure(10.6, 16.4)
    axes = figure.subplots(4, 2).ravel()
    data, objects = tables["data"], tables["objects"]
    X, y = first_panels(axes, data, objects, "Fourclass", params.base_n_clusters)
    for letter, ax, rule in zip("cdefg", axes[2:], PANELS):
        found = of(tables, rule).loc[0, "ari"]
        name = RULES[rule][0].upper() + RULES[rule][1:]
        title = f"({letter}) {name}: ARI {found:.2f}"
        partition_panel(ax, X, y, panel(objects, rule), params.n_clusters, title)
    axes[-1].axis("off")
    axes[-1].legend(handles=signs(y), loc="center", frameon=False, fontsize=LABEL_SIZE)
    return {FIG: figure}


experiment = declare(
    __name__,
    title="Fourclass under the rules of combination",
    artefacts={"ensemble-fig-1": "Fourclass: data, a base, and the consensus under each rule"},
    summaries=(by_rule,),
    smoke={"n_ensembles": 2, "n_estimators": 4, "n_init": 1},
    data=("fourclass",),
)
