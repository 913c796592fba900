"""Evidential clustering algorithms, each a scikit-learn clusterer."""

from credalbench.cluster.active_learning import ActiveLearner
from credalbench.cluster.cecm import CECM
from credalbench.cluster.compilation import discard_stale_kernels
from credalbench.cluster.ecm import ECM
from credalbench.cluster.eknnclus import EKNNclus
from credalbench.cluster.evclus import EVCLUS
from credalbench.cluster.focal_pairs import add_pairs
from credalbench.cluster.mecm import MECM
from credalbench.cluster.recm import RECM
from credalbench.cluster.rejection import delta_for_rejection_rate

discard_stale_kernels()

__all__ = [
    "CECM",
    "ECM",
    "EVCLUS",
    "MECM",
    "RECM",
    "ActiveLearner",
    "EKNNclus",
    "add_pairs",
    "delta_for_rejection_rate",
]
