"""The result that the ensemble explorer shows: the sweeps of the searches, the consensus, and one pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

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
from credalbench.cluster.ensembles.consensus import Recovery, after_sweeps
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Stepped
from credalbench.metrics import adjusted_rand

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
class Fitted(Stepped):
    """A consensus after some sweeps, with everything that panels and read-outs show.

    `order` (n,) sorts the objects by cluster, and `boundaries` are the indices at which a new cluster
    begins. `objective` is the stress. `pair` is None unless two objects are chosen, `ari` if classes
    are unknown.
    """

    run: ConsensusRun
    partition: CredalPartition
    order: np.ndarray
    boundaries: np.ndarray
    credal_rand: float
    ari: float | None
    nonspecificity: float
    n_outliers: int
    pair: Pair | None = None

    @property
    def base_sizes(self) -> tuple[int, ...]:
        """Numbers of clusters of the base partitions."""
        return tuple(base.n_clusters for base in self.run.bases)


def describe(run: ConsensusRun, iteration: int) -> Fitted:
    """Return the `Fitted` of a consensus after some sweeps, without a pair."""
    subject, recovery = run.subject, run.after(iteration)
    partition = run.named(recovery)
    order, boundaries = by_cluster(partition, run.line)
    known = subject.y is not None
    return Fitted(
        run=run,
        iteration=iteration,
        partition=partition,
        order=order,
        boundaries=boundaries,
        credal_rand=float(recovery.credal_rand),
        ari=float(adjusted_rand(subject.y, partition.labels())) if known else None,
        nonspecificity=float(partition.nonspecificity()),
        n_outliers=int(partition.outliers().sum()),
    )


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
