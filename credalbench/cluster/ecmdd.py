r"""ECMdd: evidential c-medoids, with one or several objects as the prototype of a cluster.

The method only needs the dissimilarities :math:`\tau(i, j)`, which need not be distances [zhou2016]. The
masses minimise

.. math:: J = \sum_i \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}
              + \sum_i \delta^2 m_{i\emptyset}^\beta .

With a single medoid :math:`v_k` of each cluster (sECMdd), :math:`d_{i\{k\}} = \tau(i, v_k)` and, for several
clusters,

.. math:: d_{iA} = \frac{\tau(i, v_A) + \gamma\, \mathrm{mean}_{k \in A}\, \tau(i, v_k)}{1 + \gamma} .

Over the objects p, :math:`v_A` minimises
:math:`\mathrm{var}_{k \in A}\, \tau(p, v_k) + \eta\, \mathrm{mean}_{k \in A}\, \tau(p, v_k)`: it is an object
near the medoids, at about equal distances. With a small :math:`\eta` it may be an outlier, which is equally
far from all. The larger :math:`\gamma` is, the more the medoids represent the set.

With several medoids (wECMdd), object l represents cluster k with weight :math:`v_{kl}`,
:math:`\sum_l v_{kl} = 1`, and :math:`\sum_l v_{kl}^\psi \tau(i, l)` replaces :math:`\tau(i, v_k)`. The part
of J that belongs to the singletons has its minimum at

.. math:: v_{kl} \propto \Big( \sum_i m_{ik}^\beta\, \tau(i, l) \Big)^{-1 / (\psi - 1)},

where the power turns costs into weights as in ECM. As :math:`\psi \to 1`, one object gets all the weight.

MECM has the same representatives :math:`v_A` and medoids, but squares its dissimilarities. It replaces the
mean over the medoids by the nearest medoid, weighted by how unequal the distances to the medoids are.

**These formulas are from the literature and could not be checked against the paper's text.**

Choices of this implementation
------------------------------
D1. Medoids and weights of a cluster minimise the part of J that belongs to its singleton. Two clusters never
    share a single medoid. If objects are equally good, the first is taken.
D2. The search ends when a move does not decrease J, so the objective decreases. A single medoid has all its
    mass on its own cluster and hardly moves, so at the end a swap of one medoid, as in PAM, often decreases J
    by some percent. The fit makes no swaps, because they split large clusters (measured in
    ``benchmarks/ecmdd.py``).
D3. The weights of objects in a set A are
    :math:`w_{Al} \propto s_{Al}^{-1 / (\psi - 1)}`, where :math:`s_{Al}` is the expression that the
    representative minimises. As :math:`\psi \to 1`, this is the representative. The paper may use other
    weights of sets.
D4. The first start is that of k-medoids: each new medoid is the object that most reduces the sum of
    dissimilarities to the nearest medoid. Further starts are random. With several medoids, the search starts
    from single ones.
"""

from typing import Annotated

import numpy as np

from credalbench.belief import FocalSets
from credalbench.belief.focal import FocalSetsLike
from credalbench.cluster.inputs.dissimilarities import MetricLike
from credalbench.cluster.prototypes.mass_update import Alpha, Beta, masses_from_costs
from credalbench.cluster.prototypes.medoid_search import MedoidClusterer, MedoidStart, next_medoids
from credalbench.cluster.prototypes.medoids import SetPrototypes
from credalbench.core.arguments import (
    NonNegativeFloat,
    Number,
    PositiveFloat,
    PositiveInt,
    PositiveLength,
    Seed,
)
from credalbench.core.estimators import Examples


class ECMdd(MedoidClusterer):
    r"""Evidential c-medoids: clusters of dissimilarities around one object, or several weighted ones.

    The formulas are from the literature; they were not checked against the paper (see the module).

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. With 1, the fit separates a cluster from
        noise (see Notes).
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: larger values put less mass on large sets.
    beta : float in (1, 100], default 2.0
        Exponent of the masses: values close to 1 give hard masses.
    delta : float in (1e-100, 1e100), optional
        Square root of the dissimilarity of every object to the empty set. None: its square is the
        0.95-quantile of the dissimilarities between different objects.
    gamma : float in [0, 1e30], default 1.0
        Weight of the mean dissimilarity to the medoids of a set, relative to that to its representative.
    eta : float > 0, default 1.0
        How much nearness to the medoids counts for the representative of a set, compared with equal distances
        to them. If it is too small, the representative may be an outlier. It multiplies lengths, which are
        added to squares of lengths, so masses on sets of several clusters depend on the units of the
        dissimilarities.
    psi : float in (1, 100], optional
        Exponent of the weights of several medoids in a cluster: with larger values, more objects share the
        weight. None: each cluster has a single medoid.
    focal_sets : {"full", "simple", "pairs"} or FocalSets, default "full"
        Subsets of clusters that may receive mass; every singleton must be among them.
    metric : str or callable, default "euclidean"
        Any metric of scikit-learn, or "precomputed" when `X` is an (n, n) dissimilarity matrix.
    symmetrize : bool, default False
        Replace an asymmetric matrix by the mean of itself and its transpose instead of raising an error.
    n_init : int, default 1
        Number of starts; the run with the lowest objective is returned.
    init : {"spread", "random"} or (c,) int array, default "spread"
        Starting medoids, as indices of different objects. "spread": one after another, each the object that
        most reduces the sum of dissimilarities to the nearest medoid; further starts are random.
    tol : float, default 1e-5
        Stop when the objective decreases by at most this share of itself, and the remaining decrease,
        extrapolated from the last two steps, is at most five times this share.
    max_iter : int, default 100
        Maximum number of iterations.
    random_state : int, RandomState instance or None
        Seed of the random starts.

    Attributes
    ----------
    partition_ : CredalPartition
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    medoid_indices_ : (c,) int array
        The object that is the prototype of each cluster of `partition_`; with several medoids, the one with
        the largest weight.
    medoid_weights_ : (c, n) array
        Weights of the objects as prototypes; rows sum to 1.
    cluster_centers_ : (c, p) array
        Attributes of the medoids. Missing with ``metric="precomputed"``.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the starting medoids and after each move; it decreases.
    n_iter_ : int
        Number of moves of the medoids, all at once.
    converged_ : bool
        Whether the search ended within `max_iter`.
    delta_ : float
        The value of `delta` that was used.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; a precomputed matrix that is not square, negative, asymmetric (see
        `symmetrize`) or without a zero diagonal; fewer than one or more than n clusters; a parameter out of
        range, by itself or compared with the dissimilarities (`delta`); dissimilarities that are all zero; a
        default delta of zero; starting medoids that are not c different objects.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object. Prototypes coincide.

    See Also
    --------
    MECM : Squares dissimilarities; an object is near a set if it is near one of its medoids.

    Notes
    -----
    An iteration costs O(n^2 c + n f c), or O(n^2 f) with several medoids; memory is two (n, n) arrays. With
    one cluster, the method is noise clustering about a medoid (see `ECM`).

    With several medoids, the dissimilarity to a cluster decreases when its weight spreads over more objects,
    even over duplicates, because :math:`\sum_l v_{kl}^\psi \le 1`. The dissimilarity to the empty set does
    not decrease, so a `psi` close to 1 is safer.

    A swap of one medoid may lower the objective of a fit; see D2 of the module.

    References
    ----------
    [zhou2016], [zhou2015]

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> sorted(ECMdd(2).fit(X).medoid_indices_.tolist())
    [1, 4]
    >>> several = ECMdd(2, psi=1.5).fit(X)
    >>> several.medoid_weights_[several.labels_[0]].round(1).tolist()
    [0.2, 0.6, 0.2, 0.0, 0.0, 0.0]
    """

    square = False  # J contains dissimilarities without a square
    examples = Examples(start="medoids", variants=({"psi": 1.2},))

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        alpha: Alpha = 1.0,
        beta: Beta = 2.0,
        delta: PositiveLength | None = None,
        gamma: Annotated[float, Number(low=0, high=1e30)] = 1.0,
        eta: PositiveFloat = 1.0,
        psi: Beta | None = None,
        focal_sets: FocalSetsLike = "full",
        metric: MetricLike = "euclidean",
        symmetrize: bool = False,
        n_init: PositiveInt = 1,
        init: MedoidStart = "spread",
        tol: NonNegativeFloat = 1e-5,
        max_iter: PositiveInt = 100,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.gamma = gamma
        self.eta = eta
        self.psi = psi
        self.focal_sets = focal_sets
        self.metric = metric
        self.symmetrize = symmetrize
        self.n_init = n_init
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _places(self, tau: np.ndarray, prototypes: np.ndarray, focal_sets: FocalSets):
        return SetPrototypes.of(tau, prototypes, focal_sets, self.gamma, self.eta, self.psi)

    def _start(self, medoids: np.ndarray, n: int):
        return medoids if self.psi is None else one_hot(medoids, n)

    def _move(self, squared: np.ndarray, weights: np.ndarray):
        if self.psi is None:
            return next_medoids(squared, weights)
        return masses_from_costs((squared @ weights).T, self.psi)

    def _describe(self, prototypes: np.ndarray, n: int):
        self.medoid_weights_ = one_hot(prototypes, n) if self.psi is None else prototypes
        self.medoid_indices_ = self.medoid_weights_.argmax(axis=1)


def one_hot(medoids: np.ndarray, n: int) -> np.ndarray:
    """Return weights (c, n) of n objects that are all on the medoids (c,)."""
    weights = np.zeros((len(medoids), n))
    weights[np.arange(len(medoids)), medoids] = 1.0
    return weights
