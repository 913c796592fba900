"""Exercises of lesson 4: EVCLUS, conflict, the threshold d0 and Shepard diagrams."""

from credalbench.explore import EVCLUSModel
from credalbench.learn.kinds import Choice, Choices, Exploration, Number, right, wrong

conflict_of_two = Number(
    "What is the degree of conflict of A and B?",
    0.48,
    {
        0.8: "That is the mass of A alone. Only 0.6 of the mass of B is on a set without 1.",
        0.24: "Only one pair of sets has no cluster in common, {1} and {2}. Use one product.",
        0.92: "Ω has a cluster in common with every set except ∅. Pairs with Ω add no conflict.",
        1.0: "Part of the mass of each object is on Ω, which does not conflict with any cluster.",
    },
    explanation="0.8 times 0.6. All other pairs of sets have a cluster in common.",
    hints=(
        "Write down the four pairs of sets. Which have no cluster in common?",
        "Only {1} and {2} have no cluster in common. Multiply A's mass on {1} by B's mass on {2}.",
    ),
)

conflict_with_itself = Number(
    "C has 0.5 on {1} and 0.5 on {2}. What is its degree of conflict with itself?",
    0.5,
    {
        0.0: "{1} and {2} have no cluster in common. The product of their masses also counts here.",
        0.25: "There are two such pairs of sets: {1} with {2}, and {2} with {1}.",
        1.0: "{1} with {1} is not in conflict, and neither is {2} with {2}.",
    },
    explanation="0.5 · 0.5 twice. An object whose evidence conflicts is in conflict with itself.",
    hints=(
        "Two pairs of sets have no cluster in common.",
        "Add the products of {1} with {2} and of {2} with {1}.",
    ),
)

above_the_diagonal = Choice(
    "A point of the diagram lies above the diagonal. What does that mean for its two objects?",
    (
        right(
            "their conflict is larger than the transformed dissimilarity", "Conflict is the vertical axis."
        ),
        wrong("their conflict is smaller than the transformed dissimilarity", "That is below the diagonal."),
        wrong("they are outliers", "A point is a pair of objects and says nothing about a single object."),
    ),
    hints=("Vertical: the conflict. Horizontal: the value that it should have.",),
)

small_d0 = Choice(
    "Nearly all objects should be in conflict with all other objects. Which masses achieve this?",
    (
        wrong("all mass on Ω", "Ω is not in conflict with any cluster."),
        wrong("half of the objects in {1}, half in {2}", "Within each half there is no conflict."),
        right(
            "all mass on ∅", "∅ is in conflict with every set, even with itself: all objects are outliers."
        ),
    ),
    hints=("Which set has no cluster in common with any set, not even with itself?",),
)


def _judge_outliers(model: EVCLUSModel) -> str:
    n, outliers = model.subject.n_objects, model.fitted.n_outliers
    if model.data != "butterfly" or model.n_clusters != 2:
        return "Use the butterfly and two clusters, as at the beginning."
    return "" if outliers > n / 2 else f"{outliers} of {n} objects are outliers. d₀ is too large."


most_outliers = Exploration(
    "Find a d₀ for which more than half of the objects are outliers.",
    _judge_outliers,
    {"d0_quantile": 0.2},
    ({"d0_quantile": 0.9}, {"d0_quantile": 0.6}),
    explanation="Nearly all pairs should be in conflict, but only ∅ is in conflict with every set.",
    hints=("Decrease d₀.", "A quantile of 0.3 is small enough."),
)

stress_and_quality = Choice(
    "For 200 objects of four classes, the stress is smaller at the quantile 0.1 of d₀ than at 0.9. Is the "
    "partition better?",
    (
        wrong(
            "yes: its stress is smaller",
            "At 0.1 more than half of the objects are outliers. Such masses fit easily.",
        ),
        right(
            "the stress does not decide this",
            "It measures the fit to the transformed dissimilarities, which differ for each d₀.",
        ),
        wrong(
            "no: a larger d₀ is always better",
            "At the quantile 1.0 there is more ignorance again. The stress does not decide this.",
        ),
    ),
    hints=("Are the transformed dissimilarities at 0.1 the same as those at 0.9?",),
)

what_it_needs = Choice(
    "What does EVCLUS need?",
    (
        wrong("attributes, for its prototypes", "It has no prototypes."),
        right("a dissimilarity for each pair of objects", "It needs nothing else. Proteins are an example."),
        wrong("the true classes of some objects", "EVCLUS uses no classes."),
    ),
)

on_the_diagonal = Choices(
    "All points of a Shepard diagram lie on the diagonal. What follows?",
    (
        right("the stress is 0", "All differences are 0."),
        right("far objects are in more conflict than near ones", "The conflict is δ, which grows with d."),
        wrong("there are no outliers", "A far object in conflict with all others fits well: see object 12."),
    ),
    explanation="The masses fit the dissimilarities. Whether the clusters are meaningful is another "
    "question.",
)

no_conflict = Choice(
    "Two objects have their mass on {1,2} and on {2,3}. Their conflict is 0. What does that mean?",
    (
        wrong("they are in the same cluster", "One may be in 1 and the other in 3."),
        wrong("they are in different clusters", "Both may be in 2."),
        right("they may be in the same cluster", "Cluster 2 is possible for both; nothing contradicts it."),
    ),
)
