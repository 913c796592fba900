"""Registry of all methods by display name, for reports, the comparing explorer and benchmarks.

A method is a clusterer with a name: all of `credalbench.cluster` and `credalbench.baselines`, and some of
scikit-learn. Its parameters come from the signature of the class, and its kind of data from the tags.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.utils import get_tags

from credalbench import baselines, cluster
from credalbench.belief import CredalPartition

from .stability import partition_of

#: Display names that differ from the names of the classes.
NAMES = {
    "AgglomerativeClustering": "average linkage",
    "CatECM": "cat-ECM",
    "COPKMeans": "COP-k-means",
    "EKNNclus": "EK-NNclus",
    "FuzzyCMeans": "fuzzy c-means",
    "FuzzyKModes": "fuzzy k-modes",
    "GaussianMixture": "Gaussian mixture",
    "KMeans": "k-means",
    "KModes": "k-modes",
    "NNEVCLUS": "NN-EVCLUS",
}
FUZZY = (baselines.FuzzyCMeans, baselines.ConstrainedFuzzyCMeans, baselines.FuzzyKModes, GaussianMixture)


@dataclass(frozen=True, eq=False)
class Method:
    """Clusterer with its name and settings.

    Parameters
    ----------
    name : str
        Name of the method.
    estimator : BaseEstimator
        Unfitted scikit-learn clusterer with all its settings.
    """

    name: str
    estimator: BaseEstimator

    @property
    def kind(self) -> str:
        """Kind of its partition: "credal", "fuzzy" or "hard"."""
        if type(self.estimator).__name__ in cluster.__all__:
            return "credal"
        return "fuzzy" if isinstance(self.estimator, FUZZY) else "hard"

    @property
    def input(self) -> str:
        """Data to fit: "X" (numbers), "frame" (a table with categories), or "D" (dissimilarities)."""
        if getattr(self.estimator, "metric", None) == "precomputed":
            return "D"
        return "frame" if get_tags(self.estimator).input_tags.categorical else "X"

    def has(self, *parameters: str) -> bool:
        """Return whether the estimator has at least one of the given parameters.

        Parameters
        ----------
        *parameters : str
            Names of parameters.

        Returns
        -------
        bool
            True if it has at least one of them.
        """
        return not self.estimator.get_params(deep=False).keys().isdisjoint(parameters)

    def given(self, **settings: object) -> Self:
        """Return the method with other settings.

        Parameters
        ----------
        **settings : object
            Parameters of the estimator; those that it does not have are ignored.

        Returns
        -------
        Method
            Copy with the settings; the original does not change.
        """
        own = {name: value for name, value in settings.items() if self.has(name)}
        return replace(self, estimator=clone(self.estimator).set_params(**own))


def credal_partition(fit: BaseEstimator, X: npt.ArrayLike, n_clusters: int | None = None) -> CredalPartition:
    """Return the partition of a fit; memberships and labels become masses on single clusters."""
    found = partition_of(fit, X)
    return found if isinstance(found, CredalPartition) else CredalPartition.from_labels(found, n_clusters)


#: All methods by name, with default settings.
METHODS = {
    name: Method(name, cls())
    for cls in (
        *(getattr(package, name) for package in (cluster, baselines) for name in package.__all__),
        *(AgglomerativeClustering, GaussianMixture, KMeans),
    )
    if isinstance(cls, type) and (issubclass(cls, ClusterMixin) or cls is GaussianMixture)
    for name in [NAMES.get(cls.__name__, cls.__name__)]
}
METHODS["average linkage"].estimator.set_params(linkage="average")
