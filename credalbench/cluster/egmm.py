r"""EGMM: an evidential mixture of Gaussian distributions.

Each non-empty focal set A is a component, with mixing probability :math:`\pi_A`, covariance :math:`\Sigma_A`
and the average of the means of its clusters as its mean. The parameters maximise the likelihood
[jiao2022_egmm (18)], [jiao2022_egmm (19)]

.. math:: \log L = \sum_i \log \sum_A \pi_A\, N(x_i; \bar\mu_A, \Sigma_A), \qquad
          \bar\mu_A = \frac{1}{|A|} \sum_{k \in A} \mu_k,

by expectation-maximisation (``em.py`` in ``mixture/``). The masses of an object are the posterior
probabilities of the components. In the paper all components share one covariance, [jiao2022_egmm (16)].

Deviations and readings
-----------------------
D1. The equations are reconstructed, since they are missing from the available text. Other choices follow the
    authors' program: the start has equal mixing probabilities, the means of k-means and the average of the
    covariances of its clusters; the fit stops when the log-likelihood increases by less than 1e-3.
D2. That program adds 0.01 to the diagonal of the covariance, but only in the densities. Here this is an
    option, `reg_covar`. With it, the likelihood may finally decrease; a step that decreases it is not taken.
D3. If objects are tied, or each component has its own covariance, the likelihood may grow without limit as a
    covariance becomes singular. Such runs are discarded. Runs are also discarded if mixing probabilities
    vanish and the mean of a cluster is therefore undetermined.
D4. The other types of covariances are not in the paper (``covariance_types.py``). With a covariance for each
    component, the means are maximised first, then the covariances.
D5. At the start, clusters of a single object have no covariance; they are left out of the average.
D6. With `noise`, the default, the empty set is a component, too, whose density is constant (see Noise). The
    paper has no such component, and starts from k-means of all objects.

Noise
-----
The density of the empty set is that of a uniform distribution in a cube about the mean of the data, in the
coordinates in which they have unit covariance (``frame.py``), so it follows linear maps of the data. In
mclust [banfield1993], it is uniform in a box around the data. Here, the sides of the cube are `EXTENT` times
the distance of the farthest object from the mean, twice those of a box around all objects, so the margins of
wide clusters are not noise. Only the mixing probability of the noise is estimated. The starts and their
covariances are computed from about a thousand objects without those that are far from all others, so no far
object attracts a component.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FEWER_SETS, FocalSetsOrAuto, are_in_two_steps, resolve_focal_sets
from credalbench.cluster.conflict.focal_pairs import with_pairs
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, in_blocks, partition_in_blocks
from credalbench.cluster.mixture.covariance_types import COVARIANCE_TYPES, Mixture
from credalbench.cluster.mixture.em import (
    Model,
    Run,
    Stopping,
    ascend,
    components,
    memberships,
    misplaced_sets,
    start_covariance,
    starting_mixture,
)
from credalbench.cluster.mixture.frame import Frame, frame_of, reach
from credalbench.cluster.prototypes.outlier_distance import linkage_means, near_objects
from credalbench.cluster.prototypes.prototype_step import (
    AutoInit,
    barycentres,
    check_init,
    prototype_starts,
    sample_objects,
)
from credalbench.core.arguments import (
    SEED,
    Choice,
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import (
    as_attributes,
    init_about,
    keep_trace,
    near_zero,
    read_attributes,
    read_objects,
    read_weights,
)
from credalbench.core.estimators import Examples
from credalbench.core.names import names_of
from credalbench.core.resources import user_stacklevel
from credalbench.core.threads import each_row

TOLERANCES = {"absolute": 1e-3, "relative": 1e-8}  # defaults; the first is that of the authors
EXTENT = 4.0  # side of the cube of the noise, in distances of the farthest object from the mean


class DegenerateMixture(ValueError):
    """The likelihood has no meaningful maximum from any start; the message gives a remedy."""


class EGMM(LabelsOfNewObjects, ClusterMixin, BaseEstimator):
    r"""Evidential Gaussian mixture: a credal partition of objects with attributes, by maximum likelihood.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    focal_sets : {"auto", "full", "simple", "pairs"} or FocalSets, default "auto"
        Non-empty subsets of clusters that are components. "full": all 2^c - 1 sets; "simple": the single
        clusters and Omega; "pairs": these and all pairs. "auto": "full" for up to three clusters; otherwise
        "simple", and then pairs of clusters that are each other's nearest, as in `ECM`. The sets of a
        FocalSets must determine the mean of each cluster.
    noise : bool, default True
        Whether the empty set is a component, too, with a constant density (see the module): objects far from
        all clusters are outliers, and do not shift the means. False: as in the paper.
    covariance_type : {"tied", "spherical", "diag", "full"}, default "tied"
        "tied": one covariance matrix for all components, as in the paper. Otherwise each component has one
        variance ("spherical"), one variance for each attribute ("diag"), or a matrix ("full").
    reg_covar : float >= 0, default 0.0
        Number that is added to the variances of all attributes in the densities, in squared units of the
        data. The authors' program uses 0.01.
    init : {"auto", "k-means", "k-means++", "random"} or (c, p) array, default "auto"
        Starting means. "k-means": the centres of a converged k-means; "k-means++": objects that are far from
        each other; "random": random objects. "auto": the means of Ward's clusters of about a thousand
        objects, and "k-means" for further starts. The starting covariance is the average covariance of the
        clusters of objects nearest to each mean.
    n_init : int, default 1
        Number of starts; of the runs that are not degenerate, the one with the highest likelihood is
        returned. With given means, there is one start. Further starts find higher likelihoods, but rarely
        better clusters.
    tol : float or None, default None
        Threshold of `stopping`. None: 1e-3 for "absolute", 1e-8 for "relative".
    stopping : {"absolute", "relative"}, default "absolute"
        "absolute": stop when an iteration increases the log-likelihood by at most `tol`, as in the authors'
        program. "relative": stop when it increases it by at most `tol` times the increase of all iterations,
        which is stricter and does not depend on the number of objects.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the masses at the start.
    random_state : int, RandomState instance or None
        Seed of the starting means.

    Attributes
    ----------
    partition_ : CredalPartition
        Posterior probabilities of the components [jiao2022_egmm (11)] at the returned parameters. Without
        `noise`, no mass is on the empty set [jiao2022_egmm (1)].
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_, log_likelihood_ : float
        Logarithm of the likelihood, with densities in the units of the data.
    objective_trace_ : (n_iter + 1,) array
        Log-likelihood at the start and after each iteration; it never decreases.
    ebic_ : float
        Evidential Bayesian inference criterion [jiao2022_egmm (33)], ``log_likelihood_`` minus half of
        ``n_parameters_`` times the logarithm of n; choose the number of clusters with the highest value.
    n_parameters_ : int
        Number of parameters: f - 1 mixing probabilities, c p coordinates of means, and the covariances.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    start_ : (c, p) array
        Starting means of the best run. If you pass them as `init`, the fit repeats this run, with
        ``max_iter=k`` up to iteration k. If "auto" made two runs, these are the means of the second: use them
        with the focal sets of `partition_`.
    cluster_centers_ : (c, p) array
        Means of the clusters.
    means_ : (f', p) array
        Means of the components of the f' non-empty sets.
    weights_ : (f,) array
        Mixing probabilities of all components; they sum to 1. With `noise`, the first is that of the noise.
    covariances_ : (p, p), (f',), (f', p) or (f', p, p) array
        Covariances, in the shape of each of the four types, without `reg_covar`.
    n_degenerate_ : int
        Number of starts that led to a degenerate solution.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; values or a spread of `X` out of range; fewer than one or more than n
        clusters; a parameter out of range; an array `init` that is not of shape (c, p). Also, unless
        `reg_covar` is large enough: constant columns; collinear columns, if covariances are matrices (the
        message names them); fewer than c + p objects (c + 1 without matrices).
    DegenerateMixture
        A ValueError: all starts lead to singular covariances, with a variance below 1e-10 of that of the data
        in some direction, or leave the mean of a cluster undetermined.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object, there are more focal sets than objects, or an iteration takes more than half
        a minute.

    Notes
    -----
    An iteration costs O(n (p^2 + f p)) with a common covariance, O(n f p) with variances and O(n f p^2) with
    a matrix for each component. It uses numba's threads; the result does not depend on their number. The
    working memory of an iteration does not depend on n; a fit needs a copy of the data and, at the end, a few
    arrays of the size of the (n, f) masses.

    If you map the data linearly, the result is mapped in the same way, and ``ebic_`` changes by the same
    constant for all numbers of clusters; but k-means may start elsewhere. With "diag", this holds for changes
    of units, and with "spherical" for a change of one common unit.

    The mean of an imprecise component may coincide with that of a cluster; the two then share their objects
    in proportion to their mixing probabilities. With a covariance for each component, a component with fewer
    than p + 1 objects (two if it has one variance) keeps its previous covariance.

    References
    ----------
    [jiao2022_egmm], [dempster1977], [meng1993], [banfield1993]

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> fit = EGMM(2, noise=False, reg_covar=0.01).fit(load("egmm_diamond").X)
    >>> round(fit.ebic_, 1), fit.partition_.focal_sets.labels[fit.partition_.hard_credal()[5]]
    (-55.9, 'Ω')
    """

    _in_blocks = True
    examples = Examples(
        variants=(
            {"covariance_type": "spherical", "init": "k-means++"},
            {"covariance_type": "full", "stopping": "relative"},
        ),
        start="objects",
    )

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        focal_sets: FocalSetsOrAuto = "auto",
        noise: bool = True,
        covariance_type: Annotated[str, Choice(*COVARIANCE_TYPES)] = "tied",
        reg_covar: Annotated[float, Number(low=0, high=1e200)] = 0.0,
        init: AutoInit = "auto",
        n_init: PositiveInt = 1,
        tol: NonNegativeFloat | None = None,
        stopping: Annotated[str, Choice(*TOLERANCES)] = "absolute",
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.focal_sets = focal_sets
        self.noise = noise
        self.covariance_type = covariance_type
        self.reg_covar = reg_covar
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.stopping = stopping
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None, *, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Compute the mixture and the credal partition of objects with attributes.

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
        EGMM
            The fitted estimator.
        """
        given, (X, focal_sets, weights) = X, self._validate(X, sample_weight)
        rng = check_random_state(self.random_state)
        covariance_type = COVARIANCE_TYPES[self.covariance_type]
        reg_covar = float(self.reg_covar)
        names = getattr(self, "feature_names_in_", range(X.shape[1]))
        self._frame = frame_of(X, covariance_type, reg_covar, names, weights)
        Y = each_row(X, self._frame.transform)
        ridge = covariance_type.ridge(reg_covar, self._frame.axes)
        self._side = EXTENT * reach(Y, weights)
        log_noise = -X.shape[1] * float(np.log(self._side))
        self._model = Model(focal_sets, covariance_type, ridge, weights, log_noise)
        init, first = init_about(self.init, self._origin), []
        objects = X, Y, weights
        automatic = isinstance(init, str) and init == "auto"
        if self.noise or automatic:
            rows = sample_objects(len(X), self.n_clusters, weights)
            if self.noise:
                rows = rows[near_objects(Y[rows], self.n_clusters)]
            objects = X[rows], Y[rows], None
        if automatic:
            init, first = "k-means", [linkage_means(objects[0], self.n_clusters)[0]]
        more = prototype_starts(objects[0], self.n_clusters, init, self.n_init - len(first), rng, objects[2])
        self._describe(given, Y, self._highest(given, Y, chain(first, more), objects))
        return self

    def _highest(
        self,
        given: npt.ArrayLike,
        Y: np.ndarray,
        starts: Iterable[np.ndarray],
        objects: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> Run:
        """Return the run of highest likelihood of `Y` (n, p), from means (c, p) in the coordinates of X.

        The starting covariances are those of the `objects`: attributes, the same in the frame, weights. If
        the focal sets are chosen in two steps, each start is two runs.
        """
        near_X, near_Y, weights = objects
        tol = TOLERANCES[self.stopping] if self.tol is None else self.tol
        stopping = Stopping(self.stopping == "relative", tol, self.max_iter)

        def run_from(V: np.ndarray) -> Run:
            labels = each_row(near_X, partial(pairwise_distances_argmin, Y=V))
            covariance = start_covariance(near_Y, labels, self.n_clusters, weights)
            start = starting_mixture(self._frame.transform(V), covariance, self._model)
            return ascend(Y, start, self._model, stopping)

        best, flaws, first_model = None, [], self._model
        for V in starts:
            self._model = first_model
            run = run_from(V)
            if not run.flaw and are_in_two_steps(self.focal_sets, self.n_clusters):
                focal_sets = with_pairs(self._partition(given, Y, run.mixture), 1)
                self._model = first_model._replace(focal_sets=focal_sets)
                V = self._frame.inverse_transform(run.mixture.centers)
                run = run_from(V)
            if run.flaw:
                flaws.append(run.flaw)
            elif best is None or run.trace[-1] > best.trace[-1]:
                best, self.start_, model = run, V + self._origin, self._model
        if best is None:
            raise DegenerateMixture(
                f"expected a regular mixture, got degenerate ones from {len(flaws)} of {len(flaws)} starts: "
                f"{'; '.join(sorted(set(flaws)))}. Use fewer clusters, fewer focal sets, reg_covar > 0 "
                "or another covariance_type"
            )
        self.n_degenerate_, self._model = len(flaws), model
        return best

    def score_samples(self, X: npt.ArrayLike) -> np.ndarray:
        """Compute the log-density of objects, [jiao2022_egmm (17)].

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes.

        Returns
        -------
        (m,) array
            Logarithms of the density in the units of the data.
        """
        return self._posterior(X)[1]

    def score(self, X: npt.ArrayLike, y: object = None) -> float:
        """Compute the mean log-likelihood of objects.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        float
            Mean of `score_samples`.
        """
        return float(self.score_samples(X).mean())

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects, [jiao2022_egmm (23)].

        The parameters of the mixture are those of the fit.

        Parameters
        ----------
        X : (m, p) array or DataFrame; or data in blocks
            Attributes of new objects.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the focal sets of the fit; for data in blocks, a
            `BlockwisePartition`.
        """
        masses = self._posterior(X)[0]  # first: it raises an error if the estimator is not fitted
        return CredalPartition(masses, self._model.focal_sets, names_of(X))

    def sample(
        self, n_samples: int = 1, random_state: int | np.random.RandomState | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw objects from the mixture.

        Parameters
        ----------
        n_samples : int, default 1
            Number of objects.
        random_state : int, RandomState or None
            Seed of the sample.

        Returns
        -------
        X : (n_samples, p) array
            Attributes, in the units of the data.
        components : (n_samples,) int array
            Position in ``partition_.focal_sets`` of the component from which each object was drawn.
        """
        check_is_fitted(self)
        n_samples = expect_count("n_samples", n_samples, 1)
        rng = check_random_state(SEED.read("random_state", random_state))
        parts, covariance_type = components(self._mixture, self._model), self._model.covariance_type
        drawn, noise = rng.choice(len(self.weights_), size=n_samples, p=self.weights_), int(self.noise)
        Y = rng.standard_normal((n_samples, self.n_features_in_))
        for j in np.unique(drawn):
            own = drawn == j
            if j < noise:
                Y[own] = self._side * rng.uniform(-0.5, 0.5, Y[own].shape)
            else:
                deviations = covariance_type.deviations(Y[own], parts.roots, j - noise)
                Y[own] = parts.means[j - noise] + deviations
        return self._frame.inverse_transform(Y) + self._origin, drawn

    def _validate(self, X: npt.ArrayLike, sample_weight: npt.ArrayLike | None):
        """Check the arguments and parameters; return `X` (n, p) about the origin, focal sets and weights."""
        X = read_objects(self, X)
        n, p = X.shape
        weights = read_weights(sample_weight, n)
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        check_init(self.init, self.n_clusters, p)
        in_memory = 0 if isinstance(X, np.memmap) else n
        focal_sets = resolve_focal_sets(
            self.focal_sets, self.n_clusters, empty=self.noise, n_objects=in_memory
        )
        if self.noise and not focal_sets.has_empty:
            focal_sets = FocalSets(self.n_clusters, (0, *focal_sets.masks))
        shares = barycentres(np.eye(self.n_clusters), focal_sets)
        determined = np.linalg.matrix_rank(shares) == self.n_clusters
        expect(determined, "focal sets whose means determine those of all clusters", focal_sets)
        if weights is not None:  # objects of weight 0 do not count
            n = int(max(np.count_nonzero(weights), round(weights.sum())))
        least = self.n_clusters + COVARIANCE_TYPES[self.covariance_type].rank(p)
        expect(n >= least or self.reg_covar > 0, f"at least {least} objects, or reg_covar > 0", n)
        if len(focal_sets) > n:
            few = f"{len(focal_sets)} components for {n} objects: most will describe no object"
            warnings.warn(f"{few}. Use {FEWER_SETS}", UserWarning, stacklevel=user_stacklevel())
        X, self._origin = near_zero(X)
        return X, focal_sets, weights

    def _posterior(self, X: npt.ArrayLike):
        """Return the masses (m, f) and log-densities (m,) of objects `X` (m, p) in the units of the data."""
        check_is_fitted(self)
        X = read_attributes(self, X, reset=False)
        Y = self._frame.transform(X - self._origin)
        masses, log_densities = memberships(Y, self._mixture, self._model)
        return masses, log_densities - self._log_volume

    def _describe(self, given: npt.ArrayLike, Y: np.ndarray, run: Run):
        """Set parameters, likelihood, partition and labels from a run over the objects `Y` (n, p)."""
        p, model, self._mixture = Y.shape[1], self._model, run.mixture
        n = len(Y) if model.sample_weight is None else float(model.sample_weight.sum())
        self._log_volume = self._frame.log_volume
        keep_trace(self, (np.array(run.trace) - n * self._log_volume).tolist(), run.converged)
        self.log_likelihood_ = self.objective_
        f, noise = len(model.focal_sets), int(self.noise)
        n_covariances = model.covariance_type.n_parameters(f - noise, p)
        self.n_parameters_ = f - 1 + self.n_clusters * p + n_covariances
        self.ebic_ = self.log_likelihood_ - 0.5 * self.n_parameters_ * float(np.log(n))
        self.weights_ = np.append([run.mixture.noise] * noise, run.mixture.weights)
        self.covariances_ = model.covariance_type.inverse_transform(run.mixture.covariances, self._frame.axes)
        means = components(run.mixture, model).means
        self.cluster_centers_, self.means_ = (
            self._frame.inverse_transform(points) + self._origin for points in (run.mixture.centers, means)
        )
        vars(self).pop("labels_", None)  # of an earlier fit; those of blocks are computed on request
        self.partition_ = self._partition(given, Y, run.mixture)
        if isinstance(Y, np.memmap):
            return
        self.labels_ = labels_of(self.partition_)
        problem = misplaced_sets(Y, self.partition_, run.mixture.centers, means, model.sample_weight)
        if problem:
            warnings.warn(problem, stacklevel=user_stacklevel())

    def _partition(self, given: npt.ArrayLike, Y: np.ndarray, mixture: Mixture):
        """Return the partition of the objects of the fit, as given and in the frame (n, p)."""
        masses = partial(_masses, mixture=mixture, model=self._model._replace(sample_weight=None))
        if isinstance(Y, np.memmap):
            read = partial(_read_block, origin=self._origin, frame=self._frame)
            return partition_in_blocks(given, len(Y), read, masses, self._model.focal_sets)
        return CredalPartition(masses(Y), self._model.focal_sets, self._index)


def _read_block(block: npt.ArrayLike, origin: np.ndarray, frame: Frame):
    return frame.transform(as_attributes(block) - origin)


def _masses(Y: np.ndarray, mixture: Mixture, model: Model):
    return memberships(Y, mixture, model)[0]
