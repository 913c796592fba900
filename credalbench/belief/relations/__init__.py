"""Relations between objects: evidence of partitions about pairs, combined and made transitive by any t-norm.

A fuzzy relation gives each pair of objects the degree, in [0, 1], to which they belong together. Relational
masses (`belief.relational`) consist of two fuzzy relations: the belief that two objects share their cluster,
and its plausibility.
"""

from credalbench.belief.relations.closure import close_masses, composition, strongest_path, transitive_closure
from credalbench.belief.relations.combination import (
    combine_pairs,
    combine_partitions,
    denormalize,
    mean_empty_mass,
)
from credalbench.belief.relations.pairwise_evidence import evidence_of_pair
from credalbench.belief.relations.rules import RULES, combine_evidence
from credalbench.belief.relations.t_norms import T_NORMS, TNorm, t_norm

__all__ = [
    "RULES",
    "T_NORMS",
    "TNorm",
    "close_masses",
    "combine_evidence",
    "combine_pairs",
    "combine_partitions",
    "composition",
    "denormalize",
    "evidence_of_pair",
    "mean_empty_mass",
    "strongest_path",
    "t_norm",
    "transitive_closure",
]
