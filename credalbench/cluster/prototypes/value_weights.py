"""Weights of the values of attributes, as prototypes: starting weights, optimal weights, readable tables.

Tables of weights are stacked, (n_rows, c) (see `Domain`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credalbench.cluster.prototypes.prototype_step import sample_objects, sample_size
from credalbench.core.arguments import Array, expect
from credalbench.core.categories import Domain, frequencies, mismatches
from credalbench.core.checks import different_objects

if TYPE_CHECKING:
    import pandas as pd

    from credalbench.cluster.prototypes.category_pass import CodedTable

TIED = 1e-10  # share of the greatest frequency: adding up in another order changes less, even at beta near 1
SUM_TOLERANCE = 1e-6  # by how much the sum of the given weights of an attribute may differ from 1
SHOWN = 10  # values in a cell of a readable table


def optimal_weights(frequencies: np.ndarray, domain: Domain) -> np.ndarray:
    """Return weights that minimise the objective, [djiberou2019_catecm (14)]: all on the most frequent value.

    Values that tie share the weight equally: stacked (n_rows, c) -> (n_rows, c).
    """
    values = frequencies.copy()
    values[domain.unseen] = values[domain.left_out] = -1.0  # no values: they never win
    greatest = np.maximum.reduceat(values, domain.starts, axis=0)
    most = values >= ((1 - TIED) * greatest)[domain.attributes]
    weights = most / np.add.reduceat(most, domain.starts, axis=0, dtype=float)[domain.attributes]
    weights[domain.left_out] = 1.0
    return weights


def random_weights(data: CodedTable, n_clusters: int, rng: np.random.RandomState) -> np.ndarray:
    """Draw weights uniformly from those that sum to 1, [djiberou2019_catecm (3)]: (n_rows, c), stacked.

    Values that only objects of weight 0 have get none.
    """
    domain, used = data.domain, np.ones(data.domain.n_rows, dtype=bool)
    if data.sample_weight is not None:
        used = frequencies(data.codes, data.sample_weight[:, None], domain)[:, 0] > 0
    blocks = []
    for first, size in zip(domain.starts, domain.sizes):
        own = used[first : first + size]
        blocks.append(np.zeros((n_clusters, size)))
        blocks[-1][:, own] = rng.standard_exponential((n_clusters, own.sum()))
    return domain.stack([block / block.sum(axis=1, keepdims=True) for block in blocks])


def distant_objects(data: CodedTable, n_clusters: int, rng: np.random.RandomState) -> np.ndarray:
    """Draw objects far from each other, as k-means++ does with some candidates each: (n_rows, c), stacked.

    They are drawn from about a thousand objects if there are more. Gaps are filled by the commonest value.
    """
    domain, codes, weights = data.domain, data.codes, data.sample_weight
    used = len(codes) if weights is None else max(np.count_nonzero(weights), weights.sum())
    if used > sample_size(n_clusters):
        codes, weights = codes[sample_objects(len(codes), n_clusters, weights)], None
    codes, weights = different_objects(np.asarray(codes), weights, 1)
    for column, values in zip(codes.T, domain.sizes):
        known = column < values
        column[~known] = np.bincount(column[known], weights[known]).argmax() if known.any() else 0
    trials, chosen = 2 + int(np.log(n_clusters)), []
    nearest = np.ones(len(codes))
    for k in range(n_clusters):
        total = (nearest * weights).sum()
        p = nearest * weights / total if total > 0 else weights / weights.sum()
        candidates = rng.choice(len(codes), trials if k else 1, p=p)
        distances = mismatches(codes, domain.stack_objects(codes[candidates]), domain)
        distances = np.minimum(distances, nearest[:, None]) if k else distances
        best = int((weights @ distances).argmin())
        chosen.append(candidates[best])
        nearest = distances[:, best]
    return domain.stack_objects(codes[chosen])


def given_weights(init: object, n_clusters: int, domain: Domain) -> np.ndarray:
    """Read starting weights from `init`, a table of prototypes or weights: (n_rows, c), stacked.

    Raises a ValueError for another shape, values that the objects do not have, or weights that are negative
    or do not sum to 1.
    """
    p = len(domain.sizes)
    if not (isinstance(init, list | tuple) and init and all(np.ndim(block) == 2 for block in init)):
        return domain.stack_objects(domain.encode_prototypes(init, n_clusters))
    expect(len(init) == p, f"init with weights of {p} attributes", len(init))
    blocks = [np.asarray(Array().read("init", block), dtype=float) for block in init]
    for label, size, block in zip(domain.names, domain.sizes, blocks):
        expected = f"weights in init of shape {(n_clusters, int(size))} for attribute {label!r}"
        expect(block.shape == (n_clusters, size), expected, block.shape)
        sums = block.sum(axis=1, keepdims=True)
        fine = block.min() >= 0 and np.abs(sums - 1).max() <= SUM_TOLERANCE
        expect(bool(fine), f"weights >= 0 that sum to 1 in init for attribute {label!r}", block)
    return domain.stack([block / block.sum(axis=1, keepdims=True) for block in blocks])


def prototype_table(weights: list[np.ndarray], domain: Domain) -> pd.DataFrame:
    """Return prototypes as a readable table: p arrays (c, n_l) -> (c, p).

    A cell is the value that has all the weight, or a tuple of those that share it; of many, the first ten
    and "…".
    """
    columns = []
    for values, block in zip(domain.categories, weights):
        column = np.empty(len(block), dtype=object)
        for k, row in enumerate(block):
            chosen = np.flatnonzero(row)
            cell = tuple(values[chosen[:SHOWN]].tolist()) + ("…",) * (len(chosen) > SHOWN)
            column[k] = cell[0] if len(cell) == 1 else cell
        columns.append(column)
    return domain.frame(columns)
