"""Exercises of lesson 7: tables of categories."""

from credalbench.belief.decision import TIE_TOLERANCE
from credalbench.explore import CatECMModel
from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

distance_to_a_pair = Number(
    "How far is the object (b, a) from the set {1,2}?",
    1.5,
    {
        1.0: "That is its distance from prototype 1 alone.",
        2.0: "That is its distance from prototype 2 alone.",
        3.0: "That is the sum of both distances. The set has their mean.",
    },
    explanation="Its distance is 1 from the first prototype and 2 from the second. The mean is 1.5.",
    hints=(
        "In how many attributes does (b, a) differ from (b, b), and from (f, b)?",
        "It differs from (b, b) in one attribute, and from (f, b) in both. Use the mean.",
    ),
)

value_of_a_prototype = Choice(
    "A cluster has four red, two blue and three green objects. Which colour does its prototype have?",
    (
        right("red", "The most frequent value."),
        wrong("a colour between them", "There is nothing between categories."),
        wrong("all three, in proportion", "That would be a mean. A prototype has one value."),
    ),
    hints=("It is the value from which the fewest objects differ.",),
)

objects_on_omega = Choice(
    "Five objects have their largest mass on Ω. What do they have in common?",
    (
        wrong("their values lie between those of the prototypes", "Categories have no order."),
        wrong("they have no value in common with a prototype", "Those are the two outliers, 11 and 12."),
        right(
            "they have as much in common with one prototype as with the other",
            "They share one value, the b of the second attribute, which both prototypes have.",
        ),
    ),
    hints=("Click one of them, and compare its values with the prototypes in the table.",),
)


def _number_on_omega(model: CatECMModel) -> int:
    """Return the number of objects with their largest mass on Ω."""
    partition = model.fitted.partition
    omega = partition.masses[:, partition.focal_sets.index(range(model.n_clusters))]
    return int((omega >= partition.masses.max(axis=1) - TIE_TOLERANCE).sum())


def _judge_omega(model: CatECMModel) -> str:
    if model.n_clusters != 2:
        return "Use two clusters, as at the beginning."
    n = _number_on_omega(model)
    return f"{n} objects have their largest mass on Ω. α is too small." if n else ""


no_ambiguous_objects = Exploration(
    "Find an α for which no object has its largest mass on Ω.",
    _judge_omega,
    {"alpha": 0.5},
    ({"alpha": -0.5}, {"alpha": -0.05}),
    explanation="With a large α, mass on Ω costs more than mass on a single cluster. Each of the five "
    "objects gets a cluster.",
    hints=("As in lesson 3, a larger α reduces the mass on sets of several clusters.",),
)


def _judge_outliers(model: CatECMModel) -> str:
    if abs(model.alpha + 0.05) > 1e-6:
        return f"Set α to -0.05 first; it is {model.alpha:g}."
    n = model.fitted.n_outliers
    return f"There are {n} outliers. ∅ is nearer to them than all prototypes." if n else ""


no_outliers = Exploration(
    "Find settings with α = -0.05 that give no outliers. There are two solutions.",
    _judge_outliers,
    {"alpha": -0.05, "normalize": True},
    ({"alpha": -0.05, "beta": 2.0}, {"alpha": -1.0}, {"alpha": 1.0, "normalize": True}),
    explanation="Either δ is larger, or distances are means over the attributes: they are at most "
    "1, and δ² is 1.1.",
    hints=(
        "Which distance of an outlier is compared with δ?",
        "Increase δ, or select the mean over the attributes.",
    ),
)

numbers_for_words = Choice(
    "Why is it wrong to write 1, 2, 3 for red, green, blue and to use k-means?",
    (
        wrong("it would be slower", "It would be fast, but meaningless."),
        right("the order and the distances are arbitrary", "Green would be between red and blue."),
        wrong("k-means rejects whole numbers", "It accepts them, and returns means of colours."),
    ),
)

same_differences = Choice(
    "Two objects differ from prototype 1 in two attributes each. What follows?",
    (
        wrong("they are equal", "They may differ in other attributes, or have other values."),
        wrong("they do not differ from each other", "They may differ in all four attributes."),
        right("they have the same distance from it", "The distance counts only how many attributes differ."),
    ),
)

mean_or_sum = Choice(
    "An object has no value in common with any prototype, and its differences in 20 attributes are added. "
    "For which δ is it not an outlier?",
    (
        wrong("1.05, as for the thirteen objects", "The distance is 20 now. ∅ would be much nearer."),
        wrong("1, the largest mean", "That is enough for means, not for sums."),
        right("a δ whose square is larger than 20", "A number of differences acts as a squared distance."),
    ),
)
