"""Exercises of lesson 9: ensembles, t-norms, transitivity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import EnsembleModel

simple_average = Number(
    'Eight of ten hard partitions have A and B in the same cluster. What is their average opinion of "same"?',
    0.8,
    {
        8.0: "Divide by the number of partitions.",
        0.2: 'That is the average opinion of "different".',
        1.0: 'Two of them say "different"; the average is no vote that one side wins.',
    },
    otherwise='The share of the partitions that say "same".',
    explanation="Eight of ten.",
    hints=("Each partition says 1 or 0 here.",),
)

by_product = Number(
    "What does the product give for A and C?",
    0.56,
    {
        0.7: "That is the minimum: a chain as strong as its weakest link.",
        0.75: "That is the mean; no t-norm gives more than the smaller of the two.",
        1.5: "That is the sum, which is no degree any more.",
    },
    otherwise="0.8 times 0.7.",
    explanation="0.8 · 0.7: each link weakens the chain.",
    hints=("Which line of the table?",),
)

by_lukasiewicz = Number(
    "And Łukasiewicz?",
    0.5,
    {
        1.5: "That is a + b; 1 is still to be taken off.",
        0.56: "That is the product.",
        0.0: "It is 0 only where a and b together are at most 1.",
    },
    otherwise="0.8 + 0.7 - 1.",
    explanation="0.8 + 0.7 - 1: what the links lack of 1 is added up.",
    hints=("Which line of the table?",),
)

long_chains = Choice(
    "A chain of ten links of 0.9 each joins two objects. Which t-norm hardly notices its length?",
    (
        right("minimum", "0.9, whatever the length: it asks only for the weakest link."),
        wrong("product", "0.9 to the power 10 is 0.35."),
        wrong("Łukasiewicz", "Ten times 0.1 is lacking: nothing is left."),
    ),
    hints=("What is the weakest link of the chain?",),
)

predict_rings = Choice(
    "Few bases say that neighbours on a half-ring are different, all say so of its two ends. Which closure "
    "brings the ends together most?",
    (
        wrong("none: all bases keep them apart", "Friends of friends: there is a chain along the ring."),
        right("the minimum", "The chain is long, and none of its links is weak."),
        wrong("Łukasiewicz", "On a long chain nothing is left of it: think of the ten links."),
    ),
    hints=("The chain from one end to the other is long.",),
)


def _joined(model: EnsembleModel) -> str:
    if model.data != "half_rings:300" or model.n_clusters != 2:
        return "Take the half-rings and the two clusters with which the explorer began."
    found = model.fitted.ari
    return "" if found > 0.8 else f"ARI is {found:.2f}: the rings are not found yet."


join_the_rings = Exploration(
    "Find the rings: choose a t-norm with an ARI of more than 0.8.",
    _joined,
    {"t_norm": "minimum"},
    ({"t_norm": "none"}, {"t_norm": "lukasiewicz"}),
    explanation="Chains along a ring join its pieces; those from one ring to the other are weaker.",
    hints=("Which t-norm hardly notices the length of a chain?",),
)

what_is_combined = Choice(
    "Base A numbers its clusters otherwise than base B, and has more of them. Does that matter?",
    (
        wrong("yes: numbers must be matched first", "Pairs are compared, not numbers."),
        right(
            "no: only opinions about pairs are combined", "Same or different has a meaning in any partition."
        ),
        wrong(
            "yes: all bases need as many clusters", "They may have any number, and be found by any method."
        ),
    ),
)

which_t_norm = Choice(
    "Which order is right for every a and b?",
    (
        right("Łukasiewicz ≤ product ≤ minimum", "0.5, 0.56 and 0.7 for 0.8 and 0.7; and so always."),
        wrong("minimum ≤ product ≤ Łukasiewicz", "Compare your three numbers for 0.8 and 0.7."),
        wrong("it depends on a and b", "Try 0.9 and 0.9, or 0.5 and 0.5: the order stays."),
    ),
)

when_not = Choice(
    "When is a closure by the minimum a bad idea?",
    (
        wrong("when clusters are long and thin", "That is what it is good for."),
        right(
            "when clusters overlap", "Some chain leads from each to each, and a few objects join them all."
        ),
        wrong("when the bases have many clusters", "That makes them pure; the closure joins their pieces."),
    ),
)
