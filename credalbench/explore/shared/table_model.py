"""Models of explorers that look at a table: attributes, or dissimilarities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import traitlets as t

from credalbench.explore.shared.own_table_model import OwnTableModel
from credalbench.explore.shared.parameter import parameter
from credalbench.explore.shared.program import Program, literal
from credalbench.explore.shared.subjects.drawn_points import DRAWN
from credalbench.explore.shared.subjects.limits import MAX_COMPARED, TABLE_HELP
from credalbench.explore.shared.subjects.own_reading import OwnReading
from credalbench.explore.shared.subjects.own_tables import (
    has_dissimilarities,
    read_table,
    table_from_array,
    table_from_own,
)
from credalbench.explore.shared.subjects.recipes import RECIPES
from credalbench.explore.shared.subjects.tables import (
    Table,
    named_tables,
    standardized,
    table_from_dataset,
    table_from_name,
)
from credalbench.tables import Question, UserTable

#: Of data that a program holds as they are.
MOST_NUMBERS = 5000


class TableModel(OwnTableModel):
    """An `OwnTableModel` that clusters attributes, or dissimilarities: those of the data, or Gower's.

    Attributes
    ----------
    subject : Table or None
    """

    OWN_FILES = (
        "own table",
        f"Columns of attributes and perhaps a class column, or a matrix of dissimilarities; {TABLE_HELP}",
        ".csv,.tsv,.txt",
    )
    PREPARING = frozenset({"data", "standardize"})
    #: Whether categories are compared, by Gower's dissimilarities; else only numbers are attributes.
    GOWER = True

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
        if isinstance(data, UserTable):
            return self._of_own_table(data)
        if isinstance(data, pd.DataFrame):
            return self._begun(partial(self._read, data, None))
        if hasattr(data, "n_objects"):
            return table_from_dataset(data)
        return table_from_array(data)

    def _read(self, source: object, name: str | None, **arguments: object) -> UserTable:
        return read_table(source, name, **arguments)

    def _use(self, reading: OwnReading) -> Table:
        """As in `OwnTableModel`; where dissimilarities have to be computed, fewer objects are drawn."""
        if reading.own.n_objects > MAX_COMPARED and has_dissimilarities(reading.own, self.GOWER):
            reading = reading.told(max_objects=MAX_COMPARED)
        return super()._use(reading)

    def _of_own(self, own: UserTable) -> Table:
        return table_from_own(own, own.text, gower=self.GOWER)

    def answer_question(self, question: Question, way: Mapping[str, object] | None) -> None:
        """As in `OwnTableModel`; scales are the parameter `standardize`."""
        if question.about == "scale" and way is not None and self.reading is not None:
            self.reading = self.reading.scaled(way["standardize"])
            self.standardize = way["standardize"]
        else:
            super().answer_question(question, way)

    @t.observe("standardize")
    def _scale(self, change: Mapping[str, object]) -> None:
        if self.reading is not None:
            self.reading = self.reading.scaled(change["new"])

    def _write_data(self, program: Program) -> str:
        """Write attributes `X` (n, p), or dissimilarities `D` (n, n) where there are none."""
        name = "D" if self.subject.attributes is None else "X"
        if self.data != DRAWN and self._write_own(program, "credalbench.tables", "read_user_table"):
            kept = 'frame.select_dtypes("number")' if name == "X" else name
            program.add(f"{name} = own.{kept}.to_numpy(float)")
        elif self.data in self._own:
            own = self._own[self.data]
            self._write_given(program, name, own.attributes if name == "X" else own.D)
        else:
            self._write_named(program, name)
        if self.standardize and name == "X":
            program.use("import numpy as np")
            program.add("spread = X.std(axis=0)")
            program.add("X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)")
        return name

    def _write_given(self, program: Program, name: str, array: np.ndarray) -> None:
        """Write data that were drawn, or given as an array: as they are, unless there are too many."""
        if array.size <= MOST_NUMBERS:
            program.add_array(name, array)
        else:
            program.add(f"# {name}: the array of shape {array.shape} that the explorer was given.")

    def _write_named(self, program: Program, name: str) -> None:
        """Write how data are had that go by their name."""
        if self.data.partition(":")[0] in RECIPES:
            program.use("credalbench.explore.shared.subjects.tables", "table_from_name")
            attribute = "attributes" if name == "X" else name
            program.add(f"{name} = table_from_name({literal(self.data)}).{attribute}")
        else:
            program.use("credalbench.datasets", "load")
            program.add(f"{name} = load({literal(self.data)}).{name}")

    def _prepared(self, subject: Table) -> Table:
        return standardized(subject) if self.standardize and subject.attributes is not None else subject
