"""What the papers print: values, sentences and the layout of tables, from a paper's folder ``reference``.

Each row of ``<study>.csv`` is one printed value:
``artefact, quantity, relation, published, precision, runs, sd, source``.

- ``relation``: ``=`` for a result, ``>`` or ``<`` for a bound ("more than 10 times"), ``setting`` for what
  the protocol gives (numbers of objects, parameters); settings are not judged.
- ``precision``: half a unit of the last printed digit, 0 for an exact result, or what the paper's words allow
  ("about 0.8"); ``source`` then explains it.
- ``runs``, ``sd``: the repetitions behind the value and their printed standard deviation; empty if there
  are none.

Each row of ``sentences.csv`` is one statement of the paper, in our words:
``sentence, place, sections, says``. ``sections`` are the numbers of the sections of ``place``, separated by
blanks; the abstract is 0.

``tables.toml`` lays out the printed tables. The CSV files are part of the keys of stored results, but a
layout is not::

    [axes.dataset]
    title = "data set"
    names = { iris = "Iris", wine = "Wine" }

    [tables.cecm-tab-05]
    rows = ["n_constraints", "xi"]
    columns = ["dataset"]
    values = ["ri_{dataset}_{n_constraints}_{xi}", "sd_{dataset}_{n_constraints}_{xi}"]

- ``names`` of an axis: the keys that fill the names of values, each with how it is printed; or a plain list.
- ``values``: names of the printed values of a cell; a second one is the standard deviation of the first.
- ``ours``, for settings, which no claim has to compare: ``table`` and ``column`` of the study with our value,
  in the row that has the keys in columns named like the axes.
- ``main = true``: the table is on the paper's page.
- ``in_text``: results that belong to the table and are printed in the text.
"""

import math
import tomllib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .parameters import suggestion

ROUNDING = 1e-12  # what a handful of floating-point operations on numbers below 1 may leave
RELATIONS = ("=", ">", "<")
SETTING = "setting"
SENTENCES = "sentences"
LAYOUTS = "tables.toml"
#: Outcomes of printed values that no claim judges.
NOT_JUDGED, AS_GIVEN, NOT_AS_GIVEN, NOT_COMPARED = "not judged", "as given", "not as given", "setting"
_MISSING = {"relation": "=", "runs": 0, "sd": np.nan}


# ---------------------------------------------------------------- values and sentences


@dataclass(frozen=True)
class Printed:
    """One printed value.

    Parameters
    ----------
    value : float
        The number.
    precision : float
        Half a unit of the last printed digit; 0 for an exact result.
    source : str
        Where the value is printed.
    relation : {"=", ">", "<", "setting"}, default="="
        Result, lower or upper bound, or setting of the protocol.
    runs : int, default=0
        Repetitions behind the value; 0 if it is not a statistic.
    sd : float, optional
        Printed standard deviation of the repetitions.
    quantity, artefact : str, optional
        Name of the value in the reference file, and the figure or table that prints it.
    row : tuple of float, optional
        The other values of its kind in its row of the printed table, from the next on.
    """

    value: float
    precision: float
    source: str
    relation: str = "="
    runs: int = 0
    sd: float | None = None
    quantity: str = ""
    artefact: str = ""
    row: tuple[float, ...] = ()

    def __str__(self) -> str:
        sign = "" if self.relation in ("=", SETTING) else f"{self.relation} "
        return f"{sign}{self.value:g} ({self.source})"

    @property
    def text(self) -> str:
        """The value as it is printed: 0.90 if half a unit of the last digit is 0.005."""
        sign = "" if self.relation in ("=", SETTING) else f"{self.relation} "
        short = f"{self.value:g}"
        if not self.precision or "e" in short:
            return f"{sign}{short}"
        digits = max(round(-math.log10(2 * self.precision)), len(short.partition(".")[2]))
        return f"{sign}{self.value:.{digits}f}"


def printed_values(module: str, study: str | None = None) -> dict[str, Printed]:
    """Read the printed values of a study from its reference file.

    Parameters
    ----------
    module : str
        ``__file__`` of the study, or of a module in the study's folder.
    study : str, optional
        Name of the reference file, if it is not the study's.

    Returns
    -------
    dict
        Quantity -> `Printed`.

    Raises
    ------
    FileNotFoundError
        If there is no such reference file above the module.
    ValueError
        If a quantity occurs twice, or a relation is unknown.
    """
    folder = _folder(Path(module))
    own = Path(module).relative_to(folder.parent).with_suffix("").parts[0]
    values = read_values(folder / f"{study or own}.csv")
    rows = {
        name: row
        for table in read_tables(folder.parent).values()
        for name, row in table.others_in_row.items()
    }
    return {name: replace(value, row=rows.get(name, ())) for name, value in values.items()}


def read_values(path: Path) -> dict[str, Printed]:
    """Return quantity -> printed value of one reference file; raises as `printed_values` does."""
    rows = pd.read_csv(path, dtype={"published": float, "precision": float, "sd": float})
    rows = rows.assign(**{name: value for name, value in _MISSING.items() if name not in rows})
    rows = rows.fillna({"relation": "=", "runs": 0})
    if not rows["quantity"].is_unique:
        raise ValueError(f"expected every quantity once, got duplicates in {path.name}")
    if unknown := set(rows["relation"]) - {*RELATIONS, SETTING}:
        raise ValueError(f"expected a relation among {', '.join((*RELATIONS, SETTING))}, got {unknown}")
    return {
        row.quantity: Printed(
            row.published,
            row.precision,
            row.source,
            row.relation,
            int(row.runs),
            None if np.isnan(row.sd) else row.sd,
            row.quantity,
            row.artefact,
        )
        for row in rows.itertuples()
    }


class Sentence(NamedTuple):
    """A statement of a paper, in our words; its sections are numbers, the abstract is 0."""

    statement: str
    place: str
    sections: Set[int]

    def __str__(self) -> str:
        return f"{self.statement} ({self.place})"


def read_sentences(paper: Path) -> Mapping[str, Sentence]:
    """Return name -> sentence of the paper in a folder; empty if the list is missing."""
    path = paper / "reference" / f"{SENTENCES}.csv"
    if not path.is_file():
        return {}
    rows = pd.read_csv(path, dtype=str).itertuples()
    return {row.sentence: Sentence(row.says, row.place, set(map(int, row.sections.split()))) for row in rows}


def _folder(module: Path) -> Path:
    for folder in module.parents:
        if (folder / "reference").is_dir():
            return folder / "reference"
    raise FileNotFoundError(f"expected a folder named reference above {module}, found none")


# ---------------------------------------------------------------- tables


@dataclass(frozen=True)
class Axis:
    """An axis of a table: its title, and for each key how it is printed."""

    title: str
    names: Mapping[str, str]


@dataclass(frozen=True)
class ComparedValue:
    """A printed value and ours, in words.

    ``outcome`` is that of its claims, or `NOT_JUDGED`, `AS_GIVEN`, `NOT_AS_GIVEN`, `NOT_COMPARED`.
    """

    printed: str
    ours: str
    outcome: str


@dataclass(frozen=True)
class FilledTable:
    """A printed table with our value in each cell.

    ``titles`` are those of the columns of row names, ``heads`` those of the others. Each row has its names
    and its cells; a cell has none, one or two values.
    """

    titles: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[tuple[ComparedValue, ...], ...]], ...]

    @property
    def has_deviations(self) -> bool:
        """Whether cells hold a standard deviation after their value."""
        return any(len(cell) > 1 for _, cells in self.rows for cell in cells)


@dataclass(frozen=True)
class PrintedTable:
    """The layout of a printed table, and the values in it.

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
        Names of the results of the table that are printed in the text.
    main : bool
        Whether it is on the paper's page.
    """

    rows: Mapping[str, Axis]
    columns: Mapping[str, Axis]
    values: tuple[str, ...]
    printed: Mapping[str, Printed]
    ours: Mapping[str, str] = field(default_factory=dict)
    in_text: tuple[str, ...] = ()
    main: bool = False

    @property
    def placed(self) -> list[str]:
        """Names of the printed values that have a cell."""
        keys = [row | column for row in _keys(self.rows) for column in _keys(self.columns)]
        names = [pattern.format(**cell) for cell in keys for pattern in self.values]
        return [name for name in names if name in self.printed]

    @property
    def others_in_row(self) -> dict[str, tuple[float, ...]]:
        """Name of each printed value that has a cell -> the others of its kind in its row, the next first."""
        found = {}
        for keys, pattern in product(_keys(self.rows), self.values):
            names = [pattern.format(**keys, **column) for column in _keys(self.columns)]
            names = [name for name in names if name in self.printed]
            for k, name in enumerate(names):
                found[name] = tuple(self.printed[other].value for other in names[k + 1 :] + names[:k])
        return found

    def fill(
        self, judged: Mapping[str, tuple[str, str]], tables: Mapping[str, pd.DataFrame]
    ) -> FilledTable | None:
        """Return the table with our value in each cell; None if we have none of the values.

        `judged` has ours in words, and the outcome of the claims, by the name of the printed value.
        """
        columns = _keys(self.columns)
        rows = tuple(
            (_labels(self.rows, row), tuple(self._cell(row | column, judged, tables) for column in columns))
            for row in _keys(self.rows)
        )
        found = {value.outcome for _, cells in rows for cell in cells for value in cell}
        if found <= {NOT_JUDGED, NOT_COMPARED}:
            return None
        heads = tuple(", ".join(_labels(self.columns, column)) for column in columns)
        return FilledTable(tuple(axis.title for axis in self.rows.values()), heads, rows)

    def _cell(
        self, keys: dict[str, str], judged: Mapping[str, tuple[str, str]], tables: Mapping[str, pd.DataFrame]
    ) -> tuple[ComparedValue, ...]:
        names = [name for name in (p.format(**keys) for p in self.values) if name in self.printed]
        return tuple(self._value(name, judged.get(name), keys, tables) for name in names)

    def _value(
        self,
        name: str,
        found: tuple[str, str] | None,
        keys: dict[str, str],
        tables: Mapping[str, pd.DataFrame],
    ) -> ComparedValue:
        value = self.printed[name]
        if value.relation != SETTING:
            return ComparedValue(value.text, *(found or ("", NOT_JUDGED)))
        ours = self._setting(keys, tables)
        if ours is None:
            return ComparedValue(value.text, "", NOT_COMPARED)
        return ComparedValue(value.text, f"{ours:g}", AS_GIVEN if ours == value.value else NOT_AS_GIVEN)

    def _setting(self, keys: dict[str, str], tables: Mapping[str, pd.DataFrame]) -> float | None:
        """Return our value of a setting; None if the study does not have it, or has several."""
        table = tables.get(self.ours.get("table", ""))
        if table is None:
            return None
        for axis, key in keys.items():
            if axis in table:
                table = table[table[axis].astype(str) == key]
        values = table[self.ours["column"].format(**keys)].unique()
        return float(values[0]) if len(values) == 1 else None


def read_tables(paper: Path) -> dict[str, PrintedTable]:
    """Return artefact -> printed table, of the paper in a folder; empty if no table is laid out.

    A layout that names an undeclared axis or a value that is not printed, or that places no value, raises a
    ValueError.
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
        layout.get("main", False),
    )
    for name in table.in_text:
        if name not in printed:
            raise ValueError(f"{artefact}: {name!r} is not printed{suggestion(name, printed)}")
    if not table.placed:
        raise ValueError(f"{artefact}: expected names of printed values, got {', '.join(table.values)}")
    return table


def _values(reference: Path) -> dict[str, dict[str, Printed]]:
    """Return artefact -> its printed values by name."""
    found: dict[str, dict[str, Printed]] = {}
    for path in sorted(reference.glob("*.csv")):
        if path.stem != SENTENCES:
            for name, value in read_values(path).items():
                found.setdefault(value.artefact, {})[name] = value
    return found


def _names(names: Mapping[str, str] | list[str]) -> dict[str, str]:
    return dict(names) if isinstance(names, Mapping) else {name: name for name in names}


def _keys(axes: Mapping[str, Axis]) -> list[dict[str, str]]:
    """Return all combinations of one key of each axis, the last axis fastest."""
    return [dict(zip(axes, keys)) for keys in product(*(axis.names for axis in axes.values()))]


def _labels(axes: Mapping[str, Axis], keys: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(axis.names[keys[name]] for name, axis in axes.items())
