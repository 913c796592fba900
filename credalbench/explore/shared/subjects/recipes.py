"""Draws of published recipes, by names that hold their numbers: ``t4:400``, ``two_class:400:2``."""

from __future__ import annotations

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


def t4(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Objects of four t distributions, always the same, and what they are called."""
    if len(numbers) != 1 or not numbers[0].isdigit():
        raise ValueError(f"expected a number of objects after the colon, as in 't4:400'; got {name!r}")
    return make_t4(int(numbers[0]), random_state=0), "t4"


def two_class(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """A draw of the two-class recipe, of 400 objects and number 0 unless the name says so, and its name."""
    n, draw = _objects_and_draw(name, numbers, 400)
    return make_two_class_cecm(n, random_state=draw), f"two classes, draw {draw}"


def egmm_two_class(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """A draw of two long classes, of 800 objects unless the name says so, and its name."""
    n, draw = _objects_and_draw(name, numbers, 800)
    return make_egmm_two_class(n, random_state=draw), f"two long classes, draw {draw}"


def egmm_four_class(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """A draw of four classes on a square, of 800 objects unless the name says so, and its name."""
    n, draw = _objects_and_draw(name, numbers, 800)
    return make_egmm_four_class(n, random_state=draw), f"four classes, draw {draw}"


def half_rings(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """A draw of two interlocked arcs, of 300 objects unless the name says so, and its name."""
    n, draw = _objects_and_draw(name, numbers, 300)
    return make_half_rings(n, random_state=draw), f"two half-rings, draw {draw}"


def _objects_and_draw(name: str, numbers: list[str], n: int) -> tuple[int, int]:
    if len(numbers) > 2 or not all(number.isdigit() for number in numbers):
        example = f"{name.partition(':')[0]}:400:2"
        raise ValueError(f"expected objects and draw after colons, as in {example!r}; got {name!r}")
    return *map(int, numbers), *(n, 0)[len(numbers) :]


#: What draws a data set, by the beginning of its name; it is given the name and the numbers in it.
RECIPES = {
    "t4": t4,
    "two_class": two_class,
    "egmm_two_class": egmm_two_class,
    "egmm_four_class": egmm_four_class,
    "half_rings": half_rings,
}
