"""A run of the ensemble explorer: the sweeps of the searches for a consensus."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.belief.relational import RelationalMasses
from credalbench.belief.relations import TNorm, denormalize, mean_empty_mass
from credalbench.cluster.ensembles.consensus import Recovery, after_sweeps
from credalbench.explore.sources.tables import Table


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
        Combined masses of all pairs; the same after the closure, if there is one.
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
