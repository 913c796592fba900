"""Choose the number of clusters of a report by Ward's linkage and silhouettes."""

from math import isqrt
from typing import NamedTuple

import pandas as pd

from credalbench.core.arguments import expect, expect_count
from credalbench.report.methods import input_of
from credalbench.select import SilhouetteChoice, select_by_silhouette
from credalbench.tables import UserTable

MAX_CLUSTERS, MOST_CLUSTERS = 12, 20  # largest numbers to try by default, for small and large tables
SAMPLE_SIZE = 400  # silhouettes of larger tables are computed on a sample of this size
MIN_OBJECTS = 8


class NumberChoice(NamedTuple):
    """Number of clusters and its origin.

    Parameters
    ----------
    n_clusters : int
        Number c of clusters.
    explanation : str
        Sentences that say why this number was chosen.
    silhouettes : SilhouetteChoice or None, default=None
        Criteria of the candidate numbers; None if the number was given.
    """

    n_clusters: int
    explanation: str
    silhouettes: SilhouetteChoice | None = None


def choose_n_clusters(
    table: UserTable, random_state: int = 0, *, max_clusters: int | None = None
) -> NumberChoice:
    """Choose the number of clusters by Ward's linkage and silhouettes.

    Parameters
    ----------
    table : UserTable
        Table; if it has more than 400 objects, a sample of 400 is used.
    random_state : int, default=0
        Seed of the sample, the reference data and the random halves.
    max_clusters : int, optional
        Largest number to try, at least 2.

    Returns
    -------
    NumberChoice
        The number that `select_by_silhouette` chooses, with its reason.

    Raises
    ------
    ValueError
        If there are fewer than 8 objects, or `max_clusters` is less than 2.

    See Also
    --------
    credalbench.select.select_by_silhouette : The choice for any data.
    credalbench.select.select_n_clusters : Other criteria, for any clusterer.

    Notes
    -----
    By default the candidates are 2 to 12 clusters. For n > 144 objects the largest is the square root of n,
    but at most 20. It is never more than n / 3.
    """
    n = table.n_objects
    what = f"at least {MIN_OBJECTS} objects in {table.name} to choose the number of clusters"
    expect(n >= MIN_OBJECTS, what, n)
    data = _sample(table, random_state)
    metric = metric_of(table)
    if max_clusters is not None:
        max_clusters = expect_count("max_clusters", max_clusters, 2)
    numbers = range(2, (max_clusters or default_max_clusters(n)) + 1)
    found = select_by_silhouette(data, numbers, metric=metric, random_state=random_state)
    words = found.words
    words += f" (Based on a sample of {len(data)} of the {n} objects.)" if len(data) < n else ""
    return NumberChoice(found.n_clusters, words, found)


def default_max_clusters(n: int) -> int:
    """Return the largest number of clusters to try for n objects (see `choose_n_clusters`)."""
    most = max(MAX_CLUSTERS, min(MOST_CLUSTERS, isqrt(n)))
    return max(2, min(most, n // 3))


def metric_of(table: UserTable) -> str:
    """Return the metric by which the objects of a table are compared."""
    if table.kind in ("categories", "mixed"):
        return "gower"
    return "euclidean" if input_of(table) == "X" else "precomputed"


def _sample(table: UserTable, random_state: int) -> pd.DataFrame:
    """Return attributes or dissimilarities of all objects, or of a sample of them."""
    data = table.D if metric_of(table) == "precomputed" else table.frame
    if len(data) <= SAMPLE_SIZE:
        return data
    sample = data.sample(SAMPLE_SIZE, random_state=random_state)
    return sample[sample.index] if metric_of(table) == "precomputed" else sample
