"""Names of objects: the index of a table, unless it is the default index 0, 1, 2, ...

Names are stored as a `pandas.Index`, which is immutable. A table with the default index has no names. If
there are names, they identify the objects. An integer is a name if names are numbers, as after some rows of
a table were dropped; otherwise it is a row, counted from 0.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from credalbench.core.arguments import expect, shown

if TYPE_CHECKING:
    import pandas as pd

EXAMPLES = 3  # at most this many names in a message
#: Kinds of names, as pandas calls them, for which an integer is a name.
NUMBERED = ("integer", "floating", "mixed-integer", "mixed-integer-float")
PLAIN = "iufbmM"  # kinds of arrays that a file keeps unchanged


def as_index(names: Iterable | None, n: int) -> pd.Index | None:
    """Return names of n objects as an index; None if there are none, or if they are 0, 1, ..., n - 1.

    Another number of names raises a ValueError.

    >>> as_index(["a", "b"], 2).tolist()
    ['a', 'b']
    """
    if names is None:
        return None
    import pandas as pd

    listed = isinstance(names, Iterable) and not isinstance(names, str)
    listed = listed and getattr(names, "ndim", 1) == 1
    expect(listed, f"an index of {n} names", names)
    given = names if hasattr(names, "dtype") else list(names)
    index = given if isinstance(given, pd.Index) else pd.Index(given)
    expect(len(index) == n, f"an index of {n} names", len(index))
    counts = isinstance(index, pd.RangeIndex) and index.name is None and index.equals(pd.RangeIndex(n))
    return None if counts else index


def names_of(X: object, *, square: bool = False) -> pd.Index | None:
    """Return the names of the objects in data of any type: the index of a DataFrame or Series, or None.

    With `square`, the columns of an (n, n) DataFrame of dissimilarities also name the objects; names or
    an order that differ from those of the rows raise a ValueError.
    """
    if not (hasattr(X, "iloc") and hasattr(X, "index")):
        return None
    rows = as_index(X.index, len(X))
    if not square or X.ndim != 2 or X.shape[0] != X.shape[1]:
        return rows
    columns = as_index(X.columns, X.shape[1])
    if rows is None or columns is None:
        return columns if rows is None else rows
    differ = [(a, b) for a, b in zip(rows, columns) if str(a) != str(b)]  # a file turns numbers into text
    expect(not differ, "rows and columns that name the same objects in the same order", differ[:EXAMPLES])
    return rows


def same_names(first: pd.Index | None, second: pd.Index | None) -> bool:
    """Return whether two indices name the same objects in the same order, or both are None."""
    if first is None or second is None:
        return first is second
    return bool(first.equals(second) or first.astype(object).equals(second.astype(object)))


def common_names(indices: Iterable[pd.Index | None]) -> pd.Index | None:
    """Return the names of the objects of several partitions, or None if none has names.

    Names that differ raise a ValueError.
    """
    named = [index for index in indices if index is not None]
    agree = all(same_names(named[0], index) for index in named)
    first = [index[:EXAMPLES].tolist() for index in named]
    expect(agree, "partitions of the same objects in the same order", first)
    return named[0] if named else None


def rows_of(names: Sequence[Hashable], index: pd.Index | None, n: int) -> np.ndarray:
    """Return the rows (m,), from 0, of m objects with given `names` in the `index` of all n objects.

    Without an index, and if names are not numbers, integers are rows. An object that does not exist, or a
    name of several objects, raises a ValueError.

    >>> rows_of(["b", 0], as_index(["a", "b"], 2), 2)
    array([1, 0])
    """
    by_number = index is None or index.inferred_type not in NUMBERED
    found: dict[Hashable, int] = {}
    for name in names:
        expect(isinstance(name, Hashable), "the name or the row of an object", name)
    for name in dict.fromkeys(names):
        if by_number and isinstance(name, Integral) and not isinstance(name, bool):
            expect(0 <= name < n, f"an object in 0..{n - 1}", int(name))
            found[name] = int(name)
        else:
            found[name] = _named(name, index, n)
    return np.array([found[name] for name in names], dtype=np.int64)


def row_of(name: Hashable, index: pd.Index | None, n: int) -> int:
    """Return the row of one object; see `rows_of`."""
    return int(rows_of([name], index, n)[0])


def name_of(row: int, index: pd.Index | None) -> Hashable:
    """Return the name of the object in a row, or the row itself without names; not as a numpy scalar."""
    name = row if index is None else index[row]
    return name.item() if isinstance(name, np.generic) else name


def _named(name: Hashable, index: pd.Index | None, n: int) -> int:
    expect(index is not None, f"an object in 0..{n - 1}, since there are no names", name)
    examples = ", ".join(map(repr, index[:EXAMPLES].tolist())) + ", ..." * (n > EXAMPLES)
    try:
        place = index.get_loc(name)
    except (KeyError, TypeError):
        got = shown(name.item() if isinstance(name, np.generic) else name)
        raise ValueError(f"expected the name of an object ({examples}), got {got}") from None
    rows = np.atleast_1d(np.arange(n)[place])
    expect(len(rows) == 1, f"a single row with the name {name!r}", rows[:5].tolist())
    return int(rows[0])


# ---------------------------------------------------------------- in files


def pack_index(index: pd.Index) -> dict[str, np.ndarray]:
    """Return names as plain arrays "index" and "index_names": text and mixed names become JSON.

    Times of a zone are stored as those of UTC, with a third array "index_zone". Names that are not numbers,
    times, text or tuples of numbers and text raise a TypeError.
    """
    zone = getattr(index, "tz", None)
    packed = {} if zone is None else {"index_zone": np.array(str(zone))}
    values = (index if zone is None else index.tz_convert(None)).to_numpy()
    try:
        if zone is not None:
            index.tz_convert(str(zone))  # raises a KeyError if the zone has no name
        titles = np.array(json.dumps(list(index.names)))
        if values.dtype.kind not in PLAIN:
            values = np.array(json.dumps([_plain(name) for name in values.tolist()]))
    except (KeyError, TypeError):
        raise TypeError(
            f"expected names that are numbers, times or text, to write them, got {index[0]!r}; "
            "partition.named(...) sets others"
        ) from None
    return packed | {"index": values, "index_names": titles}


def unpack_index(values: np.ndarray, titles: np.ndarray, zone: np.ndarray | None = None) -> pd.Index:
    """Return the names from the arrays of `pack_index`."""
    import pandas as pd

    titles = json.loads(str(titles))
    if values.ndim == 1:
        index = pd.Index(values, name=titles[0])
        return index if zone is None else index.tz_localize("UTC").tz_convert(str(zone))
    names = [tuple(name) if isinstance(name, list) else name for name in json.loads(str(values))]
    if len(titles) > 1:
        return pd.MultiIndex.from_tuples(names, names=titles)
    return pd.Index(names, name=titles[0], tupleize_cols=False)


def _plain(name: object) -> object:
    """Return a name for JSON: numpy's numbers as Python's, a tuple of names as a list."""
    if isinstance(name, tuple):
        return [_plain(part) for part in name]
    return name.item() if isinstance(name, np.generic) else name
