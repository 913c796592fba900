"""Exercises of lesson 8: EGMM, and the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import EGMMModel

number_of_bells = Number(
    "How many bells are there for 3 clusters, if every set of clusters but ∅ has one?",
    7,
    {
        3: "Those are the single clusters. There are sets of two and of three, too.",
        8: "The empty set has none.",
        6: "Single clusters and pairs: Ω is a set, too.",
        9: "{1,2} and {2,1} are the same set.",
    },
    otherwise="Count the sets of one, of two and of three clusters.",
    tolerance=0.1,
    explanation="Three single clusters, three pairs, and Ω.",
    hints=("How many pairs can be made of three clusters?",),
)

compute_ebic = Number(
    "Log-likelihood -900, 10 free parameters, 400 objects; log(400) is 5.99. What is EBIC?",
    -929.96,
    {
        -959.9: "Half of the number of parameters counts.",
        -870.04: "The second part is taken off.",
        -2900.0: "The logarithm of the number of objects counts, not the number.",
    },
    otherwise="Half of 10, times 5.99, taken off -900.",
    tolerance=0.1,
    explanation="-900 minus 5 times 5.99.",
    hints=("Begin with 10 / 2 · 5.99.",),
)

what_the_penalty_does = Choice(
    "What would be chosen without the second part?",
    (
        right(
            "nearly always the largest number tried",
            "More bells fit better, and nothing would speak against them.",
        ),
        wrong("the same", "The second part grows with each cluster: by more means, and more sets."),
        wrong("always one cluster", "One bell fits worst of all."),
    ),
    hints=("What does the likelihood do when a bell is added?",),
)


def _fewer(model: EGMMModel) -> str:
    if model.data != "mixture" or model.n_classes != 3:
        return "Take the generated mixture with three classes, as the explorer began."
    model.complete_curve()
    found = model.best_n_clusters
    if found is None:
        return "EBIC is not known for every number of clusters."
    return "" if found < 3 else f"At this overlap EBIC still chooses {found} clusters: the bells stand apart."


fewer_than_three = Exploration(
    "Find an overlap at which EBIC chooses fewer than three clusters.",
    _fewer,
    {"overlap": 0.5},
    ({"overlap": 0.05}, {"overlap": 0.15}),
    explanation="The bells stand so close that fewer of them describe the data as well.",
    hints=("Make the overlap larger.", "About 0.3 and more."),
)

where_do_masses_go = Choice(
    "With three clusters: what happens to the masses while the overlap grows from 0.02 to 0.15?",
    (
        wrong("nothing, they are probabilities", "Watch the nonspecificity among the read-outs."),
        right(
            "more of them go to sets of clusters", "Objects between two bells come from the bell of the pair."
        ),
        wrong("they go to ∅", "EGMM has no ∅."),
    ),
    hints=("Nonspecificity is 0 where all mass is on single clusters, 1 where all is on Ω.",),
)

what_a_pair_has = Choice(
    "Which numbers of the bell of {1,2} may the method choose freely?",
    (
        wrong("its mean", "That is the middle of the means of 1 and 2."),
        right("how frequent it is", "Its weight. With one covariance for all, nothing else is its own."),
        wrong("which objects belong to it", "That follows from the bells."),
    ),
)

two_models = Choice(
    "Log-likelihood -500 with 8 parameters (A), or -498 with 20 (B); 100 objects. Which has the larger EBIC?",
    (
        right("A", "B fits better by 2, and pays for 12 parameters more: 6 times log(100), about 28."),
        wrong("B", "Its 12 additional parameters cost about 28, and win 2."),
        wrong("they are equal", "Compute both; log(100) is 4.6."),
    ),
)

two_of_three = Choice(
    "Three species, measured by two lengths. EBIC says: two clusters. What follows?",
    (
        wrong("there are two species", "It knows nothing of species, only of two lengths."),
        wrong("the method is wrong", "Two bells may describe these two lengths as well as three."),
        right(
            "these measurements do not show three bells", "Others might. And the masses show who is in doubt."
        ),
    ),
)
