r"""MECM: evidential c-means with objects as prototypes, for any dissimilarities.

The prototype (medoid) of a cluster is one of the objects, so the method only needs the dissimilarities
:math:`\tau(i, j)`, which need not be distances [zhou2015]. The masses minimise

.. math:: J = \sum_i \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}^2
              + \sum_i \delta^2 m_{i\emptyset}^\beta

with :math:`d_{i\{k\}} = \tau(i, v_k)` and, for several clusters,

.. math:: d_{iA} = \frac{\gamma\, \tau(i, v_A) + \rho_{iA} \min_{k \in A} \tau(i, v_k)}{\gamma + 1}, \qquad
          \rho_{iA} = \frac{\sum_{k,l \in A} |\tau(i, v_k) - \tau(i, v_l)|}
                           {\eta \sum_{k,l \in A} \tau(v_k, v_l)}:

an object is near a set if it is near the representative :math:`v_A` of the set, or near a medoid and about as
near to the others. Over the objects p, :math:`v_A` minimises
:math:`\mathrm{var}_{k \in A}\, \tau(p, v_k) + \eta\, \mathrm{mean}_{k \in A}\, \tau(p, v_k)`.

**These formulas are from the literature and could not be checked against the paper's text.** No table
or figure of the five papers depends on them.

Choices of this implementation
------------------------------
D1. A medoid minimises the part of J that belongs to its singleton,
    :math:`\sum_i m_{ik}^\beta \tau(i, p)^2`, as is common; the terms of larger sets would cost O(n^2 f). Two
    clusters never share a medoid. If objects are equally good, the first is taken, so with ties the result
    depends on the order of the objects.
D2. The search ends when a move of medoids does not decrease J, so the objective decreases.
D3. If the medoids of a set are duplicates (their dissimilarities sum to 0), :math:`\rho_{iA} = 0`; if they
    are almost duplicates, it is at most 1e30.
"""

from typing import Annotated

import numpy as np

from credalbench.belief import FocalSets
from credalbench.belief.focal import FocalSetsLike
from credalbench.cluster.inputs.dissimilarities import MetricLike
from credalbench.cluster.prototypes.mass_update import Alpha, Beta
from credalbench.cluster.prototypes.medoid_search import MedoidClusterer, MedoidStart
from credalbench.cluster.prototypes.medoids import SetMedoids
from credalbench.core.arguments import (
    NonNegativeFloat,
    Number,
    PositiveFloat,
    PositiveInt,
    PositiveLength,
    Seed,
)
from credalbench.core.estimators import Examples


class MECM(MedoidClusterer):
    r"""Median evidential c-means: prototypes that are objects, for any dissimilarities.

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
        Distance of every object to the empty set, in the units of the dissimilarities. None: its square is
        the 0.95-quantile of the squared dissimilarities between different objects.
    gamma : float in [0, 1e30], default 0.5
        Weight of the representative of a set of clusters.
    eta : float > 0, default 1.0
        How much nearness to the medoids counts for the representative, compared with equal distances to them.
        It multiplies lengths, which are added to squares of lengths, so masses on sets of several clusters
        depend on the units of the dissimilarities.
    focal_sets : {"simple", "full", "pairs"} or FocalSets, default "simple"
        Subsets of clusters that may receive mass; every singleton must be among them.
    metric : str or callable, default "euclidean"
        Any metric of scikit-learn, or "precomputed" when `X` is an (n, n) dissimilarity matrix.
    square : bool, default True
        Whether :math:`d_{iA}` is squared in the objective. False is for dissimilarities that are already
        squared: then :math:`d_{iA}` replaces :math:`d_{iA}^2`.
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
        The object that is the prototype of each cluster of `partition_`.
    cluster_centers_ : (c, p) array
        Attributes of the medoids. Missing with ``metric="precomputed"``.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the starting medoids and after each move; it decreases.
    n_iter_ : int
        Number of moves of the medoids.
    converged_ : bool
        Whether the search ended within `max_iter`.
    delta_ : float
        Distance to the empty set.
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

    Notes
    -----
    An iteration costs O(n^2 c + n c^2 f); memory is two (n, n) arrays. With one cluster, the method is noise
    clustering about a medoid (see `ECM`).

    If objects are equally good medoids, the first is taken. With such ties, for example between duplicates or
    on a grid, another order of the objects may give other medoids and very different masses.

    References
    ----------
    [zhou2015], [masson2008]

    Examples
    --------
    >>> fit = MECM(2).fit([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> sorted(fit.medoid_indices_.tolist())
    [1, 4]
    """

    examples = Examples(start="medoids")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        alpha: Alpha = 1.0,
        beta: Beta = 2.0,
        delta: PositiveLength | None = None,
        gamma: Annotated[float, Number(low=0, high=1e30)] = 0.5,
        eta: PositiveFloat = 1.0,
        focal_sets: FocalSetsLike = "simple",
        metric: MetricLike = "euclidean",
        square: bool = True,
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
        self.focal_sets = focal_sets
        self.metric = metric
        self.square = square
        self.symmetrize = symmetrize
        self.n_init = n_init
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _places(self, tau: np.ndarray, prototypes: np.ndarray, focal_sets: FocalSets):
        return SetMedoids.of(tau, prototypes, focal_sets, self.gamma, self.eta)
