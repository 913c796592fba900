"""Own tables: a file or a data frame, what it holds, what was left out, and what only its owner knows."""

from credalbench.tables.gower import gower_dissimilarities
from credalbench.tables.matrices import dissimilarities_in
from credalbench.tables.reading import read_again, read_user_table
from credalbench.tables.roles import Column, Question
from credalbench.tables.text import Limits
from credalbench.tables.user_table import UserTable

__all__ = [
    "Column",
    "Limits",
    "Question",
    "UserTable",
    "dissimilarities_in",
    "gower_dissimilarities",
    "read_again",
    "read_user_table",
]
