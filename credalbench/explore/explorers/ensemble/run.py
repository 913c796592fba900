"""The sweeps of a consensus of the ensemble explorer, and what they go by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.belief.relational import RelationalMasses
from credalbench.cluster.ensembles.consensus import Recovery, after_sweeps
from credalbench.explore.sources.tables import Table
from credalbench.relations import TNorm, denormalize, mean_empty_mass


@dataclass(frozen=True, eq=False)
class ConsensusRun:
    """The searches for a consensus, as a `Run`.

    Attributes
    ----------
    subject : Table
    bases : tuple of CredalPartition
    rule, t_norm : str, TNorm or None
        How they are combined and closed.
    relation, closed : RelationalMasses
        What they say together of all pairs; the same after the closure, if there is one.
    line : ndarray of int, shape (n,)
        The objects, neighbours together.
    recovery : Recovery
        At the end.
    numbers : ndarray of int, shape (c,)
        What its clusters are called: cluster k is ``numbers[k]``.
    fit_ms : float
        Time of what was computed anew.
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
        """Sweeps until the end; from one search to the next is one, too."""
        return len(self.objective_trace) - 1

    @property
    def converged(self) -> bool:
        """Whether it ended by itself."""
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
        """Return where it was after so many sweeps."""
        if iteration == self.n_iter:
            return self.recovery
        number, sweeps = self.place(iteration)
        return after_sweeps(self.recovery.searches[number].start, self.closed, sweeps)

    def place(self, iteration: int) -> tuple[int, int]:
        """Return the number of a search, from 0, and how many sweeps are done in it."""
        lengths = [len(search.stress) for search in self.recovery.searches]
        number = int(np.searchsorted(np.cumsum(lengths), iteration, side="right"))
        return number, iteration - sum(lengths[:number])

    def named(self, recovery: Recovery) -> CredalPartition:
        """Return what was found, with the clusters' names and the mean masses on the empty set."""
        return renumber_clusters(with_empty(recovery, self.bases), self.numbers)


def with_empty(recovery: Recovery, bases: tuple[CredalPartition, ...]) -> CredalPartition:
    """Return what was found, the mean masses of the bases on the empty set put back."""
    return denormalize(recovery.partition, mean_empty_mass(bases))
