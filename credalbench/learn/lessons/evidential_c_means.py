"""Exercises of lesson 3: evidential c-means, its sliders alpha, beta and delta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.learn.kinds import Choice, Choices, Exploration, Number, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import ECMModel

mass_by_hand = Number(
    "What is the mass of the object on {1}? Two digits are enough.",
    0.617,
    {
        0.471: "You left out A, the number of clusters in a set: {1,2} gets 1 / 2, and not 1.",
        0.9: "That is what {1} and {2} would share alone. {1,2} and ∅ take some, too.",
        1.0: "That is 1 / d² before all are divided by their sum.",
        0.621: "You left out ∅, which takes 1 / 100.",
        0.517: "The distances are squared, in 1 / (A d²), and so is δ.",
    },
    otherwise="{1}: 1 / 1; {2}: 1 / 9; {1,2}: 1 / (2 · 1); ∅: 1 / 100. Divide the first by the sum of all.",
    tolerance=0.0035,
    explanation="1 of 1 + 1/9 + 1/2 + 1/100. The pair is as near as {1}, and gets half as much.",
    hints=("Work out 1 / (A d²) for {1}, {2} and {1,2}, and 1 / δ² for ∅.", "Their sum is about 1.62."),
)

more_alpha = Choice(
    "You make α larger. What happens to the masses on pairs of clusters?",
    (
        wrong("they grow", "A to the power α stands below the line: the larger it is, the smaller the mass."),
        right("they shrink", "A set of two is divided by 2 to the power α, a single cluster by 1."),
        wrong("nothing: α moves prototypes only", "Move it, and look at the mass on sets of two clusters."),
    ),
    hints=("What is 2 to the power 1, 2, 3? What is 1 to these powers?",),
)


def _share_of_sets(model: ECMModel) -> float:
    """How much of all mass is on sets of several clusters."""
    partition = model.fitted.partition
    several = partition.focal_sets.cardinality > 1
    return float(partition.masses[:, several].sum() / partition.n_objects)


def _less_doubt(model: ECMModel) -> str:
    share = _share_of_sets(model)
    return (
        ""
        if share < 0.1
        else f"{share:.2f} of all mass is on sets of several clusters: α is still too small."
    )


less_doubt = Exploration(
    "Find an α at which less than a tenth of all mass is on sets of several clusters.",
    _less_doubt,
    {"alpha": 5.0},
    ({"alpha": 0.0}, {"alpha": 2.0}),
    explanation="Doubt between clusters costs so much that hardly any is left.",
    hints=("Make α larger.", "Beyond 4."),
)


def _harder(model: ECMModel) -> str:
    largest = float(model.fitted.partition.masses.max(axis=1).mean())
    if abs(model.alpha - 1) > 1e-9:
        return f"Put α back to 1 first: it is {model.alpha:g}."
    return "" if largest > 0.9 else f"The largest mass of an object is {largest:.2f} on average."


harder = Exploration(
    "Find a β at which the largest mass of an object is more than 0.9 on average.",
    _harder,
    {"alpha": 1.0, "beta": 1.2},
    ({"alpha": 1.0, "beta": 2.0}, {"alpha": 1.0, "beta": 3.0}, {"alpha": 5.0, "beta": 1.2}),
    explanation="Near 1 almost all mass of an object is on its nearest set.",
    hints=("Make β smaller.", "Below 1.4."),
)

less_delta = Choice(
    "You make δ smaller, step by step. Who becomes an outlier first?",
    (
        wrong("the objects in the middle between clusters", "They are near a pair. Think of distances."),
        right(
            "the objects far from every prototype and barycentre",
            "For them ∅, at distance δ, is nearest first.",
        ),
        wrong("everybody at the same time", "δ is the same for all, the other distances are not."),
    ),
    hints=("∅ has its highest mass where δ is small beside all other distances.",),
)


def _some_outliers(model: ECMModel) -> str:
    n = model.fitted.n_outliers
    if abs(model.alpha - 1) > 1e-9 or abs(model.beta - 2) > 1e-9:
        return f"Put α back to 1 and β back to 2 first: they are {model.alpha:g} and {model.beta:g}."
    if n == 0:
        return "There is no outlier: ∅ is farther away than something else for every object."
    return "" if n <= 10 else f"There are {n} outliers, more than ten: ∅ is too near."


some_outliers = Exploration(
    "Find a δ with at least one outlier, and at most ten.",
    _some_outliers,
    {"alpha": 1.0, "beta": 2.0, "delta": 3.0},
    (
        {"alpha": 1.0, "beta": 2.0, "delta": 14.8},
        {"alpha": 1.0, "beta": 2.0, "delta": 1.0},
        {"alpha": 1.0, "beta": 1.2, "delta": 3.0},
    ),
    explanation="From this distance on ECM says: none of the clusters.",
    hints=("Make δ smaller, slowly.", "Between 2.5 and 4."),
)

place_of_a_pair = Choice(
    "Where does ECM place the set {1,2}?",
    (
        wrong(
            "at the objects that lie between 1 and 2",
            "There may be none; its place follows from the prototypes.",
        ),
        right("in the middle between prototypes 1 and 2", "At their barycentre."),
        wrong("nowhere: it has a constant distance", "That is the empty set."),
    ),
)

which_slider = Choice(
    "You want to hear of fewer doubts between clusters. Which slider?",
    (
        right("α, up", "It takes mass from sets of several clusters."),
        wrong("δ, up", "That takes mass from ∅: fewer outliers, and no fewer doubts."),
        wrong("β, up", "That spreads masses over more sets."),
    ),
)

same_masses = Choices(
    "With β near 1 each object has nearly all its mass on one set. Which sets can that be?",
    (
        right("a single cluster", "For most objects."),
        right("a pair of clusters", "For those near the middle of two prototypes."),
        right("the empty set", "For those farther than δ from everything: with a small δ there are some."),
    ),
    explanation="Hard masses are not precise masses: a hard credal partition still has doubts.",
)
