"""The RECM explorer: evidential c-means of objects of which only the dissimilarities are known.

A program uses the model alone::

    model = RECMModel("protein")
    model.delta = 8.0
    model.fitted.n_outliers
"""

from credalbench.cluster import RECM
from credalbench.explore import parameter as shared
from credalbench.explore.declaration import RESTART, RULE, FitExplorer
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import LAST
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

    n_clusters = shared.n_clusters_parameter(6)
    focal_sets = shared.focal_sets_parameter("pairs")
    alpha = shared.alpha_parameter()
    beta = shared.beta_parameter(1.5, slider=(1.1, 3, 0.05))
    delta = shared.delta_parameter(usual_delta)
    standardize = shared.standardize_parameter()
    map_view = shared.map_view_parameter()
    seed = shared.seed_parameter()

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
)
