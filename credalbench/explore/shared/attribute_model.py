"""Models of explorers whose methods need attributes."""

from __future__ import annotations

from collections.abc import Mapping

from credalbench.explore.shared.drawing_model import DrawingModel
from credalbench.explore.shared.subjects.own_reading import Way
from credalbench.explore.shared.subjects.tables import Table, named_tables
from credalbench.tables import Question


class AttributeModel(DrawingModel):
    """A `DrawingModel` that refuses matrices of dissimilarities, and offers none."""

    GOWER = False
    #: The method that needs attributes, as messages call it.
    METHOD = "this method"

    def named(self) -> Mapping[str, str]:
        """Return the labels of the tables of attributes to choose from, by name."""
        return named_tables(("attributes",))

    def _accepted(self, subject: Table) -> Table:
        if subject.attributes is None:
            raise ValueError(f"{subject.name} is a matrix of dissimilarities: {self.METHOD} needs attributes")
        return subject

    def ways(self, question: Question) -> tuple[Way, ...]:
        """Return the answers to a question that do not make dissimilarities of attributes."""
        made = ({"missing": "skip"}, {"kind": "dissimilarities"})
        return tuple(way for way in question.options if way not in made)
