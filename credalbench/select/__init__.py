"""Select the number of clusters by criteria over a range of numbers, for any clusterer."""

from .criteria import CRITERIA, Criterion
from .curves import CriterionCurves
from .recommendation import CriterionVote, Recommendation
from .selection import select_n_clusters
from .silhouettes import SilhouetteChoice, select_by_silhouette

__all__ = [
    "CRITERIA",
    "Criterion",
    "CriterionCurves",
    "CriterionVote",
    "Recommendation",
    "SilhouetteChoice",
    "select_by_silhouette",
    "select_n_clusters",
]
