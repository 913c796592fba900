"""One fit of the ensemble explorer, with all that its panels and read-outs show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from credalbench.belief import CredalPartition, renumbered
from credalbench.belief.relational import RelationalMasses
from credalbench.cluster.ensembles.consensus import Recovery
from credalbench.explore.ensemble.pair import Pair
from credalbench.explore.shared.cluster_numbers import steady_numbers
from credalbench.explore.shared.subjects.tables import Table
from credalbench.metrics import adjusted_rand
from credalbench.relations import TNorm, denormalized, mean_empty_mass


@dataclass(frozen=True, eq=False)
class Fitted:
    """One consensus and all that the panels and read-outs show of it.

    `relation` holds what the base partitions say together of all pairs, and `closed` the same after the
    closure by `t_norm`; without one, None, the two are the same. `order` (n,) sorts the objects by cluster,
    and `boundaries` are the places where a cluster begins after another one. `pair` is None unless two
    objects are chosen, `ari` where classes are unknown.
    """

    subject: Table
    bases: tuple[CredalPartition, ...]
    rule: str
    t_norm: TNorm | None
    relation: RelationalMasses
    closed: RelationalMasses
    partition: CredalPartition
    numbers: np.ndarray
    order: np.ndarray
    boundaries: np.ndarray
    stress: float
    credal_rand: float
    n_iter: int
    converged: bool
    ari: float | None
    nonspecificity: float
    n_outliers: int
    pair: Pair | None = None
    fit_ms: float = 0.0

    @property
    def base_sizes(self) -> tuple[int, ...]:
        """Numbers of clusters of the base partitions."""
        return tuple(base.n_clusters for base in self.bases)


def describe(
    subject: Table,
    bases: tuple[CredalPartition, ...],
    rule: str,
    t_norm: TNorm | None,
    relation: RelationalMasses,
    closed: RelationalMasses,
    line: np.ndarray,
    recovery: Recovery,
    previous: Fitted | None,
) -> Fitted:
    """Return the `Fitted` of a consensus, without a pair.

    `line` (n,) are the objects as `in_line` sorts them. `previous` is the `Fitted` shown before, or None:
    together with the true classes it decides the numbers of the clusters, and so their colours.
    """
    partition = denormalized(recovery.partition, mean_empty_mass(bases))
    numbers = steady_numbers(partition, subject, previous)
    partition = renumbered(partition, numbers)
    order, boundaries = by_cluster(partition, line)
    known = subject.y is not None
    return Fitted(
        subject=subject,
        bases=bases,
        rule=rule,
        t_norm=t_norm,
        relation=relation,
        closed=closed,
        partition=partition,
        numbers=numbers,
        order=order,
        boundaries=boundaries,
        stress=float(recovery.objective_trace[-1]),
        credal_rand=float(recovery.credal_rand),
        n_iter=len(recovery.objective_trace) - 1,
        converged=bool(recovery.converged),
        ari=float(adjusted_rand(subject.y, partition.labels())) if known else None,
        nonspecificity=float(partition.nonspecificity()),
        n_outliers=int(partition.outliers().sum()),
    )


def in_line(relation: RelationalMasses) -> np.ndarray:
    """Return the objects in the order of an average linkage, (n,): neighbours belong together. O(n^2)."""
    apart = 1 - relation.same - relation.ignorance / 2
    np.fill_diagonal(apart, 0)
    return leaves_list(linkage(squareform(apart, checks=False), "average"))


def by_cluster(partition: CredalPartition, line: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the objects of a `line` sorted by cluster, and where a cluster begins after another one."""
    labels = partition.labels()
    order = line[np.argsort(labels[line], kind="stable")]
    return order, np.flatnonzero(np.diff(labels[order])) + 1
