r"""COP-KMeans: c-means that never breaks a constraint, or gives up [wagstaff2001].

Centres and labels by turns, as in c-means. But each object goes to the nearest centre at which it meets no
object that it cannot be with, and all those assigned before that it must be with. If there is none, the
attempt has failed: nothing is taken back. It may fail although the constraints can be satisfied.

What the texts leave open
-------------------------
D1. Objects are assigned one by one, as the original does. So the first object of a group of must-links
    decides for the group, by its own distances; the rest follows, wherever it stands in the order.
D2. The order is that of the data, or random and new for each attempt (``order="random"``).
D3. After a failure everything starts anew from other centres, at most `n_restarts` times; then
    ``ConstraintFailure``. The result and the error give the number of failed attempts.
D4. A cluster that wins no object gets the object farthest from its own centre as new centre, unless all
    objects are on their centres.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.baselines.norm_matrices import squared_distances
from credalbench.baselines.starting_centers import Init, check_init, starting_centers
from credalbench.core.arguments import Choice, NonNegativeInt, PositiveInt, Seed, checked, expect_count
from credalbench.core.checks import init_about, near_zero, read_attributes, warn_if_not_converged
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.examples import Examples
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
        Centres to start from; "random" takes c different objects, as the original.
    order : {"data", "random"}, default "data"
        In which order objects are assigned.
    n_restarts : int, default 10
        How many attempts may follow a failed one. None follows where it would be the same: `init` is an array
        and the order that of the data.
    max_iter : int, default 300
        Cap on iterations of an attempt.
    random_state : int, RandomState instance or None
        Seed of the starts.

    Attributes
    ----------
    labels_ : (n,) int array
        They satisfy all constraints. A cluster may be empty: then labels have a gap.
    cluster_centers_ : (c, p) array
        Means of the clusters.
    objective_ : float
        Sum of squared distances of the objects to their centres.
    objective_trace_ : (n_iter,) array
        That sum after each iteration, for the attempt that succeeded. Assignment is greedy: it may rise.
    n_iter_ : int
    converged_ : bool
        Whether the labels came to rest within `max_iter`.
    n_failures_ : int
        How many attempts failed before.
    constraints_ : PairwiseConstraints
    n_features_in_ : int

    Raises
    ------
    ConstraintFailure
        All attempts failed.
    ValueError
        As `FuzzyCMeans`; constraints that `PairwiseConstraints` refuses.

    Warns
    -----
    ConvergenceWarning
        `max_iter` ended the fit.
    UserWarning
        Constraints name objects that are not in `X`: they are left out.

    Notes
    -----
    O(n c p) an iteration, and a loop over the groups of objects that a constraint names.

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
            No attempt ends with an assignment that satisfies all constraints.
        """
        names, X = names_of(X), self._validate(X)
        constraints = PairwiseConstraints.of_fit(len(X), must_link, cannot_link, index=names)
        rng = check_random_state(self.random_state)
        again = self.order == "random" or isinstance(self.init, str)
        attempts = 1 + (self.n_restarts if again else 0)
        for failures in track_iterations(attempts, "attempt"):
            centers = starting_centers(X, self.n_clusters, init_about(self.init, self._origin), rng)
            order = rng.permutation(len(X)) if self.order == "random" else np.arange(len(X))
            attempt = assign_and_move(X, centers, Groups(constraints, order), self.max_iter)
            if attempt is not None:
                self._keep(attempt, failures, constraints)
                return self
        raise ConstraintFailure(
            f"expected an assignment to {self.n_clusters} clusters that satisfies {len(constraints)} "
            f"constraints, got none in {attempts} attempts; other seeds, order='random', more restarts "
            "or more clusters may help",
            attempts,
        )

    def _keep(self, attempt: Attempt, failures: int, constraints: PairwiseConstraints):
        self.labels_ = attempt.labels
        self.cluster_centers_ = attempt.centers + self._origin
        self.objective_ = attempt.objective[-1]
        self.objective_trace_ = np.array(attempt.objective)
        self.n_iter_ = len(attempt.objective)
        self.converged_ = attempt.converged
        warn_if_not_converged(self)
        self.n_failures_ = failures
        self.constraints_ = constraints

    def _validate(self, X: npt.ArrayLike):
        X = read_attributes(self, X)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        check_init(self.init, self.n_clusters, X.shape[1])
        X, self._origin = near_zero(X)
        return X


class Groups:
    """Objects joined by must-links, in the order in which the first of each is assigned.

    Parameters
    ----------
    constraints : PairwiseConstraints
    order : (n,) int array
        The objects in the order of assignment.
    """

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
        """Return labels (n,) by `squared` distances (n, c), or None when some object finds no cluster."""
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
    """Where an attempt that met all constraints ended, and the objective on its way there."""

    labels: np.ndarray
    centers: np.ndarray
    objective: list
    converged: bool


def assign_and_move(X: np.ndarray, centers: np.ndarray, groups: Groups, max_iter: int) -> Attempt | None:
    """Update labels and centres until the labels rest -> Attempt, or None if an object finds no cluster."""
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
    """Return means (c, p) of the clusters; an empty one keeps its `previous` centre."""
    means = previous.copy()
    for k in np.unique(labels):
        means[k] = X[labels == k].mean(axis=0)
    return means


def reseeded(X: np.ndarray, labels: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Return centres (c, p), those of empty clusters moved to the objects farthest from their own centre."""
    empty = np.setdiff1d(np.arange(len(centers)), labels)
    if not len(empty):
        return centers
    distances = np.sum((X - centers[labels]) ** 2, axis=1)
    farthest = np.argsort(-distances, kind="stable")[: len(empty)]
    farthest = farthest[distances[farthest] > 0]  # else labels would change sides between equal centres
    moved = centers.copy()
    moved[empty[: len(farthest)]] = X[farthest]
    return moved
