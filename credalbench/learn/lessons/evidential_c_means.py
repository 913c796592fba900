"""Exercises of lesson 3: evidential c-means and its parameters alpha, beta and delta."""

from credalbench.explore import ECMModel
from credalbench.learn.kinds import Choice, Choices, Exploration, Number, right, wrong

mass_by_hand = Number(
    "What is the mass of the object on {1}? Two digits are enough.",
    0.617,
    {
        0.471: "You left out A, the number of clusters in a set: {1,2} gets 1 / 2 instead of 1.",
        0.9: "That would be right for {1} and {2} alone. {1,2} and ∅ also have mass.",
        1.0: "That is 1 / d², before the division by the sum.",
        0.621: "You left out ∅, which gets 1 / 100.",
        0.517: "The distances are squared, in 1 / (A d²), and so is δ.",
    },
    tolerance=0.0035,
    explanation="1 divided by 1 + 1/9 + 1/2 + 1/100. The pair has the same distance as {1}, but "
    "half of its mass.",
    hints=(
        "Work out 1 / (A d²) for {1}, {2} and {1,2}, and 1 / δ² for ∅.",
        "Their sum is about 1.62.",
        "{1}: 1 / 1; {2}: 1 / 9; {1,2}: 1 / (2 · 1); ∅: 1 / 100. Divide the first by the sum of all.",
    ),
)

more_alpha = Choice(
    "α is increased. What happens to the masses on pairs of clusters?",
    (
        wrong(
            "they grow", "A to the power α is in the denominator: the larger it is, the smaller the mass is."
        ),
        right(
            "they shrink",
            "The weight of a pair is divided by 2 to the power α, that of a single cluster by 1.",
        ),
        wrong("nothing: α changes only prototypes", "Move α, and look at the mass on sets of two clusters."),
    ),
    hints=("What is 2 to the power 1, 2, 3? What is 1 to these powers?",),
)


def _share_of_sets(model: ECMModel) -> float:
    """Return the share of the mass on sets of several clusters."""
    partition = model.fitted.partition
    several = partition.focal_sets.cardinality > 1
    return float(partition.masses[:, several].sum() / partition.n_objects)


def _judge_precision(model: ECMModel) -> str:
    share = _share_of_sets(model)
    return "" if share < 0.1 else f"{share:.2f} of the mass is on sets of several clusters. α is too small."


precise_masses = Exploration(
    "Find an α for which less than a tenth of the mass is on sets of several clusters.",
    _judge_precision,
    {"alpha": 5.0},
    ({"alpha": 0.0}, {"alpha": 2.0}),
    explanation="Sets of several clusters are so expensive that they have almost no mass.",
    hints=("Increase α.", "The value is above 4."),
)


def _judge_hardness(model: ECMModel) -> str:
    largest = float(model.fitted.partition.masses.max(axis=1).mean())
    if abs(model.alpha - 1) > 1e-9:
        return f"Set α to 1 first; it is {model.alpha:g}."
    return "" if largest > 0.9 else f"The largest mass of an object is {largest:.2f} on average."


harder = Exploration(
    "Find a β for which the largest mass of an object is more than 0.9 on average.",
    _judge_hardness,
    {"alpha": 1.0, "beta": 1.2},
    ({"alpha": 1.0, "beta": 2.0}, {"alpha": 1.0, "beta": 3.0}, {"alpha": 5.0, "beta": 1.2}),
    explanation="For β near 1, almost all mass of an object is on its nearest set.",
    hints=("Decrease β.", "The value is below 1.4."),
)

less_delta = Choice(
    "δ is decreased step by step. Which objects become outliers first?",
    (
        wrong("the objects in the middle between clusters", "They are near the barycentre of a pair."),
        right(
            "the objects far from every prototype and barycentre",
            "For them ∅, at distance δ, becomes the nearest set first.",
        ),
        wrong(
            "all objects at the same time", "δ is the same for all objects, but the other distances differ."
        ),
    ),
    hints=("The mass on ∅ is the largest if δ is small compared with all other distances.",),
)


def _some_outliers(model: ECMModel) -> str:
    n = model.fitted.n_outliers
    if abs(model.alpha - 1) > 1e-9 or abs(model.beta - 2) > 1e-9:
        return f"Set α to 1 and β to 2 first; they are {model.alpha:g} and {model.beta:g}."
    if n == 0:
        return "There is no outlier: for every object another set is nearer than ∅."
    return "" if n <= 10 else f"There are {n} outliers, more than ten. ∅ is too near."


some_outliers = Exploration(
    "Find a δ that gives at least one outlier and at most ten.",
    _some_outliers,
    {"alpha": 1.0, "beta": 2.0, "delta": 3.0},
    (
        {"alpha": 1.0, "beta": 2.0, "delta": 14.8},
        {"alpha": 1.0, "beta": 2.0, "delta": 1.0},
        {"alpha": 1.0, "beta": 1.2, "delta": 3.0},
    ),
    explanation="From this distance on, ECM reports that an object is in none of the clusters.",
    hints=("Decrease δ slowly.", "The value is between 3 and 4.5."),
)

position_of_a_pair = Choice(
    "What is the position of the set {1,2} in ECM?",
    (
        wrong("at the objects that lie between 1 and 2", "It follows from the prototypes alone."),
        right("in the middle between prototypes 1 and 2", "It is their barycentre."),
        wrong("it has none, only a constant distance", "That is the empty set."),
    ),
)

which_slider = Choice(
    "Fewer objects should be between clusters. Which slider has this effect?",
    (
        right("α, increased", "It reduces the mass on sets of several clusters."),
        wrong("δ, increased", "That reduces the mass on ∅: there are fewer outliers."),
        wrong("β, increased", "That spreads the masses over more sets."),
    ),
)

same_masses = Choices(
    "With β near 1, each object has nearly all its mass on one set. Which sets are possible?",
    (
        right("a single cluster", "For most objects."),
        right("a pair of clusters", "For objects near the middle between two prototypes."),
        right(
            "the empty set", "For objects farther than δ from all positions. With a small δ there are some."
        ),
    ),
    explanation="Hard masses are not always precise: a hard credal partition can still express doubt.",
)
