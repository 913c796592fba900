"""The small problem for the checks: two groups far apart, in each format that clusterers accept."""

from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from credalbench.belief import CredalPartition
from credalbench.core.estimators import Examples

N = 40  # objects: two groups, one after the other, far apart
ALL = np.arange(N)
GROUPS = ALL // (N // 2)
X = np.random.default_rng(0).normal(size=(N, 2)) + 12 * GROUPS[:, None]
OBJECTS = X
NEW = np.random.default_rng(7).normal(6.0, 6.0, (30, 2))  # in both groups, between and around them
LINKS = {"must_link": np.array([(0, 5), (30, 23), (8, 9)]), "cannot_link": np.array([(3, 35), (10, 31)])}

#: The start of each kind, for objects at given places.
STARTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "objects": lambda places: X[[0, N - 1]],
    "medoids": lambda places: places[[0, N - 1]],
    "masses": lambda places: np.random.default_rng(1).dirichlet(np.ones(4), N)[np.argsort(places)],
    "labels": lambda places: (GROUPS[places] + (places % 7 == 0)) % 2,  # some of each group with the other
}


def as_categories(X: np.ndarray) -> np.ndarray:
    """Return attributes (n, p) as categories (n, 2 p): coarse ones, which separate the groups, and fine."""
    return np.hstack([np.round(X / 12), np.round(X)])


def suited(estimator: BaseEstimator, X: np.ndarray) -> np.ndarray:
    """Return the objects `X` (n, p) in the format that the tags of an estimator require."""
    tags = get_tags(estimator).input_tags
    if tags.categorical:
        return as_categories(X)
    return cdist(X, OBJECTS) if tags.pairwise else X


def examples_of(estimator: BaseEstimator) -> Examples:
    """Return the examples that an estimator declares."""
    return getattr(estimator, "examples", Examples())


def links_of(estimator: BaseEstimator, order: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Return the constraints that `fit` accepts, for the objects in an `order`."""
    accepted = {name: pairs for name, pairs in LINKS.items() if has_fit_parameter(estimator, name)}
    return accepted if order is None else {name: np.argsort(order)[pairs] for name, pairs in accepted.items()}


def start_of(estimator: BaseEstimator, places: np.ndarray = ALL) -> np.ndarray | None:
    """Return a start that `init` accepts, for objects at the given `places`; None if there is none."""
    kind = examples_of(estimator).start
    if kind is None:
        return None
    start = STARTS[kind](places)
    return suited(estimator, start) if kind == "objects" else start


def seeded(estimator: BaseEstimator, **parameters: object) -> BaseEstimator:
    """Return an unfitted clone with the given `parameters`, and with seed 0 if it has none."""
    names = estimator.get_params(deep=False)
    if "random_state" in names and names["random_state"] is None:
        parameters = {"random_state": 0} | parameters
    return clone(estimator).set_params(**parameters)


def fitted(
    estimator: BaseEstimator, order: np.ndarray | None = None, constrained: bool = True, **parameters: object
) -> BaseEstimator:
    """Return a clone, fitted to the objects in an `order`, under the constraints that it accepts, or none."""
    model = seeded(estimator, **parameters)
    data = suited(model, X if order is None else X[order])
    if order is not None and get_tags(model).input_tags.pairwise:
        data = data[:, order]
    return model.fit(data, **links_of(model, order) if constrained else {})


def results(fit: BaseEstimator) -> dict[str, bytes]:
    """Return the numerical results of a fit, except for times, as bytes."""
    found = {name: value for name, value in vars(fit).items() if name.endswith("_") and "time" not in name}
    found |= {name: value.masses for name, value in found.items() if isinstance(value, CredalPartition)}
    return {
        name: np.asarray(value).tobytes()
        for name, value in found.items()
        if isinstance(value, np.ndarray | np.generic | float | int)
    }


def memberships(fit: BaseEstimator) -> np.ndarray | None:
    """Return masses (n, f) or memberships (n, c) of the objects; None if there are none."""
    return fit.partition_.masses if hasattr(fit, "partition_") else getattr(fit, "membership_", None)
