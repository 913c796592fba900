r"""Dissimilarities to sets of clusters whose prototypes are one or several objects, for ECMdd.

Objects :math:`l` stand for a set A with weights :math:`w_{Al}` that sum to 1; a single medoid has all of it.
With :math:`t_{iA} = \sum_l w_{Al}^\psi \tau(i, l)`,

.. math:: d_{i\{k\}} = t_{i\{k\}}, \qquad
          d_{iA} = \frac{t_{iA} + \gamma\, \mathrm{mean}_{k \in A}\, t_{i\{k\}}}{1 + \gamma},

see ``ecmdd.py``.
"""

from typing import NamedTuple, Self

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.mass_update import masses_from_costs
from credalbench.cluster.prototypes.medoids import set_representatives


class SetPrototypes(NamedTuple):
    """The objects that stand for the non-empty focal sets.

    Attributes
    ----------
    objects : (q,) int array or slice
        Those with a weight.
    powers : (f', q) array or None
        Their weights, to the power psi; None: each stands for a set alone.
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
        """Make the prototypes of all sets from those of the clusters.

        Parameters
        ----------
        tau : (n, n) array
            Dissimilarities of the objects.
        prototypes : (c,) int array or (c, n) array
            A medoid of each cluster; with `psi` the weights of all objects.
        focal_sets : FocalSets
        gamma, eta : float
        psi : float or None

        Returns
        -------
        SetPrototypes
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
