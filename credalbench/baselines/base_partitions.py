"""Base partitions of an ensemble: clusterers fitted in parallel, each with its own seed.

The result of a clusterer is its masses (``partition_``), its memberships (``membership_``) or its labels,
with -1 for objects outside all clusters.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from threading import current_thread, main_thread
from typing import Annotated

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone, is_clusterer
from sklearn.pipeline import Pipeline

from credalbench.belief import CredalPartition
from credalbench.core.arguments import MOST, Instance, as_array, expect, expect_count
from credalbench.core.progress import track
from credalbench.core.threads import one_thread

BaseClusterers = Annotated[
    BaseEstimator | Sequence[BaseEstimator] | None,
    Instance(BaseEstimator, list, tuple, noun="a clusterer, a list of clusterers") | None,
]

Partition = CredalPartition | np.ndarray  # masses, or labels (n,) >= -1


def as_clusterers(base: BaseEstimator | Sequence[BaseEstimator]) -> list[BaseEstimator]:
    """Return the clusterers in an argument `base`; raise a ValueError for anything but clusterers."""
    clusterers = list(base) if isinstance(base, list | tuple) else [base]
    expect(len(clusterers) > 0, "at least one clusterer as base", base)
    for clusterer in clusterers:
        right = isinstance(clusterer, BaseEstimator) and is_clusterer(clusterer)
        expect(right, "base to be a clusterer, or a list of them", clusterer)
    return clusterers


def number_range(base_n_clusters: int | Sequence[int], n: int) -> tuple[int, int]:
    """Return the smallest and largest number of clusters of a base, given as one or two numbers in 1..n."""
    name = "base_n_clusters"
    shape = as_array(name, base_n_clusters).shape
    if shape == ():
        number = expect_count(name, base_n_clusters, 1, n, "n_samples")
        return number, number
    expect(shape == (2,), f"{name} to be one number, or the smallest and the largest", base_n_clusters)
    low, high = (
        expect_count(name, number, 1, n, "n_samples") for number in np.asarray(base_n_clusters).tolist()
    )
    expect(low <= high, f"{name} with the smaller number first", base_n_clusters)
    return low, high


def seeded(clusterer: BaseEstimator, seed: int, n_clusters: int | None = None) -> BaseEstimator:
    """Return a clone with a seed, if it has a parameter for one, and, if given, a number of clusters.

    The parameters may belong to estimators within it, such as the steps of a pipeline. A clusterer without a
    parameter for a given number of clusters raises a ValueError.
    """
    given = clusterer.get_params()

    def named(name: str) -> list[str]:
        return [name] if name in given else [inner for inner in given if inner.endswith(f"__{name}")]

    parameters = dict.fromkeys(named("random_state"), seed)
    if n_clusters is not None:
        numbers = named("n_clusters")
        expect(bool(numbers), "a base with the parameter n_clusters if base_n_clusters is given", clusterer)
        parameters |= dict.fromkeys(numbers, n_clusters)
    return clone(clusterer).set_params(**parameters)


def seeded_in_turn(
    base: BaseEstimator | Sequence[BaseEstimator], numbers: Sequence[int | None], rng: np.random.RandomState
) -> list[BaseEstimator]:
    """Return a `seeded` clusterer for each number of clusters or None; clusterers of a list take turns."""
    given, seeds = as_clusterers(base), rng.randint(MOST, size=len(numbers)).tolist()
    return [seeded(given[b % len(given)], seeds[b], number) for b, number in enumerate(numbers)]


def base_partitions(
    clusterers: Sequence[BaseEstimator], X: np.ndarray, n_jobs: int | None = None, *, hard: bool = False
) -> list[Partition]:
    """Fit clusterers to `X` (n, p); return their partitions in order, as labels if `hard`.

    The clusterers are fitted in place (in other processes, as copies). Their warnings are not shown, since
    base partitions are rough and often have more clusters than the data. If a clusterer cannot be fitted, a
    ValueError names it.
    """
    with no_user_warnings():
        return Parallel(n_jobs=n_jobs)(
            delayed(partition_by)(clusterer, X, hard) for clusterer in track(clusterers, "base partition")
        )


def partition_by(clusterer: BaseEstimator, X: np.ndarray, hard: bool = False) -> Partition:
    """Fit one clusterer; return its masses, its memberships as masses, or its labels."""
    in_process = current_thread() is main_thread()  # warning filters are not safe in joblib's threads
    try:
        with one_thread(), no_user_warnings() if in_process else nullcontext():
            labels = clusterer.fit_predict(X)
    except ValueError as error:
        raise ValueError(
            f"expected base clusterers that can be fitted to these {len(X)} objects, "
            f"got an error of {clusterer}: {error}"
        ) from error
    last = clusterer[-1] if isinstance(clusterer, Pipeline) else clusterer
    if not hard and hasattr(last, "partition_"):
        return last.partition_
    if not hard and hasattr(last, "membership_"):
        return CredalPartition.from_fuzzy(last.membership_)
    return np.maximum(np.asarray(labels, np.int64), -1)  # HDBSCAN has several kinds of noise


@contextmanager
def no_user_warnings() -> Iterator[None]:
    """Ignore user and runtime warnings within a context."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def n_clusters_of(partition: Partition) -> int:
    """Return the number of clusters of masses, or of labels without noise."""
    if isinstance(partition, CredalPartition):
        return partition.n_clusters
    return len(np.unique(partition[partition >= 0]))
