"""Tables of categories in blocks: a pass that finds the values of the attributes, then kept codes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from credalbench.core.arguments import expect
from credalbench.core.blocks import Blocks, source_of
from credalbench.core.categories.table import Domain, as_table, distinct_values, domain_of, list_unseen
from credalbench.core.checks import first_pass

if TYPE_CHECKING:
    import pandas as pd


class Found(NamedTuple):
    """What a first pass keeps of a block: its first row as it came, and each value of each column."""

    head: object
    rows: int
    columns: list


def read_table_blocks(estimator: BaseEstimator, X: object, missing: str) -> tuple[Blocks, Domain]:
    """Read a table in blocks: what `read_table` returns of a table in memory, the codes in blocks.

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
    codes : Blocks
        Of (n_k, p) arrays of unsigned integers.
    domain : Domain
        The values of the attributes, in all blocks.

    Raises
    ------
    ValueError
        As `read_table`; a block without rows, or with other columns than the first one. The message names
        the block, and its row.
    """

    def check(head: object, reset: bool) -> None:
        validate_data(estimator, as_table(head), reset=reset, skip_check_array=True)

    blocks = Blocks(source_of(X))
    found = first_pass(blocks, partial(_found, missing=missing), check)
    lengths = tuple(block.rows for block in found)
    expect(sum(lengths) >= 2, "X of at least 2 objects", sum(lengths))
    domain = domain_of(zip(*(block.columns for block in found)), missing)
    return replace(blocks, steps=(partial(_codes, domain=domain),), lengths=lengths).kept(), domain


def _found(block: object, missing: str):
    X = as_table(block)
    head = X.iloc[:1] if hasattr(X, "iloc") else X[:1]
    return Found(head, len(X), distinct_values(X, missing))


def _codes(block: pd.DataFrame | np.ndarray, domain: Domain):
    codes, unseen = domain.encode(as_table(block))
    expect(not unseen, "the values of the pass before", list_unseen(unseen))
    return codes
