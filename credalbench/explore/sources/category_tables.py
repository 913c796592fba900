"""Tables of categories, with a map of their objects."""

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
from credalbench.explore.sources.source import MAX_OBJECTS, TABLE_HELP, expect_few_bytes
from credalbench.explore.sources.tables import listed_datasets, nearest_objects
from credalbench.explore.sources.user_categories import BLANK, read_categories
from credalbench.explore.sources.user_table_source import UserTableSource
from credalbench.explore.sources.user_tables import expect_answers, names_of
from credalbench.tables import UserTable

#: Distance of equal objects on the map, and largest radius of a group of them, as shares of its span.
APART, WIDEST = 0.014, 0.07


@dataclass(frozen=True, eq=False)
class CategoryTable:
    """A data set of categorical attributes, ready to be explored.

    Attributes
    ----------
    name : str
    values : DataFrame of shape (n, p)
        Strings without missing values.
    places : ndarray of shape (n, 2)
        First two axes of multiple correspondence analysis; for two attributes, the indices of their values.
    positions : ndarray of shape (n, 2)
        The same, with coinciding objects spread out.
    axis_labels : tuple of two str
    ticks : tuple of two tuples of str, or None
        For two attributes, their values in order.
    object_names : tuple of n str
        Empty if objects are identified by their rows.
    y : ndarray of int, shape (n,), or None
        True classes.
    class_names : tuple of str
    n_classes : int
        Number of classes, or expected number of clusters; 2 if unknown.
    note : str
        Information about the data for the user, in one sentence.
    text : str, or None
        The file that the table was read from.
    """

    name: str
    values: pd.DataFrame
    places: np.ndarray
    positions: np.ndarray
    axis_labels: tuple[str, str]
    ticks: tuple[tuple[str, ...], ...] | None
    object_names: tuple[str, ...]
    y: np.ndarray | None
    class_names: tuple[str, ...]
    n_classes: int
    note: str = ""
    text: str | None = None

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return len(self.values)

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


def category_table(
    name: str,
    values: pd.DataFrame,
    *,
    object_names: Sequence[str] = (),
    y: np.ndarray | None = None,
    class_names: Sequence[str] = (),
    n_classes: int | None = None,
    note: str = "",
    text: str | None = None,
) -> CategoryTable:
    """Prepare values (n, p) for an explorer; missing ones become `BLANK`.

    Raises
    ------
    ValueError
        If there are fewer than 3 or more than `MAX_OBJECTS` objects, no attribute, or if all objects
        coincide.
    """
    expect(values.shape[1] > 0, f"{name}: a table of at least one attribute", values.shape)
    if not 3 <= len(values) <= MAX_OBJECTS:
        raise ValueError(f"{name}: an explorer takes 3 to {MAX_OBJECTS} objects; got {len(values)}")
    values = values.astype(object).where(values.notna(), BLANK).astype(str)
    if (values.nunique() == 1).all():
        raise ValueError(f"{name}: all objects coincide, so there is nothing to cluster")
    places, axis_labels, ticks = _map(values)
    if n_classes is None:
        n_classes = 2 if y is None else int(np.max(y)) + 1
    return CategoryTable(
        name=name,
        values=values,
        places=places,
        positions=side_by_side(places),
        axis_labels=axis_labels,
        ticks=ticks,
        object_names=tuple(object_names),
        y=y,
        class_names=tuple(class_names),
        n_classes=n_classes,
        note=note,
        text=text,
    )


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
        note=f"Stand-in data for {dataset.substitute_for}." if dataset.substitute_for else "",
    )


def category_table_from_csv(source: str | Path | bytes, name: str | None = None) -> CategoryTable:
    """Read a delimited text file whose columns are categorical attributes.

    Parameters
    ----------
    source : str, os.PathLike or bytes
        A path, or the contents of a file.
    name : str, optional
        Name of the data; the name of the file by default.

    Returns
    -------
    CategoryTable
        Its note says what was read and how.

    Raises
    ------
    ValueError
        If the file is larger than `MAX_MEGABYTES`, cannot be read as a table, or has no attribute.

    Notes
    -----
    See `read_categories`.
    """
    expect_few_bytes(source, name)
    return category_table_from_user_table(read_categories(source, name))


def category_table_from_user_table(own: UserTable) -> CategoryTable:
    """Prepare a user table; numbers are treated as categories.

    Raises
    ------
    ValueError
        If it has dissimilarities, or a question has to be answered first.
    """
    expect_answers(own)
    if own.kind == "dissimilarities":
        raise ValueError(f"{own.name} is a matrix of dissimilarities: cat-ECM compares values of attributes")
    names = own.index if any(column.role == "names" for column in own.columns) else ()
    named = f"names from column {own.index.name!r}" if len(names) else ""
    attributes = f"{own.frame.shape[1]} attribute" + "s" * (own.frame.shape[1] > 1)
    parts = [f"{own.name}: {own.n_objects} objects, {attributes}, {own.class_summary()}", named, *own.notes]
    return category_table(
        own.name,
        own.frame.reset_index(drop=True),
        object_names=names_of(own),
        y=own.y,
        class_names=own.class_names,
        note=f"{'; '.join(part for part in parts if part)}.",
        text=own.text,
    )


class CategorySource(UserTableSource):
    """A source of tables of categories."""

    FILES = (
        "your table",
        f"Columns of categories, perhaps names of the objects and a class column; {TABLE_HELP}",
        ".csv,.tsv,.txt",
    )

    def names(self) -> Mapping[str, str]:
        return listed_datasets(("categorical",))

    def named(self, name: str) -> CategoryTable:
        return category_table_from_name(name)

    def read(self, source: object, name: str | None, **arguments: object) -> UserTable:
        return read_categories(source, name, **arguments)

    def from_table(self, table: UserTable) -> CategoryTable:
        return category_table_from_user_table(table)

    def from_array(self, data: object) -> CategoryTable:
        return category_table("your data", pd.DataFrame(data).rename(columns=str))

    def from_dataset(self, data: object) -> CategoryTable:
        return category_table_from_dataset(data)

    def write(self, program: Program) -> str:
        """Write code that loads a table of strings, `values` (n, p)."""
        tables = "credalbench.explore.sources.category_tables"
        if self.user_table.write(program, "credalbench.explore.sources.user_categories", "read_categories"):
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
