"""Names of objects: the index of a table, where it says more than row numbers do.

They are held as a `pandas.Index`, which cannot be written to. A table whose rows are merely counted from 0
has no names. Where there are names, an object is asked for by its name. An integer is a name where names are
numbers, as after some rows of a table were dropped; else it is a row, counted from 0.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from credalbench.arguments import expect, shown

if TYPE_CHECKING:
    import pandas as pd

EXAMPLES = 3  # names that a message shows
#: Kinds of names, in the words of pandas, among which an integer is a name.
NUMBERED = ("integer", "floating", "mixed-integer", "mixed-integer-float")
PLAIN = "iufbmM"  # kinds of arrays that a file keeps as they are


def as_index(names: Iterable | None, n: int) -> pd.Index | None:
    """Names of n objects as an index; None where there are none, or where they only count the rows from 0.

    Raises
    ------
    ValueError
        Another number of names.
    """
    if names is None:
        return None
    import pandas as pd

    expect(isinstance(names, Iterable) and not isinstance(names, str), f"an index of {n} names", names)
    given = names if hasattr(names, "dtype") else list(names)
    index = given if isinstance(given, pd.Index) else pd.Index(given)
    expect(len(index) == n, f"an index of {n} names", len(index))
    counts = isinstance(index, pd.RangeIndex) and index.name is None and index.equals(pd.RangeIndex(n))
    return None if counts else index


def names_of(X: object, *, square: bool = False) -> pd.Index | None:
    """Names of the objects in `X`, anything: the index of a DataFrame or Series, if it has names.

    With `square`, an (n, n) DataFrame holds dissimilarities, whose columns name the objects, too.

    Raises
    ------
    ValueError
        Rows and columns of dissimilarities name different objects, or in another order.
    """
    if not (hasattr(X, "iloc") and hasattr(X, "index")):
        return None
    rows = as_index(X.index, len(X))
    if not square or X.ndim != 2 or X.shape[0] != X.shape[1]:
        return rows
    columns = as_index(X.columns, X.shape[1])
    if rows is None or columns is None:
        return columns if rows is None else rows
    differ = [(a, b) for a, b in zip(rows, columns) if str(a) != str(b)]  # a file makes text of numbers
    expect(not differ, "rows and columns that name the same objects in the same order", differ[:EXAMPLES])
    return rows


def same_names(first: pd.Index | None, second: pd.Index | None) -> bool:
    """Whether two indices, or none, name the same objects in the same order."""
    if first is None or second is None:
        return first is second
    return bool(first.equals(second) or first.astype(object).equals(second.astype(object)))


def common_names(indices: Iterable[pd.Index | None]) -> pd.Index | None:
    """The names of the objects of several partitions: those that some have, if they agree.

    Raises
    ------
    ValueError
        They do not.
    """
    named = [index for index in indices if index is not None]
    agree = all(same_names(named[0], index) for index in named)
    first = [index[:EXAMPLES].tolist() for index in named]
    expect(agree, "partitions of the same objects in the same order", first)
    return named[0] if named else None


def rows_of(names: Sequence[Hashable], index: pd.Index | None, n: int) -> np.ndarray:
    """The rows (m,) of objects by their names, or by row where there are none, or none that are numbers.

    Raises
    ------
    ValueError
        An object that there is not, or a name that several objects have.
    """
    by_number = index is None or index.inferred_type not in NUMBERED
    found: dict[Hashable, int] = {}
    for name in dict.fromkeys(names):
        counted = by_number and isinstance(name, Integral) and not isinstance(name, bool)
        found[name] = _counted(name, n) if counted else _named(name, index, n)
    return np.array([found[name] for name in names], dtype=np.int64)


def row_of(name: Hashable, index: pd.Index | None, n: int) -> int:
    """The row of one object; see `rows_of`."""
    return int(rows_of([name], index, n)[0])


def name_of(row: int, index: pd.Index | None) -> Hashable:
    """The name of the object in a row; its number from 0 where there are no names."""
    name = row if index is None else index[row]
    return name.item() if isinstance(name, np.generic) else name


def _counted(row: Integral, n: int) -> int:
    expect(0 <= row < n, f"an object in 0..{n - 1}", int(row))
    return int(row)


def _named(name: Hashable, index: pd.Index | None, n: int) -> int:
    expect(index is not None, f"an object in 0..{n - 1}, as no names were given", name)
    examples = ", ".join(map(repr, index[:EXAMPLES].tolist())) + ", ..." * (n > EXAMPLES)
    try:
        place = index.get_loc(name)
    except (KeyError, TypeError):
        raise ValueError(f"expected the name of an object ({examples}), got {shown(name)}") from None
    rows = np.atleast_1d(np.arange(n)[place])
    expect(len(rows) == 1, f"a name that one object has, and {name!r} is that of rows", rows[:5].tolist())
    return int(rows[0])


# ---------------------------------------------------------------- in files


def pack_index(index: pd.Index) -> dict[str, np.ndarray]:
    """Names as plain arrays: numbers and dates as they are, text and what is mixed as JSON.

    Raises
    ------
    TypeError
        Names that are no numbers, dates, text or tuples of these.
    """
    values = index.to_numpy()
    try:
        titles = np.array(json.dumps(list(index.names)))
        if values.dtype.kind not in PLAIN:
            values = np.array(json.dumps([_plain(name) for name in values.tolist()]))
    except TypeError as error:
        raise TypeError(f"expected names that are numbers, dates or text, to write them: {error}") from None
    return {"index": values, "index_names": titles}


def unpack_index(values: np.ndarray, titles: np.ndarray) -> pd.Index:
    """The names that `pack_index` made arrays of."""
    import pandas as pd

    titles = json.loads(str(titles))
    if values.ndim == 1:
        return pd.Index(values, name=titles[0])
    names = [tuple(name) if isinstance(name, list) else name for name in json.loads(str(values))]
    if len(titles) > 1:
        return pd.MultiIndex.from_tuples(names, names=titles)
    return pd.Index(names, name=titles[0], tupleize_cols=False)


def _plain(name: object) -> object:
    """A name as JSON has it: numpy's numbers as Python's, a tuple of names as a list."""
    if isinstance(name, tuple):
        return [_plain(part) for part in name]
    return name.item() if isinstance(name, np.generic) else name
