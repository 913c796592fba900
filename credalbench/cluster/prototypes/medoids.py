r"""Dissimilarities between objects and sets of clusters whose prototypes are objects, for MECM and ECMdd.

`SetMedoids`, for MECM: with medoids :math:`v_k`, and the object :math:`v_A` that represents the clusters A,

.. math:: d_{iA} = \frac{\gamma\, \tau(i, v_A) + \rho_{iA} \min_{k \in A} \tau(i, v_k)}{\gamma + 1}.

`SetPrototypes`, for ECMdd: objects :math:`l` represent a set A with weights :math:`w_{Al}` that sum to 1; a
single medoid has all the weight. With :math:`t_{iA} = \sum_l w_{Al}^\psi \tau(i, l)`,

.. math:: d_{i\{k\}} = t_{i\{k\}}, \qquad
          d_{iA} = \frac{t_{iA} + \gamma\, \mathrm{mean}_{k \in A}\, t_{i\{k\}}}{1 + \gamma}.

Only the prototypes among the n objects matter, so distances of other objects can be computed, too.
"""

from itertools import combinations
from typing import NamedTuple, Self

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.mass_update import masses_from_costs

FARTHEST = 1e30  # unevenness: a set is then out of reach, and its square can still be computed


class SetMedoids(NamedTuple):
    """The objects that represent focal sets.

    Attributes
    ----------
    medoids : (c,) int array
    representatives : (f',) int array
        The object that represents each non-empty focal set.
    between : (c, c) array
        Dissimilarities of the medoids.
    membership : (f', c) bool array
    gamma, eta : float
    """

    medoids: np.ndarray
    representatives: np.ndarray
    between: np.ndarray
    membership: np.ndarray
    gamma: float
    eta: float

    @classmethod
    def of(
        cls, tau: np.ndarray, medoids: np.ndarray, focal_sets: FocalSets, gamma: float, eta: float
    ) -> Self:
        """Make medoids from dissimilarities `tau` (n, n), and their indices (c,)."""
        S = focal_sets.membership[int(focal_sets.has_empty) :]
        T = tau[:, medoids]
        return cls(medoids, set_representatives(T, S, eta), T[medoids], S, gamma, eta)

    def dissimilarities(self, tau: np.ndarray) -> np.ndarray:
        """Compute dissimilarities to non-empty focal sets from those to the n objects: (m, n) -> (m, f')."""
        S, gamma = self.membership, self.gamma
        T = tau[:, self.medoids]  # (m, c) to the medoids
        nearest = np.stack([T[:, A].min(axis=1) for A in S], axis=1)
        uneven = unevenness(T, self.between, S, self.eta)
        d = (gamma * tau[:, self.representatives] + uneven * nearest) / (gamma + 1)
        single = S.sum(axis=1) == 1
        d[:, single] = nearest[:, single]
        return d


def set_representatives(T: np.ndarray, S: np.ndarray, eta: float) -> np.ndarray:
    """Return the object that represents each set: near its medoids, and about equally far from each.

    `T` (n, c) dissimilarities to the medoids, `S` (f', c) membership -> (f',) indices of objects.
    """
    share = S / S.sum(axis=1, keepdims=True)
    mean = T @ share.T
    variance = np.maximum((T**2) @ share.T - mean**2, 0.0)
    return np.argmin(variance + eta * mean, axis=0)


def unevenness(T: np.ndarray, between: np.ndarray, S: np.ndarray, eta: float) -> np.ndarray:
    r"""Return how unequal the distances of objects to the medoids of a set are, :math:`\rho_{iA}`.

    It is 0 for singletons. `T` (m, c) are distances to the medoids, `between` (c, c) those between them:
    `S` (f', c) -> (m, f').
    """
    pairs = np.array(list(combinations(range(S.shape[1]), 2)), dtype=int).reshape(-1, 2)
    inside = (S[:, pairs[:, 0]] & S[:, pairs[:, 1]]).astype(float)  # (f', pairs)
    differences = np.abs(T[:, pairs[:, 0]] - T[:, pairs[:, 1]]) @ inside.T
    with np.errstate(over="ignore"):
        apart = eta * (inside @ between[pairs[:, 0], pairs[:, 1]])
        uneven = differences / np.where(apart > 0, apart, 1.0)
    return np.where(apart > 0, np.minimum(uneven, FARTHEST), 0.0)


# ---------------------------------------------------------------------- several objects for each set


class SetPrototypes(NamedTuple):
    """The objects that represent the non-empty focal sets.

    Attributes
    ----------
    objects : (q,) int array or slice
        Those with a weight.
    powers : (f', q) array or None
        Their weights, to the power psi; None: each set has a single object.
    membership : (f', c) bool array
    gamma : float
    """

    objects: np.ndarray | slice
    powers: np.ndarray | None
    membership: np.ndarray
    gamma: float

    @classmethod
    def of(
        cls,
        tau: np.ndarray,
        prototypes: np.ndarray,
        focal_sets: FocalSets,
        gamma: float,
        eta: float,
        psi: float | None = None,
    ) -> Self:
        """Make the prototypes of all sets from those of the clusters, and `tau` (n, n).

        `prototypes` are a medoid of each cluster (c,); with `psi` the weights of all objects (c, n).
        """
        S = focal_sets.membership[int(focal_sets.has_empty) :]
        single, clusters = _singletons(S)
        if psi is None:
            objects = set_representatives(tau[:, prototypes], S, eta)
            objects[single] = prototypes[clusters]
            return cls(objects, None, S, gamma)
        weights = masses_from_costs(_scores(tau @ (prototypes**psi).T, S, eta).T, psi)
        weights[single] = prototypes[clusters]
        return cls(slice(None), weights**psi, S, gamma)

    def dissimilarities(self, tau: np.ndarray) -> np.ndarray:
        """Compute dissimilarities to non-empty focal sets from those to the n objects: (m, n) -> (m, f')."""
        S = self.membership
        t = tau[:, self.objects]
        t = t if self.powers is None else t @ self.powers.T
        single, clusters = _singletons(S)
        of_cluster = np.empty((len(t), S.shape[1]))
        of_cluster[:, clusters] = t[:, single]
        mean = of_cluster @ (S / S.sum(axis=1, keepdims=True)).T
        d = (t + self.gamma * mean) / (1 + self.gamma)
        d[:, single] = t[:, single]
        return d


def _singletons(S: np.ndarray):
    """Return the rows of single clusters in the membership (f', c), and these clusters."""
    single = np.flatnonzero(S.sum(axis=1) == 1)
    return single, S[single].argmax(axis=1)


def _scores(t: np.ndarray, S: np.ndarray, eta: float):
    """Return how badly objects stand for sets: how unequally far they are from the clusters, and how far.

    `t` (n, c) to the clusters, `S` (f', c) membership -> (n, f').
    """
    share = S / S.sum(axis=1, keepdims=True)
    mean = t @ share.T
    return np.maximum(t**2 @ share.T - mean**2, 0.0) + eta * mean
