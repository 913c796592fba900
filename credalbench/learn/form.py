"""An exercise on the screen: a control for the answer, buttons to check it and for hints, what is said."""

from __future__ import annotations

from html import escape

import ipywidgets as w

from credalbench.explore.shared.controls import button

from .exercise import Exercise, Feedback
from .words import STYLE

#: Colours of the frames, which the first word says, too.
RIGHT, NOT_YET, HINT = "#009E73", "#D55E00", "#0072B2"


def form(exercise: Exercise) -> w.VBox:
    """Return the widgets of an exercise; every one is reached by Tab."""
    control, answer = exercise.control()
    said = w.HTML()
    check = button("Check", "check", "Check the answer", flex="0 1 auto")
    hint = button("Hint", "lightbulb-o", "Show the next hint", flex="0 1 auto")

    def judge(_: w.Button) -> None:
        given = answer()
        feedback = Feedback(False, "There is no answer yet.") if given is ... else exercise.check(given)
        said.value = feedback_html(feedback)

    check.on_click(judge)
    hint.on_click(lambda _: setattr(said, "value", framed(exercise.hint(), HINT)))
    buttons = w.HBox([check, hint] if exercise.hints else [check])
    return w.VBox([control, buttons, said, w.HTML(STYLE)]).add_class("credalbench-exercise")


def feedback_html(feedback: Feedback) -> str:
    """Return what is said of an answer, as HTML."""
    return framed(str(feedback), RIGHT if feedback else NOT_YET)


def framed(text: str, colour: str) -> str:
    """Return plain text in a frame that screen readers announce, as HTML."""
    return (
        f'<div role="status" style="border-left:3px solid {colour};padding:2px 10px;margin:4px 2px;'
        f'max-width:760px;line-height:1.45;white-space:normal">{escape(text)}</div>'
    )
