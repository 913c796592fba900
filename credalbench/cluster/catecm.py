r"""cat-ECM: evidential c-means of tables of categories.

A prototype has weights :math:`w_{kl}^{(t)}` of the values t of each attribute l, which sum to 1
[djiberou2019_catecm (3)]. The fit finds masses M and weights W that minimise [djiberou2019_catecm (6)]

.. math:: J(M, W) = \sum_i \Big[ \sum_{A \neq \emptyset} |A|^\alpha m_{iA}^\beta d_{iA}^2
                    + \delta^2 m_{i\emptyset}^\beta \Big], \qquad
          d_{iA}^2 = \frac{1}{p} \sum_l \sum_{t \neq x_{il}} \frac{1}{|A|} \sum_{k \in A} w_{kl}^{(t)}

over masses on the simplex [djiberou2019_catecm (7)]. Each step minimises J exactly, with the other part
fixed, so J never increases: masses in closed form [djiberou2019_catecm (12)], [djiberou2019_catecm (13)]
(``mass_update.py`` in ``prototypes/``); the objective of the weights is linear, [djiberou2019_catecm (16)],
and the value with the largest count gets all the weight [djiberou2019_catecm (14)]. A pass over the objects
(``category_pass.py``) computes the masses and the counts, in O(n (p c + f)).

Deviations and readings
-----------------------
D1. The paper requires :math:`\alpha \geq 1` (Algorithm 1) but uses -1, -0.05 and 0; here, any alpha is
    allowed.
D2. The distance to the empty set, rho in (6), is delta in (12).
D3. (14) and (15) print :math:`f_{ik}` instead of :math:`f_{kl}`, and (10) and (11) print :math:`x_{ij}`
    instead of :math:`x_{il}`.
D4. With (10) as printed, no distance exceeds 1, and with the delta = 1.05 of Figure 2 no object prefers the
    empty set. Without the factor 1/p (``normalize=False``) all statements about the figure hold.
D5. Values tie if their counts are within 1e-10 of the largest count. In a cluster without any mass, all
    values tie.
D6. An object with several sets at distance zero shares its mass equally among them; (12) is 0/0 there.
D7. "Centroids do not change" means that no weight changes, or that the objective decreases by at most the
    share `tol` (0 by default) of itself.
D8. The returned masses are optimal for the returned weights.
D9. The paper does not treat missing values. Values that are ignored are left out of the sum and the mean of
    their object. In the frequencies, an object then has a weight of one over the number of its values, and J
    still never increases.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from credalbench.belief import BlockwisePartition, CredalPartition
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsLike, resolve_focal_sets
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, in_blocks, partition_in_blocks
from credalbench.cluster.prototypes.category_pass import CodedTable, frequencies_at, masses_at
from credalbench.cluster.prototypes.mass_update import Alpha, Beta, Setting, expect_moderate_powers
from credalbench.cluster.prototypes.value_weights import (
    TIED,
    distant_objects,
    given_weights,
    optimal_weights,
    prototype_table,
    random_weights,
)
from credalbench.core.arguments import (
    Choice,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    PositiveLength,
    Seed,
    Table,
    are_blocks,
    checked,
    expect,
    expect_count,
)
from credalbench.core.categories import MISSING, as_table, mismatches, read_table, read_table_blocks
from credalbench.core.categories.table import codes_of_block
from credalbench.core.checks import at_rest, keep_trace, read_weights, warn_if_coincident
from credalbench.core.estimators import DistancesToPrototypes, Examples
from credalbench.core.names import names_of
from credalbench.core.progress import track, track_iterations
from credalbench.core.threads import one_blas_thread

if TYPE_CHECKING:
    import pandas as pd


class CatECM(LabelsOfNewObjects, DistancesToPrototypes, ClusterMixin, BaseEstimator):
    r"""Evidential c-means of categories: a credal partition of objects with categorical attributes.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. With 1, the fit separates a cluster from
        noise.
    alpha : float in [-100, 100], default -0.05
        Exponent of the cardinality: larger values put less mass on large sets. Sets of several clusters are
        far from objects that are near one of them, so small negative values are useful.
    beta : float in (1, 100], default 1.1
        Exponent of the masses: values close to 1 give hard masses; 2 is large.
    delta : float in (1e-100, 1e100), default 10.0
        Distance of every object to the empty set: smaller values give more outliers. Distances to clusters
        are at most 1, or :math:`\sqrt p` if `normalize` is False.
    normalize : bool, default True
        Whether squared distances are means over the attributes, as printed in the paper, or sums. Constant
        attributes add nothing to the sum, but count in the mean.
    focal_sets : {"full", "simple", "pairs"} or FocalSets, default "full"
        Subsets of clusters that may receive mass; "full" has 2^c sets.
    init : {"k-means++", "random"} or (c, p) table or list of p arrays (c, n_l), default "k-means++"
        Starting prototypes. "k-means++": objects that are far from each other; "random": weights drawn
        uniformly from those that sum to 1, as in the paper. A table has rows like those of `X`; a list has
        weights of the values in the order of `categories_`, such as `weights_` of another fit.
    n_init : int, default 10
        Number of starts; the run with the lowest objective is returned. With given prototypes, there is one
        start.
    tol : float, default 0.0
        Stop when no weight changes, or when the objective falls by at most this share of itself, and the
        remaining decrease, extrapolated from the last two steps, is at most five times this share.
    max_iter : int, default 300
        Maximum number of iterations; 0 gives the masses at the starting weights.
    missing : {"error", "category", "ignore"}, default "error"
        How to treat None, NaN, NaT and NA: raise an error, treat them as a separate value, or leave the
        attribute out of the sum and the mean of the object.
    random_state : int, RandomState instance or None
        Seed of the starting weights.

    Attributes
    ----------
    partition_ : CredalPartition
        The masses are optimal for `weights_`.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    prototypes_ : DataFrame
        One row per cluster, one column per attribute: the value that has all the weight, or a tuple of the
        values that share it (after ten values, "…").
    weights_ : list of p arrays (c, n_l)
        Weights of the values in the prototypes; rows sum to 1.
    start_ : list of p arrays (c, n_l)
        Starting weights of the best run. If you pass them as `init`, the fit repeats this run.
    categories_ : list of p arrays (n_l,)
        The values of each attribute: in the order of a category dtype, otherwise sorted or, if they cannot be
        compared, in order of appearance. If missing values are a separate value, it is the last one, None.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the starting weights and after each iteration, with optimal masses; it never increases.
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
        Missing values under ``missing="error"``, with row and column; infinite numbers; attributes that
        are all constant; fewer than one or more than n clusters; a parameter out of range; an `init` of
        another shape, with other values, or with weights that do not sum to 1.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object.
        Prototypes coincide: the data have fewer clusters, or the start was unsuitable. In `predict`: some
        values did not occur in `fit`; they differ from all prototypes, as in (11).

    Notes
    -----
    Values are compared by equality only: 1, 1.0 and True are the same, "1" is different. Constant attributes
    are allowed and add nothing to any distance.

    An iteration costs O(n (p c + f)). It uses numba's threads; the result does not depend on their number. It
    keeps one small integer per object and attribute; at the end, a few arrays of the size of the (n, f)
    masses.

    With many attributes, random weights are all alike, and a fit may end with identical prototypes or with
    all mass on the empty set. Starts from objects end at lower objectives.

    References
    ----------
    [djiberou2019_catecm], [masson2008]

    Examples
    --------
    >>> animals = [["yes", 2], ["yes", 2], ["no", 4], ["no", 4], ["no", 6]]
    >>> fit = CatECM(2, random_state=0).fit(animals)
    >>> fit.labels_[0] == fit.labels_[1], fit.labels_[2] == fit.labels_[3]
    (np.True_, np.True_)
    >>> sorted(map(tuple, fit.prototypes_.to_numpy().tolist()))
    [('no', 4), ('yes', 2)]
    """

    examples = Examples(
        variants=({"init": "random"}, {"normalize": False}, {"missing": "ignore", "focal_sets": "simple"}),
        start="objects",
    )

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        alpha: Alpha = -0.05,
        beta: Beta = 1.1,
        delta: PositiveLength = 10.0,
        normalize: bool = True,
        focal_sets: FocalSetsLike = "full",
        init: Annotated[str | npt.ArrayLike, Choice("k-means++", "random") | Table()] = "k-means++",
        n_init: PositiveInt = 10,
        tol: NonNegativeFloat = 0.0,
        max_iter: NonNegativeInt = 300,
        missing: Annotated[str, Choice(*MISSING)] = "error",
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.normalize = normalize
        self.focal_sets = focal_sets
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.missing = missing
        self.random_state = random_state

    @checked
    def fit(
        self, X: npt.ArrayLike | pd.DataFrame, y: object = None, *, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Compute the credal partition of a table of categories.

        Parameters
        ----------
        X : (n, p) array or DataFrame, or data in blocks
            Table of categories. Blocks are those of a `numpy.memmap`, of a dask array or DataFrame, or of a
            function that returns an iterator of them; see the page *Large data* of the guide.
        y : object
            Ignored, present for scikit-learn's pipelines.
        sample_weight : (n,) array, optional
            Weights of the objects, at least 0: an object of weight 2 counts as two objects.

        Returns
        -------
        CatECM
            The fitted estimator.
        """
        data = self._read(X)
        data = data._replace(sample_weight=read_weights(sample_weight, len(data.codes)))
        rng = check_random_state(self.random_state)
        best = None
        for weights in self._starts(data, rng):
            run = alternate(data, weights, self._setting, tol=self.tol, max_iter=self.max_iter)
            if best is None or run.objective[-1] < (1 - TIED) * best.objective[-1]:
                best, start = run, weights
        self._weights = best.weights
        self.categories_ = list(data.domain.categories)
        self.weights_ = data.domain.unstack(best.weights)
        self.start_ = data.domain.unstack(start)
        self.prototypes_ = prototype_table(self.weights_, data.domain)
        keep_trace(self, best.objective, best.converged)
        focal_sets = self._setting.focal_sets
        vars(self).pop("labels_", None)  # of an earlier fit; those of blocks are computed on request
        if isinstance(data.codes, np.memmap):
            read = partial(codes_of_block, domain=data.domain)
            masses = partial(_masses, fit=(data.domain, self.normalize, best.weights, self._setting))
            self.partition_ = partition_in_blocks(X, len(data.codes), read, masses, focal_sets)
        else:
            masses = masses_at(data, best.weights, self._setting)
            self.partition_ = CredalPartition(masses, focal_sets, self._index)
            self.labels_ = labels_of(self.partition_)
        warn_if_coincident(self, cdist(self._weights.T, self._weights.T), 0.0, 1.0)
        return self

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike | pd.DataFrame) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects, with fixed prototypes.

        A value that did not occur in `fit` differs from all prototypes; a warning names it.

        Parameters
        ----------
        X : (m, p) array or DataFrame; or data in blocks
            Categories of new objects.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the focal sets of the fit; for data in blocks, a
            `BlockwisePartition`.
        """
        masses = masses_at(self._read_others(X), self._weights, self._setting)
        return CredalPartition(masses, self._setting.focal_sets, names_of(X))

    def score(self, X: npt.ArrayLike | pd.DataFrame, y: object = None) -> float:
        """Compute minus the mean objective of new objects.

        The masses are those of `predict_partition`. Use scores to compare fits with the same alpha, beta,
        delta and `normalize`; they mostly increase with the number of clusters.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Categories of new objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        float
            Minus the mean objective of the new objects: larger is better.
        """
        data = self._read_others(X)
        with one_blas_thread():  # the number of threads would change the last bits
            return -frequencies_at(data, self._weights, self._setting).objective / len(data.codes)

    def _distances(self, X: npt.ArrayLike | pd.DataFrame):
        data = self._read_others(X)
        return np.sqrt(mismatches(data.codes, self._weights, data.domain) * data.scales[:, None])

    def _read_others(self, X: npt.ArrayLike | pd.DataFrame):
        """Return new objects (m, p) coded by the values of the fit -> CodedTable."""
        check_is_fitted(self)
        X = as_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        codes = self._domain.encode_new(X)
        return CodedTable(codes, self._domain.scales(codes, self._normalized), self._domain)

    def _read(self, X: npt.ArrayLike | pd.DataFrame):
        """Check `X` and the parameters, and set what fit and prediction share -> CodedTable."""
        in_blocks = are_blocks(X)
        if in_blocks:
            self._index = None
            codes, domain = read_table_blocks(self, X, self.missing)
            n = len(codes)
        else:
            self._index, X = names_of(X), as_table(X, least=2)
            validate_data(self, X, skip_check_array=True)
            n = len(X)
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        expect_moderate_powers(self.alpha, self.n_clusters)
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=0 if in_blocks else n)
        if not in_blocks:
            codes, domain = read_table(X, self.missing)
        expect((domain.sizes > 1).any(), "an attribute with two different values", "constant attributes only")
        self._domain, self._normalized = domain, self.normalize
        self._setting = Setting(focal_sets, self.alpha, self.beta, self.delta)
        return CodedTable(codes, domain.scales(codes, self.normalize), domain)

    def _starts(self, data: CodedTable, rng: np.random.RandomState):
        """Yield stacked starting weights (n_rows, c): of objects, random, or given."""
        if not isinstance(self.init, str):
            yield given_weights(self.init, self.n_clusters, data.domain)
            return
        for _ in track(range(self.n_init), "start"):
            if self.init == "random":
                yield random_weights(data, self.n_clusters, rng)
            else:
                yield distant_objects(data, self.n_clusters, rng)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _masses(codes: np.ndarray, fit: tuple):
    domain, normalize, weights, setting = fit
    return masses_at(CodedTable(codes, domain.scales(codes, normalize), domain), weights, setting)


class Alternation(NamedTuple):
    """Result of alternating minimisation, with the objective after each step."""

    weights: np.ndarray  # (n_rows, c), stacked
    objective: list
    converged: bool


def alternate(
    data: CodedTable, weights: np.ndarray, setting: Setting, *, tol: float, max_iter: int
) -> Alternation:
    """Update stacked weights (n_rows, c) and masses in turn.

    Stops when no weight changes or the objective is `at_rest` with the share `tol` of itself.
    """
    converged = False
    with one_blas_thread():
        now = frequencies_at(data, weights, setting)
        trace = [now.objective]
        for _ in track_iterations(max_iter, "iteration"):
            previous, weights = weights, optimal_weights(now.values, data.domain)
            changed = not np.array_equal(weights, previous)
            now = frequencies_at(data, weights, setting) if changed else now
            trace.append(now.objective)
            converged = not changed or at_rest(trace, tol * trace[-2])
            if converged:
                break
    return Alternation(weights, trace, converged)
