"""A parameter of an explorer, declared once: type and default, legal range, words, control.

The declaration is the trait of a model and travels in its metadata::

    class Model(RefittingModel):
        alpha = parameter(
            t.Float(0.05), "α", "Tail probability", above=0, below=1, slider=(0.01, 0.99, 0.01)
        )

Everything else follows from it: the check of a value, the control and how it moves, the place in `state()`,
the entry in the docstring.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from numbers import Real

import traitlets as t

from credalbench.arguments import expect


@dataclass(frozen=True)
class Parameter:
    """What is known of a parameter beside its type and its default.

    Attributes
    ----------
    label, tooltip : str
        Words beside and over the control; a parameter without a label has none.
    low, high, above, below : float
        Ends of the legal range; `above` and `below` are not in it themselves.
    choices : mapping of value -> label, or None
        The legal values, where they can be listed.
    slider : tuple of (from, to, step), or None
        Where the slider begins and ends: it grows with a value beyond, unless the legal range has an end,
        too. A number without a slider is typed.
    logarithmic : bool
        The slider's ends and step are exponents of ten; a field for the number stands beside it.
    live : bool
        The picture moves along with the slider where a fit is fast enough; else it waits for the end.
    warm : bool
        While only such parameters change, a fit may start from the last one.
    """

    label: str = ""
    tooltip: str = ""
    low: float = -inf
    high: float = inf
    above: float = -inf
    below: float = inf
    choices: Mapping[str, str] | None = None
    slider: tuple[float, float, float] | None = None
    logarithmic: bool = False
    live: bool = True
    warm: bool = False

    @property
    def grows(self) -> bool:
        """Whether the slider grows with the value."""
        return self.slider is not None and not self.logarithmic and self.high == self.below == inf

    def check(self, name: str, value: object) -> None:
        """Raise a ValueError, which says what was expected, if `value` is not legal."""
        if self.choices is not None:
            expect(value in self.choices, f"one of {', '.join(self.choices)}", value)
        elif isinstance(value, Real):
            legal = self.low <= value <= self.high and self.above < value < self.below
            expect(isfinite(value) and legal, self._range(name), value)

    def _range(self, name: str) -> str:
        lower = f"{self.low} <= " if isfinite(self.low) else f"{self.above} < " * isfinite(self.above)
        upper = f" <= {self.high}" if isfinite(self.high) else f" < {self.below}" * isfinite(self.below)
        return f"{lower}{name}{upper}" if lower or upper else f"a finite {name}"


def parameter(trait: t.TraitType, label: str = "", tooltip: str = "", **declared: object) -> t.TraitType:
    """Make a trait a parameter; `declared` are the fields of `Parameter`."""
    return trait.tag(parameter=Parameter(label, tooltip, **declared))


def parameters_of(model: type) -> dict[str, Parameter]:
    """Return the parameters of a class of models by name, as declared, those of its base first."""
    return {
        name: trait.metadata["parameter"]
        for base in reversed(model.__mro__)
        for name, trait in vars(base).items()
        if isinstance(trait, t.TraitType) and "parameter" in trait.metadata
    }


def entries(model: type) -> str:
    """Return the entries of a docstring that describe the parameters of a class of models."""
    return "\n".join(_entry(name, getattr(model, name)) for name in parameters_of(model))


def _entry(name: str, trait: t.TraitType) -> str:
    declared = trait.metadata["parameter"]
    kind = type(trait).__name__.lower().replace("unicode", "str") + " or None" * trait.allow_none
    choices = f": one of {', '.join(declared.choices)}" if declared.choices else ""
    return f"{name} : {kind}, default {trait.default()!r}\n    {declared.tooltip}{choices}."
