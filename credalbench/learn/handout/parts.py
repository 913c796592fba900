"""The parts of a handout: text, outputs of cells, sliders, questions and explained terms."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from typing import Literal

from credalbench.core.glossary import Term
from credalbench.explore.view.task import TaskView
from credalbench.learn.exercise import Exercise
from credalbench.learn.handout.sliders import (
    Slider,
    SliderFrames,
    Verdict,
    board_frames,
    board_html,
    explorer_frames,
)
from credalbench.learn.kinds import ANOTHER, Choice, Choices, Code, Exploration, Masses, Number
from credalbench.learn.mass_board import MassBoard
from credalbench.learn.source import Cell, Lesson
from credalbench.learn.terms import TermLinks


@dataclass(frozen=True)
class Part:
    """A part of a page.

    Parameters
    ----------
    kind : {"text", "explanation", "output", "slider", "question", "terms"}
        Kind of the part.
    content : str, SliderFrames, dict or list of Term
        Markdown, HTML, the frames of a slider, a question as plain values, or the explained terms.
    source : str, default=""
        The text of a question as Markdown, or the code of an output.
    number : int, default=0
        Number of a slider, from 0, or of a question, from 1.
    """

    kind: Literal["text", "explanation", "output", "slider", "question", "terms"]
    content: str | SliderFrames | dict[str, object] | list[Term]
    source: str = ""
    number: int = 0


def parts_of(lesson: Lesson, outputs: Sequence[object]) -> list[Part]:
    """Return the parts of the page of a lesson, in order.

    Explorers without a slider are left out, because a page cannot compute a fit.

    Parameters
    ----------
    lesson : Lesson
    outputs : sequence
        Outputs of its cells, as returned by `run_lesson`.
    """
    return [*_Page(lesson, outputs).parts()]


class _Page:
    """Collects the parts of a page; `target` is the explorer or board of the next slider."""

    def __init__(self, lesson: Lesson, outputs: Sequence[object]) -> None:
        self.lesson, self.outputs, self.target = lesson, outputs, None
        self.n_sliders, self.n_questions, self.links = 0, 0, TermLinks()
        self.judges: dict[str, int] = {}  # sliders by the exercises that they answer

    def parts(self) -> Iterator[Part]:
        cells = self.lesson.cells
        for cell, output, after in zip(cells, self.outputs, range(1, len(cells) + 1)):
            if cell.kind in ("text", "explanation"):
                yield Part(cell.kind, self.links.add(cell.source))
            elif cell.kind == "frames":
                yield self._slider(cell, cells[after:])
            elif cell.exercise:
                yield self._question(getattr(self.lesson.exercises, cell.exercise))
            elif cell.kind == "code" and output is not None:
                has_slider = after < len(cells) and cells[after].kind == "frames"
                yield from self._output(output, cell.source, has_slider)
        yield Part("terms", self.links.used())

    def _output(self, output: object, code: str, has_slider: bool) -> Iterator[Part]:
        if isinstance(output, TaskView | MassBoard):
            self.target = output
            if isinstance(output, MassBoard) and not has_slider:
                yield Part("output", board_html(output))
        else:
            yield Part("output", output_html(output), code)

    def _question(self, exercise: Exercise) -> Part:
        self.n_questions += 1
        plain = page_question(exercise, self.judges.get(exercise.name))
        return Part("question", plain, self.links.add(exercise.question), self.n_questions)

    def _slider(self, cell: Cell, after: Sequence[Cell]) -> Part:
        declared, number = tomllib.loads(cell.source), self.n_sliders
        if isinstance(self.target, MassBoard):
            frames = board_frames(self.target, Slider(**declared))
        else:
            slider = Slider(**{"slider": self.target.controls[0]} | declared)
            frames = explorer_frames(self.target.explorer, slider, self._explorations(after))
        self.n_sliders += 1
        self.judges |= dict.fromkeys(frames.verdicts, number)
        return Part("slider", frames, number=number)

    def _explorations(self, after: Sequence[Cell]) -> dict[str, Exploration]:
        """Return the exercises up to the next slider that judge an explorer."""
        found = {}
        for cell in after:
            if cell.kind == "frames":
                break
            exercise = getattr(self.lesson.exercises, cell.exercise) if cell.exercise else None
            found |= {cell.exercise: exercise} if isinstance(exercise, Exploration) else {}
        return found


def output_html(value: object) -> str:
    """Return the output of a notebook cell as HTML."""
    if hasattr(value, "_repr_html_"):
        html = value._repr_html_()
        return html if html.startswith("<img ") else f'<div class="wide">{html}</div>'
    return f'<pre tabindex="0">{escape(str(value))}</pre>'  # so that the keyboard can scroll wide output


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
        ``kind`` is the kind of answer: "options", "number", "frames", or "shown" for exercises that the page
        cannot check; it shows their answer on request.
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
    """Return the answer in words, with the feedback on mistakes that can be checked without a fit."""
    mistakes = exercise.mistakes if isinstance(exercise, Masses) else ()
    return {
        "answer": exercise.describe(exercise.reference),
        "explanation": exercise.explanation,
        "mistakes": [(exercise.describe(mistake), exercise.check(mistake).text) for mistake in mistakes],
    }


def _verdict(exercise: Exercise, answer: object) -> Verdict:
    feedback = exercise.check(answer)
    return feedback.right, str(feedback)
