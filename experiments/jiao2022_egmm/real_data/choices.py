"""Which cells of Tables 6 to 10, and which comparisons, rest on which choices."""

from credalbench.papers import Choice

from ..shared.choices import CARDINALITY, MOVES, READING, RIDGE, SMALL_RIDGE, STANDARDISED, START

OF_METHOD = {"hcm": (MOVES,), "ecm": (CARDINALITY, START), "gmm": (RIDGE,), "gmm_shared": (RIDGE,)}
OF_CELLS = {("knowledge", "egmm"): (SMALL_RIDGE,), ("vehicle", "bootgmm"): (STANDARDISED,)}


def of_cells(dataset: str, method: str, unknown: bool) -> tuple[Choice, ...]:
    """Return the choices that cells of an algorithm on a data set rest on.

    bootGMM finds one number of clusters in all runs: how several are read does not matter.
    """
    own = OF_CELLS.get((dataset, method), OF_METHOD.get(method, ()))
    return own + (READING,) * (unknown and method != "bootgmm")


def of_comparison(*methods: str, unknown: bool = False) -> tuple[Choice, ...]:
    """Return the choices behind a comparison of EGMM with other algorithms on all data sets."""
    own = [choice for method in methods for choice in OF_METHOD.get(method, ())]
    own += [STANDARDISED] * ("bootgmm" in methods) + [SMALL_RIDGE] + [READING] * unknown
    return tuple(dict.fromkeys(own))
