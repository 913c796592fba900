r"""Fuzzy k-modes [huang1999]: memberships U and prototypes that minimise

.. math:: J(U, W) = \sum_i \sum_k u_{ik}^m d_{ik}^2, \qquad \sum_k u_{ik} = 1, \; u_{ik} \geq 0

[djiberou2019_catecm (1)], in turn. With modes, :math:`d_{ik}^2` is the number of values in which object and
mode differ [djiberou2019_catecm (2)], the best mode has the values of largest :math:`\sum_i u_{ik}^m`, and
each step is exact. With fuzzy centroids [kim2004] every value has a weight,

.. math:: w_{kl}^{(t)} \propto \sum_{i: x_{il} = t} u_{ik}^m,

and :math:`d_{ik}^2` is the weight of the values other than the object's [djiberou2019_catecm (4)]. These
weights do not minimise J (a mode does), so the objective may rise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from credalbench.baselines.fuzzy_cmeans import memberships, objective
from credalbench.baselines.k_modes import Init, ModesClusterer, mode_table, modes
from credalbench.core.arguments import Choice, NonNegativeFloat, Number, PositiveInt, Seed, checked
from credalbench.core.categories import MISSING, Domain, frequencies, mismatches
from credalbench.core.checks import at_rest, keep_trace
from credalbench.core.estimators import Examples
from credalbench.core.progress import track_iterations

if TYPE_CHECKING:
    import pandas as pd

CENTROIDS = ("modes", "fuzzy")


class FuzzyKModes(ModesClusterer):
    r"""Fuzzy k-modes for tables of categories, or the same with fuzzy centroids.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    m : float in (1, 100], default 1.1
        Exponent of the memberships: close to 1 they become hard.
    centroids : {"modes", "fuzzy"}, default "modes"
        Whether a prototype has one value for each attribute, or weights of all values.
    init : {"random"} or (c, p) table, default "random"
        Starting prototypes: c different objects, or rows like those of `X`.
    n_init : int, default 10
        Number of starts; the run with the lowest objective is returned. Given prototypes are one start.
    tol : float, default 1e-5
        Stop when no membership changes by more than `tol`, and at most five times as
        much is left, which is extrapolated from the last two steps.
    max_iter : int, default 300
        Maximum number of iterations.
    missing : {"error", "category", "ignore"}, default "error"
        As in `KModes`.
    random_state : int, RandomState instance or None
        Seed of the random starts.

    Attributes
    ----------
    membership_ : (n, c) array
        u_ik, rows on the simplex.
    labels_ : (n,) int array
        Column of the largest membership, the first one if several are equal. Labels of clusters without
        objects are missing.
    prototypes_ : DataFrame
        One row per cluster, one column per attribute: the first value of largest weight.
    weights_ : list of p arrays (c, n_l)
        Weights of the values in the prototypes; rows sum to 1.
    categories_ : list of p arrays (n_l,)
        The values of each attribute, as in `CatECM`.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the first memberships and after each iteration; with modes it never increases.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    n_features_in_ : int

    Raises
    ------
    ValueError
        As in `KModes`.

    Warns
    -----
    ConvergenceWarning
        If the fit stopped at `max_iter`.

    Notes
    -----
    An iteration costs O(n p c). An object at distance 0 from prototypes belongs to them in equal shares. A
    prototype without any membership stays as it is.

    References
    ----------
    [huang1999], [kim2004]

    Examples
    --------
    >>> fit = FuzzyKModes(2, random_state=0).fit([["a", 1], ["a", 2], ["b", 3], ["b", 3]])
    >>> bool(fit.labels_[0] == fit.labels_[1] != fit.labels_[2] == fit.labels_[3])
    True
    """

    examples = Examples(variants=({"centroids": "fuzzy"},), start="objects")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        m: Annotated[float, Number(above=1, high=100)] = 1.1,
        centroids: Annotated[str, Choice(*CENTROIDS)] = "modes",
        init: Init = "random",
        n_init: PositiveInt = 10,
        tol: NonNegativeFloat = 1e-5,
        max_iter: PositiveInt = 300,
        missing: Annotated[str, Choice(*MISSING)] = "error",
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.centroids = centroids
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.missing = missing
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike | pd.DataFrame, y: object = None) -> Self:
        """Compute memberships and prototypes of a table of categories.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Table of categories.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        FuzzyKModes
            The fitted estimator.
        """
        codes = self._read(X)
        starts = self._starts(codes, check_random_state(self.random_state))
        runs = (self._alternate(codes, weights) for weights in starts)
        best = min(runs, key=lambda run: run.objective[-1])
        self._weights = best.weights
        self.membership_ = best.membership
        self.labels_ = best.membership.argmax(axis=1)
        self.weights_ = self._domain.unstack(best.weights)
        self.prototypes_ = mode_table(best.weights, self._domain)
        keep_trace(self, best.objective, best.converged)
        return self

    @checked
    def predict_membership(self, X: npt.ArrayLike | pd.DataFrame) -> np.ndarray:
        """Compute memberships of new objects, with fixed prototypes.

        A value that did not occur in `fit` differs from all prototypes; a warning names it.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Categories of new objects.

        Returns
        -------
        (m, c) array
            Memberships; each row sums to 1.
        """
        return memberships(self._mismatches(X), self.m)

    def predict(self, X: npt.ArrayLike | pd.DataFrame) -> np.ndarray:
        """Predict the cluster of largest membership of new objects.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Categories of new objects.

        Returns
        -------
        (m,) int array
            Labels, numbered as ``labels_``.
        """
        return self.predict_membership(X).argmax(axis=1)

    def _alternate(self, codes: np.ndarray, weights: np.ndarray):
        """Update prototypes and memberships until these converge; `weights` are stacked (n_rows, c)."""
        domain, converged = self._domain, False
        squared = mismatches(codes, weights, domain)
        U = memberships(squared, self.m)
        trace, changes = [objective(U, squared, self.m)], []
        for _ in track_iterations(self.max_iter, "iteration"):
            shares = U**self.m
            weights = next_prototypes(frequencies(codes, shares, domain), weights, domain, self.centroids)
            squared = mismatches(codes, weights, domain)
            previous, U = U, memberships(squared, self.m)
            trace.append(objective(U, squared, self.m))
            changes.append(np.abs(U - previous).max())
            converged = at_rest(trace, self.tol, changes)
            if converged:
                break
        return Alternation(U, weights, trace, converged)


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step."""

    membership: np.ndarray
    weights: np.ndarray  # (n_rows, c), stacked
    objective: list
    converged: bool


def next_prototypes(counts: np.ndarray, previous: np.ndarray, domain: Domain, centroids: str) -> np.ndarray:
    """Return modes or fuzzy centroids from counts of the values in each cluster, stacked (n_rows, c).

    A cluster without any membership keeps its `previous` prototype. Weights of an attribute sum to 1
    [djiberou2019_catecm (3)].
    """
    if centroids == "modes":
        found = domain.stack_objects(modes(counts, domain))
    else:
        found = domain.stack([proportions(block) for block in domain.unstack(counts)])
    return np.where(counts.any(axis=0), found, previous)


def proportions(counts: np.ndarray) -> np.ndarray:
    """Divide counts (c, n_l) by their row sums; a row without counts gets equal shares."""
    counts = np.where(counts.any(axis=1, keepdims=True), counts, 1.0)
    return counts / counts.sum(axis=1, keepdims=True)
