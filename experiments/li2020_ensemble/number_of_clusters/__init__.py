"""Section 5: which criterion finds the number of clusters of a consensus?

The paper takes the number as known and calls its choice an open problem. Here each ensemble gets a consensus
with 2, 3, ... clusters, without closure and after the minimum closure, and each criterion prefers a number.

``stress``
    The error that the consensus minimises, (19): prefers its lowest value.
``bend``
    The number at which the stress bends most against c, both as logarithms: without clusters it falls about
    as a power of c, which is a straight line then. The stress of one cluster needs no search, so that a bend
    at two can be seen. ``credal_rand`` The credal Rand index (10) of the consensus with the relation: prefers
    its highest value. ``nonspecificity`` Of the consensus: prefers its lowest value. ``lifetime`` How long
    single linkage of 1 - m({s}) keeps a number of clusters: the criterion of evidence accumulation, which the
    minimum closure leaves as it is. ``stability`` The credal Rand index of the consensus with that of a
    second ensemble of as many bases. ``corrected`` The same less what the second consensus would have by
    chance, with its objects in random order, as a share of what is left to 1.

Bases are those of Section 4.1 without their second step: ECM with 15 clusters, delta a quantile of the
distances. Each repetition draws both ensembles and the generated data sets anew.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from credalbench.belief import CredalPartition
from credalbench.belief.relations.combination import combine_partitions
from credalbench.metrics import adjusted_rand, credal_rand
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.curves import summarise
from credalbench.plots.style import INK, MUTED, TICK_SIZE, colour, line_style, log_axis, marker, style_axes

from ..shared.base_kinds import two_ensembles
from ..shared.classified import repeated_cases
from ..shared.consensus_steps import PHRASES, TRIED, closed, recover, stress_of_one_cluster
from .claims import ARTEFACT, chosen, chosen_numbers, cost_of_choosing, titles

DATASETS = ("half_rings", "fourclass", "flame", "spiral", "compound", "seeds", "wine")
FLOOR = 1e-9  # of a stress, as a share of that of one cluster: an exact consensus has a logarithm, too


@dataclass(frozen=True)
class Parameters:
    """Bases are the paper's (Section 4.1); the rest is ours."""

    datasets: tuple[str, ...] = knob(DATASETS, "data sets; also: aggregation, r15")
    n_generated: int = knob(200, "objects of the generated data sets", low=20)
    n_estimators: int = knob(20, "base partitions N of an ensemble", low=1)
    base_n_clusters: int = knob(15, "clusters of a base partition", low=2)
    most_clusters: int = knob(10, "largest number that is tried (two above the classes, if more)", low=3)
    n_init: int = knob(1, "starts of each consensus, the first by linkage", low=1)
    n_permutations: int = knob(2, "random orders of the objects behind the corrected stability", low=1)
    n_repetitions: int = knob(4, "pairs of ensembles for each data set", low=2)
    seed: int = knob(0, "seed of draws, bases and starts", low=0)


cases = repeated_cases


def compute(params, case):
    """Compute the table ``fits``: a row for each closure and number of clusters, with the criteria."""
    axes = case["dataset"], case["repetition"]
    data, _, bases = two_ensembles(params, case, params.n_estimators)
    relations = [combine_partitions(some) for some in bases]
    tables = []
    for closure in TRIED:
        pair = [closed(relation, closure) for relation in relations]
        tables.append(pd.DataFrame(fitted_numbers(params, axes, data, pair)).assign(closure=closure))
    fits = pd.concat(tables, ignore_index=True).assign(n_classes=data.n_classes)
    return {"fits": fits[["closure", "c", *fits.columns.drop(["closure", "c"])]]}


def fitted_numbers(params, axes, data, pair) -> Iterator[dict]:
    """Return the consensus of both ensembles and the values of the criteria, by number of clusters."""
    numbers = range(2, max(params.most_clusters, data.n_classes + 2) + 1)
    fits = {}
    for c in numbers:
        seed = case_random_state(params.seed, *axes, "start", c)
        fits[c] = [recover(relation, c, params.n_init, seed) for relation in pair]
    stresses = [stress_of_one_cluster(pair[0]), *(first.objective_trace[-1] for first, _ in fits.values())]
    lifetimes = lifetimes_of(pair[0].same, numbers)
    for c, stress, bend in zip(numbers, stresses[1:], bends(stresses)):
        first, second = fits[c]
        rng = case_rng(params.seed, *axes, "order", c)
        yield {
            "c": c,
            "stress": stress,
            "bend": bend,
            "credal_rand": first.credal_rand,
            "nonspecificity": first.partition.nonspecificity(),
            "lifetime": lifetimes[c],
            **stabilities(first.partition, second.partition, params.n_permutations, rng),
            "ari": adjusted_rand(data.y, first.partition.labels("plausibility")),
        }


def stabilities(first, second, n_permutations, rng) -> dict[str, float]:
    """Return the credal Rand index of two partitions, and corrected for objects in random order."""
    orders = (rng.permutation(second.n_objects) for _ in range(n_permutations))
    shuffled = (CredalPartition(second.masses[order], second.focal_sets) for order in orders)
    stability, by_chance = credal_rand(first, second), np.mean([credal_rand(first, one) for one in shuffled])
    corrected = (stability - by_chance) / (1 - by_chance) if by_chance < 1 else np.nan
    return {"stability": stability, "corrected": corrected}


def lifetimes_of(same: np.ndarray, numbers) -> Mapping[int, float]:
    """Return over which range of heights single linkage of 1 - `same` (n, n) keeps a number of clusters."""
    heights = linkage(squareform(1 - same, checks=False), "single")[:, 2]
    n = len(same)
    return {c: float(heights[n - c] - heights[n - c - 1]) for c in numbers}


def bends(stresses) -> np.ndarray:
    """Return how much flatter log stress gets against log c: stresses with 1 to m clusters, (m,) -> (m - 1,).

    From two clusters on; the last has no successor and is NaN.
    """
    logs = np.log(np.maximum(stresses, FLOOR * stresses[0]))
    slopes = np.diff(logs) / np.diff(np.log(np.arange(1, len(logs) + 1)))
    return np.append(np.diff(slopes), np.nan)


# ---------------------------------------------------------------- drawing


#: Criterion -> label of its row.
ROWS = {
    "stress": "stress",
    "bend": "bend of the stress",
    "credal_rand": "credal Rand index",
    "nonspecificity": "nonspecificity",
    "lifetime": "lifetime",
    "corrected": "corrected stability",
}


def draw(params, tables):
    """Draw means over the ensembles with 95 % intervals; a ring at the number that most prefer."""
    fits = tables["fits"]
    names = titles(fits)
    figure = new_figure(max(7.0, 1.6 + 2.0 * len(names)), 1.0 + 1.55 * len(ROWS))
    axes = figure.subplots(len(ROWS), len(names), squeeze=False, sharex="col")
    for column, (dataset, title) in enumerate(names.items()):
        part = fits[fits["dataset"] == dataset]
        for ax, criterion in zip(axes[:, column], ROWS):
            ax.axvline(part["n_classes"].iloc[0], color=MUTED, linewidth=1.0, linestyle=":", zorder=1)
            draw_criterion(ax, part, criterion)
            style_axes(ax, grid="y", ylabel="" if column else ROWS[criterion])
        axes[0, column].set_title(
            "\n".join(title.rsplit(", ", 1)), fontsize=TICK_SIZE + 1, loc="left", color=INK
        )
        axes[-1, column].set_xlabel("number of clusters c", fontsize=TICK_SIZE + 1)
        axes[-1, column].set_xticks(range(2, part["c"].max() + 1, 2))
    entries = axes[0, 0].get_legend_handles_labels()
    words = "dotted: number of classes; ring: what most ensembles prefer"
    figure.legend(
        *entries, loc="outside lower center", ncols=2, frameon=False, fontsize=TICK_SIZE + 1, title=words
    )
    return {ARTEFACT: figure}


def draw_criterion(ax, fits, criterion):
    """Draw one criterion on one data set, a line for each closure."""
    for k, closure in enumerate(TRIED):
        part = fits[fits["closure"] == closure].dropna(subset=criterion)
        places, centres, lows, highs = summarise(part, "c", criterion, "mean-ci")
        look = {"color": colour(k), "linestyle": line_style(k), "marker": marker(k), "ms": 3.5}
        ax.plot(places, centres, linewidth=1.3, label=PHRASES[closure], zorder=3, **look)
        ax.fill_between(places, lows, highs, color=colour(k), alpha=0.15, linewidth=0)
        best = chosen(part, criterion)["c"].mode().iloc[0]
        ring = {"ms": 9, "markerfacecolor": "none", "markeredgecolor": colour(k), "markeredgewidth": 1.4}
        ax.plot(best, centres[places == best], "o", zorder=4, **ring)
    if criterion == "stress":
        log_axis(ax.yaxis)


experiment = declare(
    __name__,
    title="Which criterion finds the number of clusters of a consensus",
    artefacts={ARTEFACT: "Criteria against the number of consensus clusters"},
    summaries=(chosen_numbers, cost_of_choosing),
    smoke={
        "datasets": ("half_rings",),
        "n_generated": 40,
        "n_estimators": 3,
        "base_n_clusters": 6,
        "most_clusters": 4,
        "n_permutations": 1,
        "n_repetitions": 4,
    },
    data=("compound", "flame", "seeds", "spiral", "wine_uci"),
)
