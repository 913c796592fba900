r"""ECM: evidential c-means, with the Euclidean or an adaptive Mahalanobis metric.

The fit finds masses M, prototypes V and, with ``metric="mahalanobis"``, norms S that minimise
[antoine2012_cecm (14)]

.. math:: J(M, V, S) = \frac{1}{f n} \sum_i \Big[ \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}^2
                       + \delta^2 m_{i\emptyset}^\beta \Big], \qquad
          d_{iA}^2 = (x_i - \bar v_A)^T \bar S_A (x_i - \bar v_A)

over masses on the simplex [antoine2012_cecm (15)] and norms with :math:`\det S_l = 1`. :math:`\bar v_A` and
:math:`\bar S_A` are means over the clusters in A. Each step minimises J exactly, with the other parts fixed,
so J never increases: masses in closed form (``mass_update.py`` in ``prototypes/``), prototypes by a linear
system (``prototype_step.py``), norms in closed form. A pass over the objects (`moments`) computes the masses
and the sums that the other two steps need, in O(n f p) and without an (n, f) array.

Deviations and readings
-----------------------
D1. The paper divides by :math:`2^c n`, "the number of unknowns". Here f, the number of focal sets, replaces
    :math:`2^c`; they are equal for ``focal_sets="full"``. Only the value of J depends on it.
D2. "No significant change in V" means that no prototype moved farther than `tol` times the root mean square
    distance of the objects to their mean, and that little is left, as extrapolated from the last two moves
    (`at_rest` in ``core/checks.py``).
D3. The returned masses are optimal for the returned prototypes. (The R package returns the masses from which
    its last prototypes were computed.)
D4. A singular covariance gets a ridge (``prototype_step.py``), unless the ridged norm would increase J; in
    that case, the old norm is kept.
D5. An object on a barycentre shares its unit mass equally among the sets at distance zero; the printed
    formula is 0/0 there. A cluster without any mass keeps its prototype.
D6. beta is free with both metrics, and chosen from the data by default; the paper has beta = 2 in Section 4.
"""

from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from credalbench.belief.focal import FocalSetsOrAuto, are_in_two_steps
from credalbench.cluster.conflict.focal_pairs import with_pairs
from credalbench.cluster.prototypes.clusterer import METRICS, PrototypeClusterer, centred_with_spread
from credalbench.cluster.prototypes.mass_update import Alpha, alternate
from credalbench.cluster.prototypes.outlier_distance import AutoBeta, Delta
from credalbench.cluster.prototypes.prototype_step import AutoInit, identity_norms
from credalbench.core.arguments import (
    Choice,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    Seed,
    checked,
    expect_count,
)
from credalbench.core.checks import keep_trace, read_weights
from credalbench.core.estimators import Examples


class ECM(PrototypeClusterer):
    r"""Evidential c-means: a credal partition of objects with attributes, by alternating minimisation.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. With 1, the fit separates a cluster from
        noise (see Notes).
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: larger values put less mass on large sets.
    beta : float in (1, 100] or "auto", default "auto"
        Exponent of the masses: values close to 1 give hard masses. "auto": the largest of 2, 1.5, 1.2 and 1.1
        that separates the prototypes (see Notes).
    delta : float in (1e-100, 1e100) or "auto", default "auto"
        Distance of every object to the empty set, in the units of the data: smaller values give more
        outliers. "auto": a value larger than the distances of most objects, chosen from the data (see Notes).
        `delta_for_rejection_rate` computes it from a share of outliers.
    metric : {"euclidean", "mahalanobis"}, default "euclidean"
        Whether clusters are round ("euclidean"), or each has its own norm of determinant 1, which adapts to
        its shape ("mahalanobis").
    focal_sets : {"auto", "full", "simple", "pairs"} or FocalSets, default "auto"
        Subsets of clusters that may receive mass; "full" has 2^c sets. "auto": "full" for up to three
        clusters; otherwise "simple", and then pairs of clusters that are each other's nearest (see
        `pair_neighbors`).
    pair_neighbors : int, optional
        K, 1 to c - 1: after a first run, pairs of clusters that are mutual K nearest neighbours become focal
        sets (`add_pairs`), and a second run starts at the prototypes of the first. None: one run, unless
        `focal_sets` is "auto".
    init : {"auto", "k-means++", "k-means", "random"} or (c, p) array, default "auto"
        Starting prototypes. "k-means++": objects that are far from each other; "k-means": the centres of a
        converged k-means; "random": random objects. "auto": the means of Ward's clusters of about a thousand
        objects, and "k-means++" for further starts; only "k-means++" if `delta` is given.
    n_init : int, default 1
        Number of starts; the run with the lowest objective is returned. With given prototypes, there is one
        start. If each start makes two runs, the focal sets of two starts may differ; a later start is then
        better only if its objective is also lower without the divisor f.
    tol : float, default 1e-3
        Stop when no prototype moves farther than this share of the root mean square distance of the objects
        to their mean, and the remaining moves, extrapolated from the last two, add up to at most five times
        this share.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the masses at the starting prototypes.
    random_state : int, RandomState instance or None
        Seed of the starting prototypes.

    Attributes
    ----------
    partition_ : CredalPartition
        The masses are optimal for `cluster_centers_` and `norm_matrices_`.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_ : float
        J, divided by f n; with weights, n is their sum.
    objective_trace_ : (n_iter + 1,) array
        J at the starting prototypes and after each iteration, with optimal masses; it never increases (except
        by rounding errors, which a ridge amplifies).
    first_partition_ : CredalPartition
        Result of the first of two runs (only if there are two); the trace is that of the second.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    start_ : (c, p) array
        Starting prototypes of the best run. If you pass them as `init`, the fit repeats this run, with
        ``max_iter=k`` up to iteration k. If there were two runs, these are the prototypes of the second: use
        them with `delta_` and the focal sets of `partition_`, and without `pair_neighbors`.
    cluster_centers_ : (c, p) array
    norm_matrices_ : (c, p, p) array
        Identities with the Euclidean metric.
    ridged_ : (c,) bool array
        Clusters whose covariance was singular and received a ridge.
    delta_ : float
        Distance to the empty set, in the units of the data.
    beta_ : float
        Exponent of the masses.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; values of `X` beyond 1e100, or that differ by less than 1e-100 and are not
        all equal; fewer than one or more than n clusters; a parameter out of range; an array `init` that is
        not of shape (c, p).
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object.
        A covariance is singular (constant or collinear attributes, or too few objects in a cluster).
        Prototypes coincide: two are nearer to each other than a tenth of the median distance of an object to
        its nearest prototype. There are too many clusters, beta is too large, or the start was unsuitable.

    Notes
    -----
    An iteration costs O(n f p) with the Euclidean metric and O(n f p^2) with adaptive ones. It uses numba's
    threads; the result does not depend on their number. The working memory of an iteration does not depend on
    n. A fit needs a copy of the data and, at the end, a few arrays of the size of the (n, f) masses.

    ``delta="auto"`` is Tukey's rule for far outliers: the third quartile plus three interquartile ranges of
    the objects' distances to the nearest focal set, :math:`|A|^{\alpha/2} d_{iA}` with the metric in use, in
    a short fit to about a thousand objects. It is at least a tenth of the smallest distance between two
    clusters. It depends on the data and the objective, and not on `init` or `random_state`. Unless you pass
    starting prototypes, they are computed from these objects without those that are far from all others. In
    generated data, up to 1 % of the objects of clusters became outliers. All planted outliers were found at
    12 standard deviations from the nearest mean, and half of them at 6 (``benchmarks/defaults.py``). In large
    data, a cluster of less than half a per cent of the objects may become outliers.

    A large beta pulls prototypes towards the middle of the data; with many attributes, they may coincide.
    ``beta="auto"`` is the largest of four values with which, in the short fit, the distance of each prototype
    to the mean of its nearest objects is at most a fifth of the smallest distance between two prototypes. If
    no value satisfies this, it is the value with the smallest such share. Like the automatic delta, it
    depends only on the data and the objective (``benchmarks/defaults.py``).

    With one cluster this is noise clustering [dave1991]: an object at distance d from the prototype has the
    mass :math:`1 / (1 + (d / \delta)^{2/(\beta-1)})` on the cluster and the rest on the empty set.

    References
    ----------
    [antoine2012_cecm], [masson2008], [dave1991]

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> fit = ECM(2, random_state=0).fit(load("butterfly").X)
    >>> fit.partition_.outliers().nonzero()[0] + 1
    array([12])
    """

    examples = Examples(
        variants=(
            {"init": "k-means++"},
            {"metric": "mahalanobis"},
            {"init": "k-means"},
            {"init": "random"},
            {"delta": 10.0},
        ),
        start="objects",
    )
    _in_blocks = True

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        alpha: Alpha = 1.0,
        beta: AutoBeta = "auto",
        delta: Delta = "auto",
        metric: Annotated[str, Choice(*METRICS)] = "euclidean",
        focal_sets: FocalSetsOrAuto = "auto",
        pair_neighbors: PositiveInt | None = None,
        init: AutoInit = "auto",
        n_init: PositiveInt = 1,
        tol: NonNegativeFloat = 1e-3,
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.metric = metric
        self.focal_sets = focal_sets
        self.pair_neighbors = pair_neighbors
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None, *, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Compute the credal partition of objects with attributes.

        Parameters
        ----------
        X : (n, p) array or DataFrame, or data in blocks
            Attributes of the objects. Blocks are those of a `numpy.memmap`, of a dask array or DataFrame, or
            of a function that returns an iterator of them; see the page *Large data* of the guide.
        y : object
            Ignored, present for scikit-learn's pipelines.
        sample_weight : (n,) array, optional
            Weights of the objects, at least 0: an object of weight 2 counts as two objects.

        Returns
        -------
        ECM
            The fitted estimator.
        """
        vars(self).pop("first_partition_", None)  # of an earlier fit
        given, (X, focal_sets) = X, self._validate(X)
        weights = read_weights(sample_weight, len(X))
        rng = check_random_state(self.random_state)
        centred, origin, spread = centred_with_spread(X, weights)
        rule = {
            "adaptive": self.metric == "mahalanobis",
            "least_move": self.tol * spread,
            "max_iter": self.max_iter,
            "sample_weight": weights,
        }
        best, least = None, np.inf
        for V in self._set_up(X, spread, focal_sets, self.beta, rng, weights):
            first, setting = None, self._setting
            run = alternate(centred, V - origin, setting, **rule)
            if self._neighbors is not None:
                first = self._partition(given, X, run.prototypes + origin, run.norms)
                setting = setting._replace(focal_sets=with_pairs(first, self._neighbors))
                V = run.prototypes + origin
                run = alternate(centred, run.prototypes, setting, **rule)
            total = run.objective[-1] * len(setting.focal_sets)
            if best is None or (run.objective[-1] < best.objective[-1] and total < least):
                best, least, start, chosen, first_partition = run, total, V, setting, first
        self._setting, self.beta_ = chosen, chosen.beta
        if first_partition is not None:
            self.first_partition_ = first_partition
        self.start_ = start + self._origin
        self.cluster_centers_ = best.prototypes + origin + self._origin
        self.norm_matrices_ = best.norms if best.norms is not None else identity_norms(*best.prototypes.shape)
        self._adaptive = best.norms is not None
        self.ridged_ = best.ridged
        keep_trace(self, best.objective, best.converged)
        self._describe(self._partition(given, X, *self._prototypes()), X, spread)
        return self

    def _validate(self, X: npt.ArrayLike):
        X, focal_sets = super()._validate(X)
        if self.pair_neighbors is not None:
            expect_count("pair_neighbors", self.pair_neighbors, 1, self.n_clusters - 1, "n_clusters - 1")
        return X, focal_sets

    @property
    def _neighbors(self) -> int | None:
        """Number K of neighbours for the pairs that become focal sets."""
        if self.pair_neighbors is None and are_in_two_steps(self.focal_sets, self.n_clusters):
            return 1
        return self.pair_neighbors
