r"""EVCLUS: a credal partition whose degrees of conflict match the dissimilarities between objects.

Each object i gets a mass function :math:`m_i` over subsets of the clusters. The degree of conflict
:math:`\kappa_{ij} = m_i^T C m_j` of two objects is one minus the plausibility that they belong to the same
cluster; EVCLUS fits it to the transformed dissimilarity :math:`\delta_{ij} = \varphi(d_{ij})` by minimising
the stress

.. math:: J(M) = \eta \sum_{i<j} (m_i^T C m_j - \delta_{ij})^2 \quad\text{s.t. } m_i \ge 0,\; 1^T m_i = 1

over all pairs (EVCLUS) or over k sampled partners of every object (k-EVCLUS, O(nk) in time and memory).
Partners are drawn in tiles (``conflict/tile_graph.py``) or one by one, as published. Must-links and
cannot-links add costs, as in CEVCLUS and k-CEVCLUS (``constrained/linked_stress.py``).

Source: [denoeux2016_evclus], Eqs. (12) to (23) and Algorithm 1; the method is from [denoeux2004], the
row-wise quadratic programming from [terbraak2009]. For deviations D1 and D2 (stopping rule, limit of sweeps),
see ``conflict/solvers.py``.

D3. With sampled pairs, a row update by default uses all sampled pairs that contain the object
    (``pair_updates="two-sided"``). Updates with only the object's own k pairs, as published
    (``"one-sided"``), are not coordinate descent on J_k: the stress may increase.
D4. By default, pairs are sampled in random tiles (``pair_sampling="tiles"``); the paper draws the partners of
    each object independently.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.baselines.base_partitions import no_user_warnings
from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsLike, resolve_focal_sets
from credalbench.cluster.conflict.compared_pairs import ComparedPairs
from credalbench.cluster.conflict.focal_pairs import add_pairs
from credalbench.cluster.conflict.preliminary import (
    d0_of_one_cluster,
    sample_objects,
    short_fit,
    starting_masses,
)
from credalbench.cluster.conflict.solvers import irqp, lbfgs, silva_almeida
from credalbench.cluster.conflict.stress import Stress
from credalbench.cluster.conflict.tile_dissimilarities import PRECISIONS
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi
from credalbench.cluster.constrained.linked_stress import LinkCosts, LinkedStress, compile_sweeps
from credalbench.cluster.constrained.report import constraint_report, warn_of_outliers
from credalbench.cluster.ensembles.starts import Init, check_init
from credalbench.cluster.inputs.dissimilarities import (
    DissimilarityInput,
    MetricLike,
    TiledDissimilarities,
    as_dissimilarities,
    dissimilarity_matrix,
)
from credalbench.cluster.inputs.new_objects import CHUNK, FittedObjects, LabelsOfNewObjects, in_blocks
from credalbench.cluster.pairwise.all_pairs import fitted_rows
from credalbench.core.arguments import (
    Choice,
    Instance,
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    PositiveLength,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import keep_trace, read_objects
from credalbench.core.constraints import PairwiseConstraints, warn_of_contradictions
from credalbench.core.estimators import Examples
from credalbench.core.names import names_of
from credalbench.core.progress import track
from credalbench.core.threads import one_blas_thread

if TYPE_CHECKING:
    import pandas as pd

SOLVERS = {"irqp": irqp, "gradient": silva_almeida, "lbfgs": lbfgs}
PAIR_SAMPLING = ("tiles", "independent")
PAIR_UPDATES = ("two-sided", "one-sided")
REFERENCES = 2000  # objects with which a new one is compared, after a fit on tiles
AUTO = "auto"  # of d0_quantile
FOLDER = Instance(str, os.PathLike, noun="a path") | None
FOR_EMPTY_CLUSTERS = "a smaller d0 or d0_quantile, fewer clusters, or more starts (n_init)"
HIGHEST_QUANTILE = 0.9  # of d0 if no short fit chooses it


class EVCLUS(DissimilarityInput, LabelsOfNewObjects, ClusterMixin, BaseEstimator):
    r"""Evidential clustering of dissimilarity or attribute data by stress minimisation (EVCLUS and k-EVCLUS).

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects. With 1, the fit separates a cluster from
        noise (see Notes).
    solver : {"irqp", "gradient", "lbfgs"}, default "irqp"
        "irqp": row-wise quadratic programming (fast, monotone); "gradient": the gradient descent of the
        original EVCLUS, with a step size for every parameter [silva1990]; "lbfgs": L-BFGS.
    n_pairs : int, optional
        Number k of partners drawn for each object, 1 to n - 1. None: all pairs. 100 partners are enough for
        thousands or millions of objects.
    pair_sampling : {"tiles", "independent"}, default "tiles"
        "tiles": partners are drawn in tiles, about k for each object (see Notes). "independent": they are
        drawn one by one, as published, which is several times slower for many objects.
    pair_updates : {"two-sided", "one-sided"}, default "two-sided"
        With independent pairs: whether a row update uses all pairs that contain the object ("two-sided"), or
        only the k pairs drawn for it, as published ("one-sided"). Tiles are two-sided.
    pair_precision : {"single", "byte"}, default "single"
        Precision of the transformed dissimilarities of tiles: 4 bytes each, or one byte, rounded to
        multiples of 1/255.
    pair_folder : path, optional
        Folder for a temporary file with the dissimilarities of tiles. None: they are kept in memory.
    d0 : float, optional
        Dissimilarity above which two objects are plausibly in different clusters.
    d0_quantile : "auto" or float in (0, 1], default "auto"
        Quantile of the dissimilarities (off the diagonal; with `n_pairs`, of the sampled ones) used for d0 if
        `d0` is None. "auto" chooses it from the data (see Notes). The paper uses 0.9 for most data.
    alpha : float in (0, 1), default 0.05
        Plausibility, at d0, of belonging to the same cluster: :math:`\varphi(d_0) = 1 - \alpha`.
    focal_sets : {"simple", "full", "pairs"} or FocalSets, default "simple"
        Subsets of clusters that may receive mass. "simple": the empty set, the singletons and the set of all
        clusters.
    pair_neighbors : int, optional
        K, 1 to c - 1: after a first run, pairs of clusters that are mutual K nearest neighbours become focal
        sets (``add_pairs``), and a second run continues from there on the same pairs of objects. Requires the
        solver "irqp", because the softmax parameters of the others hardly leave a mass of 0. None: one run.
    metric : str or callable, default "euclidean"
        Any metric of scikit-learn, or "precomputed" when `X` is an (n, n) dissimilarity matrix.
    symmetrize : bool, default False
        Replace an asymmetric precomputed matrix by the mean of itself and its transpose instead of
        raising an error.
    n_init : int, default 1
        Number of starts (on the same pairs); the run with the lowest stress is returned.
    init : {"linkage", "random"} or (n, f) array, default "linkage"
        First start. "linkage": from Ward's linkage of the transformed dissimilarities (see Notes); "random":
        uniform numbers, normalised by row, as in the paper. Further starts are random. An array contains the
        starting masses; each row sums to 1.
    xi : float >= 0, default 0.5
        Weight of the constraints against the stress; 0 ignores them.
    tol : float, default 1e-5
        The solver stops when the smoothed relative change of the stress falls below this value,
        :math:`\epsilon` of the paper; "gradient" stops when the smoothed decrease falls below this share of
        the stress.
    max_iter : int, default 1000
        Maximum number of sweeps (irqp) or iterations (gradient, lbfgs); 0 gives the masses at the start.
    random_state : int, RandomState instance or None
        Seed of the pairs and of the starting masses.

    Attributes
    ----------
    partition_ : CredalPartition
        The credal partition.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_ : float
        Stress of `partition_`, plus the costs of constraints. With all pairs, each pair counts once; with
        sampled pairs, as in J_k.
    objective_trace_, time_trace_, evaluation_trace_ : arrays
        Stress, seconds and evaluations of the stress after each sweep or iteration; entry 0 is the start. If
        "gradient" undoes a step, the stress does not change in this iteration.
    running_sums_ : array
        For "irqp", the sums that Algorithm 1 accumulates; with all pairs they approach twice the stress.
    constraint_cost_ : float
        Mean cost of a constraint, in [0, 2]: the second part of the objective without xi.
    constraints_ : PairwiseConstraints
        The given constraints, each pair once.
    violated_ : PairwiseConstraints
        Constraints that `labels_` violate.
    start_ : (n, f) array
        Starting masses of the best run. If you pass them as `init`, with the same pairs (with `n_pairs`: the
        same seed), the fit repeats this run, with ``max_iter=k`` up to iteration k. If there were two runs,
        these are the masses of the second: use them with the focal sets of `partition_` and without
        `pair_neighbors`.
    first_partition_ : CredalPartition
        Result of the first of two runs (only with `pair_neighbors`); the traces are those of the second.
    n_iter_ : int
        Number of sweeps or iterations.
    n_evaluations_ : int
        Number of passes over all pairs of the run. A pass computes a value, a value with its gradient, or a
        sweep of row updates. IRQP also evaluates the start and the end.
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    d0_, gamma_ : float
        The values that were used.
    d0_quantile_ : float or None
        The quantile that was used; None if `d0` was given, or chosen for one cluster.
    conflict_pairs_ : AllPairs, SampledPairs or TilePairs
        The stress that was minimised, with its transformed dissimilarities.
    reference_ : (m,) int array
        Objects of the fit with which new ones are compared: all objects, or at most 2000, drawn at random,
        after a fit on tiles without a given matrix.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; a precomputed matrix that is not square, negative, asymmetric (see
        `symmetrize`) or without a zero diagonal; fewer than one or more than n clusters; a parameter out of
        range, by itself or relative to the dissimilarities (`d0`); dissimilarities that are all zero;
        starting masses whose rows are negative or do not sum to 1; constraints on unknown or equal objects.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.
    OSError
        `pair_folder` does not have enough space.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object. Constraints contradict each other, or are ignored because their objects are
        not in `X`; or must-links are met only because an object is an outlier.

    Notes
    -----
    A sweep costs O(n^2 f + n f^2) with all pairs and O(nk f^2) with k sampled pairs, for f focal sets; the
    first sweep from random masses costs a few times as much. If the minimiser of a row is not unique (no
    empty set among the focal sets, very few pairs), the one nearest to the previous row is taken; if a row
    has mass on more than 64 sets, descent from the previous row finds one. Cluster numbers have no meaning.
    Duplicate objects are allowed.

    With ``d0_quantile="auto"``, short fits from linkages try some quantiles between 0.05 and 0.97. The fit
    uses the quantile with the smallest sum of the nonspecificity of the partition and the share of outliers.
    The short fits and the linkage use at most a random sample of 200 objects, or 20 per cluster; other
    objects start with the masses that fit their dissimilarities to the sample. If only the dissimilarities to
    given partners are known, the starts are random, and "auto" is the quantile 2/c, at most 0.9.

    *Tiles.* The objects are divided, in random order, into groups of about k/4. In each of four random cyclic
    orders, every group is compared with its successor. The objects of a group have the same partners, and
    therefore the same matrix in their quadratic programmes. Each pair is used for both of its objects, and no
    sweep increases the stress. Pairs within a group are not compared. If k is at least (n - 1)/2, all pairs
    are used. ``benchmarks/evclus_orders.py`` compares both methods.

    All pairs need two (n, n) arrays. In tiles, each sampled pair needs 4 bytes, or one byte; each independent
    pair needs 8 bytes, or 24 with two-sided updates. A fit checks the memory for these and for some (n, f)
    and (f, f) arrays before it starts.

    *Constraints.* With q constraints, a sweep costs O(q f^2) more. Sweeps over tiles then use one thread. A
    false must-link may move an object out of all clusters (see `constraint_report`). With strong constraints,
    start from the linkage: from random masses, objects stay in their first clusters, at a high objective. The
    authors' program counts each constraint twice: its ``xi=0.5`` is 1 here.

    With one cluster, the degree of conflict of two objects is one minus the product of their masses on it, so
    an object far from most others has little mass on it. "auto" then sets d0 so that an object at Tukey's
    fence (third quartile plus three interquartile ranges) of the trimmed mean dissimilarities to others has a
    mass of 1/2.

    References
    ----------
    [denoeux2016_evclus], [denoeux2004], [terbraak2009], [silva1990]; constraints: [antoine2014], [li2018]

    Examples
    --------
    Object 12 of the butterfly is an outlier, and object 6 lies between the wings (Example 3 of
    [denoeux2016_evclus]):

    >>> from credalbench.datasets import load
    >>> fit = EVCLUS(2, d0=11.0, n_init=5, random_state=0).fit(load("butterfly").X)
    >>> fit.partition_.outliers().nonzero()[0] + 1
    array([12])
    """

    examples = Examples(
        variants=(
            {"n_pairs": 8},
            {"n_pairs": 5, "pair_sampling": "independent"},
            {"solver": "gradient"},
            {"solver": "lbfgs"},
        ),
        start="masses",
    )

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        solver: Annotated[str, Choice(*SOLVERS)] = "irqp",
        n_pairs: PositiveInt | None = None,
        pair_sampling: Annotated[str, Choice(*PAIR_SAMPLING)] = "tiles",
        pair_updates: Annotated[str, Choice(*PAIR_UPDATES)] = "two-sided",
        pair_precision: Annotated[str, Choice(*PRECISIONS)] = "single",
        pair_folder: Annotated[str | os.PathLike | None, FOLDER] = None,
        d0: PositiveLength | None = None,
        d0_quantile: Annotated[str | float, Number(above=0, high=1) | Choice(AUTO)] = AUTO,
        alpha: Annotated[float, Number(above=0, below=1)] = 0.05,
        focal_sets: FocalSetsLike = "simple",
        pair_neighbors: PositiveInt | None = None,
        metric: MetricLike = "euclidean",
        symmetrize: bool = False,
        n_init: PositiveInt = 1,
        init: Init = "linkage",
        xi: NonNegativeFloat = 0.5,
        tol: NonNegativeFloat = 1e-5,
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.solver = solver
        self.n_pairs = n_pairs
        self.pair_sampling = pair_sampling
        self.pair_updates = pair_updates
        self.pair_precision = pair_precision
        self.pair_folder = pair_folder
        self.d0 = d0
        self.d0_quantile = d0_quantile
        self.alpha = alpha
        self.focal_sets = focal_sets
        self.pair_neighbors = pair_neighbors
        self.metric = metric
        self.symmetrize = symmetrize
        self.n_init = n_init
        self.init = init
        self.xi = xi
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(
        self,
        X: npt.ArrayLike,
        y: object = None,
        *,
        partners: npt.ArrayLike | None = None,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
    ) -> Self:
        """Compute the credal partition of objects.

        Parameters
        ----------
        X : (n, p), (n, n) or (n, k) array or DataFrame, or TiledDissimilarities
            Attributes of the objects, or with ``metric="precomputed"`` their dissimilarities: those of all
            pairs, those of the pairs in `partners`, or a `TiledDissimilarities` that computes them.
        y : object
            Ignored, present for scikit-learn's pipelines.
        partners : (n, k) int array, optional
            Row i lists the objects with which object i is compared. By default, these are all other objects,
            or `n_pairs` objects drawn for each object.
        must_link, cannot_link : (m, 2) and (q, 2) arrays, optional
            Pairs of objects that are, or are not, in the same cluster: by their rows in `X`, or by the names
            in its index, if it is a DataFrame. If the names are numbers, an integer is a name.

        Returns
        -------
        EVCLUS
            The fitted estimator.
        """
        vars(self).pop("first_partition_", None)  # of an earlier fit
        pairs = ComparedPairs.of(self, partners)
        X, focal_sets = self._validate(X, pairs)
        self.constraints_ = PairwiseConstraints.of_fit(
            len(X), must_link, cannot_link, index=self._index, allow_contradictions=True
        )
        warn_of_contradictions(self.constraints_)
        rng = check_random_state(self.random_state)
        first, d0, self.d0_quantile_ = self._short_fit(X, rng, partners)
        stress, self.d0_ = replace(pairs, d0=d0).stress(X, rng, self.d0_quantile_)
        compile_sweeps(type(stress), linked=len(self.constraints_) > 0)  # before time_trace_ starts
        self.reference_ = self._draw_references(X, stress, rng)
        self._objects = self._fitted_objects(X)
        self.gamma_ = gamma_from_d0(self.d0_, self.alpha)
        best = self._lowest(stress, self._starts(len(X), focal_sets, first, rng), focal_sets)
        if self.pair_neighbors is not None:
            self.first_partition_ = CredalPartition(best.masses, focal_sets, self._index)
            richer = add_pairs(self.first_partition_, self.pair_neighbors)
            focal_sets = richer.focal_sets
            best = self._lowest(stress, [richer.masses.copy()], focal_sets)
        self.partition_ = CredalPartition(best.masses, focal_sets, self._index)
        self.labels_ = labels_of(self.partition_, FOR_EMPTY_CLUSTERS)
        self.start_ = best.start
        self.time_trace_ = np.array(best.seconds)
        self.evaluation_trace_ = np.array(best.evaluations)
        self.running_sums_ = np.array(best.running_sums)
        self.n_evaluations_ = best.n_evaluations
        keep_trace(self, best.stress, best.converged)
        self.conflict_pairs_ = stress
        costs = LinkCosts.of(self.constraints_, focal_sets, 1.0) if len(self.constraints_) else None
        self.constraint_cost_ = costs.value_and_gradient(self.partition_.masses)[0] if costs else 0.0
        self.violated_ = self.constraints_.violated(self.labels_)
        if len(self.constraints_.must_link):
            warn_of_outliers(self.constraints_, self.partition_)
        return self

    def constraint_report(self) -> pd.DataFrame:
        """Return the outcome of each constraint: met, violated, or met by an outlier.

        Returns
        -------
        pandas.DataFrame
            A table as from `CECM.constraint_report`.
        """
        check_is_fitted(self)
        return constraint_report(self.constraints_, self.partition_, self.labels_)

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects.

        The masses of each object minimise the stress of its pairs with all m objects in `reference_`, whose
        masses are fixed: this is a quadratic programme as in a sweep, in O(m (p + f) + f^3). If the minimum
        is not unique, the masses nearest to those of the nearest object are used. An object of the fit is
        also compared with itself, so its masses may differ from those of the fit.

        Parameters
        ----------
        X : (m, p) or (m, n) array or DataFrame; or data in blocks
            Attributes of new objects, or with ``metric="precomputed"`` their dissimilarities to the n
            objects of the fit; after a fit to `TiledDissimilarities`, to those in `reference_`.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the focal sets of the fit; for data in blocks, a
            `BlockwisePartition`.
        """
        masses = [masses for _, masses in self._fitted_rows(X)]
        return CredalPartition(np.concatenate(masses), self.partition_.focal_sets, names_of(X))

    def score(self, X: npt.ArrayLike, y: object = None) -> float:
        """Compute minus the mean squared error of degrees of conflict for new objects.

        The errors are the differences from the transformed dissimilarities, for pairs of a new object and an
        object of the fit, with the masses of `predict_partition`. Use scores to compare fits with the same
        ``gamma_``; they mostly increase with the number of clusters.

        Parameters
        ----------
        X : (m, p) or (m, n) array or DataFrame
            Attributes of new objects, or with ``metric="precomputed"`` their dissimilarities to the n
            objects of the fit; after a fit to `TiledDissimilarities`, to those in `reference_`.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        float
            Minus the mean squared error: larger is better.
        """
        squares, pairs = 0.0, 0
        for delta, masses in self._fitted_rows(X):
            C, M = self.partition_.focal_sets.conflict, self._reference_masses()
            with one_blas_thread():
                residuals = masses @ C @ M.T - delta
            squares += float(np.vdot(residuals, residuals))
            pairs += delta.size
        return -squares / pairs

    def _fitted_rows(self, X: npt.ArrayLike) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield transformed dissimilarities (b, n) and masses (b, f) of new objects, some at a time."""
        check_is_fitted(self)
        M, C = self._reference_masses(), self.partition_.focal_sets.conflict
        for D in self._objects.compared(self, X):
            start = M[D.argmin(axis=1)]
            with np.errstate(over="ignore"), one_blas_thread():  # overflow means a conflict of 1
                delta = phi(D, self.gamma_, out=D)
                masses = fitted_rows(delta[:, None], start, M, C)
            yield delta, masses

    def _reference_masses(self):
        M = self.partition_.masses
        return M if len(self.reference_) == len(M) else M[self.reference_]

    def _draw_references(self, X: np.ndarray, stress: Stress, rng: np.random.RandomState) -> np.ndarray:
        """Return the objects with which new ones will be compared."""
        n, given = len(X), isinstance(X, np.ndarray) and self._precomputed()
        if n <= REFERENCES or given or not isinstance(stress, TilePairs):
            return np.arange(n)
        return np.sort(rng.choice(n, REFERENCES, replace=False))

    def _fitted_objects(self, X: np.ndarray | TiledDissimilarities) -> FittedObjects:
        """Return the objects in `reference_`, with which new objects are compared."""
        if isinstance(X, TiledDissimilarities):
            return FittedObjects.of(X.between(self.reference_, self.reference_), self.metric)
        return FittedObjects.of(X if len(self.reference_) == len(X) else X[self.reference_], self.metric)

    def _lowest(self, stress: Stress, starts: Iterable[np.ndarray], focal_sets: FocalSets):
        """Return the run of lowest stress from the given starting masses."""
        conflict = focal_sets.conflict.copy()  # writable, as the kernels are compiled for
        graph = stress.graph if isinstance(stress, TilePairs) else None
        if graph is not None:
            stress, starts = stress.by_groups(), map(graph.arranged, starts)
        if len(self.constraints_) and self.xi > 0:
            order = None if graph is None else graph.order
            stress = LinkedStress(stress, LinkCosts.of(self.constraints_, focal_sets, self.xi, order))
        rule = {"has_empty": focal_sets.has_empty, "tol": self.tol, "max_iter": self.max_iter}
        with one_blas_thread():
            runs = (SOLVERS[self.solver](stress, masses, conflict, **rule) for masses in starts)
            best = min(runs, key=lambda run: run.stress[-1])
        if graph is not None:
            best.masses, best.start = graph.restored(best.masses), graph.restored(best.start)
        return best

    def _short_fit(
        self, X: np.ndarray, rng: np.random.RandomState, partners: npt.ArrayLike | None
    ) -> tuple[CredalPartition | None, float | None, float | None]:
        """Return a starting partition, and d0 or its quantile, by a short fit to some objects."""
        d0 = None if self.d0 is None else float(self.d0)
        quantile = self.d0_quantile if d0 is None else None
        chooses = quantile == AUTO
        fallback = min(HIGHEST_QUANTILE, 2 / self.n_clusters) if chooses else quantile
        given = self._precomputed()
        if given and partners is not None and chooses and self.n_clusters == 1 and X.any():
            return None, d0_of_one_cluster(X, self.alpha), None
        if not (chooses or self._from_linkage()) or (given and partners is not None):
            return None, d0, fallback
        rows = sample_objects(len(X), self.n_clusters, rng)
        if isinstance(X, TiledDissimilarities):
            sample = X.between(rows, rows)
        else:
            sample = X[np.ix_(rows, rows)] if given else X[rows]
        D = dissimilarity_matrix(sample, self.metric, self.symmetrize)
        if not D.any():
            return None, d0, fallback
        short = short_fit(D, self.n_clusters, self.alpha, d0, None if chooses else fallback)
        if chooses:
            quantile = short.quantile
            d0 = short.d0 if quantile is None else None
        if len(rows) == len(X):
            return short.partition, d0, quantile
        fit = clone(self).set_params(
            solver="irqp", n_pairs=None, d0=short.d0, focal_sets="simple", pair_neighbors=None,
            init=short.partition.masses, max_iter=0,
        )  # fmt: skip
        with no_user_warnings():
            fit.fit(sample)
        if not isinstance(X, TiledDissimilarities):
            return fit.predict_partition(X[:, rows] if given else X), d0, quantile
        step = max(1, CHUNK // len(rows))
        parts = [np.arange(begin, min(begin + step, len(X))) for begin in range(0, len(X), step)]
        masses = [fit.predict_partition(X.between(part, rows)).masses for part in parts]
        return CredalPartition(np.concatenate(masses), fit.partition_.focal_sets), d0, quantile

    def _from_linkage(self):
        return isinstance(self.init, str) and self.init == "linkage"

    def _starts(
        self, n: int, focal_sets: FocalSets, first: CredalPartition | None, rng: np.random.RandomState
    ) -> Iterator[np.ndarray]:
        """Yield the given starting masses, or `n_init` starts, the first from `first` with "linkage"."""
        if not isinstance(self.init, str):
            yield CredalPartition(self.init, focal_sets).masses.copy()
            return
        for number in track(range(self.n_init), "start"):
            if number == 0 and first is not None and self._from_linkage():
                yield starting_masses(first, focal_sets)
            else:
                masses = rng.random((n, len(focal_sets)))
                yield masses / masses.sum(axis=1, keepdims=True)

    def _validate(self, X: npt.ArrayLike, pairs: ComparedPairs):
        if isinstance(X, TiledDissimilarities):
            self._index, self.n_features_in_ = None, len(X)
        else:
            X = read_objects(self, X)
        n = len(X)
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        pairs.validate(X)
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=n)
        if self.pair_neighbors is not None:
            expect_count("pair_neighbors", self.pair_neighbors, 1, self.n_clusters - 1, "n_clusters - 1")
            expect(self.solver == "irqp", "the solver irqp if pair_neighbors is given", self.solver)
        if not isinstance(self.init, str):
            check_init(self.init, n, focal_sets)
        if self._precomputed() and pairs.partners is None and isinstance(X, np.ndarray):
            X = as_dissimilarities(X, self.symmetrize)
        return X, focal_sets
