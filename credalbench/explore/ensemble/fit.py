"""One fit of the ensemble explorer, with all that its panels and read-outs show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.belief.relational import RelationalMasses
from credalbench.belief.transforms import singleton_belief
from credalbench.cluster.ensembles.consensus import Recovery
from credalbench.explore.ensemble.pair import Pair
from credalbench.explore.shared.cluster_numbers import renumbered, steady_numbers
from credalbench.explore.shared.subjects.tables import Table
from credalbench.metrics import adjusted_rand
from credalbench.relations import TNorm, denormalized, mean_empty_mass


@dataclass(frozen=True, eq=False)
class Fitted:
    """One consensus and all that the panels and read-outs show of it.

    `relation` holds what the base partitions say together of all pairs, and `closed` the same after the
    closure by `t_norm`; without one, None, the two are the same. `order` (n,) sorts the objects by cluster, the
    surest first, and `boundaries` are the places where a cluster begins after another one. `pair` is None
    unless two objects are chosen, `ari` where classes are unknown.
    """

    subject: Table
    bases: tuple[CredalPartition, ...]
    rule: str
    t_norm: TNorm | None
    relation: RelationalMasses
    closed: RelationalMasses
    partition: CredalPartition
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
    recovery: Recovery,
    previous: Fitted | None,
) -> Fitted:
    """Return the `Fitted` of a consensus, without a pair.

    `previous` is the `Fitted` shown before, or None: together with the true classes it decides the numbers
    of the clusters, and so their colours.
    """
    partition = denormalized(recovery.partition, mean_empty_mass(bases))
    partition = renumbered(partition, steady_numbers(partition, subject, previous))
    order, boundaries = by_cluster(partition)
    known = subject.y is not None
    return Fitted(
        subject=subject,
        bases=bases,
        rule=rule,
        t_norm=t_norm,
        relation=relation,
        closed=closed,
        partition=partition,
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


def by_cluster(partition: CredalPartition) -> tuple[np.ndarray, np.ndarray]:
    """Return the objects sorted by cluster, the surest first, and where a cluster begins after another one."""
    labels = partition.labels()
    belief = singleton_belief(partition.masses, partition.focal_sets)
    order = np.lexsort((-belief[np.arange(len(labels)), labels], labels))
    return order, np.flatnonzero(np.diff(labels[order])) + 1
