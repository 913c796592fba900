r"""BootGMM: a credal partition from bootstrap intervals of a Gaussian mixture.

A mixture fitted to the objects gives the probability that two objects belong to the same component,

.. math:: P_{ij} = \sum_{k=1}^c p_{ik} p_{jk}, \qquad p_{ik} \text{ posterior probabilities}.

Refits to B bootstrap samples give B such probabilities for each pair, and from these a percentile interval at
the level `confidence`, :math:`[P^-_{ij}, P^+_{ij}]`. The credal partition is the one whose intervals, from
the belief to the plausibility of "same cluster", are nearest to these intervals:

.. math:: J(M) = \sum_{i<j} \big(m_{ij}(\{s\}) - P^-_{ij}\big)^2
                 + \big(m_{ij}(\{\neg s\}) - (1 - P^+_{ij})\big)^2,

with the pairwise masses :math:`m_{ij}` of ``belief/relational.py``. Each step minimises J exactly over one
row of masses (``pairwise/all_pairs.py``), so J never increases. Mixtures, their refits and the intervals are
in ``mixture/bootstrap.py``.

Source: [denoeux2020], and the program `bootclus` of its author's R package evclust. Deviations from that
program:

D1. Mixtures are scikit-learn's, with four types of covariances instead of mclust's fourteen, and starts by
    k-means instead of hierarchical clustering. Covariances have a ridge, and BIC does not choose a mixture
    that only the ridge keeps from collapsing. Partitions may therefore be better or worse than the program's:
    on five real data sets with the number of classes given, the adjusted Rand index is 0.90, 0.34, 0.65, 0.15
    and 0.77 (Iris, User Knowledge, Seeds, Vehicle, Wine), and that of the program is 0.92, 0.20, 0.72, 0.08
    and 0.97; and BIC chooses another number on four of them (study ``jiao2022_egmm/real_data``).
D2. If the quadratic programme of a row has many solutions, as with two clusters or with mass on
    :math:`\Omega`, the one nearest to the previous row is taken. The program sets a column of its matrix to
    one, or does not change the row.
D3. The masses start at the posterior probabilities, so that cluster k is component k; the program starts at
    random masses.
D4. The stopping rule uses J itself (``conflict/solvers.py``, D1 there).
"""

import copy
import warnings
from collections.abc import Sequence
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsLike, resolve_focal_sets
from credalbench.belief.relational import pair_matrices
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, in_blocks
from credalbench.cluster.mixture.bootstrap import (
    COVARIANCES,
    Chosen,
    bootstrapped,
    interval_targets,
    mixture_by_bic,
    targets_of_others,
)
from credalbench.cluster.pairwise.all_pairs import PairwiseTargets, fitted_rows, masses_from_posteriors
from credalbench.core.arguments import (
    MOST,
    Array,
    Choice,
    Count,
    JobCount,
    NonNegativeFloat,
    Number,
    PositiveInt,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import keep_trace, near_zero, read_attributes, read_objects
from credalbench.core.estimators import Examples
from credalbench.core.names import names_of
from credalbench.core.resources import expect_memory
from credalbench.core.threads import one_thread

ROWS = 1024  # objects whose masses are predicted at a time
OPERATIONS = 8  # about, for a pair and a refit, in addition to c multiplications


class BootGMM(LabelsOfNewObjects, ClusterMixin, BaseEstimator):
    r"""Evidential clustering that bootstraps a Gaussian mixture (bootGMM).

    Parameters
    ----------
    n_clusters : int or sequence of int, default 2
        Number c of clusters, between 1 and the number of objects. From several numbers, the fit chooses the
        one whose mixture has the highest BIC.
    covariance_type : {"bic", "spherical", "diag", "tied", "full"}, default "bic"
        Type of the covariances of the mixture; "bic": the type with the highest BIC.
    n_bootstrap : int, default 500
        Number B of refits, each to its own sample of the objects.
    confidence : float in (0, 1), default 0.9
        Level of the intervals.
    focal_sets : {"pairs", "simple", "full"} or FocalSets, optional
        Subsets of clusters that may receive mass; by these names, without the empty set. None: single
        clusters and pairs of them, without the set of all clusters.
    ridge : float in [1e-9, 1], default 1e-6
        Number that is added to the variances of the mixture, as a share of the mean variance of the
        attributes.
    n_init : int, default 1
        Number of starts of each mixture by k-means; the fit with the highest likelihood is used.
    tol : float, default 1e-4
        Stop when the smoothed relative change of the objective falls below this value.
    max_iter : int, default 1000
        Maximum number of sweeps over the rows of masses.
    n_jobs : int, optional
        Number of processes for refits and of threads for intervals. None: one; -1: one per core. The result
        does not depend on it.
    random_state : int, RandomState instance or None
        Seed of the starts and of the samples.

    Attributes
    ----------
    partition_ : CredalPartition
        Cluster k is component k of `mixture_`.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_ : float
        J.
    objective_trace_ : (n_iter + 1,) array
        J at the start and after each sweep; it never increases.
    n_iter_ : int
        Sweeps done.
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    mixture_ : sklearn.mixture.GaussianMixture
        The mixture fitted to the objects. If they are far from zero compared with their spread, the middle of
        their range is subtracted first.
    n_clusters_ : int
        The number of clusters in use.
    covariance_type_ : str
        The type in use.
    bic_ : float
        BIC of the mixture, to be maximised: log-likelihood minus half the number of its parameters times log
        n.
    cluster_centers_ : (c, p) array
        Means of the components.
    lower_, upper_ : (n (n - 1) / 2,) float32 arrays
        Ends of the intervals for the pairs of objects, in the order of scipy's `squareform`.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; values or a spread of `X` out of range; fewer than one or more than n
        clusters; objects that are all equal; a parameter out of range.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object.
        Every mixture has collapsed: a component covers few objects, or only equal values.

    Notes
    -----
    Partitions may differ from those of `bootclus`, the program of the method's author in R, which fits
    mixtures with ten more types of covariances from hierarchical clustering; see D1 in the module.

    The refits cost O(B n c p^2) an iteration, the intervals O(B n^2 c) and a sweep O(n^2 f). Memory is 16 n^2
    bytes for the intervals and 8 B n c for the posterior probabilities, in single precision, whose rounding
    is far below the uncertainty of B samples. If you have tens of thousands of objects, fit a sample and call
    `predict_partition` for the others.

    References
    ----------
    [denoeux2020], [fraley2002]

    Examples
    --------
    Object 6 of the butterfly lies between the wings; its mass is on the set of both clusters:

    >>> from credalbench.datasets import load
    >>> X = load("butterfly").X[:11]
    >>> fit = BootGMM(2, covariance_type="tied", n_bootstrap=30, random_state=0).fit(X)
    >>> int(fit.partition_.masses[:, 2].argmax()) + 1
    6
    """

    examples = Examples(
        quick={"n_bootstrap": 10},
        variants=({"covariance_type": "full", "focal_sets": "full"},),
        rounding=1e-6,
    )

    def __init__(
        self,
        n_clusters: Annotated[int | Sequence[int], Count() | Array()] = 2,
        *,
        covariance_type: Annotated[str, Choice("bic", *COVARIANCES)] = "bic",
        n_bootstrap: PositiveInt = 500,
        confidence: Annotated[float, Number(above=0, below=1)] = 0.9,
        focal_sets: FocalSetsLike | None = None,
        ridge: Annotated[float, Number(low=1e-9, high=1)] = 1e-6,
        n_init: PositiveInt = 1,
        tol: NonNegativeFloat = 1e-4,
        max_iter: PositiveInt = 1000,
        n_jobs: JobCount | None = None,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.covariance_type = covariance_type
        self.n_bootstrap = n_bootstrap
        self.confidence = confidence
        self.focal_sets = focal_sets
        self.ridge = ridge
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Compute the credal partition of objects with attributes.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        BootGMM
            The fitted estimator.
        """
        X, numbers = self._validate(X)
        rng = check_random_state(self.random_state)
        types = COVARIANCES if self.covariance_type == "bic" else (self.covariance_type,)
        ridge = self.ridge * float(X.var(axis=0).mean())
        with one_thread():
            chosen = mixture_by_bic(X, numbers, types, ridge, self.n_init, rng)
            seeds = rng.randint(MOST, size=self.n_bootstrap)
            self._refits, self._posteriors = bootstrapped(chosen.mixture, X, seeds, self.n_jobs)
            self._levels = (1 - self.confidence) / 2, (1 + self.confidence) / 2
            targets = interval_targets(self._posteriors, self._levels, self.n_jobs)
            focal_sets = self._resolved_focal_sets(chosen.mixture.n_components)
            run = irqp(
                PairwiseTargets(targets, np.hstack(pair_matrices(focal_sets))),
                masses_from_posteriors(chosen.mixture.predict_proba(X), focal_sets),
                focal_sets.conflict,
                has_empty=focal_sets.has_empty,
                tol=self.tol,
                max_iter=self.max_iter,
            )
        self.partition_ = CredalPartition(run.masses, focal_sets, self._index)
        keep_trace(self, run.stress, run.converged)
        self.lower_, self.upper_ = squareform(targets[:, 0]), 1 - squareform(targets[:, 1])
        self._describe(chosen)
        return self

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects.

        The masses of each object are fitted to its intervals with the objects of the fit, in O(n B c). An
        object of the fit is also compared with itself, so its masses may differ from those of the fit.

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
        check_is_fitted(self)
        names = names_of(X)
        X = read_attributes(self, X, reset=False) - self._zero - self._origin
        masses, focal_sets = self.partition_.masses, self.partition_.focal_sets
        relations = np.hstack(pair_matrices(focal_sets))
        found = []
        with one_thread():
            for begin in range(0, len(X), ROWS):
                some = X[begin : begin + ROWS]
                posteriors = np.stack([refit.predict_proba(some) for refit in self._refits], axis=2)
                targets = targets_of_others(posteriors.astype(np.float32), self._posteriors, self._levels)
                start = masses_from_posteriors(posteriors.mean(axis=2), focal_sets)
                found.append(fitted_rows(targets, start, masses, relations))
        return CredalPartition(np.concatenate(found), focal_sets, names)

    def score_samples(self, X: npt.ArrayLike) -> np.ndarray:
        """Compute the log-density of ``mixture_`` at objects.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes.

        Returns
        -------
        (m,) array
            Logarithms of the density in the units of the data.
        """
        check_is_fitted(self)
        X = read_attributes(self, X, reset=False)
        with one_thread():
            return self.mixture_.score_samples(X - self._zero)

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

    def _describe(self, chosen: Chosen):
        """Set labels and attributes of the mixture; warn if it has collapsed."""
        mixture = chosen.mixture
        self.labels_ = labels_of(self.partition_)
        self.n_clusters_ = mixture.n_components
        self.covariance_type_ = mixture.covariance_type
        self.bic_ = chosen.bic
        self.mixture_ = copy.copy(mixture)
        self.mixture_.means_ = mixture.means_ + self._origin
        self.cluster_centers_ = self.mixture_.means_ + self._zero
        if chosen.has_collapsed:
            warnings.warn(
                f"the mixture of {self.n_clusters_} components of the type {self.covariance_type_!r} has "
                "collapsed: a component covers only a few objects, or equal values of an attribute. Fewer "
                "n_clusters, another covariance_type or a larger ridge may help",
                UserWarning,
                stacklevel=4,
            )

    def _resolved_focal_sets(self, n_clusters: int):
        """Return the focal sets for `n_clusters` clusters."""
        if self.focal_sets is None:
            return FocalSets.up_to(n_clusters, min(n_clusters, 2), empty=False, omega=n_clusters <= 2)
        return resolve_focal_sets(self.focal_sets, n_clusters, empty=not isinstance(self.focal_sets, str))

    def _validate(self, X: npt.ArrayLike):
        """Check `X` and parameters; return `X` (n, p) about its mean, and the numbers of clusters."""
        X = read_objects(self, X)
        numbers = np.atleast_1d(self.n_clusters)
        expect(self.n_jobs != 0, "n_jobs other than 0", self.n_jobs)
        expect(
            numbers.ndim == 1 and numbers.size > 0, "n_clusters to be one number or several", self.n_clusters
        )
        numbers = sorted({expect_count("n_clusters", c, 1, len(X), "n_samples") for c in numbers.tolist()})
        for c in numbers:
            self._resolved_focal_sets(c)  # raises an error before work begins
        advice = "a random sample of the objects in fit, and predict_partition for the others"
        expect_memory(16 * len(X) ** 2, f"the intervals of all pairs of {len(X)} objects", advice)
        X, self._zero = near_zero(X)
        expect((X[0] != X).any(), "objects that differ", f"{len(X)} equal ones")
        self._origin = X.mean(axis=0)
        return X - self._origin, numbers
