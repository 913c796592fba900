"""Figures 1 to 4 and Examples 3 and 4: reading a credal partition of the butterfly.

Twelve points: two wings (1 to 5 and 7 to 11), the body (6) half way between them, and an outlier (12) far
from all. With two clusters and all four subsets as focal sets, ignorance takes two forms: object 6 gives its
mass to the set of both clusters (either may be right), object 12 to the empty set (neither is).

Printed: c = 2, the four focal sets (Section 2.2, Example 3), alpha = 0.05 and d0 = 11 (Example 4), Euclidean
distances. Not printed: the coordinates (those of the authors' R package are used), the optimiser, its
stopping threshold, the number of random starts, and the masses behind Figure 2. We run Algorithm 1 with the
threshold 1e-5 of Section 3.2 from 20 random starts and show the solution of lowest stress; which of the two
singletons a wing gets is chance, so every check holds for either numbering.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi
from credalbench.datasets import load
from credalbench.plots import PALETTE, mass_curves, new_figure, shepard, transformation_curve
from credalbench.plots.style import INK, MUTED, TICK_SIZE, dress
from credalbench.runner import (
    EXPECTATION,
    PAPER,
    PROPERTY,
    TOLERANCE_OURS,
    Finding,
    case_random_state,
    declare,
    knob,
    printed_values,
)
from credalbench.runner.claims import above, agrees, all_of, below, claim, within

PRINTED = printed_values(__file__)
ROUNDING = 1e-12  # of sums over a dozen numbers below 10
FAMILY = FocalSets.full(2)  # the empty set, {1}, {2} and both: Example 3
LEFT, RIGHT = range(0, 5), range(6, 11)  # objects 1 to 5 and 7 to 11


@dataclass(frozen=True)
class Parameters:
    """What Examples 3 and 4 fix, and the random starts that they leave open."""

    d0: float = knob(11.0, "distance from which objects conflict by 1 - alpha (Example 4)", low=1e-6)
    alpha: float = knob(0.05, "remaining plausibility of one cluster at d0 (Example 4)", low=1e-6, high=0.99)
    n_starts: int = knob(20, "random starts; the lowest stress is shown (not stated in the paper)", low=1)
    seed: int = knob(0, "of the random starts (not stated in the paper)", low=0)


def cases(params):
    return [{"start": start} for start in range(params.n_starts)]


def compute(params, case):
    data = load("butterfly")
    model = EVCLUS(
        2,
        d0=params.d0,
        alpha=params.alpha,
        focal_sets=FAMILY,
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
        "objects": objects.join(model.partition_.to_frame()),
        "pairs": pd.DataFrame(pairs),
    }


def best(tables, name):
    """Rows of one table that belong to the start of lowest stress."""
    runs, table = tables["runs"], tables[name]
    return table[table["start"] == runs.loc[runs["stress"].idxmin(), "start"]].reset_index(drop=True)


def partition_of(objects):
    """The credal partition written in a table of objects."""
    return CredalPartition(objects[FAMILY.labels].to_numpy(), FAMILY)


def partition(params, tables):
    """The credal partition of lowest stress, object by object."""
    return partition_of(best(tables, "objects"))


def draw(params, tables):
    objects, pairs = best(tables, "objects"), best(tables, "pairs")
    figures = {key: new_figure(*size) for key, size in SIZES.items()}
    draw_points(figures["evclus-fig-01"].subplots(), objects)
    mass_curves(figures["evclus-fig-02"].subplots(), partition_of(objects), title="Butterfly, c = 2")
    gamma = gamma_from_d0(params.d0, params.alpha)
    ax = figures["evclus-fig-03"].subplots()
    transformation_curve(ax, gamma, params.d0, pairs["distance"], pairs["delta"], title="66 distances")
    shepard(figures["evclus-fig-04"].subplots(), pairs["delta"], pairs["kappa"], title="66 pairs of objects")
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
    dress(ax, title="Butterfly: 12 objects", xlabel="attribute 1", ylabel="attribute 2", grid="both")
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.09)


# ------------------------------------------------------------------------------------------ claims

SHOWN = "the masses are drawn, not printed; optimiser and random starts are not stated"


@claim("evclus-fig-01", "there are exactly 12 points", PAPER, published=PRINTED["n_objects"])
def twelve_points(params, tables):
    return agrees(PRINTED["n_objects"], len(best(tables, "objects")))


def distances_to(tables, number):
    """Distances from one object to the others, a Series by object number."""
    pairs = best(tables, "pairs")
    first, second = pairs["first"] == number, pairs["second"] == number
    there = pairs.loc[first].set_index("second")["distance"]
    return pd.concat([pairs.loc[second].set_index("first")["distance"], there])


@claim("evclus-fig-01", "object 12 has the largest mean distance to the others", EXPECTATION)
def outlier_is_farthest(params, tables):
    means = pd.Series({k: distances_to(tables, k).mean() for k in best(tables, "objects")["object"]})
    first, second = means.nlargest(2).index
    return Finding(
        first == 12, f"object {first}, mean {means[first]:.2f}; then {second}, {means[second]:.2f}"
    )


@claim("evclus-fig-01", "object 6 is equidistant from the two wings", EXPECTATION)
def body_is_between(params, tables):
    from_six = distances_to(tables, 6)
    left, right = (np.sort(from_six[[k + 1 for k in wing]]) for wing in (LEFT, RIGHT))
    return below(ROUNDING, {"largest difference of the sorted distances": np.abs(left - right).max()})


def wing_cluster(partition, wing):
    """The cluster that most objects of a wing find most plausible."""
    return int(np.bincount(partition.labels()[list(wing)], minlength=2).argmax())


def largest_mass_on(tables, number, focal_set):
    """Whether the largest mass of an object is on `focal_set`; and that mass."""
    partition = partition_of(best(tables, "objects"))
    mass, chosen = partition.masses[number - 1, FAMILY.index(focal_set)], partition.hard_credal()[number - 1]
    return Finding(chosen == FAMILY.index(focal_set), f"m_{number}({FAMILY.labels[chosen]}) is largest"), mass


@claim(
    "evclus-fig-02",
    "the largest mass of object {number} is on the singleton of its own wing, and about as printed",
    TOLERANCE_OURS,
    published="{printed}",
    explanation=SHOWN,
    each=[
        {"number": 3, "wing": LEFT, "other": RIGHT, "printed": PRINTED["mass_3"]},
        {"number": 9, "wing": RIGHT, "other": LEFT, "printed": PRINTED["mass_9"]},
    ],
)
def in_its_wing(params, tables, number, wing, other, printed):
    partition = partition_of(best(tables, "objects"))
    own, opposite = wing_cluster(partition, wing), wing_cluster(partition, other)
    largest, mass = largest_mass_on(tables, number, {own})
    return all_of(
        Finding(own != opposite, "the wings are two clusters"), largest, agrees(printed, mass, ".3f")
    )


@claim(
    "evclus-fig-02",
    "the largest mass of object 6 is on the set of both clusters",
    PAPER,
    published="a large mass on Ω, no figure given",
    explanation=SHOWN,
)
def body_is_ambiguous(params, tables):
    largest, mass = largest_mass_on(tables, 6, {0, 1})
    return Finding(largest.holds, f"m_6(Ω) = {mass:.3f}")


@claim(
    "evclus-fig-02",
    "the largest mass of object 12 is on the empty set, and about as printed",
    TOLERANCE_OURS,
    published=PRINTED["mass_12"],
    explanation=SHOWN,
)
def outlier_is_empty(params, tables):
    largest, mass = largest_mass_on(tables, 12, ())
    return all_of(largest, agrees(PRINTED["mass_12"], mass, ".3f"))


@claim(
    "evclus-ex-03",
    "objects 3 and 9 belong to different wings, 6 is ambiguous, 12 belongs to neither: as in Figure 2",
    PAPER,
    published="m_3, m_9 about 0.8, m_6(Ω) large, m_12(∅) about 1",
    explanation=SHOWN,
)
def partition_is_read(params, tables):
    return all_of(*(check(params, tables) for check in (*in_its_wing, body_is_ambiguous, outlier_is_empty)))


@claim("evclus-fig-03", "all points lie on one increasing curve through (0, 0)", PROPERTY)
def one_increasing_curve(params, tables):
    """Sorted by distance the transforms never fall, equal distances agree, and the curve is phi itself."""
    pairs = best(tables, "pairs").sort_values(["distance", "delta"])
    d, delta = pairs["distance"].to_numpy(), pairs["delta"].to_numpy()
    gamma = gamma_from_d0(params.d0, params.alpha)
    apart = np.diff(d) > ROUNDING
    rising = np.all(np.diff(delta)[apart] > 0) and np.all(np.abs(np.diff(delta)[~apart]) <= ROUNDING)
    off = np.abs(delta - (1 - np.exp(-gamma * d**2))).max()
    return all_of(
        Finding(rising and phi(0.0, gamma) == 0.0, f"{apart.sum() + 1} distinct distances"),
        below(ROUNDING, {"largest distance from the curve": off}, ".1e"),
    )


@claim(
    "evclus-fig-04",
    "degrees of conflict follow the transformed dissimilarities (correlation above 0.95)",
    EXPECTATION,
)
def conflict_follows(params, tables):
    pairs, stress = best(tables, "pairs"), tables["runs"]["stress"]
    near = (stress <= 1.01 * stress.min()).sum()
    note = f"stress {stress.min():.5f}; {near} of {len(stress)} random starts end within 1 % of it"
    return above(0.95, {"r": np.corrcoef(pairs["delta"], pairs["kappa"])[0, 1]}, ".4f", note)


@claim("evclus-fig-04", "degrees of conflict lie in [0, 1]", PROPERTY)
def conflict_in_unit_interval(params, tables):
    kappa = tables["pairs"]["kappa"]
    return within(0, 1, {"least": kappa.min(), "largest, over all random starts": kappa.max()}, ".4f")


@claim(
    "evclus-ex-04",
    "alpha and d0 as printed give the curve of Figure 3 and the 66 pairs of Figure 4",
    PAPER,
    published=f"alpha = {PRINTED['alpha'].value:g}, d0 = {PRINTED['d0'].value:g}",
    explanation="the paper's alpha or d0 was changed",
)
def settings_of_example_4(params, tables):
    n_pairs = len(best(tables, "pairs"))
    settings = [agrees(PRINTED[name], {name: getattr(params, name)}) for name in ("alpha", "d0")]
    pairs = Finding(n_pairs == 66, f"{n_pairs} pairs")
    return all_of(*settings, pairs, one_increasing_curve(params, tables))


experiment = declare(
    __name__,
    title="Butterfly: what a credal partition says about twelve points",
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
