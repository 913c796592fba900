"""Parameters that the models of ECM and its relatives share, each declared here once."""

from __future__ import annotations

import traitlets as t

from credalbench.explore.shared.parameter import parameter
from credalbench.explore.shared.subjects.tables import Table

METRICS = {"euclidean": "Euclidean", "mahalanobis": "adaptive (Mahalanobis)"}
#: Distances to the empty set of Section 5.2 of [antoine2012_cecm], by the beginning of the name of the data.
PUBLISHED_DELTA = {"two_class": 10.0, "iris": 31.6}


def alpha_parameter() -> t.Float:
    """Return the exponent of the cardinality."""
    words = "Exponent of the cardinality: the larger, the less mass on several clusters"
    return parameter(t.Float(1.0), "exponent α", words, slider=(-2, 5, 0.1))


def beta_parameter(words: str = "Exponent of the masses: towards 1 they become hard") -> t.Float:
    """Return the exponent of the masses, which `words` describe."""
    return parameter(t.Float(2.0), "exponent β", words, above=1, slider=(1.1, 5, 0.1))


def delta_parameter() -> t.Float:
    """Return the distance to the empty set."""
    words = "Distance to the empty set, in units of the data: the smaller, the more outliers"
    return parameter(t.Float(10.0), "distance δ", words, above=0, slider=(-2, 4, 0.02), logarithmic=True)


def metric_parameter() -> t.Unicode:
    """Return the metric."""
    words = "Whether clusters are round, or each adapts its shape"
    return parameter(t.Unicode("euclidean"), "metric", words, choices=METRICS)


def usual_delta(subject: Table, data: str, standardized: bool) -> float:
    """Return a distance to the empty set: the published one, else 1.1 times the largest distance."""
    if not standardized:
        for name, delta in PUBLISHED_DELTA.items():
            if data.startswith(name):
                return delta
    return float(f"{1.1 * subject.distance_at(1.0):.3g}")
