"""Distances to prototypes, returned by `transform` of clusterers."""

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted


class DistancesToPrototypes(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """Mixin with `transform` for clusterers whose ``_distances`` reads new objects: (m, p) -> (m, c)."""

    def transform(self, X: npt.ArrayLike) -> np.ndarray:
        """Compute the distances of objects to the prototypes, as the method itself does.

        Parameters
        ----------
        X : array or DataFrame
            Objects, in the format of `predict`.

        Returns
        -------
        (m, c) array
            Distances in the units of the data; those of categories depend on the parameters. Columns are
            numbered as ``labels_``.
        """
        check_is_fitted(self)
        return self._distances(X)

    @property
    def _n_features_out(self):
        """Number of prototypes, from which scikit-learn derives the names of the columns."""
        for name in ("cluster_centers_", "medoid_indices_", "prototypes_"):
            if hasattr(self, name):
                return len(getattr(self, name))
        raise AttributeError(f"{type(self).__name__} has no prototypes before it is fitted")
