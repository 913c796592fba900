"""Exercises of lesson 9: ensembles, t-norms and transitivity."""

from credalbench.explore import EnsembleModel
from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

simple_average = Number(
    'Eight of ten hard partitions put A and B in the same cluster. What is the average degree of "same"?',
    0.8,
    {
        8.0: "Divide by the number of partitions.",
        0.2: 'That is the average degree of "different".',
        1.0: 'Two of them support "different". The average is not a majority vote.',
    },
    explanation="Eight of the ten partitions support it.",
    hints=("Each partition contributes 1 or 0.", 'It is the share of the partitions with "same".'),
)

by_product = Number(
    "What is the degree of A and C with the product?",
    0.56,
    {
        0.7: "That is the minimum: the chain is as strong as its weakest link.",
        0.75: "That is the mean. No t-norm exceeds the smaller of the two degrees.",
        1.5: "That is the sum, which is not a degree.",
    },
    explanation="0.8 · 0.7. Each link weakens the chain.",
    hints=("Use the row of the product in the table.", "0.8 times 0.7."),
)

by_lukasiewicz = Number(
    "What is the degree of A and C with Łukasiewicz?",
    0.5,
    {
        1.5: "That is a + b. Subtract 1.",
        0.56: "That is the product.",
        0.0: "It is 0 only if the sum of a and b is at most 1.",
    },
    explanation="0.8 + 0.7 - 1. The relation already has this degree, so this closure changes nothing.",
    hints=("Use the row of Łukasiewicz in the table.", "0.8 + 0.7 - 1."),
)

long_chains = Choice(
    "Ten links of 0.9 each connect the two ends. For which t-norm is the degree the same for any length?",
    (
        right("minimum", "It is 0.9 for any length: only the weakest link matters."),
        wrong("product", "It is 0.9 to the power 10, which is 0.35."),
        wrong("Łukasiewicz", "It is 1 minus ten times 0.1, which is 0."),
    ),
    hints=("What is the weakest link of the chain?",),
)

predict_rings = Choice(
    "Few base partitions separate neighbours on a half-ring, but all separate its two ends. Which closure "
    "joins the ends most strongly?",
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
    return "" if ari > 0.8 else f"ARI is {ari:.2f}. The clusters are not the rings."


join_the_rings = Exploration(
    "Find the rings: select a t-norm with an ARI of more than 0.8.",
    _judge_rings,
    {"t_norm": "minimum"},
    ({"t_norm": "none"}, {"t_norm": "lukasiewicz"}),
    explanation="Chains along a ring join its pieces. Chains from one ring to the other are weaker.",
    hints=("For which t-norm does the length of a chain not matter?",),
)

cost_of_the_minimum = Choice(
    "What does the closure by the minimum change here, compared with no closure?",
    (
        wrong("it finds the classes, which are not found without it", "Compare ARI: it is about the same."),
        right(
            "there is much more doubt, and the classes are not found any better",
            "Chains lead from each class to the next, so more pairs may belong together and less is known.",
        ),
        wrong("nothing", "Compare the nonspecificity with no closure and with the minimum."),
    ),
    hints=("Write down both read-outs without a closure, then with the minimum.",),
)


def _judge_overlap(model: EnsembleModel) -> str:
    if model.data != "t4:200" or model.n_clusters != 4:
        return "Use the four classes and four clusters, as at the beginning."
    if (nonspecificity := model.fitted.nonspecificity) < 0.1:
        return ""
    return f"Nonspecificity is {nonspecificity:.2f}. With another choice it is less than half of this."


best_for_overlap = Exploration(
    "Select a t-norm, or no closure: what would you use for these classes?",
    _judge_overlap,
    {"t_norm": "none"},
    ({"t_norm": "minimum"}, {"t_norm": "frank", "t_norm_parameter": 0.01}),
    explanation="The classes are found as well as by the minimum, with less than half of the doubt.",
    hints=("Which choices have about the same ARI? Compare their nonspecificity.",),
)

predict_the_bridge = Choice(
    "Predict: what does the closure by the minimum do with a bridge between the rings?",
    (
        wrong("it finds both rings, as before", "How weak is the weakest link of the chain over the bridge?"),
        right(
            "it can no longer tell the rings apart",
            "The chain over the bridge does not have a weak link either. Compare the map below.",
        ),
        wrong("ten objects do not matter", "Ten objects are enough for a chain between the rings."),
    ),
    hints=("Follow the chain from a ring over the bridge to the other ring.",),
)

what_the_bridge_does = Choice(
    "The map shows the result of the minimum. What has happened?",
    (
        wrong("each ring is a cluster", "Look at the colours on both sides of the bridge."),
        right(
            "one cluster goes over the bridge, and most objects are possibly in both",
            "The chains over the bridge connect both rings. The dashed lines show the doubt.",
        ),
        wrong("the ten objects are outliers", "Outliers have a ring. Do you see one?"),
    ),
    hints=(
        "Do the objects at both ends of the bridge have the same colour?",
        "What do dashed lines go around?",
    ),
)

what_is_combined = Choice(
    "Base partitions A and B number their clusters differently, and A has more. Does that matter?",
    (
        wrong("yes: the numbers must be matched first", "Pairs of objects are compared, not numbers."),
        right(
            "no: only the evidence on pairs is combined",
            "Any partition defines whether two objects are in the same cluster.",
        ),
        wrong(
            "yes: all need the same number of clusters",
            "They may have any number of clusters, from any method.",
        ),
    ),
)

where_to_use_it = Choice(
    "For which clusters would you use a closure by the minimum?",
    (
        right(
            "rivers on a map that do not meet", "They are long, and nothing connects them with each other."
        ),
        wrong("streets on a map", "They meet. Chains over the crossings connect all of them."),
        wrong("two species whose lengths overlap", "Chains over the overlap connect both species."),
    ),
)
