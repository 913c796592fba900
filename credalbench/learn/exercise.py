"""What all exercises have: a question, hints, a reference solution, mistakes that they know, and `check`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import ipywidgets as w


@dataclass(frozen=True)
class Feedback:
    """What is said of an answer; true where it is right.

    Attributes
    ----------
    right : bool
    text : str
        Why it is right, or what to think about.
    """

    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return f"{'Right.' if self.right else 'Not yet.'} {self.text}".strip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from .form import feedback_html

        return feedback_html(self)


@dataclass(eq=False, repr=False)
class Exercise:
    """A question that checks its answers; each kind says how answers look, and what is wrong with one.

    In a notebook it shows itself as a form. Nothing is stored, and nothing is sent anywhere.

    Parameters
    ----------
    question : str
        Markdown; it stands above the form.
    explanation : str
        Why the right answer is right.
    hints : sequence of str
        From a nudge to nearly the solution; plain text.

    Attributes
    ----------
    name : str
        In its lesson.
    reference : object
        An answer that is right.
    mistakes : tuple
        At least two answers that are not, those that are usually given.
    """

    question: str
    explanation: str = field(default="", kw_only=True)
    hints: Sequence[str] = field(default=(), kw_only=True)
    name: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._hints_given = 0

    def check(self, answer: object) -> Feedback:
        """Judge an answer; one that cannot be read is not right, and the feedback says what was expected."""
        if answer is ...:
            return Feedback(False, "Put your answer in place of the three dots.")
        try:
            fault = self.fault(self.read(answer))
        except (AttributeError, KeyError, TypeError, ValueError) as error:  # whatever a learner may hand in
            text = str(error.args[0]) if error.args else type(error).__name__
            return Feedback(False, f"{text[:1].upper()}{text[1:]}.")
        return Feedback(not fault, fault or self.explanation)

    def hint(self) -> str:
        """The next hint, with its number; the last one again once all are given."""
        if not self.hints:
            return "There is no hint here: try, and read what is said."
        self._hints_given = min(self._hints_given + 1, len(self.hints))
        of = f"{self._hints_given} of {len(self.hints)}"
        return f"Hint {of}: {self.hints[self._hints_given - 1]}"

    # -- for the kind of exercise -----------------------------------------------------------------------

    def read(self, answer: object) -> object:
        """Return the answer in the form that `fault` takes; raise what a learner should read."""
        raise NotImplementedError

    def fault(self, answer: object) -> str:
        """What is wrong with an answer, so that it teaches; nothing for a right one."""
        raise NotImplementedError

    def said(self, answer: object) -> str:
        """An answer in words, for the teacher's page."""
        return str(answer)

    def control(self) -> tuple[w.Widget, Callable[[], object]]:
        """A control for the answer, and a function that returns what it says."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        from .form import form

        return form(self)._repr_mimebundle_(**kwargs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"
