"""The result that the CECM explorer shows."""

from dataclasses import dataclass

import numpy as np

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.cluster.constrained.masses import joint_plausibilities
from credalbench.core.constraints import PairwiseConstraints
from credalbench.explore.linking import Links, are_must_links, outcomes_of, pairs_of
from credalbench.explore.stepping import Run, Stepped
from credalbench.metrics import adjusted_rand


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """An iteration of a run, with everything that panels and read-outs show.

    ``objective = (1 - xi) * data_cost + xi * constraint_cost``; without constraints, it is the first
    part alone. `centers` (c, p) are the prototypes. In the order of `links`, `violations` (q,) are the
    plausibilities that they are violated, and `outcomes` (q,) what became of them. `ari`, of all objects, and
    `ari_unconstrained`, of those without constraints, are None if classes are unknown or there are too few
    objects.
    """

    method: str
    partition: CredalPartition
    centers: np.ndarray
    centers_on_map: np.ndarray
    norm_matrices: np.ndarray
    links: Links
    constraints: PairwiseConstraints
    outcomes: np.ndarray
    violations: np.ndarray
    data_cost: float
    constraint_cost: float
    ari: float | None
    ari_unconstrained: float | None
    n_outliers: int

    @property
    def kinds(self) -> np.ndarray:
        """The kind of each constraint, (q,)."""
        return np.array([kind for *_, kind in self.links], dtype=str)


def describe(run: Run, iteration: int, links: Links, constraints: PairwiseConstraints, xi: float) -> Fitted:
    """Return the `Fitted` of an iteration of ECM or CECM with the given links."""
    subject, estimator = run.subject, run.after(iteration)
    partition, order = renumber_clusters(estimator.partition_, run.numbers), np.argsort(run.numbers)
    centers = estimator.cluster_centers_[order]
    cost = float(getattr(estimator, "constraint_cost_", 0.0))
    weight = xi if len(constraints) else 0.0
    labels, free = partition.labels("pignistic"), ~constraints.constrained
    return Fitted(
        run=run,
        iteration=iteration,
        method=type(estimator).__name__,
        partition=partition,
        centers=centers,
        centers_on_map=subject.on_the_map(centers),
        norm_matrices=estimator.norm_matrices_[order],
        links=links,
        constraints=constraints,
        outcomes=outcomes_of(links, partition),
        violations=violation_plausibilities(partition, links),
        data_cost=(float(estimator.objective_) - weight * cost) / (1 - weight),
        constraint_cost=cost,
        ari=_ari(subject.y, labels, np.ones_like(free)),
        ari_unconstrained=_ari(subject.y, labels, free),
        n_outliers=int(partition.outliers().sum()),
    )


def _ari(y: np.ndarray | None, labels: np.ndarray, chosen: np.ndarray) -> float | None:
    return float(adjusted_rand(y[chosen], labels[chosen])) if y is not None and chosen.sum() > 1 else None


def violation_plausibilities(partition: CredalPartition, links: Links) -> np.ndarray:
    """Return the plausibility that each constraint is violated, (q,) [antoine2012_cecm (20)]."""
    if not links:
        return np.empty(0)
    same, different = joint_plausibilities(partition.masses, pairs_of(links), partition.focal_sets)
    return np.where(are_must_links(links), different, same)
