"""Figure 15: the four clusters with k = 50 and with k = 1000 partners of each object.

n = 2000 objects of the t4 recipe; one run of k-EVCLUS for each k, from the same random masses. Printed: the
recipe, the two k, and that k = 50 uses "only 5 % of the distance matrix" (Section 4.1). Not printed: the
sample, the seed and the number of starts. The data set is that of Figures 12 to 14, the number 0 of its seed,
and the maps show its repetition 0, fixed before any was looked at. Since one run of each proves little, the
claims are checked on ten pairs of runs.

The paper's 5 %: 50 partners of 2000 objects are 100000 drawn pairs, 5.0 % of the 1999000 unordered pairs,
or 2.5 % of the entries of the matrix.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from credalbench.belief import CredalPartition, FocalSets
from credalbench.datasets import make_t4
from credalbench.intervals import median
from credalbench.metrics import adjusted_rand
from credalbench.plots import credal_scatter, new_figure
from credalbench.runner import (
    ARITHMETIC,
    EXPECTATION,
    TOLERANCE_OURS,
    CannotBeChecked,
    case_rng,
    declare,
    knob,
    printed_values,
)
from credalbench.runner.claims import above, agrees, claim

from .shared.k_curves import PAIR_UPDATES, k_run

PRINTED = printed_values(__file__)
FAMILY = FocalSets.simple(4)
CENTRES = ("centre (0, 0)", "centre (0, 5)", "centre (5, 0)", "centre (5, 5)")


@dataclass(frozen=True)
class Parameters:
    """The setting of Figure 15; the repetitions and the seed are ours."""

    n_objects: int = knob(2000, "n, a quarter in each cluster (Figure 15)", low=8)
    k_few: int = knob(50, "partners of each object in panel (a)", low=1)
    k_many: int = knob(1000, "partners of each object in panel (b)", low=1)
    n_runs: int = knob(10, "runs for each k; the first ones are drawn (the paper shows one each)", low=1)
    pair_updates: str = knob("one-sided", "row update; one-sided is the published one", choices=PAIR_UPDATES)
    d0_quantile: float = knob(0.9, "d0 as a quantile of the distances (Section 4.1)", low=0.01, high=1.0)
    alpha: float = knob(
        0.05, "remaining plausibility of one cluster at d0 (Section 2.3)", low=1e-6, high=0.99
    )
    tol: float = knob(1e-5, "epsilon of the stopping rule (21) (Section 4.1)", low=0.0)
    seed: int = knob(0, "of the data, the pairs and the random starts (not stated in the paper)", low=0)


def cases(params):
    return [{"repetition": repetition} for repetition in range(params.n_runs)]


def compute(params, case):
    """Both runs of a repetition, and how alike they are."""
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
    many = renumbered(partitions[params.k_many], few.labels())
    columns = ["ari", "nonspecificity", "n_iter", "converged", "stress", "n_outliers"]
    tables = {
        "runs": pd.concat({k: table[columns] for k, table in runs.items()}, names=["k"]).reset_index("k"),
        "clusters": likeness(few, many),
        "pairs": pd.DataFrame({"ari_between": [adjusted_rand(few.labels(), many.labels())]}),
    }
    if repetition == 0:
        tables["objects"] = pd.concat(
            map_rows(data, k, part) for k, part in ((params.k_few, few), (params.k_many, many))
        )
    return tables


def renumbered(partition: CredalPartition, labels) -> CredalPartition:
    """The partition with its clusters numbered so that as many objects as possible have the given labels."""
    c = partition.n_clusters
    counts = np.zeros((c, c), int)
    np.add.at(counts, (labels, partition.labels()), 1)
    order = linear_sum_assignment(counts, maximize=True)[1]
    columns = np.concatenate([[0], 1 + order, [c + 1]])  # the empty set, the singletons, the frame
    return CredalPartition(partition.masses[:, columns], partition.focal_sets)


def likeness(first: CredalPartition, second: CredalPartition) -> pd.DataFrame:
    """One row per cluster: sizes of its lower approximations, their common part over their union, the same
    for the upper ones."""
    rows = {"cluster": np.arange(1, first.n_clusters + 1)}
    for name in ("lower", "upper"):
        one, other = (getattr(partition, f"{name}_approximation")() for partition in (first, second))
        common, union = (one & other).sum(axis=0), (one | other).sum(axis=0)
        rows |= {f"{name}_few": one.sum(axis=0), f"{name}_many": other.sum(axis=0)}
        rows[f"{name}_overlap"] = np.where(union > 0, common / np.maximum(union, 1), 1.0)  # both empty: alike
    return pd.DataFrame(rows)


def map_rows(data, k: int, partition: CredalPartition) -> pd.DataFrame:
    objects = pd.DataFrame({"k": k, "object": np.arange(1, data.n_objects + 1), "class": data.y})
    objects["x"], objects["y"] = data.X.T
    return objects.join(partition.to_frame().reset_index(drop=True))


def draw(params, tables):
    figure = new_figure(12.4, 5.6)
    panels = figure.subplots(1, 2)
    for ax, letter, k in zip(panels, "ab", (params.k_few, params.k_many)):
        objects = tables["objects"][tables["objects"]["k"] == k]
        partition = CredalPartition(objects[FAMILY.labels].to_numpy(), FAMILY)
        credal_scatter(
            ax,
            objects[["x", "y"]].to_numpy(),
            partition,
            objects["class"].to_numpy(),
            class_names=CENTRES,
            legend=letter == "b",
            size=3.2,
            title=f"({letter}) k = {k}, {int(partition.outliers().sum())} outliers",
            xlabel="attribute 1",
            ylabel="attribute 2" if letter == "a" else None,
        )
    return {"evclus-fig-15": figure}


# ---------------------------------------------------------------- claims


QUALITATIVELY = "qualitatively very similar"
ONE_SIDED = (
    "with 50 partners of its own, an object's masses depend on which ones it drew; they move it across the "
    "edge of an approximation although its most plausible cluster stays the same"
)


def alike(values, bound):
    """Whether the pair of runs in the figure and the median pair are that alike; values by repetition."""
    note = (
        f"{(values > bound).sum()} of {len(values)} pairs of runs are that alike, lowest {values.min():.3f}"
    )
    return above(bound, {"in the figure": values.iloc[0], "median": median(values)}, ".3f", note)


@claim(
    "evclus-fig-15",
    "the most plausible clusters with few and with many pairs agree (adjusted Rand index above 0.95)",
    TOLERANCE_OURS,
    published=QUALITATIVELY,
    explanation="objects between the clusters change sides with the pairs that are drawn for them",
)
def same_labels(params, tables):
    return alike(tables["pairs"].sort_values("repetition")["ari_between"], 0.95)


def least_overlap(tables, name):
    """Overlap of the approximations of the cluster where it is least, by repetition."""
    return tables["clusters"].groupby("repetition")[f"{name}_overlap"].min()


@claim(
    "evclus-fig-15",
    "the lower approximation of each of the four clusters is nearly the same (overlap above 0.9)",
    TOLERANCE_OURS,
    published=QUALITATIVELY,
    explanation=ONE_SIDED,
)
def same_lower_approximations(params, tables):
    return alike(least_overlap(tables, "lower"), 0.9)


@claim(
    "evclus-fig-15",
    "the upper approximation of each of the four clusters is nearly the same (overlap above 0.9)",
    EXPECTATION,
    explanation=ONE_SIDED,
)
def same_upper_approximations(params, tables):
    return alike(least_overlap(tables, "upper"), 0.9)


N, K, SHARE = (PRINTED[name].value for name in ("n_objects", "k_few", "share"))


@claim(
    "evclus-fig-15",
    f"with k = {K:g} at n = {N:g}, only {100 * SHARE:g} % of the distance matrix is used",
    ARITHMETIC,
    published=PRINTED["share"],
)
def share_of_the_matrix(params, tables):
    if (params.n_objects, params.k_few) != (N, K):
        raise CannotBeChecked(f"the share is printed for n = {N:g} and k = {K:g}")
    share = N * K / (N * (N - 1) / 2)
    note = f"{50 * share:.2f} % of the entries of the matrix; a pair drawn from both ends counts twice"
    return agrees(PRINTED["share"], {"share of the unordered pairs": share}, ".4f", note)


experiment = declare(
    __name__,
    title="Simulated data: the clusters with few and with many pairs",
    artefacts={"evclus-fig-15": "Simulated data (n = 2000): approximations with k = 50 and k = 1000"},
    smoke={"n_objects": 400, "k_many": 200, "n_runs": 2},
)
