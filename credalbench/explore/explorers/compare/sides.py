"""The two sides of a comparison after some iterations, with matching cluster numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from credalbench.belief import CredalPartition, FocalSets, renumber_clusters
from credalbench.explore.explorers.compare.differences import Differences, differences_of
from credalbench.explore.explorers.compare.methods import METHODS, Fit, Settings, Start, fit
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Stepped
from credalbench.metrics import adjusted_rand
from credalbench.select.methods import Method

#: What is run on a side: settings and start.
Request = tuple[Settings, Start]


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of both sides, their ends and their cluster numbers.

    Cluster k of ``ends[side]`` has the number ``numbers[side][k]``. `traces` are as in `Fitted`.
    """

    subject: Table
    requested: tuple[Request, Request]
    ends: tuple[Fit, Fit]
    numbers: tuple[np.ndarray, np.ndarray]
    traces: tuple[np.ndarray, ...]
    fit_ms: float

    @property
    def n_iter(self) -> int:
        """Number of iterations until both have ended."""
        return max(end.n_iter for end in self.ends)

    @property
    def partition(self) -> CredalPartition:
        """The partition of the left side at its end, to which the next fit matches its cluster numbers."""
        return renumber_clusters(self.ends[0].partition, self.numbers[0])

    def after(self, iteration: int) -> list[Fit]:
        """Return both sides after `iteration` iterations; a shorter run stays at its end."""
        c = self.ends[0].partition.n_clusters
        return [
            end
            if iteration >= end.n_iter
            else fit(METHODS[settings.method], self.subject, c, settings, start, iteration)
            for (settings, start), end in zip(self.requested, self.ends)
        ]


@dataclass(frozen=True, eq=False)
class Side:
    """An iteration of one of the two runs; its clusters are numbered as on the other side.

    `partition` is on the focal sets of both sides, `own_partition` on its own. `run` is the whole run, and
    cluster k of it is called ``numbers[k]``. `start` and `prototypes` (c, p) are None if the method has
    no prototypes; `number` is that of the start. `ari` is None if classes are unknown.
    """

    method: Method
    settings: Settings
    run: Fit
    iteration: int
    number: int
    numbers: np.ndarray
    partition: CredalPartition
    own_partition: CredalPartition
    start: np.ndarray | None
    prototypes: np.ndarray | None
    ari: float | None


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """An iteration of both sides, and their differences.

    `traces` are the objectives of all starts that were compared, none with methods. `agreement` is the
    adjusted Rand index of the clusters of both sides.
    """

    left: Side
    right: Side
    traces: tuple[np.ndarray, ...]
    differences: Differences
    agreement: float

    @property
    def partition(self) -> CredalPartition:
        """The partition of the left side."""
        return self.left.own_partition

    @property
    def partitions(self) -> tuple[CredalPartition, CredalPartition]:
        """The partitions of the left and the right side, each on its own focal sets."""
        return self.left.own_partition, self.right.own_partition


def described(run: Runs, iteration: int) -> Fitted:
    """Return both sides after some iterations."""
    fits = run.after(iteration)
    own = [renumber_clusters(fit.partition, numbers) for fit, numbers in zip(fits, run.numbers)]
    common = common_focal_sets(own)
    left, right = (_side(run, k, fit, one, one.on(common)) for k, (fit, one) in enumerate(zip(fits, own)))
    return Fitted(
        run=run,
        iteration=iteration,
        left=left,
        right=right,
        traces=run.traces,
        differences=differences_of(left.partition, right.partition),
        agreement=float(adjusted_rand(left.partition.labels(), right.partition.labels())),
    )


def _side(run: Runs, k: int, fit: Fit, own: CredalPartition, partition: CredalPartition) -> Side:
    """Return side k of two runs after the iterations of a fit."""
    (settings, start), numbers, y = run.requested[k], run.numbers[k], run.subject.y
    old = np.argsort(numbers)
    return Side(
        method=METHODS[settings.method],
        settings=settings,
        run=run.ends[k],
        iteration=fit.n_iter,
        number=start.seed,
        numbers=numbers,
        partition=partition,
        own_partition=own,
        start=None if fit.start is None else fit.start[old],
        prototypes=None if fit.centers is None else fit.centers[old],
        ari=None if y is None else float(adjusted_rand(y, own.labels("pignistic"))),
    )


def common_focal_sets(partitions: Sequence[CredalPartition]) -> FocalSets:
    """Return the union of the focal sets of partitions with the same clusters."""
    sets = {members for partition in partitions for members in partition.focal_sets.sets}
    ordered = sorted(map(sorted, sets), key=lambda members: (len(members), members))
    return FocalSets.from_sets(partitions[0].n_clusters, ordered)
