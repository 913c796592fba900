"""The conventions that are tried, each a change of one open point against `CECM` from k-means."""

import warnings
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.cluster import KMeans

from credalbench.cluster import CECM
from credalbench.core.constraints import PairwiseConstraints
from credalbench.datasets import load

from ..shared.interior_point import InteriorPoint
from ..shared.paths import cecm_path, settled_labels
from ..shared.protocol import DELTA_FACTOR, FILES, Problem, prepared, starting_prototypes

TOGETHER, APART = "together", "apart"
#: What an R function of the authors does, which came later.
PROGRAM = "interior-point masses, averaged apart"


def standardised(X: np.ndarray, ddof: int = 0) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=ddof)


SCALES = {
    "raw": lambda X: X,
    "standardised": standardised,
    "sample deviation": lambda X: standardised(X, ddof=1),
    "range": lambda X: (X - X.min(axis=0)) / np.ptp(X, axis=0),
    "maximum": lambda X: X / np.abs(X).max(axis=0),
}


@dataclass(frozen=True)
class Convention:
    """One reading of the paper; Tables 5 and 6 have interior-point masses and otherwise the defaults."""

    scale: str = ""  # of `SCALES`; empty: as ``shared/protocol.py`` has it
    delta2: float = 0.0  # squared distance to the empty set; 0: as there
    weight: float = 1.0  # of every constraint
    means: str = TOGETHER  # over all constraints, or over must-links and cannot-links apart
    interior: bool = False  # interior-point masses, which stop on the way to a minimum
    options: dict = field(default_factory=dict)  # of `CECM`


CONVENTIONS = {
    "our mass step": Convention(),
    "all data raw": Convention(scale="raw"),
    "all data standardised": Convention(scale="standardised"),
    "divided by the sample deviation": Convention(scale="sample deviation"),
    "scaled to [0, 1]": Convention(scale="range"),
    "divided by the maximum": Convention(scale="maximum"),
    "delta² = 1000 as on Iris": Convention(delta2=1000.0),
    "constraints weigh half": Convention(weight=0.5),
    "constraints weigh twice": Convention(weight=2.0),
    "must- and cannot-links averaged apart": Convention(means=APART),
    "stops at 0.01 of the spread": Convention(options={"tol": 1e-2}),
    "stops at 0.0001 of the spread": Convention(options={"tol": 1e-4}),
    "one random start": Convention(options={"init": "random", "n_init": 1}),
    "best of five random starts": Convention(options={"init": "random", "n_init": 5}),
    "interior-point masses": Convention(interior=True),
    PROGRAM: Convention(interior=True, means=APART),
}


@cache
def data(name: str, scale: str, delta2: float) -> tuple[Problem, np.ndarray]:
    """Return the data set and the centres of k-means that all draws start from."""
    problem = prepared(name)
    if not scale:
        problem = problem._replace(delta=delta2**0.5) if delta2 else problem
        return problem, starting_prototypes(name)
    X = SCALES[scale](load(FILES[name]).X)
    start = KMeans(problem.n_clusters, n_init=10, random_state=0).fit(X).cluster_centers_
    return problem._replace(X=X, delta=DELTA_FACTOR * float(pdist(X).max())), start


def labels_of(name: str, dataset: str, metric: str, constraints, xi: float, seed: int) -> np.ndarray:
    """Return the labels (n,) that CECM gives under the convention `name`."""
    convention = CONVENTIONS[name]
    problem, start = data(dataset, convention.scale, convention.delta2)
    constraints, xi = weighed(constraints, xi, convention)
    if convention.interior:
        return settled_labels(cecm_path(problem, start, constraints, metric, xi, InteriorPoint), start)
    options = {"init": start, "random_state": seed} | convention.options
    model = CECM(problem.n_clusters, xi=xi, alpha=1.0, delta=problem.delta, metric=metric, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scaled data may have singular covariances
        return model.fit(problem.X, **links_of(constraints)).labels_


def weighed(constraints, xi: float, convention: Convention) -> tuple[PairwiseConstraints, float]:
    """Return the same constraints with the weights of a convention, and the xi that makes them so in (21).

    Weights are certainties, at most 1; what is more goes into xi, which has the factor xi / (1 - xi).
    """
    n_must, n_cannot = len(constraints.must_link), len(constraints.cannot_link)
    factors = np.full(2, convention.weight)
    if convention.means == APART:
        factors = factors * len(constraints) / np.maximum([n_must, n_cannot], 1)
    largest = factors[[n_must > 0, n_cannot > 0]].max()
    must, cannot = factors / largest
    ratio = largest * xi / (1 - xi)
    links = (constraints.must_link, constraints.cannot_link)
    weights = np.full(n_must, min(must, 1.0)), np.full(n_cannot, min(cannot, 1.0))
    return PairwiseConstraints(constraints.n_objects, *links, *weights), ratio / (1 + ratio)


def links_of(constraints: PairwiseConstraints) -> dict[str, np.ndarray]:
    """Return the constraints as `CECM.fit` takes them."""
    return {
        "must_link": constraints.must_link,
        "cannot_link": constraints.cannot_link,
        "must_link_weights": constraints.must_link_weights,
        "cannot_link_weights": constraints.cannot_link_weights,
    }
