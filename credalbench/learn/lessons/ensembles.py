"""Exercises of lesson 9: ensembles, t-norms and transitivity."""

from credalbench.explore import EnsembleModel
from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

simple_average = Number(
    'Eight of ten hard partitions have A and B in the same cluster. What is the average degree of "same"?',
    0.8,
    {
        8.0: "Divide by the number of partitions.",
        0.2: 'That is the average degree of "different".',
        1.0: 'Two of them support "different". The average is not a majority vote.',
    },
    explanation="Eight of ten.",
    hints=("Each partition contributes 1 or 0.", 'It is the share of the partitions with "same".'),
)

by_product = Number(
    "What is the degree of A and C by the product?",
    0.56,
    {
        0.7: "That is the minimum: the chain is as strong as its weakest link.",
        0.75: "That is the mean. No t-norm exceeds the smaller of the two degrees.",
        1.5: "That is the sum, which is not a degree.",
    },
    explanation="0.8 · 0.7. Each link weakens the chain.",
    hints=("Which line of the table?", "0.8 times 0.7."),
)

by_lukasiewicz = Number(
    "What is the degree by Łukasiewicz?",
    0.5,
    {
        1.5: "That is a + b. Subtract 1.",
        0.56: "That is the product.",
        0.0: "It is 0 only if the sum of a and b is at most 1.",
    },
    explanation="0.8 + 0.7 - 1: as much as the relation has already, so this closure changes nothing.",
    hints=("Which line of the table?", "0.8 + 0.7 - 1."),
)

long_chains = Choice(
    "Ten links of 0.9 each connect the two ends. Which t-norm does not depend on the length of the chain?",
    (
        right("minimum", "It is 0.9 for any length: only the weakest link matters."),
        wrong("product", "It is 0.9 to the power 10, which is 0.35."),
        wrong("Łukasiewicz", "It is 1 minus ten times 0.1, which is 0."),
    ),
    hints=("What is the weakest link of the chain?",),
)

predict_rings = Choice(
    "Few base partitions separate neighbours on a half-ring, all separate its two ends. Which closure joins "
    "the ends most?",
    (
        wrong("none: all base partitions separate them", "There is a chain of objects along the ring."),
        right("the minimum", "The chain is long, but none of its links is weak."),
        wrong("Łukasiewicz", "It is 0 for a long chain, as for the ten links."),
    ),
    hints=("The chain from one end to the other is long.",),
)


def _judge_rings(model: EnsembleModel) -> str:
    if model.data != "half_rings:300" or model.n_clusters != 2:
        return "Use the half-rings and two clusters, as at the beginning."
    ari = model.fitted.ari
    return "" if ari > 0.8 else f"ARI is {ari:.2f}. The rings are not found."


join_the_rings = Exploration(
    "Find the rings: select a t-norm with an ARI of more than 0.8.",
    _judge_rings,
    {"t_norm": "minimum"},
    ({"t_norm": "none"}, {"t_norm": "lukasiewicz"}),
    explanation="Chains along a ring join its pieces. Chains from one ring to the other are weaker.",
    hints=("Which t-norm does not depend on the length of a chain?",),
)

what_is_combined = Choice(
    "Base partition A has other cluster numbers than B, and more clusters. Does that matter?",
    (
        wrong("yes: numbers must be matched first", "Pairs of objects are compared, not numbers."),
        right("no: only the evidence on pairs is combined", "Same or different is defined in any partition."),
        wrong("yes: all need the same number of clusters", "They may have any number, by any method."),
    ),
)

which_t_norm = Choice(
    "Which order holds for every a and b?",
    (
        right("Łukasiewicz ≤ product ≤ minimum", "As 0.5, 0.56 and 0.7 for 0.8 and 0.7, and always."),
        wrong("minimum ≤ product ≤ Łukasiewicz", "Compare the three numbers for 0.8 and 0.7."),
        wrong("it depends on a and b", "Try 0.9 and 0.9, or 0.5 and 0.5. The order is the same."),
    ),
)

limits_of_the_minimum = Choice(
    "When is a closure by the minimum unsuitable?",
    (
        wrong("for long and thin clusters", "It is suitable for these."),
        right("for overlapping clusters", "Chains connect all of them, because of a few objects."),
        wrong("for base partitions with many clusters", "These are pure, and the closure joins them."),
    ),
)
