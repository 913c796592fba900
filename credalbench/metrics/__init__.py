"""Scores of partitions: agreement with a reference partition (external), or of two credal ones (credal)."""

from .credal import (
    credal_rand,
    evidential_precision,
    evidential_rand,
    evidential_recall,
    pairwise_nonspecificity,
)
from .external import (
    accuracy,
    adjusted_rand,
    misclassified,
    nmi,
    purity,
    rand_index,
)

__all__ = [
    "accuracy",
    "adjusted_rand",
    "credal_rand",
    "evidential_precision",
    "evidential_rand",
    "evidential_recall",
    "misclassified",
    "nmi",
    "pairwise_nonspecificity",
    "purity",
    "rand_index",
]
