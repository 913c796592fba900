"""The tables of a paper as they are printed: which value stands in which cell, and ours beside it.

``experiments/<paper>/reference/tables.toml`` lays them out, the values are those of the CSV files beside it
(which are part of the keys of stored results; a layout is not)::

    [axes.dataset]
    title = "data set"
    names = { iris = "Iris", wine = "Wine" }

    [tables.cecm-tab-05]
    rows = ["n_constraints", "xi"]
    columns = ["dataset"]
    values = ["ri_{dataset}_{n_constraints}_{xi}", "sd_{dataset}_{n_constraints}_{xi}"]

- ``names`` of an axis: the keys that fill the names of values, each with how it is printed; or a plain list.
- ``values``: names of the printed values of a cell; a second one is the standard deviation of the first.
- ``ours``, for settings, with which no claim need compare: ``table`` and ``column`` of the study where ours
  stand, in the row that has the keys in columns named as the axes.
- ``in_text``: results that belong to the table, and are printed in the text beside it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .parameters import suggestion
from .printed import SENTENCES, SETTING, Printed, read_values

if TYPE_CHECKING:
    import pandas as pd

LAYOUTS = "tables.toml"
#: What is said of a value that no claim judges.
NOT_JUDGED, AS_GIVEN, NOT_AS_GIVEN, ALONE = "not judged", "as given", "not as given", "setting"


@dataclass(frozen=True)
class Axis:
    """What rows or columns run over: a title, and for each key how it is printed."""

    title: str
    names: Mapping[str, str]


@dataclass(frozen=True)
class Beside:
    """A printed value and ours, in words; ``outcome`` is that of its claims, or one of the words above."""

    printed: str
    ours: str
    outcome: str


@dataclass(frozen=True)
class FilledTable:
    """A printed table with ours in each cell.

    ``titles`` are those of the columns of row names, ``heads`` those of the others; each row has its names
    and its cells, a cell none, one or two values.
    """

    titles: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[tuple[Beside, ...], ...]], ...]

    @property
    def has_deviations(self) -> bool:
        """Whether cells hold a standard deviation beside their value."""
        return any(len(cell) > 1 for _, cells in self.rows for cell in cells)


@dataclass(frozen=True)
class PrintedTable:
    """How a table is laid out, and the values that are printed in it.

    Parameters
    ----------
    rows, columns : dict
        Name of an axis -> axis.
    values : tuple of str
        Names of the values of a cell, with the axes in braces.
    printed : dict
        Name -> printed value, of this artefact.
    ours : dict
        ``table`` and ``column`` of our settings, or empty.
    in_text : tuple of str
        Names of the results that stand in the text beside the table.
    """

    rows: Mapping[str, Axis]
    columns: Mapping[str, Axis]
    values: tuple[str, ...]
    printed: Mapping[str, Printed]
    ours: Mapping[str, str] = field(default_factory=dict)
    in_text: tuple[str, ...] = ()

    @property
    def placed(self) -> list[str]:
        """Names of the printed values that have a cell."""
        keys = [row | column for row in _keys(self.rows) for column in _keys(self.columns)]
        names = [pattern.format(**cell) for cell in keys for pattern in self.values]
        return [name for name in names if name in self.printed]

    def beside(
        self, judged: Mapping[str, tuple[str, str]], tables: Mapping[str, pd.DataFrame]
    ) -> FilledTable | None:
        """The table with ours in each cell; None where there are none.

        Parameters
        ----------
        judged : dict
            Name of a printed value -> ours in words, and the outcome of its claims.
        tables : dict
            The study's tables by name.
        """
        columns = _keys(self.columns)
        rows = tuple(
            (_labels(self.rows, row), tuple(self._cell(row | column, judged, tables) for column in columns))
            for row in _keys(self.rows)
        )
        found = {value.outcome for _, cells in rows for cell in cells for value in cell}
        if found <= {NOT_JUDGED, ALONE}:
            return None
        heads = tuple(", ".join(_labels(self.columns, column)) for column in columns)
        return FilledTable(tuple(axis.title for axis in self.rows.values()), heads, rows)

    def _cell(
        self, keys: dict[str, str], judged: Mapping[str, tuple[str, str]], tables: Mapping[str, pd.DataFrame]
    ) -> tuple[Beside, ...]:
        names = [name for name in (p.format(**keys) for p in self.values) if name in self.printed]
        return tuple(self._value(name, judged.get(name), keys, tables) for name in names)

    def _value(
        self,
        name: str,
        found: tuple[str, str] | None,
        keys: dict[str, str],
        tables: Mapping[str, pd.DataFrame],
    ) -> Beside:
        value = self.printed[name]
        if value.relation != SETTING:
            return Beside(value.text, *(found or ("", NOT_JUDGED)))
        ours = self._setting(keys, tables)
        if ours is None:
            return Beside(value.text, "", ALONE)
        return Beside(value.text, f"{ours:g}", AS_GIVEN if ours == value.value else NOT_AS_GIVEN)

    def _setting(self, keys: dict[str, str], tables: Mapping[str, pd.DataFrame]) -> float | None:
        """Our value of a setting; None where the study does not have it, or more than one."""
        table = tables.get(self.ours.get("table", ""))
        if table is None:
            return None
        for axis, key in keys.items():
            if axis in table:
                table = table[table[axis].astype(str) == key]
        values = table[self.ours["column"].format(**keys)].unique()
        return float(values[0]) if len(values) == 1 else None


def read_tables(paper: Path) -> dict[str, PrintedTable]:
    """Artefact -> its printed table, of the paper in a folder; empty where no table is laid out.

    Raises
    ------
    ValueError
        A layout names an axis that is not declared, or a value that is not printed, or places none.
    """
    path = paper / "reference" / LAYOUTS
    if not path.is_file():
        return {}
    found, values = tomllib.loads(path.read_text("utf-8")), _values(path.parent)
    axes = {name: Axis(axis["title"], _names(axis["names"])) for name, axis in found["axes"].items()}
    return {
        artefact: _table(artefact, layout, axes, values.get(artefact, {}))
        for artefact, layout in found["tables"].items()
    }


def _table(
    artefact: str, layout: Mapping[str, Any], axes: Mapping[str, Axis], printed: Mapping[str, Printed]
) -> PrintedTable:
    for name in (*layout["rows"], *layout["columns"]):
        if name not in axes:
            raise ValueError(f"{artefact}: unknown axis {name!r}{suggestion(name, axes)}")
    table = PrintedTable(
        {name: axes[name] for name in layout["rows"]},
        {name: axes[name] for name in layout["columns"]},
        tuple(layout["values"]),
        printed,
        layout.get("ours", {}),
        tuple(layout.get("in_text", ())),
    )
    for name in table.in_text:
        if name not in printed:
            raise ValueError(f"{artefact}: {name!r} is not printed{suggestion(name, printed)}")
    if not table.placed:
        raise ValueError(f"{artefact}: expected names of printed values, got {', '.join(table.values)}")
    return table


def _values(reference: Path) -> dict[str, dict[str, Printed]]:
    """Artefact -> its printed values by name."""
    found: dict[str, dict[str, Printed]] = {}
    for path in sorted(reference.glob("*.csv")):
        if path.stem != SENTENCES:
            for name, value in read_values(path).items():
                found.setdefault(value.artefact, {})[name] = value
    return found


def _names(names: Mapping[str, str] | list[str]) -> dict[str, str]:
    return dict(names) if isinstance(names, Mapping) else {name: name for name in names}


def _keys(axes: Mapping[str, Axis]) -> list[dict[str, str]]:
    """One key of each axis, in all ways, the last axis fastest."""
    return [dict(zip(axes, keys)) for keys in product(*(axis.names for axis in axes.values()))]


def _labels(axes: Mapping[str, Axis], keys: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(axis.names[keys[name]] for name, axis in axes.items())
