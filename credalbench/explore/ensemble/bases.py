"""The base partitions of the explorer: each is made once and then kept, whatever else moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.cluster.ensemble import DELTA_QUANTILE, paper_base
from credalbench.cluster.ensembles.bases import partition_by, positive_quantile
from credalbench.explore.shared.cluster_numbers import renumbered
from credalbench.explore.shared.subjects.tables import Table

#: Base partitions that are kept, of all explorers together.
KEPT = 400


@dataclass(frozen=True)
class Objects:
    """Attributes (n, p) and places on the map (n, 2), as bytes: equal objects are found again."""

    attributes: bytes
    places: bytes
    n: int

    def array(self, name: str) -> np.ndarray:
        """`attributes` or `places` as an array."""
        return np.frombuffer(getattr(self, name)).reshape(self.n, -1)


def base_partitions(
    subject: Table, n_estimators: int, low: int, high: int, seed: int
) -> tuple[CredalPartition, ...]:
    """Return N credal partitions as the paper makes them, with `low` to `high` clusters each.

    More of them leave the first ones as they are, and so does another interval those whose size stays.
    """
    if high > subject.n_objects:
        raise ValueError(f"expected at most as many clusters as objects, {subject.n_objects}; got {high}")
    objects = Objects(subject.attributes.tobytes(), subject.positions.tobytes(), subject.n_objects)
    sizes = base_sizes(n_estimators, low, high, seed)
    return tuple(one_base(objects, k, seed, b) for b, k in enumerate(sizes))


def base_sizes(n_estimators: int, low: int, high: int, seed: int) -> list[int]:
    """Numbers of clusters, drawn from `low` to `high`, both included."""
    shares = np.random.default_rng(seed).random(n_estimators)
    return [low + int(share * (high - low + 1)) for share in shares]


@lru_cache(maxsize=KEPT)
def one_base(objects: Objects, k: int, seed: int, b: int) -> CredalPartition:
    """Return base partition number b, of k clusters, numbered from left to right on the map."""
    seeds = np.random.SeedSequence([seed, b]).generate_state(1)
    estimator = paper_base(k, _usual_delta(objects), int(seeds[0]))
    partition = partition_by(estimator, objects.array("attributes"))
    return from_left_to_right(partition, objects.array("places"))


@lru_cache(maxsize=8)
def _usual_delta(objects: Objects) -> float:
    return positive_quantile(objects.array("attributes"), DELTA_QUANTILE, np.random.RandomState(0))


def from_left_to_right(partition: CredalPartition, positions: np.ndarray) -> CredalPartition:
    """Number the clusters by the mean place of their objects, left to right: like maps get like colours.

    `positions` (n, 2) are those on the map; a cluster counts an object by its plausibility.
    """
    weights = partition.contour
    total = np.maximum(weights.sum(axis=0), np.finfo(float).tiny)  # a cluster may be empty
    places = positions[:, 0] @ weights / total
    return renumbered(partition, np.argsort(np.argsort(places, kind="stable"), kind="stable"))
