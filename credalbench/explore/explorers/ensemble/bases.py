"""The base partitions of the explorer, which are cached."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from credalbench.baselines.base_partitions import no_user_warnings, partition_by
from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.cluster.conflict.pair_sampling import positive_quantile
from credalbench.cluster.ensemble import DELTA_QUANTILE, paper_base
from credalbench.core.progress import track
from credalbench.explore.sources.tables import Table

#: Number of base partitions in the cache, which all explorers share.
CACHED = 400


@dataclass(frozen=True)
class Objects:
    """Attributes (n, p) and positions on the map (n, 2) as bytes, usable as a cache key."""

    attributes: bytes
    places: bytes
    n: int

    def array(self, name: str) -> np.ndarray:
        """Return `attributes` or `places` as an array."""
        return np.frombuffer(getattr(self, name)).reshape(self.n, -1)


def objects_of(subject: Table) -> Objects:
    """Return the objects of a table with attributes."""
    return Objects(subject.attributes.tobytes(), subject.positions.tobytes(), subject.n_objects)


def base_partitions(
    subject: Table, n_estimators: int, low: int, high: int, seed: int
) -> Iterator[CredalPartition]:
    """Yield N credal partitions as in the paper, with `low` to `high` clusters each.

    Partition b does not depend on N, nor on the interval as long as its number of clusters stays the same.
    """
    if high > subject.n_objects:
        raise ValueError(f"expected at most as many clusters as objects, {subject.n_objects}; got {high}")
    objects, sizes = objects_of(subject), base_sizes(n_estimators, low, high, seed)
    for b, k in enumerate(track(sizes, "base partition")):
        yield one_base(objects, k, seed, b)


def partitions_ahead(
    subject: Table, n_estimators: int, low: int, high: int, seed: int
) -> Iterator[CredalPartition]:
    """Compute, one at a time, the base partitions that one or two steps of a slider will need."""
    objects = objects_of(subject)
    for step in (1, 2):
        moves = [(n_estimators, low, high + step), (n_estimators, min(low, high - step), high - step)]
        moves += [(n_estimators, low + step, max(low + step, high)), (n_estimators, low - step, high)]
        for N, least, most in [*moves, (n_estimators + step, low, high)]:
            if least >= 2 and most <= subject.n_objects:
                for b, k in enumerate(base_sizes(N, least, most, seed)):
                    yield one_base(objects, k, seed, b)


def base_sizes(n_estimators: int, low: int, high: int, seed: int) -> list[int]:
    """Draw numbers of clusters from `low` to `high`, both included."""
    shares = np.random.default_rng(seed).random(n_estimators)
    return [low + int(share * (high - low + 1)) for share in shares]


@lru_cache(maxsize=CACHED)
def one_base(objects: Objects, k: int, seed: int, b: int) -> CredalPartition:
    """Return base partition number b, of k clusters, numbered from left to right on the map."""
    estimator = paper_base(k, _usual_delta(objects), _base_seed(seed, b))
    with no_user_warnings():  # about clusters that are not shown
        partition = partition_by(estimator, objects.array("attributes"))
    return from_left_to_right(partition, objects.array("places"))


def base_kinds(
    subject: Table, n_estimators: int, low: int, high: int, seed: int
) -> list[tuple[int, float, int]]:
    """Return number of clusters, distance to the empty set and seed of each base partition."""
    delta, sizes = _usual_delta(objects_of(subject)), base_sizes(n_estimators, low, high, seed)
    return [(k, delta, _base_seed(seed, b)) for b, k in enumerate(sizes)]


def _base_seed(seed: int, b: int) -> int:
    return int(np.random.SeedSequence([seed, b]).generate_state(1)[0])


@lru_cache(maxsize=8)
def _usual_delta(objects: Objects) -> float:
    return positive_quantile(objects.array("attributes"), DELTA_QUANTILE, np.random.RandomState(0))


def from_left_to_right(partition: CredalPartition, positions: np.ndarray) -> CredalPartition:
    """Number the clusters from left to right on the map, so that similar partitions get similar colours.

    Clusters are ordered by the mean of `positions` (n, 2), weighted by plausibility.
    """
    weights = partition.contour
    total = np.maximum(weights.sum(axis=0), np.finfo(float).tiny)  # a cluster may be empty
    places = positions[:, 0] @ weights / total
    return renumber_clusters(partition, np.argsort(np.argsort(places, kind="stable"), kind="stable"))
