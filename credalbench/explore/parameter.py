"""Declarations of the parameters of explorers: type, default, valid range, texts, control.

The declaration is the trait of a model and travels in its metadata::

    class Model(RefittingModel):
        alpha = parameter(
            t.Float(0.05), "α", "Tail probability", above=0, below=1, slider=(0.01, 0.99, 0.01)
        )

The check of values, the control, the entry in `state()` and the entry in the docstring are derived from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from numbers import Real

import traitlets as t

from credalbench.arguments import expect


@dataclass(frozen=True)
class Parameter:
    """Declaration of a parameter, except its type and default.

    Attributes
    ----------
    label, tooltip : str
        Label and tooltip of the control; a parameter without a label has no control.
    low, high, above, below : float
        Ends of the valid range; `above` and `below` are excluded.
    choices : mapping of value -> label, or None
        The valid values, if they can be listed.
    slider : tuple of (from, to, step), or None
        Range of the slider; it grows with larger values unless the valid range ends. A number without a
        slider has a text field.
    logarithmic : bool
        Whether the slider's ends and step are exponents of ten; it is combined with a number field.
    live : bool
        Whether the picture follows the slider while it moves, if fits are fast enough.
    warm : bool
        Whether a fit may start from the last one while only such parameters change.
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
        """Raise a ValueError if `value` is not valid."""
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
    """Declare a trait as a parameter; `declared` are the fields of `Parameter`."""
    return trait.tag(parameter=Parameter(label, tooltip, **declared))


def parameters_of(model: type) -> dict[str, Parameter]:
    """Return the parameters of a model class by name, in order of declaration, those of the base first."""
    return {
        name: trait.metadata["parameter"]
        for base in reversed(model.__mro__)
        for name, trait in vars(base).items()
        if isinstance(trait, t.TraitType) and "parameter" in trait.metadata
    }


def entries(model: type) -> str:
    """Return docstring entries for the parameters of a model class."""
    return "\n".join(_entry(name, getattr(model, name)) for name in parameters_of(model))


def _entry(name: str, trait: t.TraitType) -> str:
    declared = trait.metadata["parameter"]
    kind = type(trait).__name__.lower().replace("unicode", "str") + " or None" * trait.allow_none
    choices = f": one of {', '.join(declared.choices)}" if declared.choices else ""
    return f"{name} : {kind}, default {trait.default()!r}\n    {declared.tooltip}{choices}."
