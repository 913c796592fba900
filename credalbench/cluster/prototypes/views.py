r"""Views of the same objects: their parts of the objective, their prototypes, and their weights.

Every view has dissimilarities :math:`d^l_{iA}` of objects to focal sets. Those of a table are the squared
distances of ECM to barycentres, those of matrices the dissimilarities of ECMdd to medoids that all matrices
share. See ``multiview.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.cluster.inputs.dissimilarities import as_dissimilarities, non_negative
from credalbench.cluster.prototypes.clusterer import centred_with_spread
from credalbench.cluster.prototypes.mass_update import masses_from_costs
from credalbench.cluster.prototypes.medoid_search import distinct_minima
from credalbench.cluster.prototypes.medoids import SetPrototypes
from credalbench.cluster.prototypes.prototype_step import (
    barycentres,
    distances_by_set,
    prototypes_from_moments,
)
from credalbench.core.arguments import expect
from credalbench.core.checks import as_attributes, expect_scale, near_zero
from credalbench.core.names import EXAMPLES, names_of, same_names

NEGLIGIBLE = 1e-12  # share of the largest cost of a view; smaller costs count as this share


class Table(NamedTuple):
    """Attributes of the objects about their mean, in units of their root mean square distance to it."""

    X: np.ndarray


class Matrix(NamedTuple):
    """Dissimilarities of the objects (n, n), in units of half their mean."""

    tau: np.ndarray


class Prototypes(NamedTuple):
    """Prototypes in all views.

    Attributes
    ----------
    centers : list of (c, p) array or None
        Of tables; None for matrices.
    features : list of (p,) array or None
        Weights of the attributes of tables, with mean 1.
    medoids : (c,) int array
        Objects that are the prototypes in all matrices.
    """

    centers: list[np.ndarray | None]
    features: list[np.ndarray | None]
    medoids: np.ndarray


class Sets(NamedTuple):
    """Parameters of dissimilarities to focal sets: the sets, gamma, eta, and alpha."""

    focal_sets: FocalSets
    gamma: float
    eta: float
    alpha: float


def at_objects(views: list[Table | Matrix], objects: np.ndarray) -> Prototypes:
    """Return prototypes at the places of objects (c,), all attributes with the same weight."""
    tables = [view.X if isinstance(view, Table) else None for view in views]
    centers = [None if X is None else X[objects] for X in tables]
    return Prototypes(centers, [None if X is None else np.ones(X.shape[1]) for X in tables], objects)


def set_prototypes(views: list[Table | Matrix], medoids: np.ndarray, sets: Sets) -> SetPrototypes | None:
    """Return the objects that represent sets in all matrices, by their sum; None without matrices."""
    matrices = [view.tau for view in views if isinstance(view, Matrix)]
    if not matrices:
        return None
    total = matrices[0] if len(matrices) == 1 else np.sum(matrices, axis=0)
    return SetPrototypes.of(total, medoids, sets.focal_sets, sets.gamma, sets.eta)


def dissimilarities(
    views: list[Table | Matrix], places: Prototypes, of_sets: SetPrototypes | None, focal_sets: FocalSets
) -> list[np.ndarray]:
    """Return the dissimilarities of the objects to non-empty focal sets, (n, f') for each view."""
    found = []
    for view, V, w in zip(views, places.centers, places.features):
        if isinstance(view, Matrix):
            found.append(of_sets.dissimilarities(view.tau))
        else:
            root = np.sqrt(w)
            found.append(distances_by_set(view.X * root, V * root, focal_sets).T)
    return found


def moved(
    views: list[Table | Matrix], places: Prototypes, powers: np.ndarray, g: np.ndarray, sets: Sets
) -> Prototypes:
    """Return prototypes that are optimal for masses: of tables exactly, medoids for the singletons' part.

    `powers` (n, f) are masses to the power beta, `g` (f, L) the factors of the views.
    """
    focal_sets, first = sets.focal_sets, int(sets.focal_sets.has_empty)
    centers, scores = list(places.centers), 0.0
    single = powers[:, focal_sets.singletons]
    for l, view in enumerate(views):
        if isinstance(view, Matrix):
            scores = scores + view.tau @ (single * g[focal_sets.singletons, l])
            continue
        weights = powers[:, first:] * g[first:, l]
        total = weights.sum(axis=0)
        sums = weights.T @ view.X - total[:, None] * barycentres(centers[l], focal_sets)
        centers[l] = centers[l] + prototypes_from_moments(total, sums, focal_sets, sets.alpha)
    medoids = places.medoids if np.isscalar(scores) else distinct_minima(scores)
    return places._replace(centers=centers, medoids=medoids)


def feature_weights(
    view: Table, V: np.ndarray, powers: np.ndarray, g: np.ndarray, sets: Sets, temperature: float
) -> np.ndarray:
    """Return the weights of the attributes of a table, with mean 1, that are optimal with the entropy's term.

    `powers` (n, f) are masses to the power beta, `g` (f,) the factors of the view.
    """
    focal_sets, first = sets.focal_sets, int(sets.focal_sets.has_empty)
    factors = g[first:] * focal_sets.cardinality[first:] ** sets.alpha
    costs = np.zeros(len(view.X[0]))
    for place, column in zip(barycentres(V, focal_sets), (powers[:, first:] * factors).T):
        costs += column @ (view.X - place) ** 2
    return len(costs) * by_entropy(len(costs) * costs / len(view.X), temperature)


def total_costs(costs: list[np.ndarray], factors: np.ndarray) -> np.ndarray:
    """Return the sum of the costs of views, (n, f) each, by their factors (f, L)."""
    total = costs[0] * factors[:, 0]
    for l in range(1, len(costs)):
        total += costs[l] * factors[:, l]
    return total


def far_objects(views: list[Table | Matrix], n_clusters: int, rng: np.random.RandomState) -> np.ndarray:
    """Draw objects, each with a probability that grows with its squared distance to those before."""
    n = len(views[0][0])
    chosen = [int(rng.randint(n))]
    near = np.full(n, np.inf)
    while len(chosen) < n_clusters:
        last = chosen[-1]
        far = sum(
            np.square(view.X - view.X[last]).sum(axis=1) if isinstance(view, Table) else view.tau[last]
            for view in views
        )
        near = np.minimum(near, far)
        near[chosen] = 0.0
        free = np.setdiff1d(np.arange(n), chosen)
        weights = near[free] if near.any() else np.ones(len(free))
        chosen.append(int(rng.choice(free, p=weights / weights.sum())))
    return np.array(chosen)


# ---------------------------------------------------------------------- weights of views


def by_product(costs: np.ndarray, strength: float) -> np.ndarray:
    """Return weights of product 1 that minimise the sum of weight times cost: (L,) -> (L,)."""
    if not costs.any():
        return np.ones(len(costs))
    logs = np.log(np.maximum(costs, NEGLIGIBLE * costs.max()))
    return np.exp(logs.mean() - logs)


def by_sum(costs: np.ndarray, strength: float) -> np.ndarray:
    """Return weights of sum 1 that minimise the sum of weight^strength times cost: (L,) -> (L,)."""
    return masses_from_costs(costs[None], strength)[0]


def by_entropy(costs: np.ndarray, strength: float) -> np.ndarray:
    """Return weights of sum 1 that minimise costs plus strength times their negative entropy."""
    weights = np.exp((costs.min() - costs) / strength)
    return weights / weights.sum()


class Rule(NamedTuple):
    """Rule for weights of views: optimal and equal weights, factors of the costs, and the term added to J."""

    optimal: Callable[[np.ndarray, float], np.ndarray]
    equal: Callable[[int], float]
    factor: Callable[[np.ndarray, float], np.ndarray]
    more: Callable[[np.ndarray, float], float]


def entropy_term(weights: np.ndarray, strength: float) -> float:
    """Return strength times the sum of w log w."""
    return float(strength * np.sum(weights * np.log(np.where(weights > 0, weights, 1.0))))


RULES = {
    "product": Rule(by_product, lambda n: 1.0, lambda w, s: w, lambda w, s: 0.0),
    "sum": Rule(by_sum, lambda n: 1.0 / n, lambda w, s: w**s, lambda w, s: 0.0),
    "entropy": Rule(by_entropy, lambda n: 1.0 / n, lambda w, s: w, entropy_term),
}


# ---------------------------------------------------------------------- views as they are given


class Reader(NamedTuple):
    """Reader of the numbers of a view, as in the fit and in its scale."""

    kind: str
    columns: int
    zero: np.ndarray | None  # of a table, as the origin
    origin: np.ndarray | None
    spread: float

    @property
    def length(self) -> float:
        """Length of one unit in the scale of the view."""
        return self.spread**0.5 if self.zero is None else self.spread

    def read(self, X: npt.ArrayLike, number: int) -> np.ndarray:
        """Return new objects of the view: (m, p) about the mean of the fit's, or (m, n) dissimilarities."""
        numbers = as_attributes(X)
        expected = f"{self.columns} columns in view {number}"
        expect(numbers.shape[1] == self.columns, expected, numbers.shape[1])
        if self.kind == "precomputed":
            return non_negative(numbers) / self.spread
        return (numbers - self.zero - self.origin) / self.spread


def views_of(X: object) -> list:
    """Return the views in `X`: those of a list or tuple of tables, or `X` alone."""
    if isinstance(X, list | tuple) and len(X) and np.ndim(X[0]) == 2:
        return list(X)
    return [X]


def agreed_names(views: list, kinds: list[str] | None = None) -> pd.Index | None:
    """Return the names of the objects in the views; raise an error if views have other objects."""
    kinds = ["euclidean"] * len(views) if kinds is None else kinds
    found = [names_of(view, square=kind == "precomputed") for view, kind in zip(views, kinds)]
    named = [names for names in found if names is not None]
    for names in named[1:]:
        both = [names[:EXAMPLES].tolist(), named[0][:EXAMPLES].tolist()]
        expect(same_names(names, named[0]), "views that name the same objects in the same order", both)
    return named[0] if named else None


def expect_same_rows(lengths: list[int]) -> None:
    """Raise an error if views have different numbers of objects."""
    expect(len(set(lengths)) == 1, "views of the same objects, in rows", f"{lengths} rows")


def read_view(numbers: np.ndarray, kind: str, number: int) -> tuple[Table | Matrix, Reader]:
    """Return a view in its scale, and how new objects are brought to it."""
    message = f"objects that differ in view {number}"
    if kind == "precomputed":
        tau = as_dissimilarities(numbers)
        half_mean = float(tau.sum()) / (2 * len(tau) * max(len(tau) - 1, 1))
        expect(half_mean > 0, message, "zeros only")
        return Matrix(tau / half_mean), Reader(kind, tau.shape[1], None, None, half_mean)
    expect_scale(numbers)
    X, zero = near_zero(numbers)
    X, origin, spread = centred_with_spread(X)
    expect(spread > 0, message, "equal ones")
    return Table(X / spread), Reader(kind, X.shape[1], zero, origin, spread)
