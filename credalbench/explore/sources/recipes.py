"""Generated data sets, with their numbers in the name: ``t4:400``, ``bridge``.

Besides published recipes there are templates for ambiguous objects, outliers and shapes.
"""

import numpy as np
from sklearn.datasets import make_circles

from credalbench.core.arguments import expect
from credalbench.datasets import (
    Dataset,
    make_egmm_four_class,
    make_egmm_two_class,
    make_half_rings,
    make_t4,
    make_two_class_cecm,
)

#: Largest distance of the means of two groups, in tenths of a standard deviation.
MAX_TENTHS = 1000
#: Labels of the listed data sets; in draw 2 of the two classes, the best partition of ECM is wrong.
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
    "overlapping:200:30": "two groups, a slider for their distance",
    "bridge": "two groups and a bridge",
    "far_away": "two groups and an outlier",
    "rings": "two rings",
}


def t4(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return the objects of four t distributions, always the same, and their name."""
    if len(numbers) != 1 or not numbers[0].isdecimal():
        raise ValueError(f"expected a number of objects after the colon, as in 't4:400'; got {name!r}")
    return make_t4(int(numbers[0]), random_state=0), "t4"


def two_class(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return a draw of the two-class recipe, by default number 0 of 400 objects, and its name."""
    n, draw = _objects_and_draw(name, numbers, 400)
    return make_two_class_cecm(n, random_state=draw), f"two classes, draw {draw}"


def egmm_two_class(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return a draw of two long classes, by default of 800 objects, and its name."""
    n, draw = _objects_and_draw(name, numbers, 800)
    return make_egmm_two_class(n, random_state=draw), f"two long classes, draw {draw}"


def egmm_four_class(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return a draw of four classes on a square, by default of 800 objects, and its name."""
    n, draw = _objects_and_draw(name, numbers, 800)
    return make_egmm_four_class(n, random_state=draw), f"four classes, draw {draw}"


def half_rings(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return a draw of two interlocked arcs, by default of 300 objects, and its name."""
    n, draw = _objects_and_draw(name, numbers, 300)
    return make_half_rings(n, random_state=draw), f"two half-rings, draw {draw}"


def overlapping(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return two normal groups of n objects in total, with means a given distance apart."""
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        raise ValueError(f"expected objects and tenths, as in 'overlapping:200:30'; got {name!r}")
    n, tenths = map(int, numbers)
    expect(tenths <= MAX_TENTHS, f"at most {MAX_TENTHS} tenths between the means", tenths)
    X, y = _two_groups(n, tenths / 10)
    return _template(name, X, y), f"two groups {tenths / 10:g} apart"


def bridge(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return two groups of 60 objects, and 9 objects between them, each in the class of its side."""
    X, y = _two_groups(120, 8.0)
    way = np.column_stack([np.linspace(-2.4, 2.4, 9), np.zeros(9)])
    return _template(name, np.vstack([X, way]), np.append(y, (way[:, 0] > 0).astype(int))), "bridge"


def far_away(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return two groups of 60 objects, and one object that is equally far from both."""
    X, y = _two_groups(120, 8.0)
    return _template(name, np.vstack([X, [[0.0, 14.0]]]), np.append(y, 0)), "outlier"


def rings(name: str, numbers: list[str]) -> tuple[Dataset, str]:
    """Return a ring of 100 objects around another ring of 100."""
    X, y = make_circles(200, factor=0.4, noise=0.05, random_state=0)
    return _template(name, 4.0 * X, y), "rings"


def _two_groups(n: int, distance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return objects (n, 2) of two normal distributions with unit covariance, and their classes (n,)."""
    y = np.repeat([0, 1], [n - n // 2, n // 2])
    X = np.random.default_rng(0).normal(size=(n, 2))  # the same at every distance
    X[:, 0] += np.where(y, distance / 2, -distance / 2)
    return X, y


def _template(name: str, X: np.ndarray, y: np.ndarray) -> Dataset:
    return Dataset(name=name, X=X, y=y, class_names=("1", "2"), feature_names=("x1", "x2"))


def _objects_and_draw(name: str, numbers: list[str], n: int) -> tuple[int, int]:
    if len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
        example = f"{name.partition(':')[0]}:400:2"
        raise ValueError(f"expected objects and draw after colons, as in {example!r}; got {name!r}")
    return *map(int, numbers), *(n, 0)[len(numbers) :]


#: The function that draws a data set, by the start of its name; it receives the name and its numbers.
RECIPES = {
    "t4": t4,
    "two_class": two_class,
    "egmm_two_class": egmm_two_class,
    "egmm_four_class": egmm_four_class,
    "half_rings": half_rings,
    "overlapping": overlapping,
    "bridge": bridge,
    "far_away": far_away,
    "rings": rings,
}
