"""Exercises of lesson 6: constraints, active learning, and false constraints."""

from credalbench.cluster.constrained.report import OUTCOMES
from credalbench.explore import CECMModel
from credalbench.learn.kinds import Choice, Exploration, Number, right, wrong

DATA = "two_class:200:0"
#: Links of rows, which count from 0; texts count objects from 1.
TRUE = ((31, 129, "cannot-link"), (23, 31, "must-link"), (82, 123, "cannot-link"))
FALSE = (78, 171, "must-link")

what_follows = Number(
    "There are must-links A-B, B-C and C-D, and a cannot-link D-E. From how many objects must E be "
    "separated?",
    4,
    {
        1: "D is linked to C, C to B, and B to A. Objects in the cluster of D cannot be with E.",
        3: "That is the number of must-links. Count the objects that are linked to D, and D itself.",
        0: "There is a cannot-link between D and E.",
    },
    tolerance=0.1,
    explanation="A, B, C and D are in one cluster, and E is in another.",
    hints=("Combine the must-links into a chain.", "Which objects are in the same cluster as D?"),
)


def _on_these_data(model: CECMModel) -> str:
    changed = model.data != DATA or model.n_clusters != 2
    return "Use the initial data and two clusters." if changed else ""


def _links_of_truth(model: CECMModel) -> list[tuple[int, int, str]]:
    """Return the links that agree with the true classes."""
    y = model.subject.y
    return [(i, j, kind) for i, j, kind in model.links if (kind == "must-link") == (y[i] == y[j])]


def _judge_answers(model: CECMModel) -> str:
    if mistake := _on_these_data(model):
        return mistake
    if len(_links_of_truth(model)) < len(model.links):
        return "One of your constraints is false. Undo it, and press Use true classes."
    if len(model.links) > 8:
        return (
            f"There are {len(model.links)} constraints, more than eight. Clear them, and use the suggestions."
        )
    ari, count = model.fitted.ari, len(model.links)
    answers = "1 answer" if count == 1 else f"{count} answers"
    return "" if ari > 0.8 else f"ARI is {ari:z.2f} after {answers}. Add another pair."


true_answers = Exploration(
    "Reach an ARI of more than 0.8 with at most eight true answers.",
    _judge_answers,
    {"links": TRUE},
    ({"links": ()}, {"links": TRUE[:1]}, {"links": (*TRUE, FALSE)}),
    explanation="The boundary has moved: now each cluster contains two groups of the same class.",
    hints=("Add several suggested pairs, each with its true answer.", "Three suggestions are enough here."),
)

predict_the_damage = Choice(
    "You add one false answer to three true ones. What will happen?",
    (
        wrong(
            "nothing: three against one", "CECM does not count votes. Each violated constraint adds a cost."
        ),
        wrong("only the two objects change", "Prototypes and metrics change for all objects."),
        right("the whole partition may change", "Constraints act through the prototypes. Try it."),
    ),
    hints=("Do constraints act on objects or on prototypes?",),
)


def _judge_false_answer(model: CECMModel) -> str:
    if mistake := _on_these_data(model):
        return mistake
    if FALSE not in model.links:
        return "Objects 79 and 172 have no must-link."
    if len(_links_of_truth(model)) < 3:
        return "Add three true answers first, with Suggest a pair and Use true classes."
    if (ari := model.fitted.ari) < 0.8:
        return ""
    return f"ARI is {ari:z.2f}: your answers outweigh the false one. Press Clear, then add three true ones."


false_answer = Exploration(
    "Combine at least three true answers with the false must-link between 79 and 172, and look at ARI.",
    _judge_false_answer,
    {"links": (*TRUE, FALSE)},
    ({"links": TRUE}, {"links": (FALSE,)}),
    explanation="One false answer is enough to move the boundary back.",
    hints=("Keep the true answers, and add the must-link between 79 and 172.",),
)

predict_the_weight = Choice(
    "You move ξ from 0 to the right. What happens to the two parts?",
    (
        wrong("both decrease", "If both could decrease, the fit at ξ = 0 would not be the best one."),
        right(
            "the constraint part decreases and the data part increases",
            "A larger ξ gives more weight to the agreement, and less to the fit. Try it.",
        ),
        wrong("only the constraint part changes", "Masses and prototypes change, and so does the data part."),
    ),
    hints=("What does ξ = 0 minimise?", "Which part counts more when ξ is larger?"),
)


def _judge_met_in_vain(model: CECMModel) -> str:
    if mistake := _on_these_data(model):
        return mistake
    if set(model.links) != set(TRUE):
        return "Use the three true constraints of this section. Undo other changes."
    outcomes = model.fitted.outcomes.tolist()
    if outcomes.count("met") < 3:
        counts = ", ".join(f"{outcomes.count(outcome)} {outcome}" for outcome in OUTCOMES)
        return f"At ξ = {model.xi:.2f}, the outcomes of the 3 constraints are: {counts}. Try another weight."
    ari = model.fitted.ari
    return "" if ari < 0.2 else f"ARI is {ari:z.2f}: the boundary has moved already. Decrease ξ."


met_in_vain = Exploration(
    "Find a weight at which all three constraints are met, but ARI is still about 0.",
    _judge_met_in_vain,
    {"links": TRUE, "xi": 0.05},
    ({"links": TRUE, "xi": 0.0}, {"links": TRUE, "xi": 0.5}, {"links": TRUE[:1], "xi": 0.05}),
    explanation="With a small weight, only the linked objects change their clusters.",
    hints=("At ξ = 0 two of them are violated, and at ξ = 0.2 the boundary has moved.",),
)

too_large = Choice(
    "Move ξ to 0.99. The constraint part is still 0. What has changed?",
    (
        wrong("nothing", "Read the number of constraints that are met by an outlier."),
        right(
            "two constraints are met by an outlier",
            "Object 32 is in none of the clusters, so it violates nothing. A large weight can make true "
            "constraints worthless.",
        ),
        wrong("two constraints are violated", "Neither is violated: one of their objects is in no cluster."),
    ),
    hints=("Compare the read-outs at 0.9 and 0.99.",),
)

which_pair = Choice(
    "You can ask for only one constraint. Which pair is the most useful?",
    (
        wrong("two objects in the middle of the same cluster", "Such a constraint adds little knowledge."),
        right("an ambiguous object and a certain one", "It decides the cluster of the ambiguous object."),
        wrong("two outliers", "They are in no cluster, so the constraint changes almost nothing."),
    ),
)

contradiction = Choice(
    "There are must-links A-B and B-C, and a cannot-link A-C. What can a method do?",
    (
        wrong("meet all three", "A is with B, and B with C. So A is with C, which violates the cannot-link."),
        right(
            "meet at most two of them: at least one is false",
            "The library names the chain: CECM warns, and other methods raise an error.",
        ),
        wrong("meet them with two clusters", "The number of clusters does not matter."),
    ),
)

met_how = Choice(
    "A must-link is met, and one of its two objects is an outlier. What should you consider?",
    (
        wrong("that it was true", "It is met because an outlier is in no cluster."),
        right("that it may be false", "The method met it by making the object an outlier."),
        wrong("that the object was already an outlier", "Remove the must-link and check."),
    ),
)
