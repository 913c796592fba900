r"""Tidy tables as CSV at full precision, with their dtypes in a JSON file.

Floats are written as the shortest text that reads back to the same number, and read by Python's exact parser;
dtypes (integers, booleans, text, categories, nullable integers and booleans) and missing values survive the
round trip. Text that is missing is written ``\N``, so that it differs from empty text. If the data of cases
are not available, a placeholder that shows the reason takes the place of a missing table.
"""

import html
import io
import json
from collections.abc import Mapping
from typing import Any, Self

import pandas as pd

ENDINGS = (".csv", ".dtypes.json")  # of the two files of a table
FAILURES = "failures"  # name of the table of cases without a result
LEFT_OUT = "left out"  # status of a case whose error has the attribute ``leaves_out``
MISSING_TEXT = r"\N"
_NUMBERS = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)} | {"float32", "float64"}
_NULLABLE = {"Int64", "boolean", "Float64"}


def table_files(name: str, table: pd.DataFrame) -> dict[str, bytes]:
    """Return the files of a table: its CSV, without the index, and its dtypes.

    A column whose type a CSV cannot give back (lists, dates, mixed objects) raises a TypeError that names it.
    """
    table, dtypes = _storable(table, name)
    csv = table.to_csv(index=False, na_rep=MISSING_TEXT, lineterminator="\n")
    kinds = json.dumps(dtypes, indent=1, ensure_ascii=False) + "\n"
    return {f"{name}{ending}": text.encode() for ending, text in zip(ENDINGS, (csv, kinds))}


def read_table(csv: bytes, kinds: bytes) -> pd.DataFrame:
    """Return the table of two files that :func:`table_files` made, with its dtypes."""
    dtypes = json.loads(kinds)
    if not dtypes:
        return pd.DataFrame()
    raw = pd.read_csv(
        io.StringIO(csv.decode(), newline=""),
        dtype=str,
        keep_default_na=False,
        na_values=[MISSING_TEXT],
        lineterminator="\n",
        skip_blank_lines=False,
    )
    return pd.DataFrame({name: _restored(raw[name], kind) for name, kind in dtypes.items()})


def identified(table: pd.DataFrame, case: dict, name: str) -> pd.DataFrame:
    """Return the table with the identifying columns of the case first; other values in them are an error."""
    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"table {name!r}: expected a pandas DataFrame, got {type(table).__name__}")
    if name == FAILURES:
        raise ValueError(f"a study cannot write the table {FAILURES!r}, which the runner writes")
    for column, value in case.items():
        if column in table and not (table[column] == value).all():
            raise ValueError(f"table {name!r}: column {column!r} differs from the case's {value!r}")
    front = pd.DataFrame({column: [value] * len(table) for column, value in case.items()}, index=table.index)
    rest = table[[column for column in table.columns if column not in case]]
    return pd.concat([front, rest], axis=1).reset_index(drop=True)


def stacked(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate tables; an empty one does not turn integers into floats."""
    filled = [frame for frame in frames if len(frame)] or frames[:1]
    return pd.concat(filled, ignore_index=True)


class LeftOut:
    """Placeholder that shows the reason; its attributes, items and results are placeholders, too.

    A notebook thus runs to its end even if data are missing, and each place that needs them shows the reason.
    """

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __getattr__(self, name: str) -> Self:
        if name.startswith("_"):  # protocols of IPython and copy
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Self:
        return self

    def __call__(self, *args: object, **options: object) -> Self:
        return self

    def __repr__(self) -> str:
        return f"left out: {self._reason}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"


class Tables(dict):
    """Tables by name; if cases were left out, a missing table is a `LeftOut`, not an error."""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        super().__init__(tables)
        self.reason = reason_left_out(tables)

    def __missing__(self, name: str) -> Any:
        if not self.reason:
            raise KeyError(name)
        return LeftOut(self.reason)


def reason_left_out(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return why cases were left out, each reason as the first line of its error; empty if none were."""
    if FAILURES not in tables:
        return ""
    failures = tables[FAILURES]
    reasons = failures.loc[failures["status"] == LEFT_OUT, "reason"]
    return "; ".join(dict.fromkeys(str(reason).splitlines()[0].rstrip(":") for reason in reasons))


def _restored(column: pd.Series, kind: str | dict) -> pd.Series:
    """Convert text to its dtype; numbers one by one by Python's parser, which is exact."""
    if isinstance(kind, dict):
        return column.astype(pd.CategoricalDtype(kind["category"], ordered=kind["ordered"]))
    if kind == "str":
        return column
    missing = pd.NA if kind in _NULLABLE else float("nan")
    read = {"b": {"True": True, "False": False}.__getitem__, "f": float}.get(kind[0].lower(), int)
    values = [missing if pd.isna(text) else read(text) for text in column]
    return pd.Series(pd.array(values, dtype=kind) if kind in _NULLABLE else values, dtype=kind)


def _storable(table: pd.DataFrame, name: str) -> tuple[pd.DataFrame, dict]:
    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"table {name!r}: expected a pandas DataFrame, got {type(table).__name__}")
    columns, dtypes = {}, {}
    for label in table.columns:
        if not isinstance(label, str) or label in columns:
            raise TypeError(f"table {name!r}: expected distinct text as column names, got {label!r}")
        columns[label], dtypes[label] = _column(table[label], f"table {name!r}, column {label!r}")
    return pd.DataFrame(columns, index=table.index), dtypes


def _column(column: pd.Series, where: str) -> tuple[pd.Series, str | dict]:
    kind = str(column.dtype)
    if kind in _NUMBERS | _NULLABLE | {"bool"}:
        return column, kind
    if isinstance(column.dtype, pd.CategoricalDtype):
        categories = column.cat.categories.tolist()
        if all(isinstance(c, str) for c in categories):
            return column.astype(object), {"category": categories, "ordered": bool(column.cat.ordered)}
    found = pd.api.types.infer_dtype(column, skipna=True)
    if found in ("string", "empty"):
        if (column == MISSING_TEXT).any():
            raise TypeError(
                f"{where}: the text {MISSING_TEXT!r} stands for a missing value and cannot be stored"
            )
        return column.astype(object), "str"
    better = {
        "boolean": "boolean",
        "integer": "Int64",
        "floating": "float64",
        "mixed-integer-float": "float64",
    }
    if found in better:
        return column.astype(better[found]), better[found]
    raise TypeError(f"{where}: expected numbers, booleans or text, got {kind} ({found})")
