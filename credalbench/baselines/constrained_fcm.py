r"""Constrained fuzzy c-means: pairwise constraints as a penalty [grira2008].

.. math:: J = \sum_i \sum_k u_{ik}^2 d_{ik}^2
              + a \Big[ \sum_{(i,j) \in \mathcal{M}} \sum_k \sum_{l \neq k} u_{ik} u_{jl}
                      + \sum_{(i,j) \in \mathcal{C}} \sum_k u_{ik} u_{jk} \Big],
          \qquad \sum_k u_{ik} = 1.

With :math:`C_{ik} = \sum_{j \in \mathcal{M}(i)} (1 - u_{jk}) + \sum_{j \in \mathcal{C}(i)} u_{jk}` and
:math:`\bar C_i` its mean over k with weights :math:`1 / d_{ik}^2`, J is stationary in row i at

.. math:: u_{ik} = \frac{1 / d_{ik}^2}{\sum_l 1 / d_{il}^2} + \frac{a}{2 d_{ik}^2} (\bar C_i - C_{ik}),

which sums to 1 and may be negative: negative entries become 0, and the row is scaled to the sum 1. Centres,
and norm matrices with the adaptive metric, are those of fuzzy c-means with exponent 2.

What the texts leave open
-------------------------
D1. Objects are updated one after another, in order, with the memberships that the others have by then. All at
    once, pairs that cannot be together may change sides for ever: measured on standardised Wine with 20
    constraints, 23 of 24 runs never came to rest; one after another all did.
D2. The weight a balances both terms as [grira2008] proposes, anew in each iteration:
    :math:`a = \frac{n}{|\mathcal{M}| + |\mathcal{C}|} \sum u_{ik}^2 d_{ik}^2 / \sum u_{ik}^2`. So J is
    another function in each iteration and need not fall.
D3. The competition for the number of clusters in [grira2008] is left out: c is given.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.baselines.constrained_fcm_kernels import sweep
from credalbench.baselines.fuzzy_cmeans import memberships, objective, weighted_means
from credalbench.baselines.gustafson_kessel import warn_of_flat_clusters
from credalbench.baselines.norm_matrices import fuzzy_covariances, norm_roots, squared_distances
from credalbench.baselines.starting_centers import Init, check_init, starting_centers
from credalbench.core.arguments import (
    Choice,
    NonNegativeFloat,
    Number,
    PositiveInt,
    Seed,
    checked,
    expect_count,
)
from credalbench.core.checks import init_about, near_zero, read_attributes, warn_if_not_converged
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.examples import Examples
from credalbench.core.kernels import warm_up
from credalbench.core.names import names_of
from credalbench.core.progress import track, track_iterations

METRICS = ("euclidean", "mahalanobis")


class ConstrainedFuzzyCMeans(ClusterMixin, BaseEstimator):
    r"""Fuzzy c-means with a penalty for violated must-links and cannot-links.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    metric : {"euclidean", "mahalanobis"}, default "euclidean"
        "mahalanobis": one norm matrix of determinant 1 for each cluster, as in `GustafsonKessel`.
    weight : "balanced" or float >= 0, default "balanced"
        Weight a of a violated constraint, in squared units of the data; "balanced" as in D2.
    init : {"k-means++", "random"} or (c, p) array, default "k-means++"
        Centres to start from; "random" takes c different objects.
    n_init : int, default 1
        Number of starts; the run of lowest final objective, each at its own final weight, is kept. One when
        `init` is an array.
    tol : float, default 1e-3
        Stop when no membership changes by `tol` or more.
    max_iter : int, default 1000
        Cap on iterations.
    random_state : int, RandomState instance or None
        Seed of the starts.

    Attributes
    ----------
    membership_ : (n, c) array
        u_ik, rows on the simplex.
    labels_ : (n,) int array
        Column of the largest membership; the first of equals.
    cluster_centers_ : (c, p) array
    norm_matrices_ : (c, p, p) array
        Identities with the Euclidean metric.
    weight_ : float
        a in the last iteration; 0 without constraints.
    objective_ : float
        J at the results, with the weight `weight_`.
    objective_trace_ : (n_iter + 1,) array
        J after the first memberships (which ignore the constraints, a = 0) and after each iteration.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    n_capped_ : int
        As in `GustafsonKessel`; 0 with the Euclidean metric.
    constraints_, violated_ : PairwiseConstraints
        Those given, and those that `labels_` break.
    n_features_in_ : int

    Raises
    ------
    ValueError
        As `FuzzyCMeans`; a `weight` out of range relative to the data; constraints that `PairwiseConstraints`
        refuses.

    Warns
    -----
    ConvergenceWarning
        `max_iter` ended the fit.
    UserWarning
        Constraints name objects that are not in `X`: they are left out.
    UserWarning
        A covariance was capped, as in `GustafsonKessel`.

    Notes
    -----
    O(n c^2 + n c p + (m + q) c) an iteration; n c p^2 instead of n c p with norm matrices. Without
    constraints this is `FuzzyCMeans` or `GustafsonKessel` with exponent 2. At distance 0 the memberships are
    the limit of the formula.

    References
    ----------
    [grira2008], [gustafson1978]

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [9.0], [10.0]]
    >>> ConstrainedFuzzyCMeans(2, random_state=0).fit(X, must_link=[(0, 1)], cannot_link=[(0, 4)]).violated_
    PairwiseConstraints(n_objects=5, 0 must-links, 0 cannot-links)
    """

    examples = Examples(variants=({"metric": "mahalanobis"},), start="objects")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        metric: Annotated[str, Choice(*METRICS)] = "euclidean",
        weight: Annotated[str | float, Choice("balanced") | Number(low=0, high=1e200)] = "balanced",
        init: Init = "k-means++",
        n_init: PositiveInt = 1,
        tol: NonNegativeFloat = 1e-3,
        max_iter: PositiveInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.weight = weight
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(
        self,
        X: npt.ArrayLike,
        y: object = None,
        *,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
    ) -> Self:
        """Compute memberships and centres under pairwise constraints.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.
        must_link : (m, 2) array, optional
            Pairs of objects, by rows or names, that belong together.
        cannot_link : (q, 2) array, optional
            Pairs of objects, by rows or names, that do not belong together.

        Returns
        -------
        ConstrainedFuzzyCMeans
            The fitted estimator.
        """
        names, X = names_of(X), self._validate(X)
        constraints = PairwiseConstraints.of_fit(len(X), must_link, cannot_link, index=names)
        rng = check_random_state(self.random_state)
        init, n_init = init_about(self.init, self._origin), self.n_init if isinstance(self.init, str) else 1
        starts = (starting_centers(X, self.n_clusters, init, rng) for _ in track(range(n_init), "start"))
        runs = (self._alternate(X, V, constraints) for V in starts)
        best = min(runs, key=lambda run: run.objective[-1])
        self._keep(best, constraints)
        if self.n_capped_:
            warn_of_flat_clusters(self.n_capped_, self.n_iter_)
        return self

    def _alternate(self, X: np.ndarray, centers: np.ndarray, constraints: PairwiseConstraints):
        """Update centres, metric, weight, memberships until these rest. `centers` (c, p) -> Alternation."""
        roots, capped, weight, converged = None, 0, 0.0, False
        must, cannot = (
            adjacency(pairs, len(X)) for pairs in (constraints.must_link, constraints.cannot_link)
        )
        squared = squared_distances(X, centers)
        U = memberships(squared, 2)
        trace = [objective(U, squared, 2)]
        for _ in track_iterations(self.max_iter, "iteration"):
            weights = U**2
            centers = weighted_means(X, weights, centers)
            if self.metric == "mahalanobis":
                roots, bites = norm_roots(fuzzy_covariances(X, centers, weights))
                capped += bites
            squared = squared_distances(X, centers, roots)
            previous = U
            if len(constraints):
                weight = self._weight(weights, squared, len(constraints))
                U = U.copy()
                update_memberships(U, squared, weight, must, cannot)
            else:
                U = memberships(squared, 2)
            trace.append(objective(U, squared, 2) + weight * penalty(U, must, cannot))
            converged = bool(np.abs(U - previous).max() < self.tol)
            if converged:
                break
        return Alternation(U, centers, roots, capped, weight, trace, converged)

    def _weight(self, weights: np.ndarray, squared: np.ndarray, n_constraints: int):
        """Return the weight a; `weights` (n, c) are the squared memberships."""
        if self.weight != "balanced":
            return float(self.weight)
        return len(weights) / n_constraints * float(np.sum(weights * squared) / weights.sum())

    def _keep(self, run: Alternation, constraints: PairwiseConstraints):
        c, p = run.centers.shape
        self.membership_ = run.membership
        self.labels_ = run.membership.argmax(axis=1)
        self.cluster_centers_ = run.centers + self._origin
        roots = np.broadcast_to(np.eye(p), (c, p, p)) if run.roots is None else run.roots
        self.norm_matrices_ = roots @ np.swapaxes(roots, 1, 2)
        self.weight_ = run.weight
        self.objective_ = run.objective[-1]
        self.objective_trace_ = np.array(run.objective)
        self.n_iter_ = len(run.objective) - 1
        self.converged_ = run.converged
        warn_if_not_converged(self)
        self.n_capped_ = run.capped
        self.constraints_ = constraints
        self.violated_ = constraints.violated(self.labels_)

    def _validate(self, X: npt.ArrayLike):
        X = read_attributes(self, X)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        check_init(self.init, self.n_clusters, X.shape[1])
        X, self._origin = near_zero(X)
        return X


class Alternation(NamedTuple):
    """Where the alternation ended, and the objective on its way there."""

    membership: np.ndarray
    centers: np.ndarray
    roots: np.ndarray | None
    capped: int
    weight: float
    objective: list
    converged: bool


def update_memberships(
    membership: np.ndarray, squared: np.ndarray, weight: float, must: csr_array, cannot: csr_array
) -> None:
    """Update memberships (n, c) object by object, in place; `must` and `cannot` from ``adjacency``."""
    sweep(membership, squared, weight, must.indptr, must.indices, cannot.indptr, cannot.indices)


@warm_up
def compile_membership_sweep() -> None:
    """Make its kernel ready, on two objects."""
    pair = adjacency(np.array([[0, 1]]), 2)
    update_memberships(np.full((2, 2), 0.5), np.ones((2, 2)), 1.0, pair, pair)


def adjacency(pairs: np.ndarray, n_objects: int) -> csr_array:
    """Return symmetric sparse (n, n) matrix by rows, 1 for each of the `pairs` (m, 2)."""
    i, j = pairs.T
    both = (np.ones(2 * len(i)), (np.r_[i, j], np.r_[j, i]))
    return coo_array(both, shape=(n_objects, n_objects)).tocsr()


def penalty(membership: np.ndarray, must: csr_array, cannot: csr_array) -> float:
    """Return violated constraints, in shares of membership (n, c); `must` and `cannot` from ``adjacency``."""
    together = membership * (cannot @ membership)
    rest = membership * (must.sum(axis=1)[:, None] - must @ membership)  # rows sum to 1
    return float(together.sum() + rest.sum()) / 2
