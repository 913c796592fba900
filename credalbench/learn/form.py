"""The form of an exercise: a control, buttons that check, give a hint or show the answer, and feedback."""

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
    show = button("Show me", "eye", "Show the answer and its explanation", flex="0 1 auto")

    def show_feedback(_: w.Button) -> None:
        given = answer()
        if given is ...:
            feedback.value = framed_html("Not yet. There is no answer yet.", NOT_YET)
        else:
            result = exercise.check(given)
            feedback.value = feedback_html(str(result), result.right)

    check.on_click(show_feedback)
    hint.on_click(lambda _: setattr(feedback, "value", framed_html(exercise.hint(), HINT)))
    show.on_click(lambda _: setattr(feedback, "value", framed_html(exercise.solution(), HINT, "shown")))
    buttons = w.HBox([check, hint, show] if exercise.hints else [check, show])
    return w.VBox([control, buttons, feedback, w.HTML(STYLE)]).add_class("credalbench-exercise")


def feedback_html(text: str, right: bool) -> str:
    """Return feedback as HTML."""
    return framed_html(text, RIGHT, "right") if right else framed_html(text, NOT_YET, "wrong")


def framed_html(text: str, colour: str, answer: str = "") -> str:
    """Return plain text as HTML, in a frame that screen readers announce.

    `answer` is "right", "wrong" or "shown" after an answer: the page of a lesson then opens the explanation.
    """
    given = f' data-answer="{answer}"' if answer else ""
    return (
        f'<div role="status"{given} style="border-left:3px solid {colour};padding:2px 10px;margin:4px 2px;'
        f'max-width:760px;line-height:1.45;white-space:normal">{escape(text)}</div>'
    )
