"""The form of an exercise: a control for the answer, buttons to check it and to show hints, and feedback."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import ipywidgets as w

from credalbench.explore.view.controls import button

from .terms import STYLE

if TYPE_CHECKING:
    from .exercise import Exercise

#: Colours of the frames; the first word of the text has the same meaning.
RIGHT, NOT_YET, HINT = "#009E73", "#D55E00", "#0072B2"


def exercise_form(exercise: Exercise) -> w.VBox:
    """Return the widgets of an exercise; the Tab key reaches all of them."""
    control, answer = exercise.control()
    feedback = w.HTML()
    check = button("Check", "check", "Check the answer", flex="0 1 auto")
    hint = button("Hint", "lightbulb-o", "Show the next hint", flex="0 1 auto")

    def show_feedback(_: w.Button) -> None:
        given = answer()
        result = None if given is ... else exercise.check(given)
        text = "Not yet. There is no answer yet." if result is None else str(result)
        feedback.value = feedback_html(text, bool(result))

    check.on_click(show_feedback)
    hint.on_click(lambda _: setattr(feedback, "value", framed_html(exercise.hint(), HINT)))
    buttons = w.HBox([check, hint] if exercise.hints else [check])
    return w.VBox([control, buttons, feedback, w.HTML(STYLE)]).add_class("credalbench-exercise")


def feedback_html(text: str, right: bool) -> str:
    """Return feedback as HTML."""
    return framed_html(text, RIGHT if right else NOT_YET)


def framed_html(text: str, colour: str) -> str:
    """Return plain text as HTML, in a frame that screen readers announce."""
    return (
        f'<div role="status" style="border-left:3px solid {colour};padding:2px 10px;margin:4px 2px;'
        f'max-width:760px;line-height:1.45;white-space:normal">{escape(text)}</div>'
    )
