"""Figures 1 to 4 and Examples 3 and 4: reading a credal partition of the butterfly.

Twelve points: two wings (1 to 5 and 7 to 11), the body (6) halfway between them, and an outlier (12) far from
all. With two clusters and all four subsets as focal sets, ignorance takes two forms: object 6 gives its mass
to the set of both clusters (either may be right), object 12 to the empty set (neither is).

Printed: c = 2, the four focal sets (Section 2.2, Example 3), alpha = 0.05 and d0 = 11 (Example 4), Euclidean
distances. Not printed: the coordinates (those of the authors' R package are used), the optimiser, its
stopping threshold, the number of random starts, and the masses behind Figure 2. We run Algorithm 1 with the
threshold 1e-5 of Section 3.2 from 20 random starts and show the solution of lowest stress; which of the two
singletons a wing gets is random, so every check holds for either numbering.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi
from credalbench.datasets import load
from credalbench.papers import Finding, case_random_state, declare, knob, printed_values
from credalbench.papers.claims import above, agrees, all_of, below, claim
from credalbench.plots import PALETTE, mass_curves, new_figure, shepard_diagram, transformation_curve
from credalbench.plots.style import INK, MUTED, TICK_SIZE, style_axes

PRINTED = printed_values(__file__)
ROUNDING = 1e-12  # of sums over a dozen numbers below 10
FOCAL_SETS = FocalSets.full(2)  # the empty set, {1}, {2} and both: Example 3
LEFT, RIGHT = range(0, 5), range(6, 11)  # objects 1 to 5 and 7 to 11


@dataclass(frozen=True)
class Parameters:
    """What Examples 3 and 4 fix, and the random starts that they leave open."""

    d0: float = knob(11.0, "distance from which objects conflict by 1 - alpha (Example 4)", low=1e-6)
    alpha: float = knob(0.05, "plausibility that one cluster keeps at d0 (Example 4)", low=1e-6, high=0.99)
    n_starts: int = knob(20, "random starts; the lowest stress is shown (not stated in the paper)", low=1)
    seed: int = knob(0, "seed of the random starts (not stated)", low=0)


def cases(params):
    return [{"start": start} for start in range(params.n_starts)]


def compute(params, case):
    data = load("butterfly")
    model = EVCLUS(
        2,
        d0=params.d0,
        alpha=params.alpha,
        focal_sets=FOCAL_SETS,
        init="random",
        random_state=case_random_state(params.seed, "butterfly", case["start"]),
    ).fit(data.X)
    objects = pd.DataFrame({"object": np.arange(1, data.n_objects + 1), "x": data.X[:, 0], "y": data.X[:, 1]})
    i, j = np.triu_indices(data.n_objects, 1)
    d = data.dissimilarities()[i, j]
    pairs = {
        "first": i + 1,
        "second": j + 1,
        "distance": d,
        "delta": phi(d, model.gamma_),
        "kappa": model.partition_.conflict()[i, j],
    }
    run = {"stress": [model.objective_], "n_iter": [model.n_iter_], "converged": [model.converged_]}
    return {
        "runs": pd.DataFrame(run),
        "objects": objects.join(model.partition_.to_frame("masses")),
        "pairs": pd.DataFrame(pairs),
    }


def best(tables, name):
    """Return the rows of one table that belong to the start of lowest stress."""
    runs, table = tables["runs"], tables[name]
    return table[table["start"] == runs.loc[runs["stress"].idxmin(), "start"]].reset_index(drop=True)


def partition_of(objects):
    """Return the credal partition written in a table of objects, with their numbers in the paper as names."""
    return CredalPartition(objects[FOCAL_SETS.labels].to_numpy(), FOCAL_SETS, objects["object"])


def partition(params, tables):
    """Return the credal partition of lowest stress, object by object."""
    return partition_of(best(tables, "objects"))


def draw(params, tables):
    objects, pairs = best(tables, "objects"), best(tables, "pairs")
    figures = {key: new_figure(*size) for key, size in SIZES.items()}
    draw_points(figures["evclus-fig-01"].subplots(), objects)
    mass_curves(figures["evclus-fig-02"].subplots(), partition_of(objects), title="Butterfly, c = 2")
    gamma = gamma_from_d0(params.d0, params.alpha)
    ax = figures["evclus-fig-03"].subplots()
    transformation_curve(ax, gamma, params.d0, pairs["distance"], pairs["delta"], title="66 distances")
    shepard_diagram(
        figures["evclus-fig-04"].subplots(), pairs["delta"], pairs["kappa"], title="66 pairs of objects"
    )
    return figures


SIZES = {
    "evclus-fig-01": (5.2, 4.4),
    "evclus-fig-02": (6.6, 3.6),
    "evclus-fig-03": (5.6, 3.7),
    "evclus-fig-04": (4.6, 4.6),
}


def draw_points(ax, objects):
    ax.plot(objects["x"], objects["y"], "o", ms=7, color=PALETTE[0], markeredgecolor="white")
    for row in objects.itertuples():
        look = {"fontsize": TICK_SIZE + 1, "color": INK if row.object in (6, 12) else MUTED}
        ax.annotate(str(row.object), (row.x, row.y), (5, 5), textcoords="offset points", **look)
    style_axes(ax, title="Butterfly: 12 objects", xlabel="attribute 1", ylabel="attribute 2", grid="both")
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.09)


# ------------------------------------------------------------------------------------------ claims

SHOWN = "the masses are drawn, not printed; optimiser and random starts are not stated"


def expected_sets(tables):
    """Return the set that most mass of each object should be on: its wing's cluster, both, or none."""
    labels = partition_of(best(tables, "objects")).labels("plausibility")
    left, right = ({int(np.bincount(labels[list(wing)], minlength=2).argmax())} for wing in (LEFT, RIGHT))
    return {3: left, 9: right, 6: {0, 1}, 12: ()}


@claim(
    "evclus-fig-02",
    "the masses of objects 3 and 9 on their own wings, and of object 12 on the empty set, are about as "
    "printed",
    sentence="S09 S11",
    published=", ".join(f"m_{number}: {PRINTED[f'mass_{number}'].value:g}" for number in (3, 9, 12)),
    explanation=SHOWN,
)
def masses_as_printed(params, tables):
    masses, sets = partition_of(best(tables, "objects")).masses, expected_sets(tables)
    ours = {f"m_{number}": masses[number - 1, FOCAL_SETS.index(sets[number])] for number in (3, 9, 12)}
    return agrees({f"m_{number}": PRINTED[f"mass_{number}"] for number in (3, 9, 12)}, ours, ".3f")


@claim(
    "evclus-ex-03",
    "objects 3 and 9 have their largest masses on the clusters of their two wings, 6 on the set of both "
    "clusters, 12 on the empty set",
    sentence="S09 S10 S11",
    explanation=SHOWN,
)
def partition_is_read(params, tables):
    partition, sets = partition_of(best(tables, "objects")), expected_sets(tables)
    chosen, masses = partition.hard_credal(), partition.masses
    largest = [f"m_{k}({FOCAL_SETS.labels[chosen[k - 1]]}) = {masses[k - 1].max():.3f}" for k in sets]
    as_expected = all(chosen[k - 1] == FOCAL_SETS.index(focal_set) for k, focal_set in sets.items())
    return Finding(as_expected and sets[3] != sets[9], ", ".join(largest))


@claim(
    "evclus-fig-04",
    "some objects conflict with themselves, none by more than 1 - m^2, with m its largest mass on a cluster; "
    "two objects on different clusters conflict by at least the product of those masses",
    sentence="S14",
)
def conflict_of_the_certain(params, tables):
    objects, pairs = best(tables, "objects"), best(tables, "pairs").set_index(["first", "second"])["kappa"]
    partition = partition_of(objects)
    certain, cluster = objects[["{1}", "{2}"]].max(axis=1).to_numpy(), partition.labels("plausibility")
    own = np.einsum("ij,jk,ik->i", partition.masses, FOCAL_SETS.conflict, partition.masses)
    i, j = np.array(pairs.index.to_list()).T - 1
    apart = cluster[i] != cluster[j]
    missing = (certain[i] * certain[j] - pairs.to_numpy())[apart]
    sure = certain.argmax()
    note = (
        f"object {sure + 1}, the most certain with {certain[sure]:.3f}, conflicts with itself by "
        f"{own[sure]:.3f}"
    )
    return all_of(
        above(0, {"largest conflict with itself": own.max()}, ".3f", note),
        below(ROUNDING, {"above 1 - m^2, at most": (own - 1 + certain**2).max()}, ".2f"),
        below(ROUNDING, {"below the product, at most": missing.max()}, ".2f"),
    )


@claim(
    "evclus-ex-04",
    "objects at least d0 apart have a transformed dissimilarity of 1 - alpha or more, the others less",
    sentence="S12",
    published=f"alpha = {PRINTED['alpha'].value:g}, d0 = {PRINTED['d0'].value:g}",
    explanation="the paper's alpha or d0 was changed",
)
def far_objects_are_to_conflict(params, tables):
    pairs, bound = best(tables, "pairs"), 1 - PRINTED["alpha"].value
    far = pairs["distance"] >= PRINTED["d0"].value
    note = (
        f"{far.sum()} of {len(pairs)} pairs; their degrees of conflict {pairs.loc[far, 'kappa'].min():.3f} "
        f"or more"
    )
    return all_of(
        above(bound - ROUNDING, {"least, of those apart": pairs.loc[far, "delta"].min()}, ".3f", note),
        below(bound, {"largest of the others": pairs.loc[~far, "delta"].max()}, ".3f"),
    )


experiment = declare(
    __name__,
    title="Butterfly: a credal partition of twelve points",
    artefacts={
        "evclus-fig-01": "The butterfly and its outlier",
        "evclus-fig-02": "Masses of the butterfly against the object number",
        "evclus-fig-03": "Transformed dissimilarities against distances",
        "evclus-fig-04": "Shepard diagram: degrees of conflict against transformed dissimilarities",
        "evclus-ex-03": "Reading the butterfly's credal partition",
        "evclus-ex-04": "Setting d0 and alpha for the butterfly",
    },
    summaries=(partition,),
    smoke={"n_starts": 4},
)
