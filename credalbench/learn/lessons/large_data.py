"""Exercises of lesson 5: row-wise quadratic programming and a sample of pairs."""

from itertools import combinations

from credalbench.cluster import EVCLUS
from credalbench.explore import EVCLUSModel
from credalbench.learn.kinds import Choice, Choices, Exploration, Number, right, wrong
from credalbench.metrics import adjusted_rand

can_it_rise = Choice(
    "IRQP optimises the masses of one object at a time, with those of the others fixed. Can the stress "
    "increase?",
    (
        wrong("yes, if steps are too long", "There are no steps: the minimum is computed directly."),
        right("no, never", "The old masses are also allowed, and the best masses cannot be worse."),
        wrong(
            "yes, because the other objects no longer fit",
            "The stress already includes the pairs of this object with all others.",
        ),
    ),
    hints=("The previous masses of the object are also allowed.",),
)

read_the_table = Choices(
    "What does the table show for these data and this start?",
    (
        right("IRQP ends with the smallest stress", "Compare the first column."),
        right("IRQP needs less than a tenth of the evaluations", "Compare the second column."),
        wrong(
            "IRQP finds the global minimum",
            "The global minimum is unknown. IRQP found the smallest of three values.",
        ),
    ),
    explanation="The stress is smaller, with fewer evaluations. The table does not show that it is the "
    "global minimum.",
    hints=("The table compares three solutions. Could another solution have a smaller stress?",),
)

pairs_of_a_thousand = Number(
    "How many pairs do 1000 objects have?",
    499_500,
    {
        1_000_000: "That counts each pair twice, and each object with itself.",
        999_000: "That counts each pair twice: A with B, and B with A.",
        500_000: "Nearly right: an object has 999 partners, not 1000.",
    },
    tolerance=0.5,
    explanation="1000 times 999, divided by 2.",
    hints=(
        "For 3 objects there are 3 pairs, for 4 there are 6.",
        "Each of 1000 objects has 999 partners; that counts each pair twice.",
    ),
)

pairs_with_partners = Choice(
    "A million objects have 100 partners each. By what factor does this reduce the number of pairs?",
    (
        wrong("100", "Without the sample each object has 999,999 partners."),
        wrong("10,000", 'Nearly right, but "all pairs" counts each pair only once.'),
        right("5,000", "100 million pairs instead of 500,000 million."),
    ),
    hints=("All pairs: about half of a million times a million pairs.",),
)

another_sample = Choice(
    "What does another sample of 3 partners change?",
    (
        wrong("only the colours of the clusters", "Compare two samples: which objects are in one cluster?"),
        right(
            "which objects are in one cluster",
            "Each sample gives different clusters. With 3 partners, chance decides.",
        ),
        wrong("nothing", "Compare the maps of two samples, or their ARI."),
    ),
    hints=("Select an object, and look at the colours of its neighbours in two samples.",),
)

low_stress = Choice(
    "With 2 partners the stress is much smaller than with 100. Is the partition better?",
    (
        wrong(
            "yes, because the stress is minimised", "Look at ARI. Two pairs for each object are easy to fit."
        ),
        right("no: fewer pairs are easier to fit", "They do not determine the partition well enough."),
        wrong("that cannot be decided", "Read the ARI, and compare it with the ARI of 100 partners."),
    ),
    hints=("Compare ARI with 2 and with 100 partners.",),
)

#: Number of samples to compare, and the agreement that is enough.
SAMPLES, ENOUGH = 4, 0.8


def agreement(model: EVCLUSModel) -> float:
    """Return the mean ARI over all pairs of several samples with the model's number of partners."""
    sample = EVCLUS(
        model.n_clusters,
        n_pairs=model.n_pairs,
        pair_sampling="independent",
        d0=model.d0,
        n_init=3,
        init="random",
    )
    data = model.subject.compared
    labels = [sample.set_params(random_state=seed).fit(data).labels_ for seed in range(100, 100 + SAMPLES)]
    found = [adjusted_rand(one, other) for one, other in combinations(labels, 2)]
    return sum(found) / len(found)


def _judge_partners(model: EVCLUSModel) -> str:
    k = model.n_pairs
    if model.data != "t4:200" or model.n_clusters != 4:
        return "Use the initial data and four clusters."
    if k is None:
        return "All pairs are used. Clear the box 'all pairs of objects'."
    agreed = agreement(model)
    found = f"Four samples with {k} partners have a mean agreement of {agreed:.2f} (ARI; 1: same clusters)."
    if agreed < ENOUGH:
        return f"{found} The result depends too much on the sample. Use more partners."
    return "" if k <= 20 else f"{found} Try fewer: do samples of 20 partners still agree?"


few_partners = Exploration(
    "How many partners would you use for such data? Set *partners k*. *Check* draws four samples with this "
    "number of partners and compares their clusters.",
    _judge_partners,
    {"n_pairs": 10},
    ({"n_pairs": 2}, {"n_pairs": 3}, {"n_pairs": 100}, {"n_pairs": None}),
    explanation="The mean agreement of four samples is 0.8 or more, with at most 20 of 199 partners. You "
    "did not need the true classes.",
    hints=("Check a small number first and read how much the samples agree.", "Try 10."),
)

why_exact = Choice(
    "Why can the masses of one object be computed exactly?",
    (
        right(
            "its conflicts are linear in its masses, so the stress is quadratic",
            "The minimum of a convex quadratic function on masses that sum to 1 can be computed.",
        ),
        wrong("all objects are optimised at once", "The other objects are fixed."),
        wrong("there are few masses", "Their number does not matter, only the quadratic form."),
    ),
)

cost_of_twice_as_many = Choice(
    "The number of objects doubles, and k does not change. How many pairs does k-EVCLUS compare?",
    (
        right("twice as many", "Each object has k partners."),
        wrong("four times as many", "That holds for all pairs."),
        wrong("as many as before", "Each new object also has k partners."),
    ),
)

what_is_sampled = Choice(
    "What is drawn at random in k-EVCLUS?",
    (
        wrong("the objects that are clustered", "All objects are clustered."),
        right("the pairs in the stress", "k partners for each object, drawn once."),
        wrong("the masses that change", "The masses of all objects change."),
    ),
)
