"""The number of clusters by silhouettes, compared with those of data without clusters.

Ward's linkage of the dissimilarities gives a partition for each number of clusters; the one with the largest
mean silhouette [rousseeuw1987] is preferred. Objects far from all others are left out first, because each
would become a cluster. Some clusters are always better than others: whether there are any at all is asked by
reference data of the same extent, or the same categories, without clusters, as for the gap statistic
[tibshirani2001]. If these reach the same silhouette, one cluster is the answer.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import silhouette_score
from sklearn.utils import check_random_state

from credalbench.arguments import expect, expect_count
from credalbench.axes import principal_coordinates
from credalbench.intervals import Estimate, proportion
from credalbench.tables.gower import gower_dissimilarities

NEIGHBOUR = 5  # an object is far if this neighbour is
FAR_IQR = 6.0  # interquartile ranges beyond the third quartile of these distances
FAR_SHARE = 0.1  # of the objects; more are no outliers
CLEAR = 0.8  # of the resamples
SHARE = 0.5  # of the objects, in a resample
FEWEST_OBJECTS = 8
METRICS = ("euclidean", "gower", "precomputed")


class SilhouetteChoice(NamedTuple):
    """A number of clusters, and how sure it is.

    Parameters
    ----------
    n_clusters : int
        The number with the largest mean silhouette, or 1 if reference data without clusters reach it.
    silhouettes : pandas.Series
        Number of clusters -> mean silhouette, in [-1, 1].
    references : (n_references,) array
        Largest mean silhouettes of the reference data.
    support : Estimate
        Share of random halves of the objects in which the same number has the largest silhouette.
    far : (n,) bool array
        Objects that were left out because they are far from all others.
    """

    n_clusters: int
    silhouettes: pd.Series
    references: np.ndarray
    support: Estimate
    far: np.ndarray

    @property
    def best(self) -> int:
        """Number with the largest mean silhouette, whether references reach it or not."""
        return int(self.silhouettes.idxmax())

    @property
    def second(self) -> int | None:
        """Next best number of clusters; None if one number was tried."""
        others = self.silhouettes.drop(self.best)
        return int(others.idxmax()) if len(others) else None

    @property
    def is_clear(self) -> bool:
        """Whether the same number is chosen in at least four of five random halves."""
        return self.support.value >= CLEAR

    @property
    def words(self) -> str:
        """The choice in a few sentences."""
        values, reached = self.silhouettes, f"{self.references.max():.2f}"
        largest = f"the largest mean silhouette, {values[self.best]:.2f}"
        if self.n_clusters == 1:
            compared = f"is not above that of data without clusters, {reached}"
            return f"1 cluster: {largest} with {self.best} clusters, {compared}.{self._left_out()}"
        others = "" if self.second is None else f" ({self.second} clusters: {values[self.second]:.2f})"
        same = f"{round(self.support.value * self.support.n)} of {self.support.n} random halves"
        words = f"{self.best} clusters have {largest}{others}, also in {same}; "
        words += f"data without clusters reach {reached}."
        if not self.is_clear and self.second is not None:
            words += f" It is not sure: look at {self.second}, too."
        if self.best == values.index[-1]:
            words += f" {self.best} is the largest number that was tried."
        return words + self._left_out()

    def _left_out(self) -> str:
        count = int(self.far.sum())
        return f" Left out as far from all others: {count} object{'s' * (count > 1)}." if count else ""


def far_objects(D: np.ndarray) -> np.ndarray:
    """Return which objects are far from all others: (n,) bool, by the dissimilarity of a neighbour."""
    n = len(D)
    if n <= 2 * NEIGHBOUR:
        return np.zeros(n, bool)
    apart = np.partition(D, NEIGHBOUR, axis=1)[:, NEIGHBOUR]  # 0 is the object itself
    low, high = np.quantile(apart, [0.25, 0.75])
    far = apart > high + FAR_IQR * max(high - low, high / FAR_IQR)
    return far if far.mean() <= FAR_SHARE else np.zeros(n, bool)


def silhouettes_of(D: np.ndarray, numbers: Iterable[int]) -> pd.Series:
    """Return the mean silhouette of Ward's clusters for each number of clusters, of `D` (n, n)."""
    tree = linkage(squareform(D, checks=False), "ward")
    numbers = [c for c in numbers if c < len(D)]
    labels = cut_tree(tree, numbers)
    values = [silhouette_score(D, of_one, metric="precomputed") for of_one in labels.T]
    return pd.Series(values, index=numbers)


def reference_attributes(frame: pd.DataFrame, rng: np.random.RandomState) -> pd.DataFrame:
    """Return attributes without clusters: numbers uniform in their principal box, categories permuted."""
    numbers = frame.select_dtypes("number").columns
    drawn = {name: rng.permutation(frame[name].to_numpy()) for name in frame.columns.difference(numbers)}
    X = frame[numbers].to_numpy(float)
    if X.size:
        center = np.nanmean(X, axis=0)
        X = np.where(np.isnan(X), center, X) - center
        axes = np.linalg.svd(X, full_matrices=False)[2]
        scores = X @ axes.T
        uniform = rng.uniform(scores.min(axis=0), scores.max(axis=0), scores.shape)
        drawn |= dict(zip(numbers, (uniform @ axes + center).T))
    return pd.DataFrame(drawn, index=frame.index)[list(frame.columns)]


def _references(
    data: pd.DataFrame, D: np.ndarray, metric: str, rng: np.random.RandomState
) -> Iterator[np.ndarray]:
    """Yield dissimilarities (n, n) of data without clusters, without end."""
    if metric == "precomputed":
        positions, values = principal_coordinates(D)
        above_noise = values > max(1e-9 * values[0], -values[-1])  # no axis is longer than an imaginary one
        data, metric = pd.DataFrame(positions[:, above_noise]), "euclidean"
    while True:
        yield dissimilarities(reference_attributes(data, rng), metric)


def dissimilarities(data: pd.DataFrame, metric: str) -> np.ndarray:
    """Return the dissimilarities (n, n) of objects by a metric of `METRICS`."""
    if metric == "gower":
        return gower_dissimilarities(data)
    values = data.to_numpy(float)
    return values if metric == "precomputed" else squareform(pdist(values))


def select_by_silhouette(
    data: npt.ArrayLike | pd.DataFrame,
    n_clusters: Iterable[int] = range(2, 13),
    *,
    metric: str = "euclidean",
    n_references: int = 19,
    n_resamples: int = 20,
    random_state: int | np.random.RandomState | None = None,
) -> SilhouetteChoice:
    """Choose the number of clusters by silhouettes, or one cluster by reference data.

    Parameters
    ----------
    data : array-like or DataFrame of shape (n, p) or (n, n)
        Attributes, or dissimilarities with ``metric="precomputed"``.
    n_clusters : iterable of int, default range(2, 13)
        Numbers of clusters, at least 2; those of n and more objects are left out.
    metric : {"euclidean", "gower", "precomputed"}, default "euclidean"
        "gower" compares numbers and categories (`credalbench.tables.gower_dissimilarities`).
    n_references : int, default 19
        Number of reference data sets, at least 1. One of 20 data sets without clusters has a larger
        silhouette than 19 others: clusters are then claimed wrongly.
    n_resamples : int, default 20
        Number of random halves of the objects, at least 1.
    random_state : int, RandomState instance or None, default None
        Source of the reference data and the halves.

    Returns
    -------
    SilhouetteChoice
        The chosen number with the silhouettes of all, those of the references, and its support.

    Raises
    ------
    ValueError
        If there are fewer than eight objects, no number of clusters between 2 and n - 1, or an unknown
        metric.

    See Also
    --------
    select_n_clusters : Criteria for any clusterer.

    Notes
    -----
    O(n^2) time for each set of data, and O(n^3) once for dissimilarities: take a sample of some hundred
    objects. A cluster of five objects or fewer, far from all others, counts as outliers.

    References
    ----------
    [rousseeuw1987], [tibshirani2001]

    Examples
    --------
    >>> from credalbench.datasets import make_t4
    >>> select_by_silhouette(make_t4(200, random_state=0).X, random_state=0).n_clusters
    4
    """
    expect(metric in METRICS, f"a metric out of {METRICS}", metric)
    data = pd.DataFrame(data)
    n_references = expect_count("n_references", n_references, 1)
    n_resamples = expect_count("n_resamples", n_resamples, 1)
    expect(len(data) >= FEWEST_OBJECTS, f"at least {FEWEST_OBJECTS} objects", len(data))
    D = dissimilarities(data, metric)
    far = far_objects(D)
    D = D[np.ix_(~far, ~far)]
    numbers = sorted({c for c in n_clusters if 2 <= c < len(D)})
    expect(numbers, f"numbers of clusters between 2 and {len(D) - 1}", list(n_clusters))
    rng = check_random_state(random_state)
    values = silhouettes_of(D, numbers)
    kept = data[~far] if metric != "precomputed" else data
    drawn = islice(_references(kept, D, metric, rng), n_references)
    references = np.array([silhouettes_of(one, numbers).max() for one in drawn])
    best = values.idxmax()
    halves = (rng.permutation(len(D))[: int(SHARE * len(D))] for _ in range(n_resamples))
    same = [silhouettes_of(D[np.ix_(rows, rows)], numbers).idxmax() == best for rows in halves]
    chosen = int(best) if values[best] > references.max() else 1
    return SilhouetteChoice(chosen, values, references, proportion(same), far)
