"""Exercises of lesson 7: tables of categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.belief.decision import TIE_TOLERANCE
from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import CatECMModel

distance_to_a_pair = Number(
    "How far is the object (b, a) from the set {1,2}?",
    1.5,
    {
        1.0: "That is its distance from prototype 1 alone.",
        2.0: "That is its distance from prototype 2 alone.",
        3.0: "That is the sum of both distances; the set has their mean.",
    },
    otherwise="From (b, b) it differs in one attribute, from (f, b) in both. Take the mean.",
    explanation="1 from the first prototype, 2 from the second, in the mean 1.5.",
    hints=("In how many attributes does (b, a) differ from (b, b), and from (f, b)?",),
)

value_of_a_prototype = Choice(
    "In a cluster four objects are red, two blue, three green. Which colour has its prototype?",
    (
        right("red", "The most frequent value."),
        wrong("something between them", "There is nothing between colours."),
        wrong(
            "all three, in proportion",
            "That would be a mean. The paper's rule gives all weight to one value.",
        ),
    ),
    hints=("The value that costs the fewest differences.",),
)

who_is_open = Choice(
    "Five objects have their highest mass on Ω. What have they in common?",
    (
        wrong("their values lie between those of the prototypes", "Values of categories have no order."),
        wrong("they share nothing with any prototype", "Those are the two outliers, 11 and 12."),
        right(
            "they share equally much with both prototypes",
            "One value, the b of the second attribute, which both prototypes have.",
        ),
    ),
    hints=("Click on one, and compare its values with the prototypes in the table.",),
)


def _number_on_omega(model: CatECMModel) -> int:
    """Objects that have no more mass on another set."""
    partition = model.fitted.partition
    omega = partition.masses[:, partition.focal_sets.index(range(model.n_clusters))]
    return int((omega >= partition.masses.max(axis=1) - TIE_TOLERANCE).sum())


def _no_doubts(model: CatECMModel) -> str:
    if model.n_clusters != 2:
        return "Take two clusters, as the explorer began."
    n = _number_on_omega(model)
    return f"{n} objects have their highest mass on Ω: α is still too small." if n else ""


no_doubts = Exploration(
    "Find an α at which no object has its highest mass on Ω.",
    _no_doubts,
    {"alpha": 0.5},
    ({"alpha": -0.5}, {"alpha": -0.05}),
    explanation="With a large α a doubt costs more than a wrong cluster. The five had to go somewhere.",
    hints=("As in lesson 3: a larger α takes mass from sets of several clusters.",),
)


def _no_outliers(model: CatECMModel) -> str:
    if abs(model.alpha + 0.05) > 1e-6:
        return f"Put α back to -0.05 first: it is {model.alpha:g}."
    n = model.fitted.n_outliers
    return f"There are {n} outliers: ∅ is nearer to them than any prototype." if n else ""


no_outliers = Exploration(
    "Make the outliers vanish, with α = -0.05. There are two ways.",
    _no_outliers,
    {"alpha": -0.05, "normalize": True},
    ({"alpha": -0.05, "beta": 2.0}, {"alpha": -1.0}, {"alpha": 1.0, "normalize": True}),
    explanation="Either δ is larger, or differences are means over the attributes: 1 at most, and δ² is 1.1.",
    hints=(
        "Which distance does an outlier compare with δ?",
        "Make δ larger, or tick the mean over the attributes.",
    ),
)

numbers_for_words = Choice(
    "Why not write 1, 2, 3 for red, green, blue and use k-means?",
    (
        wrong("it would be slower", "It would be fast, and mean nothing."),
        right(
            "the order and the steps are invented", "Green would lie between red and blue, and 3 far from 1."
        ),
        wrong("k-means takes no whole numbers", "It takes them, and returns means of colours."),
    ),
)

same_differences = Choice(
    "Two objects differ from prototype 1 in two attributes each. What follows about them?",
    (
        wrong("they are equal", "They may differ in other attributes, or by other values."),
        wrong("they differ from each other in none", "They may differ in all four of those attributes."),
        right(
            "they are equally far from prototype 1, and no more", "A number of differences has no direction."
        ),
    ),
)

mean_or_sum = Choice(
    "Differences in 20 attributes are added up. With which δ is an object without common values no outlier?",
    (
        wrong("1.05, as for the thirteen objects", "The distance is 20 now: ∅ would be far nearer."),
        wrong("1, the largest mean", "That would do for means, not for sums."),
        right(
            "one whose square is larger than 20",
            "The number of differences plays the part of a squared distance.",
        ),
    ),
)
