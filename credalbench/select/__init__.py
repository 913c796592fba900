"""How many clusters? Validity indices over a range of numbers of clusters, for any clusterer."""

from .criteria import CRITERIA, Criterion
from .curves import CriterionCurves, select_n_clusters

__all__ = ["CRITERIA", "Criterion", "CriterionCurves", "select_n_clusters"]
