"""Kinds of exercises: choices, numbers, mass functions, settings of an explorer, and code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from string import ascii_lowercase
from typing import Any

import ipywidgets as w

from credalbench.belief import MassFunction
from credalbench.core.arguments import expect

from .exercise import Exercise
from .mass_board import MassBoard, mass_function

WIDE = w.Layout(width="auto")
#: A number with commas or spaces between thousands; any other comma is a decimal mark.
THOUSANDS = re.compile(r"-?[1-9]\d{0,2}([ ,]\d{3})+")

#: Feedback on a wrong number that is not a known mistake; it does not hint at the solution.
ANOTHER = "That is not the right number. Read the question again, or ask for a hint."


@dataclass(frozen=True)
class Option:
    """An option of a question: its text, whether it is right, and the reason."""

    text: str
    is_right: bool
    reason: str


def right(text: str, reason: str) -> Option:
    """Return an option that is right.

    Parameters
    ----------
    text, reason : str
        Text of the option, and why it is right.

    Returns
    -------
    Option
        The option.
    """
    return Option(text, True, reason)


def wrong(text: str, reason: str) -> Option:
    """Return an option that is wrong.

    Parameters
    ----------
    text, reason : str
        Text of the option, and why it is wrong.

    Returns
    -------
    Option
        The option.
    """
    return Option(text, False, reason)


@dataclass(eq=False, repr=False)
class _Options(Exercise):
    """A question with options, which are labelled by letters."""

    options: Sequence[Option] = ()

    def __post_init__(self) -> None:
        reasons = (option.reason for option in self.options if option.is_right)
        self.explanation = self.explanation or next(reasons)

    @property
    def letters(self) -> str:
        """Letters of the options."""
        return ascii_lowercase[: len(self.options)]

    def option(self, letter: str) -> Option:
        """Return the option with a letter, in lower or upper case."""
        known = isinstance(letter, str) and len(letter) == 1 and letter.lower() in self.letters
        expect(known, f"one of the letters {', '.join(self.letters)}", letter)
        return self.options[self.letters.index(letter.lower())]

    @property
    def reference(self) -> str:
        """Letters of the options that are right."""
        return "".join(letter for letter in self.letters if self.option(letter).is_right)

    def describe(self, answer: Iterable[str]) -> str:
        return "; ".join(f"{letter}) {self.option(letter).text}" for letter in answer) or "none of them"


class Choice(_Options):
    """Question with one right option; the answer is its letter.

    Parameters
    ----------
    question : str
        The question, as Markdown.
    options : sequence of Option
        The options, made by `right` and `wrong`.
    explanation, hints : str and sequence of str, optional
        As in `Exercise`; the explanation is the reason of the right option by default.

    Examples
    --------
    >>> sky = Choice("The sky is ...", (wrong("green", "Look up."), right("blue", "By day.")))
    >>> sky.check("a"), sky.check("b")
    (Not yet. Look up., Right. By day.)
    """

    @property
    def mistakes(self) -> tuple[str, ...]:
        """Letters of the wrong options."""
        return tuple(letter for letter in self.letters if letter != self.reference)

    def _parse(self, answer: str) -> Option:
        return self.option(answer)

    def _diagnose(self, answer: Option) -> str:
        return "" if answer.is_right else answer.reason

    def _control(self) -> tuple[w.Widget, Callable[[], object]]:
        labels = [(f"{letter})  {self.option(letter).text}", letter) for letter in self.letters]
        buttons = w.RadioButtons(options=labels, value=None, layout=w.Layout(width="max-content"))
        return buttons, lambda: ... if buttons.value is None else buttons.value


class Choices(_Options):
    """Question with several right options; the answer is the letters of all of them.

    Parameters
    ----------
    question : str
        The question, as Markdown.
    options : sequence of Option
        The options, made by `right` and `wrong`.
    explanation, hints : str and sequence of str, optional
        As in `Exercise`; the explanation is the reason of the first right option by default.

    Examples
    --------
    >>> even = Choices("Which are even?", (right("2", "1 + 1."), wrong("3", "2 + 1."), right("4", "2 + 2.")))
    >>> even.check("a")
    Not yet. c) is right: 2 + 2.
    """

    @property
    def mistakes(self) -> tuple[str, ...]:
        """Answers that differ from the right one in one option."""
        flipped = ({letter} ^ set(self.reference) for letter in self.letters)
        return tuple("".join(sorted(letters)) for letters in flipped)

    def _parse(self, answer: Iterable[str]) -> set[str]:
        expect(isinstance(answer, str | Sequence | set), "letters such as 'ac'", answer)
        return {letter.lower() for letter in answer if self.option(letter)}

    def _diagnose(self, answer: set[str]) -> str:
        if not answer:
            return "Nothing is ticked. One or more options are right."
        differing = sorted(answer ^ set(self.reference))
        if not differing:
            return ""
        letter = differing[0]
        return f"{letter}) {'is not right' if letter in answer else 'is right'}: {self.option(letter).reason}"

    def _control(self) -> tuple[w.Widget, Callable[[], object]]:
        labels = {letter: f"{letter})  {self.option(letter).text}" for letter in self.letters}
        boxes = {k: w.Checkbox(description=label, indent=False, layout=WIDE) for k, label in labels.items()}
        return w.VBox([*boxes.values()]), lambda: {letter for letter, box in boxes.items() if box.value}


@dataclass(eq=False, repr=False)
class Number(Exercise):
    """Question whose answer is a number.

    Parameters
    ----------
    question : str
        The question, as Markdown.
    reference : float, default=0.0
        The right number.
    known : mapping of float to str, default={}
        Typical wrong numbers, with the feedback on each.
    explanation, hints : str and sequence of str, optional
        As in `Exercise`.
    tolerance : float, default=0.005
        Largest accepted difference.

    Examples
    --------
    >>> half = Number("1 / 2?", 0.5, {2.0: "That is 2 / 1."})
    >>> half.check("1/2").right, half.check(2)
    (True, Not yet. That is 2 / 1.)
    >>> half.check("50 %").right
    True
    """

    reference: float = 0.0
    known: Mapping[float, str] = field(default_factory=dict)
    tolerance: float = field(default=0.005, kw_only=True)

    @property
    def mistakes(self) -> tuple[float, ...]:
        """Typical wrong numbers."""
        return tuple(self.known)

    def _parse(self, answer: object) -> float:
        if isinstance(answer, str):
            text, percent = answer.strip().removesuffix("%").strip(), answer.strip().endswith("%")
            plain = re.sub("[ ,]", "", text) if THOUSANDS.fullmatch(text) else text.replace(",", ".")
            above, _, below = plain.partition("/")
            try:
                return float(above) / float(below or 1) / (100 if percent else 1)
            except (ValueError, ZeroDivisionError):
                raise ValueError(f"expected a number such as 0.5 or 1/2; got {answer!r}") from None
        expect(hasattr(answer, "__float__") and not isinstance(answer, bool), "a number", answer)
        return float(answer)

    def _diagnose(self, answer: float) -> str:
        if self._equal(answer, self.reference):
            return ""
        return next((text for value, text in self.known.items() if self._equal(answer, value)), ANOTHER)

    def _equal(self, number: float, other: float) -> bool:
        return isclose(number, other, rel_tol=0, abs_tol=self.tolerance)

    def describe(self, answer: float) -> str:
        return f"{answer:g}"

    def _control(self) -> tuple[w.Widget, Callable[[], object]]:
        typed = w.Text(description="answer", placeholder="a number", layout=w.Layout(width="220px"))
        return typed, lambda: typed.value.strip() or ...


@dataclass(eq=False, repr=False)
class _Judged(Exercise):
    """An exercise with its own function that judges answers, a right answer, and typical wrong answers."""

    judge: Callable[[Any], str] = str
    reference: Any = None
    mistakes: Sequence[Any] = ()

    def _diagnose(self, answer: object) -> str:
        return self.judge(answer)


@dataclass(eq=False, repr=False)
class Masses(_Judged):
    """Question whose answer is a mass function.

    The form has a slider for each set. In code, answer with a mapping such as ``{"{1,2}": 0.7, "Ω": 0.3}``.

    Parameters
    ----------
    question : str
        The question, as Markdown.
    judge : callable
        Function that returns the mistake in a `MassFunction`, or an empty string.
    reference : mapping of str to float
        A right answer.
    mistakes : sequence of mappings, default=()
        Typical wrong answers.
    explanation, hints : str and sequence of str, optional
        As in `Exercise`.
    n_clusters : int, default=3
        Number of clusters.
    names : sequence of str, default=()
        Names of the clusters.
    """

    n_clusters: int = field(default=3, kw_only=True)
    names: Sequence[str] = field(default=(), kw_only=True)

    def _parse(self, answer: MassFunction | Mapping[str, float]) -> MassFunction:
        return answer if isinstance(answer, MassFunction) else mass_function(answer, self.n_clusters)

    def describe(self, answer: Mapping[str, float]) -> str:
        return ", ".join(f"{mass:g} on {label}" for label, mass in answer.items())

    def _control(self) -> tuple[w.Widget, Callable[[], object]]:
        board = MassBoard(self.n_clusters, self.names)
        return board.widget, lambda: board.mass_function


@dataclass(eq=False, repr=False)
class Exploration(_Judged):
    """Question whose answer is settings of an explorer.

    Parameters
    ----------
    question : str
        The question, as Markdown.
    judge : callable
        Function that returns the mistake in the model of an explorer, or an empty string.
    reference : mapping of str to object
        Right settings of the explorer of the lesson.
    mistakes : sequence of mappings, default=()
        Typical wrong settings.
    explanation, hints : str and sequence of str, optional
        As in `Exercise`.

    Attributes
    ----------
    explorer : object
        The explorer that the form checks, set by `of`.
    """

    explorer: Any = field(default=None, init=False)

    def of(self, explorer: object) -> Exploration:
        """Set the explorer that the form checks.

        Parameters
        ----------
        explorer : object
            The explorer.

        Returns
        -------
        Exploration
            This exercise.
        """
        self.explorer = explorer
        return self

    def _parse(self, answer: object) -> object:
        model = getattr(answer, "model", answer)
        expect(hasattr(model, "fitted"), "an explorer", answer)
        if getattr(model, "busy", False):
            raise ValueError("expected a finished fit, got a fit that is still running. Wait until it ends")
        shown = model.fitted is not None and not model.is_error
        expect(shown, "an explorer that shows the fit of its settings", model.message or "nothing")
        return model

    def describe(self, answer: Mapping[str, object]) -> str:
        settings = (f"`{name} = {value!r}`" for name, value in answer.items() if name != "links")
        links = (f"{kind} between {i + 1} and {j + 1}" for i, j, kind in answer.get("links", ()))
        return ", ".join([*links, *settings]) or "no constraints"

    def _control(self) -> tuple[w.Widget, Callable[[], object]]:
        text = "Change the settings of the picture, then press Check."
        return w.HTML(text), lambda: self.explorer


class Code(_Judged):
    """Question whose answer is a value that the learner's code computes.

    Parameters
    ----------
    question : str
        The question, as Markdown.
    judge : callable
        Function that returns the mistake in the value, or an empty string.
    reference : str
        Code that assigns a right value to ``answer``; it runs after the cells above the exercise.
    mistakes : sequence of str, default=()
        Code that assigns typical wrong values.
    explanation, hints : str and sequence of str, optional
        As in `Exercise`.
    """

    def describe(self, answer: str) -> str:
        return f"`{answer}`"

    def _control(self) -> tuple[w.Widget, Callable[[], object]]:
        text = f"Write your answer in a cell, and check it with exercises.{self.name}.check(answer)."
        return w.HTML(text), lambda: ...
