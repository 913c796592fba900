"""Draws of published recipes, by names that hold their numbers: ``t4:400``, ``two_class:400:2``."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from credalbench.datasets import (
    Dataset,
    make_egmm_four_class,
    make_egmm_two_class,
    make_half_rings,
    make_t4,
    make_two_class_cecm,
)

#: Draws to choose from, with their labels; in draw 2 of the two classes the best partition of ECM is wrong.
GENERATED = {
    "t4:200": "four t distributions, n = 200",
    "t4:400": "four t distributions, n = 400",
    "t4:1000": "four t distributions, n = 1000",
    "two_class:400:2": "two classes (400), draw 2",
    "two_class:400:0": "two classes (400), draw 0",
    "two_class:200:2": "two classes (200), draw 2",
    "egmm_two_class": "two long classes (stand-in)",
    "egmm_four_class": "four classes of EGMM (stand-in)",
    "half_rings:300": "two half-rings, n = 300 (stand-in)",
}


class Recipe(NamedTuple):
    """What draws a data set, what it is called, and how many objects where the name does not say."""

    make: Callable[..., Dataset]
    label: str
    n: int


#: Recipes by the beginning of the name.
RECIPES = {
    "two_class": Recipe(make_two_class_cecm, "two classes", 400),
    "egmm_two_class": Recipe(make_egmm_two_class, "two long classes", 800),
    "egmm_four_class": Recipe(make_egmm_four_class, "four classes", 800),
    "half_rings": Recipe(make_half_rings, "two half-rings", 300),
    "t4": Recipe(make_t4, "t4", 0),
}


class Drawn(NamedTuple):
    """A draw of a recipe: ``make(n, random_state=draw)``, and what it is called."""

    make: Callable[..., Dataset]
    n: int
    draw: int
    label: str


def is_recipe(name: str) -> bool:
    """Whether a name stands for a draw of a recipe."""
    return name.partition(":")[0] in RECIPES


def drawn(name: str) -> Drawn:
    """Return the draw that a name stands for: of ``t4:400`` there is one, of others there are many.

    Raises
    ------
    ValueError
        If what follows the colons are no such numbers.
    """
    beginning, *numbers = name.split(":")
    make, label, n = RECIPES[beginning]
    digits = all(number.isdigit() for number in numbers)
    if beginning == "t4":
        if len(numbers) != 1 or not digits:
            raise ValueError(f"expected a number of objects after the colon, as in 't4:400'; got {name!r}")
        return Drawn(make, int(numbers[0]), 0, label)
    if len(numbers) > 2 or not digits:
        example = f"{beginning}:400:2"
        raise ValueError(f"expected objects and draw after colons, as in {example!r}; got {name!r}")
    n, draw = *map(int, numbers), *(n, 0)[len(numbers) :]
    return Drawn(make, n, draw, f"{label}, draw {draw}")
