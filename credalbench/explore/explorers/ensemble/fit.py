"""The result that the ensemble explorer shows: base partitions, searches, the consensus, and one pair."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from credalbench.baselines.base_partitions import no_user_warnings, partition_by
from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.belief.relational import RelationalMasses
from credalbench.belief.relations import (
    RULES,
    TNorm,
    combine_evidence,
    denormalize,
    evidence_of_pair,
    mean_empty_mass,
    strongest_path,
)
from credalbench.cluster.conflict.pair_sampling import positive_quantile
from credalbench.cluster.ensemble import DELTA_QUANTILE, paper_base
from credalbench.cluster.ensembles.consensus import Recovery, after_sweeps
from credalbench.core.progress import track
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Fitted

# -- base partitions, which are cached -----------------------------------------------------------------


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


# -- searches, consensus and a pair --------------------------------------------------------------------


ROUNDING = 1e-9  # rounding of sums and products of masses


@dataclass(frozen=True, eq=False)
class Pair:
    """Two objects and the evidence about them.

    `evidence` (N,) holds the masses of the base partitions; `by_rule` their combination by each rule, masses
    of shape (), or None for total conflict. `closed` holds the masses after the closure, and `path` the
    objects that link the two in the closure; both are None without a closure.
    """

    objects: tuple[int, int]
    evidence: RelationalMasses
    by_rule: Mapping[str, RelationalMasses | None]
    closed: RelationalMasses | None
    path: tuple[int, ...] | None


def look_at_pair(
    objects: tuple[int, int],
    bases: Sequence[CredalPartition],
    relation: RelationalMasses,
    closed: RelationalMasses | None,
    t_norm: TNorm | None,
) -> Pair:
    """Return the evidence about two objects; `closed` and `t_norm` are None without a closure."""
    i, j = objects
    evidence = evidence_of_pair(bases, i, j)
    by_rule = {rule: _by_rule(evidence, rule) for rule in RULES}
    if t_norm is None:
        return Pair(objects, evidence, by_rule, None, None)
    path = tuple(int(k) for k in strongest_path(relation.same, i, j, t_norm))
    return Pair(objects, evidence, by_rule, RelationalMasses(*(part[i, j] for part in closed)), path)


def _by_rule(evidence: RelationalMasses, rule: str) -> RelationalMasses | None:
    try:
        return combine_evidence(evidence, rule)
    except ValueError:  # total conflict
        return None


def informative_pair(relation: RelationalMasses, closed: RelationalMasses) -> tuple[int, int]:
    """Return the pair that the closure changed most: the largest gain in "same" times "different".

    If it changed no pair, return the pair with the largest ignorance. Ties are broken by order. O(n^2).
    """
    surprise = (closed.same - relation.same) * relation.different
    if surprise.max() <= ROUNDING:
        surprise = relation.ignorance
    i, j = np.unravel_index(np.argmax(np.triu(surprise, k=1)), surprise.shape)
    return (int(i), int(j)) if i != j else (0, 1)


@dataclass(frozen=True, eq=False)
class ConsensusRun:
    """The searches for a consensus, as a `Run`.

    Attributes
    ----------
    subject : Table
    bases : tuple of CredalPartition
    rule, t_norm : str, TNorm or None
        Combination rule and closure.
    relation, closed : RelationalMasses
        Combined masses of all pairs, before and after the closure, if there is one.
    line : ndarray of int, shape (n,)
        The objects, similar ones next to each other.
    recovery : Recovery
        The result.
    numbers : ndarray of int, shape (c,)
        Number of each cluster: cluster k has the number ``numbers[k]``.
    fit_ms : float
        Computing time, without cached results.
    """

    subject: Table
    bases: tuple[CredalPartition, ...]
    rule: str
    t_norm: TNorm | None
    relation: RelationalMasses
    closed: RelationalMasses
    line: np.ndarray
    recovery: Recovery
    numbers: np.ndarray
    fit_ms: float

    @property
    def n_iter(self) -> int:
        """Number of sweeps of all searches; moving to the next search counts as one."""
        return len(self.objective_trace) - 1

    @property
    def converged(self) -> bool:
        """Whether it converged."""
        return bool(self.recovery.converged)

    @property
    def objective_trace(self) -> np.ndarray:
        """The stress at the start and after each sweep, (n_iter + 1,)."""
        return np.concatenate([search.stress for search in self.recovery.searches])

    @cached_property
    def partition(self) -> CredalPartition:
        """The partition at the end."""
        return self.named(self.recovery)

    def after(self, iteration: int) -> Recovery:
        """Return the state after some sweeps."""
        if iteration == self.n_iter:
            return self.recovery
        number, sweeps = self.place(iteration)
        return after_sweeps(self.recovery.searches[number].start, self.closed, sweeps)

    def place(self, iteration: int) -> tuple[int, int]:
        """Return the index of the search, from 0, and the number of its sweeps done."""
        lengths = [len(search.stress) for search in self.recovery.searches]
        number = int(np.searchsorted(np.cumsum(lengths), iteration, side="right"))
        return number, iteration - sum(lengths[:number])

    def named(self, recovery: Recovery) -> CredalPartition:
        """Return the result, with the cluster numbers and the mean masses on the empty set."""
        return renumber_clusters(with_empty(recovery, self.bases), self.numbers)


def with_empty(recovery: Recovery, bases: tuple[CredalPartition, ...]) -> CredalPartition:
    """Return the result with the mean masses of the bases on the empty set restored."""
    return denormalize(recovery.partition, mean_empty_mass(bases))


@dataclass(frozen=True, eq=False)
class FittedEnsemble(Fitted):
    """A consensus after some sweeps; `estimator` is its `Recovery`, and the objective is the stress.

    `pair` is None unless two objects are chosen.
    """

    pair: Pair | None = None

    @cached_property
    def partition(self) -> CredalPartition:
        """The consensus."""
        return self.run.named(self.estimator)

    @cached_property
    def order(self) -> np.ndarray:
        """The objects sorted by cluster, similar ones next to each other, (n,)."""
        return by_cluster(self.partition, self.run.line)[0]

    @cached_property
    def boundaries(self) -> np.ndarray:
        """The indices in `order` at which a new cluster begins."""
        return by_cluster(self.partition, self.run.line)[1]

    @property
    def credal_rand(self) -> float:
        """Agreement with the relation."""
        return float(self.estimator.credal_rand)

    @property
    def base_sizes(self) -> tuple[int, ...]:
        """Numbers of clusters of the base partitions."""
        return tuple(base.n_clusters for base in self.run.bases)


def in_line(relation: RelationalMasses) -> np.ndarray:
    """Return the objects in the leaf order of average linkage, (n,). O(n^2)."""
    apart = 1 - relation.same - relation.ignorance / 2
    np.fill_diagonal(apart, 0)
    return leaves_list(linkage(squareform(apart, checks=False), "average"))


def by_cluster(partition: CredalPartition, line: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the objects of a `line` sorted by cluster, and the indices at which a cluster begins."""
    labels = partition.labels()
    order = line[np.argsort(labels[line], kind="stable")]
    return order, np.flatnonzero(np.diff(labels[order])) + 1
