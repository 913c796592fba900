"""Exercises of lesson 1: mass functions, belief, plausibility, decisions."""

from __future__ import annotations

from math import isclose

from credalbench.belief import MassFunction
from credalbench.learn.kinds import Choice, Choices, Masses, Number, right, wrong

BIRDS = ("blackbird", "robin", "wren")

guess = Choice(
    'By Ann\'s words alone, with nothing added to them: how probable is "a blackbird"?',
    (
        wrong(
            "0.35, half of 0.7",
            "You shared Ann's 0.7 evenly between blackbird and robin. She did not say that.",
        ),
        wrong("0.7", '0.7 is for "blackbird or robin" together; Ann did not prefer the blackbird.'),
        right(
            "they do not say: any number would fit",
            "All blackbirds would fit Ann's words, and so would none: one number cannot say that.",
        ),
        wrong(
            "0.45: half of 0.7, and a third of 0.3",
            "You shared evenly twice, between two birds and among three, and so added to Ann's words.",
        ),
    ),
    hints=("Does Ann say anywhere how much of her 0.7 is for the blackbird?",),
)


def _as_ann_said(one: MassFunction) -> str:
    if isclose(one.mass({0, 1}), 0.7, abs_tol=1e-6) and isclose(one.mass({0, 1, 2}), 0.3, abs_tol=1e-6):
        return ""
    if one.mass({0}) > 0 or one.mass({1}) > 0:
        return (
            "Ann does not tell a blackbird from a robin: what she says belongs to the set {1,2}, undivided."
        )
    if one.mass({2}) > 0:
        return (
            "When her ears fail, it need not be a wren: her words are then worth nothing. Saying nothing is "
            "mass on Ω."
        )
    if one.mass(()) > 0:
        return "Mass on ∅ says: none of the three. Nobody said that."
    return "The set that Ann names gets how often she is right; the rest says nothing."


ann = Masses(
    "Set the sliders to what Ann said. What no slider takes stays on Ω.",
    _as_ann_said,
    {"{1,2}": 0.7, "Ω": 0.3},
    ({"{1}": 0.35, "{2}": 0.35, "Ω": 0.3}, {"{1,2}": 0.7, "{3}": 0.3}, {"{1}": 0.7, "Ω": 0.3}),
    names=BIRDS,
    explanation="0.7 says {1,2} and no more; 0.3 says nothing, and stays on Ω.",
    hints=("Which set holds the two birds that Ann names?", "One slider is enough: {1,2}."),
)

belief_of_two = Number(
    'What is the belief in {1,2}, "a blackbird or a robin"?',
    0.7,
    {
        0.5: "That is the mass of {1,2} alone. Does another set with mass lie inside {1,2}?",
        1.0: "That is its plausibility. Belief counts only sets that lie inside {1,2}, and Ω does not.",
        0.8: "Ω is not inside {1,2}: it holds the wren, too.",
    },
    otherwise="Add the masses of the sets that lie inside {1,2}: those without a wren in them.",
    explanation="0.2 on {1} and 0.5 on {1,2}: who says a blackbird says a blackbird or a robin, too.",
    hints=("Go through the three sets with mass: does each lie inside {1,2}?",),
)

plausibility_of_two = Number(
    'What is the plausibility of {2,3}, "a robin or a wren"?',
    0.8,
    {
        0.0: "That is its belief: nothing lies inside {2,3}. For plausibility a shared bird is enough.",
        0.3: "Ω meets {2,3}, but so does another set: which one has the robin in it?",
        1.0: "One mass does speak against it: the set {1} has neither robin nor wren.",
    },
    otherwise="Add the masses of the sets that have a robin or a wren in them.",
    explanation="0.5 on {1,2}, where the robin is, and 0.3 on Ω. Only the 0.2 on {1} speak against it.",
    hints=("Go through the three sets with mass: does each share a bird with {2,3}?",),
)

ben_and_cleo = Choices(
    "Compare Ben's board with Cleo's. Which columns are the same?",
    (
        wrong("belief", "With Ben nothing is for a blackbird alone, 0.00; with Cleo 0.50 is."),
        wrong("plausibility", "For Ben a blackbird is fully plausible, 1.00; for Cleo no more than 0.50."),
        right("pignistic probability", "0.50 for both: it hides that Ben knows nothing about the two."),
    ),
    explanation="Only the pignistic probabilities agree. Intervals tell Ben's ignorance from Cleo's count.",
    hints=("Compare the rows of the blackbird, column by column.",),
)

one_of_the_three = Number(
    "0.6 on ∅, 0.3 on {1}, 0.1 on Ω: how plausible is it that it was one of the three birds at all?",
    0.4,
    {
        1.0: "That would be so without the mass on ∅, which has none of the three in it.",
        0.6: "That is the mass on ∅, which speaks for none of them.",
        0.1: "That is the mass on Ω. Another set has one of the three birds in it, too.",
    },
    otherwise="Add the masses of all sets that have at least one bird in them.",
    explanation="All but the 0.6 on ∅. Nothing can be more plausible than 1 minus the mass of ∅.",
    hints=("Which of the three sets with mass has no bird in it?",),
)

two_rules = Choice(
    "0.4 on {1}, 0.1 on {2}, 0.5 on {2,3}. Which bird does each rule choose?",
    (
        wrong("both the blackbird", "Add up what does not speak against the robin: 0.1 and 0.5."),
        wrong("both the robin", "The pignistic rule gives the robin only half of the 0.5 on {2,3}."),
        right(
            "most plausible: the robin; highest pignistic probability: the blackbird",
            "The robin has plausibility 0.6 against 0.4, but shares its 0.5 with the wren: 0.35 against 0.4.",
        ),
        wrong(
            "most plausible: the blackbird; highest pignistic probability: the robin",
            "The other way round: plausibility counts the 0.5 on {2,3} in full, the other halves it.",
        ),
    ),
    hints=("Plausibility counts a set in full for each member, the pignistic probability divides it.",),
)


def _blackbird_alone(one: MassFunction) -> str:
    if one.mass({0}) > 0.5 + 1e-9:
        return f"There is {one.mass({0}):.2f} on {{1}}, more than the 0.5 that are allowed."
    if one.mass(()) > 0:
        return f"There is {one.mass(()):.2f} on ∅, which was to have nothing."
    rivals = [k for k in (1, 2) if one.plausibility({k}) >= one.belief({0}) - 1e-9]
    if not rivals:
        return ""
    rival = rivals[0]
    return (
        f"The {BIRDS[rival]} keeps a plausibility of {one.plausibility({rival}):.2f}, and the belief in the "
        f"blackbird, {one.belief({0}):.2f}, is not larger. Which sets make the {BIRDS[rival]} plausible?"
    )


rule_out = Masses(
    "Find masses (there are several) that rule out the robin and the wren, with no more than 0.5 on {1} and "
    "nothing on ∅.",
    _blackbird_alone,
    {"{1}": 0.5, "{1,2}": 0.2, "{1,3}": 0.2, "Ω": 0.1},
    (
        {"{1}": 0.5, "Ω": 0.5},
        {"{1}": 0.8, "Ω": 0.2},
        {"{1}": 0.5, "{2,3}": 0.5},
        {"{1}": 0.45, "{1,2}": 0.3, "{1,3}": 0.1, "Ω": 0.15},
    ),
    names=BIRDS,
    explanation="No mass makes robin or wren as plausible as the blackbird is believed.",
    hints=(
        "Mass on Ω counts for the plausibility of all three.",
        "Give 0.5 to {1}, and share the rest out so that robin and wren each meet less than 0.5 of it.",
    ),
)

meaning = Choice(
    "An object has a mass of 0.4 on {1,3}. What does that say?",
    (
        wrong(
            "0.2 of what is known is for 1, and 0.2 for 3", "Nobody divided it: the 0.4 belong to the pair."
        ),
        right(
            "0.4 of what is known says: 1 or 3, and not which",
            "A mass says its set, and nothing finer.",
        ),
        wrong(
            "it belongs to 1 and to 3 at once", "The object has one cluster; which of the two is not known."
        ),
    ),
)

plausibility_of_one = Number(
    "An object has 0.3 on {1}, 0.4 on {1,3}, 0.3 on Ω. What is the plausibility of cluster 3?",
    0.7,
    {
        0.0: "That is the belief in {3}. Which sets have 3 in them?",
        0.3: "Ω has 3 in it; so has another set.",
        0.4: "{1,3} has 3 in it; so has Ω.",
        0.2: "Plausibility does not share the 0.4 out: it counts in full for each member.",
    },
    otherwise="Add the masses of the sets that have 3 in them.",
    explanation="0.4 on {1,3} and 0.3 on Ω.",
)

nothing_known = Choice(
    "Which masses say nothing of the cluster that an object belongs to?",
    (
        wrong(
            "a third on each of {1}, {2}, {3}",
            "That is knowledge: the three are equally frequent, as Cleo's two.",
        ),
        right("1 on Ω", "Every cluster has belief 0 and plausibility 1."),
        wrong("1 on ∅", "That says a lot: it belongs to none of them."),
    ),
)

is_it_ruled_out = Choice(
    "The belief in cluster 1 is 0.3, in the others 0. The plausibility of 2 is 0.2, of 3 it is 0.6. Which "
    "are ruled out?",
    (
        wrong(
            "none: 0.3 is not much",
            "How much it is does not matter, only whether it exceeds a plausibility.",
        ),
        right("2 only", "0.3 exceeds 0.2, and not 0.6."),
        wrong("2 and 3", "The plausibility of 3 is larger than the belief in 1."),
    ),
)

half_and_half = Choice(
    "Object A has 0.5 on {1} and 0.5 on {2}, object B has 1 on {1,2}. Which numbers tell them apart?",
    (
        right(
            "belief and plausibility",
            "A: 0.5 and 0.5 for each cluster. B: belief 0, plausibility 1. A is torn, B is open.",
        ),
        wrong("the pignistic probabilities", "They are 0.5 and 0.5 for both: remember Ben and Cleo."),
        wrong("none: both are half and half", "Look at the intervals that Ben and Cleo had."),
    ),
)
