r"""k-modes [huang1998]: labels y and modes z that minimise the number of mismatches,

.. math:: J(y, z) = \sum_i d(x_i, z_{y_i}), \qquad d(x, z) = \sum_l 1[x_l \neq z_l]

[djiberou2019_catecm (2)], in turn, each step exact: the nearest mode, the most frequent values.

Deviations and readings
-----------------------
D1. The original updates a mode whenever an object enters or leaves its cluster. Here all objects move, then
    all modes, as in c-means. Except for ties, the result does not depend on the order of the objects.
D2. Of equally near modes, and of equally frequent values, the first is taken.
D3. The object farthest from its own mode becomes the mode of an empty cluster, unless all objects equal
    their modes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from credalbench.core.arguments import Choice, PositiveInt, Seed, Table, checked, expect_count
from credalbench.core.categories import MISSING, Domain, as_table, frequencies, mismatches, read_table
from credalbench.core.checks import keep_trace
from credalbench.core.estimators import DistancesToPrototypes, Examples
from credalbench.core.progress import track, track_iterations

if TYPE_CHECKING:
    import pandas as pd

Init = Annotated[str | npt.ArrayLike, Choice("random") | Table()]


class ModesClusterer(DistancesToPrototypes, ClusterMixin, BaseEstimator):
    """Base class of clusterers of tables of categories with ``prototypes_``."""

    def _mismatches(self, X: npt.ArrayLike | pd.DataFrame):
        """Count mismatches of new objects and prototypes, (m, p) -> (m, c); warn about unseen values."""
        check_is_fitted(self)
        X = as_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return mismatches(self._domain.encode_new(X), self._weights, self._domain)

    def _distances(self, X: npt.ArrayLike | pd.DataFrame):
        return np.asarray(self._mismatches(X), dtype=np.float64)

    def _read(self, X: npt.ArrayLike | pd.DataFrame) -> np.ndarray:
        """Check `X` and `n_clusters`; set the domain and return codes (n, p)."""
        X = as_table(X)
        validate_data(self, X, skip_check_array=True)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        codes, self._domain = read_table(X, self.missing)
        self.categories_ = list(self._domain.categories)
        return codes

    def _starts(self, codes: np.ndarray, rng: np.random.RandomState) -> Iterator[np.ndarray]:
        """Yield stacked starting prototypes (n_rows, c): objects, `n_init` times, or the given ones."""
        domain = self._domain
        if isinstance(self.init, str):
            for _ in track(range(self.n_init), "start"):
                yield domain.stack_objects(different_objects(codes, self.n_clusters, rng))
        else:
            yield domain.stack_objects(domain.encode_prototypes(self.init, self.n_clusters))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


class KModes(ModesClusterer):
    """Hard clustering of tables of categories by their modes.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    init : {"random"} or (c, p) table, default "random"
        Starting modes: c different objects, or rows like those of `X`.
    n_init : int, default 10
        Number of starts; the run with the lowest objective is returned. Given modes are one start.
    max_iter : int, default 300
        Maximum number of iterations.
    missing : {"error", "category", "ignore"}, default "error"
        How to treat None, NaN, NaT and NA: raise an error; treat them as a value of their own; or ignore the
        attribute for that object.
    random_state : int, RandomState instance or None
        Seed of the random starts.

    Attributes
    ----------
    labels_ : (n,) int array
        Nearest modes. Labels of empty clusters are missing.
    prototypes_ : DataFrame
        The modes: one row per cluster, one column per attribute.
    categories_ : list of p arrays (n_l,)
        The values of each attribute, as in `CatECM`.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the starting modes and after each iteration; it never increases.
    n_iter_ : int
    converged_ : bool
        Whether the labels stopped changing within `max_iter`.
    n_features_in_ : int

    Raises
    ------
    ValueError
        If values are missing under ``missing="error"``, numbers are infinite, a parameter is out of range, or
        `init` has the wrong shape or values that the objects do not have.

    Warns
    -----
    ConvergenceWarning
        If the fit stopped at `max_iter`.

    Notes
    -----
    An iteration costs O(n p c). Values are compared by equality only, as in `CatECM`.

    References
    ----------
    [huang1998]

    Examples
    --------
    >>> fit = KModes(2, random_state=0).fit([["a", 1], ["a", 2], ["b", 3], ["b", 3]])
    >>> int(fit.objective_), bool(fit.labels_[0] == fit.labels_[1] != fit.labels_[2] == fit.labels_[3])
    (1, True)
    """

    examples = Examples(start="objects")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        init: Init = "random",
        n_init: PositiveInt = 10,
        max_iter: PositiveInt = 300,
        missing: Annotated[str, Choice(*MISSING)] = "error",
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.missing = missing
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike | pd.DataFrame, y: object = None) -> Self:
        """Compute modes and labels of a table of categories.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Table of categories.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        KModes
            The fitted estimator.
        """
        codes = self._read(X)
        starts = self._starts(codes, check_random_state(self.random_state))
        runs = (assign_and_move(codes, weights, self._domain, self.max_iter) for weights in starts)
        best = min(runs, key=lambda run: run.objective[-1])
        self._weights = best.weights
        self.labels_ = best.labels
        self.prototypes_ = mode_table(best.weights, self._domain)
        keep_trace(self, best.objective, best.converged)
        return self

    def predict(self, X: npt.ArrayLike | pd.DataFrame) -> np.ndarray:
        """Predict the nearest mode of new objects.

        A value that did not occur in `fit` differs from all modes; a warning names it.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Categories of new objects.

        Returns
        -------
        (m,) int array
            Labels, numbered as ``labels_``.
        """
        return self._mismatches(X).argmin(axis=1)


class Settling(NamedTuple):
    """Result of a run, with the objective after each step."""

    labels: np.ndarray
    weights: np.ndarray  # (n_rows, c), stacked
    objective: list
    converged: bool


def assign_and_move(codes: np.ndarray, weights: np.ndarray, domain: Domain, max_iter: int) -> Settling:
    """Update modes and labels until the labels converge: codes (n, p), stacked starting modes (n_rows, c)."""
    labels, differing = nearest(codes, weights, domain)
    trace, converged = [float(differing.sum())], False
    for _ in track_iterations(max_iter, "iteration"):
        shares = np.eye(weights.shape[1])[labels]
        found = domain.stack_objects(modes(frequencies(codes, shares, domain), domain))
        weights = with_farthest(found, weights, codes, labels, differing, domain)
        previous = labels
        labels, differing = nearest(codes, weights, domain)
        trace.append(float(differing.sum()))
        converged = bool(np.array_equal(labels, previous))
        if converged:
            break
    return Settling(labels, weights, trace, converged)


def nearest(codes: np.ndarray, weights: np.ndarray, domain: Domain) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest mode of each object and the number of values that differ: two arrays (n,)."""
    differing = mismatches(codes, weights, domain)
    labels = differing.argmin(axis=1)
    return labels, differing[np.arange(len(codes)), labels]


def with_farthest(
    weights: np.ndarray,
    previous: np.ndarray,
    codes: np.ndarray,
    labels: np.ndarray,
    differing: np.ndarray,
    domain: Domain,
) -> np.ndarray:
    """Move the modes (n_rows, c) of clusters without objects to the objects farthest from their own modes."""
    empty = np.setdiff1d(np.arange(weights.shape[1]), labels)
    weights[:, empty] = previous[:, empty]
    farthest = np.argsort(-differing, kind="stable")[: len(empty)]
    farthest = farthest[differing[farthest] > 0]
    weights[:, empty[: len(farthest)]] = domain.stack_objects(codes[farthest])
    return weights


def different_objects(codes: np.ndarray, n_clusters: int, rng: np.random.RandomState) -> np.ndarray:
    """Draw objects (c, p), each different from those drawn before if possible."""
    free, chosen = np.ones(len(codes), dtype=bool), []
    for _ in range(n_clusters):
        left = np.flatnonzero(free)
        chosen.append(rng.choice(left) if left.size else rng.randint(len(codes)))
        free &= (codes[chosen[-1]] != codes).any(axis=1)
    return codes[chosen]


def modes(frequencies: np.ndarray, domain: Domain) -> np.ndarray:
    """Return the most frequent values of each cluster, the first of equals: (n_rows, c) -> codes (c, p)."""
    spans = zip(domain.starts, domain.starts + domain.sizes)
    return np.stack([frequencies[first:end].argmax(axis=0) for first, end in spans], axis=1)


def mode_table(weights: np.ndarray, domain: Domain) -> pd.DataFrame:
    """Return the first values of largest weight, None without weights: (n_rows, c) -> (c, p) table."""
    blocks = zip(domain.categories, domain.unstack(weights), modes(weights, domain).T)
    return domain.frame([np.where(block.any(axis=1), known[z], None) for known, block, z in blocks])
