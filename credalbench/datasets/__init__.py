"""Data sets of the five papers: files by name, small typed-in sets, generators for the published recipes.

>>> from credalbench.datasets import load, make_t4
>>> load("butterfly").n_objects
12
>>> make_t4(200, random_state=1).X.shape
(200, 2)
"""

from credalbench.datasets.catalogue import fetch, list_datasets, load, verify
from credalbench.datasets.dataset import Dataset
from credalbench.datasets.download import CorruptFile, DataUnavailable
from credalbench.datasets.synthetic import (
    make_brain_phantom,
    make_egmm_four_class,
    make_egmm_two_class,
    make_fourclass,
    make_half_rings,
    make_t4,
    make_two_class_cecm,
)

__all__ = [
    "CorruptFile",
    "DataUnavailable",
    "Dataset",
    "fetch",
    "list_datasets",
    "load",
    "make_brain_phantom",
    "make_egmm_four_class",
    "make_egmm_two_class",
    "make_fourclass",
    "make_half_rings",
    "make_t4",
    "make_two_class_cecm",
    "verify",
]
