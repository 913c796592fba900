r"""The two sums over a table of categories that its clusterings are made of.

Prototypes give the values of each attribute weights, stacked as `Domain` says. An object mismatches a
prototype by what all values but its own weigh,

.. math:: \sum_l \sum_{t \neq x_{il}} w_{kl}^{(t)} = \sum_l \big( 1 - w_{kl}^{(x_{il})} \big),

and a value counts in a cluster what the objects that have it belong there,
:math:`\sum_{i: x_{il} = t} u_{ik}`. Both look up, or add to, one row of a stacked table per object and
attribute: O(n p c), whatever the number of values.
"""

from __future__ import annotations

import numpy as np

from credalbench.categories.table import Domain
from credalbench.kernels import kernel, pieces, warm_up


def mismatches(codes: np.ndarray, weights: np.ndarray, domain: Domain) -> np.ndarray:
    """What the other values of its attributes weigh in each prototype, for each object.

    For weights of values [djiberou2019_catecm (4)] with [djiberou2019_catecm (5)]; where one value has all
    the weight, the number of attributes that differ, [djiberou2019_catecm (2)].

    Parameters
    ----------
    codes : (n, p) array of unsigned integers, C-contiguous
    weights : (n_rows, c) array
        Stacked; those of an attribute sum to 1 [djiberou2019_catecm (3)].
    domain : Domain

    Returns
    -------
    (n, c) array
        0 to p; exactly 0 where all values weigh 1.
    """
    (n, p), c = codes.shape, weights.shape[1]
    others, sums = 1.0 - weights, np.zeros((n, c))
    for begin, end in pieces(0, n, p * c):
        _gather(begin, end, codes, domain.starts, others, sums)
    return sums


def frequencies(codes: np.ndarray, shares: np.ndarray, domain: Domain) -> np.ndarray:
    """How much of the objects that have each value belongs to each cluster.

    Parameters
    ----------
    codes : (n, p) array of unsigned integers, C-contiguous
    shares : (n, c) array, C-contiguous
    domain : Domain

    Returns
    -------
    (n_rows, c) array
        Stacked.
    """
    (n, p), c = codes.shape, shares.shape[1]
    sums = np.zeros((domain.n_rows, c))
    for begin, end in pieces(0, n, p * c):
        _scatter(begin, end, codes, domain.starts, shares, sums)
    return sums


@kernel(nogil=True)
def _gather(begin: int, end: int, codes: np.ndarray, starts: np.ndarray, table: np.ndarray, sums: np.ndarray):
    """The objects begin..end-1: rows of the table at their values, added up."""
    for i in range(begin, end):
        for l in range(codes.shape[1]):
            row = starts[l] + codes[i, l]
            for k in range(table.shape[1]):
                sums[i, k] += table[row, k]


@kernel(nogil=True)
def _scatter(
    begin: int, end: int, codes: np.ndarray, starts: np.ndarray, shares: np.ndarray, sums: np.ndarray
):
    """The objects begin..end-1: their shares, added to the rows of the sums at their values."""
    for i in range(begin, end):
        for l in range(codes.shape[1]):
            row = starts[l] + codes[i, l]
            for k in range(shares.shape[1]):
                sums[row, k] += shares[i, k]


@warm_up
def compile_sums() -> None:
    """Make the kernels ready, on one object, for all types of codes."""
    domain = Domain((0,), (np.array([0]),), "error")
    for kind in (np.uint8, np.uint16, np.uint32):
        codes = np.zeros((1, 1), dtype=kind)
        mismatches(codes, np.ones((3, 1)), domain)
        frequencies(codes, np.ones((1, 1)), domain)
