"""Base class of all exercises: a question, hints, a right answer, typical mistakes, and the form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

import ipywidgets as w

from credalbench.explore.view.controls import button

from .terms import STYLE

#: Colours of the frames around feedback; the first words of the feedback say the same.
RIGHT, NOT_YET, HINT = "#009E73", "#D55E00", "#0072B2"


@dataclass(frozen=True)
class Feedback:
    """Feedback on an answer; its truth value states whether the answer is right.

    Parameters
    ----------
    right : bool
        Whether the answer is right.
    text : str
        An explanation, or advice for another attempt.
    """

    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return f"{'Right.' if self.right else 'Not yet.'} {self.text}".strip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        answer, colour = ("right", RIGHT) if self.right else ("wrong", NOT_YET)
        return framed_html(str(self), colour, answer)


@dataclass(eq=False, repr=False)
class Exercise:
    """Base class of exercises, which check answers.

    A notebook shows an exercise as a form. Answers are neither stored nor sent.

    Parameters
    ----------
    question : str
        The question, as Markdown.
    explanation : str, default=""
        Explanation of the right answer.
    hints : sequence of str, default=()
        Hints as plain text; each says more than the one before.

    Attributes
    ----------
    name : str
        Name in the lesson.
    reference : object
        A right answer.
    mistakes : tuple
        At least two typical wrong answers.
    """

    question: str
    explanation: str = field(default="", kw_only=True)
    hints: Sequence[str] = field(default=(), kw_only=True)
    name: str = field(default="", init=False)
    _hints_given: int = field(default=0, init=False)

    def check(self, answer: object) -> Feedback:
        """Check an answer.

        Parameters
        ----------
        answer : object
            The answer; its form depends on the kind of exercise.

        Returns
        -------
        Feedback
            The result. If the answer has the wrong form, the text states the expected form.
        """
        if answer is ...:
            return Feedback(False, "Replace the three dots with your answer.")
        try:
            mistake = self._diagnose(self._parse(answer))
        except (AttributeError, KeyError, TypeError, ValueError) as error:  # any answer of a learner
            text = str(error.args[0]) if error.args else type(error).__name__
            return Feedback(False, f"{text[:1].upper()}{text[1:]}.")
        return Feedback(not mistake, mistake or self.explanation)

    def hint(self) -> str:
        """Return the next hint.

        Returns
        -------
        str
            The hint with its number; the last hint again after all of them were shown.
        """
        if not self.hints:
            return "There is no hint. Try an answer, and read the feedback."
        self._hints_given = min(self._hints_given + 1, len(self.hints))
        return f"Hint {self._hints_given} of {len(self.hints)}: {self.hints[self._hints_given - 1]}"

    def solution(self) -> str:
        """Return a right answer and its explanation.

        Returns
        -------
        str
            The answer in words, as plain text.
        """
        return f"Answer: {self.describe(self.reference).replace('`', '')}. {self.explanation}".rstrip()

    def describe(self, answer: object) -> str:
        """Describe an answer for the teacher's page.

        Parameters
        ----------
        answer : object
            The answer, in the form of `reference`.

        Returns
        -------
        str
            The answer in words.
        """
        return str(answer)

    # -- implemented by each kind of exercise ---------------------------------------------------------------

    def _parse(self, answer: object) -> object:
        """Convert an answer; raise a ValueError if it has the wrong form. The learner reads the message."""
        return answer

    def _diagnose(self, answer: object) -> str:
        """Explain the mistake in a converted answer; return an empty string if the answer is right."""
        raise NotImplementedError

    def _control(self) -> tuple[w.Widget, Callable[[], object]]:
        """Return the control, and a function that returns the answer, or ``...`` if there is none yet."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        return exercise_form(self)._repr_mimebundle_(**kwargs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def exercise_form(exercise: Exercise) -> w.VBox:
    """Return the form of an exercise: control, buttons and feedback; the Tab key reaches all of them."""
    control, answer = exercise._control()
    feedback = w.HTML()
    check = button("Check", "check", "Check the answer", flex="0 1 auto")
    hint = button("Hint", "lightbulb-o", "Show the next hint", flex="0 1 auto")
    show = button("Show me", "eye", "Show the answer and its explanation", flex="0 1 auto")

    def show_feedback(_: w.Button) -> None:
        given = answer()
        missing = framed_html("Not yet. Answer the question first.", NOT_YET)
        feedback.value = missing if given is ... else exercise.check(given)._repr_html_()

    check.on_click(show_feedback)
    hint.on_click(lambda _: setattr(feedback, "value", framed_html(exercise.hint(), HINT)))
    show.on_click(lambda _: setattr(feedback, "value", framed_html(exercise.solution(), HINT, "shown")))
    buttons = w.HBox([check, hint, show] if exercise.hints else [check, show])
    return w.VBox([control, buttons, feedback, w.HTML(STYLE)]).add_class("credalbench-exercise")


def framed_html(text: str, colour: str, answer: str = "") -> str:
    """Return plain text as HTML, in a frame that screen readers announce.

    After an answer, `answer` is "right", "wrong" or "shown"; the page of a lesson then opens the explanation.
    """
    given = f' data-answer="{answer}"' if answer else ""
    return (
        f'<div role="status"{given} style="border-left:3px solid {colour};padding:2px 10px;margin:4px 2px;'
        f'max-width:760px;line-height:1.45;white-space:normal">{escape(text)}</div>'
    )
