"""Belief functions on arrays: focal sets, credal partitions and functions of them.

The two main types are `FocalSets` (the subsets of clusters that may carry mass) and `CredalPartition` (the
masses of n objects). The functions behind their methods are in modules named after their subjects:
transforms, combine, decision, relational. `credpart` exchanges tables with R's package evclust.
"""

from .blockwise import BlockwisePartition
from .cluster_numbers import match_clusters, renumber_clusters
from .credpart import read_credpart, write_credpart
from .explanation import Explanation
from .focal import FocalSets
from .mass_function import MassFunction
from .partition import CredalPartition, RoughPartition
from .profiles import ClusterProfiles
from .relational import RelationalMasses

__all__ = [
    "BlockwisePartition",
    "ClusterProfiles",
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
