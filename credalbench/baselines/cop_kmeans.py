r"""COP-KMeans: c-means that satisfies every constraint or fails [wagstaff2001].

Centres and labels are updated in turn, as in c-means, but each object goes to the nearest centre at which it
violates no constraint with the objects assigned before it. If there is no such centre, the attempt fails,
without backtracking. It may fail although the constraints can be satisfied.

What the texts leave open
-------------------------
D1. Objects are assigned one by one, as in the original. The distances of the first object of a must-linked
    group decide for the whole group.
D2. The order is that of the data, or random for each attempt (``order="random"``).
D3. A failed attempt is repeated from other centres, at most `n_restarts` times; then ``ConstraintFailure`` is
    raised. The result and the error give the number of failed attempts.
D4. The object farthest from its own centre becomes the centre of an empty cluster, unless all objects are
    on their centres.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.baselines.fuzzy_cmeans import Init, read_with_init, squared_distances, starting_centers
from credalbench.core.arguments import Choice, NonNegativeInt, PositiveInt, Seed, checked
from credalbench.core.checks import init_about, warn_if_not_converged
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.estimators import Examples
from credalbench.core.names import names_of
from credalbench.core.progress import track_iterations

ORDERS = ("data", "random")


class ConstraintFailure(RuntimeError):
    """No attempt found clusters that satisfy all constraints.

    Parameters
    ----------
    message : str
        Text of the error.
    n_failures : int
        Number of attempts.
    """

    def __init__(self, message: str, n_failures: int) -> None:
        super().__init__(message, n_failures)
        self.n_failures = n_failures

    def __str__(self) -> str:
        return self.args[0]


class COPKMeans(ClusterMixin, BaseEstimator):
    r"""Hard c-means under pairwise constraints.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    init : {"random", "k-means++"} or (c, p) array, default "random"
        Starting centres; "random" takes c different objects, as in the original.
    order : {"data", "random"}, default "data"
        Order in which objects are assigned.
    n_restarts : int, default 10
        Maximum number of attempts after the first one. With an array `init` and the order of the data there
        is only one attempt, since others would be the same.
    max_iter : int, default 300
        Maximum number of iterations of an attempt.
    random_state : int, RandomState instance or None
        Seed of the random starts.

    Attributes
    ----------
    labels_ : (n,) int array
        Labels that satisfy all constraints. Labels of empty clusters are missing.
    cluster_centers_ : (c, p) array
        Means of the clusters.
    objective_ : float
        Sum of squared distances of the objects to their centres.
    objective_trace_ : (n_iter,) array
        That sum after each iteration of the successful attempt. It may rise, since assignment is greedy.
    n_iter_ : int
    converged_ : bool
        Whether the labels stopped changing within `max_iter`.
    n_failures_ : int
        Number of failed attempts before the successful one.
    constraints_ : PairwiseConstraints
    n_features_in_ : int

    Raises
    ------
    ConstraintFailure
        If all attempts fail.
    ValueError
        As in `FuzzyCMeans`, and if constraints are invalid (see `PairwiseConstraints`).

    Warns
    -----
    ConvergenceWarning
        If the fit stopped at `max_iter`.
    UserWarning
        In a cross-validation, constraints on objects that are not in `X` are ignored.

    Notes
    -----
    An iteration costs O(n c p), plus a loop over the groups of objects in constraints.

    References
    ----------
    [wagstaff2001]

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [9.0], [10.0]]
    >>> fit = COPKMeans(2, random_state=0).fit(X, must_link=[(2, 3)], cannot_link=[(0, 2)])
    >>> bool(fit.labels_[2] == fit.labels_[3] != fit.labels_[0])
    True
    """

    examples = Examples(variants=({"order": "random", "init": "k-means++"},), start="objects")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        init: Init = "random",
        order: Annotated[str, Choice(*ORDERS)] = "data",
        n_restarts: NonNegativeInt = 10,
        max_iter: PositiveInt = 300,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.order = order
        self.n_restarts = n_restarts
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
        """Compute labels that satisfy all constraints.

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
        COPKMeans
            The fitted estimator.

        Raises
        ------
        ConstraintFailure
            If no attempt ends with an assignment that satisfies all constraints.
        """
        names, X = names_of(X), read_with_init(self, X)
        constraints = PairwiseConstraints.of_fit(len(X), must_link, cannot_link, index=names)
        rng = check_random_state(self.random_state)
        again = self.order == "random" or isinstance(self.init, str)
        attempts = 1 + (self.n_restarts if again else 0)
        for failures in track_iterations(attempts, "attempt"):
            centers = starting_centers(X, self.n_clusters, init_about(self.init, self._origin), rng)
            order = rng.permutation(len(X)) if self.order == "random" else np.arange(len(X))
            attempt = assign_and_move(X, centers, Groups(constraints, order), self.max_iter)
            if attempt is not None:
                self.labels_ = attempt.labels
                self.cluster_centers_ = attempt.centers + self._origin
                self.objective_ = attempt.objective[-1]
                self.objective_trace_ = np.array(attempt.objective)
                self.n_iter_ = len(attempt.objective)
                self.converged_ = attempt.converged
                self.n_failures_ = failures
                self.constraints_ = constraints
                warn_if_not_converged(self)
                return self
        raise ConstraintFailure(
            f"expected an assignment to {self.n_clusters} clusters that satisfies {len(constraints)} "
            f"constraints, got none in {attempts} attempts; other seeds, order='random', more restarts "
            "or more clusters may help",
            attempts,
        )


class Groups:
    """Groups of must-linked objects, in the `order` (n,) in which the first object of each is assigned."""

    def __init__(self, constraints: PairwiseConstraints, order: np.ndarray) -> None:
        self.group = constraints.components()
        rank = np.argsort(order)
        n_groups = self.group.max() + 1
        earliest = np.full(n_groups, len(order))
        np.minimum.at(earliest, self.group, rank)
        self.first = order[earliest]  # the object that decides for each group
        linked = self.group[constraints.cannot_link]
        self.avoid = {int(g): [] for g in np.unique(linked)}
        for g, h in np.unique(np.sort(linked, axis=1), axis=0).tolist():
            self.avoid[g].append(h)
            self.avoid[h].append(g)
        self.order = sorted(self.avoid, key=lambda g: earliest[g])

    def assign(self, squared: np.ndarray) -> np.ndarray | None:
        """Return labels (n,) by `squared` distances (n, c), or None if an object fits no cluster."""
        chosen = squared[self.first].argmin(axis=1)  # right for all groups without a cannot-link
        preferences = np.argsort(squared[self.first[self.order]], axis=1, kind="stable").tolist()
        done = {}
        for g, ranking in zip(self.order, preferences):
            taken = {done[h] for h in self.avoid[g] if h in done}
            free = next((k for k in ranking if k not in taken), None)
            if free is None:
                return None
            done[g] = chosen[g] = free
        return chosen[self.group]


class Attempt(NamedTuple):
    """Result of a successful attempt, with the objective after each iteration."""

    labels: np.ndarray
    centers: np.ndarray
    objective: list
    converged: bool


def assign_and_move(X: np.ndarray, centers: np.ndarray, groups: Groups, max_iter: int) -> Attempt | None:
    """Update labels and centres until the labels converge; None if an object fits no cluster."""
    labels, trace, converged = None, [], False
    for _ in track_iterations(max_iter, "iteration"):
        previous, labels = labels, groups.assign(squared_distances(X, centers))
        if labels is None:
            return None
        centers = cluster_means(X, labels, centers)
        trace.append(float(np.sum((X - centers[labels]) ** 2)))
        converged = previous is not None and bool(np.array_equal(labels, previous))
        if converged:
            break
        centers = reseeded(X, labels, centers)
    return Attempt(labels, centers, trace, converged)


def cluster_means(X: np.ndarray, labels: np.ndarray, previous: np.ndarray) -> np.ndarray:
    """Return the means (c, p) of the clusters; an empty one keeps its `previous` centre."""
    means = previous.copy()
    for k in np.unique(labels):
        means[k] = X[labels == k].mean(axis=0)
    return means


def reseeded(X: np.ndarray, labels: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Move the centres (c, p) of empty clusters to the objects farthest from their own centres."""
    empty = np.setdiff1d(np.arange(len(centers)), labels)
    if not len(empty):
        return centers
    distances = np.sum((X - centers[labels]) ** 2, axis=1)
    farthest = np.argsort(-distances, kind="stable")[: len(empty)]
    farthest = farthest[distances[farthest] > 0]  # otherwise labels would change sides between equal centres
    moved = centers.copy()
    moved[empty[: len(farthest)]] = X[farthest]
    return moved
