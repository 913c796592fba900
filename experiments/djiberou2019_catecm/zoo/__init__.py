"""Figures 3 and 4: how many clusters Zoo has by its nonspecificity, and which animals lie between clusters.

Printed: alpha = -0.05, beta = 1.1, delta = 10, c = 2 to 8, the lowest objective of ten random starts; the
accuracy at c = 7, which class each cluster stands for, and the animals on sets of two clusters (Section
IV-D). Not printed: which sets of clusters may have mass, which 17 attributes Table I counts, and how much the
curve scatters. The readings, all computed:

- *sets*: the empty set and sets of one or two clusters, as for Table II, to which the two imprecise sets of
  Figure 4 belong; or all 2^c sets;
- *attributes*: the 16 of the public file; with the class of the animal as the seventeenth, which would tell
  the method what it is to find; or with its name, which is unique for nearly every animal.

Claims are about sets of at most two clusters and 16 attributes. The paper shows one experiment of ten starts
for each c, we repeat it. A cluster is called after the class of most of its animals. Figure 4 shows the
lowest objective of all starts in the plane of a multiple correspondence analysis of the 16 attributes.

One more start uses the classes, by their most frequent values: its result shows whether the partition that
the paper describes is a stationary point of the algorithm, and which objective it has. The paper does not say
how it draws its starting weights; ours are uniform among those that sum to one. With seven clusters two more
ways are tried: all weight on a random value, and on the values of random animals.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import CatECM
from credalbench.core.categories import correspondence_map
from credalbench.metrics import accuracy, adjusted_rand, purity
from credalbench.papers import declare, knob
from credalbench.plots import curve_with_errors, hard_credal_scatter, new_figure
from credalbench.plots.style import INK, MUTED, TICK_SIZE, legend_outside

from ..shared.restarts import DRAWN, best_of_each, fitted_starts, row_of
from ..shared.tables import ATTRIBUTES, at_most_pairs, problem
from ..shared.tables import zoo as zoo_table
from .claims import (
    ALL,
    CLASSES,
    FEW,
    FIRST,
    IMPRECISE,
    NAMED,
    READINGS,
    SETS,
    between_clusters,
    from_the_classes,
    of,
    other_readings,
    other_starts,
)


@dataclass(frozen=True)
class Parameters:
    """The setting of Section IV-D."""

    alpha: float = knob(-0.05, "penalty of large sets: exponent of their size (Section IV-D)")
    beta: float = knob(1.1, "fuzziness: exponent of the masses (Section IV-D)", low=1.01)
    delta: float = knob(10.0, "outlier distance, to the empty set (Section IV-D)", low=0.01)
    n_clusters: tuple[int, ...] = knob((2, 3, 4, 5, 6, 7, 8), "numbers of clusters (Section IV-D)", low=2)
    attributes: tuple[str, ...] = knob(ATTRIBUTES, "readings of the 17 attributes (Table I)")
    n_restarts: int = knob(10, "random starts of an experiment (Section IV-A)", low=1)
    n_repetitions: int = knob(20, "repetitions of the ten starts, first reading (the paper shows one)", low=2)
    n_others: int = knob(10, "repetitions in the other readings and from other starts", low=2)
    seed: int = knob(0, "seed of the random starts (not stated)", low=0)


def cases(params):
    """Return all sets for the first reading of the attributes; for the others, at most two clusters."""
    curves = [
        {"part": "curve", "focal_sets": sets, "convention": attributes, "c": c, "drawn": DRAWN[0]}
        for attributes in params.attributes
        for sets in (SETS if attributes == ATTRIBUTES[0] else (FEW,))
        for c in params.n_clusters
    ]
    drawn = [
        {"part": "drawn", "focal_sets": sets, "convention": ATTRIBUTES[0], "c": CLASSES, "drawn": drawn}
        for sets in SETS
        for drawn in DRAWN[1:]
    ]
    return [*curves, *drawn]


def compute(params, case):
    """Compute ``runs``, a row per start; with seven clusters ``animals``, ``named``, ``from_classes``."""
    c, found, table = case["c"], problem("zoo"), zoo_table(case["convention"])
    options = {
        "n_clusters": c,
        "alpha": params.alpha,
        "beta": params.beta,
        "delta": params.delta,
        "focal_sets": FocalSets.full(c) if case["focal_sets"] == ALL else at_most_pairs(c),
    }
    first = (case["focal_sets"], case["convention"], case["drawn"]) == (FEW, ATTRIBUTES[0], DRAWN[0])
    rows, kept = [], {}
    for number in range(params.n_repetitions if first else params.n_others):
        axes, drawn = ("zoo", c, number), case["drawn"]
        models = dict(fitted_starts(table, params.n_restarts, params.seed, *axes, drawn=drawn, **options))
        rows += [
            {"repetition": number, **row_of(start, model), **scores(model, found)}
            for start, model in models.items()
        ]
        kept[number] = min(models.values(), key=lambda model: model.objective_)
    if case["part"] == "drawn":
        return {"drawn": pd.DataFrame(rows)}
    tables = {"runs": pd.DataFrame(rows)}
    if c != CLASSES:
        return tables
    named = [named_animals(model, found).assign(repetition=number) for number, model in kept.items()]
    best = min(kept.values(), key=lambda model: model.objective_)
    informed = CatECM(init=modes_of_classes(table, found.y), **options).fit(table)
    return tables | {
        "named": pd.concat(named, ignore_index=True),
        "from_classes": pd.DataFrame([from_classes(informed, found)]),
        "animals": animals(best, found),
    }


def scores(model, found):
    """Measure the partition against the classes, after the pignistic transformation (Section IV-A)."""
    partition = model.partition_
    labels, sizes = partition.labels("pignistic"), partition.focal_sets.cardinality
    names = called_after(labels, found)
    return {
        "nonspecificity": partition.nonspecificity(),
        "ari": adjusted_rand(found.y, labels),
        "accuracy": accuracy(found.y, labels),
        "majority": purity(found.y, labels),
        "n_classes": len(set(names)),
        "without_cluster": ", ".join(sorted(set(found.class_names) - set(names))) or "none",
        "with_several": ", ".join(sorted({name for name in names if names.count(name) > 1})) or "none",
        "n_imprecise": int((sizes[partition.hard_credal()] > 1).sum()),
    }


def called_after(labels, found):
    """Return the class of most animals of each cluster with animals, by the number of the cluster."""
    counts = {
        k: np.bincount(found.y[labels == k], minlength=len(found.class_names)) for k in np.unique(labels)
    }
    return [found.class_names[count.argmax()] for count in counts.values()]


def classes_of_sets(model, found):
    """Return for each animal the classes that its set of largest mass stands for, as "bird + reptile"."""
    partition = model.partition_
    labels = partition.labels("pignistic")
    names = dict(zip(np.unique(labels), called_after(labels, found)))
    chosen = [partition.focal_sets.sets[j] for j in partition.hard_credal()]
    return [" + ".join(sorted(names.get(k, "no animal") for k in A)) or "∅" for A in chosen]


def modes_of_classes(table, y):
    """Return weights (c, n_l) of each attribute, all on the first of the most frequent values of a class."""
    counts = [pd.crosstab(y, table[column]) for column in table]
    return [(np.arange(k.shape[1]) == k.to_numpy().argmax(axis=1)[:, None]).astype(float) for k in counts]


def from_classes(model, found):
    """Return where the start from the classes ends, and the animals that then lie between clusters."""
    places = zip(found.object_names, classes_of_sets(model, found))
    between = [f"{name} ({place})" for name, place in places if "+" in place]
    return (
        {"objective": model.objective_, "n_iter": model.n_iter_}
        | scores(model, found)
        | {"between": ", ".join(between) or "none"}
    )


def named_animals(model, found):
    """Return where the animals that the text names are, and which others are on the sets that it names."""
    places = pd.DataFrame({"animal": list(found.object_names), "set": classes_of_sets(model, found)})
    return places[places["animal"].isin(NAMED) | places["set"].isin(list(IMPRECISE))]


def animals(model, found):
    """Return every animal: class, cluster, set of largest mass with its mass, and place in the plane."""
    places, share = correspondence_map(found.table)
    partition = model.partition_
    columns = {
        "animal": list(found.object_names),
        "class": np.array(found.class_names)[found.y],
        "cluster": partition.labels("pignistic") + 1,
        "focal_set": [partition.focal_sets.labels[j] for j in partition.hard_credal()],
        "set": classes_of_sets(model, found),
        "mass": partition.masses.max(axis=1),
        "x": places[:, 0],
        "y": places[:, 1],
        "share_x": share[0],
        "share_y": share[1],
    }
    return pd.DataFrame(columns)


def draw(params, tables):
    figures = {"catecm-fig-03": draw_curve(tables["runs"])}
    return figures | {"catecm-fig-04": draw_map(tables)} if "animals" in tables else figures


# ---------------------------------------------------------------- drawing


def draw_curve(runs):
    """Draw the mean nonspecificity of what the experiments keep, with its interval, against c."""
    figure = new_figure(7.2, 4.2)
    ax = figure.subplots()
    best = best_of_each(runs, "focal_sets", "convention", "c")
    names = [READINGS[reading] for reading in zip(best["focal_sets"], best["convention"])]
    curve_with_errors(ax, best.assign(reading=names), "c", "nonspecificity", "reading", "mean-ci")
    ax.axvline(CLASSES, color=MUTED, linestyle=":", linewidth=1.2, zorder=0)
    ax.annotate("printed minimum", (CLASSES, ax.get_ylim()[1]), (-4, -9), textcoords="offset points",
                ha="right", fontsize=TICK_SIZE, color=MUTED)  # fmt: skip
    ax.set_xlabel("number of clusters c")
    ax.set_ylabel("nonspecificity N*")
    ax.set_ylim(bottom=0)
    return figure


def draw_map(tables):
    """Draw every animal with the look of its set of largest mass; those on several clusters by name."""
    animals = of(tables, "animals", FIRST)
    focal_sets = at_most_pairs(CLASSES)
    chosen = [focal_sets.labels.index(label) for label in animals["focal_set"]]
    masses = [[float(j == place) for j in range(len(focal_sets))] for place in chosen]
    figure = new_figure(9.2, 5.6)
    ax = figure.subplots()
    partition = CredalPartition(masses, focal_sets)
    hard_credal_scatter(ax, animals[["x", "y"]], partition, legend=False, title=f"Zoo, c = {CLASSES}")
    between = animals[animals["set"].str.contains("+", regex=False)]
    for place, rows in between.groupby([between["x"].round(6), between["y"].round(6)]):
        text = ", ".join(rows["animal"])
        ax.annotate(text, place, (5, 4), textcoords="offset points", fontsize=TICK_SIZE, color=INK)
    ax.set_xlabel(f"axis 1, {animals['share_x'].iloc[0]:.0%} of the inertia")
    ax.set_ylabel(f"axis 2, {animals['share_y'].iloc[0]:.0%}")
    handles, labels = ax.get_legend_handles_labels()
    names = dict(zip(animals["focal_set"], animals["set"]))
    counts = animals["focal_set"].value_counts()
    legend_outside(ax, handles, labels=[f"{k} {names[k]}: {counts[k]}" for k in labels])
    return figure


experiment = declare(
    __name__,
    title="Zoo: the number of clusters, and animals between clusters",
    artefacts={
        "catecm-fig-03": "Zoo: nonspecificity against the number of clusters",
        "catecm-fig-04": "Zoo: seven clusters in the plane of a multiple correspondence analysis",
    },
    summaries=(other_readings, other_starts, between_clusters, from_the_classes),
    smoke={
        "n_clusters": (2, 7, 8),
        "attributes": ATTRIBUTES[:2],
        "n_restarts": 3,
        "n_repetitions": 4,
        "n_others": 4,
    },
    data=("zoo",),
)
