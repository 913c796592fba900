"""Own tables: a file or a data frame, what it holds, what was left out, and what only its owner knows."""

from credalbench.tables.gower import gower_dissimilarities
from credalbench.tables.matrices import dissimilarities_in
from credalbench.tables.own_table import OwnTable
from credalbench.tables.reading import read_again, read_own_table
from credalbench.tables.roles import Column, Question
from credalbench.tables.text import Limits

__all__ = [
    "Column",
    "Limits",
    "OwnTable",
    "Question",
    "dissimilarities_in",
    "gower_dissimilarities",
    "read_again",
    "read_own_table",
]
