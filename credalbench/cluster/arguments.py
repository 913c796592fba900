"""Constructor arguments that several clusterers share, checked before any work starts."""

from numbers import Integral, Real

import numpy as np

from credalbench.belief import FocalSets

FAMILIES = {"simple": FocalSets.simple, "full": FocalSets.full, "pairs": FocalSets.pairs}


def expect(condition, what, got):
    """Raise a ValueError that names what was expected and what came, unless `condition` holds."""
    if not condition:
        raise ValueError(f"expected {what}, got {got!r}")


def expect_count(name, value, low, high=np.inf, high_name=""):
    """Refuse a `value` that is no integer in low..high; `high_name` says what the upper bound stands for."""
    expect(isinstance(value, Integral) and not isinstance(value, bool), f"an integer {name}", value)
    bound = f" <= {high_name} = {high}" if high_name else f" <= {high}" if high < np.inf else ""
    expect(low <= value <= high, f"{low} <= {name}{bound}", value)


def expect_number(name, value, low, *, closed=False):
    """Refuse a `value` that is no finite number above `low` (or equal to it, when `closed`)."""
    finite = isinstance(value, Real) and np.isfinite(value)
    sign = ">=" if closed else ">"
    expect(finite and (value > low or (closed and value == low)), f"a finite {name} {sign} {low}", value)


def resolve_focal_sets(focal_sets, n_clusters):
    """The focal sets that a constructor argument stands for.

    Parameters
    ----------
    focal_sets : {"simple", "full", "pairs"} or FocalSets
    n_clusters : int
        c, the size of their frame.

    Raises
    ------
    ValueError
        No such family; a frame of another size; a cluster that belongs to no focal set.
    """
    if isinstance(focal_sets, str) and focal_sets in FAMILIES:
        return FAMILIES[focal_sets](n_clusters)
    expect(
        isinstance(focal_sets, FocalSets),
        f"focal_sets to be FocalSets or one of {list(FAMILIES)}",
        focal_sets,
    )
    expect(
        focal_sets.n_clusters == n_clusters, f"focal sets over {n_clusters} clusters", focal_sets.n_clusters
    )
    everywhere = focal_sets.membership.any(axis=0)
    expect(everywhere.all(), "every cluster in some focal set", focal_sets)
    return focal_sets
