"""The evidence about one pair of objects, from each base partition to the closed relation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.belief.relational import RelationalMasses
from credalbench.belief.relations import RULES, TNorm, combine_evidence, evidence_of_pair, strongest_path

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
    return Pair(objects, evidence, by_rule, _masses_of(closed, i, j), path)


def _by_rule(evidence: RelationalMasses, rule: str) -> RelationalMasses | None:
    try:
        return combine_evidence(evidence, rule)
    except ValueError:  # total conflict
        return None


def _masses_of(relation: RelationalMasses, i: int, j: int) -> RelationalMasses:
    return RelationalMasses(*(part[i, j] for part in relation))


def informative_pair(relation: RelationalMasses, closed: RelationalMasses) -> tuple[int, int]:
    """Return the pair that the closure changed most: the largest gain in "same" times "different".

    If it changed none, the pair of largest ignorance. Ties are broken by order. O(n^2).
    """
    surprise = (closed.same - relation.same) * relation.different
    if surprise.max() <= ROUNDING:
        surprise = relation.ignorance
    i, j = np.unravel_index(np.argmax(np.triu(surprise, k=1)), surprise.shape)
    return (int(i), int(j)) if i != j else (0, 1)
