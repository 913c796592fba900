"""Exercises of lesson 6: constraints, active learning, and what a false constraint does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

if TYPE_CHECKING:
    from credalbench.explore import CECMModel

DATA = "two_class:200:0"
TRUE = ((31, 129, "cannot-link"), (23, 31, "must-link"), (82, 123, "cannot-link"))
FALSE = (78, 171, "must-link")

what_follows = Number(
    "Must-links: A-B, B-C, C-D. One cannot-link: D-E. From which number of objects must E be apart?",
    4,
    {
        1: "D is with C, C with B, and B with A: whoever is with D cannot be with E.",
        3: "That is the number of must-links. Count the objects that are tied to D, and D itself.",
        0: "There is a cannot-link between D and E.",
    },
    otherwise="Which objects are in the same cluster as D?",
    tolerance=0.1,
    explanation="A, B, C and D are one cluster, and E is apart from all of them.",
    hints=("Join the must-links to a chain.",),
)


def _on_these_data(model: CECMModel) -> str:
    changed = model.data != DATA or model.n_clusters != 2
    return "Take the data and the two clusters with which the explorer began." if changed else ""


def _links_of_truth(model: CECMModel) -> list[tuple[int, int, str]]:
    """The links that agree with the true classes."""
    y = model.subject.y
    return [(i, j, kind) for i, j, kind in model.links if (kind == "must-link") == (y[i] == y[j])]


def _turned(model: CECMModel) -> str:
    if said := _on_these_data(model):
        return said
    if len(_links_of_truth(model)) < len(model.links):
        return "One of your constraints is false. Undo it, and ask the truth."
    if len(model.links) > 8:
        return f"{len(model.links)} constraints are more than eight. Clear them, and follow the suggestions."
    ari = model.fitted.ari
    return "" if ari > 0.8 else f"ARI is {ari:.2f} after {len(model.links)} answers: ask for another pair."


turn_it_round = Exploration(
    "With at most eight true answers, get an ARI of more than 0.8.",
    _turned,
    {"links": TRUE},
    ({"links": ()}, {"links": TRUE[:1]}, {"links": (*TRUE, FALSE)}),
    explanation="The boundary has turned: now each cluster holds two groups of the same class.",
    hints=("Suggest a pair, ask the truth, and again.", "Three suggestions are enough here."),
)

predict_the_damage = Choice(
    "One false answer beside three true ones. What will happen?",
    (
        wrong(
            "nothing: three against one", "There is no vote. Each constraint costs something if it is broken."
        ),
        wrong("only the two objects move", "Their neighbours pull: prototypes and metrics change for all."),
        right("perhaps the whole partition", "Constraints act through the prototypes. Try it."),
    ),
    hints=("What do constraints move: objects, or prototypes?",),
)


def _told_wrong(model: CECMModel) -> str:
    if said := _on_these_data(model):
        return said
    if FALSE not in model.links:
        return "There is no must-link between 78 and 171 yet."
    if len(_links_of_truth(model)) < 3:
        return "Give three true answers first, by Suggest a pair and Ask the truth."
    ari = model.fitted.ari
    return "" if ari < 0.8 else f"ARI is still {ari:.2f}: these answers outweigh it. Clear, and give three."


false_answer = Exploration(
    "Have at least three true answers and the false must-link between 78 and 171. Look at ARI.",
    _told_wrong,
    {"links": (*TRUE, FALSE)},
    ({"links": TRUE}, {"links": (FALSE,)}),
    explanation="One false answer was enough to turn the boundary back.",
    hints=("Choose 78 and 171 by clicking, or by the fields for two objects, then press Must-link.",),
)

which_pair = Choice(
    "You may ask about one pair only. Which?",
    (
        wrong("two objects in the middle of the same cluster", "You know the answer already."),
        right(
            "an object in doubt and one that is sure", "Its answer settles where the doubtful one belongs."
        ),
        wrong("two outliers", "They are in no cluster; their answer moves hardly anything."),
    ),
)

contradiction = Choice(
    "Must-links A-B and B-C, and a cannot-link A-C. What can a method do?",
    (
        wrong("meet all three", "A is with B, and B with C: so A is with C, against the cannot-link."),
        right(
            "nothing right: at least one of them is false", "The library refuses them, and names the chain."
        ),
        wrong("meet them by two clusters", "No number of clusters helps."),
    ),
)

met_how = Choice(
    "A must-link is met, and one of its two objects is an outlier. What should you think of?",
    (
        wrong("that it was true", "It is met because an outlier is in no cluster at all."),
        right("that it may be false", "The method bought itself free by giving up an object."),
        wrong("that the object was an outlier anyway", "Take the must-link back, and see."),
    ),
)
