"""Scores of partitions: external (with classes), internal (without classes), credal, and evidential."""

from .credal import adjusted_credal_rand, credal_rand
from .evidential import evidential_precision, evidential_rand, evidential_recall
from .external import accuracy, adjusted_rand, misclassified, nmi, purity, rand_index
from .internal import (
    BETTER,
    bic,
    fuzzy_silhouette,
    modified_partition_coefficient,
    pairwise_nonspecificity,
    partition_coefficient,
    partition_entropy,
    xie_beni,
)

__all__ = [
    "BETTER",
    "accuracy",
    "adjusted_credal_rand",
    "adjusted_rand",
    "bic",
    "credal_rand",
    "evidential_precision",
    "evidential_rand",
    "evidential_recall",
    "fuzzy_silhouette",
    "misclassified",
    "modified_partition_coefficient",
    "nmi",
    "pairwise_nonspecificity",
    "partition_coefficient",
    "partition_entropy",
    "purity",
    "rand_index",
    "xie_beni",
]
