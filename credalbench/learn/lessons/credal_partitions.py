"""Exercises of lesson 2: credal partitions, and what hard, fuzzy, possibilistic and rough ones lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credalbench.belief import CredalPartition, MassFunction
from credalbench.learn.kinds import Choice, Choices, Exploration, Masses, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import EVCLUSModel

MIDDLE = 5  # the object between the wings

what_should_be_said = Choice(
    "Object 5 lies between the wings, object 11 far from all. Where should their masses be?",
    (
        wrong("both on Ω", "Ω says: any cluster would do. For object 11 none does."),
        wrong("both on ∅", "∅ says: none of them. Object 5 would do well in either wing."),
        right("5 on Ω, 11 on ∅", "Any of them would do, and none of them will: two opposite doubts."),
        wrong("5 on ∅, 11 on Ω", "The other way round: which set says that no cluster fits?"),
    ),
    hints=("Ω: any of them. ∅: none of them.",),
)

read_the_map = Choice(
    "Object 5 lies within no solid line, and within both dashed ones. What does that say?",
    (
        wrong("it is an outlier", "An outlier has a ring; its highest mass is on ∅."),
        wrong(
            "it is surely in both", "Solid lines hold what is sure. It has one cluster, and may be in either."
        ),
        right("it is in one of them, and neither is ruled out", "Its highest mass is on Ω, the set of both."),
    ),
    hints=("Solid: surely. Dashed: possibly.",),
)

memberships_of_an_outlier = Choice(
    "The plausibilities of object 11 are 0.00 and 0.03. What are its fuzzy memberships?",
    (
        wrong("0 and 0: it belongs nowhere", "Memberships add up to 1, whatever there is to share out."),
        wrong(
            "0.5 and 0.5: nothing is known", "0.03 is little, but more than 0.00. Divide both by their sum."
        ),
        right("0 and 1: surely in the second", "0.03 divided by 0.03 is 1: how little it was is forgotten."),
    ),
    hints=("Divide 0.00 and 0.03 by their sum.",),
)


def _looks_like_the_middle(one: MassFunction) -> str:
    partition = CredalPartition(one.masses[None], one.focal_sets)
    memberships = partition.to_fuzzy()[0]
    if not partition.outliers()[0]:
        return f"This is no outlier: {one.mass(()):.2f} on ∅ is not more than on any other set."
    if one.mass(()) > 1 - 1e-9:
        return "With all mass on ∅ both plausibilities are 0, and there is nothing to divide."
    if not np.allclose(memberships, 0.5, atol=1e-6):
        return (
            f"The memberships are {memberships[0]:.2f} and {memberships[1]:.2f}, and tell it from object 5."
        )
    return ""


outlier_in_the_middle = Masses(
    "Find masses of an outlier, with more on ∅ than on any other set, but not all, whose fuzzy memberships "
    "are 0.5 and 0.5.",
    _looks_like_the_middle,
    {"∅": 0.8, "Ω": 0.2},
    ({"Ω": 1.0}, {"{1}": 0.5, "{2}": 0.5}, {"∅": 0.9, "{2}": 0.1}),
    n_clusters=2,
    explanation="Nearly nothing speaks for either cluster, and equally little: divided by its sum, 0.5 each.",
    hints=("Most of the mass goes to ∅.", "What is left must make both clusters equally plausible: Ω does."),
)


def _open_not_torn(one: MassFunction) -> str:
    plausibilities = [one.plausibility({0}), one.plausibility({1})]
    if not np.allclose(plausibilities, 0.5, atol=1e-6):
        return f"The plausibilities are {plausibilities[0]:.2f} and {plausibilities[1]:.2f}, not 0.5 and 0.5."
    if one.mass({0}) > 0 or one.mass({1}) > 0:
        return "These masses still speak for single clusters. Use only the two sets that treat both alike."
    return ""


same_plausibilities = Masses(
    "An object with 0.5 on {1} and 0.5 on {2} has plausibilities 0.5 and 0.5. Find masses of another object "
    "with the same plausibilities, but with nothing on {1} or {2}.",
    _open_not_torn,
    {"∅": 0.5, "Ω": 0.5},
    ({"{1}": 0.5, "{2}": 0.5}, {"Ω": 1.0}, {"{1}": 0.5, "Ω": 0.5}),
    n_clusters=2,
    explanation="One object is torn, the other is open or an outlier. Their plausibilities agree.",
    hints=("Mass on Ω counts for both plausibilities at once.", "What no plausibility may count goes to ∅."),
)

rough_outlier = Choice(
    "Look at row 11 of the table. Where does the rough partition put the outlier?",
    (
        wrong("in no cluster", "Look at its lower approximations: one of them is True."),
        wrong("possibly in both", "Only one upper approximation is True: cluster 1 is ruled out."),
        right(
            "surely in cluster 2",
            "Cluster 1 is ruled out, because the belief in 2, however small, exceeds its plausibility.",
        ),
    ),
    hints=("The columns lower 1, lower 2, upper 1, upper 2.",),
)


def _torn(model: EVCLUSModel) -> str:
    one = model.fitted.partition[MIDDLE]
    single, both = one.mass({0}) + one.mass({1}), one.mass({0, 1})
    if one.mass(()) > 0.3:
        return f"Object 5 has {one.mass(()):.2f} on ∅: d₀ is so small that it is far from everybody."
    if min(one.mass({0}), one.mass({1})) < 0.2 or single < 2 * both:
        return f"Object 5 has {single:.2f} on {{1}} and {{2}} together, and {both:.2f} on Ω: d₀ is too large."
    return ""


torn = Exploration(
    "Find a value of the slider at which object 5 is torn: it has at least twice as much mass on {1} and {2} "
    "together as on Ω, and is no outlier.",
    _torn,
    {"d0_quantile": 0.7},
    ({"d0_quantile": 0.95}, {"d0_quantile": 0.3}),
    explanation="Part of the evidence is for one wing, part for the other, and little leaves it open.",
    hints=("Make d₀ smaller.", "A quantile of about 0.7 will do."),
)

what_it_is = Choice(
    "What is a credal partition?",
    (
        wrong("a cluster for each object", "That is a hard partition."),
        wrong("memberships that add up to 1 over the clusters", "That is a fuzzy partition."),
        right("a mass function for each object", "Its masses are on sets of clusters, and add up to 1."),
    ),
)

two_doubts = Choice(
    "Object A has a mass of 0.9 on Ω, object B has 0.9 on ∅. Which of them is an outlier?",
    (
        wrong("A", "Ω says: any cluster would do."),
        right("B", "Its highest mass says: none of the clusters."),
        wrong("both", "They doubt in opposite ways: look at objects 5 and 11 again."),
    ),
)

who_sees_the_outlier = Choices(
    "Object 8 is in the middle of its wing, cluster 2. Which partitions of the table show that object 11 "
    "fits cluster 2 worse than object 8 does?",
    (
        wrong("hard", "Both have the label 2."),
        wrong("fuzzy", "Its membership in cluster 2 rounds to 1: as if it fitted better than object 8."),
        right("possibilistic", "The plausibility of cluster 2 is 0.03, that of object 8 rounds to 1."),
        wrong("rough", "Both lie in the lower approximation of cluster 2."),
    ),
    explanation="Only plausibilities that need not add up to 1 can all be low.",
)

who_sees_the_middle = Choices(
    "Which partitions of the table show that object 5 is less surely in one cluster than objects 2 and 8?",
    (
        wrong("hard", "It has a label, as the others have."),
        right("fuzzy", "Its memberships are 0.5 and 0.5."),
        right("possibilistic", "Both its plausibilities are high."),
        right("rough", "It lies in both upper approximations, and in no lower one: possibly here or there."),
    ),
    explanation="All but the hard one.",
)

one_half = Choices(
    "The fuzzy memberships of an object are 0.5 and 0.5. What may be true of it?",
    (
        right("both clusters would do", "1 on Ω gives 0.5 and 0.5."),
        right("it is torn between the clusters", "0.5 on {1} and 0.5 on {2} give 0.5 and 0.5."),
        right("it is an outlier", "0.8 on ∅ and 0.2 on Ω give 0.5 and 0.5: you have found such masses."),
        wrong("it is surely in cluster 1", "Then cluster 2 would be less plausible, with a smaller share."),
    ),
    explanation="Three different doubts, one and the same pair of memberships: that is what fuzzy loses.",
)
