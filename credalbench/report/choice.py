"""The number of clusters of a report: given, or chosen by several criteria."""

from collections import Counter
from typing import NamedTuple

import pandas as pd

from credalbench.arguments import expect
from credalbench.base_partitions import no_user_warnings
from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import EVCLUS
from credalbench.report.methods import input_of
from credalbench.select import CriterionCurves, select_n_clusters
from credalbench.tables import UserTable

MAX_CLUSTERS = 6
N_RESAMPLES = 20
SAMPLE_SIZE = 300  # objects of a larger table on which the criteria are computed
MIN_OBJECTS = 8


class NumberChoice(NamedTuple):
    """A number of clusters and its origin.

    Parameters
    ----------
    n_clusters : int
        The number c of clusters.
    explanation : str
        Why this number was chosen, in words.
    curves : CriterionCurves or None, default=None
        The criteria for each candidate number; None if the number was given.
    """

    n_clusters: int
    explanation: str
    curves: CriterionCurves | None = None


def choose_n_clusters(table: UserTable, random_state: int = 0) -> NumberChoice:
    """Choose the number of clusters by several criteria.

    Parameters
    ----------
    table : UserTable
        The data; if there are more than 300 objects, a sample of 300 is used.
    random_state : int, default=0
        Seed of the sample, the fits and the random halves.

    Returns
    -------
    NumberChoice
        The recommended number or, if there is no recommendation, the one that most criteria prefer.

    Raises
    ------
    ValueError
        If there are fewer than 8 objects.

    See Also
    --------
    credalbench.select.select_n_clusters : The criteria for any clusterer.

    Notes
    -----
    The candidates are 1 to 6 clusters. The criteria are those of `select_n_clusters` with 20 random halves of
    the objects, for fuzzy c-means if the attributes are numbers, else for EVCLUS.
    """
    n = table.n_objects
    expect(
        n >= MIN_OBJECTS, f"at least {MIN_OBJECTS} objects in {table.name} to choose a number of clusters", n
    )
    estimator, data = selection_estimator(table, random_state), _sample(table, random_state)
    with no_user_warnings():  # about candidate numbers
        curves = select_n_clusters(estimator, data, candidate_numbers(table), n_resamples=N_RESAMPLES)
    recommendation = curves.recommendation
    words = recommendation.words
    words += f" (Based on a sample of {len(data)} of the {n} objects.)" if len(data) < n else ""
    if recommendation.n_clusters is not None:
        return NumberChoice(recommendation.n_clusters, words, curves)
    votes = Counter(vote.c for vote in curves.votes)
    c = min(votes, key=lambda number: (-votes[number], number)) if votes else 2
    words += f" This report uses {c} clusters, the smallest of the numbers that most criteria prefer."
    return NumberChoice(c, words, curves)


def selection_estimator(table: UserTable, random_state: int) -> FuzzyCMeans | EVCLUS:
    """Return the clusterer to which the criteria are applied."""
    if input_of(table) == "X":
        return FuzzyCMeans(random_state=random_state)
    return EVCLUS(metric="precomputed", random_state=random_state)


def candidate_numbers(table: UserTable) -> range:
    """Return the candidate numbers of clusters, at most a third of the number of objects."""
    return range(1, min(MAX_CLUSTERS, table.n_objects // 3) + 1)


def _sample(table: UserTable, random_state: int) -> pd.DataFrame:
    """Return attributes or dissimilarities of the objects on which the criteria are computed."""
    attributes = input_of(table) == "X"
    data = table.X if attributes else table.D
    if len(data) <= SAMPLE_SIZE:
        return data
    sample = data.sample(SAMPLE_SIZE, random_state=random_state)
    return sample if attributes else sample[sample.index]
