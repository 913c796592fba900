r"""Multi-view ECM: one credal partition of objects that several tables and matrices describe.

Every view l is a table of attributes or a matrix of dissimilarities, and has its own objective. The views
share the masses, and have weights :math:`\lambda_l`, which determine the factors :math:`g_l` in

.. math:: J = \sum_l g_l J_l, \qquad
          J_l = \sum_i \Big( \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d^l_{iA}
                + m_{i\emptyset}^\beta \delta_l^2 \Big) .

For a table, :math:`d^l_{iA}` is the squared distance to the barycentre of A, as in ECM; for a matrix, it is
the dissimilarity of ECMdd. Prototypes, weights and masses minimise J in turn. Three rules give the weights:

- *product*: :math:`g_l = \lambda_l`, :math:`\prod_l \lambda_l = 1`: weights
  :math:`(\prod_h J_h)^{1/L} / J_l`, without units;
- *sum*: :math:`g_l = \lambda_l^s`, :math:`\sum_l \lambda_l = 1`: weights
  :math:`\propto J_l^{-1 / (s - 1)}`;
- *entropy*: :math:`g_l = \lambda_l`, :math:`\sum_l \lambda_l = 1`, and
  :math:`n T \sum_l \lambda_l \log \lambda_l` is added to J: weights :math:`\propto \exp(-J_l / (n T))`.

A large weight means that the masses fit the view well: its objects are near the prototypes. It does not mean
that the view is correct. With the first two rules, each focal set may have its own weights (``local``).

With tables and entropy, the method is WMVEC; if another entropy gives weights of the attributes, it is
WMVEC-FP [liu2024]. With matrices, it is MECMdd-RWG (product or sum), or MECMdd-RWL (``local``)
[soubeiga2024]. With one table it is ECM, and with one matrix it is ECMdd.

**The papers' texts were not available; formulas are from the literature and public programs.**

Choices of this implementation
------------------------------
D1. Views are scaled: tables to a root mean square distance 1 of the objects to their mean, matrices to a mean
    dissimilarity of 2, the mean squared distance of such tables.
D2. The distance :math:`\delta_l` to the empty set in each view is weighted like the view, as in WMVEC; in
    MECMdd it is not weighted.
D3. All matrices share medoids, which minimise the part of J of their singleton. The search ends when an
    iteration does not decrease J.
D4. Attributes have weights of mean 1, not of sum 1, so equal weights change nothing.
D5. The temperatures T are for one object, so they do not depend on n.
"""

from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsOrAuto, are_in_two_steps, resolve_focal_sets
from credalbench.cluster.conflict.focal_pairs import with_pairs
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, in_blocks
from credalbench.cluster.prototypes.mass_update import (
    Alpha,
    Beta,
    expect_moderate_powers,
    focal_costs,
    masses_from_costs,
    objective,
)
from credalbench.cluster.prototypes.prototype_step import sample_objects
from credalbench.cluster.prototypes.views import (
    RULES,
    Matrix,
    Prototypes,
    Sets,
    Table,
    agreed_names,
    at_objects,
    dissimilarities,
    entropy_term,
    expect_same_rows,
    far_objects,
    feature_weights,
    moved,
    read_view,
    set_prototypes,
    total_costs,
    views_of,
)
from credalbench.core.arguments import (
    Array,
    Choice,
    Count,
    Instance,
    NonNegativeFloat,
    Number,
    PositiveFloat,
    PositiveInt,
    PositiveLength,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import (
    as_attributes,
    at_rest,
    keep_trace,
    read_attributes,
    read_objects,
    warn_if_coincident,
)
from credalbench.core.estimators import Examples
from credalbench.core.progress import track, track_iterations
from credalbench.core.threads import one_blas_thread

METRICS = ("euclidean", "precomputed")
DELTA_QUANTILE = 0.95  # of the dissimilarities of a view, for delta^2
ROUNDING = 1e-26  # smaller squared distances, in the scale of the views, are rounding errors


class MultiViewECM(LabelsOfNewObjects, ClusterMixin, BaseEstimator):
    r"""Evidential c-means or c-medoids of several tables and matrices about the same objects, with weights.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: larger values put less mass on large sets.
    beta : float in (1, 100], default 2.0
        Exponent of the masses: values close to 1 give hard masses.
    delta : float in (1e-100, 1e100), optional
        Distance of every object to the empty set, in the scale of the views (see Notes). None: its square is
        the 0.95-quantile of the squared distances, or dissimilarities, between the objects of each view.
    weighting : {"product", "sum", "entropy"}, default "product"
        Rule for the weights of views (see the module).
    exponent : float in (1, 100], default 2.0
        Exponent s of "sum": larger values give more equal weights.
    temperature : float > 0, default 0.1
        Temperature T of "entropy": larger values give more equal weights.
    local : bool, default False
        Whether each focal set has its own weights of the views; not possible with "entropy".
    feature_temperature : float > 0, optional
        Temperature of the weights of the attributes in each table (see the module). None: equal weights.
    gamma : float in [0, 1e30], default 1.0
        Parameter of matrices, as in `ECMdd`.
    eta : float > 0, default 1.0
        Parameter of matrices, as in `ECMdd`, in the scale of the views.
    focal_sets : {"auto", "full", "simple", "pairs"} or FocalSets, default "auto"
        Subsets of clusters that may receive mass; every singleton must be among them.
    metric : {"euclidean", "precomputed"} or list of them, default "euclidean"
        Whether views are attributes or dissimilarities between the objects; a list gives this for each view.
    n_init : int, default 5
        Number of starts; the run with the lowest objective is returned.
    init : "k-means++" or (c,) int array, default "k-means++"
        Starting prototypes. "k-means++": objects that are far from each other in all views. An array contains
        the indices of objects.
    tol : float, default 1e-5
        Stop when the objective decreases by at most this share of itself, and the remaining decrease,
        extrapolated from the last two steps, is at most five times this share.
    max_iter : int, default 200
        Maximum number of iterations.
    random_state : int, RandomState instance or None
        Seed of the starts.

    Attributes
    ----------
    partition_ : CredalPartition
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    view_weights_ : (L,) or (f, L) array
        Weights of the views; with `local`, a row for each focal set.
    feature_weights_ : list of (p,) array or None
        Weights of the attributes of each table, with mean 1; None for matrices.
    view_centers_ : list of (c, p) array or None
        Prototypes in each table, in its units; None for matrices.
    medoid_indices_ : (c,) int array
        The objects that are prototypes in matrices; without matrices, the starting objects.
    objective_ : float
        J, in the scale of the views.
    objective_trace_ : (n_iter + 1,) array
        J at the start and after each iteration; it decreases.
    start_ : (c,) int array
        Starting objects of the best run.
    n_iter_ : int
        Number of iterations of the best run.
    converged_ : bool
        Whether the fit ended within `max_iter`.
    delta_ : (L,) array
        Distance to the empty set in each view, in the units of the view; for matrices, the square root of the
        dissimilarity.
    n_features_in_ : int
        Columns seen during fit, of all views together.

    Raises
    ------
    ValueError
        Views of different objects, that is, with different numbers of rows or names; a view in which all
        objects are equal; NaN or infinite values; a matrix that is not square, negative, asymmetric or
        without a zero diagonal; a wrong number of names in `metric`; fewer than one or more than n clusters;
        a parameter out of range; ``local`` with "entropy"; starting objects that are not c different objects.
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
    ECM, ECMdd : For one table, and for one matrix.
    EvidentialEnsemble : Combines partitions of single views.

    Notes
    -----
    In the scale of the views, the unit of length is the root mean square distance of the objects to their
    mean for a table, and the square root of half the mean dissimilarity for a matrix.

    An iteration costs O(n f p) for a table and O(n^2 c + n f c) for a matrix; memory is O(n f L) and three
    (n, n) arrays for each matrix.

    References
    ----------
    [liu2024], [soubeiga2024], [masson2008], [zhou2016]

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> good = np.r_[rng.normal(0, 1, (50, 2)), rng.normal(6, 1, (50, 2))]
    >>> noise = rng.normal(size=(100, 3))
    >>> fit = MultiViewECM(2, random_state=0).fit([good, noise])
    >>> bool(fit.view_weights_[0] > fit.view_weights_[1])
    True
    """

    examples = Examples(
        start="medoids",
        variants=({"weighting": "entropy", "feature_temperature": 0.5}, {"weighting": "sum", "local": True}),
    )

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        alpha: Alpha = 1.0,
        beta: Beta = 2.0,
        delta: PositiveLength | None = None,
        weighting: Annotated[str, Choice(*RULES)] = "product",
        exponent: Beta = 2.0,
        temperature: PositiveFloat = 0.1,
        local: bool = False,
        feature_temperature: PositiveFloat | None = None,
        gamma: Annotated[float, Number(low=0, high=1e30)] = 1.0,
        eta: PositiveFloat = 1.0,
        focal_sets: FocalSetsOrAuto = "auto",
        metric: Annotated[str | list, Choice(*METRICS) | Instance(list, noun="a list")] = "euclidean",
        n_init: PositiveInt = 5,
        init: Annotated[str | npt.ArrayLike, Choice("k-means++") | Array()] = "k-means++",
        tol: NonNegativeFloat = 1e-5,
        max_iter: Annotated[int, Count(0)] = 200,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.weighting = weighting
        self.exponent = exponent
        self.temperature = temperature
        self.local = local
        self.feature_temperature = feature_temperature
        self.gamma = gamma
        self.eta = eta
        self.focal_sets = focal_sets
        self.metric = metric
        self.n_init = n_init
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(self, X: object, y: object = None) -> Self:
        """Compute the credal partition of objects that several views describe.

        Parameters
        ----------
        X : list of arrays or DataFrames; or one (n, p) or (n, n) array or DataFrame
            Views: attributes of the same n objects, or, with "precomputed", their dissimilarities. An array
            that is not in a list is one view.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        MultiViewECM
            The fitted estimator.
        """
        views, focal_sets = self._validate(X)
        rng = check_random_state(self.random_state)
        with one_blas_thread():
            starts = self._starts(views, rng)
            runs, simple = [], self._sets
            for start in starts:
                self._sets = simple
                run = self._alternate(views, at_objects(views, start))
                if are_in_two_steps(self.focal_sets, self.n_clusters):
                    self._sets = simple._replace(
                        focal_sets=with_pairs(CredalPartition(run.masses, focal_sets), 1)
                    )
                    run = self._alternate(views, run.places)
                runs.append((run, start, self._sets))
            best, start, self._sets = min(runs, key=lambda run: run[0].objective[-1])
            focal_sets = self._sets.focal_sets
        self.partition_ = CredalPartition(best.masses, focal_sets, self._index)
        self.labels_ = labels_of(self.partition_)
        self._places, self._factors, self._beta = best.places, best.factors, self.beta
        self._of_sets = set_prototypes(views, best.places.medoids, self._sets)
        self.view_weights_ = best.weights if self.local else best.weights[0]
        self.feature_weights_ = best.places.features
        self.view_centers_ = [
            None if V is None else V * reader.spread + reader.origin + reader.zero
            for V, reader in zip(best.places.centers, self._readers)
        ]
        self.medoid_indices_, self.start_ = best.places.medoids, start
        keep_trace(self, best.objective, best.converged)
        self._warn(views, best.places)
        return self

    def _warn(self, views: list, places: Prototypes):
        """Warn if prototypes coincide in all views together."""
        of_sets, focal_sets = set_prototypes(views, places.medoids, self._sets), self._sets.focal_sets
        columns = focal_sets.singletons - int(focal_sets.has_empty)
        near = sum(d[:, columns] for d in dissimilarities(views, places, of_sets, focal_sets))
        apart = 0.0
        for view, V, w in zip(views, places.centers, places.features):
            if isinstance(view, Table):
                apart = apart + cdist(V * np.sqrt(w), V * np.sqrt(w), "sqeuclidean")
            else:
                apart = apart + view.tau[np.ix_(places.medoids, places.medoids)]
        warn_if_coincident(self, np.sqrt(apart), np.sqrt(np.median(near.min(axis=1))), 1.0)

    @in_blocks
    def predict_partition(self, X: object) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects.

        This is the mass step with fixed prototypes and weights.

        Parameters
        ----------
        X : as in `fit`
            The same views of m new objects; matrices are (m, n) dissimilarities to the objects of the fit.
            Or data in blocks.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the focal sets of the fit; for data in blocks, a
            `BlockwisePartition`.
        """
        costs, names = self._costs_of_new(X)
        masses = masses_from_costs(costs, self._beta, ROUNDING)
        return CredalPartition(masses, self._sets.focal_sets, names)

    def score(self, X: object, y: object = None) -> float:
        """Compute minus the mean objective of new objects, without the terms of the weights.

        Use scores to compare fits with the same parameters; they mostly increase with the number of clusters.

        Parameters
        ----------
        X : as in `predict_partition`
            New objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        float
            Minus the mean objective, in the scale of the views: larger is better.
        """
        costs, _ = self._costs_of_new(X)
        masses = masses_from_costs(costs, self._beta, ROUNDING)
        return -objective(masses, costs, self._beta) / len(costs)

    def _costs_of_new(self, X: object):
        """Return the costs (m, f) of new objects, and their names."""
        check_is_fitted(self)
        given = numbers = views_of(X)
        expect(len(given) == len(self._readers), f"{len(self._readers)} views", len(given))
        if len(given) == 1 and given[0] is X:
            numbers = [read_attributes(self, X, reset=False)]
        numbers = [reader.read(view, l) for l, (reader, view) in enumerate(zip(self._readers, numbers))]
        expect_same_rows([len(view) for view in numbers])
        views = [
            Table(view) if reader.kind == "euclidean" else Matrix(view)
            for view, reader in zip(numbers, self._readers)
        ]
        with one_blas_thread():  # the number of threads would change the last bits
            costs = total_costs(self._costs(views, self._places, self._of_sets), self._factors)
        return costs, agreed_names(given)

    def _validate(self, X: object):
        """Check the views and the parameters; return the views in their scale, and the focal sets."""
        given = views_of(X)
        kinds = [self.metric] * len(given) if isinstance(self.metric, str) else self.metric
        expect(len(kinds) == len(given), f"metric to have a name for each of {len(given)} views", self.metric)
        expect(all(kind in METRICS for kind in kinds), f"metric with names among {METRICS}", self.metric)
        expect(
            not (self.local and self.weighting == "entropy"),
            "local=False with weighting='entropy'",
            self.local,
        )
        if len(given) == 1 and given[0] is X:
            numbers = [read_objects(self, X)]
        else:
            self._index = agreed_names(given, kinds)
            numbers = [as_attributes(view, least=2) for view in given]
            self.n_features_in_ = sum(view.shape[1] for view in numbers)
            vars(self).pop("feature_names_in_", None)
        expect_same_rows([len(view) for view in numbers])
        n = len(numbers[0])
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=n)
        expect_moderate_powers(self.alpha, self.n_clusters)
        expect((focal_sets.singletons >= 0).all(), "focal sets with every singleton", focal_sets)
        if not isinstance(self.init, str):
            init = np.asarray(self.init)
            fits = init.shape == (self.n_clusters,) and init.dtype.kind in "iu"
            fits = fits and len(np.unique(init)) == self.n_clusters and init.min() >= 0 and init.max() < n
            expect(fits, f"init of {self.n_clusters} different objects in 0..{n - 1}", self.init)
        read = [read_view(view, kind, l) for l, (view, kind) in enumerate(zip(numbers, kinds))]
        views, self._readers = [view for view, _ in read], [reader for _, reader in read]
        self._sets = Sets(focal_sets, self.gamma, self.eta, self.alpha)
        self._deltas = [self._delta_of(view) for view in views]
        lengths = np.array([float(reader.length) for reader in self._readers])
        self.delta_ = np.array(self._deltas, dtype=float) * lengths
        return views, focal_sets

    def _delta_of(self, view: Table | Matrix):
        if self.delta is not None:
            return self.delta
        rows = sample_objects(len(view[0]), self.n_clusters, None)
        if isinstance(view, Table):
            d = pdist(view.X[rows], "sqeuclidean")
        else:
            d = squareform(view.tau[np.ix_(rows, rows)], checks=False)
        return float(np.quantile(d, DELTA_QUANTILE) or 2.0) ** 0.5  # the mean, if most are equal

    def _starts(self, views: list, rng: np.random.RandomState):
        """Yield starting objects (c,)."""
        if not isinstance(self.init, str):
            yield np.array(self.init)
            return
        for _ in track(range(self.n_init), "start"):
            yield far_objects(views, self.n_clusters, rng)

    def _costs(self, views: list, places: Prototypes, of_sets: object):
        """Return the costs (n, f) of the objects in each view."""
        sets = self._sets
        return [
            focal_costs(d, sets.focal_sets, sets.alpha, delta)
            for d, delta in zip(dissimilarities(views, places, of_sets, sets.focal_sets), self._deltas)
        ]

    def _alternate(self, views: list, places: Prototypes):
        """Update prototypes, weights and masses in turn while the objective falls."""
        rule, sets, n = RULES[self.weighting], self._sets, len(views[0][0])
        strength = self.temperature if self.weighting == "entropy" else self.exponent

        def costs_at(places: Prototypes) -> list[np.ndarray]:
            return self._costs(views, places, set_prototypes(views, places.medoids, sets))

        def best_masses(costs: list[np.ndarray], weights: np.ndarray, places: Prototypes):
            factors = rule.factor(weights, strength)
            total = total_costs(costs, factors)
            masses = masses_from_costs(total, self.beta, ROUNDING)
            value = objective(masses, total, self.beta) + n * rule.more(weights[0], strength)
            if self.feature_temperature is not None:
                shares = [w / len(w) for w in places.features if w is not None]
                value += n * sum(entropy_term(share, self.feature_temperature) for share in shares)
            return masses, factors, value

        weights = np.full((len(sets.focal_sets), len(views)), rule.equal(len(views)))
        masses, factors, value = best_masses(costs_at(places), weights, places)
        trace, converged = [value], False
        for _ in track_iterations(self.max_iter, "iteration"):
            powers = masses**self.beta
            candidate = moved(views, places, powers, factors, sets)
            if self.feature_temperature is not None:
                candidate = self._with_features(views, candidate, powers, factors)
            costs = costs_at(candidate)
            spent = np.stack([np.einsum("ia,ia->a", powers, C) for C in costs], axis=1) / n
            if not self.local:
                spent = np.broadcast_to(spent.sum(axis=0), spent.shape)
            new_weights = np.array([rule.optimal(row, strength) for row in spent])
            new_masses, new_factors, value = best_masses(costs, new_weights, candidate)
            converged = at_rest([*trace[-2:], value], self.tol * abs(value))
            if value < trace[-1]:
                places, weights, factors, masses = candidate, new_weights, new_factors, new_masses
                trace.append(value)
            if converged:
                break
        return Run(places, weights, factors, masses, trace, converged)

    def _with_features(self, views: list, places: Prototypes, powers: np.ndarray, factors: np.ndarray):
        features = [
            None
            if V is None
            else feature_weights(view, V, powers, factors[:, l], self._sets, self.feature_temperature)
            for l, (view, V) in enumerate(zip(views, places.centers))
        ]
        return places._replace(features=features)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


class Run(NamedTuple):
    """Result of a run, with the objective after each iteration."""

    places: Prototypes
    weights: np.ndarray
    factors: np.ndarray
    masses: np.ndarray
    objective: list
    converged: bool
