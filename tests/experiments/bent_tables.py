"""Tables bent in many ways, one of which should make a claim come out false; else it says nothing."""

import dataclasses

import numpy as np
import pandas as pd

from credalbench.papers import NotCheckable

LABELS = 6  # of a column that names kinds of rows, so many are tried


def outcome(claim, params, tables):
    """What a claim says of tables that may be nonsense."""
    try:
        with np.errstate(all="ignore"):
            return claim(params, tables).holds
    except NotCheckable:
        return "not checkable"
    except Exception:
        return "stopped"


def bent_tables(read, params, tables):
    """Parameters and tables with one thing bent that a claim reads; last, a number among the parameters."""
    for name, columns in read.items():
        for bent in bent_columns(tables[name], columns):
            yield params, tables | {name: bent}
    for field in dataclasses.fields(params):
        value = getattr(params, field.name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield dataclasses.replace(params, **{field.name: value * 2 + 1}), tables


def columns_read(claim, params, tables) -> dict[str, list[str]]:
    """Table -> its columns without which the claim says something else, or stops."""
    answer, read = _answer(claim, params, tables), {}
    for name, table in tables.items():
        without = {other: tables[other] for other in tables if other != name}
        if len(table) == 0 or _answer(claim, params, without) == answer:
            continue
        smaller = {column: tables | {name: table.drop(columns=column)} for column in table}
        read[name] = [column for column in table if _answer(claim, params, smaller[column]) != answer]
    return read


def _answer(claim, params, tables):
    try:
        with np.errstate(all="ignore"):
            return claim(params, tables)
    except Exception as error:
        return type(error)


def bent_columns(table: pd.DataFrame, columns: list[str]):
    """The table again and again, each time bent: a column, some rows of one, or the order of the rows."""
    yield from moved_rows(table, columns)
    for row in range(0, len(table), -(-len(table) // LABELS)):  # every object is as one is
        yield table.assign(**{c: table[c].iloc[row] for c in table[columns].select_dtypes("number")})
    kinds = [c for c in columns if not pd.api.types.is_numeric_dtype(table[c]) or table[c].nunique() < 5]
    for column in columns:
        values = table[column]
        if pd.api.types.is_bool_dtype(values):
            yield table.assign(**{column: ~values})
        elif pd.api.types.is_numeric_dtype(values):
            yield from (table.assign(**{column: bent}) for bent in bent_numbers(values))
            for kind in kinds:
                for label in pd.unique(table[kind])[:LABELS]:
                    yield from bent_where(table, columns, column, table[kind] == label)
        elif values.nunique() > 1:
            labels = list(pd.unique(values))
            yield table.assign(**{column: values.map(dict(zip(labels, labels[1:] + labels[:1])))})


def moved_rows(table: pd.DataFrame, columns: list[str]):
    """What is said of one object is said of another."""
    for first in range(1, len(columns)):
        moved = table[columns[first:]].to_dict("series")
        yield table.assign(**{c: np.roll(v.to_numpy(), len(v) // 3 + 1) for c, v in moved.items()})
        yield table.assign(**{c: v.to_numpy()[::-1] for c, v in moved.items()})


def bent_numbers(values: pd.Series):
    ramp = np.linspace(1, 50, len(values)) if len(values) > 1 else np.array([50.0])
    yield from (values * ramp + 1, values * ramp[::-1] + 1, -values, values * 0, values + 7, values - 7)
    yield values.to_numpy()[::-1]


def bent_where(table: pd.DataFrame, columns: list[str], column: str, chosen: pd.Series):
    values = table[column].astype(float)
    for factor, shift in ((1000, 0), (0.001, 0), (1, 10), (1, -10), (0, 0), (0, 1)):
        yield table.assign(**{column: values.where(~chosen, values * factor + shift)})
    for law in table[columns].select_dtypes("number").drop(columns=column):  # steeper than any noise
        if 1 < table[law].nunique() <= 10 and (table[law] > 0).all():
            for power in (12.0, -12.0):
                yield table.assign(**{column: values.where(~chosen, values * table[law] ** power)})
