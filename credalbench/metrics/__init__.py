"""Scores of partitions: agreement with a reference partition (external)."""

from .external import (
    accuracy,
    adjusted_rand,
    credal_rand,
    misclassified,
    nmi,
    purity,
    rand_index,
)

__all__ = ["accuracy", "adjusted_rand", "credal_rand", "misclassified", "nmi", "purity", "rand_index"]
