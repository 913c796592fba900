"""Evidential clustering algorithms, each a scikit-learn clusterer."""

from credalbench.cluster.compilation import discard_stale_kernels
from credalbench.cluster.evclus import EVCLUS

discard_stale_kernels()

__all__ = ["EVCLUS"]
