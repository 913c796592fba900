"""The lessons in their order, and the exercises of each by name."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from .exercise import Exercise

#: Names of the lessons, in the order in which they are taken.
COURSE = (
    "mass_functions",
    "credal_partitions",
    "evidential_c_means",
    "dissimilarities",
    "large_data",
    "constraints",
    "categories",
    "mixtures",
    "ensembles",
    "own_data",
)
FOLDER = Path(__file__).parent / "lessons"


class Exercises:
    """The exercises of a lesson, by name and in their order.

    Examples
    --------
    >>> exercises = lesson("mass_functions")
    >>> exercises.ann.check({"{1,2}": 0.7, "Ω": 0.3}).right
    True
    """

    def __init__(self, exercises: dict[str, Exercise]) -> None:
        self._exercises = exercises

    def __getattr__(self, name: str) -> Exercise:
        found = vars(self).get("_exercises", {})
        if name not in found:
            close = get_close_matches(name, found, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise AttributeError(f"expected one of the exercises {', '.join(found)}; got {name!r}{hint}")
        return found[name]

    def __dir__(self) -> list[str]:
        return [*self._exercises]

    def __iter__(self) -> Iterator[Exercise]:
        return iter(self._exercises.values())

    def __len__(self) -> int:
        return len(self._exercises)

    def __repr__(self) -> str:
        return f"{len(self)} exercises: {', '.join(self._exercises)}"


def lesson(name: str) -> Exercises:
    """Return the exercises of a lesson, none of them answered.

    Parameters
    ----------
    name : str
        One of `COURSE`.

    Raises
    ------
    ValueError
        There is no such lesson.
    """
    if name not in COURSE:
        raise ValueError(f"expected a lesson out of {', '.join(COURSE)}; got {name!r}")
    module = import_module(f"{__package__}.lessons.{name}")
    found = {key: copy(value) for key, value in vars(module).items() if isinstance(value, Exercise)}
    for key, exercise in found.items():
        exercise.name = key
    return Exercises(found)
