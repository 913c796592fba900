"""The source of tables: attributes, or dissimilarities, of users and by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from credalbench.explore.program import Program, literal
from credalbench.explore.sources import DRAWN, LIMITS, MAX_COMPARED, MAX_NAME_LENGTH, MAX_OBJECTS, TABLE_HELP
from credalbench.explore.sources.reading import Reading, UserTableSource, Way
from credalbench.explore.sources.tables import (
    GENERATED,
    LISTED,
    Table,
    label_of,
    listed_datasets,
    standardized_table,
    table_from_arrays,
    table_from_dataset,
    table_from_name,
)
from credalbench.tables import Question, UserTable, as_dissimilarities, read_user_table
from credalbench.tables.cells import expect_short_names, first_few

# -- tables of users -----------------------------------------------------------------------------------


#: Questions that are added to the note.
MENTIONED = ("header", "decimal mark", "scale")
#: The button above the questions about a user table.
WHAT_WAS_READ = "What was read"
#: Largest number of left-out columns listed in the note.
MAX_LEFT_OUT = 5


def read_table(source: object, name: str | None = None, **arguments: object) -> UserTable:
    """Read a file, its bytes or a data frame within the limits of explorers; see `read_user_table`."""
    sample = {"max_objects": MAX_OBJECTS} | arguments
    return read_user_table(source, name=name, limits=LIMITS, **sample)


def table_from_array(data: ArrayLike) -> Table:
    """Prepare an array of attributes (n, p) or of dissimilarities."""
    D = as_dissimilarities(np.asarray(data))
    return table_from_arrays("your data", X=data) if D is None else table_from_arrays("your data", D=D)


def table_from_user_table(own: UserTable, text: str | None = None, gower: bool = False) -> Table:
    """Prepare a user table.

    Parameters
    ----------
    own : UserTable
    text : str, optional
        The text of the file, from which the table can be read again.
    gower : bool, default False
        Whether categories are compared by Gower's dissimilarities, or left out.

    Raises
    ------
    ValueError
        If a question has to be answered first, or there is no numeric column.
    """
    expect_usable(own)
    compared = by_gower(own, gower)
    about = {"y": own.y, "class_names": own.class_names, "note": note_of(own, compared), "text": text}
    about["object_names"] = names_of(own)
    if has_dissimilarities(own, gower):
        return table_from_arrays(own.name, D=own.D.to_numpy(float), **about)
    X = own.frame.select_dtypes("number")
    if X.shape[1] == 0:
        got = first_few(own.frame.columns)
        raise ValueError(f"{own.name}: expected at least one numeric column; got {got}")
    return table_from_arrays(own.name, X=X.to_numpy(float), feature_names=tuple(X.columns), **about)


def by_gower(own: UserTable, gower: bool) -> bool:
    """Return whether objects are compared by Gower's dissimilarities."""
    return gower and own.kind in ("mixed", "categories")


def has_dissimilarities(own: UserTable, gower: bool) -> bool:
    """Return whether objects are compared by dissimilarities that are not distances of attributes."""
    return bool(own.kind == "dissimilarities" or own.skips_missing or by_gower(own, gower))


def names_of(own: UserTable) -> tuple[str, ...]:
    """Return the names of the objects, if any; names that are too long are shortened."""
    if isinstance(own.index, pd.RangeIndex):
        return ()
    names = map(str, own.index)
    return tuple(name if len(name) <= MAX_NAME_LENGTH else f"{name[:MAX_NAME_LENGTH]}…" for name in names)


def expect_usable(own: UserTable) -> None:
    """Raise a ValueError if a question must be answered first, or the name of a class is too long.

    Raises
    ------
    ValueError
    """
    for question in own.questions:
        if question.blocking:
            raise ValueError(
                f"{own.name}: {question.text}. Answer it below {WHAT_WAS_READ!r}, or correct the file"
            )
    expect_short_names(own.class_names, "class", own.name, LIMITS)


def note_of(own: UserTable, compared: bool = False) -> str:
    """Return the note about a user table; categories are `compared` or left out."""
    if own.kind == "dissimilarities":
        return f"{'; '.join([f'{own.name}: {own.heading()}', *own.notes])}."
    X = own.frame if own.skips_missing or compared else own.frame.select_dtypes("number")
    parts = heading_of(own, X.shape[1])
    parts += [f"left out: {label!r} ({holds})" for label, holds in own.left_out().items()][:MAX_LEFT_OUT]
    words = [label for label in own.frame.columns if label not in X]
    parts += [f"no numbers, left out: {first_few(words)}"] if words else []
    parts += ["compared by Gower's dissimilarities"] if compared else []
    parts += [own.layout.encoding_note] if own.layout and own.layout.encoding_note else []
    parts += [*own.notes, *(question.text for question in own.questions if question.about in MENTIONED)]
    return f"{'; '.join(parts)}."


def heading_of(own: UserTable, p: int) -> list[str]:
    """Return the first parts of the note about a user table of which p attributes are used."""
    attributes = f"{p} attribute" + "s" * (p != 1)
    names = [f"names from column {column.name!r}" for column in own.columns if column.role == "names"]
    return [f"{own.name}: {own.n_objects} objects, {attributes}, {own.class_summary()}", *names]


# -- the source ----------------------------------------------------------------------------------------


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
    named = staticmethod(table_from_name)
    read = staticmethod(read_table)
    from_array = staticmethod(table_from_array)
    from_dataset = staticmethod(table_from_dataset)

    def __init__(self, model: ExplorerModel, attributes_for: str = "", most: int = MAX_OBJECTS) -> None:
        super().__init__(model)
        self.most = most
        self.attributes_for, self.gower = attributes_for, not attributes_for
        model.observe(lambda change: self.scale(change["new"]), "standardize")

    def names(self) -> Mapping[str, str]:
        types = ("attributes",) if self.attributes_for else ("attributes", "dissimilarities")
        return {name: label_of(name) for name in LISTED} | listed_datasets(types)

    def label(self, name: str) -> str:
        return label_of(name) or super().label(name)

    def from_table(self, table: UserTable) -> Table:
        return table_from_user_table(table, table.text, gower=self.gower)

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
        if data != DRAWN and self.write_reading(program, "credalbench.tables", "read_user_table"):
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
        if data.partition(":")[0] in GENERATED:
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
