"""One pass over the objects, block by block: their optimal masses, and what the next steps need from them.

The masses of an object depend on the prototypes and norms alone. So they need not be kept: a pass forms those
of some thousand objects at a time, in the cache, and adds up the objective and the moments of the focal sets.
Blocks go to the threads of numba's thread count, numpy releases the lock, and their results are added in the
order of the blocks, whoever computed them: the number of threads changes no bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.adaptive_metric import distances_by_set, set_scatters
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs, objective
from credalbench.cluster.prototypes.prototype_step import barycentres, set_moments
from credalbench.kernels import map_blocks

BLOCK_ELEMENTS = 2**17  # masses of a block: a mebibyte, so that a few such arrays stay in a cache


class Setting(NamedTuple):
    """Parameters of the objective of ECM."""

    focal_sets: FocalSets
    alpha: float
    beta: float
    delta: float
    negligible: float = 0.0  # costs up to this are rounding


class Moments(NamedTuple):
    """Sums over objects at their optimal masses; moments about the barycentres."""

    objective: float
    weights: np.ndarray  # (f',)
    sums: np.ndarray  # (f', p)
    scatters: np.ndarray | None  # (f', p, p) with norms

    def __add__(self, other: Moments) -> Moments:
        scatters = None if self.scatters is None else self.scatters + other.scatters
        return Moments(
            self.objective + other.objective, self.weights + other.weights, self.sums + other.sums, scatters
        )


def moments(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting) -> Moments:
    """Return moments of all objects at the masses that are optimal for prototypes `V` and norms `S`.

    Parameters
    ----------
    X : (n, p) array
    V : (c, p) array
    S : (c, p, p) array or None
    setting : Setting

    Returns
    -------
    Moments
    """
    size = block_size(setting.focal_sets)
    parts = map_blocks(lambda rows: _moments_of_block(X[rows], V, S, setting), len(X), size)
    total = next(parts)
    for part in parts:
        total += part
    return total


def optimal_masses(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting) -> np.ndarray:
    """Return the masses themselves: (n, p), (c, p), (c, p, p) or None -> (n, f)."""
    masses = np.empty((len(X), len(setting.focal_sets)))

    def fill(rows: slice) -> None:
        masses[rows] = masses_from_costs(_costs(X[rows], V, S, setting), setting.beta, setting.negligible)

    for _ in map_blocks(fill, len(X), block_size(setting.focal_sets)):
        pass
    return masses


def _costs(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting):
    """Return costs of a block of objects, (b, f) with long columns."""
    focal_sets, alpha, _, delta, _ = setting
    return focal_costs(distances_by_set(X, V, focal_sets, S).T, focal_sets, alpha, delta)


def _moments_of_block(X: np.ndarray, V: np.ndarray, S: np.ndarray | None, setting: Setting):
    focal_sets, _, beta, _, negligible = setting
    costs = _costs(X, V, S, setting)
    masses = masses_from_costs(costs, beta, negligible)
    weights, sums = set_moments(X, masses, focal_sets, beta, V)
    scatters = None
    if S is not None:
        powers = (masses[:, int(focal_sets.has_empty) :] ** beta).T
        scatters = set_scatters(X, powers, barycentres(V, focal_sets))
    return Moments(objective(masses, costs, beta), weights, sums, scatters)


def block_size(focal_sets: FocalSets) -> int:
    """Return objects of a block, so that a few arrays of their masses stay in a cache."""
    return max(256, BLOCK_ELEMENTS // len(focal_sets))
