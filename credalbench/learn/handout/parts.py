"""The parts of a handout: text, outputs of cells, sliders, questions and explained terms.

A slider shows an explorer or a board at several values of one parameter.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import combinations, takewhile
from typing import Literal

from credalbench.belief import MassFunction
from credalbench.belief.display import mass_function_html
from credalbench.core.arguments import expect
from credalbench.core.glossary import Term
from credalbench.explore.parameter import MAP_VIEWS
from credalbench.explore.view.explorer_view import ExplorerView
from credalbench.explore.view.hints import hint
from credalbench.explore.view.task import TaskView
from credalbench.learn.exercise import Exercise
from credalbench.learn.kinds import ANOTHER, Choice, Choices, Code, Exploration, Masses, Number
from credalbench.learn.mass_board import MassBoard, readings_html
from credalbench.learn.source import Cell, Lesson
from credalbench.learn.terms import TermLinks

#: Whether an answer is right, and the feedback on it.
Verdict = tuple[bool, str]


@dataclass(frozen=True)
class Part:
    """A part of a page."""

    kind: Literal["text", "explanation", "output", "slider", "question", "terms"]
    #: Markdown, HTML, the frames of a slider, a question as plain values, or the explained terms.
    content: str | SliderFrames | dict[str, object] | list[Term]
    source: str = ""  # the text of a question as Markdown, or the code of an output


def parts_of(lesson: Lesson, outputs: Sequence[object]) -> list[Part]:
    """Return the parts of the page of a lesson, in order; `outputs` of its cells are those of `run_lesson`.

    Explorers without a slider are left out, because a page cannot compute a fit.
    """
    parts, links = [], TermLinks()
    target, n_sliders = (
        None,
        0,
    )  # the explorer or board of the next slider, and the number of sliders before it
    judges: dict[str, int] = {}  # numbers of the sliders by the exercises that they answer
    for place, (cell, text) in enumerate(lesson.explained(links, "handout")):
        output, after = outputs[place], lesson.cells[place + 1 :]
        if cell.kind in ("text", "handout"):
            parts.append(Part("text", text))
        elif cell.kind == "explanation":
            parts.append(Part("explanation", text))
        elif cell.kind == "frames":
            frames = _frames(target, tomllib.loads(cell.source), _explorations(lesson, after))
            judges |= dict.fromkeys(frames.verdicts, n_sliders)
            n_sliders += 1
            parts.append(Part("slider", frames))
        elif cell.exercise:
            exercise = getattr(lesson.exercises, cell.exercise)
            question = page_question(exercise, judges.get(exercise.name))
            if question["kind"] == "shown":
                text = text.replace(".** ", ".** In the notebook: ", 1)
            parts.append(Part("question", question, text))
        elif isinstance(output, TaskView | MassBoard):
            target = output
            has_slider = bool(after) and after[0].kind == "frames"
            if isinstance(output, MassBoard) and not has_slider:
                parts.append(Part("output", board_html(output)))
        elif cell.kind == "code" and output is not None:
            parts.append(Part("output", output_html(output), cell.source))
    return [*parts, Part("terms", links.used())]


def _frames(
    target: TaskView | MassBoard, declared: dict[str, object], exercises: Mapping[str, Exploration]
) -> SliderFrames:
    if isinstance(target, MassBoard):
        return board_frames(target, Slider(**declared))
    slider = Slider(**{"slider": target.controls[0]} | declared)
    return replace(explorer_frames(target.explorer, slider, exercises), classes=target.classes)


def _explorations(lesson: Lesson, after: Sequence[Cell]) -> dict[str, Exploration]:
    """Return the exercises up to the next slider that judge an explorer."""
    until = takewhile(lambda cell: cell.kind != "frames", after)
    exercises = [getattr(lesson.exercises, cell.exercise) for cell in until if cell.exercise]
    return {one.name: one for one in exercises if isinstance(one, Exploration)}


def output_html(value: object) -> str:
    """Return the output of a notebook cell as HTML."""
    if hasattr(value, "_repr_html_"):
        html = value._repr_html_()
        return html if html.startswith("<img ") else f'<div class="wide">{html}</div>'
    return f'<pre tabindex="0">{escape(str(value))}</pre>'  # so that the keyboard can scroll wide output


def page_question(exercise: Exercise, slider: int | None) -> dict[str, object]:
    """Return an exercise as plain values for the page; `slider` is the number of the one that answers it.

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


# -- sliders -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slider:
    """A block of ``toml frames``."""

    slider: str  # parameter of the explorer, by default the first of the task, or label of a set of the board
    values: Sequence[object]
    words: Sequence[str] = ()  # names of the values; the values themselves by default
    label: str = ""  # the label of the explorer by default
    completed_by: str = ""  # method of the model that computes, at each value, what is computed when idle
    views: Sequence[str] = ()  # views of the map, from `MAP_VIEWS`, the initial one first; by default its own

    def __post_init__(self) -> None:
        expect(len(self.values) > 1, f"several values of {self.slider}", self.values)
        named = len(self.words) in (0, len(self.values))
        expect(named, f"{len(self.values)} words, one for each value of {self.slider}", self.words)

    def value_names(self) -> list[str]:
        """Return the names of the values."""
        return [*self.words] or [f"{v:g}" if isinstance(v, float) else str(v) for v in self.values]


@dataclass(frozen=True)
class SliderFrames:
    """The frames of a slider, and the verdicts of the exercises that it answers."""

    label: str
    hint: str  # with the explained terms
    words: Sequence[str]  # names of the frames
    start: int  # the frame that is shown first
    frames: Sequence[dict[str, object]]
    verdicts: dict[str, Sequence[Verdict]] = field(default_factory=dict)  # of each exercise on each frame
    views: Sequence[str] = ()  # names of the views of the map; a frame has one of its ``scenes`` for each
    classes: Sequence[str] = ()  # CSS classes of the task, which name the panels of the picture


def explorer_frames(
    explorer: ExplorerView, slider: Slider, exercises: Mapping[str, Exercise]
) -> SliderFrames:
    """Return an explorer at each value of a slider, with the verdicts of `exercises`; restore its state.

    Raises
    ------
    ValueError
        If the explorer has no scene, or if it rejects a value.
    """
    name, model = slider.slider, explorer.model
    expect(isinstance(explorer, ExplorerView), "an explorer", type(explorer).__name__)
    expect(name in model.parameters(), f"a parameter of {type(model).__name__}", name)
    before, frames, verdicts = getattr(model, name), [], {exercise: [] for exercise in exercises}
    values = [_as_tuples(value) for value in slider.values]
    for value in values:
        _set(model, name, value)
        if slider.completed_by:
            getattr(model, slider.completed_by)()
        for exercise_name, exercise in exercises.items():
            verdicts[exercise_name].append(_verdict(exercise, explorer))
        frames.append(explorer.snapshot() | _scenes(explorer, slider.views))
    _set(model, name, before)
    declared = model.parameters()[name]
    label, help_ = slider.label or declared.label, hint(declared.label, declared.tooltip)
    views = [MAP_VIEWS[view] for view in slider.views]
    return SliderFrames(label, help_, slider.value_names(), _start(values, before), frames, verdicts, views)


def _scenes(explorer: ExplorerView, views: Sequence[str]) -> dict[str, object]:
    """Return the scenes of the current fit for each view of the map; restore the view."""
    if not views:
        return {}
    before, scenes = explorer.model.map_view, []
    for view in views:
        _set(explorer.model, "map_view", view)
        scenes.append(explorer.snapshot()["scene"])
    _set(explorer.model, "map_view", before)
    return {"scene": scenes[0], "scenes": scenes}


def _set(model: object, name: str, value: object) -> None:
    setattr(model, name, value)
    if model.is_error:
        raise ValueError(f"{name} = {value!r}: {model.message}")


def _start(values: Sequence[object], before: object) -> int:
    """Return the frame whose value is nearest to a number, or equals another value; else the first frame."""
    if isinstance(before, int | float):
        return min(range(len(values)), key=lambda k: abs(values[k] - before))
    return values.index(before) if before in values else 0


def _as_tuples(value: object) -> object:
    """Convert lists to tuples, which traits contain."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def board_frames(board: MassBoard, slider: Slider) -> SliderFrames:
    """Return a board at each mass of one set, with the rest on Ω; restore its masses."""
    expect(slider.slider in board.controls, f"one of the sets {' '.join(board.controls)}", slider.slider)
    control = board.controls[slider.slider]
    before, frames = control.value, []
    for value in slider.values:
        control.value = value
        expect(control.value == value, f"masses of {slider.slider} that leave some for Ω", value)
        frames.append({"html": board_html(board)})
    control.value = before
    label, help_ = slider.label or f"mass on {slider.slider}", hint(slider.slider, control.tooltip)
    return SliderFrames(label, help_, slider.value_names(), _start(slider.values, before), frames)


def board_html(board: MassBoard) -> str:
    """Return the masses and the readings of a board as HTML."""
    one = board.mass_function
    named = MassFunction(one.masses, one.focal_sets, "masses")
    return mass_function_html(named) + readings_html(one, board.names)
