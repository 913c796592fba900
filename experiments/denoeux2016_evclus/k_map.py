"""Figure 15: the four clusters with k = 50 and with k = 1000 partners of each object.

n = 2000 objects of the t4 recipe; one run of k-EVCLUS for each k, from the same random masses. Printed: the
recipe, the two k, and that k = 50 uses "only 5 % of the distance matrix" (Section 4.1). Not printed: the
sample, the seed and the number of starts. The data set is that of Figures 12 to 14, the number 0 of its seed,
and the maps show its repetition 0, fixed beforehand. Since one run of each k proves little, the claims are
checked on ten pairs of runs.

"Qualitatively very similar" has no margin in the paper. Here two partitions are similar if they agree more
with each other than either does with the classes. Dashed hulls enclose outliers, as in Figure 8. The paper's
5 % refer to the unordered pairs; as a share of the entries of the matrix, it is half as much.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from credalbench.belief import CredalPartition, FocalSets
from credalbench.core.intervals import median
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand
from credalbench.papers import NotCheckable, case_rng, declare, knob, printed_values
from credalbench.papers.claims import above, agrees, claim
from credalbench.plots import credal_scatter, new_figure

from .shared.k_curves import PAIR_UPDATES, k_run, near, redundancy

PRINTED = printed_values(__file__)
FOCAL_SETS = FocalSets.simple(4)
CENTRES = ("centre (0, 0)", "centre (0, 5)", "centre (5, 0)", "centre (5, 5)")


@dataclass(frozen=True)
class Parameters:
    """The setting of Figure 15; the repetitions and the seed are ours."""

    n_objects: int = knob(2000, "number of objects n, a quarter in each cluster (Figure 15)", low=8)
    k_few: int = knob(50, "partners of each object in panel (a)", low=1)
    k_many: int = knob(1000, "partners of each object in panel (b)", low=1)
    n_runs: int = knob(10, "runs for each k; the first ones are drawn (the paper shows one each)", low=1)
    pair_updates: str = knob("one-sided", "row update; one-sided is the published one", choices=PAIR_UPDATES)
    d0_quantile: float = knob(0.9, "d0 as a quantile of the distances (Section 4.1)", low=0.01, high=1.0)
    alpha: float = knob(0.05, "plausibility that one cluster keeps at d0 (Section 2.3)", low=1e-6, high=0.99)
    tol: float = knob(1e-5, "epsilon of the stopping rule (21) (Section 4.1)", low=0.0)
    seed: int = knob(0, "seed of the data, the pairs and the random starts (not stated)", low=0)


def cases(params):
    return [{"repetition": repetition} for repetition in range(params.n_runs)]


def compute(params, case):
    """Do both runs of a repetition, and measure how similar they are."""
    n, repetition = params.n_objects, case["repetition"]
    data = make_t4(n, case_rng(params.seed, "t4", n, 0))
    runs, partitions = {}, {}
    for k in (params.k_few, params.k_many):
        runs[k], partitions[k] = k_run(
            data.X,
            data.y,
            k,
            seed=params.seed,
            axes=("t4", n, 0),
            repetition=repetition,
            pair_updates=params.pair_updates,
            d0_quantile=params.d0_quantile,
            alpha=params.alpha,
            tol=params.tol,
        )
    few = renumbered(partitions[params.k_few], data.y)
    many = renumbered(partitions[params.k_many], few.labels("plausibility"))
    columns = ["ari", "ari_error", "n_iter", "converged", "stress", "n_outliers", "share_of_pairs"]
    tables = {
        "runs": pd.concat({k: table[columns] for k, table in runs.items()}, names=["k"]).reset_index("k"),
        "clusters": likeness(few, many, data.y),
        "pairs": pd.DataFrame(
            {"ari_between": [adjusted_rand(few.labels("plausibility"), many.labels("plausibility"))]}
        ),
    }
    if repetition == 0:
        tables["facts"] = pd.DataFrame({"redundancy": [redundancy(data.dissimilarities())]})
        tables["objects"] = pd.concat(
            map_rows(data, k, part) for k, part in ((params.k_few, few), (params.k_many, many))
        )
    return tables


def renumbered(partition: CredalPartition, labels) -> CredalPartition:
    """Number the clusters so that as many objects as possible have the given labels."""
    c = partition.n_clusters
    counts = np.zeros((c, c), int)
    np.add.at(counts, (labels, partition.labels("plausibility")), 1)
    order = linear_sum_assignment(counts, maximize=True)[1]
    columns = np.concatenate([[0], 1 + order, [c + 1]])  # the empty set, the singletons, the frame
    return CredalPartition(partition.masses[:, columns], partition.focal_sets)


def likeness(first: CredalPartition, second: CredalPartition, y) -> pd.DataFrame:
    """Return the common part over the union of lower and upper approximations, and most with the class."""
    rows = {"cluster": np.arange(1, first.n_clusters + 1)}
    classes = y[:, None] == np.arange(first.n_clusters)
    for name in ("lower", "upper"):
        one, other = (getattr(partition, f"{name}_approximation")() for partition in (first, second))
        rows[f"{name}_overlap"] = overlap(one, other)
        rows[f"{name}_with_class"] = np.maximum(overlap(one, classes), overlap(other, classes))
    return pd.DataFrame(rows)


def overlap(one, other):
    """Return the common part over the union, column by column; 1 if both are empty."""
    common, union = (one & other).sum(axis=0), (one | other).sum(axis=0)
    return np.where(union > 0, common / np.maximum(union, 1), 1.0)


def map_rows(data, k: int, partition: CredalPartition) -> pd.DataFrame:
    objects = pd.DataFrame({"k": k, "object": np.arange(1, data.n_objects + 1), "class": data.y})
    objects["x"], objects["y"] = data.X.T
    return objects.join(partition.to_frame("masses").reset_index(drop=True))


def draw(params, tables):
    figure = new_figure(12.4, 5.6)
    panels = figure.subplots(1, 2)
    for ax, letter, k in zip(panels, "ab", (params.k_few, params.k_many)):
        objects = tables["objects"][tables["objects"]["k"] == k]
        partition = CredalPartition(objects[FOCAL_SETS.labels].to_numpy(), FOCAL_SETS)
        credal_scatter(
            ax,
            objects[["x", "y"]].to_numpy(),
            partition,
            objects["class"].to_numpy(),
            class_names=CENTRES,
            outliers_in_hulls=True,
            legend=letter == "b",
            size=3.2,
            title=f"({letter}) k = {k}, {int(partition.outliers().sum())} outliers",
            xlabel="attribute 1",
            ylabel="attribute 2" if letter == "a" else None,
        )
    return {"evclus-fig-15": figure}


# ---------------------------------------------------------------- claims


def gaps(more, less, what):
    """Return the gap in the runs of the figure, and over all pairs of runs: by label."""
    gap = more - less
    note = f"{what}; {(gap > 0).sum()} of {len(gap)} pairs of runs, lowest {more.min():.3f}"
    return {"in the figure": gap.iloc[0], "median": median(gap)}, note


@claim(
    "evclus-fig-15",
    "the most plausible clusters with few and with many pairs agree more with each other than with the "
    "classes (adjusted Rand index)",
    sentence="S43",
    explanation="objects between the clusters change sides with the pairs that are drawn for them",
)
def same_labels(params, tables):
    between = tables["pairs"].set_index("repetition")["ari_between"]
    with_classes = tables["runs"].groupby("repetition")["ari"].max()
    words = f"medians {between.median():.3f} with each other, {with_classes.median():.3f} with the classes"
    estimates, note = gaps(between, with_classes, words)
    return above(0, estimates, "+.3f", note)


@claim(
    "evclus-fig-15",
    "the {name} approximations of each cluster have more in common with each other than with its class "
    "(common part over union, the cluster of least gap)",
    sentence="S43",
    explanation="with few partners of its own, an object's masses depend on which ones it drew; they move it "
    "across the edge of an approximation although its most plausible cluster stays the same",
    each=[{"name": "lower"}, {"name": "upper"}],
)
def same_approximations(params, tables, name):
    clusters = tables["clusters"].assign(gap=lambda t: t[f"{name}_overlap"] - t[f"{name}_with_class"])
    worst = clusters.loc[clusters.groupby("repetition")["gap"].idxmin()].set_index("repetition")
    more, less = worst[f"{name}_overlap"], worst[f"{name}_with_class"]
    words = f"medians {more.median():.3f} with each other, {less.median():.3f} with the class"
    estimates, note = gaps(more, less, words)
    return above(0, estimates, "+.3f", note)


@claim(
    "evclus-fig-15",
    "few pairs lose very little: the adjusted Rand index is that with many, within the error of the sample "
    "(medians)",
    sentence="S43",
)
def little_is_lost(params, tables):
    return near(tables["runs"], "ari", lambda values: [params.k_few], lambda values: params.k_many)


@claim(
    "evclus-fig-15",
    "most objects that are far from an object are far from its nearest neighbour, too (far: the median "
    "dissimilarity or more)",
    sentence="S37",
)
def redundant(params, tables):
    return above(0.5, {"share": tables["facts"]["redundancy"].iloc[0]}, ".3f", "by chance 0.5")


N, K = (PRINTED[name].value for name in ("n_objects", "k_few"))


@claim(
    "evclus-fig-15",
    "the share of the distances that is used is as printed",
    sentence="S44",
    published=PRINTED["share"],
)
def share_of_the_distances(params, tables):
    if (params.n_objects, params.k_few) != (N, K):
        raise NotCheckable(f"printed for n = {N:g} and k = {K:g}", [PRINTED["share"]])
    share = tables["runs"].query("k == @params.k_few")["share_of_pairs"].mean()
    return agrees(PRINTED["share"], share, ".4f", "each unordered pair counted once")


experiment = declare(
    __name__,
    title="Simulated data: the clusters with few and with many pairs",
    artefacts={"evclus-fig-15": "Simulated data (n = 2000): approximations with k = 50 and k = 1000"},
    smoke={"n_objects": 400, "k_many": 200, "n_runs": 2},
)
