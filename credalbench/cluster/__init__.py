"""Evidential clustering algorithms, each a scikit-learn clusterer."""

from credalbench.cluster.bootgmm import BootGMM
from credalbench.cluster.bpec import BPEC
from credalbench.cluster.catecm import CatECM
from credalbench.cluster.cecm import CECM
from credalbench.cluster.conflict.focal_pairs import add_pairs
from credalbench.cluster.constrained.active_learning import ActiveLearner
from credalbench.cluster.ecm import ECM
from credalbench.cluster.ecmdd import ECMdd
from credalbench.cluster.egmm import EGMM, DegenerateMixture
from credalbench.cluster.eknnclus import EKNNclus
from credalbench.cluster.ensemble import EvidentialEnsemble
from credalbench.cluster.evclus import EVCLUS
from credalbench.cluster.inputs.dissimilarities import TiledDissimilarities
from credalbench.cluster.mecm import MECM
from credalbench.cluster.mixedecm import MixedECM
from credalbench.cluster.multiview import MultiViewECM
from credalbench.cluster.neighbours.belief_peaks import DeltaBelGraph, delta_bel
from credalbench.cluster.nnevclus import NNEVCLUS
from credalbench.cluster.pcca import PCCA
from credalbench.cluster.prototypes.rejection import delta_for_rejection_rate
from credalbench.cluster.recm import RECM

__all__ = [
    "BPEC",
    "CECM",
    "ECM",
    "EGMM",
    "EVCLUS",
    "MECM",
    "NNEVCLUS",
    "PCCA",
    "RECM",
    "ActiveLearner",
    "BootGMM",
    "CatECM",
    "DegenerateMixture",
    "DeltaBelGraph",
    "ECMdd",
    "EKNNclus",
    "EvidentialEnsemble",
    "MixedECM",
    "MultiViewECM",
    "TiledDissimilarities",
    "add_pairs",
    "delta_bel",
    "delta_for_rejection_rate",
]
