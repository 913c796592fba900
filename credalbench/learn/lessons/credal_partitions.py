"""Exercises of lesson 2: credal partitions and the simpler partitions derived from them."""

import numpy as np

from credalbench.belief import CredalPartition, MassFunction
from credalbench.explore import EVCLUSModel
from credalbench.learn.kinds import Choice, Choices, Exploration, Masses, right, wrong

MIDDLE = 5  # the row, from 0, of the object between the wings

masses_of_both = Choice(
    "Object 6 lies between the wings, and object 12 lies far from all others. Should the mass of each "
    "object be on Ω or on ∅?",
    (
        wrong("both on Ω", "Ω means that any cluster is possible. No cluster is possible for object 12."),
        wrong("both on ∅", "∅ means none of the clusters. Object 6 may be in either wing."),
        right("6 on Ω, 12 on ∅", "Any cluster is possible for 6, and none for 12: opposite kinds of doubt."),
        wrong("6 on ∅, 12 on Ω", "It is the other way round: which set means that no cluster fits?"),
    ),
    hints=("Ω: any of the clusters. ∅: none of them.",),
)

read_the_map = Choice(
    "Object 6 lies outside both solid lines, but inside both dashed lines. What does that mean?",
    (
        wrong("it is an outlier", "An outlier has a ring; its largest mass is on ∅."),
        wrong(
            "it is in both clusters", "It is in one cluster; the lines show which clusters are not ruled out."
        ),
        right(
            "it may be in either cluster: neither is ruled out", "Its largest mass is on Ω, the set of both."
        ),
    ),
    hints=("Dashed: possibly in the cluster. Solid: surely in it.",),
)

memberships_of_an_outlier = Choice(
    "The plausibilities of object 12 are 0.00 and 0.03. What are its fuzzy memberships?",
    (
        wrong("0 and 0: it is in no cluster", "Memberships always sum to 1."),
        wrong("0.5 and 0.5: nothing is known", "0.03 is larger than 0.00. Divide both by their sum."),
        right("0 and 1: all for the second", "0.03 divided by 0.03 is 1. The small value is lost."),
    ),
    hints=("Divide 0.00 and 0.03 by their sum.",),
)


def _judge_outlier(one: MassFunction) -> str:
    partition = CredalPartition(one.masses[None], one.focal_sets)
    memberships = partition.to_fuzzy()[0]
    if not partition.outliers()[0]:
        return f"This is not an outlier: the mass {one.mass(()):.2f} on ∅ is not the largest mass."
    if one.mass(()) > 1 - 1e-9:
        return "With all mass on ∅, both plausibilities are 0 and cannot be divided by their sum."
    if not np.allclose(memberships, 0.5, atol=1e-6):
        return (
            f"The memberships are {memberships[0]:.2f} and {memberships[1]:.2f}, which differ from those "
            "of object 6."
        )
    return ""


outlier_in_the_middle = Masses(
    "There are two clusters. Find masses of an outlier whose fuzzy memberships are 0.5 and 0.5. The mass "
    "on ∅ is the largest, but not 1. There are several solutions.",
    _judge_outlier,
    {"∅": 0.8, "Ω": 0.2},
    ({"Ω": 1.0}, {"{1}": 0.5, "{2}": 0.5}, {"∅": 0.9, "{2}": 0.1}),
    n_clusters=2,
    explanation="Both clusters have the same small plausibility. Divided by their sum, each is 0.5.",
    hints=(
        "Put most of the mass on ∅.",
        "The rest must make both clusters equally plausible. Mass on Ω does.",
    ),
)


def _judge_ignorance(one: MassFunction) -> str:
    plausibilities = [one.plausibility({0}), one.plausibility({1})]
    if not np.allclose(plausibilities, 0.5, atol=1e-6):
        return f"The plausibilities are {plausibilities[0]:.2f} and {plausibilities[1]:.2f}, not 0.5 and 0.5."
    if one.mass({0}) > 0 or one.mass({1}) > 0:
        return (
            "These masses still support single clusters. Use only the two sets that treat both clusters "
            "equally."
        )
    return ""


same_plausibilities = Masses(
    "An object with 0.5 on {1} and 0.5 on {2} has plausibilities 0.5 and 0.5. Find masses of another object "
    "with the same plausibilities, but with nothing on {1} or {2}.",
    _judge_ignorance,
    {"∅": 0.5, "Ω": 0.5},
    ({"{1}": 0.5, "{2}": 0.5}, {"Ω": 1.0}, {"{1}": 0.5, "Ω": 0.5}),
    n_clusters=2,
    explanation='One object: half of the mass on 1, half on 2. The other: half on "any cluster", half on '
    '"none".',
    hints=("Mass on Ω counts for both plausibilities at once.", "Mass on ∅ counts for neither."),
)

rough_outlier = Choice(
    "Look at row 12 of the table. Where is the outlier in the rough partition?",
    (
        wrong("in no approximation", "Look at cluster 2: two entries are True."),
        wrong("in both upper approximations", "Only one of these entries is True: cluster 1 is ruled out."),
        right(
            "in the lower approximation of cluster 2",
            "Cluster 1 is ruled out, because its plausibility is less than the small belief in 2.",
        ),
    ),
    hints=("Read the columns lower 1, lower 2, upper 1 and upper 2.",),
)


def _judge_conflict(model: EVCLUSModel) -> str:
    one = model.fitted.partition[MIDDLE]
    single, both = one.mass({0}) + one.mass({1}), one.mass({0, 1})
    if one.mass(()) > 0.3:
        return f"Object 6 has {one.mass(()):.2f} on ∅: d₀ is so small that the object fits neither wing."
    if min(one.mass({0}), one.mass({1})) < 0.2 or single < 2 * both:
        return f"Object 6 has {single:.2f} on {{1}} and {{2}} together, and {both:.2f} on Ω. d₀ is too large."
    return ""


conflicting = Exploration(
    "Find a value of the slider at which the evidence on object 6 conflicts: {1} and {2} together have at "
    "least twice the mass of Ω, and the object is not an outlier.",
    _judge_conflict,
    {"d0_quantile": 0.7},
    ({"d0_quantile": 0.95}, {"d0_quantile": 0.3}),
    explanation="Part of the evidence supports one wing, part supports the other, and little mass is on Ω.",
    hints=("Make d₀ smaller.", "A quantile of about 0.7 is right."),
)

what_it_is = Choice(
    "What is a credal partition?",
    (
        wrong("a cluster for each object", "That is a hard partition."),
        wrong("memberships that sum to 1 over the clusters", "That is a fuzzy partition."),
        right("a mass function for each object", "The masses are on sets of clusters and sum to 1."),
    ),
)

omega_or_empty = Choice(
    "Object A has a mass of 0.9 on Ω, and object B has 0.9 on ∅. Which of them is an outlier?",
    (
        wrong("A", "Ω means that any cluster is possible."),
        right("B", "Its largest mass is on 'none of the clusters'."),
        wrong("both", "These are opposite kinds of doubt: compare objects 6 and 12."),
    ),
)

partitions_of_the_outlier = Choices(
    "Object 9 is in the middle of its wing, cluster 2. Which partitions of the table show that object 12 "
    "fits cluster 2 worse than object 9 does?",
    (
        wrong("hard", "Both have the label 2."),
        wrong("fuzzy", "The membership of object 12 in cluster 2 rounds to 1, as if it fitted better."),
        right("possibilistic", "The plausibility of cluster 2 is 0.03 for 12, but rounds to 1 for 9."),
        wrong("rough", "Both are in the lower approximation of cluster 2."),
    ),
    explanation="Plausibilities can all be small, because they need not sum to 1.",
)

partitions_of_the_middle = Choices(
    "Which partitions of the table treat both clusters equally for object 6, up to 0.01, but not for "
    "objects 3 and 9?",
    (
        wrong("hard", "Object 6 has a single label, like objects 3 and 9."),
        right("fuzzy", "Its memberships are 0.5 and 0.5."),
        right("possibilistic", "Its plausibilities are 0.71 and 0.70, both high."),
        right("rough", "It is in both upper approximations, and in no lower one."),
    ),
    explanation="All partitions except the hard one show this doubt.",
)

one_half = Choices(
    "The fuzzy memberships of an object are 0.5 and 0.5. Which descriptions are possible?",
    (
        right("its cluster is unknown", "1 on Ω gives 0.5 and 0.5."),
        right("the evidence conflicts", "0.5 on {1} and 0.5 on {2} give 0.5 and 0.5."),
        right("it is an outlier", "0.8 on ∅ and 0.2 on Ω give 0.5 and 0.5, as in the exercise."),
        wrong("cluster 2 is ruled out for it", "Then cluster 2 would have a smaller membership."),
    ),
    explanation="Three kinds of doubt have the same memberships. This is the information that a fuzzy "
    "partition loses.",
)
