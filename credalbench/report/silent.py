"""Columns that do not distinguish the clusters, and what changes without them."""

from collections.abc import Hashable
from dataclasses import replace
from typing import NamedTuple

from credalbench.belief import ClusterProfiles
from credalbench.metrics import adjusted_rand
from credalbench.report.choice import choose_n_clusters
from credalbench.report.comparison import MethodResult, fit_method
from credalbench.tables import UserTable

LEAST_STRENGTH = 0.2  # of a column that distinguishes a cluster (see `ClusterProfiles.frame`)


class SilentColumns(NamedTuple):
    """Columns that do not distinguish the clusters.

    Parameters
    ----------
    columns : list of hashable
        Their names.
    n_clusters : int
        Number of clusters that is chosen without them.
    agreement : float
        Adjusted Rand index of the partitions with and without them.
    """

    columns: list[Hashable]
    n_clusters: int
    agreement: float


def silent_columns(
    table: UserTable, profiles: ClusterProfiles, main: MethodResult, chosen: bool, random_state: int
) -> SilentColumns | None:
    """Return the columns that do not distinguish the clusters; None if there are none or no others."""
    strength = profiles.frame.query("~supplementary").groupby("attribute", sort=False)["strength"].max()
    columns = [name for name in table.frame if strength.get(name, 0.0) < LEAST_STRENGTH]
    if main.partition.n_clusters == 1 or not columns or len(columns) == table.frame.shape[1]:
        return None
    others = replace(table, frame=table.frame.drop(columns=columns))
    c = choose_n_clusters(others, random_state).n_clusters if chosen else main.partition.n_clusters
    found = fit_method(main.method.given(n_clusters=c), others).partition
    if found is None:
        return None
    return SilentColumns(columns, c, adjusted_rand(main.partition.labels(), found.labels()))
