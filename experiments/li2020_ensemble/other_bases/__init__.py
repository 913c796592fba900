"""Section 5: base partitions by other algorithms than ECM.

The paper's bases come from ECM; it says that any algorithm will do. Here ensembles consist of base partitions
of several kinds, each with 15 clusters and random starts:

``two_steps``
    ECM as in Section 4.1: first without pairs of clusters, then with those of mutual neighbours; delta a
    quantile of the distances.
``ecm``
    Its first step alone.
``evclus``
    k-EVCLUS on the empty set, single clusters and the frame, from 30 random partners of each object.
``egmm``
    An evidential mixture with one covariance, on single clusters and the frame, ridge 0.001 of the variance.
``k-means``
    Hard partitions, those of evidence accumulation.

The consensus, without closure and after the minimum closure, has as many clusters as there are classes. The
table ``runs`` has ARI, and whether the uncertain objects of the consensus are the wrong ones: ``error_auc``
is the probability that an object outside the majority class of its cluster has a smaller largest pignistic
probability than one inside; 0.5 is chance.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from credalbench.belief.relations.combination import combine_partitions
from credalbench.core.intervals import mean
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.curves import jitter
from credalbench.plots.style import MUTED, TICK_SIZE, colour, marker, style_axes

from ..shared.base_kinds import KINDS, base_partitions
from ..shared.classified import NAMES, classified
from ..shared.consensus_steps import PHRASES, TRIED, closed, recover
from .claims import ARTEFACT, by_kind


@dataclass(frozen=True)
class Parameters:
    """Sizes are the paper's (Section 4.1); the rest is ours."""

    datasets: tuple[str, ...] = knob(("half_rings", "fourclass", "flame", "seeds", "wine"), "data sets")
    kinds: tuple[str, ...] = knob(tuple(KINDS), "kinds of base partitions")
    n_generated: int = knob(200, "objects of the generated data sets", low=20)
    n_estimators: int = knob(20, "base partitions N of an ensemble", low=1)
    base_n_clusters: int = knob(15, "clusters of a base partition", low=2)
    n_init: int = knob(1, "starts of each consensus, the first by linkage", low=1)
    n_repetitions: int = knob(4, "ensembles of each kind on each data set", low=2)
    seed: int = knob(0, "seed of draws, bases and starts", low=0)


def cases(params):
    axes = product(params.datasets, range(params.n_repetitions), params.kinds)
    return [{"dataset": name, "repetition": repetition, "kind": kind} for name, repetition, kind in axes]


def compute(params, case):
    """Compute the table ``runs``: a row for each closure."""
    axes = case["dataset"], case["repetition"]
    data = classified(axes[0], params.n_generated, params.seed, axes[1])
    seed = case_random_state(params.seed, *axes)
    setting = params.base_n_clusters, params.n_estimators, data.quantile
    relation, rows = combine_partitions(base_partitions(data.X, *setting, seed, case["kind"])), []
    n = len(data.X)
    for closure in TRIED:
        partition = recover(closed(relation, closure), data.n_classes, params.n_init, seed).partition
        row = {"closure": closure, "ari": adjusted_rand(data.y, partition.labels("plausibility"))}
        row |= {"nonspecificity": partition.nonspecificity(), "error_auc": error_auc(partition, data.y)}
        rows.append(row | {"ignorance": relation.ignorance.sum() / (n * (n - 1))})
    return {"runs": pd.DataFrame(rows)}


def error_auc(partition, y) -> float:
    """Return the probability that a wrong object is less certain than a right one; NaN if undefined."""
    wrong = outside_majority(partition.labels("plausibility"), y)
    n_wrong, n_right = wrong.sum(), (~wrong).sum()
    if n_wrong == 0 or n_right == 0:
        return np.nan
    ranks = rankdata(-partition.pignistic.max(axis=1))
    return float((ranks[wrong].sum() - n_wrong * (n_wrong + 1) / 2) / (n_wrong * n_right))


def outside_majority(labels, y) -> np.ndarray:
    """Return whether each object is outside the majority class of its cluster: (n,), (n,) -> (n,) bool."""
    table = pd.crosstab(labels, y)
    return y != table.idxmax(axis=1).loc[labels].to_numpy()


# ---------------------------------------------------------------- drawing


LIMITS = (-0.05, 1.05)
ROWS = {"ari": "ARI", "error_auc": "AUC of wrong objects"}


def draw(params, tables):
    """Draw every ensemble faintly, means with their 95 % interval in front."""
    runs = tables["runs"]
    names = runs["dataset"].unique()
    figure = new_figure(max(9.0, 2.4 + 2.0 * len(names)), 6.4)
    axes = figure.subplots(len(ROWS), len(TRIED), sharey="row", squeeze=False)
    for column, closure in enumerate(TRIED):
        part = runs[runs["closure"] == closure]
        for row, (measure, ylabel) in enumerate(ROWS.items()):
            ax = axes[row, column]
            draw_kinds(ax, part, measure, names)
            title = f"({'abcd'[2 * row + column]}) {PHRASES[closure]}"
            style_axes(ax, title=title, ylabel="" if column else ylabel, grid="y")
            ax.set_ylim(*LIMITS)
            words = [NAMES[name].replace(" (", "\n(") for name in names]
            ax.set_xticks(range(len(names)), words, fontsize=TICK_SIZE)
    for ax in axes[1]:
        ax.axhline(0.5, color=MUTED, linewidth=1.0, linestyle=":", zorder=1)
    handles = axes[0, 0].get_legend_handles_labels()
    look = {"loc": "outside lower center", "ncols": 5, "frameon": False, "fontsize": TICK_SIZE + 1}
    figure.legend(*handles, title="kind of the base partitions (dotted: chance)", **look)
    return {ARTEFACT: figure}


def draw_kinds(ax, runs, measure, names):
    """Draw one measure: data sets from left to right, in each the kinds side by side."""
    for k, (kind, label) in enumerate(KINDS.items()):
        for place, name in enumerate(names):
            values = runs.loc[(runs["dataset"] == name) & (runs["kind"] == kind), measure].dropna().to_numpy()
            if len(values) == 0:
                continue
            at = place + 0.19 * (k - (len(KINDS) - 1) / 2)
            dots = {"ms": 3.0, "alpha": 0.4, "color": colour(k), "markeredgewidth": 0}
            ax.plot(at + jitter(len(values), 0.1), values, marker(k), zorder=2, **dots)
            found = mean(values)
            reach = np.nan_to_num(found.high - found.value, posinf=0.0)
            look = {"color": colour(k), "ms": 6, "markeredgecolor": "white", "markeredgewidth": 0.5}
            ax.errorbar(at, found.value, reach, fmt=marker(k), elinewidth=1.3, capsize=2.5, zorder=3, **look,
                        label=label if place == 0 else None)  # fmt: skip


experiment = declare(
    __name__,
    title="Base partitions of other clusterers than ECM",
    artefacts={ARTEFACT: "Ensembles of EVCLUS, EGMM and k-means"},
    summaries=(by_kind,),
    smoke={
        "datasets": ("fourclass",),
        "n_generated": 60,
        "n_estimators": 3,
        "base_n_clusters": 5,
        "n_repetitions": 2,
    },
    data=("flame", "seeds", "wine_uci"),
)
