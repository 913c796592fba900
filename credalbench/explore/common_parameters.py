"""Parameters that several explorers share."""

from math import comb

import traitlets as t

from credalbench.explore.parameter import parameter
from credalbench.explore.sources.tables import Table

METRICS = {"euclidean": "Euclidean", "mahalanobis": "adaptive (Mahalanobis)"}
#: Labels of the sets of focal sets, by name.
FOCAL_SETS = {"simple": "∅, {k}, Ω", "pairs": "∅, {k}, {k,l}, Ω", "full": "all subsets"}
#: Distances to the empty set of Section 5.2 of [antoine2012_cecm], by the start of the name of the data.
PUBLISHED_DELTA = {"two_class": 10.0, "iris": 31.6}


def standardize_parameter() -> t.Bool:
    """Return the parameter that standardises attributes."""
    words = "Scale each attribute to standard deviation 1"
    return parameter(t.Bool(False), "standardise attributes", words)


def seed_parameter() -> t.Int:
    """Return the parameter of the random seed, which has no control."""
    return parameter(t.Int(0), tooltip="Random seed", low=0)


def focal_sets_parameter(default: str) -> t.Unicode:
    """Return the parameter of the focal sets."""
    words = "Sets of clusters that may receive mass"
    return parameter(t.Unicode(default), "focal sets", words, choices=FOCAL_SETS)


def pair_neighbors_parameter() -> t.Int:
    """Return the parameter of the number of neighbours whose pairs become focal sets in a second step."""
    words = "Second step: add pairs of mutual K nearest clusters as focal sets; 0 adds none"
    return parameter(t.Int(0), "add pairs", words, low=0, slider=(0, 3, 1))


def alpha_parameter() -> t.Float:
    """Return the parameter of the exponent of the cardinality."""
    words = "Exponent of the cardinality: larger values give less mass to several clusters"
    return parameter(t.Float(1.0), "exponent α", words, slider=(-2, 5, 0.1))


def beta_parameter(words: str = "Exponent of the masses: near 1 they become hard") -> t.Float:
    """Return the parameter of the exponent of the masses, with `words` as its tooltip."""
    return parameter(t.Float(2.0), "exponent β", words, above=1, slider=(1.1, 5, 0.1))


def delta_parameter() -> t.Float:
    """Return the parameter of the distance to the empty set."""
    words = "Distance to the empty set, in units of the data: smaller values give more outliers"
    return parameter(t.Float(10.0), "distance δ", words, above=0, slider=(-2, 4, 0.02), logarithmic=True)


def metric_parameter() -> t.Unicode:
    """Return the parameter of the metric."""
    words = "Euclidean: round clusters; adaptive: each cluster has its own shape"
    return parameter(t.Unicode("euclidean"), "metric", words, choices=METRICS)


def usual_delta(subject: Table, data: str, standardized: bool) -> float:
    """Return the default distance to the empty set: as published, or 1.1 times the largest distance."""
    if not standardized:
        for name, delta in PUBLISHED_DELTA.items():
            if data.startswith(name):
                return delta
    return float(f"{1.1 * subject.distance_at(1.0):.3g}")


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
