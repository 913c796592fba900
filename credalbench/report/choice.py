"""How many clusters: as was asked for, or as criteria say, in words."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pandas as pd

from credalbench.arguments import expect
from credalbench.base_partitions import no_user_warnings
from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import EVCLUS
from credalbench.report.methods import data_of, takes_of
from credalbench.select import CriterionCurves, select_n_clusters
from credalbench.tables import UserTable

MOST_CLUSTERS = 6
N_RESAMPLES = 20
SAMPLED = 300  # objects of larger tables that are looked at
FEWEST = 8  # objects of which halves say something


class Choice(NamedTuple):
    """A number of clusters.

    Attributes
    ----------
    n_clusters : int
    words : str
        Where it comes from, and how clear that is.
    curves : CriterionCurves or None
        The criteria by the numbers that were tried; None where the number was asked for.
    """

    n_clusters: int
    words: str
    curves: CriterionCurves | None = None


def chosen_number(table: UserTable, random_state: int = 0) -> Choice:
    """Return the number of clusters that criteria recommend, or, without a clear answer, what most prefer.

    Parameters
    ----------
    table : UserTable
        Of more than 300 objects so many are drawn.
    random_state : int, default 0
        Seed of the fits, of the halves, and of that draw.

    Raises
    ------
    ValueError
        Fewer than 8 objects.

    Notes
    -----
    1 to 6 clusters, by `select_n_clusters` with 20 random halves of the objects: of fuzzy c-means where there
    are numbers, else of EVCLUS.
    """
    n = table.n_objects
    expect(n >= FEWEST, f"at least {FEWEST} objects in {table.name} to choose a number of clusters", n)
    estimator, objects = chooser_of(table, random_state), _objects(table, random_state)
    with no_user_warnings():  # of numbers of clusters that are only tried
        curves = select_n_clusters(estimator, objects, numbers_for(table), n_resamples=N_RESAMPLES)
    told, of = curves.recommendation, f" (Looked at: {len(objects)} of the {n} objects.)"
    words = told.words + (of if len(objects) < n else "")
    if told.n_clusters is not None:
        return Choice(told.n_clusters, words, curves)
    votes = Counter(vote.c for vote in curves.votes)
    c = min(votes, key=lambda number: (-votes[number], number)) if votes else 2
    words += f" What follows has {c} clusters, the smallest of the numbers that most criteria prefer."
    return Choice(c, words, curves)


def chooser_of(table: UserTable, random_state: int) -> FuzzyCMeans | EVCLUS:
    """Return the clusterer whose criteria are looked at."""
    if takes_of(table) == "X":
        return FuzzyCMeans(random_state=random_state)
    return EVCLUS(metric="precomputed", random_state=random_state)


def numbers_for(table: UserTable) -> range:
    """Return the numbers of clusters that are tried; a third of the objects is the most."""
    return range(1, min(MOST_CLUSTERS, table.n_objects // 3) + 1)


def _objects(table: UserTable, random_state: int) -> pd.DataFrame:
    """Attributes of the objects that are looked at, or their dissimilarities."""
    takes = "X" if takes_of(table) == "X" else "D"
    data = data_of(table, takes)
    if len(data) <= SAMPLED:
        return data
    drawn = data.sample(SAMPLED, random_state=random_state)
    return drawn if takes == "X" else drawn[drawn.index]
