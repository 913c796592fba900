r"""Two sums over a table of categories, which all methods for categories use.

Prototypes weight the values of each attribute; the weights are stacked as in `Domain`. The mismatch of an
object and a prototype is the weight of all values except those of the object,

.. math:: \sum_l \sum_{t \neq x_{il}} w_{kl}^{(t)} = \sum_l \big( 1 - w_{kl}^{(x_{il})} \big),

and the frequency of a value in a cluster is the sum of the shares of its objects,
:math:`\sum_{i: x_{il} = t} u_{ik}`. For each object and attribute, the loop reads or changes one row of a
stacked table: O(n p c), for any number of values.
"""

import numpy as np

from credalbench.core.arguments import as_floats, expect, expect_instance
from credalbench.core.categories.table import Domain
from credalbench.core.kernels import kernel, pieces, warm_up


def mismatches(codes: np.ndarray, weights: np.ndarray, domain: Domain) -> np.ndarray:
    """Compute the mismatch of each object and each prototype.

    It is the weight of the other values of the attributes, [djiberou2019_catecm (4)] with
    [djiberou2019_catecm (5)]; if one value of each attribute has all the weight, it is the number of
    attributes that differ, [djiberou2019_catecm (2)].

    Parameters
    ----------
    codes : (n, p) array of unsigned integers, C-contiguous
        Number of the value of each object and attribute.
    weights : (n_rows, c) array
        Stacked weights; those of an attribute sum to 1 [djiberou2019_catecm (3)].
    domain : Domain
        The values of the attributes.

    Returns
    -------
    (n, c) array
        0 to p; exactly 0 where all values of the object have weight 1.

    Raises
    ------
    ValueError
        If codes or weights do not match the domain.
    """
    _expect_codes(codes, domain)
    weights = as_floats("weights", weights)
    right = weights.ndim == 2 and len(weights) == domain.n_rows
    expect(right, f"weights of {domain.n_rows} rows", weights.shape)
    (n, p), c = codes.shape, weights.shape[1]
    others, sums = 1.0 - weights, np.zeros((n, c))
    for begin, end in pieces(0, n, p * c):
        _gather(begin, end, codes, domain.starts, others, sums)
    return sums


def frequencies(codes: np.ndarray, shares: np.ndarray, domain: Domain) -> np.ndarray:
    """Compute the frequency of each value in each cluster.

    Parameters
    ----------
    codes : (n, p) array of unsigned integers, C-contiguous
        Number of the value of each object and attribute.
    shares : (n, c) array, C-contiguous
        Share of each object in each cluster.
    domain : Domain
        The values of the attributes.

    Returns
    -------
    (n_rows, c) array
        Stacked sums of shares.

    Raises
    ------
    ValueError
        If codes do not match the domain, or shares do not match the codes.
    """
    _expect_codes(codes, domain)
    shares = as_floats("shares", shares)
    right = shares.ndim == 2 and len(shares) == len(codes)
    expect(right, f"shares of {len(codes)} objects", shares.shape)
    (n, p), c = codes.shape, shares.shape[1]
    sums = np.zeros((domain.n_rows, c))
    for begin, end in pieces(0, n, p * c):
        _scatter(begin, end, codes, domain.starts, shares, sums)
    return sums


def _expect_codes(codes: np.ndarray, domain: Domain):
    """Raise an error for codes without a row in a stacked table, since the compiled loops do not check."""
    expect_instance("domain", domain, Domain)
    expect_instance("codes", codes, np.ndarray)
    p = len(domain.sizes)
    right = codes.ndim == 2 and codes.shape[1] == p and codes.dtype.kind == "u"
    expect(right, f"codes of {p} attributes as unsigned integers", (codes.shape, codes.dtype))
    most = domain.sizes + 1
    if codes.max(initial=0) > most.min():  # quicker than the columns one by one
        found = codes.max(axis=0)
        expect((found <= most).all(), f"codes up to {most.tolist()}", found.tolist())


@kernel(nogil=True)
def _gather(begin: int, end: int, codes: np.ndarray, starts: np.ndarray, table: np.ndarray, sums: np.ndarray):
    """Add up the rows of the table at the values of the objects begin..end-1."""
    for i in range(begin, end):
        for l in range(codes.shape[1]):
            row = starts[l] + codes[i, l]
            for k in range(table.shape[1]):
                sums[i, k] += table[row, k]


@kernel(nogil=True)
def _scatter(
    begin: int, end: int, codes: np.ndarray, starts: np.ndarray, shares: np.ndarray, sums: np.ndarray
):
    """Add the shares of the objects begin..end-1 to the rows of the sums at their values."""
    for i in range(begin, end):
        for l in range(codes.shape[1]):
            row = starts[l] + codes[i, l]
            for k in range(shares.shape[1]):
                sums[row, k] += shares[i, k]


@warm_up
def compile_sums() -> None:
    """Compile the kernels on one object for all types of codes."""
    domain = Domain((0,), (np.array([0]),), "error")
    for kind in (np.uint8, np.uint16, np.uint32):
        codes = np.zeros((1, 1), dtype=kind)
        mismatches(codes, np.ones((3, 1)), domain)
        frequencies(codes, np.ones((1, 1)), domain)
