r"""One pass over a table of numbers and categories: optimal masses, and sums for the prototypes.

The squared distance of an object and a set of clusters has two parts: that of the numbers, to the barycentre
of the prototypes as in ECM (``mass_update.py``), and the mismatches of the categories as in cat-ECM
(``category_pass.py``), times their weight. The prototypes of the numbers and of the categories are
independent of each other at given masses, and follow from the moments of the one and the frequencies of the
other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.category_pass import (
    CodedTable,
    cluster_shares,
    set_distances,
    table_slice_size,
)
from credalbench.cluster.prototypes.mass_update import (
    Setting,
    focal_costs,
    masses_from_costs,
    objective,
    slice_size,
)
from credalbench.cluster.prototypes.prototype_step import (
    barycentres,
    distances_by_set,
    prototypes_from_moments,
    set_moments,
)
from credalbench.core.categories import frequencies
from credalbench.core.threads import map_rows


class MixedTable(NamedTuple):
    """Objects with numbers and categories."""

    numbers: np.ndarray  # (n, q); any finite value where one is missing
    factors: np.ndarray | None  # (n, q), of the squares: 0 where a value is missing; None: all are 1
    table: CodedTable | None  # its scales hold the weight of the categories; None: no categories

    def take(self, rows: slice) -> MixedTable:
        """Return some of the objects."""
        factors = None if self.factors is None else self.factors[rows]
        return MixedTable(self.numbers[rows], factors, None if self.table is None else self.table.take(rows))


class MixedMoments(NamedTuple):
    """Sums over objects at their optimal masses; moments about the barycentres."""

    objective: float
    weights: np.ndarray  # (f',), or (f', q) if values are missing
    sums: np.ndarray  # (f', q)
    values: np.ndarray | float  # (n_rows, c) frequencies, stacked; 0 without categories

    def __add__(self, other: MixedMoments) -> MixedMoments:
        return MixedMoments(*(first + second for first, second in zip(self, other)))


def mixed_moments(data: MixedTable, V: np.ndarray, W: np.ndarray | None, setting: Setting) -> MixedMoments:
    """Return the moments of all objects at the masses that are optimal for the prototypes.

    `V` (c, q) are those of the numbers, `W` (n_rows, c) the stacked weights of the categories, or None.
    """

    def of_rows(rows: slice) -> MixedMoments:
        part = data.take(rows)
        costs = _costs(part, V, W, setting)
        masses = masses_from_costs(costs, setting.beta, setting.negligible)
        weights, sums = _moments(part, masses, V, setting)
        values = 0.0
        if part.table is not None:
            shares = cluster_shares(masses**setting.beta, part.table.scales, setting)
            values = frequencies(part.table.codes, shares, part.table.domain)
        return MixedMoments(objective(masses, costs, setting.beta), weights, sums, values)

    size = slice_size(setting.focal_sets) if data.table is None else table_slice_size(data.table, setting)
    parts = map_rows(of_rows, len(data.numbers), size)
    total = next(parts)
    for part in parts:
        total += part
    return total


def mixed_masses(data: MixedTable, V: np.ndarray, W: np.ndarray | None, setting: Setting) -> np.ndarray:
    """Return the masses themselves: (c, q), (n_rows, c) or None -> (n, f)."""
    masses = np.empty((len(data.numbers), len(setting.focal_sets)))

    def fill(rows: slice) -> None:
        costs = _costs(data.take(rows), V, W, setting)
        masses[rows] = masses_from_costs(costs, setting.beta, setting.negligible)

    for _ in map_rows(fill, len(masses), slice_size(setting.focal_sets)):
        pass
    return masses


def number_step(now: MixedMoments, setting: Setting) -> np.ndarray:
    """Return the move of the prototypes of the numbers to their optimum: MixedMoments -> (c, q).

    Where values are missing, each attribute has a system of its own.
    """
    if now.sums.shape[1] == 0:
        return np.zeros((setting.focal_sets.n_clusters, 0))
    if now.weights.ndim == 1:
        return prototypes_from_moments(now.weights, now.sums, setting.focal_sets, setting.alpha)
    columns = zip(now.weights.T, now.sums.T)
    moves = [prototypes_from_moments(w, t[:, None], setting.focal_sets, setting.alpha) for w, t in columns]
    return np.hstack(moves)


def mixed_distances(
    data: MixedTable, V: np.ndarray, W: np.ndarray | None, focal_sets: FocalSets
) -> np.ndarray:
    """Return the squared distances of objects and non-empty focal sets: (n, f') with long columns."""
    parts = []
    if V.shape[1] and data.factors is None:
        parts.append(distances_by_set(data.numbers, V, focal_sets).T)
    elif V.shape[1]:
        centres = barycentres(V, focal_sets)
        squared = np.zeros((len(centres), len(data.numbers)))
        for values, factors, places in zip(data.numbers.T, data.factors.T, centres.T):
            squared += factors * np.square(values - places[:, None])
        parts.append(squared.T)
    if data.table is not None:
        parts.append(set_distances(data.table, W, focal_sets))
    return sum(parts[1:], parts[0])


def prototype_distances(data: MixedTable, V: np.ndarray, W: np.ndarray | None) -> np.ndarray:
    """Return the squared distances of objects and prototypes: (n, c)."""
    c = len(V)
    return mixed_distances(data, V, W, FocalSets.up_to(c, 1, empty=False, omega=c == 1))


def _costs(data: MixedTable, V: np.ndarray, W: np.ndarray | None, setting: Setting):
    """Return the costs of some objects, (b, f) with long columns."""
    focal_sets, alpha, _, delta, _ = setting
    return focal_costs(mixed_distances(data, V, W, focal_sets), focal_sets, alpha, delta)


def _moments(data: MixedTable, masses: np.ndarray, V: np.ndarray, setting: Setting):
    """Return the moments of the numbers of some objects."""
    sets = setting.focal_sets
    if data.factors is None:
        return set_moments(data.numbers, masses, sets, setting.beta, V)
    powers = (masses[:, int(sets.has_empty) :] ** setting.beta).T
    weights = powers @ data.factors
    return weights, powers @ (data.factors * data.numbers) - weights * barycentres(V, sets)
