"""Models of explorers that look at a table: attributes, or dissimilarities."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import traitlets as t

from credalbench.explore.shared.clustering_model import ClusteringModel
from credalbench.explore.shared.parameter import parameter
from credalbench.explore.shared.subjects.limits import TABLE_HELP
from credalbench.explore.shared.subjects.own_tables import table_from_csv, table_from_data, table_from_own
from credalbench.explore.shared.subjects.tables import (
    Table,
    named_tables,
    standardized,
    table_from_dataset,
    table_from_name,
)
from credalbench.tables import OwnTable


class TableModel(ClusteringModel):
    """A `ClusteringModel` that clusters a table of numbers.

    Attributes
    ----------
    subject : Table or None
    """

    OWN_FILES = (
        "own table",
        f"Numeric columns and perhaps a class column, or a square matrix of dissimilarities; {TABLE_HELP}",
        ".csv,.tsv,.txt",
    )
    PREPARING = frozenset({"data", "standardize"})

    standardize = parameter(
        t.Bool(False), "standardise attributes", "Scale each attribute to standard deviation 1"
    )

    subject = t.Instance(Table, allow_none=True)

    def named(self) -> Mapping[str, str]:
        """Return the labels of the tables to choose from, by name."""
        return named_tables()

    def _named(self, name: str) -> Table:
        return table_from_name(name)

    def _of_data(self, data: object) -> Table:
        if isinstance(data, OwnTable):
            return table_from_own(data)
        if hasattr(data, "n_objects"):
            return table_from_dataset(data)
        return table_from_data(data)

    def _of_file(self, source: str | Path | bytes, name: str | None) -> Table:
        return table_from_csv(source, name)

    def _of_text(self, text: str, name: str) -> Table:
        return table_from_csv(text.encode(), name)

    def _prepared(self, subject: Table) -> Table:
        return standardized(subject) if self.standardize and subject.attributes is not None else subject
