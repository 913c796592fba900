"""What a handout shows of a lesson: its text, what its cells showed, sliders over frames, questions."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from credalbench.explore.shared.linked_view import LinkedView
from credalbench.glossary import Term
from credalbench.learn.exercise import Exercise
from credalbench.learn.handout.moving import Moving, board_html, moving_board, moving_explorer, read_slider
from credalbench.learn.handout.questions import judged_by_frames, question
from credalbench.learn.mass_board import MassBoard
from credalbench.learn.source import Cell, Lesson
from credalbench.learn.words import Words


@dataclass(frozen=True)
class Part:
    """A piece of a page.

    Attributes
    ----------
    kind : {"text", "shown", "moving", "question", "words"}
    content : str, Moving, dict or list of Term
        Markdown; HTML; frames; a question as plain values; the terms that the texts explain.
    asked : str
        Of a question, its text in Markdown; of what is shown, the code that did it.
    number : int
        Of sliders from 0, of questions from 1.
    """

    kind: Literal["text", "shown", "moving", "question", "words"]
    content: str | Moving | dict[str, object] | list[Term]
    asked: str = ""
    number: int = 0


def parts_of(lesson: Lesson, shown: Sequence[object]) -> list[Part]:
    """Return what a page shows of a lesson, in its order.

    An explorer is shown with a slider or not at all: a page cannot fit anything.

    Parameters
    ----------
    lesson : Lesson
    shown : sequence
        What each of its cells shows, as `run_lesson` returns it.
    """
    return [*_Page(lesson, shown).parts()]


class _Page:
    """A page on its way: what can be moved next, sliders and questions so far."""

    def __init__(self, lesson: Lesson, shown: Sequence[object]) -> None:
        self.lesson, self.shown, self.movable = lesson, shown, None
        self.sliders, self.questions, self.words = 0, 0, Words()
        self.judges: dict[str, int] = {}  # sliders by the exercises that look at them

    def parts(self) -> Iterator[Part]:
        cells = self.lesson.cells
        for cell, result, after in zip(cells, self.shown, range(1, len(cells) + 1)):
            if cell.kind == "text":
                yield Part("text", self.words.explained(cell.source))
            elif cell.kind == "frames":
                yield self._moving(cell, cells[after:])
            elif cell.exercise:
                yield self._question(getattr(self.lesson.exercises, cell.exercise))
            elif cell.kind == "code" and result is not None:
                moves = after < len(cells) and cells[after].kind == "frames"
                yield from self._result(result, cell.source, moves)
        yield Part("words", self.words.used())

    def _result(self, result: object, code: str, moves: bool) -> Iterator[Part]:
        if isinstance(result, LinkedView | MassBoard):
            self.movable = result
            if isinstance(result, MassBoard) and not moves:
                yield Part("shown", board_html(result))
        else:
            yield Part("shown", shown_html(result), code)

    def _question(self, exercise: Exercise) -> Part:
        self.questions += 1
        plain = question(exercise, self.judges.get(exercise.name))
        return Part("question", plain, self.words.explained(exercise.question), self.questions)

    def _moving(self, cell: Cell, after: Sequence[Cell]) -> Part:
        slider, number = read_slider(cell.source), self.sliders
        if isinstance(self.movable, MassBoard):
            moving = moving_board(self.movable, slider)
        else:
            moving = moving_explorer(self.movable, slider, self._tasks(after))
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
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None  # figures have one that gives None
    if html is not None:
        return f'<div class="wide">{html}</div>'
    if hasattr(value, "_repr_png_"):
        address = f"data:image/png;base64,{b64encode(value._repr_png_()).decode()}"
        return f'<img src="{address}" alt="Picture of the cell above; the text says what it shows.">'
    return f"<pre>{escape(str(value))}</pre>"
