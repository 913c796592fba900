"""The source of tables: attributes, or dissimilarities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from credalbench.explore.program import Program, literal
from credalbench.explore.sources.drawing import DRAWN
from credalbench.explore.sources.reading import Reading, Way
from credalbench.explore.sources.recipes import RECIPES
from credalbench.explore.sources.source import MAX_COMPARED, MAX_OBJECTS, TABLE_HELP
from credalbench.explore.sources.tables import (
    Table,
    named_tables,
    standardized_table,
    table_from_dataset,
    table_from_name,
)
from credalbench.explore.sources.user_table_source import UserTableSource
from credalbench.explore.sources.user_tables import (
    has_dissimilarities,
    read_table,
    table_from_array,
    table_from_user_table,
)
from credalbench.tables import Question, UserTable

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

#: Size of the largest array that a program contains.
MOST_NUMBERS = 5000


class TableSource(UserTableSource):
    """A source of tables; the model has a parameter `standardize`.

    Parameters
    ----------
    model : ExplorerModel
    attributes_for : str, optional
        Name of a method that needs attributes, for which matrices of dissimilarities are refused. By default
        they are accepted, and tables with categories are compared by Gower's dissimilarities.
    most : int
        The largest number of objects of a method that compares all pairs.
    """

    FILES = (
        "your table",
        f"Columns of attributes and perhaps a class column, or a matrix of dissimilarities; {TABLE_HELP}",
        ".csv,.tsv,.txt",
    )

    def __init__(self, model: ExplorerModel, attributes_for: str = "", most: int = MAX_OBJECTS) -> None:
        super().__init__(model)
        self.most = most
        self.attributes_for, self.gower = attributes_for, not attributes_for
        model.observe(lambda change: self.user_table.scale(change["new"]), "standardize")

    def names(self) -> Mapping[str, str]:
        return named_tables(("attributes",)) if self.attributes_for else named_tables()

    def named(self, name: str) -> Table:
        return table_from_name(name)

    def read(self, source: object, name: str | None, **arguments: object) -> UserTable:
        return read_table(source, name, **arguments)

    def from_table(self, table: UserTable) -> Table:
        return table_from_user_table(table, table.text, gower=self.gower)

    def from_array(self, data: object) -> Table:
        return table_from_array(data)

    def from_dataset(self, data: object) -> Table:
        return table_from_dataset(data)

    def limited(self, reading: Reading) -> Reading:
        if reading.table.n_objects > MAX_COMPARED and has_dissimilarities(reading.table, self.gower):
            return reading.extended(max_objects=MAX_COMPARED)
        return reading

    def ways(self, question: Question) -> tuple[Way, ...]:
        to_dissimilarities = ({"missing": "skip"}, {"kind": "dissimilarities"}) if self.attributes_for else ()
        return tuple(way for way in question.options if way not in to_dissimilarities)

    def accept(self, subject: Table) -> Table:
        if self.attributes_for and subject.attributes is None:
            raise ValueError(
                f"{subject.name} is a matrix of dissimilarities: {self.attributes_for} needs attributes"
            )
        if subject.n_objects > self.most:
            raise ValueError(
                f"{subject.name}: expected at most {self.most} objects, because all pairs are compared "
                f"while you wait; got {subject.n_objects}"
            )
        return subject

    def prepare(self, subject: Table) -> Table:
        scaled = self.model.standardize and subject.attributes is not None
        return standardized_table(subject) if scaled else subject

    # -- code -------------------------------------------------------------------------------------------

    def write(self, program: Program) -> str:
        """Write code that loads attributes `X` (n, p), or else dissimilarities `D` (n, n)."""
        data, name = self.model.data, "D" if self.model.subject.attributes is None else "X"
        if data != DRAWN and self.user_table.write(program, "credalbench.tables", "read_user_table"):
            column = 'frame.select_dtypes("number")' if name == "X" else name
            program.add(f"{name} = own.{column}.to_numpy(float)")
        elif data in self.own:
            own = self.own[data]
            _write_array(program, name, own.attributes if name == "X" else own.D)
        else:
            self.write_named(program, name)
        if self.model.standardize and name == "X":
            program.use("credalbench.core.checks", "standardized")
            program.add("X = standardized(X)")
        return name

    def write_named(self, program: Program, name: str) -> None:
        """Write code that loads a named data set."""
        data = self.model.data
        if data.partition(":")[0] in RECIPES:
            program.use("credalbench.explore.sources.tables", "table_from_name")
            attribute = "attributes" if name == "X" else name
            program.add(f"{name} = table_from_name({literal(data)}).{attribute}")
        else:
            program.use("credalbench.datasets", "load")
            program.add(f"{name} = load({literal(data)}).{name}")


def _write_array(program: Program, name: str, array: np.ndarray) -> None:
    """Write an array, unless it is too large."""
    if array.size <= MOST_NUMBERS:
        program.add_array(name, array)
    else:
        program.add(f"# {name}: the array of shape {array.shape} that the explorer was given.")
