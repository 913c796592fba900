r"""One pass over a table of categories, slice by slice: optimal masses, and sums for the weights.

The distances to the single clusters are sums over the attributes (``core/categories/sums.py``). The weights
of a focal set are means over its clusters, and so are its distances:
:math:`d_{iA}^2 = \frac{1}{|A|} \sum_{k \in A} d_{ik}^2`. Likewise, the weight step needs only c numbers from
the masses of an object, its count in each cluster. A slice therefore needs (b, c) sums, and (b, f) arrays
that stay in the cache; its codes are read from memory once.
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.mass_update import Setting, focal_costs, masses_from_costs, slice_size
from credalbench.cluster.prototypes.prototype_step import barycentres
from credalbench.core.categories import Domain, frequencies, mismatches
from credalbench.core.threads import map_rows, room


class CodedTable(NamedTuple):
    """Objects as codes of their values, and the factors of their mismatches (see `Domain`)."""

    codes: np.ndarray  # (n, p)
    scales: np.ndarray  # (n,)
    domain: Domain
    sample_weight: np.ndarray | None = None  # (n,)
    attribute_weight: np.ndarray | None = None  # (p,), of their mismatches; None: all are 1

    def take(self, rows: slice) -> CodedTable:
        """Return some of the objects."""
        weights = None if self.sample_weight is None else self.sample_weight[rows]
        return self._replace(codes=self.codes[rows], scales=self.scales[rows], sample_weight=weights)


class Frequencies(NamedTuple):
    """The objective, and how much each value counts in each cluster, at the optimal masses."""

    objective: float
    values: np.ndarray  # (n_rows, c), stacked

    def __add__(self, other: Frequencies) -> Frequencies:
        return Frequencies(self.objective + other.objective, self.values + other.values)


def frequencies_at(data: CodedTable, weights: np.ndarray, setting: Setting) -> Frequencies:
    """Return the objective and frequencies at the masses that are optimal for stacked `weights` (n_rows, c).

    The objective is [djiberou2019_catecm (6)], frequencies are [djiberou2019_catecm (15)].
    """

    def of_rows(rows: slice) -> Frequencies:
        some = data.take(rows)
        costs = _costs(some, weights, setting)
        powers = masses_from_costs(costs, setting.beta, out=room("masses", costs.T.shape).T)
        powers **= setting.beta
        if some.sample_weight is not None:
            powers *= some.sample_weight[:, None]
        shares = cluster_shares(powers, some.scales, setting)
        value = float(np.einsum("ij,ij->", powers, costs))
        return Frequencies(value, frequencies(some.codes, shares, some.domain))

    return reduce(add, map_rows(of_rows, len(data.codes), table_slice_size(data, setting)))


def masses_at(data: CodedTable, weights: np.ndarray, setting: Setting) -> np.ndarray:
    """Return the masses that are optimal for stacked `weights` (n_rows, c): (n, f)."""
    masses = np.empty((len(data.codes), len(setting.focal_sets)))

    def fill(rows: slice) -> None:
        masses[rows] = masses_from_costs(_costs(data.take(rows), weights, setting), setting.beta)

    for _ in map_rows(fill, len(masses), slice_size(setting.focal_sets)):
        pass
    return masses


def set_distances(data: CodedTable, weights: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return the squared dissimilarities of objects and non-empty focal sets, [djiberou2019_catecm (10)].

    They are means over the clusters of a set, as its weights are, [djiberou2019_catecm (8)] and
    [djiberou2019_catecm (11)]: since the weights of clusters sum to 1, so do those of sets
    [djiberou2019_catecm (9)]. -> (n, f') with long columns.
    """
    if data.attribute_weight is not None:
        weights = 1 - data.attribute_weight[data.domain.attributes][:, None] * (1 - weights)
    single = mismatches(data.codes, weights, data.domain)
    single *= data.scales[:, None]
    return barycentres(single.T, focal_sets).T


def cluster_shares(powers: np.ndarray, scales: np.ndarray, setting: Setting) -> np.ndarray:
    r"""Compute each object's weight in each cluster's counts, from :math:`m^\beta`: (n, f), (n,) -> (n, c).

    The sum over the sets A with cluster k of :math:`\frac{1}{p} |A|^{\alpha - 1} m_{iA}^\beta`.
    """
    sets, alpha = setting.focal_sets, setting.alpha
    first = int(sets.has_empty)
    card = sets.cardinality[first:, None] ** (alpha - 1.0)
    shares = powers[:, first:] @ (card * sets.membership[first:])
    shares *= scales[:, None]
    return shares


def _costs(data: CodedTable, weights: np.ndarray, setting: Setting):
    """Return the costs of some objects, (b, f) with long columns, in the `room` of the thread."""
    focal_sets, alpha, _, delta, _ = setting
    costs = room("costs", (len(focal_sets), len(data.codes))).T
    return focal_costs(set_distances(data, weights, focal_sets), focal_sets, alpha, delta, costs)


def table_slice_size(data: CodedTable, setting: Setting) -> int:
    """Return the number of objects in a slice, enough that adding up frequencies costs less."""
    p = data.codes.shape[1]
    return max(slice_size(setting.focal_sets), data.domain.n_rows // p)
