"""Belief functions on arrays: focal sets, credal partitions and what can be computed from them.

The two types that everything else uses are `FocalSets` (which subsets of clusters may carry mass) and
`CredalPartition` (the masses of n objects). The functions behind their methods live in the modules, named by
subject: transforms, combine, distance, decision, relational; tables that R's evclust reads and writes in
credpart.
"""

from .cluster_numbers import match_clusters, renumber_clusters
from .credpart import read_credpart, write_credpart
from .explanation import Explanation
from .focal import FocalSets
from .mass_function import MassFunction
from .partition import CredalPartition, RoughPartition
from .relational import RelationalMasses

__all__ = [
    "CredalPartition",
    "Explanation",
    "FocalSets",
    "MassFunction",
    "RelationalMasses",
    "RoughPartition",
    "match_clusters",
    "read_credpart",
    "renumber_clusters",
    "write_credpart",
]
