"""Tables of categories, with a map of their objects, and their source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from credalbench.core.arguments import expect
from credalbench.core.categories import correspondence_map, place_values, read_table
from credalbench.datasets import Dataset, load
from credalbench.explore.program import Program, literal
from credalbench.explore.sources import LIMITS, MAX_OBJECTS, TABLE_HELP
from credalbench.explore.sources.reading import UserTableSource
from credalbench.explore.sources.table_source import expect_usable, heading_of, names_of
from credalbench.explore.sources.tables import (
    MappedObjects,
    expect_some_objects,
    listed_datasets,
    nearest_objects,
    stand_in_note,
)
from credalbench.tables import Column, UserTable
from credalbench.tables.attributes import column_of, layout_questions, names_of_objects, true_classes
from credalbench.tables.cells import Cells, Draw, cells_from_file, cells_from_frame, first_few
from credalbench.tables.columns import ParsedColumn
from credalbench.tables.roles import expect_roles, is_class_column

# -- tables of users -----------------------------------------------------------------------------------


#: Category of empty cells.
BLANK = "(blank)"
ALL_DIFFERENT = "different words"


def read_categories(
    source: str | Path | bytes | pd.DataFrame,
    name: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    max_objects: int = MAX_OBJECTS,
    random_state: int = 0,
    **layout: object,
) -> UserTable:
    """Read a table whose columns are categorical attributes.

    Parameters
    ----------
    source : str, os.PathLike, bytes or DataFrame
    name : str, optional
        Name of the data; the name of the file by default.
    columns : mapping of str to str, optional
        Roles of columns, as in `read_user_table`; a "number" is a category here.
    max_objects, random_state : int
        Size and seed of the random sample of larger tables.
    **layout
        Layout of a file: ``delimiter``, ``header``, as in `read_user_table`.

    Returns
    -------
    UserTable
        A table of strings without missing values.

    Raises
    ------
    ValueError
        If the source cannot be read as a table, or has no attribute.

    Notes
    -----
    A column named "class", "species" or similar holds the true classes. Of the columns whose values are all
    different, the first one names the objects and others are left out. Numbers are treated as categories,
    and so are empty cells.
    """
    sample, draw = {"max_objects": max_objects, "random_state": random_state}, Draw(max_objects, random_state)
    if isinstance(source, pd.DataFrame):
        cells = cells_from_frame(source, name, draw)
    else:
        cells = cells_from_file(source, name, limits=LIMITS, **layout, draw=draw)
    cells.expect_objects()
    frame = cells.frame.astype(object).where(cells.frame.notna(), "").astype(str)
    frame = frame.apply(lambda cells: cells.str.strip()).replace("", BLANK)
    taken = _roles(frame, expect_roles({} if columns is None else columns, list(frame.columns)))
    values = frame[[label for label, role in taken.items() if role in ("category", "number")]]
    if not values.shape[1]:
        got = first_few([label for label, role in taken.items() if role != "classes"])
        raise ValueError(f"{cells.name}: expected a column in which some objects agree; got {got}")
    columns_read = [ParsedColumn(label, _holds(frame[label]), frame[label]) for label in frame]
    names = names_of_objects(cells, columns_read, taken)
    if names is None:
        names = frame.index if cells.layout is None and frame.index.is_unique else cells.row_numbers()
    y, class_names = true_classes(column_of(columns_read, taken, "classes"), np.ones(len(frame), bool))
    arguments = {"columns": columns} | sample | layout
    return UserTable(
        name=cells.name,
        kind="categories",
        frame=values.set_axis(names, axis="index"),
        n_rows=cells.n_rows,
        y=y,
        class_names=class_names,
        columns=tuple(Column(one.label, one.content, taken[one.label]) for one in columns_read),
        questions=tuple(layout_questions(cells)),
        notes=tuple(_notes(cells, values, frame, taken)),
        lines=cells.lines,
        layout=cells.layout,
        text=cells.text,
        source=source,
        arguments=arguments,
    )


def _roles(frame: pd.DataFrame, given: Mapping[str, str]) -> dict[str, str]:
    """Return the role of each column, as `given` or else as detected."""
    taken = {label: given.get(label, "category") for label in frame}
    free = [label for label in frame if label not in given]
    if "classes" not in given.values():
        classes = next((label for label in free if is_class_column(label)), None)
        taken |= {classes: "classes"} if classes else {}
    unique = [label for label in free if taken[label] == "category" and frame[label].is_unique]
    taken |= dict.fromkeys(unique, "left out")
    if unique and "names" not in given.values():
        taken[unique[0]] = "names"
    return taken


def _holds(values: pd.Series) -> str:
    n_values = values.nunique()
    return "one value" if n_values == 1 else ALL_DIFFERENT if n_values == len(values) else f"{n_values} words"


def _notes(cells: Cells, values: pd.DataFrame, frame: pd.DataFrame, taken: Mapping[str, str]) -> list[str]:
    left_out = [label for label, role in taken.items() if role == "left out"]
    different = [label for label in left_out if frame[label].is_unique]
    others = [label for label in left_out if label not in different]
    blanks = int((values == BLANK).to_numpy().sum())
    given = [f"different for all objects, left out: {first_few(different)}"] if different else []
    given += [f"left out: {first_few(others)}"] if others else []
    given += [f"{blanks} empty cells are a value of their own"] if blanks else []
    given += [cells.layout.encoding_note] if cells.layout and cells.layout.encoding_note else []
    return [*given, *cells.notes]


# -- tables and their map ------------------------------------------------------------------------------


#: Distance of equal objects on the map, and largest radius of a group of them, as shares of its span.
APART, WIDEST = 0.014, 0.07


@dataclass(frozen=True, eq=False, kw_only=True)
class CategoryTable(MappedObjects):
    """A data set of categorical attributes.

    Attributes
    ----------
    values : DataFrame of shape (n, p)
        Strings without missing values.
    places : ndarray of shape (n, 2)
        First two axes of multiple correspondence analysis; for two attributes, the indices of their values.
        The `positions` are the same, with coinciding objects spread out.
    ticks : tuple of two tuples of str, or None
        For two attributes, their values in order.
    """

    values: pd.DataFrame
    places: np.ndarray
    ticks: tuple[tuple[str, ...], ...] | None

    @property
    def compared(self) -> pd.DataFrame:
        """The data by which objects are compared."""
        return self.values

    @cached_property
    def nearest(self) -> np.ndarray:
        """The objects that differ from each object in the fewest attributes, nearest first: (n, 3), or fewer.

        Ties are broken arbitrarily.
        """
        codes, _ = read_table(self.values)
        return nearest_objects(codes, "hamming")

    def on_the_map(self, weights: Sequence[ArrayLike]) -> np.ndarray:
        """Return the map positions (c, 2) of prototypes, p arrays (c, n_l) of weights of values."""
        if self.ticks is not None:
            return np.column_stack([np.asarray(block) @ np.arange(len(block[0])) for block in weights])
        return np.hstack(weights) @ self._stacked_values / len(weights)

    @cached_property
    def _stacked_values(self) -> np.ndarray:
        """Map positions of the values of all attributes, stacked."""
        return np.vstack(place_values(self.values, self.places))


def category_table(name: str, values: pd.DataFrame, **about: object) -> CategoryTable:
    """Prepare values (n, p), of which missing ones become `BLANK`; `about` are further attributes.

    Raises
    ------
    ValueError
        If there are fewer than 3 or more than `MAX_OBJECTS` objects, no attribute, or if all objects
        coincide.
    """
    expect(values.shape[1] > 0, f"{name}: a table of at least one attribute", values.shape)
    expect_some_objects(name, len(values), MAX_OBJECTS)
    values = values.astype(object).where(values.notna(), BLANK).astype(str)
    if (values.nunique() == 1).all():
        raise ValueError(f"{name}: all objects coincide, so there is nothing to cluster")
    places, axis_labels, ticks = _map(values)
    known = {"values": values, "places": places, "axis_labels": axis_labels, "ticks": ticks}
    return CategoryTable(name=name, positions=side_by_side(places), **known, **about)


def _map(values: pd.DataFrame) -> tuple[np.ndarray, tuple[str, str], tuple[tuple[str, ...], ...] | None]:
    """Return positions (n, 2), labels of the axes and, for two attributes, their values as ticks."""
    if values.shape[1] == 2:
        codes, domain = read_table(values)
        words = tuple(tuple(map(str, known)) for known in domain.categories)
        return codes.astype(float), tuple(map(str, values.columns)), words
    places, shares = correspondence_map(values)
    labels = tuple(f"MCA axis {k + 1} ({100 * share:.0f} %)" for k, share in enumerate(shares))
    return places, labels, None


def side_by_side(places: np.ndarray) -> np.ndarray:
    """Return positions (n, 2) with coinciding ones spread out in a sunflower pattern."""
    span = max(np.ptp(places, axis=0).max(), np.finfo(float).tiny)
    _, group, sizes = np.unique(np.round(places / span, 6), axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(group.ravel(), kind="stable")
    number = np.empty(len(places))
    number[order] = np.concatenate([np.arange(size) for size in sizes])
    radius = span * min(APART, WIDEST / np.sqrt(sizes.max())) * np.sqrt(number)
    angle = number * np.pi * (3 - np.sqrt(5))
    return places + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def category_table_from_name(name: str) -> CategoryTable:
    """Load a data set by its name.

    Raises
    ------
    ValueError, KeyError, credalbench.datasets.DataUnavailable
        If there is no such data set, if it is not available, or if its attributes are not categorical.
    """
    return category_table_from_dataset(load(name), name)


def category_table_from_dataset(dataset: Dataset, name: str | None = None) -> CategoryTable:
    """Prepare a `credalbench.datasets.Dataset` of categorical attributes."""
    name = name or dataset.name
    if dataset.data_type != "categorical":
        raise ValueError(f"{name} has no categorical attributes: cat-ECM only compares values for equality")
    return category_table(
        name,
        dataset.to_frame().reset_index(drop=True).rename(columns=str),
        object_names=dataset.object_names,
        y=dataset.y,
        class_names=dataset.class_names,
        n_classes=dataset.n_clusters,
        note=stand_in_note(dataset),
    )


def category_table_from_user_table(own: UserTable) -> CategoryTable:
    """Prepare a user table; numbers are treated as categories.

    Raises
    ------
    ValueError
        If it has dissimilarities, or a question has to be answered first.
    """
    expect_usable(own)
    if own.kind == "dissimilarities":
        raise ValueError(f"{own.name} is a matrix of dissimilarities: cat-ECM compares values of attributes")
    return category_table(
        own.name,
        own.frame.reset_index(drop=True),
        object_names=names_of(own),
        y=own.y,
        class_names=own.class_names,
        note=f"{'; '.join([*heading_of(own, own.frame.shape[1]), *own.notes])}.",
        text=own.text,
    )


class CategorySource(UserTableSource):
    """A source of tables of categories."""

    FILES = (
        "your table",
        f"Columns of categories, perhaps names of the objects and a class column; {TABLE_HELP}",
        ".csv,.tsv,.txt",
    )
    named = staticmethod(category_table_from_name)
    read = staticmethod(read_categories)
    from_table = staticmethod(category_table_from_user_table)
    from_dataset = staticmethod(category_table_from_dataset)

    def names(self) -> Mapping[str, str]:
        return listed_datasets(("categorical",))

    def from_array(self, data: object) -> CategoryTable:
        return category_table("your data", pd.DataFrame(data).rename(columns=str))

    def write(self, program: Program) -> str:
        """Write code that loads a table of strings, `values` (n, p)."""
        tables = "credalbench.explore.sources.category_tables"
        if self.write_reading(program, tables, "read_categories"):
            program.use(tables, "category_table_from_user_table")
            program.add("values = category_table_from_user_table(own).values")
        elif self.model.data in self.own:
            program.use("import pandas as pd")
            values = self.own[self.model.data].values
            rows = [f"    {row!r}," for row in values.to_numpy(str).tolist()]
            program.add("rows = [", *rows, "]", "values = pd.DataFrame(rows)")
        else:
            program.use(tables, "category_table_from_name")
            program.add(f"values = category_table_from_name({literal(self.model.data)}).values")
        return "values"
