"""Tables of categories as small integers: the values of each attribute, and the value of each object.

A table is a pandas DataFrame with columns of any type, a numpy array, or a list of rows. Only equality of
values matters: 1, 1.0 and True are one value, "1" is another. None, NaN, NaT and NA are missing.

The values of an attribute have an order, which has no meaning and is the same in every run: the declared
order of a column of pandas' category dtype; else the sorted order; if values cannot be sorted (numbers and
text), the order of first appearance. Values that a category dtype declares but no object has are left out.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from credalbench.core.arguments import Choice, expect, expect_count, expect_in_memory, shown
from credalbench.core.blocks import Blocks
from credalbench.core.checks import checked_columns, expect_table
from credalbench.core.resources import user_stacklevel
from credalbench.core.threads import each_row, in_file

if TYPE_CHECKING:
    import pandas as pd

#: Treatment of missing values: raise an error; treat them as a value; leave the attribute out of the sums of
#: the object.
MISSING = ("error", "category", "ignore")
NAMED = 3  # at most this many unseen values in a message


@dataclass(frozen=True, eq=False)
class Domain:
    """The values of each attribute, and their rows in a stacked table.

    An attribute has ``n_l + 2`` rows in a stacked table: one for each value, one for any value that was
    unknown when the domain was read, and one for ignored missing values.

    Parameters
    ----------
    names : tuple
        Names of the p attributes: those of the columns, or their numbers from 0.
    categories : tuple of p arrays (n_l,)
        The values of each attribute, in order; if missing values count as a value, it is last, as None.
    missing : {"error", "category", "ignore"}
        Treatment of missing values.
    blank_rows : bool, default False
        Whether objects may have no value at all under "ignore".
    """

    names: tuple[Hashable, ...]
    categories: tuple[np.ndarray, ...]
    missing: str
    blank_rows: bool = False

    # ------------------------------------------------------------------ rows of a stacked table

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of values of each attribute, n_l: (p,)."""
        return np.array([len(values) for values in self.categories], dtype=np.int64)

    @cached_property
    def starts(self) -> np.ndarray:
        """First row of each attribute: (p,)."""
        return np.concatenate([[0], np.cumsum(self.sizes + 2)[:-1]]).astype(np.int64)

    @cached_property
    def n_rows(self) -> int:
        """Number of rows of all attributes."""
        return int((self.sizes + 2).sum())

    @cached_property
    def attributes(self) -> np.ndarray:
        """Attribute of each row: (n_rows,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes + 2)

    @cached_property
    def unseen(self) -> np.ndarray:
        """Rows for values that an attribute did not have: (p,)."""
        return self.starts + self.sizes

    @cached_property
    def left_out(self) -> np.ndarray:
        """Rows for ignored missing values: (p,)."""
        return self.starts + self.sizes + 1

    def stack(self, weights: Sequence[npt.ArrayLike]) -> np.ndarray:
        """Stack weights of the values of each attribute in one table.

        Parameters
        ----------
        weights : sequence of p arrays (c, n_l)
            Weights of the values of each attribute.

        Returns
        -------
        array of shape (n_rows, c)
            Unknown values have weight 0. Ignored missing values have weight 1: they never mismatch.
        """
        table = np.zeros((self.n_rows, len(weights[0])))
        for first, size, block in zip(self.starts, self.sizes, weights):
            table[first : first + size] = np.transpose(block)
        table[self.left_out] = 1.0
        return table

    def stack_objects(self, codes: np.ndarray) -> np.ndarray:
        """Stack objects as prototypes whose own values have weight 1.

        Parameters
        ----------
        codes : (c, p) array of unsigned integers
            Codes of the objects.

        Returns
        -------
        array of shape (n_rows, c)
            Of zeros and ones.
        """
        table = np.zeros((self.n_rows, len(codes)))
        table[self.starts + codes, np.arange(len(codes))[:, None]] = 1.0
        table[self.left_out] = 1.0
        return table

    def unstack(self, table: np.ndarray) -> list[np.ndarray]:
        """Invert `stack`.

        Parameters
        ----------
        table : array of shape (n_rows, c)
            Stacked weights.

        Returns
        -------
        list of p arrays (c, n_l)
            Weights of the values of each attribute.
        """
        return [table[first : first + size].T.copy() for first, size in zip(self.starts, self.sizes)]

    # ------------------------------------------------------------------ objects

    def encode(self, X: pd.DataFrame | np.ndarray, name: str = "X") -> tuple[np.ndarray, dict]:
        """Return codes of other objects, and their unknown values.

        Parameters
        ----------
        X : (n, p) table as returned by `as_table`
            The objects.
        name : str, default "X"
            Name of the table in messages.

        Returns
        -------
        codes : (n, p) array of unsigned integers
            An unknown value has the code n_l, an ignored missing one n_l + 1.
        unseen : dict
            Attribute name -> list of unknown values.

        Raises
        ------
        ValueError
            If values are missing under ``missing="error"``, an object has no value, or a number is infinite.
        """
        columns, unseen = [], {}
        coded = (_coded(label, values, self.missing, name) for label, values in _columns(X))
        for label, known, (codes, found) in zip(self.names, self.categories, coded):
            places = self._places(known, found)
            others = found[places[:-1] == len(known)].tolist()
            if places[-1] == len(known) and (codes < 0).any():
                others.append(None)
            if others:
                unseen[label] = others
            columns.append(places[codes].astype(np.min_scalar_type(len(known) + 1)))
        codes = np.stack(columns, axis=1)
        self.expect_values(codes, name)
        return codes, unseen

    def encode_new(self, X: pd.DataFrame | np.ndarray) -> np.ndarray:
        """Return codes of new objects; warn about unknown values, by name.

        Parameters
        ----------
        X : (n, p) table as returned by `as_table`
            The objects.

        Returns
        -------
        (n, p) array of unsigned integers
            See `encode`.
        """
        codes, unseen = self.encode(X)
        if unseen:
            text = f"values that did not occur in fit differ from all prototypes: {list_unseen(unseen)}"
            warnings.warn(text, UserWarning, stacklevel=user_stacklevel())
        return codes

    def encode_prototypes(self, init: npt.ArrayLike | pd.DataFrame, n_clusters: int) -> np.ndarray:
        """Return the codes of prototypes from a table of values.

        Parameters
        ----------
        init : (n_clusters, p) table
            Values of the prototypes.
        n_clusters : int
            Number of prototypes.

        Returns
        -------
        (n_clusters, p) array of unsigned integers
            Codes of known values.

        Raises
        ------
        ValueError
            If the shape differs, or values are unknown or missing.
        """
        shape = n_clusters, len(self.names)
        try:
            X = as_table(init)
        except ValueError as error:
            raise ValueError(f"expected init of shape {shape}: {error}") from error
        expect(X.shape == shape, f"init of shape {shape}", X.shape)
        codes, unseen = self.encode(X, "init")
        expect(not unseen, "values in init that the objects have", list_unseen(unseen))
        expect((codes < self.sizes).all(), "a value of each attribute in init", init)
        return codes

    def _places(self, known: np.ndarray, found: np.ndarray):
        """Return the code of each value of `found` among those `known`, then that of a missing value."""
        import pandas as pd

        n = len(known)
        has_none = self.missing == "category" and known[-1] is None
        index = pd.Index(known[: n - has_none], tupleize_cols=False)
        places = index.get_indexer(pd.Index(found, tupleize_cols=False))
        places[places < 0] = n
        return np.append(places, n + 1 if self.missing == "ignore" else n - has_none)

    def expect_values(self, codes: np.ndarray, name: str) -> None:
        """Raise an error if all values of an object are ignored, unless `blank_rows`.

        Parameters
        ----------
        codes : (n, p) array
            Codes of the objects.
        name : str
            Name of the table in the message.

        Raises
        ------
        ValueError
            If an object has no value; the message names its row.
        """
        if self.missing == "ignore" and not self.blank_rows:
            blank = (codes == self.sizes + 1).all(axis=1)
            expected = f"at least one value in each row of {name} with missing='ignore'"
            expect(not blank.any(), expected, f"none in row {int(blank.argmax())}")

    def scales(self, codes: np.ndarray, normalize: bool) -> np.ndarray:
        """Return the factor of the mismatches of each object: 1, or one over its number of attributes.

        Parameters
        ----------
        codes : (n, p) array
            Codes of the objects.
        normalize : bool
            Whether to divide by the number of attributes that are not ignored.

        Returns
        -------
        array of shape (n,)
            In (0, 1].
        """
        n, p = codes.shape
        if not normalize:
            return np.broadcast_to(1.0, n)
        if self.missing != "ignore":
            return np.broadcast_to(1.0 / p, n)
        return each_row(codes, lambda codes: 1.0 / (codes != self.sizes + 1).sum(axis=1))

    def frame(self, columns: Sequence[npt.ArrayLike]) -> pd.DataFrame:
        """Return a readable table of clusters.

        Parameters
        ----------
        columns : sequence of p arrays (c,)
            Values of the clusters in each attribute.

        Returns
        -------
        pandas.DataFrame
            With the attributes as columns.
        """
        import pandas as pd

        cells = (
            pd.Series(column, dtype=object) for column in columns
        )  # keep None: inferred, it would be NaN
        frame = pd.concat([cell if cell.isna().any() else cell.infer_objects() for cell in cells], axis=1)
        frame.columns = pd.Index(self.names, tupleize_cols=False)
        return frame.rename_axis(index="cluster")


def as_table(X: npt.ArrayLike | pd.DataFrame, least: int = 1) -> pd.DataFrame | np.ndarray:
    """Return a table of categories with two dimensions and enough objects, without checking its values.

    Parameters
    ----------
    X : (n, p) DataFrame, array or list of rows
        Values of the objects.
    least : int, default 1
        Minimum number of objects.

    Returns
    -------
    (n, p) DataFrame or array
        `X` itself, or an array of objects if it was a list.

    Raises
    ------
    ValueError, TypeError
        If X does not have two dimensions, has too few objects or no attribute, has complex numbers, or is
        sparse.
    """
    import pandas as pd

    expect_count("least", least, 1)
    expect_in_memory(X)
    expect_table(X)
    if isinstance(X, pd.DataFrame):
        n, p = X.shape
        expect(n >= least, f"a table of at least {least} objects", f"n_samples = {n}")
        expect(p >= 1, "a table of at least one attribute", f"n_features = {p}")
        return X
    kind = None if hasattr(X, "dtype") else object  # a list keeps the types of its values
    X = check_array(X, dtype=kind, ensure_all_finite=False, ensure_min_samples=least)
    if X.dtype.kind == "f" and X.dtype.itemsize not in (4, 8):
        return X.astype(np.float64)  # pandas has no index of other floats
    return X


def read_table(
    X: pd.DataFrame | np.ndarray, missing: str = "error", blank_rows: bool = False
) -> tuple[np.ndarray, Domain]:
    """Return codes of the objects of a table, and the domain of its attributes.

    Parameters
    ----------
    X : (n, p) table as returned by `as_table`
        The objects.
    missing : {"error", "category", "ignore"}, default "error"
        Treatment of missing values.
    blank_rows : bool, default False
        Whether objects may have no value at all under "ignore", because they have values elsewhere.

    Returns
    -------
    codes : (n, p) array of unsigned integers, C-contiguous
        Number of each value among those of its attribute; n_l + 1 if it is ignored. The type is the smallest
        possible.
    domain : Domain
        The values of the attributes.

    Raises
    ------
    ValueError
        If a value is missing under ``missing="error"`` (the message names row and column), a number is
        infinite, values cannot be hashed, or, under "ignore", an object or an attribute has no value.

    Notes
    -----
    O(n p), and a sort of the values of each attribute.

    Examples
    --------
    >>> codes, domain = read_table(as_table([["red", 4], ["blue", 2], ["red", 2]]))
    >>> codes.tolist(), domain.categories[0].tolist()
    ([[1, 1], [0, 0], [1, 0]], ['blue', 'red'])
    """
    right = (hasattr(X, "iloc") or isinstance(X, np.ndarray)) and X.ndim == 2
    expect(right and X.shape[1] > 0, "a DataFrame or an array with columns", X)
    Choice(*MISSING).read("missing", missing)
    columns, domain = _read_columns(_columns(X), missing, blank_rows)
    codes = np.stack(columns, axis=1)
    domain.expect_values(codes, "X")
    return codes, domain


def _read_columns(columns: Iterable[tuple[Hashable, object]], missing: str, blank_rows: bool):
    """Return the codes of each column, (n,) arrays of the smallest types, and their domain."""
    names, categories, all_codes = [], [], []
    for label, values in columns:
        codes, known = _coded(label, values, missing, "X")
        lost = codes < 0
        if missing == "category" and lost.any():
            codes[lost] = len(known)
            known = np.append(known.astype(object), [None])
        elif missing == "ignore":
            codes[lost] = len(known) + 1
        expected = f"at least one value in each column of X with missing={missing!r}"
        expect(len(known) > 0, expected, f"none in {label!r}")
        names.append(label)
        categories.append(known)
        all_codes.append(codes.astype(np.min_scalar_type(len(known) + 1)))
    return all_codes, Domain(tuple(names), tuple(categories), missing, blank_rows)


def read_table_blocks(estimator: BaseEstimator, X: object, missing: str) -> tuple[np.ndarray, Domain]:
    """Return what `read_table` returns, for a table in blocks: one pass finds the values, another codes them.

    The values of an attribute are those of all blocks. They have the order that a category dtype declares if
    all blocks have the same dtype.

    Parameters
    ----------
    estimator : estimator
        Its number and names of features are set to those of the first block.
    X : memory map, dask array or DataFrame, or function that returns an iterator of blocks
        Table of categories.
    missing : {"error", "category", "ignore"}
        Treatment of missing values.

    Returns
    -------
    codes : (n, p) array of unsigned integers
        In a file.
    domain : Domain
        The values of the attributes, in all blocks.

    Raises
    ------
    ValueError
        As for `read_table`, or if a block has no rows or other columns than the first one. The message names
        the block, and the row in it.
    """

    def check(row: pd.DataFrame | np.ndarray, reset: bool) -> None:
        validate_data(estimator, row, reset=reset, skip_check_array=True)

    found = list(checked_columns(Blocks(X, as_table, partial(_distinct_values, missing=missing)), check))
    columns = ((parts[0][0], _joined([values for _, values in parts])) for parts in zip(*found))
    domain = _read_columns(columns, missing, False)[1]
    codes = in_file(Blocks(X, partial(codes_of_block, domain=domain)))
    expect(len(codes) >= 2, "X of at least 2 objects", len(codes))
    return codes, domain


def _distinct_values(X: pd.DataFrame | np.ndarray, missing: str):
    """Return the first row of a table, and name and distinct values of each column, as they first appear."""
    found = []
    for label, values in _columns(X):
        first = np.sort(np.unique(_coded(label, values, missing, "X")[0], return_index=True)[1])
        found.append((label, values[first] if isinstance(values, np.ndarray) else values.iloc[first]))
    return (X.iloc[:1] if hasattr(X, "iloc") else X[:1]), found


def codes_of_block(block: npt.ArrayLike | pd.DataFrame, domain: Domain) -> np.ndarray:
    """Return codes of a block of the objects that a domain was read from.

    Parameters
    ----------
    block : (n, p) DataFrame, array or list of rows
        Some of the objects.
    domain : Domain
        From `read_table_blocks`.

    Returns
    -------
    (n, p) array of unsigned integers
        Codes of their values.

    Raises
    ------
    ValueError
        If a value is not in the domain, since the blocks differ from those that were read before.
    """
    codes, unseen = domain.encode(as_table(block))
    expect(not unseen, "the values of the first pass", list_unseen(unseen))
    return codes


def _joined(parts: list):
    """Return the values of one column from its parts, Series or arrays."""
    import pandas as pd

    if any(isinstance(part, pd.Series) for part in parts):
        return pd.concat([pd.Series(part) for part in parts], ignore_index=True)
    kinds = {part.dtype.kind for part in parts}
    return np.concatenate(parts if len(kinds) == 1 else [part.astype(object) for part in parts])


def list_unseen(unseen: dict) -> str:
    """List unknown values, the first few of each attribute: "legs: 3, 7; tail: 'short'"."""
    parts = []
    for label, values in unseen.items():
        more = f" and {len(values) - NAMED} more" if len(values) > NAMED else ""
        parts.append(f"{label}: {', '.join(map(shown, values[:NAMED]))}{more}")
    return "; ".join(parts)


def _columns(X: pd.DataFrame | np.ndarray) -> Iterator[tuple[Hashable, object]]:
    """Yield the name and the values of each column of a table, as `pandas.factorize` takes them."""
    if isinstance(X, np.ndarray):
        yield from enumerate(X.T)
    else:
        yield from ((label, X.iloc[:, l]) for l, label in enumerate(X.columns))


def _coded(label: Hashable, values: object, missing: str, name: str):
    """Return the code of each value, -1 if it is missing, and the distinct values in order.

    (n,) values -> (n,) integers, (n_l,) array.
    """
    import pandas as pd

    if values.dtype == object and any(issubclass(kind, np.floating) for kind in {*map(type, values)}):
        # a numpy.float32 has another hash than the equal float of Python
        plain = [value.item() if isinstance(value, np.floating) else value for value in values]
        values = np.array(plain, dtype=object)
    try:
        codes, found = pd.factorize(values)
    except TypeError as error:
        raise ValueError(f"expected hashable values in column {label!r} of {name}: {error}") from error
    if missing == "error" and (codes < 0).any():
        raise ValueError(
            f"expected no missing value in {name} (None, NaN, NaT or NA; missing='category' or 'ignore' "
            f"accepts them), got one in row {int((codes < 0).argmax())} of column {label!r}"
        )
    order = _order(found)
    found = np.asarray(found)[order]
    infinite = [value for value in found.tolist() if isinstance(value, float) and math.isinf(value)]
    expect(not infinite, f"no infinite number in column {label!r} of {name}", infinite)
    places = np.full(len(found) + 1, -1)  # the last one is that of the code -1
    places[order] = np.arange(len(found))
    return places[codes], found


def _order(found: object):
    """Return the order of the distinct values of a column: declared, sorted, or unchanged."""
    declared = getattr(found, "codes", None)  # of pandas' Categorical
    if declared is not None:
        return np.argsort(declared)
    try:
        return np.argsort(np.asarray(found), kind="stable")
    except TypeError:  # values that cannot be compared
        return np.arange(len(found))
