"""How many clusters? Criteria over a range of numbers of clusters, for any clusterer, and what follows."""

from .criteria import CRITERIA, Criterion
from .curves import CriterionCurves
from .opinions import Opinion
from .recommendation import Recommendation
from .selection import select_n_clusters

__all__ = ["CRITERIA", "Criterion", "CriterionCurves", "Opinion", "Recommendation", "select_n_clusters"]
