"""User tables: read a file or a data frame, report what was read, and ask about what is ambiguous."""

from credalbench.tables.gower import gower_dissimilarities
from credalbench.tables.layout import Limits
from credalbench.tables.matrices import as_dissimilarities
from credalbench.tables.reading import answer_questions, read_user_table
from credalbench.tables.roles import Column, Question
from credalbench.tables.user_table import UserTable

__all__ = [
    "Column",
    "Limits",
    "Question",
    "UserTable",
    "answer_questions",
    "as_dissimilarities",
    "gower_dissimilarities",
    "read_user_table",
]
