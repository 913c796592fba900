r"""MixedECM: evidential c-means of tables with numbers and categories, an evidential k-prototypes.

A prototype has a point :math:`v_k` for the q numbers and, for each of the other attributes, weights
:math:`w_{kl}^{(t)}` of its values that sum to 1. The fit finds masses M, points V and weights W that minimise

.. math:: J(M, V, W) = \sum_i \Big[ \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}^2
                       + \delta^2 m_{i\emptyset}^\beta \Big], \qquad
          d_{iA}^2 = \|x_i - \bar v_A\|^2
                     + \gamma \sum_l \lambda_l \sum_{t \neq x_{il}}
                       \frac{1}{|A|} \sum_{k \in A} w_{kl}^{(t)} ,

with numbers multiplied by :math:`\sqrt{\lambda_l}`. With equal :math:`\lambda_l` these are the distances of
ECM [antoine2012_cecm] plus :math:`\gamma` times those of cat-ECM [djiberou2019_catecm], as k-prototypes
combines k-means and k-modes [huang1998]. Each step minimises J exactly, with the other parts fixed, so J
never increases: masses in closed form, points by a linear system, and the value with the largest count gets
all the weight of its attribute. The steps are those of ECM and cat-ECM (``prototypes/``); a pass over the
objects (``prototypes/mixed_pass.py``) computes the masses and the sums that the other two steps need.

Readings
--------
R1. Numbers are divided by the standard deviation of the values clipped to `trimmed_limits`, so outliers do
    not make the other values too small.
R2. :math:`\gamma` is the mean variance of the numbers, computed in the same way, divided by the mean over
    the other attributes of :math:`1 - \sum_t p_t^2`, with the shares :math:`p_t` of the values
    [szepannek2018]. A number and a category then have the same weight on average.
R3. :math:`\delta^2` is `OUTLYING` times the sum of these variances and of :math:`\gamma` times
    :math:`1 - \sum_t p_t^2` of the other attributes.
R4. Missing values are left out of the distances of their object, which are multiplied by the sum of all
    :math:`\lambda_l` over that of its known attributes [hathaway2001]. The Euclidean distances of user tables
    and the means of cat-ECM do the same with equal weights.
R5. :math:`\lambda_l` increases with the part of attribute l that clusters in all other attributes explain
    (``prototypes/relevance.py``); all are 1 if attributes are of one kind.
R6. Without categories J is that of ECM times f n; without numbers, with :math:`\gamma = 1`, that of
    ``CatECM(normalize=False)``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from credalbench.belief import BlockwisePartition, CredalPartition
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsOrAuto, are_in_two_steps, resolve_focal_sets
from credalbench.cluster.conflict.focal_pairs import with_pairs
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, in_blocks
from credalbench.cluster.prototypes.clusterer import ROUNDING
from credalbench.cluster.prototypes.mass_update import Alpha, Beta, Setting, expect_moderate_powers
from credalbench.cluster.prototypes.mixed_pass import (
    MixedTable,
    mixed_masses,
    mixed_moments,
    number_step,
    prototype_distances,
)
from credalbench.cluster.prototypes.mixed_space import Rows, distant_objects, space_of
from credalbench.cluster.prototypes.outlier_distance import Delta
from credalbench.cluster.prototypes.relevance import relevance_weights
from credalbench.cluster.prototypes.value_weights import optimal_weights, prototype_table
from credalbench.core.arguments import (
    LARGEST,
    Array,
    Choice,
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    Seed,
    Table,
    as_floats,
    checked,
    expect,
    expect_count,
)
from credalbench.core.categories import MISSING, as_table
from credalbench.core.checks import at_rest, keep_trace, warn_if_coincident
from credalbench.core.estimators import DistancesToPrototypes, Examples
from credalbench.core.names import names_of
from credalbench.core.progress import track, track_iterations
from credalbench.core.threads import one_blas_thread

if TYPE_CHECKING:
    import pandas as pd

OUTLYING = 4.0  # squared distance to the empty set, in sums of the variances of all attributes


class MixedECM(LabelsOfNewObjects, DistancesToPrototypes, ClusterMixin, BaseEstimator):
    r"""Evidential k-prototypes: a credal partition of objects with numbers and categories.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. With 1, the fit separates a cluster from
        noise.
    categorical : sequence, optional
        Columns of categories: their names, or positions if `X` has no names. By default, these are all
        columns whose type is not numeric; truth values are categories.
    standardize : bool, default True
        Whether to divide numbers by their standard deviation, which is computed without extreme values.
    category_weight : float > 0 or "auto", default "auto"
        Weight :math:`\gamma` of a difference between categories, in squares of the (standardised) numbers.
        "auto": a number and a category have the same weight on average (see Notes).
    attribute_weights : {"auto", "equal"} or (p,) array, default "auto"
        Weights :math:`\lambda_l > 0` of the attributes in squared distances. "auto": larger if an attribute
        agrees with clusters found in the others (see Notes).
    alpha : float in [-100, 100], default 1.0
        Exponent of the cardinality: larger values put less mass on large sets.
    beta : float in (1, 100], default 1.3
        Exponent of the masses: values close to 1 give hard masses; 2 is large for categories.
    delta : float in (1e-100, 1e100) or "auto", default "auto"
        Distance of every object to the empty set, in the units of the (standardised) numbers: smaller values
        give more outliers. "auto": its square is four times the sum of the variances of all attributes.
    focal_sets : {"auto", "full", "simple", "pairs"} or FocalSets, default "auto"
        Subsets of clusters that may receive mass; "full" has 2^c sets. "auto": "full" for up to three
        clusters; otherwise "simple" and then pairs of clusters that are each other's nearest, as in `ECM`.
    init : {"k-means++"} or (c, p) table, default "k-means++"
        Starting prototypes. "k-means++": objects that are far from each other, with distances limited by
        `delta`. A table has rows like those of `X`.
    n_init : int, default 10
        Number of starts; the run with the lowest objective is returned. With given prototypes, there is one
        start.
    tol : float, default 1e-3
        Stop when no prototype moves further than this share of the root mean square distance of the objects
        to their mean, none changes its categories, and at most five times as far is left, which is
        extrapolated from the last two moves.
    max_iter : int, default 300
        Maximum number of iterations; 0 gives the masses at the starting prototypes.
    missing : {"error", "category", "ignore"}, default "error"
        How to treat missing values: raise an error; treat a missing category as a separate value, and leave
        missing numbers out; or leave all of them out. The distances of an object are multiplied by p over the
        number of attributes that are not left out.
    random_state : int, RandomState instance or None
        Seed of the starting prototypes.

    Attributes
    ----------
    partition_ : CredalPartition
        The masses are optimal for the prototypes.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    prototypes_ : DataFrame
        One row per cluster, one column per attribute: the mean of a numeric attribute; for others, the value
        that has all the weight, or a tuple of the values that share it.
    cluster_centers_ : (c, q) array
        Prototypes of the numbers, in the units of the data.
    weights_ : list of arrays (c, n_l)
        Weights of the values of each categorical attribute; rows sum to 1.
    categories_ : list of arrays (n_l,)
        The values of each categorical attribute, in their order.
    units_ : (q,) array
        Divisors of the numbers; 1 without `standardize`.
    category_weight_ : float
        :math:`\gamma`, for numbers divided by `units_`.
    attribute_weights_ : (p,) array
        :math:`\lambda_l`; their mean is 1 if they were computed from the data.
    delta_ : float
        Distance to the empty set, for these numbers.
    start_ : DataFrame
        Starting objects of the best run. If you pass them as `init`, the fit repeats this run.
    objective_ : float
        J, for these numbers.
    objective_trace_ : (n_iter + 1,) array
        J at the starting prototypes and after each iteration, with optimal masses; it never increases.
    n_iter_ : int
    converged_ : bool
        Whether the fit stopped before `max_iter`.
    n_features_in_ : int
        Columns of `X` seen during fit.
    feature_names_in_ : (p,) array
        Names of the columns, if `X` has names that are all strings.

    Raises
    ------
    ValueError
        Missing values under ``missing="error"``; an object or an attribute without any value; infinite
        numbers; text in a column of numbers; columns of `categorical` that `X` does not have; fewer than one
        or more than n clusters; a parameter out of range; an `init` of another shape or with other values.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    UserWarning
        A cluster has no object.
        Prototypes coincide: the data have fewer clusters, or the start was unsuitable. In `predict`: some
        values did not occur in `fit`; they differ from all prototypes.

    See Also
    --------
    ECM : For numbers alone.
    CatECM : For categories alone.
    credalbench.tables.gower_dissimilarities : Dissimilarities of the same tables, for EVCLUS.

    Notes
    -----
    The weight of a category is the mean variance of the numbers divided by the mean of
    :math:`1 - \sum_t p_t^2` over the categorical attributes, with the shares :math:`p_t` of the values
    [szepannek2018]. If all attributes are of one kind, this weight and the weights of the attributes are 1.
    Otherwise, the weight of an attribute is proportional to 0.2 plus the share of its variance, or Gini
    index, between the clusters that a linkage of at most 400 objects, or 20 per cluster, finds in all other
    attributes.

    You can compare distances to prototypes (`transform`) with `delta`.

    An iteration costs O(n (p c + f q)). It uses numba's threads; the result does not depend on their number.

    References
    ----------
    [huang1998], [antoine2012_cecm], [djiberou2019_catecm], [szepannek2018], [hathaway2001]

    Examples
    --------
    >>> import pandas as pd
    >>> plants = pd.DataFrame({"height": [1.0, 1.2, 5.0, 5.3], "colour": ["red", "red", "blue", "red"]})
    >>> fit = MixedECM(2, random_state=0).fit(plants)
    >>> fit.labels_[0] == fit.labels_[1], fit.labels_[2] == fit.labels_[3]
    (np.True_, np.True_)
    """

    examples = Examples(variants=({"missing": "ignore"}, {"standardize": False}), start="objects")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        categorical: Annotated[Sequence | None, Table() | None] = None,
        standardize: bool = True,
        category_weight: Annotated[str | float, Choice("auto") | Number(above=1e-100, below=1e100)] = "auto",
        attribute_weights: Annotated[str | npt.ArrayLike, Choice("auto", "equal") | Array()] = "auto",
        alpha: Alpha = 1.0,
        beta: Beta = 1.3,
        delta: Delta = "auto",
        focal_sets: FocalSetsOrAuto = "auto",
        init: Annotated[str | npt.ArrayLike, Choice("k-means++") | Table()] = "k-means++",
        n_init: PositiveInt = 10,
        tol: NonNegativeFloat = 1e-3,
        max_iter: NonNegativeInt = 300,
        missing: Annotated[str, Choice(*MISSING)] = "error",
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.categorical = categorical
        self.standardize = standardize
        self.category_weight = category_weight
        self.attribute_weights = attribute_weights
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.focal_sets = focal_sets
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.missing = missing
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike | pd.DataFrame, y: object = None) -> Self:
        """Compute the credal partition of a table of numbers and categories.

        Parameters
        ----------
        X : (n, p) DataFrame or array
            The objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        MixedECM
            The fitted estimator.
        """
        data, rows = self._read(X)
        rng = check_random_state(self.random_state)
        rule = {"least_move": self.tol * self._space.spread, "max_iter": self.max_iter}
        best = None
        for start in self._starts(data, rows, rng):
            run = alternate(data, *self._space.prototypes(start), self._setting, **rule)
            if best is None or run.objective[-1] < best.objective[-1]:
                best, first = run, start
        if are_in_two_steps(self.focal_sets, self.n_clusters):
            masses = mixed_masses(data, best.numbers, best.weights, self._setting)
            simple = CredalPartition(masses, self._setting.focal_sets)
            self._setting = self._setting._replace(focal_sets=with_pairs(simple, 1))
            best = alternate(data, best.numbers, best.weights, self._setting, **rule)
        self._prototypes = best.numbers, best.weights
        self._describe(first)
        keep_trace(self, best.objective, best.converged)
        masses = mixed_masses(data, *self._prototypes, self._setting)
        self.partition_ = CredalPartition(masses, self._setting.focal_sets, self._index)
        self.labels_ = labels_of(self.partition_)
        V, W = self._prototypes
        apart = cdist(V, V)
        if W is not None:
            apart[(W.T[:, None] != W.T).any(axis=2)] = np.inf
        within = np.sqrt(np.median(prototype_distances(data, V, W).min(axis=1)))
        warn_if_coincident(self, apart, within, self._space.spread)
        return self

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike | pd.DataFrame) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects, with fixed prototypes.

        A category that did not occur in `fit` differs from all prototypes; a warning names it.

        Parameters
        ----------
        X : (m, p) DataFrame or array; or data in blocks
            New objects.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the focal sets of the fit; for data in blocks, a
            `BlockwisePartition`.
        """
        masses = mixed_masses(self._read_others(X), *self._prototypes, self._setting)
        return CredalPartition(masses, self._setting.focal_sets, names_of(X))

    def score(self, X: npt.ArrayLike | pd.DataFrame, y: object = None) -> float:
        """Compute minus the mean objective of new objects.

        The masses are those of `predict_partition`. Use scores to compare fits with the same alpha, beta,
        `units_`, `category_weight_`, `attribute_weights_` and `delta_`; they mostly increase with the number
        of clusters.

        Parameters
        ----------
        X : (m, p) DataFrame or array
            New objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        float
            Minus the mean objective of the new objects: larger is better.
        """
        data = self._read_others(X)
        with one_blas_thread():  # the number of threads would change the last bits
            return -mixed_moments(data, *self._prototypes, self._setting).objective / len(data.numbers)

    def _distances(self, X: npt.ArrayLike | pd.DataFrame):
        squared = prototype_distances(self._read_others(X), *self._prototypes)
        return np.sqrt(squared)

    # ---------------------------------------------------------------- reading

    def _read(self, X: npt.ArrayLike | pd.DataFrame):
        """Check `X` and the parameters, and set what fit and prediction share -> MixedTable, Rows."""
        self._index, X = names_of(X), as_table(X, least=2)
        validate_data(self, X, skip_check_array=True)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        expect_moderate_powers(self.alpha, self.n_clusters)
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=len(X))
        frame = _frame(X)
        is_category = _are_categories(frame, self.categorical)
        automatic = isinstance(self.attribute_weights, str) and self.attribute_weights == "auto"
        self._weighs = automatic and len(set(is_category)) == 2
        self._space, numbers, codes = space_of(
            frame, is_category, self.missing, self.standardize, self.category_weight
        )
        self._space = self._weighted(numbers, codes)
        delta, variance = self.delta, self._space.variance
        if delta == "auto":
            delta = float(np.sqrt(OUTLYING * variance)) if variance > 0 else 1.0
        negligible = (ROUNDING * self._space.spread) ** 2
        self._setting = Setting(focal_sets, self.alpha, self.beta, delta, negligible)
        self._names = list(frame)
        return self._space.table(numbers, codes), self._space.complete(numbers, codes)

    def _weighted(self, numbers: np.ndarray, codes: np.ndarray | None):
        """Return the space with the weights of the attributes."""
        space, given = self._space, self.attribute_weights
        if not isinstance(given, str):
            weights = as_floats("attribute_weights", given)
            right = (
                weights.shape == space.is_category.shape
                and (weights > 1e-100).all()
                and weights.max() < LARGEST
            )
            expect(right, f"{len(space.is_category)} positive attribute_weights", given)
            return space.weighted(weights)
        if not self._weighs:
            return space
        return space.weighted(relevance_weights(space, numbers, codes, self.n_clusters))

    def _read_others(self, X: npt.ArrayLike | pd.DataFrame):
        """Return new objects (m, p) -> MixedTable."""
        check_is_fitted(self)
        X = as_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return self._space.read_new(_frame(X))

    def _starts(self, data: MixedTable, rows: Rows, rng: np.random.RandomState) -> Iterator[Rows]:
        """Yield starting prototypes: drawn objects, or the given ones."""
        if isinstance(self.init, str):
            for _ in track(range(self.n_init), "start"):
                limit = self._setting.delta**2
                yield distant_objects(data, self._space, rows, self.n_clusters, limit, rng)
        else:
            given = self.init if hasattr(self.init, "iloc") else np.asarray(self.init, dtype=object)
            expect(
                given.ndim == 2, f"init of shape ({self.n_clusters}, p), rows like those of X", given.shape
            )
            yield self._space.read_prototypes(_frame(as_table(self.init)), self.n_clusters)

    def _describe(self, first: Rows):
        """Set the attributes for prototypes, units and weights, in the units of the data."""
        space, (V, W) = self._space, self._prototypes
        self.cluster_centers_ = space.outside(V)
        self.units_ = space.units
        self.category_weight_, self.delta_ = space.weight, self._setting.delta
        self.attribute_weights_ = space.weights
        self.categories_, self.weights_, words, starts = [], [], [], []
        if W is not None:
            self.categories_ = list(space.domain.categories)
            self.weights_ = space.domain.unstack(W)
            table = prototype_table(self.weights_, space.domain)
            words = [table.iloc[:, l] for l in range(table.shape[1])]
            starts = [values[codes] for values, codes in zip(self.categories_, first.codes.T)]
        self.prototypes_ = space.frame(self._names, self.cluster_centers_, words)
        self.start_ = space.frame(self._names, first.numbers, starts)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _frame(X: np.ndarray | pd.DataFrame) -> pd.DataFrame:
    """Return a table as a data frame, with a type for each column."""
    import pandas as pd

    return X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).infer_objects()


def _are_categories(frame: pd.DataFrame, given: Sequence | None) -> np.ndarray:
    """Return a mask (p,) of the columns that hold categories."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    if given is None:
        return np.array([not is_numeric_dtype(kind) or is_bool_dtype(kind) for kind in frame.dtypes])
    flat = not hasattr(given, "__array__") or np.ndim(given) == 1
    expect(flat, "a one-dimensional list of columns in categorical", given)
    columns, given = list(frame.columns), list(given)
    unknown = [label for label in given if not isinstance(label, Hashable) or label not in columns]
    expect(not unknown, "only columns of X in categorical", unknown)
    return np.array([label in given for label in columns])


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step."""

    numbers: np.ndarray  # (c, q), about the origin
    weights: np.ndarray | None  # (n_rows, c), stacked
    objective: list
    converged: bool


def alternate(
    data: MixedTable,
    V: np.ndarray,
    W: np.ndarray | None,
    setting: Setting,
    *,
    least_move: float,
    max_iter: int,
) -> Alternation:
    """Update prototypes of numbers `V` (c, q), stacked weights `W` (n_rows, c) or None, and masses in turn.

    Stops when the prototypes are `at_rest` with `least_move` and no weight changes.
    """
    converged = False
    with one_blas_thread():
        now = mixed_moments(data, V, W, setting)
        trace, moves = [now.objective], []
        for _ in track_iterations(max_iter, "iteration"):
            move, before = number_step(now, setting), W
            V = V + move
            W = None if before is None else optimal_weights(now.values, data.table.domain)
            changed = W is not None and not np.array_equal(W, before)
            now = mixed_moments(data, V, W, setting)
            trace.append(now.objective)
            moves.append(np.linalg.norm(move, axis=1).max())
            rests = at_rest(trace, least_move, moves)
            converged = rests and (not changed or trace[-2] <= trace[-1])  # or values that tie
            if converged:
                break
    return Alternation(V, W, trace, converged)
