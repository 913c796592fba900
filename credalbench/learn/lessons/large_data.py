"""Exercises of lesson 5: row-wise quadratic programming, and a sample of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.learn.kinds import Choice, Choices, Exploration, Number, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import EVCLUSModel

can_it_rise = Choice(
    "One object after the other gets its best masses, while the others stay. Can the stress rise?",
    (
        wrong(
            "yes, when steps are too long", "There are no steps: the lowest point of the bowl is computed."
        ),
        right("no, never", "The old masses were allowed, too; the best ones cannot be worse."),
        wrong(
            "yes, because the others do not fit any more",
            "The stress counts all pairs of the object, as they are.",
        ),
    ),
    hints=("The masses that the object had before are among those it may choose.",),
)

read_the_table = Choices(
    "What does the table show, for these data and this start?",
    (
        right("IRQP ends lowest", "Its stress is the smallest of the three."),
        right("IRQP needs less than a tenth of the evaluations", "Compare the second column."),
        wrong(
            "IRQP finds the lowest stress there is", "Nobody knows that one. It is the lowest of these three."
        ),
    ),
    explanation="Lower, and by fewer passes. That it is the best of all masses nobody has shown.",
    hints=("A comparison of three says nothing of a fourth.",),
)

pairs_of_a_thousand = Number(
    "How many pairs do 1000 objects have?",
    499_500,
    {
        1_000_000: "That counts each pair twice, and each object with itself.",
        999_000: "That counts each pair twice: A with B, and B with A.",
        500_000: "Nearly: an object has 999 partners, not 1000.",
    },
    otherwise="Each of 1000 objects has 999 others, and each pair is counted twice that way.",
    tolerance=0.5,
    explanation="1000 times 999, divided by 2.",
    hints=("For 3 objects there are 3 pairs, for 4 there are 6.",),
)

pairs_with_partners = Choice(
    "A million objects with 100 partners each: about how many times fewer than all pairs?",
    (
        wrong("100 times", "Each object would otherwise have 999,999 partners."),
        wrong("10,000 times", "Nearly; but of all pairs each is counted once only, which halves them."),
        right("5,000 times", "100 million instead of half a million millions."),
    ),
    hints=("All pairs: about half of a million times a million.",),
)

low_stress = Choice(
    "With 2 partners the stress is far lower than with all pairs. Is the partition better?",
    (
        wrong(
            "yes, the stress is what is minimised",
            "Look at ARI. Two conditions for each object are easy to meet.",
        ),
        right("no: fewer conditions are easier to meet", "And they leave open too much of what is wanted."),
        wrong("one cannot see that", "ARI is among the read-outs: compare it with that of all pairs."),
    ),
    hints=("Compare ARI with 2 partners and with all pairs.",),
)


def _few_partners(model: EVCLUSModel) -> str:
    k, found = model.n_pairs, model.fitted.ari
    if model.data != "t4:200" or model.n_clusters != 4:
        return "Take the data and the four clusters with which the explorer began."
    if k is None:
        return "All pairs are used: untick the box."
    if k > 20:
        return f"{k} partners are more than 20: try fewer."
    return (
        "" if found > 0.75 else f"With {k} partners ARI is {found:.2f}: too few, or a start that was unlucky."
    )


few_partners = Exploration(
    "Find a number of partners, at most 20, with an ARI of more than 0.75.",
    _few_partners,
    {"n_pairs": 20},
    ({"n_pairs": 2}, {"n_pairs": 100}, {"n_pairs": None}),
    explanation="All 199 partners give no more than that.",
    hints=("Begin at 20, and go down.", "Below 5 it becomes a matter of luck."),
)

why_exact = Choice(
    "Why can the masses of one object be found exactly?",
    (
        right(
            "its conflicts are linear in its masses, so the stress is a bowl",
            "A quadratic function on masses that add up to 1 has a lowest point that can be computed.",
        ),
        wrong("because all objects are solved at once", "The others are kept fixed meanwhile."),
        wrong("because the masses are few", "Few or many: without the bowl one would have to search."),
    ),
)

cost_of_twice_as_many = Choice(
    "Twice as many objects, k stays. How many pairs does k-EVCLUS look at?",
    (
        right("twice as many", "k for each object."),
        wrong("four times as many", "That is so for all pairs."),
        wrong("as many as before", "Each new object has k partners, too."),
    ),
)

what_is_sampled = Choice(
    "What is drawn at random in k-EVCLUS?",
    (
        wrong("which objects are clustered", "All of them are."),
        right("which pairs the stress asks about", "k partners for each object, drawn once."),
        wrong("which masses change", "The masses of all objects do."),
    ),
)
