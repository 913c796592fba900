"""The kinds of exercises: choose, give a number, spread a mass, set an explorer, write code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from string import ascii_lowercase
from typing import Any

import ipywidgets as w

from credalbench.arguments import expect
from credalbench.belief import MassFunction

from .exercise import Exercise
from .mass_board import MassBoard, mass_function

WIDE = w.Layout(width="auto")
#: A number with a comma or a space between its thousands; any other comma is a decimal mark.
THOUSANDS = re.compile(r"-?[1-9]\d{0,2}([ ,]\d{3})+")


@dataclass(frozen=True)
class Option:
    """One answer to choose: its text, whether it is right, and why."""

    text: str
    is_right: bool
    why: str


def right(text: str, why: str) -> Option:
    """Return an option that is right."""
    return Option(text, True, why)


def wrong(text: str, why: str) -> Option:
    """Return an option that is not right, with what to think about."""
    return Option(text, False, why)


@dataclass(eq=False, repr=False)
class _Options(Exercise):
    """A question with options, which have letters in their order."""

    options: Sequence[Option] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.explanation = self.explanation or next(option.why for option in self.options if option.is_right)

    @property
    def letters(self) -> str:
        """One for each option."""
        return ascii_lowercase[: len(self.options)]

    def option(self, letter: str) -> Option:
        """Return the option of a letter."""
        expect(isinstance(letter, str), f"one of the letters {', '.join(self.letters)}", letter)
        known = len(letter) == 1 and letter.lower() in self.letters
        expect(known, f"one of the letters {', '.join(self.letters)}", letter)
        return self.options[self.letters.index(letter.lower())]

    @property
    def right_letters(self) -> str:
        """The letters of the options that are right."""
        return "".join(letter for letter in self.letters if self.option(letter).is_right)

    def said(self, answer: Iterable[str]) -> str:
        return "; ".join(f"{letter}) {self.option(letter).text}" for letter in answer) or "none of them"


class Choice(_Options):
    """One of several options is right. Answers are letters: ``check("b")``.

    Examples
    --------
    >>> sky = Choice("The sky is ...", (wrong("green", "Look up."), right("blue", "By day.")))
    >>> sky.check("a"), sky.check("b")
    (Not yet. Look up., Right. By day.)
    """

    @property
    def reference(self) -> str:
        """The letter of the option that is right."""
        return self.right_letters

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The other letters."""
        return tuple(letter for letter in self.letters if letter != self.reference)

    def read(self, answer: str) -> Option:
        return self.option(answer)

    def fault(self, answer: Option) -> str:
        return "" if answer.is_right else answer.why

    def control(self) -> tuple[w.Widget, Callable[[], object]]:
        labels = [(f"{letter})  {self.option(letter).text}", letter) for letter in self.letters]
        buttons = w.RadioButtons(options=labels, value=None, layout=w.Layout(width="max-content"))
        return buttons, lambda: ... if buttons.value is None else buttons.value


class Choices(_Options):
    """Several options may be right, and all of those are wanted. Answers are letters: ``check("ac")``."""

    @property
    def reference(self) -> str:
        """The letters of the options that are right."""
        return self.right_letters

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The right letters but for one option each."""
        flipped = ({letter} ^ set(self.reference) for letter in self.letters)
        return tuple("".join(sorted(letters)) for letters in flipped)

    def read(self, answer: Iterable[str]) -> set[str]:
        expect(isinstance(answer, str | Sequence | set), "letters, as in 'ac'", answer)
        return {letter.lower() for letter in answer if self.option(letter)}

    def fault(self, answer: set[str]) -> str:
        differing = sorted(answer ^ set(self.reference))
        if not differing:
            return ""
        letter = differing[0]
        return f"{letter}) {'is not right' if letter in answer else 'is right'}: {self.option(letter).why}"

    def control(self) -> tuple[w.Widget, Callable[[], object]]:
        boxes = {
            letter: w.Checkbox(
                description=f"{letter})  {self.option(letter).text}", indent=False, layout=WIDE
            )
            for letter in self.letters
        }
        return w.VBox([*boxes.values()]), lambda: {letter for letter, box in boxes.items() if box.value}


@dataclass(eq=False, repr=False)
class Number(Exercise):
    """The answer is a number.

    Parameters
    ----------
    reference : float
    known : mapping of float -> str
        Wrong numbers that are usually given, with what is said to each.
    otherwise : str
        What is said to all other wrong numbers.
    tolerance : float, default 0.005
        Two numbers no further apart are the same.
    """

    reference: float = 0.0
    known: Mapping[float, str] = field(default_factory=dict)
    otherwise: str = field(default="", kw_only=True)
    tolerance: float = field(default=0.005, kw_only=True)

    @property
    def mistakes(self) -> tuple[float, ...]:
        """The wrong numbers that are known."""
        return tuple(self.known)

    def read(self, answer: object) -> float:
        if isinstance(answer, str):
            text = answer.strip()
            plain = re.sub("[ ,]", "", text) if THOUSANDS.fullmatch(text) else text.replace(",", ".")
            above, _, below = plain.partition("/")
            try:
                return float(above) / float(below or 1)
            except (ValueError, ZeroDivisionError):
                raise ValueError(f"expected a number, as 0.5 or 1/2; got {answer!r}") from None
        expect(hasattr(answer, "__float__") and not isinstance(answer, bool), "a number", answer)
        return float(answer)

    def fault(self, answer: float) -> str:
        if self._same(answer, self.reference):
            return ""
        return next((why for value, why in self.known.items() if self._same(answer, value)), self.otherwise)

    def _same(self, number: float, other: float) -> bool:
        return isclose(number, other, rel_tol=0, abs_tol=self.tolerance)

    def said(self, answer: float) -> str:
        return f"{answer:g}"

    def control(self) -> tuple[w.Widget, Callable[[], object]]:
        typed = w.Text(description="answer", placeholder="a number", layout=w.Layout(width="220px"))
        return typed, lambda: typed.value.strip() or ...


@dataclass(eq=False, repr=False)
class Masses(Exercise):
    """The answer is a mass function, spread by sliders; in code a table such as ``{"{1,2}": 0.7, "Ω": 0.3}``.

    Parameters
    ----------
    judge : function of a MassFunction -> str
        What is wrong with it, or nothing.
    reference : mapping of str -> float
    mistakes : sequence of mappings
    n_clusters : int, default 3
    names : sequence of str
        What the clusters stand for.
    """

    judge: Callable[[MassFunction], str] = str
    reference: Mapping[str, float] = field(default_factory=dict)
    mistakes: Sequence[Mapping[str, float]] = ()
    n_clusters: int = field(default=3, kw_only=True)
    names: Sequence[str] = field(default=(), kw_only=True)

    def read(self, answer: MassFunction | Mapping[str, float]) -> MassFunction:
        return answer if isinstance(answer, MassFunction) else mass_function(answer, self.n_clusters)

    def fault(self, answer: MassFunction) -> str:
        return self.judge(answer)

    def said(self, answer: Mapping[str, float]) -> str:
        return ", ".join(f"{mass:g} on {label}" for label, mass in answer.items())

    def control(self) -> tuple[w.Widget, Callable[[], object]]:
        board = MassBoard(self.n_clusters, self.names)
        return board.widget, lambda: board.mass_function


@dataclass(eq=False, repr=False)
class Exploration(Exercise):
    """The answer is the state of an explorer: ``exercise.of(explorer)`` shows a button that looks at it.

    Parameters
    ----------
    judge : function of an explorer's model -> str
        What is wrong with what it shows, or nothing.
    reference : mapping of parameter -> value
        Settings of the lesson's explorer that are right.
    mistakes : sequence of mappings
    """

    judge: Callable[[Any], str] = str
    reference: Mapping[str, object] = field(default_factory=dict)
    mistakes: Sequence[Mapping[str, object]] = ()
    explorer: Any = field(default=None, init=False)

    def of(self, explorer: object) -> Exploration:
        """Return this exercise, which looks at an explorer from now on."""
        self.explorer = explorer
        return self

    def read(self, answer: object) -> object:
        model = getattr(answer, "model", answer)
        expect(hasattr(model, "fitted"), "an explorer", answer)
        expect(
            not getattr(model, "busy", False),
            "a fit that has ended",
            "one that is still computed: wait for it",
        )
        shown = model.fitted is not None and not model.is_error
        expect(shown, "an explorer that shows the fit of its settings", model.message or "nothing")
        return model

    def fault(self, answer: object) -> str:
        return self.judge(answer)

    def said(self, answer: Mapping[str, object]) -> str:
        return ", ".join(f"`{name} = {value!r}`" for name, value in answer.items())

    def control(self) -> tuple[w.Widget, Callable[[], object]]:
        return w.HTML("Set the explorer above, then check."), lambda: self.explorer


@dataclass(eq=False, repr=False)
class Code(Exercise):
    """The answer is what a cell computes: ``exercise.check(answer)``.

    Parameters
    ----------
    judge : function of the value -> str
        What is wrong with it, or nothing.
    reference : str
        Lines that put the right value into ``answer``, after the cells of the lesson above it.
    mistakes : sequence of str
    """

    judge: Callable[[Any], str] = str
    reference: str = ""
    mistakes: Sequence[str] = ()

    def read(self, answer: object) -> object:
        return answer

    def fault(self, answer: object) -> str:
        return self.judge(answer)

    def said(self, answer: str) -> str:
        return f"`{answer}`"

    def control(self) -> tuple[w.Widget, Callable[[], object]]:
        asked = f"Write your answer into a cell, and check it there by exercises.{self.name}.check(answer)."
        return w.HTML(asked), lambda: ...
