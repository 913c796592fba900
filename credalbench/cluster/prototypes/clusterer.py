"""What ECM and CECM share beside their loops: checks, and partition, labels and warnings afterwards."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from credalbench.arguments import expect, expect_count
from credalbench.belief import CredalPartition
from credalbench.cluster.inputs.focal_sets import resolve_focal_sets
from credalbench.cluster.prototypes.mass_pass import optimal_masses
from credalbench.cluster.prototypes.starts import check_init

METRICS = ("euclidean", "mahalanobis")
HUGE = 1e100  # beyond it, products of squares may overflow
ROUNDING = 1e-13  # distances below this share of the spread of the objects are rounding
COINCIDENT = 1e-8  # prototypes closer than this share of the spread count as one


class PrototypeClusterer(ClusterMixin, BaseEstimator):
    """Base of the clusterers with ``cluster_centers_`` and ``norm_matrices_``. It has no loop of its own.

    `fit` of a subclass sets ``_setting`` (a `mass_pass.Setting`), the prototypes, norms and ``ridged_``, and
    then calls `_describe`.
    """

    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition:
        """Credal partition of new objects (n, p), prototypes and norms as they are, without constraints."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return CredalPartition(self._optimal_masses(X), self._setting.focal_sets)

    def predict(self, X: npt.ArrayLike) -> np.ndarray:
        """Labels of new objects (n, p), numbered as ``labels_``."""
        partition = self.predict_partition(X)  # first: it refuses an estimator that is not fitted
        return self.cluster_labels_[partition.labels("pignistic")]

    def _validate(self, X: npt.ArrayLike):
        """Check `X` and what depends on it; returns X (n, p) of floats and the focal sets."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        check_init(self.init, self.n_clusters, X.shape[1])
        self._expect_moderate(X)
        return X, resolve_focal_sets(self.focal_sets, self.n_clusters)

    def _expect_moderate(self, X: np.ndarray):
        """Refuse numbers whose squares and powers would over- or underflow."""
        size = np.abs(X).max()
        expect(size == 0 or 1 / HUGE < size < HUGE, f"values of X between {1 / HUGE:g} and {HUGE:g}", size)
        expect(self.delta < HUGE, f"delta < {HUGE:g}", self.delta)
        power = abs(self.alpha) * np.log10(self.n_clusters)
        expect(power < np.log10(HUGE), f"alpha with n_clusters ** |alpha| < {HUGE:g}", self.alpha)

    def _optimal_masses(self, X: np.ndarray):
        """Masses (n, f) of the objects `X` at the prototypes and norms found."""
        norms = self.norm_matrices_ if self._adaptive else None  # as fitted, like _setting
        return optimal_masses(X, self.cluster_centers_, norms, self._setting)

    def _describe(self, masses: np.ndarray, spread: float):
        """Set the partition of `masses` (n, f) and its labels, clusters with objects numbered first; warn."""
        self.partition_ = CredalPartition(masses, self._setting.focal_sets)
        clusters = self.partition_.labels("pignistic")
        empty = np.bincount(clusters, minlength=self.n_clusters) == 0
        self.cluster_labels_ = np.argsort(np.argsort(empty, kind="stable"))
        self.labels_ = self.cluster_labels_[clusters]
        self._warn(spread)

    def _warn(self, spread: float):
        if self.ridged_.any():
            clusters = ", ".join(str(k + 1) for k in np.flatnonzero(self.ridged_))
            warnings.warn(
                f"the covariance of cluster {clusters} is singular (constant or collinear attributes, or too "
                "few objects); it got a ridge, see ridged_",
                UserWarning,
                stacklevel=5,
            )
        closest = pdist(self.cluster_centers_).min(initial=np.inf)
        if closest <= COINCIDENT * spread:
            warnings.warn(
                f"two prototypes coincide (they are {closest:.3g} apart): there are fewer than "
                f"{self.n_clusters} clusters, or the start was unlucky",
                UserWarning,
                stacklevel=5,
            )


def centred_with_spread(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Objects about their mean, the mean, and their root mean square distance to it: (n, p), (p,), float."""
    origin = X.mean(axis=0)
    centred = X - origin
    return centred, origin, float(np.sqrt(np.mean(np.einsum("ij,ij->i", centred, centred))))


def identity_norms(c: int, p: int) -> np.ndarray:
    """The Euclidean metric as norm matrices, (c, p, p)."""
    return np.tile(np.eye(p), (c, 1, 1))
