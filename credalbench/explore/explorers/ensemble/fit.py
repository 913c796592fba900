"""The result that the ensemble explorer shows."""

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from credalbench.belief import CredalPartition
from credalbench.belief.relational import RelationalMasses
from credalbench.explore.explorers.ensemble.pair import Pair
from credalbench.explore.explorers.ensemble.run import ConsensusRun
from credalbench.explore.stepping import Stepped
from credalbench.metrics import adjusted_rand


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """A consensus after some sweeps, with everything that panels and read-outs show.

    `order` (n,) sorts the objects by cluster, and `boundaries` are the indices at which a new cluster
    begins. `objective` is the stress. `pair` is None unless two objects are chosen, `ari` where classes
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
