"""The lessons of the course, and their exercises by name.

A lesson is its text, Markdown with the cells of its notebook, and a module with its exercises.
"""

from collections.abc import Iterator
from copy import copy
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from credalbench.core.injected import expect_known_parameters
from credalbench.learn.exercise import Exercise

#: Names of the lessons, in the order of the course.
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
FOLDER = Path(__file__).parent


class Exercises:
    """Exercises of a lesson, as attributes and in order.

    Parameters
    ----------
    exercises : dict of str to Exercise
        The exercises by their names.

    Examples
    --------
    >>> exercises = lesson("mass_functions")
    >>> exercises.ann.check({"{1,2}": 0.7, "Ω": 0.3}).right
    True
    """

    def __init__(self, exercises: dict[str, Exercise]) -> None:
        vars(self).update(exercises)

    def __getattr__(self, name: str) -> Exercise:
        close = get_close_matches(name, vars(self), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise AttributeError(f"expected one of the exercises {', '.join(vars(self))}; got {name!r}{hint}")

    def __iter__(self) -> Iterator[Exercise]:
        return iter(vars(self).values())

    def __len__(self) -> int:
        return len(vars(self))

    def __repr__(self) -> str:
        return f"{len(self)} exercises: {', '.join(vars(self))}"


def lesson(name: str) -> Exercises:
    """Return the exercises of a lesson.

    Parameters
    ----------
    name : str
        Name of the lesson, one of `COURSE`.

    Returns
    -------
    Exercises
        New exercises; none of their hints has been shown.

    Raises
    ------
    ValueError
        If `name` is not the name of a lesson, or if papermill has set a parameter, as lessons have none.

    Examples
    --------
    >>> exercises = lesson("mixtures")
    >>> len(exercises)
    8
    >>> exercises.number_of_components.check(8)
    Not yet. The empty set has no component.
    """
    expect_known_parameters()
    if name not in COURSE:
        raise ValueError(f"expected one of the lessons {', '.join(COURSE)}; got {name!r}")
    module = import_module(f"{__name__}.{name}")
    exercises = {key: copy(value) for key, value in vars(module).items() if isinstance(value, Exercise)}
    for key, exercise in exercises.items():
        exercise.name = key
    return Exercises(exercises)
