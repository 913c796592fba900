"""Figure 5 and Table 4: four overlapping classes, and what a hard evidential partition says of them.

The means and the covariance of the paper are lost: the data stand in for its own, and no result counts as
agreement with it. The text gives four Gaussian classes of 200 objects with one covariance. Ours are at the
corners of a square, with a covariance such that EBIC comes near the printed values at c = 2, 3 and 4
(``credalbench.datasets.make_egmm_four_class``).

As for Two-class, the printed steps fit sets of at most two clusters with the frame only; both kinds are
run on 20 draws of the data, each with one start from k-means. Figure 5 shows draw 0. The approximations are
those of Section 4.1.3: an object is surely in a cluster if its largest mass is on that cluster, possibly in
all clusters of the set with its largest mass.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.core.axes import convex_hull
from credalbench.datasets import make_egmm_four_class
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import focal_hulls, hard_credal_scatter, new_figure
from credalbench.plots.style import colour, marker

from ..shared.pictures import classes_picture, finish_plane
from ..shared.plane import class_table, clusters_of_classes, ebic_table, recovered, shown
from ..shared.starts import egmm
from .claims import CLASSES, TABLE, partitions


@dataclass(frozen=True)
class Parameters:
    """What Section 4.1.3 fixes, and what it leaves open."""

    n_objects: int = knob(800, "number of objects n, a quarter in each class (Section 4.1.3)", low=40)
    n_clusters: tuple[int, ...] = knob((2, 3, 4, 5, 6), "numbers of clusters c (Table 4)", low=2)
    n_draws: int = knob(20, "draws of the data (the paper has one, which is lost)", low=2)
    reg_covar: float = knob(0.01, "ridge of the covariance (authors' program, not in the paper)", low=0.0)
    tol: float = knob(1e-3, "EM stops below this gain of the log-likelihood (authors' program)", low=0.0)
    seed: int = knob(0, "seed of data and starts (not stated)", low=0)


def cases(params):
    return [{"repetition": number} for number in range(params.n_draws)]


def compute(params, case):
    """Compute tables ``index`` (EBIC) and ``partitions`` of a draw; of draw 0 also what Figure 5 shows."""
    number = case["repetition"]
    data = make_egmm_four_class(params.n_objects, case_rng(params.seed, "four_class", number))
    seed = case_random_state(params.seed, "four_class", number, "start")
    model = egmm(params, data.X, CLASSES, seed, focal_sets="pairs")
    tables = {
        "index": ebic_table(params, data.X, seed),
        "partitions": pd.DataFrame([partition_row(model, data)]),
    }
    if number:
        return tables
    found = shown(data.X, data.y, model, model.partition_.focal_sets)
    return tables | found | {"classes": class_table(data.X, data.y)}


def partition_row(model, data):
    """Compute agreement with the classes, number of ambiguous objects, and whether they lie at boundaries.

    ``margin``: distance to the second nearest centre less that to the nearest, mean over the objects in one
    cluster (sure) and in several (ambiguous). ``neighbours``: share of the ambiguous ones whose set holds
    their two nearest centres. ``right``: share of the sure objects that are in the cluster of their class,
    and of all objects that possibly are.
    """
    X, partition = data.X, model.partition_
    chosen = partition.hard_credal()
    sure = partition.focal_sets.cardinality[chosen] == 1
    distances = np.linalg.norm(X[:, None] - model.cluster_centers_, axis=2)
    margin = np.diff(np.sort(distances, axis=1)[:, :2], axis=1).ravel()
    nearest = np.argsort(distances, axis=1)[:, :2]
    both = np.take_along_axis(partition.focal_sets.membership[chosen], nearest, axis=1).all(axis=1)
    own = clusters_of_classes(data.y, partition.labels("pignistic"), CLASSES)[data.y]
    lower, upper = (
        side("maximum_mass") for side in (partition.lower_approximation, partition.upper_approximation)
    )
    means = np.array([X[data.y == k].mean(axis=0) for k in range(CLASSES)])
    return recovered(data.y, model.labels_) | {
        "n_ambiguous": int((~sure).sum()),
        "margin_sure": average(margin[sure]),
        "margin_ambiguous": average(margin[~sure]),
        "neighbours": average(both[~sure]),
        "right_sure": average(lower[np.arange(len(X)), own][sure]),
        "right_possibly": upper[np.arange(len(X)), own].mean(),
        "centre_off": np.linalg.norm(means[:, None] - model.cluster_centers_, axis=2).min(axis=1).max(),
    }


def average(values):
    """Return the mean, or NaN if there are no values."""
    return float(np.mean(values)) if len(values) else np.nan


# ---------------------------------------------------------------- drawing


FOCAL_SETS = FocalSets.up_to(CLASSES, 2, empty=False)


def draw(params, tables):
    return {"egmm-fig-5": draw_partition(tables), "egmm-tab-04": TABLE.draw(params, tables)}


def draw_partition(tables):
    """Draw data, hard evidential partition, lower and upper approximations."""
    figure = new_figure(11.5, 9.0)
    axes = figure.subplots(2, 2).ravel()
    objects = tables["objects"].sort_values("object")
    X = objects[["x", "y"]].to_numpy()
    partition = CredalPartition(objects[list(FOCAL_SETS.labels)].to_numpy(), FOCAL_SETS)
    centres = tables["centres"][["x", "y"]].to_numpy()
    classes_picture(axes[0], objects, tables["classes"], "Four-class")
    words = {"title": "(b) Hard evidential partition", "xlabel": "attribute 1", "ylabel": "attribute 2"}
    hard_credal_scatter(axes[1], X, partition, centres, size=3.4, **words)
    focal_hulls(axes[1], X, partition)
    for ax, letter, name, side in (
        (axes[2], "c", "Lower", partition.lower_approximation("maximum_mass")),
        (axes[3], "d", "Upper", partition.upper_approximation("maximum_mass")),
    ):
        draw_side(ax, X, side)
        finish_plane(ax, f"({letter}) {name} approximations")
    return figure


def draw_side(ax, X, side):
    """Draw one kind of approximation: objects (n, c) with the markers of their clusters, and hulls."""
    ax.plot(*X[~side.any(axis=1)].T, ".", ms=3, color="#BBBBBB", zorder=1)
    for k in range(side.shape[1]):
        inside, look = X[side[:, k]], {"ls": "none", "marker": marker(k), "mec": colour(k), "mew": 0.8}
        ax.plot(*inside.T, ms=3.4 + 1.6 * k, mfc="none", zorder=3, **look)
        corners = convex_hull(inside)
        ring = np.vstack([corners, corners[:1]])
        ax.plot(*ring.T, color=colour(k), linewidth=1.4, zorder=2)


experiment = declare(
    __name__,
    title="Four overlapping classes by EGMM (stand-in data)",
    artefacts={
        "egmm-fig-5": "Four-class: hard evidential partition, lower and upper approximations",
        "egmm-tab-04": "EBIC of Four-class against the number of clusters",
    },
    summaries=(partitions, TABLE.ebic_and_printed),
    smoke={"n_draws": 5, "n_clusters": (3, 4, 5), "n_objects": 200},
)
