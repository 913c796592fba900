"""Exercises of a handout: what is said to every answer, known before it is given."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from credalbench.learn.exercise import Exercise
from credalbench.learn.handout.moving import Said
from credalbench.learn.kinds import Choice, Choices, Code, Exploration, Masses, Number


def question(exercise: Exercise, frames: int | None) -> dict[str, object]:
    """Return an exercise as plain values for the page.

    Parameters
    ----------
    exercise : Exercise
    frames : int or None
        Of an exploration, the slider whose frames it judges.

    Returns
    -------
    dict
        ``kind`` says what the page asks for: "options", "number", "frames", or "shown", where nothing is
        checked: the answer is shown when it is asked for.
    """
    plain = {"name": exercise.name, "hints": [*exercise.hints]}
    if isinstance(exercise, Choice | Choices):
        return plain | {"kind": "options"} | _options(exercise)
    if isinstance(exercise, Number):
        return plain | {"kind": "number"} | _numbers(exercise)
    if frames is not None:
        return plain | {"kind": "frames", "frames": frames}
    return plain | {"kind": "shown"} | _shown(exercise)


def _options(exercise: Choice | Choices) -> dict[str, object]:
    """The options, and what is said to every choice of letters."""
    several = isinstance(exercise, Choices)
    sizes = range(len(exercise.letters) + 1) if several else (1,)
    answers = ["".join(chosen) for size in sizes for chosen in combinations(exercise.letters, size)]
    options = [(letter, exercise.option(letter).text) for letter in exercise.letters]
    said = {answer: _said(exercise, answer) for answer in answers}
    return {"options": options, "several": several, "said": said}


def _numbers(exercise: Number) -> dict[str, object]:
    """The numbers that are known, with what is said to them, and what is said to all others."""
    known = [(value, _said(exercise, value)) for value in (exercise.reference, *exercise.mistakes)]
    return {
        "known": known,
        "tolerance": exercise.tolerance,
        "otherwise": (False, f"Not yet. {exercise.otherwise}"),
    }


def _shown(exercise: Masses | Exploration | Code) -> dict[str, object]:
    """The answer in words, and what is said to usual mistakes where nothing has to run for it."""
    mistakes = exercise.mistakes if isinstance(exercise, Masses) else ()
    return {
        "answer": exercise.said(exercise.reference),
        "explanation": exercise.explanation,
        "mistakes": [(exercise.said(mistake), exercise.check(mistake).text) for mistake in mistakes],
    }


def _said(exercise: Exercise, answer: object) -> Said:
    feedback = exercise.check(answer)
    return feedback.right, str(feedback)


def judged_by_frames(exercises: Mapping[str, Exercise]) -> dict[str, Exercise]:
    """Return those that look at an explorer."""
    return {name: one for name, one in exercises.items() if isinstance(one, Exploration)}
