"""What is measured of one fit: agreement with the classes, doubt put to use, and outliers."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.base import BaseEstimator
from sklearn.metrics import silhouette_score
from sklearn.metrics.cluster import contingency_matrix

from credalbench.belief import CredalPartition
from credalbench.core.arguments import expect
from credalbench.metrics import adjusted_credal_rand, adjusted_rand

REJECTED = 0.1  # share of the objects that are set aside


def labels_of(fit: BaseEstimator, X: object, n: int) -> np.ndarray:
    """Return the labels of a fit, checked: one integer for each object."""
    labels = np.asarray(fit.labels_ if hasattr(fit, "labels_") else fit.predict(X))
    expect(labels.shape == (n,), f"labels of shape ({n},)", labels.shape)
    expect(labels.dtype.kind in "iu", "labels that are integers", labels.dtype)
    return labels


def partition_of(fit: BaseEstimator, X: object, labels: np.ndarray) -> CredalPartition:
    """Return the answer of a fit as a credal partition: its own, or from memberships, or from labels."""
    if hasattr(fit, "partition_"):
        return fit.partition_
    memberships = getattr(fit, "membership_", None)
    if memberships is None and hasattr(fit, "predict_proba"):
        memberships = fit.predict_proba(X)
    if memberships is not None:
        return CredalPartition.from_fuzzy(memberships)
    return CredalPartition.from_labels(np.unique(labels, return_inverse=True)[1])


def answer_of(fit: BaseEstimator) -> str:
    """Return what a method answers: "credal", "fuzzy" or "hard"."""
    if hasattr(fit, "partition_"):
        return "credal"
    return "fuzzy" if hasattr(fit, "membership_") or hasattr(fit, "predict_proba") else "hard"


def agreement(y: np.ndarray, labels: np.ndarray, partition: CredalPartition) -> dict[str, float]:
    """Compare with the classes y (n,): labels, all masses, and labels of the objects that are surest."""
    return {
        "ari": adjusted_rand(y, labels),
        "credal": adjusted_credal_rand(y, partition),
        "error": error_after_rejection(y, labels, certainty(partition), 0.0),
        "kept_error": error_after_rejection(y, labels, certainty(partition)),
    }


def certainty(partition: CredalPartition) -> np.ndarray:
    """Compute how sure each cluster is, (n,): its pignistic probability, times one minus the mass of ∅."""
    empty = partition.masses[:, 0] if partition.focal_sets.has_empty else 0.0
    return partition.pignistic.max(axis=1) * (1 - empty)


def error_after_rejection(
    y: np.ndarray, labels: np.ndarray, sure: np.ndarray, rejected: float = REJECTED
) -> float:
    """Compute the share of wrong objects among those that are kept when the least sure are set aside.

    Clusters are matched one-to-one with classes, by all objects; an object is wrong if its class is not that
    of its cluster. Among objects that are equally sure the rejected ones are any, so that the share is the
    mean over all choices: a method that is equally sure of all gains nothing.
    """
    of_class = np.unique(y, return_inverse=True)[1]
    clusters, of_cluster = np.unique(labels, return_inverse=True)
    matched = np.full(len(clusters), -1)
    rows, columns = linear_sum_assignment(contingency_matrix(of_class, of_cluster), maximize=True)
    matched[columns] = rows
    wrong = matched[of_cluster] != of_class
    n_kept = round(len(y) * (1 - rejected))
    sure = np.round(sure, 9)  # equal up to rounding is equal
    last = np.sort(sure)[::-1][n_kept - 1]
    above, tied = sure > last, sure == last
    weights = above + tied * (n_kept - above.sum()) / tied.sum()
    return float(weights @ wrong / n_kept)


def outlier_shares(fit: BaseEstimator, labels: np.ndarray, n: int) -> dict[str, float]:
    """Return the shares of planted and of other objects that are called outliers; none without such a word.

    A credal partition with the empty set calls those outliers that have most mass on it, others those with
    the label −1. The planted objects follow the first n.
    """
    if hasattr(fit, "partition_") and fit.partition_.focal_sets.has_empty:
        called = fit.partition_.outliers()
    elif (labels == -1).any():
        called = labels == -1
    else:
        return {"found": np.nan, "false": np.nan}
    return {"found": float(called[n:].mean()), "false": float(called[:n].mean())}


def silhouette(D: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean silhouette; −1, the least, where it does not exist: one cluster, or all objects."""
    if not 1 < len(np.unique(labels)) < len(labels):
        return -1.0
    return float(silhouette_score(D, labels, metric="precomputed"))
