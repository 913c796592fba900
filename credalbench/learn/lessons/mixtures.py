"""Exercises of lesson 8: EGMM and the number of clusters."""

from credalbench.explore import EGMMModel
from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

number_of_components = Number(
    "How many components are there for 3 clusters, if every set of clusters except ∅ has one?",
    7,
    {
        3: "Those are the single clusters. There are also sets of two and of three.",
        8: "The empty set has no component.",
        6: "Those are single clusters and pairs. Ω is also a set.",
        9: "{1,2} and {2,1} are the same set.",
    },
    tolerance=0.1,
    explanation="Three single clusters, three pairs, and Ω.",
    hints=("How many pairs do three clusters have?", "Count the sets of one, of two and of three clusters."),
)

compute_ebic = Number(
    "The log-likelihood is -900, with 10 free parameters and 400 objects; log(400) is 5.99. What is EBIC?",
    -929.96,
    {
        -959.9: "The number of parameters is divided by 2.",
        -870.04: "The second part is subtracted.",
        -2900.0: "Use the logarithm of the number of objects.",
    },
    tolerance=0.1,
    explanation="-900 minus 5 times 5.99.",
    hints=("Start with 10 / 2 · 5.99.", "Subtract half of 10 times 5.99 from -900."),
)

role_of_the_penalty = Choice(
    "Which number of clusters would you choose without the second part of EBIC?",
    (
        right("nearly always the largest candidate", "More components nearly always fit better."),
        wrong("the same", "The second part grows with each cluster, which adds means and sets."),
        wrong("always one cluster", "One component has the worst fit."),
    ),
    hints=("How does the likelihood change if a component is added?",),
)


def _judge_number(model: EGMMModel) -> str:
    if model.data != "mixture" or model.n_classes != 3:
        return "Use the generated mixture with three classes, as at the beginning."
    model.complete_curve()
    c = model.best_n_clusters
    if c is None:
        return "EBIC is not yet known for every number of clusters."
    return "" if c < 3 else f"At this overlap EBIC chooses {c} clusters. The components are still separated."


fewer_than_three = Exploration(
    "Find an overlap for which EBIC chooses fewer than three clusters.",
    _judge_number,
    {"overlap": 0.5},
    ({"overlap": 0.05}, {"overlap": 0.15}),
    explanation="The components are so close that fewer of them describe the data equally well.",
    hints=("Increase the overlap.", "The value is 0.25 or more."),
)

masses_and_overlap = Choice(
    "With three clusters, what happens to the masses if the overlap increases from 0.02 to 0.15?",
    (
        wrong("nothing, they are probabilities", "Observe the nonspecificity among the read-outs."),
        right(
            "sets of clusters get more mass",
            "Objects in between are likely to come from the component of the pair.",
        ),
        wrong("∅ gets more mass", "This mixture has no component for ∅."),
    ),
    hints=("Nonspecificity is 0 if all mass is on single clusters, and 1 if all mass is on Ω.",),
)

parameters_of_a_pair = Choice(
    "What is a free parameter of the component of {1,2}?",
    (
        wrong("its mean", "It is the mean of the means of 1 and 2."),
        right("its weight", "With one covariance for all components, it has no other parameter."),
        wrong("the set of its objects", "That follows from the components."),
    ),
)

two_models = Choice(
    "For 100 objects, model A has log-likelihood -500 with 8 parameters, and model B -498 with 20. Which has "
    "the larger EBIC?",
    (
        right("A", "B fits better by 2, but its 12 additional parameters cost 6 times log(100), about 28."),
        wrong("B", "Its 12 additional parameters cost about 28, but gain only 2."),
        wrong("they are equal", "Compute both; log(100) is 4.6."),
    ),
)

two_of_three = Choice(
    "You measure two lengths of three species. EBIC chooses two clusters. What follows?",
    (
        wrong("there are two species", "EBIC does not use the species, only the two lengths."),
        wrong("the method is wrong", "Two components may fit these two lengths just as well as three do."),
        right(
            "these lengths do not show three components",
            "Other lengths might. The masses show ambiguous objects.",
        ),
    ),
)
