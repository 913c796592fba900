"""Common base of ECM, CECM and BPEC: validation, partition, labels and warnings."""

import warnings
from collections.abc import Iterator
from functools import partial
from itertools import chain

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import resolve_focal_sets
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, in_blocks, partition_in_blocks
from credalbench.cluster.prototypes.mass_update import (
    Setting,
    expect_moderate_powers,
    moments,
    optimal_masses,
)
from credalbench.cluster.prototypes.outlier_distance import (
    BETAS,
    automatic_delta,
    linkage_means,
    near_objects,
    pull,
)
from credalbench.cluster.prototypes.prototype_step import check_init, prototype_starts, sample_objects
from credalbench.core.arguments import expect_count
from credalbench.core.checks import (
    as_attributes,
    init_about,
    near_zero,
    read_attributes,
    read_objects,
    warn_if_coincident,
)
from credalbench.core.estimators import DistancesToPrototypes
from credalbench.core.names import names_of
from credalbench.core.threads import each_row, one_blas_thread, sum_rows, weighted_sum

METRICS = ("euclidean", "mahalanobis")
ROUNDING = 1e-13  # distances below this share of the spread of the objects are rounding


class PrototypeClusterer(LabelsOfNewObjects, DistancesToPrototypes, ClusterMixin, BaseEstimator):
    """Base of the clusterers with ``cluster_centers_`` and ``norm_matrices_``. It has no loop of its own.

    `fit` of a subclass works about the origin of `_validate`; it sets ``_setting`` (a `mass_update.Setting`),
    the prototypes, norms and ``ridged_``, and then calls `_describe`.
    """

    _reach = 1.0  # times `automatic_delta`

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects.

        This is the mass step, with fixed prototypes and norms and without constraints. It costs O(f p) for
        each object, O(f p^2) with adaptive norms.

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
        return CredalPartition(self._optimal_masses(self._read(X)), self._setting.focal_sets, names_of(X))

    def score(self, X: npt.ArrayLike, y: object = None) -> float:
        """Compute minus the mean objective of new objects.

        The masses are those of `predict_partition`, without constraints, and the objective is not divided by
        the number of focal sets. Use scores to compare fits with the same alpha, beta and delta; they mostly
        increase with the number of clusters.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes of new objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        float
            Minus the mean objective of the new objects: larger is better.
        """
        X = self._read(X)
        with one_blas_thread():  # with several, the last bits would depend on their number
            return -moments(X, *self._prototypes(), self._setting).objective / len(X)

    def _distances(self, X: npt.ArrayLike):
        X = self._read(X)
        V, S = self._prototypes()
        if S is None:
            return cdist(X, V)
        return np.column_stack([cdist(X, v[None], "mahalanobis", VI=s) for v, s in zip(V, S)])

    def _read(self, X: npt.ArrayLike):
        """Return new objects (m, p), about the origin."""
        check_is_fitted(self)
        return read_attributes(self, X, reset=False) - self._origin

    def _prototypes(self):
        """Return the prototypes, about the origin, and norms or None, as fitted, like ``_setting``."""
        norms = self.norm_matrices_ if self._adaptive else None
        return self.cluster_centers_ - self._origin, norms

    def _validate(self, X: npt.ArrayLike):
        """Check `X` and what depends on it; return X (n, p), about the origin, and the focal sets."""
        X = read_objects(self, X)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        check_init(self.init, self.n_clusters, X.shape[1])
        expect_moderate_powers(self.alpha, self.n_clusters)
        n = 0 if isinstance(X, np.memmap) else len(X)  # masses of objects in a file are not kept
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=n)
        X, self._origin = near_zero(X)
        return X, focal_sets

    def _set_up(
        self,
        X: np.ndarray,
        spread: float,
        focal_sets: FocalSets,
        beta: float | str,
        rng: np.random.RandomState,
        sample_weight: np.ndarray | None = None,
    ) -> Iterator[np.ndarray]:
        """Set ``_setting`` and ``delta_``; return starting prototypes in the coordinates of `X`.

        Delta and `beta` may be "auto". If delta is, prototypes that are not given come from the same objects.
        """
        c, choose_delta = self.n_clusters, self.delta == "auto"
        choose_init = isinstance(self.init, str) and self.init == "auto"
        init = "k-means++" if choose_init else init_about(self.init, self._origin)
        delta = 1.0 if choose_delta else float(self.delta)
        betas = BETAS if beta == "auto" else (beta,)
        setting = Setting(focal_sets, self.alpha, betas[0], delta, (ROUNDING * spread) ** 2)
        first = []
        if choose_delta or len(betas) > 1:
            sample = X[sample_objects(len(X), c, sample_weight)]
            sample = sample[np.lexsort(sample.T)]  # ties, and rounding, do not depend on the order of objects
            origin = sample.mean(axis=0)
            centred = sample - origin
            near = near_objects(centred, c).nonzero()[0]
            V, distances = linkage_means(centred[near], c)
            adaptive, tries = self.metric == "mahalanobis", []
            for beta in betas:
                setting = setting._replace(beta=beta)
                found, places = automatic_delta(centred, V, distances, setting, adaptive, spread)
                tries.append((pull(places, centred[near]), setting, found))
                if not tries[-1][0]:
                    break
            _, setting, found = min(tries, key=lambda one: one[0])
        if choose_delta:
            setting = setting._replace(delta=self._reach * found)
            first = [V + origin] * choose_init
            X, sample_weight = sample[near], None
        self._setting, self.delta_ = setting, setting.delta
        more = prototype_starts(X, c, init, self.n_init - len(first), rng, sample_weight)
        return chain(first, more)

    def _optimal_masses(self, X: np.ndarray):
        """Return masses (n, f) of the objects `X`, about the origin, at the prototypes and norms found."""
        return optimal_masses(X, *self._prototypes(), self._setting)

    def _partition(self, given: npt.ArrayLike, X: np.ndarray, V: np.ndarray, S: np.ndarray | None):
        """Return the partition of the objects of the fit, as given and as read, at prototypes and norms."""
        masses = partial(optimal_masses, V=V, S=S, setting=self._setting)
        if isinstance(X, np.memmap):
            read = partial(_read_block, origin=self._origin)
            return partition_in_blocks(given, len(X), read, masses, self._setting.focal_sets)
        return CredalPartition(masses(X), self._setting.focal_sets, self._index)

    def _describe(self, partition: CredalPartition | BlockwisePartition, X: np.ndarray, spread: float):
        """Set partition and labels; warn. Labels of blocks are computed on first access."""
        self.partition_ = partition
        vars(self).pop("labels_", None)
        if isinstance(partition, CredalPartition):
            self.labels_ = labels_of(partition)
        self._warn(X, spread)

    def _warn(self, X: np.ndarray, spread: float):
        if self.ridged_.any():
            clusters = ", ".join(str(k + 1) for k in np.flatnonzero(self.ridged_))
            warnings.warn(
                f"the covariance of cluster {clusters} is singular (constant or collinear attributes, or too "
                "few objects); a ridge was added, see ridged_",
                UserWarning,
                stacklevel=5,
            )
        V = self._prototypes()[0]
        nearest = cdist(X[sample_objects(len(X), len(V), None)], V).min(axis=1)
        warn_if_coincident(self, cdist(V, V), np.median(nearest), spread)


def centred_with_spread(
    X: np.ndarray, sample_weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return objects about their mean, the mean, and their root mean square distance to it."""
    total = len(X) if sample_weight is None else sample_weight.sum()
    origin = sum_rows(weighted_sum, X, sample_weight) / total
    centred = each_row(X, lambda rows: rows - origin)
    return centred, origin, float(np.sqrt(sum_rows(_sum_of_squares, centred, sample_weight) / total))


def _sum_of_squares(X: np.ndarray, sample_weight: np.ndarray | None):
    squares = np.einsum("ij,ij->i", X, X)
    return squares.sum() if sample_weight is None else sample_weight @ squares


def _read_block(block: npt.ArrayLike, origin: np.ndarray):
    return as_attributes(block) - origin
