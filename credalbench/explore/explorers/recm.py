"""The RECM explorer: evidential c-means of objects of which only the dissimilarities are known.

A program uses the model alone::

    model = RECMModel("protein")
    model.delta = 8.0
    model.fitted.n_outliers
"""

import traitlets as t

from credalbench.cluster import RECM
from credalbench.explore.declaration import RESTART, RULE, FitExplorer, Latency, Noise
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import (
    LAST,
    alpha_parameter,
    delta_parameter,
    focal_sets_parameter,
    map_view_parameter,
    n_clusters_parameter,
    parameter,
    seed_parameter,
    standardize_parameter,
)
from credalbench.explore.sources import MAX_COMPARED
from credalbench.explore.sources.table_source import TableSource

#: The default distance to the empty set, as a quantile of the dissimilarities: that of `RECM`.
FAR = 0.95


def usual_delta(model: ExplorerModel) -> float:
    """Return the default distance to the empty set, in three digits."""
    return float(f"{model.subject.distance_at(FAR):.3g}")


class RECMModel(ExplorerModel):
    """Data, parameters and iterations of the RECM explorer.

    The data are dissimilarities, or the distances of attributes. `delta` is adapted to new data.
    """

    STEM, DATA, ESTIMATOR = "recm", "protein", RECM

    n_clusters = n_clusters_parameter(6)
    focal_sets = focal_sets_parameter("pairs")
    alpha = alpha_parameter()
    beta = parameter(
        t.Float(1.5),
        "exponent β",
        "Exponent of the masses: near 1 they become hard",
        above=1,
        most=100,
        slider=(1.1, 3, 0.05),
    )
    delta = delta_parameter(usual_delta)
    standardize = standardize_parameter()
    map_view = map_view_parameter()
    seed = seed_parameter()

    def _make_source(self) -> TableSource:
        return TableSource(self, most=MAX_COMPARED)

    def _arguments(self) -> dict[str, object]:
        attributes = self.subject.attributes is not None
        return {"metric": "euclidean" if attributes else "precomputed", "max_iter": LAST}


EXPLORER = FitExplorer(
    model=RECMModel,
    title="RECM explorer",
    controls=(
        *("n_clusters", "focal_sets", "alpha", "beta", "delta", "map_view"),
        RULE,
        ("restart", "export"),
    ),
    buttons=(RESTART,),
    words=(
        "Name of a data set, path of a table of attributes or dissimilarities, dissimilarities or attributes."
    ),
    example="""
        >>> explorer = explore_recm("butterfly", delta=6.0)
        >>> explorer.model.fitted.n_outliers
        1
    """,
    small="t4:24",
    values={"n_clusters": [2, 3]},
    long={
        "data": "noise",
        "own": Noise(2500, 300),
        "n_clusters": 6,
        "focal_sets": "full",
        "alpha": -1.0,
        "delta": 1000,
    },
    latency=[Latency('explorer = explore_recm("t4:{n}")', ["exponent α"])],
)
