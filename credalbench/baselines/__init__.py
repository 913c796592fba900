"""Clustering methods that are not evidential, with which the papers compare their own."""

from credalbench.baselines.constrained_fcm import ConstrainedFuzzyCMeans
from credalbench.baselines.cop_kmeans import ConstraintFailure, COPKMeans
from credalbench.baselines.evidence_accumulation import EvidenceAccumulation
from credalbench.baselines.fuzzy_cmeans import FuzzyCMeans
from credalbench.baselines.fuzzy_k_modes import FuzzyKModes
from credalbench.baselines.gustafson_kessel import GustafsonKessel
from credalbench.baselines.k_modes import KModes
from credalbench.baselines.mmc import MMC

__all__ = [
    "MMC",
    "COPKMeans",
    "ConstrainedFuzzyCMeans",
    "ConstraintFailure",
    "EvidenceAccumulation",
    "FuzzyCMeans",
    "FuzzyKModes",
    "GustafsonKessel",
    "KModes",
]
