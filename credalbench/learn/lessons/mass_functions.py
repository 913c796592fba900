"""Exercises of lesson 1: mass functions, belief, plausibility, decisions."""

from math import isclose

from credalbench.belief import MassFunction
from credalbench.learn.kinds import Choice, Choices, Masses, Number, right, wrong

BIRDS = ("blackbird", "robin", "wren")

guess = Choice(
    'Use only what Ann says. How probable is "a blackbird"?',
    (
        wrong("0.35, half of 0.7", "You divided Ann's 0.7 equally. Her statement does not do that."),
        wrong("0.7", '0.7 is for "blackbird or robin" together. Ann does not prefer the blackbird.'),
        right(
            "her statement does not determine it",
            "Ann may be right if it is always a blackbird, and also if it never is. One number cannot "
            "express that.",
        ),
        wrong(
            "0.45: half of 0.7, and a third of 0.3",
            "You divided equally twice, between two birds and among three. Ann's statement does "
            "neither of these.",
        ),
    ),
    hints=("Does Ann state how much of her 0.7 is for the blackbird?",),
)


def _judge_ann(one: MassFunction) -> str:
    if isclose(one.mass({0, 1}), 0.7, abs_tol=1e-6) and isclose(one.mass({0, 1, 2}), 0.3, abs_tol=1e-6):
        return ""
    if one.mass({0}) > 0 or one.mass({1}) > 0:
        return "Ann does not distinguish a blackbird from a robin. Her statement supports {1,2} as a whole."
    if one.mass({2}) > 0:
        return (
            "If Ann is wrong about the sound, the bird need not be a wren. Her statement is then worth "
            "nothing, so this mass belongs on Ω."
        )
    if one.mass(()) > 0:
        return "Mass on ∅ means 'none of the three', which nobody claims."
    return "The set that Ann names receives the share of cases in which she is right. The rest is ignorance."


ann = Masses(
    "Set the sliders to Ann's statement. The remaining mass is on Ω.",
    _judge_ann,
    {"{1,2}": 0.7, "Ω": 0.3},
    ({"{1}": 0.35, "{2}": 0.35, "Ω": 0.3}, {"{1,2}": 0.7, "{3}": 0.3}, {"{1}": 0.7, "Ω": 0.3}),
    names=BIRDS,
    explanation="0.7 supports {1,2} and nothing more precise. The remaining 0.3 is ignorance, on Ω.",
    hints=("Which set contains the two birds that Ann names?", "One slider is enough: {1,2}."),
)

belief_of_two = Number(
    'What is the belief in {1,2}, "a blackbird or a robin"?',
    0.7,
    {
        0.5: "That is the mass of {1,2} alone. Is another set with mass a subset of {1,2}?",
        1.0: "That is its plausibility. Belief counts only subsets of {1,2}, and Ω is not one.",
        0.8: "Ω is not a subset of {1,2}: it also contains the wren.",
    },
    explanation="0.2 on {1} and 0.5 on {1,2}: a blackbird is also 'a blackbird or a robin'.",
    hints=(
        "Look at the three sets with mass: which are subsets of {1,2}?",
        "Add the masses of the subsets of {1,2}, which do not contain the wren.",
    ),
)

plausibility_of_two = Number(
    'What is the plausibility of {2,3}, "a robin or a wren"?',
    0.8,
    {
        0.0: "That is its belief: no set with mass is a subset of {2,3}. For plausibility one common "
        "bird is enough.",
        0.3: "Ω intersects {2,3}, and so does another set. Which one contains the robin?",
        1.0: "One mass contradicts it: the set {1} contains neither robin nor wren.",
    },
    explanation="0.5 on {1,2}, which contains the robin, and 0.3 on Ω. Only the 0.2 on {1} contradicts it.",
    hints=(
        "Look at the three sets with mass: which have a bird in common with {2,3}?",
        "Add the masses of the sets that contain the robin or the wren.",
    ),
)

ben_and_cleo = Choices(
    "Compare Ben's board with Cleo's. Which columns are the same?",
    (
        wrong("belief", "Ben's belief in the blackbird is 0.00; Cleo's is 0.50."),
        wrong("plausibility", "For Ben the plausibility of the blackbird is 1.00; for Cleo only 0.50."),
        right("pignistic probability", "0.50 for both, although Ben cannot tell the two birds apart."),
    ),
    explanation="Only the pignistic probabilities agree. The intervals distinguish Ben's ignorance from "
    "Cleo's counts.",
    hints=("Compare the rows of the blackbird, column by column.",),
)

one_of_the_three = Number(
    "0.6 is on ∅, 0.3 on {1} and 0.1 on Ω. How plausible is it that the bird was one of the three?",
    0.4,
    {
        1.0: "That would be right without the mass on ∅, which contains none of the three.",
        0.6: "That is the mass on ∅, which supports none of them.",
        0.1: "That is the mass on Ω. Another set also contains one of the three birds.",
    },
    explanation="All mass except the 0.6 on ∅. A plausibility is never larger than 1 minus the mass on ∅.",
    hints=(
        "Which of the three sets with mass contains no bird?",
        "Add the masses of all sets that contain at least one bird.",
    ),
)

two_rules = Choice(
    "The masses are 0.4 on {1}, 0.1 on {2} and 0.5 on {2,3}. Which bird does each rule choose?",
    (
        wrong("both the blackbird", "Add the masses that do not contradict the robin: 0.1 and 0.5."),
        wrong("both the robin", "The pignistic probability gives the robin only half of the 0.5 on {2,3}."),
        right(
            "most plausible: the robin; highest pignistic probability: the blackbird",
            "The plausibility of the robin is 0.6, and that of the blackbird 0.4. But the robin shares 0.5 "
            "with the wren, so its pignistic probability is 0.35, less than 0.4.",
        ),
        wrong(
            "most plausible: the blackbird; highest pignistic probability: the robin",
            "It is the other way round: plausibility counts the 0.5 on {2,3} in full, and the other rule "
            "counts half of it.",
        ),
    ),
    hints=(
        "Plausibility counts the mass of a set in full for each member; the pignistic "
        "probability divides it.",
    ),
)


meaning = Choice(
    "An object has a mass of 0.4 on {1,3}. What does that mean?",
    (
        wrong("0.2 of the evidence supports 1, and 0.2 supports 3", "The 0.4 supports the pair as a whole."),
        right(
            "0.4 of the evidence supports 1 or 3, without stating which",
            "A mass supports its set, and nothing more precise.",
        ),
        wrong("the object is in 1 and in 3", "It is in one cluster, but it is unknown in which."),
    ),
)

is_it_ruled_out = Choice(
    "The belief in cluster 1 is 0.3, and the belief in each other cluster is 0. The plausibility of 2 is "
    "0.2, and that of 3 is 0.6. Which clusters are ruled out?",
    (
        wrong("none: 0.3 is small", "The size does not matter, only the comparison with a plausibility."),
        right("2 only", "0.3 exceeds 0.2, but not 0.6."),
        wrong("2 and 3", "The plausibility of 3 is larger than the belief in 1."),
    ),
)

half_and_half = Choice(
    "Object A has 0.5 on {1} and 0.5 on {2}, and object B has 1 on {1,2}. Which numbers distinguish them?",
    (
        right(
            "belief and plausibility",
            "A: 0.5 and 0.5 for each cluster. B: belief 0, plausibility 1. The evidence on A conflicts; "
            "nothing is known about B.",
        ),
        wrong("the pignistic probabilities", "They are 0.5 and 0.5 for both, as for Ben and Cleo."),
        wrong("none: both are half and half", "Compare the intervals of Ben and Cleo."),
    ),
)
