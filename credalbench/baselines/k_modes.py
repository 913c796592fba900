r"""k-modes [huang1998]: labels y and modes z that minimise in how many values objects and modes differ,

.. math:: J(y, z) = \sum_i d(x_i, z_{y_i}), \qquad d(x, z) = \sum_l 1[x_l \neq z_l]

[djiberou2019_catecm (2)], by turns, each step exact: the nearest mode, the most frequent values.

What differs, what is left open
-------------------------------
D1. The original updates a mode whenever an object comes or goes. Here all objects move, then all modes, as in
    c-means: the result does not depend on their order, but for ties.
D2. Of equally near modes, and of equally frequent values, the first is taken.
D3. A cluster that wins no object gets the object farthest from its own mode as new mode, unless all objects
    are like their modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from credalbench.baselines.modes import Init, ModesClusterer, mode_table, modes
from credalbench.core.arguments import Choice, PositiveInt, Seed, checked
from credalbench.core.categories import MISSING, Domain, frequencies, mismatches
from credalbench.core.checks import warn_if_not_converged
from credalbench.core.examples import Examples
from credalbench.core.progress import track_iterations

if TYPE_CHECKING:
    import pandas as pd


class KModes(ModesClusterer):
    """Hard clustering of tables of categories by their modes.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    init : {"random"} or (c, p) table, default "random"
        Modes to start from: c different objects, or rows like those of `X`.
    n_init : int, default 10
        Number of starts; the run of lowest objective is returned. Given modes are one start.
    max_iter : int, default 300
        Cap on iterations.
    missing : {"error", "category", "ignore"}, default "error"
        What to do about None, NaN, NaT and NA: refuse them; take them for a value of their own; or leave the
        attribute out for its object.
    random_state : int, RandomState instance or None
        Seed of the starts.

    Attributes
    ----------
    labels_ : (n,) int array
        Nearest modes. A cluster may be empty: then labels have a gap.
    prototypes_ : DataFrame
        The modes: one row per cluster, one column per attribute.
    categories_ : list of p arrays (n_l,)
        The values of each attribute, as in `CatECM`.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the starting modes and after each iteration; never rises.
    n_iter_ : int
    converged_ : bool
        Whether the labels came to rest within `max_iter`.
    n_features_in_ : int

    Raises
    ------
    ValueError
        Missing values under ``missing="error"``; infinite numbers; fewer than one or more than n clusters; a
        parameter out of range; an `init` of another shape, or with values that the objects do not have.

    Warns
    -----
    ConvergenceWarning
        `max_iter` ended the fit.

    Notes
    -----
    O(n p c) an iteration. Values are compared by equality alone, as in `CatECM`.

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
        self.objective_ = best.objective[-1]
        self.objective_trace_ = np.array(best.objective)
        self.n_iter_ = len(best.objective) - 1
        self.converged_ = best.converged
        warn_if_not_converged(self)
        return self

    def predict(self, X: npt.ArrayLike | pd.DataFrame) -> np.ndarray:
        """Predict the nearest mode of new objects.

        A value that its attribute did not have in `fit` differs from all modes; a warning names it.

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
    """Where labels and modes came to rest, and the objective on the way there."""

    labels: np.ndarray
    weights: np.ndarray  # (n_rows, c), stacked
    objective: list
    converged: bool


def assign_and_move(codes: np.ndarray, weights: np.ndarray, domain: Domain, max_iter: int) -> Settling:
    """Update modes and labels until the labels rest: codes (n, p), stacked starting modes (n_rows, c)."""
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
    """Return the nearest mode of each object, and in how many values it differs: two arrays (n,)."""
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
