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
    covariances of its clusters; the fit stops when the log-likelihood gains less than 1e-3.
D2. That program adds 0.01 to the diagonal of the covariance, only in the densities. Here this is an option,
    `reg_covar`. With it the likelihood may fall in the end; a step that lowers it is not taken.
D3. The likelihood is unbounded: it grows without limit as a covariance becomes singular. Such runs are
    dropped, as are those in which mixing probabilities vanish and leave the mean of a cluster undetermined.
D4. The other types of covariances are not in the paper (``covariance_types.py``). With a covariance for each
    component, the means are maximised first, then the covariances.
D5. In the start, clusters of a single object have no covariance, and are left out of the average.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FEWER_SETS, FocalSetsLike, resolve_focal_sets
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
from credalbench.cluster.mixture.frame import Frame, frame_of, scatter
from credalbench.cluster.prototypes.prototype_step import Init, check_init, prototype_starts
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


class DegenerateMixture(ValueError):
    """The likelihood has no meaningful maximum from any start; the message gives a remedy."""


class EGMM(LabelsOfNewObjects, ClusterMixin, BaseEstimator):
    r"""Evidential Gaussian mixture: a credal partition of objects with attributes, by maximum likelihood.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    focal_sets : {"full", "simple", "pairs"} or FocalSets, default "full"
        Non-empty subsets of clusters that are components: all 2^c - 1, the single clusters and Omega, or
        these and all pairs. Given sets must not contain the empty set, and must determine the mean of each
        cluster.
    covariance_type : {"tied", "spherical", "diag", "full"}, default "tied"
        One covariance matrix for all components, as in the paper; or for each component one variance, one
        variance per attribute, or a matrix.
    reg_covar : float >= 0, default 0.0
        Added to the variances of all attributes in the densities, in squared units of the data; 0.01 in the
        authors' program.
    init : {"k-means", "k-means++", "random"} or (c, p) array, default "k-means"
        Starting means: centres of a converged k-means, objects far from each other, random objects, or given
        ones. The covariance is the average of those of the clusters of nearest objects.
    n_init : int, default 1
        Number of starts; the non-degenerate run of highest likelihood is returned. Given means are one start.
    tol : float or None, default None
        See `stopping`; None: 1e-3 for "absolute", 1e-8 for "relative".
    stopping : {"absolute", "relative"}, default "absolute"
        Stop when an iteration adds at most `tol` to the log-likelihood, the authors' rule; or at most `tol`
        times the gain of all iterations, which is stricter and independent of the number of objects.
    max_iter : int, default 1000
        Maximum number of iterations; 0 gives the masses at the start.
    random_state : int, RandomState instance or None
        Seed of the starting means.

    Attributes
    ----------
    partition_ : CredalPartition
        Posterior probabilities of the components [jiao2022_egmm (11)] at the parameters returned. No mass is
        on the empty set [jiao2022_egmm (1)].
    labels_ : (n,) int array
        Clusters of maximal pignistic probability, numbered as in `partition_`; empty clusters have no labels.
    objective_, log_likelihood_ : float
        Logarithm of the likelihood, with densities in the units of the data.
    objective_trace_ : (n_iter + 1,) array
        Log-likelihood at the start and after each iteration; it never falls.
    ebic_ : float
        Evidential Bayesian inference criterion [jiao2022_egmm (33)], ``log_likelihood_`` minus half of
        ``n_parameters_`` times the logarithm of n; choose the number of clusters with the highest value.
    n_parameters_ : int
        Number of parameters: f - 1 mixing probabilities, c p coordinates of means, and the covariances.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    start_ : (c, p) array
        Starting means of the best run; given as `init`, they repeat it, with ``max_iter=k`` up to
        iteration k.
    cluster_centers_ : (c, p) array
        Means of the clusters.
    means_ : (f, p) array
        Means of the components.
    weights_ : (f,) array
        Mixing probabilities of the components; sum 1.
    covariances_ : (p, p), (f,), (f, p) or (f, p, p) array
        For the four types, without `reg_covar`.
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
        A ValueError and a MemoryError; the message gives need, limit and a remedy.

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
    a matrix for each component, on numba's threads, whose number does not change the result. Its working
    memory does not depend on n; a fit needs a copy of the data and, at the end, a few arrays of the size of
    the (n, f) masses.

    A linear map of the data maps the result accordingly ("tied", "full"; with "diag" a change of units, with
    "spherical" of one common unit), and changes ``ebic_`` by a constant for all numbers of clusters; but
    k-means may start elsewhere.

    The mean of an imprecise component may coincide with that of a cluster; then the two share their objects
    in proportion to their mixing probabilities. With a covariance for each component, a component with fewer
    than p + 1 objects (two if it has one variance) keeps its previous covariance.

    References
    ----------
    [jiao2022_egmm], [dempster1977], [meng1993]

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> fit = EGMM(2, reg_covar=0.01, random_state=0).fit(load("egmm_diamond").X)
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
        focal_sets: FocalSetsLike = "full",
        covariance_type: Annotated[str, Choice(*COVARIANCE_TYPES)] = "tied",
        reg_covar: Annotated[float, Number(low=0, high=1e200)] = 0.0,
        init: Init = "k-means",
        n_init: PositiveInt = 1,
        tol: NonNegativeFloat | None = None,
        stopping: Annotated[str, Choice(*TOLERANCES)] = "absolute",
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.focal_sets = focal_sets
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
        given, (X, focal_sets) = X, self._validate(X)
        weights = read_weights(sample_weight, len(X))
        rng = check_random_state(self.random_state)
        covariance_type = COVARIANCE_TYPES[self.covariance_type]
        reg_covar = float(self.reg_covar)
        names = getattr(self, "feature_names_in_", range(X.shape[1]))
        self._frame = frame_of(X, covariance_type, reg_covar, names, weights)
        Y = each_row(X, self._frame.transform)
        ridge = covariance_type.ridge(reg_covar, self._frame.axes)
        self._model = Model(focal_sets, covariance_type, ridge, scatter(Y, weights), weights)
        tol = TOLERANCES[self.stopping] if self.tol is None else self.tol
        stopping = Stopping(self.stopping == "relative", tol, self.max_iter)
        best, flaws = None, []
        init = init_about(self.init, self._origin)
        for V in prototype_starts(X, self.n_clusters, init, self.n_init, rng, weights):
            labels = each_row(X, partial(pairwise_distances_argmin, Y=V))
            covariance = start_covariance(Y, labels, self.n_clusters, weights)
            start = starting_mixture(self._frame.transform(V), covariance, self._model)
            run = ascend(Y, start, self._model, stopping)
            if run.flaw:
                flaws.append(run.flaw)
            elif best is None or run.trace[-1] > best.trace[-1]:
                best, self.start_ = run, V + self._origin
        if best is None:
            raise DegenerateMixture(
                f"expected a regular mixture, got degenerate ones from {len(flaws)} of {len(flaws)} starts: "
                f"{'; '.join(sorted(set(flaws)))}. Use fewer clusters, fewer focal sets, reg_covar > 0 "
                "or another covariance_type"
            )
        self.n_degenerate_ = len(flaws)
        self._describe(given, Y, best)
        return self

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
        drawn = rng.choice(len(self.weights_), size=n_samples, p=self.weights_)
        Y = rng.standard_normal((n_samples, self.n_features_in_))
        for j in np.unique(drawn):
            own = drawn == j
            Y[own] = parts.means[j] + covariance_type.deviations(Y[own], parts.roots, j)
        return self._frame.inverse_transform(Y) + self._origin, drawn

    def _validate(self, X: npt.ArrayLike):
        """Check `X` and the parameters; return `X` (n, p) about the origin, and the focal sets."""
        X = read_objects(self, X)
        n, p = X.shape
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        check_init(self.init, self.n_clusters, p)
        focal_sets = resolve_focal_sets(
            self.focal_sets, self.n_clusters, empty=False, n_objects=0 if isinstance(X, np.memmap) else n
        )
        shares = focal_sets.membership / focal_sets.cardinality[:, None]
        determined = np.linalg.matrix_rank(shares) == self.n_clusters
        expect(determined, "focal sets whose means determine those of all clusters", focal_sets)
        least = self.n_clusters + COVARIANCE_TYPES[self.covariance_type].rank(p)
        expect(n >= least or self.reg_covar > 0, f"at least {least} objects, or reg_covar > 0", n)
        if len(focal_sets) > n:
            few = f"{len(focal_sets)} components for {n} objects: most will describe no object"
            warnings.warn(f"{few}. Use {FEWER_SETS}", UserWarning, stacklevel=user_stacklevel())
        X, self._origin = near_zero(X)
        return X, focal_sets

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
        f = len(model.focal_sets)
        self.n_parameters_ = f - 1 + self.n_clusters * p + model.covariance_type.n_parameters(f, p)
        self.ebic_ = self.log_likelihood_ - 0.5 * self.n_parameters_ * float(np.log(n))
        self.weights_ = run.mixture.weights
        self.covariances_ = model.covariance_type.inverse_transform(run.mixture.covariances, self._frame.axes)
        means = components(run.mixture, model).means
        self.cluster_centers_, self.means_ = (
            self._frame.inverse_transform(points) + self._origin for points in (run.mixture.centers, means)
        )
        vars(self).pop("labels_", None)  # of an earlier fit; those of blocks are computed on request
        if isinstance(Y, np.memmap):
            read = partial(_read_block, origin=self._origin, frame=self._frame)
            masses = partial(_masses, mixture=run.mixture, model=model._replace(sample_weight=None))
            self.partition_ = partition_in_blocks(given, len(Y), read, masses, model.focal_sets)
            return
        masses = memberships(Y, run.mixture, model)[0]
        self.partition_ = CredalPartition(masses, model.focal_sets, self._index)
        self.labels_ = labels_of(self.partition_, "pignistic")
        problem = misplaced_sets(Y, self.partition_, run.mixture.centers, means, model.sample_weight)
        if problem:
            warnings.warn(problem, stacklevel=user_stacklevel())


def _read_block(block: npt.ArrayLike, origin: np.ndarray, frame: Frame):
    return frame.transform(as_attributes(block) - origin)


def _masses(Y: np.ndarray, mixture: Mixture, model: Model):
    return memberships(Y, mixture, model)[0]
