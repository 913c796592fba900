"""Exercises of a handout as plain values, with the feedback on every answer."""

from itertools import combinations

from credalbench.learn.exercise import Exercise
from credalbench.learn.handout.sliders import Verdict
from credalbench.learn.kinds import ANOTHER, Choice, Choices, Code, Exploration, Masses, Number


def page_question(exercise: Exercise, slider: int | None) -> dict[str, object]:
    """Return an exercise as plain values for the page.

    Parameters
    ----------
    exercise : Exercise
    slider : int or None
        Number of the slider whose frames answer an exploration.

    Returns
    -------
    dict
        ``kind`` is the kind of answer: "options", "number", "frames", or "shown" for exercises that are not
        checked and show their answer on request.
    """
    plain = {"name": exercise.name, "hints": [*exercise.hints], "solution": exercise.solution()}
    if isinstance(exercise, Choice | Choices):
        return plain | {"kind": "options"} | _options(exercise)
    if isinstance(exercise, Number):
        return plain | {"kind": "number"} | _numbers(exercise)
    if slider is not None:
        return plain | {"kind": "frames", "frames": slider}
    return plain | {"kind": "shown"} | _shown(exercise)


def _options(exercise: Choice | Choices) -> dict[str, object]:
    """Return the options, and the feedback on every combination of letters."""
    several = isinstance(exercise, Choices)
    sizes = range(len(exercise.letters) + 1) if several else (1,)
    answers = ["".join(chosen) for size in sizes for chosen in combinations(exercise.letters, size)]
    options = [(letter, exercise.option(letter).text) for letter in exercise.letters]
    feedback = {answer: _verdict(exercise, answer) for answer in answers}
    return {"options": options, "several": several, "feedback": feedback}


def _numbers(exercise: Number) -> dict[str, object]:
    """Return the feedback on known numbers and on all others."""
    known = [(value, _verdict(exercise, value)) for value in (exercise.reference, *exercise.mistakes)]
    otherwise = (False, f"Not yet. {ANOTHER}")
    return {"known": known, "tolerance": exercise.tolerance, "otherwise": otherwise}


def _shown(exercise: Masses | Exploration | Code) -> dict[str, object]:
    """Return the answer in words, with the feedback on mistakes that require no fit."""
    mistakes = exercise.mistakes if isinstance(exercise, Masses) else ()
    return {
        "answer": exercise.describe(exercise.reference),
        "explanation": exercise.explanation,
        "mistakes": [(exercise.describe(mistake), exercise.check(mistake).text) for mistake in mistakes],
    }


def _verdict(exercise: Exercise, answer: object) -> Verdict:
    feedback = exercise.check(answer)
    return feedback.right, str(feedback)
