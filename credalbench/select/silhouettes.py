r"""Choose the number of clusters by the silhouettes of Ward's linkage, and by data without clusters.

Ward's linkage of the dissimilarities gives a partition for each number of clusters. Its score is

.. math:: \bar s(c) + \tfrac12 \min_k \bar s_k(c) + 1 - h_{c+1} / h_c,

the mean silhouette of all objects [rousseeuw1987], half of that of the cluster in which it is lowest, and how
much lower the merge of c + 1 into c clusters is than the next one, of c into c - 1, by their heights h. The
second term is low if a cluster is split into its core and its border, which the mean does not show. The third
term is low if clusters that are far apart hide that one of them consists of two. The largest score is
preferred; ties go to fewer clusters. A cluster that consists of two or more clear ones, by the same criteria,
counts as that many. So does a cluster in which a single number, or the first principal axis, has a valley
(`fall_apart`), because two clusters that differ in only one attribute are close in all attributes together.
Objects far from all others are left out first, because each would become a cluster.

Some number of clusters always has the largest score. Reference data of the same extent, or with the same
categories, but without clusters show whether there are any clusters, as for the gap statistic
[tibshirani2001]. If at least half of the references reach the same mean silhouette, the answer is one
cluster. The choice is clear if no reference does, and if nearly all random halves of the objects prefer the
same number.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import squareform
from scipy.stats import binom
from sklearn.utils import check_random_state

from credalbench.cluster.inputs.dissimilarities import euclidean_distances
from credalbench.core.arguments import LARGEST, SEED, Choice, as_array, as_floats, expect, expect_count
from credalbench.core.axes import principal_coordinates
from credalbench.core.intervals import Estimate, proportion
from credalbench.core.linkage import NEIGHBOUR, far_by_neighbour
from credalbench.core.progress import track
from credalbench.tables.gower import gower_dissimilarities

CLEAR = 0.95  # share of the resamples
WEIGHT_OF_WEAKEST = 0.5
LEAST_SCORE, LEAST_DROP, LEAST_SIZE = 1.3, 0.5, 6  # for clusters within a cluster
MOST_WITHIN = 5  # largest number of clusters within a cluster
N_REFERENCES = 19
RIGHT = {  # shares measured on 2026-11-24 by `number_of_clusters.py mixture`, removed on 2026-11-29
    True: "Such a clear choice of several clusters was right in 82 of 85 generated tables of 21 kinds.",
    False: "This choice is not certain (about half of such choices were right in the same tables)",
}
RIGHT_ONE = (
    "Such a clear choice of one cluster was right in 23 of 26 generated tables: "
    "columns of noise can hide clusters."
)
SHARE = 0.5  # of the objects, in a resample
FEWEST_OBJECTS = 8
METRICS = ("euclidean", "gower", "precomputed")
LEAST_DISTINCT = 10  # values; fewer leave gaps that are not valleys
SURELY = 1e-3  # largest chance of so deep a valley in one group


class SilhouetteChoice(NamedTuple):
    """Number of clusters, and how certain it is.

    Parameters
    ----------
    n_clusters : int
        The number `best`, or 1 if at least half of the reference data without clusters reach its mean
        silhouette.
    best : int
        The number with the largest score, where a cluster that consists of two or more clear ones, or that
        one number divides, counts as that many.
    criteria : pandas.DataFrame
        A row for each number of clusters: ``silhouette`` and ``weakest``, the mean silhouettes of all objects
        and of the cluster in which it is lowest, in [-1, 1]; ``drop``, how much lower the merge into so many
        clusters is than the next one, in [0, 1]; and their ``score``.
    references : (n_references,) array
        Largest mean silhouettes of the reference data.
    support : Estimate
        Share of random halves of the objects in which the same number is best.
    far : (n,) bool array
        Objects that were left out because they are far from all others.
    """

    n_clusters: int
    best: int
    criteria: pd.DataFrame
    references: np.ndarray
    support: Estimate
    far: np.ndarray

    @property
    def n_reached(self) -> int:
        """Number of reference data sets that reach the mean silhouette of `best`."""
        return int((self.references >= self.criteria["silhouette"][self.best]).sum())

    @property
    def second(self) -> int | None:
        """Next best number of clusters; `best` itself if 1 is chosen, and None if only one number was tried.

        It is 1 if some references reach the mean silhouette of `best`, otherwise that of the next best score.
        """
        if self.n_clusters == 1:
            return self.best
        others = self.criteria["score"].drop(self.best)
        return 1 if self.n_reached else int(others.idxmax()) if len(others) else None

    @property
    def is_clear(self) -> bool:
        """Whether no reference reaches the silhouette and 19 of 20 halves prefer the same number.

        A choice of one cluster is clear if all references reach the silhouette.
        """
        if self.n_clusters == 1:
            return self.n_reached == len(self.references)
        return self.n_reached == 0 and self.support.value >= CLEAR

    @property
    def certainty(self) -> str:
        """How often such choices were right, in a sentence."""
        if self.is_clear:
            return RIGHT_ONE if self.n_clusters == 1 else RIGHT[True]
        words = "This choice is not certain" if self.n_clusters == 1 else RIGHT[False]
        return words + (f": also look at {self.second}." if self.second else ".")

    @property
    def words(self) -> str:
        """The choice in a few sentences."""
        top = int(self.criteria["score"].idxmax())
        silhouette = f"mean silhouette, {self.criteria['silhouette'][self.best]:.2f}"
        reached = f"{self.n_reached or 'none'} of {len(self.references)} data sets without clusters"
        if self.n_clusters == 1:
            words = f"1 cluster: {reached} reach the {silhouette}, of {self.best} clusters."
        else:
            same = f"{round(self.support.value * self.support.n)} of {self.support.n} random halves"
            words = f"{top} clusters have the largest score"
            if self.best > top:
                words = f"{self.best} clusters: {words}, and clusters within them"
            words += f", also in {same}; {reached} reach their {silhouette}."
        words += f" {self.certainty}"
        if self.best == self.criteria.index[-1] != 2:
            words += f" {self.best} is the largest number that was tried."
        count = int(self.far.sum())
        return words + f" Left out, far from all others: {count} object{'s' * (count > 1)}." * (count > 0)


def far_objects(D: np.ndarray) -> np.ndarray:
    """Return whether each object is far from all others (n,), by the dissimilarity of a neighbour."""
    n = len(D)
    if n <= 2 * NEIGHBOUR:
        return np.zeros(n, bool)
    apart = np.partition(D, NEIGHBOUR, axis=1)[:, NEIGHBOUR]  # 0 is the object itself
    return far_by_neighbour(apart)


def linkage_criteria(D: np.ndarray, numbers: Sequence[int]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the criteria of Ward's clusters of `D` (n, n) (see `SilhouetteChoice.criteria`), and labels.

    The labels have a row for each object and a column for each number.
    """
    tree = linkage(squareform(D, checks=False), "ward")
    heights = tree[::-1, 2]  # of the merges into 1, 2, ... clusters
    labels = pd.DataFrame(cut_tree(tree, numbers), columns=numbers)
    rows = []
    for c in numbers:
        height = heights[c - 2]
        drop = 1 - heights[c - 1] / height if height > 0 else 0.0
        rows.append((*mean_silhouettes(D, labels[c].to_numpy()), drop))
    criteria = pd.DataFrame(rows, index=numbers, columns=["silhouette", "weakest", "drop"])
    score = criteria["silhouette"] + WEIGHT_OF_WEAKEST * criteria["weakest"] + criteria["drop"]
    return criteria.assign(score=score), labels


def mean_silhouettes(D: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """Return the mean silhouette of all objects, and that of the cluster in which it is lowest."""
    objects, members = np.arange(len(D)), np.eye(labels.max() + 1)[labels]
    sizes, sums = members.sum(axis=0), D @ members
    within = sums[objects, labels] / np.maximum(sizes[labels] - 1, 1)
    means = sums / sizes
    means[objects, labels] = np.inf
    nearest = means.min(axis=1)
    larger = np.maximum(within, nearest)
    comparable = (larger > 0) & (sizes[labels] > 1)
    values = np.divide(nearest - within, larger, out=np.zeros(len(D)), where=comparable)
    return values.mean(), (values @ members / sizes).min()


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
    """Yield dissimilarities (n, n) of data without clusters, endlessly."""
    if metric == "precomputed":
        positions, values = principal_coordinates(D)
        above_noise = values > max(1e-9 * values[0], -values[-1])  # axes longer than all imaginary ones
        data, metric = pd.DataFrame(positions[:, above_noise]), "euclidean"
    while True:
        yield dissimilarities(reference_attributes(data, rng), metric)


def dissimilarities(data: pd.DataFrame, metric: str) -> np.ndarray:
    """Return the dissimilarities (n, n) of objects by a metric of `METRICS`."""
    if metric == "gower":
        return gower_dissimilarities(data)
    values = as_floats("data", data)
    expect(bool((np.abs(values) < LARGEST).all()), f"finite data below {LARGEST:g}", data)
    return values if metric == "precomputed" else euclidean_distances(values)


def select_by_silhouette(
    data: npt.ArrayLike | pd.DataFrame,
    n_clusters: Iterable[int] = range(2, 13),
    *,
    metric: str = "euclidean",
    n_references: int = N_REFERENCES,
    n_resamples: int = 20,
    random_state: int | np.random.RandomState | None = None,
) -> SilhouetteChoice:
    """Choose the number of clusters by Ward's linkage, or one cluster by reference data.

    Parameters
    ----------
    data : array-like or DataFrame of shape (n, p) or (n, n)
        Attributes, or dissimilarities with ``metric="precomputed"``.
    n_clusters : iterable of int, default range(2, 13)
        Numbers of clusters, at least 2; numbers that reach half the number of objects are left out.
    metric : {"euclidean", "gower", "precomputed"}, default "euclidean"
        "gower" compares numbers and categories (`credalbench.tables.gower_dissimilarities`).
    n_references : int, default 19
        Number of reference data sets, at least 1. With 19, a data set without clusters exceeds all of them
        with probability 1/20.
    n_resamples : int, default 20
        Number of random halves of the objects, at least 1.
    random_state : int, RandomState instance or None, default None
        Source of the reference data and the halves.

    Returns
    -------
    SilhouetteChoice
        The chosen number with its support, all criteria, and the silhouettes of the references.

    Raises
    ------
    ValueError
        If there are fewer than eight objects, no number of clusters between 2 and n / 2 - 1, or an unknown
        metric.

    See Also
    --------
    select_n_clusters : Criteria for any clusterer.

    Notes
    -----
    Each data set costs O(n^2); dissimilarities and each of their halves cost O(n^3). Use a sample of a few
    hundred objects. A cluster of at most five objects that is far from all others counts as outliers.

    References
    ----------
    [rousseeuw1987], [tibshirani2001]

    Examples
    --------
    >>> from credalbench.datasets import make_t4
    >>> select_by_silhouette(make_t4(200, random_state=0).X, random_state=0).n_clusters
    4
    """
    Choice(*METRICS).read("metric", metric)
    expect(as_array("data", data).ndim == 2, "data of two dimensions", data)
    data = pd.DataFrame(data)
    n_references = expect_count("n_references", n_references, 1)
    n_resamples = expect_count("n_resamples", n_resamples, 1)
    expect(len(data) >= FEWEST_OBJECTS, f"at least {FEWEST_OBJECTS} objects", len(data))
    square = metric != "precomputed" or data.shape[0] == data.shape[1]
    expect(square, "a square matrix of dissimilarities", data.shape)
    D = dissimilarities(data, metric)
    far = far_objects(D)
    D = D[np.ix_(~far, ~far)]
    half = int(SHARE * len(D))
    expect(np.iterable(n_clusters), "a list of numbers of clusters", n_clusters)
    numbers = sorted({c for c in n_clusters if 2 <= expect_count("n_clusters", c, 1) < half})
    expect(numbers, f"numbers of clusters between 2 and {half - 1}", list(n_clusters))
    rng = check_random_state(SEED.read("random_state", random_state))
    criteria, _ = linkage_criteria(D, numbers)
    kept = data[~far] if metric != "precomputed" else data.iloc[: len(D)]  # only D is used of the latter
    best = _best_number(kept, D, metric, numbers, rng)
    drawn = zip(track(range(n_references), "reference data"), _references(kept, D, metric, rng))
    references = np.array([linkage_criteria(one, numbers)[0]["silhouette"].max() for _, one in drawn])
    halves = (rng.permutation(len(D))[:half] for _ in track(range(n_resamples), "half"))
    found = (_best_number(kept.iloc[rows], D[np.ix_(rows, rows)], metric, numbers, rng) for rows in halves)
    return chosen_number(best, criteria, references, proportion([c == best for c in found]), far)


def chosen_number(
    best: int, criteria: pd.DataFrame, references: np.ndarray, support: Estimate, far: np.ndarray
) -> SilhouetteChoice:
    """Return the best number, or 1 if at least half of the references reach it."""
    choice = SilhouetteChoice(best, best, criteria, references, support, far)
    return choice._replace(n_clusters=1) if 2 * choice.n_reached >= len(references) else choice


def _best_number(
    data: pd.DataFrame, D: np.ndarray, metric: str, numbers: Sequence[int], rng: np.random.RandomState
) -> int:
    """Return the number with the largest score, counting the clear clusters within each cluster.

    If this number was not tried, return the next lower one that was.
    """
    criteria, labels = linkage_criteria(D, numbers)
    top = labels[int(criteria["score"].idxmax())].to_numpy()
    within = sum(
        _count_parts(data.iloc[part], D[np.ix_(part, part)], metric)
        for rows in _members(top)
        for part in _clear_clusters(rows, data.iloc[rows], D[np.ix_(rows, rows)], metric, rng)
    )
    return max(c for c in numbers if c <= within)


def _members(labels: np.ndarray) -> list[np.ndarray]:
    """Return the objects of each cluster."""
    return [np.flatnonzero(labels == k) for k in range(labels.max() + 1)]


def _clear_clusters(
    rows: np.ndarray, data: pd.DataFrame, D: np.ndarray, metric: str, rng: np.random.RandomState
) -> list[np.ndarray]:
    """Return the clear clusters within the cluster `rows` (m,), or only the cluster if there are none."""
    numbers = range(2, min(len(D) // LEAST_SIZE, MOST_WITHIN) + 1)
    if not numbers:
        return [rows]
    criteria, labels = linkage_criteria(D, numbers)
    top = criteria["score"].idxmax()
    best = criteria.loc[top]
    small = np.bincount(labels[top]).min() < LEAST_SIZE
    if small or best["score"] < LEAST_SCORE or best["drop"] < LEAST_DROP:
        return [rows]
    drawn = islice(_references(data, D, metric, rng), N_REFERENCES)
    reached = any(
        linkage_criteria(one, numbers)[0]["silhouette"].max() >= best["silhouette"] for one in drawn
    )
    return [rows] if reached else [rows[part] for part in _members(labels[top].to_numpy())]


def _count_parts(data: pd.DataFrame, D: np.ndarray, metric: str) -> int:
    """Return the number of parts into which numbers or the first principal axis divide a cluster (m,)."""
    if len(D) < 2 * LEAST_SIZE:
        return 1
    for values in _lines(data, D, metric):
        known = np.flatnonzero(~np.isnan(values))
        upper = fall_apart(values[known], LEAST_SIZE)
        if upper is not None:
            parts = known[upper], known[~upper]
            return sum(_count_parts(data.iloc[part], D[np.ix_(part, part)], metric) for part in parts)
    return 1


def _lines(data: pd.DataFrame, D: np.ndarray, metric: str) -> list[np.ndarray]:
    """Return the numbers (m,) of a cluster, and its first principal axis (m,) if it has no categories.

    Categories would form clumps along the axis.
    """
    if metric == "precomputed":
        return [principal_coordinates(D)[0][:, 0]]
    if metric == "gower":
        return list(data.select_dtypes("number").to_numpy(float, na_value=np.nan).T)
    X = data.to_numpy(float)
    axis, *_ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]
    return [*X.T, X @ axis]


def fall_apart(values: np.ndarray, least: int) -> np.ndarray | None:
    """Divide numbers at a deep valley.

    The numbers are divided into the two groups with the least sum of squares within groups. Three windows of
    equal width are placed around the two medians and half-way between them. If the numbers have a single
    mode, the window half-way has at least as many of them as the emptier of the others. The numbers are
    divided if a sign test rejects this.

    Parameters
    ----------
    values : (m,) array
        Numbers without NaN.
    least : int
        Smallest size of a group.

    Returns
    -------
    (m,) bool array or None
        Upper group, or None if there is no valley. The cost is O(m log m).
    """
    ordered = np.sort(values)
    m = len(ordered)
    if m < 2 * least or len(np.unique(ordered)) < LEAST_DISTINCT:
        return None
    sizes, sums = np.arange(least, m - least + 1), np.cumsum(ordered)
    lower, upper = sums[sizes - 1] / sizes, (sums[-1] - sums[sizes - 1]) / (m - sizes)
    size = sizes[np.argmax(sizes * (m - sizes) * (upper - lower) ** 2)]
    low, high = np.median(ordered[:size]), np.median(ordered[size:])
    if not low < high:
        return None
    centres = np.array([low, (low + high) / 2, high])[:, None]
    around_low, half_way, around_high = (np.abs(ordered - centres) <= (high - low) / 6).sum(axis=1)
    peak = min(around_low, around_high)
    if binom.cdf(half_way, half_way + peak, 0.5) > SURELY:
        return None
    return values >= ordered[size]
