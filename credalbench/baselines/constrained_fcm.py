r"""Constrained fuzzy c-means: pairwise constraints as a penalty [grira2008].

.. math:: J = \sum_i \sum_k u_{ik}^2 d_{ik}^2
              + a \Big[ \sum_{(i,j) \in \mathcal{M}} \sum_k \sum_{l \neq k} u_{ik} u_{jl}
                      + \sum_{(i,j) \in \mathcal{C}} \sum_k u_{ik} u_{jk} \Big],
          \qquad \sum_k u_{ik} = 1.

With :math:`C_{ik} = \sum_{j \in \mathcal{M}(i)} (1 - u_{jk}) + \sum_{j \in \mathcal{C}(i)} u_{jk}` and
:math:`\bar C_i` its mean over k with weights :math:`1 / d_{ik}^2`, J is stationary in row i at

.. math:: u_{ik} = \frac{1 / d_{ik}^2}{\sum_l 1 / d_{il}^2} + \frac{a}{2 d_{ik}^2} (\bar C_i - C_{ik}),

which sums to 1. Negative entries become 0, and the row is scaled to sum 1. Centres, and norm matrices with
the adaptive metric, are those of fuzzy c-means with exponent 2.

What the texts leave open
-------------------------
D1. Objects are updated one after another, in order, with the current memberships of the others. If all are
    updated at once, cannot-linked pairs may change sides endlessly: on standardised Wine with 20 constraints,
    23 of 24 runs did not converge. With updates one after another, all runs converged.
D2. As [grira2008] proposes, each iteration recomputes the weight a, which balances both terms:
    :math:`a = \frac{n}{|\mathcal{M}| + |\mathcal{C}|} \sum u_{ik}^2 d_{ik}^2 / \sum u_{ik}^2`. J therefore
    changes with each iteration and need not fall.
D3. The competition for the number of clusters in [grira2008] is omitted: c is given.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.baselines.fuzzy_cmeans import (
    Init,
    memberships,
    objective,
    read_with_init,
    squared_distances,
    starting_centers,
    weighted_means,
)
from credalbench.baselines.gustafson_kessel import fuzzy_covariances, norm_roots, warn_of_flat_clusters
from credalbench.core.arguments import Choice, NonNegativeFloat, Number, PositiveInt, Seed, checked
from credalbench.core.checks import at_rest, init_about, keep_trace
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.estimators import Examples
from credalbench.core.kernels import kernel, pieces, warm_up
from credalbench.core.names import names_of
from credalbench.core.progress import track, track_iterations

METRICS = ("euclidean", "mahalanobis")
FLOOR, TINY = 1e-100, 1e-300  # of squared distances, as a share of the largest, so that quotients are finite
DIVISION = 10  # operations that a division counts as


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
        Starting centres; "random" takes c different objects.
    n_init : int, default 1
        Number of starts; the run with the lowest final objective, at its own final weight, is returned. An
        array `init` is one start.
    tol : float, default 1e-3
        Stop when no membership changes by more than `tol`, and at most five times as
        much is left, which is extrapolated from the last two steps.
    max_iter : int, default 1000
        Maximum number of iterations.
    random_state : int, RandomState instance or None
        Seed of the random starts.

    Attributes
    ----------
    membership_ : (n, c) array
        u_ik, rows on the simplex.
    labels_ : (n,) int array
        Column of the largest membership, the first one if several are equal.
    cluster_centers_ : (c, p) array
    norm_matrices_ : (c, p, p) array
        Identities with the Euclidean metric.
    weight_ : float
        The weight a in the last iteration; 0 without constraints.
    objective_ : float
        J of the result, with the weight `weight_`.
    objective_trace_ : (n_iter + 1,) array
        J after the first memberships (which ignore the constraints, a = 0) and after each iteration.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    n_capped_ : int
        As in `GustafsonKessel`; 0 with the Euclidean metric.
    constraints_, violated_ : PairwiseConstraints
        The given constraints, and those that `labels_` violate.
    n_features_in_ : int

    Raises
    ------
    ValueError
        As in `FuzzyCMeans`, and if `weight` is out of range relative to the data or constraints are invalid
        (see `PairwiseConstraints`).

    Warns
    -----
    ConvergenceWarning
        If the fit stopped at `max_iter`.
    UserWarning
        In a cross-validation, constraints on objects that are not in `X` are ignored.
    UserWarning
        If a covariance was capped, as in `GustafsonKessel`.

    Notes
    -----
    An iteration costs O(n c^2 + n c p + (m + q) c), with norm matrices n c p^2 instead of n c p. Without
    constraints, the method is `FuzzyCMeans` or `GustafsonKessel` with exponent 2. At distance 0, memberships
    are the limit of the formula.

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
        names, X = names_of(X), read_with_init(self, X)
        constraints = PairwiseConstraints.of_fit(len(X), must_link, cannot_link, index=names)
        rng = check_random_state(self.random_state)
        init, n_init = init_about(self.init, self._origin), self.n_init if isinstance(self.init, str) else 1
        starts = (starting_centers(X, self.n_clusters, init, rng) for _ in track(range(n_init), "start"))
        runs = (self._alternate(X, V, constraints) for V in starts)
        best = min(runs, key=lambda run: run.objective[-1])
        c, p = best.centers.shape
        self.membership_ = best.membership
        self.labels_ = best.membership.argmax(axis=1)
        self.cluster_centers_ = best.centers + self._origin
        roots = np.broadcast_to(np.eye(p), (c, p, p)) if best.roots is None else best.roots
        self.norm_matrices_ = roots @ np.swapaxes(roots, 1, 2)
        self.weight_, self.n_capped_ = best.weight, best.capped
        self.constraints_, self.violated_ = constraints, constraints.violated(self.labels_)
        keep_trace(self, best.objective, best.converged)
        if self.n_capped_:
            warn_of_flat_clusters(self.n_capped_, self.n_iter_)
        return self

    def _alternate(self, X: np.ndarray, centers: np.ndarray, constraints: PairwiseConstraints):
        """Update centres (c, p), metric, weight and memberships until these converge -> Alternation."""
        roots, capped, weight, converged = None, 0, 0.0, False
        must, cannot = (
            adjacency(pairs, len(X)) for pairs in (constraints.must_link, constraints.cannot_link)
        )
        squared = squared_distances(X, centers)
        U = memberships(squared, 2)
        trace, changes = [objective(U, squared, 2)], []
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
            changes.append(np.abs(U - previous).max())
            converged = at_rest(trace, self.tol, changes)
            if converged:
                break
        return Alternation(U, centers, roots, capped, weight, trace, converged)

    def _weight(self, weights: np.ndarray, squared: np.ndarray, n_constraints: int):
        """Return the weight a; `weights` (n, c) are the squared memberships."""
        if self.weight != "balanced":
            return float(self.weight)
        return len(weights) / n_constraints * float(np.sum(weights * squared) / weights.sum())


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step."""

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


@kernel
def unclipped_memberships(squared: np.ndarray, costs: np.ndarray, weight: float, row: np.ndarray) -> None:
    r"""Compute the memberships of one object before clipping, into `row` (c,).

    With shares :math:`s_k \propto 1 / d_k^2`, costs C and weight a:
    :math:`u_k = s_k + \frac{a}{2} \sum_l (C_l - C_k) s_k / d_l^2`, the published
    :math:`s_k + \frac{a}{2 d_k^2} (\bar C - C_k)` without its cancellation where a distance is 0. The row
    sums to 1, and entries may lie outside [0, 1]. `costs` (c,): the penalty for full membership in each
    cluster.
    """
    total, floor = 0.0, max(FLOOR * squared.max(), TINY)
    for k in range(len(row)):
        total += 1 / max(squared[k], floor)
    for k in range(len(row)):
        share = 1 / max(squared[k], floor) / total
        row[k] = share
        for l in range(len(row)):
            row[k] += weight / 2 * (costs[l] - costs[k]) * (share / max(squared[l], floor))


@kernel
def _update(
    begin: int,
    end: int,
    membership: np.ndarray,
    squared: np.ndarray,
    weight: float,
    must_starts: np.ndarray,
    must_partners: np.ndarray,
    cannot_starts: np.ndarray,
    cannot_partners: np.ndarray,
):
    """Update the objects begin..end-1 of ``sweep``."""
    c = membership.shape[1]
    costs, row = np.empty(c), np.empty(c)
    for i in range(begin, end):
        costs[:] = 0.0
        for j in must_partners[must_starts[i] : must_starts[i + 1]]:
            costs += 1 - membership[j]
        for j in cannot_partners[cannot_starts[i] : cannot_starts[i + 1]]:
            costs += membership[j]
        unclipped_memberships(squared[i], costs, weight, row)
        total = 0.0
        for k in range(c):
            row[k] = max(row[k], 0.0)
            total += row[k]
        for k in range(c):
            membership[i, k] = row[k] / total


def sweep(
    membership: np.ndarray,
    squared: np.ndarray,
    weight: float,
    must_starts: np.ndarray,
    must_partners: np.ndarray,
    cannot_starts: np.ndarray,
    cannot_partners: np.ndarray,
) -> None:
    """Update the memberships (n, c) of all objects in order, in place; O(n c^2 + (m + q) c).

    The partners of object i are ``partners[starts[i] : starts[i + 1]]``, as in a sparse matrix by rows.
    """
    n, c = membership.shape
    operations = DIVISION * c**2 + c * (len(must_partners) + len(cannot_partners)) / n
    network = must_starts, must_partners, cannot_starts, cannot_partners
    for begin, end in pieces(0, n, operations):
        _update(begin, end, membership, squared, weight, *network)


@warm_up
def compile_membership_sweep() -> None:
    """Compile the kernel of `sweep` on two objects."""
    pair = adjacency(np.array([[0, 1]]), 2)
    update_memberships(np.full((2, 2), 0.5), np.ones((2, 2)), 1.0, pair, pair)


def adjacency(pairs: np.ndarray, n_objects: int) -> csr_array:
    """Return the symmetric sparse (n, n) matrix by rows that is 1 at each of the `pairs` (m, 2)."""
    i, j = pairs.T
    both = (np.ones(2 * len(i)), (np.r_[i, j], np.r_[j, i]))
    return coo_array(both, shape=(n_objects, n_objects)).tocsr()


def penalty(membership: np.ndarray, must: csr_array, cannot: csr_array) -> float:
    """Return the violated share of the constraints; `must` and `cannot` from ``adjacency``."""
    together = membership * (cannot @ membership)
    rest = membership * (must.sum(axis=1)[:, None] - must @ membership)  # rows sum to 1
    return float(together.sum() + rest.sum()) / 2
