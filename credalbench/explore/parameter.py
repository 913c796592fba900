"""Parameters of explorers: their declaration, and those that several explorers share.

The declaration is stored in the metadata of a trait of the model::

    class Model(ExplorerModel):
        alpha = parameter(
            t.Float(0.05), "α", "Tail probability", above=0, below=1, slider=(0.01, 0.99, 0.01)
        )

The check of values, the control, the entry in `state()` and the entry in the docstring are derived from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from inspect import cleandoc
from math import comb, inf, isfinite
from numbers import Real
from typing import TYPE_CHECKING

import traitlets as t

from credalbench.core.arguments import expect

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

METRICS = {"euclidean": "Euclidean", "mahalanobis": "adaptive (Mahalanobis)"}
#: Labels of the sets of focal sets, by name.
FOCAL_SETS = {"simple": "∅, {k}, Ω", "pairs": "∅, {k}, {k,l}, Ω", "full": "all subsets"}
#: What a map shows of the masses, by name.
MAP_VIEWS = {
    "sets": "set of largest mass",
    "masses": "all masses",
    "plane": "masses of the plane",
    "corners": "objects between sets",
}
#: Distances to the empty set of Section 5.2 of [antoine2012_cecm], by the start of the name of the data.
PUBLISHED_DELTA = {"two_class": 10.0, "iris": 31.6}
#: Largest numbers of clusters, of starts and of base partitions, and largest seed of random numbers.
MAX_CLUSTERS, MAX_STARTS, MAX_PARTITIONS, MAX_SEED = 100, 100_000, 3000, 2**32 - 1
#: The largest number of iterations of a run; as `iteration` it means the end of the run.
LAST = 1000


@dataclass(frozen=True)
class Parameter:
    """Declaration of a parameter, except its type and default.

    Attributes
    ----------
    label, tooltip : str
        Label and tooltip of the control; a parameter without a label has no control.
    low, high, above, below : float
        Ends of the valid range; `above` and `below` are excluded.
    most : float
        End of the valid range of a slider that grows.
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
    usual : callable or None
        Returns the value for new data of a model, unless the user has set one.
    objects : int or None
        The slider ends at the number of objects plus this.
    width : str
        Width of a field that shares its row.
    unless : tuple of three str, or None
        Name, label and tooltip of a checkbox that sets None.
    """

    label: str = ""
    tooltip: str = ""
    low: float = -inf
    high: float = inf
    above: float = -inf
    below: float = inf
    most: float = inf
    choices: Mapping[str, str] | None = None
    slider: tuple[float, float, float] | None = None
    logarithmic: bool = False
    live: bool = True
    warm: bool = False
    usual: Callable[[ExplorerModel], object] | None = None
    objects: int | None = None
    width: str = ""
    unless: tuple[str, str, str] | None = None

    @property
    def grows(self) -> bool:
        """Whether the slider grows with the value."""
        return self.slider is not None and not self.logarithmic and self.high == self.below == inf

    def check(self, name: str, value: object) -> None:
        """Raise a ValueError if `value` is not valid."""
        if self.choices is not None:
            expect(value in self.choices, f"one of {', '.join(self.choices)}", value)
        elif isinstance(value, Real):
            legal = self.low <= value <= min(self.high, self.most) and self.above < value < self.below
            expect(isfinite(value) and legal, self._range(name), value)

    def _range(self, name: str) -> str:
        lower = f"{self.low} <= " if isfinite(self.low) else f"{self.above} < " * isfinite(self.above)
        high = min(self.high, self.most)
        upper = f" <= {high}" if isfinite(high) else f" < {self.below}" * isfinite(self.below)
        return f"{lower}{name}{upper}" if lower or upper else f"a finite {name}"


def parameter(trait: t.TraitType, label: str = "", tooltip: str = "", **declared: object) -> t.TraitType:
    """Declare a trait as a parameter; `declared` are the fields of `Parameter`."""
    return trait.tag(parameter=Parameter(label, tooltip, **declared))


@cache
def parameters_of(model: type) -> Mapping[str, Parameter]:
    """Return the parameters of a model class by name, in order of declaration, those of the base first."""
    return {
        name: trait.metadata["parameter"]
        for base in reversed(model.__mro__)
        for name, trait in vars(base).items()
        if isinstance(trait, t.TraitType) and "parameter" in trait.metadata
    }


#: The docstring of a model, after its own words.
DOCSTRING = """
Parameters
----------
data : str, path, Dataset, UserTable, DataFrame or array_like of shape (n, p), default {data!r}
    The data: the name of a data set, the path of a table, a table, or an array.
**parameters
    Initial values of the parameters, which are listed among the attributes.

Attributes
----------
fitted : Stepped or None
{entries}
"""


def expect_known(model: type, names: Iterable[str]) -> None:
    """Raise a ValueError if a name is not a parameter of a model class."""
    known = tuple(parameters_of(model))
    for name in names:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; expected one of {known}"
            raise ValueError(f"got an unknown parameter {name!r}{hint}")


def docstring(model: type) -> str:
    """Return the docstring of a model class, followed by its parameters."""
    entries = "\n".join(_entry(name, getattr(model, name)) for name in parameters_of(model))
    return cleandoc(model.__doc__ or "") + "\n" + DOCSTRING.format(data=model.DATA, entries=entries)


def _entry(name: str, trait: t.TraitType) -> str:
    declared = trait.metadata["parameter"]
    kind = type(trait).__name__.lower().replace("unicode", "str") + " or None" * trait.allow_none
    choices = f": one of {', '.join(declared.choices)}" if declared.choices else ""
    return f"{name} : {kind}, default {trait.default()!r}\n    {declared.tooltip}{choices}."


# -- parameters of several explorers ---------------------------------------------------------------------


def n_clusters_parameter(
    last: int, *, default: int = 2, low: int = 2, words: str = "Number of clusters"
) -> t.Int:
    """Return the parameter of the number of clusters, with a slider from `low` to `last`."""
    return parameter(t.Int(default), "clusters c", words, low=low, most=MAX_CLUSTERS, slider=(low, last, 1))


def standardize_parameter() -> t.Bool:
    """Return the parameter that standardises attributes."""
    words = "Scale each attribute to standard deviation 1, apart from extreme values"
    return parameter(t.Bool(False), "standardise attributes", words)


def seed_parameter() -> t.Int:
    """Return the parameter of the random seed, which has no control."""
    return parameter(
        t.Int(0), tooltip="Seed of the random starts and of all other random draws", low=0, high=MAX_SEED
    )


def focal_sets_parameter(default: str) -> t.Unicode:
    """Return the parameter of the focal sets."""
    words = "Sets of clusters that may receive mass"
    return parameter(t.Unicode(default), "focal sets", words, choices=FOCAL_SETS)


def pair_neighbors_parameter() -> t.Int:
    """Return the parameter of the number of neighbours whose pairs become focal sets in a second step."""
    words = "Second step: add pairs of mutually K-nearest clusters as focal sets; 0 adds none"
    return parameter(t.Int(0), "add pairs", words, low=0, most=MAX_CLUSTERS, slider=(0, 3, 1))


def alpha_parameter(
    default: float = 1.0,
    words: str = "Exponent of the cardinality: larger values give less mass to sets of several clusters",
    *,
    slider: tuple[float, float, float] = (-2, 5, 0.1),
) -> t.Float:
    """Return the parameter of the exponent of the cardinality, with `words` as its tooltip."""
    return parameter(t.Float(default), "exponent α", words, low=-100, most=100, slider=slider)


def beta_parameter(
    default: float = 2.0,
    words: str = "Exponent of the masses: near 1 they become hard",
    *,
    slider: tuple[float, float, float] = (1.1, 5, 0.1),
) -> t.Float:
    """Return the parameter of the exponent of the masses, with `words` as its tooltip."""
    return parameter(t.Float(default), "exponent β", words, above=1, most=100, slider=slider)


def n_init_parameter(default: int, last: int) -> t.Int:
    """Return the parameter of the number of starts, with a slider from 1 to `last`."""
    words = "Number of starts; the fit of lowest objective is shown"
    return parameter(t.Int(default), "starts", words, low=1, most=MAX_STARTS, slider=(1, last, 1))


def delta_parameter(usual: Callable[[ExplorerModel], float] | None = None) -> t.Float:
    """Return the parameter of the distance to the empty set."""
    words = "Distance to the empty set, in units of the data: smaller values give more outliers"
    slider = {"slider": (-2, 4, 0.02), "logarithmic": True}
    return parameter(t.Float(10.0), "distance δ", words, above=0, usual=usual, **slider)


def map_view_parameter() -> t.Unicode:
    """Return the parameter of what the map shows; it changes the picture, not the fit."""
    words = "Objects by largest mass or as pies; the masses of all points; or objects placed by their masses"
    return parameter(t.Unicode("sets"), "map shows", words, choices=MAP_VIEWS)


def metric_parameter() -> t.Unicode:
    """Return the parameter of the metric."""
    words = "Euclidean: round clusters; adaptive: each cluster has its own shape"
    return parameter(t.Unicode("euclidean"), "metric", words, choices=METRICS)


def usual_delta(model: ExplorerModel) -> float:
    """Return the default distance to the empty set: as published, or 1.1 times the largest distance."""
    if not model.standardize:
        for name, delta in PUBLISHED_DELTA.items():
            if model.data.startswith(name):
                return delta
    return float(f"{1.1 * model.subject.distance_at(1.0):.3g}")


def n_focal_sets(name: str, c: int) -> int:
    """Return the number of focal sets over c clusters."""
    return {"simple": c + 2, "pairs": 2 + c + (comb(c, 2) if c > 2 else 0), "full": 2**c}[name]


def expect_few_focal_sets(name: str, c: int, most: int) -> None:
    """Raise a ValueError if there are more than `most` focal sets."""
    f = n_focal_sets(name, c)
    if f > most:
        raise ValueError(
            f"expected at most {most} focal sets, because an explorer refits while you wait; "
            f"{name!r} with {c} clusters has {f}"
        )
