"""The sweeps of a consensus of the ensemble explorer, and what they go by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from credalbench.belief import CredalPartition, renumbered
from credalbench.belief.relational import RelationalMasses
from credalbench.cluster.ensembles.consensus import Recovery, after_sweeps
from credalbench.explore.shared.subjects.tables import Table
from credalbench.relations import TNorm, denormalized, mean_empty_mass


@dataclass(frozen=True, eq=False)
class ConsensusRun:
    """The last search for a consensus, as a `Run`.

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
        At the end of the search.
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
        """Sweeps until the end."""
        return len(self.recovery.objective_trace) - 1

    @property
    def converged(self) -> bool:
        """Whether it ended by itself."""
        return bool(self.recovery.converged)

    @property
    def objective_trace(self) -> np.ndarray:
        """The stress at its start and after each sweep, (n_iter + 1,)."""
        return self.recovery.objective_trace

    @cached_property
    def partition(self) -> CredalPartition:
        """The partition at the end."""
        return self.named(self.recovery)

    def after(self, iteration: int) -> Recovery:
        """Return where it was after so many sweeps."""
        if iteration == self.n_iter:
            return self.recovery
        return after_sweeps(self.recovery.start, self.closed, iteration)

    def named(self, recovery: Recovery) -> CredalPartition:
        """Return what was found, with the clusters' names and the mean masses on the empty set."""
        return renumbered(with_empty(recovery, self.bases), self.numbers)


def with_empty(recovery: Recovery, bases: tuple[CredalPartition, ...]) -> CredalPartition:
    """Return what was found, the mean masses of the bases on the empty set put back."""
    return denormalized(recovery.partition, mean_empty_mass(bases))
