r"""Tidy tables as CSV at full precision, with their dtypes in a JSON file.

Floats are written as the shortest text that reads back to the same number, and read by Python's exact parser;
dtypes (integers, booleans, text, categories, nullable integers and booleans) and missing values survive the
round trip. Text that is missing is written ``\N``, so that it differs from empty text. A table that
is read must have the rows and the checksums with which it was written.
"""

import io
import json
from pathlib import Path
from typing import TypedDict

import pandas as pd

from .sealed import Damaged, checksum, read_checked, write_bytes

MISSING_TEXT = r"\N"
_NUMBERS = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)} | {"float32", "float64"}
_NULLABLE = {"Int64", "boolean", "Float64"}


class Written(TypedDict):
    """Proof of a stored table: its number of rows, and the checksums of its CSV and its dtypes file."""

    rows: int
    csv: str
    dtypes: str


def write_table(table: pd.DataFrame, path: Path) -> Written:
    """Write ``path`` (CSV) and ``path`` with the suffix ``.dtypes.json``; the index is dropped.

    A column whose type a CSV cannot give back (lists, dates, mixed objects) raises a TypeError that names it.
    """
    table, dtypes = _storable(table, path.stem)
    csv = table.to_csv(index=False, na_rep=MISSING_TEXT, lineterminator="\n").encode()
    kinds = (json.dumps(dtypes, indent=1, ensure_ascii=False) + "\n").encode()
    write_bytes(path, csv)
    write_bytes(_kinds_path(path), kinds)
    return {"rows": len(table), "csv": checksum(csv), "dtypes": checksum(kinds)}


def check_table(path: Path, written: Written) -> tuple[bytes, bytes]:
    """Return the two files of a table, CSV and dtypes, as bytes; they must be what was written."""
    return read_checked(path, written["csv"]), read_checked(_kinds_path(path), written["dtypes"])


def read_table(path: Path, written: Written) -> pd.DataFrame:
    """Return the table that :func:`write_table` wrote, with its dtypes; raise as :func:`check_table` does."""
    csv, kinds = check_table(path, written)
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
    if len(raw) != written["rows"]:
        raise Damaged(path, f"has {len(raw)} rows, expected {written['rows']}")
    return pd.DataFrame({name: _restored(raw[name], kind) for name, kind in dtypes.items()})


def _kinds_path(path: Path) -> Path:
    return path.with_suffix(".dtypes.json")


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
