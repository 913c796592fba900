"""The families of focal sets that an explorer offers, and how large they may be."""

from __future__ import annotations

from math import comb

import traitlets as t

from credalbench.explore.shared.parameter import parameter

#: Labels of the families by name.
FOCAL_FAMILIES = {"simple": "∅, {k}, Ω", "pairs": "∅, {k}, {k,l}, Ω", "full": "all subsets"}


def focal_sets_parameter(default: str) -> t.Unicode:
    """Return the family of focal sets of a model."""
    words = "Sets of clusters that may receive mass"
    return parameter(t.Unicode(default), "focal sets", words, choices=FOCAL_FAMILIES)


def n_focal_sets(family: str, c: int) -> int:
    """Return the number of focal sets of a family over c clusters."""
    return {"simple": c + 2, "pairs": 2 + c + (comb(c, 2) if c > 2 else 0), "full": 2**c}[family]


def expect_few_focal_sets(family: str, c: int, most: int) -> None:
    """Raise a ValueError if there are more focal sets than `most`: somebody waits for the fit."""
    f = n_focal_sets(family, c)
    if f > most:
        raise ValueError(
            f"expected at most {most} focal sets, because an explorer refits while you wait; "
            f"{family!r} with {c} clusters has {f}"
        )
