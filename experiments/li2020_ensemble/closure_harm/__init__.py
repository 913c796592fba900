"""Section 4.2: where does a transitive closure do harm?

The paper finds that the minimum closure helps where clusters have complex shapes, and may do harm where they
overlap or where many are round, since objects of different clusters become similar through those between
them. Five kinds of generated data, each with one parameter from mild to severe, show how much is needed:

``overlap``
    Two round Gaussian clusters whose centres come nearer, in standard deviations.
``bridge``
    Two clusters far apart, and objects on the line between them.
``outliers``
    Two clusters far apart, and objects anywhere in a square around them.
``many``
    More and more round clusters on a grid.
``rings``
    Two interlocked arcs, the chains for which a closure is made, with growing noise.

Objects of a bridge and outliers have no class: they are clustered but not counted. The draws of one
repetition share their random numbers over the levels, and all closures are applied to the same combined
relation. Bases are those of Section 4.1 without their second step: ECM with 15 clusters (twice as many as
classes, if more), delta the 0.2-quantile of the distances, of the arcs the 0.1-quantile.

The table ``runs`` has ARI, and the mean m({s}) of pairs in one class and of pairs in different classes, which
is the paper's reason.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief.relations.combination import combine_partitions
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.curves import summarise
from credalbench.plots.style import TICK_SIZE, colour, legend_outside, line_style, marker, style_axes

from ..shared.base_kinds import base_partitions
from ..shared.consensus_steps import NONE, PHRASES, closed, recover
from ..shared.ensembles import CLOSURES
from .claims import ARTEFACT, PARTS, losses
from .draws import DRAWS, NO_CLASS

QUANTILES = dict.fromkeys(PARTS, 0.2) | {"rings": 0.1}
BASE_CLUSTERS_OF_A_CLASS = 2  # at least


@dataclass(frozen=True)
class Parameters:
    """Levels of each kind, from mild to severe; all ours except the bases."""

    overlap: tuple[float, ...] = knob((6.0, 5.0, 4.0, 3.0), "distances of the centres", low=0.0)
    bridge: tuple[float, ...] = knob((0.0, 16.0, 32.0), "objects on the bridge", low=0.0)
    outliers: tuple[float, ...] = knob((0.0, 0.2, 0.4), "shares of outliers", low=0.0, high=0.5)
    many: tuple[float, ...] = knob((2.0, 4.0, 9.0), "round clusters", low=2.0)
    rings: tuple[float, ...] = knob((0.25, 0.5, 1.0, 1.5), "noise of arcs of radius 5", low=0.0)
    n: int = knob(200, "objects with a class", low=20)
    n_estimators: int = knob(20, "base partitions N of an ensemble (Section 4.1)", low=1)
    base_n_clusters: int = knob(15, "clusters of a base partition (Section 4.1)", low=2)
    n_init: int = knob(1, "starts of each consensus, the first by linkage", low=1)
    n_repetitions: int = knob(8, "draws of each kind of data", low=2)
    seed: int = knob(0, "seed of draws, bases and starts", low=0)


def cases(params):
    return [
        {"part": part, "repetition": repetition, "step": step, "level": level}
        for part in PARTS
        for repetition in range(params.n_repetitions)
        for step, level in enumerate(getattr(params, part))
    ]


def compute(params, case):
    """Compute the table ``runs``, a row for each closure; ``objects`` of the first severest draw."""
    part, repetition = case["part"], case["repetition"]
    data = DRAWS[part](params.n, case["level"], case_rng(params.seed, part, repetition, "draw"))
    seed = case_random_state(params.seed, part, repetition)
    k = max(params.base_n_clusters, BASE_CLUSTERS_OF_A_CLASS * data.n_classes)
    relation = combine_partitions(base_partitions(data.X, k, params.n_estimators, QUANTILES[part], seed))
    rows, labels = [], {}
    for closure in CLOSURES:
        now = closed(relation, closure)
        partition = recover(now, data.n_classes, params.n_init, seed).partition
        labels[closure] = partition.labels("plausibility") + 1
        rows.append({"closure": closure, **measures(data.y, now.same, partition)})
    tables = {"runs": pd.DataFrame(rows)}
    if repetition == 0 and case["step"] == len(getattr(params, part)) - 1:
        tables["objects"] = pd.DataFrame({"class": data.y, "x": data.X[:, 0], "y": data.X[:, 1]} | labels)
    return tables


def measures(y, same, partition) -> dict[str, float]:
    """Return the ARI of objects with a class, and the mean m({s}) of pairs in one class and in two."""
    known = y != NO_CLASS
    y, same = y[known], same[np.ix_(known, known)]
    alike, itself = y[:, None] == y, np.eye(len(y), dtype=bool)
    return {
        "ari": adjusted_rand(y, partition.labels("plausibility")[known]),
        "nonspecificity": partition.nonspecificity(),
        "same_within": same[alike & ~itself].mean(),
        "same_between": same[~alike].mean(),
    }


# ---------------------------------------------------------------- drawing


#: What stands above the legend of each row.
LEGENDS = (
    "hardest draw\ncolour: cluster after\nthe minimum closure\nmarker: class\ncross: no class",
    "mean with 95 % interval\nharder to the right",
    "pairs of",
)
#: Mean beliefs that are shown -> pairs of what.
PAIRS = {"same_within": "one class", "same_between": "different classes"}


def draw(params, tables):
    figure = new_figure(2.9 * len(PARTS) + 2.4, 8.6)
    axes = figure.subplots(3, len(PARTS), height_ratios=(1.1, 1, 1))
    top = 1.05 * tables["runs"][[*PAIRS]].to_numpy().max()
    for column, (part, (words, quantity)) in enumerate(PARTS.items()):
        runs, objects = (tables[name][tables[name]["part"] == part] for name in ("runs", "objects"))
        draw_objects(axes[0, column], objects, f"({'abcde'[column]}) {words}")
        draw_ari(axes[1, column], runs)
        draw_beliefs(axes[2, column], runs)
        for ax, ylabel in ((axes[1, column], "ARI"), (axes[2, column], 'mean belief in "same"')):
            levels = getattr(params, part)
            style_axes(ax, ylabel="" if column else ylabel, xlabel=quantity, grid="y")
            ax.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
        axes[1, column].set_ylim(-0.05, 1.05)
        axes[2, column].set_ylim(-0.02, top)
    for ax, title in zip(axes[:, -1], LEGENDS):
        handles = ax.get_legend_handles_labels()[0]
        legend_outside(ax, handles, title=title, alignment="left", title_fontsize=TICK_SIZE)
    return {ARTEFACT: figure}


def draw_objects(ax, objects, title):
    """Draw the severest draw: a marker for each class, a colour for each cluster (minimum closure)."""
    for (k, cluster), some in objects.groupby(["class", "minimum"]):
        look = {"color": colour(cluster - 1), "ls": "none", "ms": 4.5}
        look |= {"marker": "x"} if k == NO_CLASS else {"marker": marker(k), "mec": "white", "mew": 0.4}
        ax.plot(some["x"], some["y"], **look)
    style_axes(ax, title=title, grid=None)
    ax.set_aspect("equal", adjustable="datalim")


def draw_ari(ax, runs):
    """Draw the mean ARI after each closure, against the level."""
    for k, closure in enumerate(CLOSURES):
        part = runs[runs["closure"] == closure]
        places, centres, lows, highs = summarise(part, "step", "ari", "mean-ci")
        at = places + 0.07 * (k - (len(CLOSURES) - 1) / 2)
        look = {"color": colour(k), "linestyle": line_style(k), "marker": marker(k), "ms": 5, "capsize": 2.5}
        ax.errorbar(at, centres, [centres - lows, highs - centres], label=PHRASES[closure], **look)


def draw_beliefs(ax, runs):
    """Draw the mean belief that pairs are the same, without and after the minimum closure, by level."""
    for k, closure in enumerate((NONE, "minimum")):
        part = runs[runs["closure"] == closure]
        for column, pairs in PAIRS.items():
            places, centres, lows, highs = summarise(part, "step", column, "mean-ci")
            inside = column == "same_within"
            look = {"color": colour(k), "marker": marker(k), "ms": 5, "linestyle": "-" if inside else "--"}
            look |= {"markerfacecolor": colour(k) if inside else "white"}
            ax.plot(places, centres, label=f"{pairs},\n{PHRASES[closure]}", **look)
            ax.fill_between(places, np.maximum(lows, 0), np.minimum(highs, 1), color=colour(k), alpha=0.12)


experiment = declare(
    __name__,
    title="Where a transitive closure hurts",
    artefacts={ARTEFACT: "Closures where clusters overlap, are bridged or many"},
    summaries=(losses,),
    smoke={
        "overlap": (7.0, 2.0),
        "bridge": (0.0, 10.0),
        "outliers": (0.0, 0.2),
        "many": (2.0, 4.0),
        "rings": (0.25, 1.5),
        "n": 32,
        "n_estimators": 3,
        "base_n_clusters": 5,
        "n_repetitions": 3,
    },
)
