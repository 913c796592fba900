"""Exercises of lesson 4: EVCLUS, conflict, the threshold d0, Shepard diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.learn.kinds import Choice, Choices, Exploration, Number, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import EVCLUSModel

conflict_of_two = Number(
    "What is the degree of conflict of A and B?",
    0.48,
    {
        0.8: "Also count what B says: only 0.6 of its mass is on a set without 1.",
        0.24: "Which pairs of sets have no cluster in common? Only {1} and {2}: one product.",
        0.92: "Ω shares a cluster with every set but ∅: pairs with Ω are no conflict.",
        1.0: "Part of each mass is on Ω, which disagrees with nobody.",
    },
    otherwise="Only {1} and {2} have no cluster in common: multiply A's mass on {1} by B's on {2}.",
    explanation="0.8 times 0.6. All other pairs of sets share a cluster.",
    hints=("Write down the four pairs of sets. Which of them share no cluster?",),
)

conflict_with_itself = Number(
    "What is the degree of conflict of C, with 0.5 on {1} and 0.5 on {2}, with itself?",
    0.5,
    {
        0.0: "{1} of the one and {2} of the other share no cluster: that product counts, also here.",
        0.25: "There are two such pairs of sets: {1} with {2}, and {2} with {1}.",
        1.0: "{1} with {1} is no conflict, and neither is {2} with {2}.",
    },
    otherwise="Add the products of {1} with {2} and of {2} with {1}.",
    explanation="0.5 · 0.5 twice. Who is torn disagrees with himself; only open or sure objects do not.",
    hints=("Two pairs of sets share no cluster.",),
)

above_the_diagonal = Choice(
    "A point of the diagram lies above the diagonal. What does that say of its two objects?",
    (
        right(
            "they disagree more than their dissimilarity asks for",
            "Upwards is conflict, to the right what is asked.",
        ),
        wrong("they disagree less than their dissimilarity asks for", "That is a point below the diagonal."),
        wrong("they are outliers", "A point is a pair of objects; it says nothing of one of them."),
    ),
    hints=("Upwards: what they do. To the right: what is asked of them.",),
)

small_d0 = Choice(
    "Nearly all objects should be in conflict with all others. Which masses do that?",
    (
        wrong("all mass on Ω", "Ω is in conflict with nothing."),
        wrong("half of the objects in {1}, half in {2}", "Within each half nobody disagrees."),
        right("all mass on ∅", "∅ is in conflict with everything, itself included: everybody an outlier."),
    ),
    hints=("Which set shares no cluster with any set, itself included?",),
)


def _most_outliers(model: EVCLUSModel) -> str:
    n, outliers = model.subject.n_objects, model.fitted.n_outliers
    if model.data != "butterfly" or model.n_clusters != 2:
        return "Take the butterfly and two clusters, as the explorer began."
    return "" if outliers > n / 2 else f"{outliers} of {n} objects are outliers: d₀ is still too large."


most_outliers = Exploration(
    "Find a d₀ at which more than half of the objects are outliers.",
    _most_outliers,
    {"d0_quantile": 0.2},
    ({"d0_quantile": 0.9}, {"d0_quantile": 0.6}),
    explanation="Nearly everybody is asked to disagree with everybody, and ∅ is the only set that does.",
    hints=("Make d₀ smaller.", "Below the quantile 0.3."),
)

stress_and_quality = Choice(
    "For 200 objects of four classes the stress is lower at the quantile 0.1 of d₀ than at 0.9. Better?",
    (
        wrong(
            "yes: its stress is lower", "At 0.1 more than half of the objects are outliers. Easy is not good."
        ),
        right(
            "the stress does not say so",
            "It tells how well conflicts fit what was asked, and each d₀ asks for something else.",
        ),
        wrong("no: a larger d₀ is always better", "At 1.0 doubts grow again. The stress does not decide it."),
    ),
    hints=("Would you compare the errors of two different exams?",),
)

what_it_needs = Choice(
    "What does EVCLUS need?",
    (
        wrong("attributes, for its prototypes", "It has no prototypes."),
        right("a dissimilarity for each pair of objects", "And nothing else: proteins and melodies will do."),
        wrong("the true classes of some objects", "It is told none."),
    ),
)

on_the_diagonal = Choices(
    "All points of a Shepard diagram lie on the diagonal. What follows?",
    (
        right("the stress is 0", "Nothing is left of the differences."),
        right("far objects are in more conflict than near ones", "The conflict is δ, which grows with d."),
        wrong("there are no outliers", "A far object that disagrees with all fits well: see object 11."),
    ),
    explanation="The masses do what is asked. Whether the clusters mean anything is another question.",
)

no_conflict = Choice(
    "Two objects have their mass on {1,2} and on {2,3}. Their conflict is 0. What does that say?",
    (
        wrong("they are in the same cluster", "The one may be in 1 and the other in 3."),
        wrong("they are in different clusters", "Both may be in 2."),
        right(
            "they may be in the same cluster", "Cluster 2 is possible for both: nothing speaks against it."
        ),
    ),
)
