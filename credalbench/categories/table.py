"""Tables of categories, read into small integers: which values an attribute has, and which an object has.

A table is a pandas DataFrame with columns of any type, a numpy array, or a list of rows. Values are compared
by equality alone: 1, 1.0 and True are one value, "1" is another. None, NaN, NaT and NA are missing.

The values of an attribute have an order, which means nothing and is the same in every run: the declared one
of a column of pandas' category dtype; else sorted; where values cannot be sorted (numbers beside texts), by
first appearance. Values that a category dtype declares but no object has are left out.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_array

from credalbench.arguments import expect, shown
from credalbench.resources import expect_memory, user_stacklevel

if TYPE_CHECKING:
    import pandas as pd

#: What may be done about missing values: refuse them; take them for a value of their own; leave the attribute
#: out of the sums of its object.
MISSING = ("error", "category", "ignore")
NAMED = 3  # unseen values that a message names


@dataclass(frozen=True, eq=False)
class Domain:
    """The values of each attribute, and where they stand when those of all attributes are stacked.

    An attribute has ``n_l + 2`` rows in a stacked table: one for each value, one for any value it did not
    have when the domain was read, and one for missing values that are left out.

    Parameters
    ----------
    names : tuple
        Names of the p attributes: those of the columns, or their numbers from 0.
    categories : tuple of p arrays (n_l,)
        The values of each attribute, in their order; a missing value that counts as one stands last, as None.
    missing : {"error", "category", "ignore"}
    """

    names: tuple[Hashable, ...]
    categories: tuple[np.ndarray, ...]
    missing: str

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
        """Rows of all attributes."""
        return int((self.sizes + 2).sum())

    @cached_property
    def attributes(self) -> np.ndarray:
        """The attribute of each row: (n_rows,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes + 2)

    @cached_property
    def unseen(self) -> np.ndarray:
        """The rows for values that an attribute did not have: (p,)."""
        return self.starts + self.sizes

    @cached_property
    def left_out(self) -> np.ndarray:
        """The rows for missing values that are left out: (p,)."""
        return self.starts + self.sizes + 1

    def expect_tables(self, count: int, n_clusters: int) -> None:
        """Refuse a fit that has not the memory for `count` stacked tables at a time.

        Raises
        ------
        NotEnoughMemory
        """
        values = int(self.sizes.sum())
        what = f"weights of {values} values in {n_clusters} clusters"
        expect_memory(8 * count * self.n_rows * n_clusters, what, "without the columns of most values")

    def stack(self, weights: Sequence[npt.ArrayLike]) -> np.ndarray:
        """Weights of the values of each attribute as one table: p arrays (c, n_l) -> (n_rows, c).

        A value that an attribute did not have weighs nothing. What is left out weighs 1: it mismatches never.
        """
        table = np.zeros((self.n_rows, len(weights[0])))
        for first, size, block in zip(self.starts, self.sizes, weights):
            table[first : first + size] = np.transpose(block)
        table[self.left_out] = 1.0
        return table

    def stack_objects(self, codes: np.ndarray) -> np.ndarray:
        """Objects as prototypes, their own values weigh 1: codes (c, p) -> (n_rows, c)."""
        table = np.zeros((self.n_rows, len(codes)))
        table[self.starts + codes, np.arange(len(codes))[:, None]] = 1.0
        table[self.left_out] = 1.0
        return table

    def unstack(self, table: np.ndarray) -> list[np.ndarray]:
        """The reverse of `stack`: (n_rows, c) -> p arrays (c, n_l)."""
        return [table[first : first + size].T.copy() for first, size in zip(self.starts, self.sizes)]

    # ------------------------------------------------------------------ objects

    def encode(self, X: pd.DataFrame | np.ndarray, name: str = "X") -> tuple[np.ndarray, dict]:
        """Codes of other objects, and the values that their attributes did not have.

        Parameters
        ----------
        X : table as `as_table` gives it, (n, p)
        name : str
            What messages call it.

        Returns
        -------
        codes : (n, p) array of unsigned integers
            A value that the attribute did not have gets n_l, a missing one that is left out n_l + 1.
        unseen : dict of attribute name -> list of such values

        Raises
        ------
        ValueError
            Missing values under ``missing="error"``; objects without any value; infinite numbers.
        """
        columns, unseen = [], {}
        for label, known, (codes, found) in zip(self.names, self.categories, self._coded_columns(X, name)):
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
        """Codes (n', p) of other objects; warns of values that the first ones do not have, by name."""
        codes, unseen = self.encode(X)
        if unseen:
            text = f"values that did not occur in fit, and mismatch all prototypes: {named(unseen)}"
            warnings.warn(text, UserWarning, stacklevel=user_stacklevel())
        return codes

    def encode_prototypes(self, init: npt.ArrayLike | pd.DataFrame, n_clusters: int) -> np.ndarray:
        """Codes (c, p) of prototypes that are given by a table of values.

        Raises
        ------
        ValueError
            Another shape; values that the objects do not have; missing ones that are left out.
        """
        shape = n_clusters, len(self.names)
        try:
            X = as_table(init)
        except ValueError as error:
            raise ValueError(f"expected init of shape {shape}: {error}") from error
        expect(X.shape == shape, f"init of shape {shape}", X.shape)
        codes, unseen = self.encode(X, "init")
        expect(not unseen, "values in init that the objects have", named(unseen))
        expect((codes < self.sizes).all(), "a value for each attribute in init", init)
        return codes

    def _coded_columns(self, X: pd.DataFrame | np.ndarray, name: str):
        return (_coded(label, values, self.missing, name) for label, values in _columns(X))

    def _places(self, known: np.ndarray, found: np.ndarray):
        """Code of each of the values `found` among those `known`, and last that of a missing value."""
        import pandas as pd

        n = len(known)
        has_none = self.missing == "category" and known[-1] is None
        index = pd.Index(known[: n - has_none], tupleize_cols=False)
        places = index.get_indexer(pd.Index(found, tupleize_cols=False))
        places[places < 0] = n
        return np.append(places, n + 1 if self.missing == "ignore" else n - has_none)

    def expect_values(self, codes: np.ndarray, name: str) -> None:
        """Refuse objects, codes (n, p), all of whose values are left out."""
        if self.missing == "ignore":
            blank = (codes == self.sizes + 1).all(axis=1)
            wanted = f"some value in each row of {name} with missing='ignore'"
            expect(not blank.any(), wanted, f"none in row {int(blank.argmax())}")

    def scales(self, codes: np.ndarray, normalize: bool) -> np.ndarray:
        """What multiplies the mismatches of each object: 1, or one over its number of attributes.

        Attributes that are left out do not count. Codes (n, p) -> (n,).
        """
        n, p = codes.shape
        if not normalize:
            return np.broadcast_to(1.0, n)
        if self.missing != "ignore":
            return np.broadcast_to(1.0 / p, n)
        return 1.0 / (codes != self.sizes + 1).sum(axis=1)

    def frame(self, columns: Sequence[npt.ArrayLike]) -> pd.DataFrame:
        """A readable table of clusters: p columns (c,), named as the attributes."""
        import pandas as pd

        cells = (
            pd.Series(column, dtype=object) for column in columns
        )  # keep None: inferred, it would be NaN
        frame = pd.concat([cell if cell.isna().any() else cell.infer_objects() for cell in cells], axis=1)
        frame.columns = pd.Index(self.names, tupleize_cols=False)
        return frame.rename_axis(index="cluster")


def as_table(X: npt.ArrayLike | pd.DataFrame, least: int = 1) -> pd.DataFrame | np.ndarray:
    """A table of categories, with two dimensions and enough objects; its values are looked at later.

    Parameters
    ----------
    X : (n, p) DataFrame, array or list of rows
    least : int, default 1
        Objects that there must be.

    Returns
    -------
    (n, p) DataFrame or array
        `X` itself, or an array of objects where it was a list.

    Raises
    ------
    ValueError, TypeError
        Not two dimensions, too few objects, no attribute, complex numbers, a sparse matrix.
    """
    import pandas as pd

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


def read_table(X: pd.DataFrame | np.ndarray, missing: str = "error") -> tuple[np.ndarray, Domain]:
    """Codes of the objects of a table, and the domain of its attributes.

    Parameters
    ----------
    X : table as `as_table` gives it, (n, p)
    missing : {"error", "category", "ignore"}, default "error"

    Returns
    -------
    codes : (n, p) array of unsigned integers, C-contiguous
        Number of each value among those of its attribute; n_l + 1 where it is left out. Of the smallest type
        that holds them.
    domain : Domain

    Raises
    ------
    ValueError
        A missing value under ``missing="error"`` (row and column are named); an infinite number; values that
        cannot be hashed; under "ignore" an object or an attribute without any value.

    Notes
    -----
    O(n p), and a sort of the values of each attribute.
    """
    names, categories, columns = [], [], []
    for label, values in _columns(X):
        codes, known = _coded(label, values, missing, "X")
        lost = codes < 0
        if missing == "category" and lost.any():
            codes[lost] = len(known)
            known = np.append(known.astype(object), [None])
        elif missing == "ignore":
            codes[lost] = len(known) + 1
        wanted = f"some value in each column of X with missing={missing!r}"
        expect(len(known) > 0, wanted, f"none in {label!r}")
        names.append(label)
        categories.append(known)
        columns.append(codes.astype(np.min_scalar_type(len(known) + 1)))
    codes, domain = np.stack(columns, axis=1), Domain(tuple(names), tuple(categories), missing)
    domain.expect_values(codes, "X")
    return codes, domain


def named(unseen: dict) -> str:
    """Unseen values in words, the first few of each attribute: "legs: 3, 7; tail: 'short'"."""
    parts = []
    for label, values in unseen.items():
        more = f" and {len(values) - NAMED} more" if len(values) > NAMED else ""
        parts.append(f"{label}: {', '.join(map(shown, values[:NAMED]))}{more}")
    return "; ".join(parts)


def _columns(X: pd.DataFrame | np.ndarray) -> Iterator[tuple[Hashable, object]]:
    """Name and values of each column of a table, as `pandas.factorize` takes them."""
    if isinstance(X, np.ndarray):
        yield from enumerate(X.T)
    else:
        yield from ((label, X.iloc[:, l]) for l, label in enumerate(X.columns))


def _coded(label: Hashable, values: object, missing: str, name: str):
    """The different values of a column in their order, and which of them each object has; -1: missing.

    (n,) values -> (n,) integers, (n_l,) array.
    """
    import pandas as pd

    try:
        codes, found = pd.factorize(values)
    except TypeError as error:
        wanted = f"values of {name} that can be hashed"
        raise ValueError(f"expected {wanted}, got {error} in column {label!r}") from error
    if missing == "error" and (codes < 0).any():
        raise ValueError(
            f"expected no missing value in {name} (None, NaN, NaT or NA; missing='category' or 'ignore' "
            f"takes them), got one in row {int((codes < 0).argmax())} of column {label!r}"
        )
    order = _order(found)
    found = np.asarray(found)[order]
    infinite = [value for value in found.tolist() if isinstance(value, float) and math.isinf(value)]
    expect(not infinite, f"no infinite number in column {label!r} of {name}", infinite)
    places = np.full(len(found) + 1, -1)  # the last one is that of the code -1
    places[order] = np.arange(len(found))
    return places[codes], found


def _order(found: object):
    """Places of the different values of a column in their order: declared, sorted, or as they are."""
    declared = getattr(found, "codes", None)  # of pandas' Categorical
    if declared is not None:
        return np.argsort(declared)
    try:
        return np.argsort(np.asarray(found), kind="stable")
    except TypeError:  # values that cannot be compared
        return np.arange(len(found))
