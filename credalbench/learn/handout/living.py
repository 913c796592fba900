"""A lesson lived through for a handout: its cells are run, and what they show is kept."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from credalbench.explore.shared.linked_view import LinkedView
from credalbench.learn.exercise import Exercise
from credalbench.learn.handout.moving import Moving, board_html, moving_board, moving_explorer, read_slider
from credalbench.learn.handout.questions import judged_by_frames, question
from credalbench.learn.mass_board import MassBoard
from credalbench.learn.running import run_cell
from credalbench.learn.source import Cell, Lesson


@dataclass(frozen=True)
class Part:
    """A piece of a page.

    Attributes
    ----------
    kind : {"text", "shown", "moving", "question"}
    content : str, Moving or dict
        Markdown; HTML; frames; a question as plain values.
    asked : str
        Of a question, its text in Markdown; of what is shown, the code that did it.
    number : int
        Of sliders from 0, of questions from 1.
    """

    kind: Literal["text", "shown", "moving", "question"]
    content: str | Moving | dict[str, object]
    asked: str = ""
    number: int = 0


def parts_of(lesson: Lesson) -> list[Part]:
    """Run the cells of a lesson, and return what a page shows of it, in its order.

    An explorer is shown with a slider or not at all: a page cannot fit anything.
    """
    return [*_Living(lesson).parts()]


class _Living:
    """A lesson on its way: the names of its cells, what was shown last, sliders and questions so far."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.namespace, self.shown = lesson, {}, None
        self.sliders, self.questions = 0, 0
        self.judges: dict[str, int] = {}  # sliders by the exercises that look at them

    def parts(self) -> Iterator[Part]:
        cells = self.lesson.cells
        for place, cell in enumerate(cells):
            follows = cells[place + 1].kind if place + 1 < len(cells) else ""
            if cell.kind == "text":
                yield Part("text", cell.source)
            elif cell.kind == "frames":
                yield self._moving(cell, cells[place + 1 :])
            elif cell.kind == "code":
                yield from self._of_code(cell, follows == "frames")

    def _of_code(self, cell: Cell, moves: bool) -> Iterator[Part]:
        exercise = getattr(self.lesson.exercises, cell.exercise) if cell.exercise else None
        result = run_cell(cell.source, self.namespace) if exercise is None else None
        if exercise is not None:
            yield self._question(exercise)
        elif isinstance(result, LinkedView | MassBoard) and moves:
            self.shown = result
        elif isinstance(result, MassBoard):
            yield Part("shown", board_html(result))
        elif result is not None and not isinstance(result, LinkedView):
            yield Part("shown", shown_html(result), cell.source)

    def _question(self, exercise: Exercise) -> Part:
        self.questions += 1
        plain = question(exercise, self.judges.get(exercise.name))
        return Part("question", plain, exercise.question, self.questions)

    def _moving(self, cell: Cell, after: Sequence[Cell]) -> Part:
        slider, number = read_slider(cell.source), self.sliders
        if isinstance(self.shown, MassBoard):
            moving = moving_board(self.shown, slider)
        else:
            moving = moving_explorer(self.shown, slider, self._tasks(after))
        self.sliders += 1
        self.judges |= dict.fromkeys(moving.verdicts, number)
        return Part("moving", moving, number=number)

    def _tasks(self, after: Sequence[Cell]) -> dict[str, Exercise]:
        """The exercises up to the next slider that look at an explorer."""
        names = []
        for cell in after:
            if cell.kind == "frames":
                break
            names += [cell.exercise] if cell.exercise else []
        return judged_by_frames({name: getattr(self.lesson.exercises, name) for name in names})


def shown_html(value: object) -> str:
    """Return what a notebook would show of a value, as HTML."""
    if hasattr(value, "_repr_html_"):
        return f'<div class="wide">{value._repr_html_()}</div>'
    if hasattr(value, "_repr_png_"):
        address = f"data:image/png;base64,{b64encode(value._repr_png_()).decode()}"
        return f'<img src="{address}" alt="Picture of the cell above; the text says what it shows.">'
    return f"<pre>{escape(str(value))}</pre>"
