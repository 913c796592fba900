"""What the arena measures of one fit, and the limits of a fit; needs no benchopt."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.metrics import silhouette_score
from sklearn.metrics.cluster import contingency_matrix

REJECTED = 0.1  # share of the objects that are set aside
SHARE_FAR, FEWEST_FAR = 0.05, 5  # planted outliers
ISOLATED = 2.0  # times the largest distance of an object to its nearest neighbour
N_TRIES = 2000
SECONDS, MEBIBYTES = 8, 1024  # limits of a fit


def certainty(partition) -> np.ndarray:
    """Compute how sure each cluster is, (n,): its pignistic probability, times one minus the mass of ∅."""
    empty = partition.masses[:, 0] if partition.focal_sets.has_empty else 0.0
    return partition.pignistic.max(axis=1) * (1 - empty)


def error_after_rejection(y, labels, sure, rejected: float = REJECTED) -> float:
    """Compute the share of wrong objects among those that are kept when the least sure are set aside.

    Clusters are matched one-to-one with classes, by all objects. Among objects that are equally sure the
    rejected ones are any, and the share is the mean over all choices.
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
    return float((above + tied * (n_kept - above.sum()) / tied.sum()) @ wrong / n_kept)


def outlier_shares(partition, labels, n: int) -> dict[str, float]:
    """Return the shares of planted and of the first n objects that are called outliers, if any can be.

    Outliers have most mass on the empty set, or the label −1.
    """
    if partition is not None and partition.focal_sets.has_empty:
        called = partition.outliers()
    elif (labels == -1).any():
        called = labels == -1
    else:
        return {}
    return {"found": float(called[n:].mean()), "false": float(called[:n].mean())}


def silhouette(D, labels) -> float:
    """Return the mean silhouette; −1, the least, where it does not exist: one cluster, or all objects."""
    if not 1 < len(np.unique(labels)) < len(labels):
        return -1.0
    return float(silhouette_score(D, labels, metric="precomputed"))


def with_outliers(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Append planted outliers, (n + m, p): uniform in a box, isolated from all objects and from each other.

    The box has twice the sides of the data's own, and grows until there is room. An object is isolated if its
    nearest neighbour is twice as far away as any object's nearest neighbour is in the data.
    """
    n_far = max(FEWEST_FAR, round(SHARE_FAR * len(X)))
    gap = ISOLATED * np.sort(cdist(X, X), axis=1)[:, 1].max()
    middle, half = (X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0) / 2
    found, tries, stretch = X, 0, 2.0
    while len(found) < len(X) + n_far:
        x = middle + stretch * half * rng.uniform(-1, 1, X.shape[1])
        if cdist(x[None], found).min() > gap:
            found = np.vstack([found, x])
        tries += 1
        stretch *= 1.2 if tries % N_TRIES == 0 else 1.0
    return found


@contextmanager
def limited(seconds: float = SECONDS, mebibytes: float = MEBIBYTES) -> Iterator[None]:
    """Stop what takes too much processor time, or on Linux too much more memory, by an error."""

    def stop(*_):
        raise TimeoutError(f"more than {seconds:g} s of processor time")

    limits, statm = resource.getrlimit(resource.RLIMIT_AS), Path("/proc/self/statm")
    if statm.exists():
        size = int(statm.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + int(mebibytes * 2**20), limits[1]))
    handler = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_AS, limits)
