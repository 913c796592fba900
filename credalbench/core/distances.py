"""Distances to prototypes, as `transform` of clusterers returns them."""

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted


class DistancesToPrototypes(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """`transform` for clusterers with prototypes.

    A subclass has ``_distances``, which reads new objects: (m, p) -> (m, c).
    """

    def transform(self, X: npt.ArrayLike) -> np.ndarray:
        """Compute the distances of objects to the prototypes, with which the method itself computes.

        Parameters
        ----------
        X : array or DataFrame
            Objects, in the form that `predict` takes.

        Returns
        -------
        (m, c) array
            In the units of the data; of categories as the parameters say. Columns are numbered as
            ``labels_``.
        """
        check_is_fitted(self)
        return self._distances(X)

    @property
    def _n_features_out(self):
        """Number of prototypes, of which scikit-learn makes the names of the columns."""
        for name in ("cluster_centers_", "medoid_indices_", "prototypes_"):
            if hasattr(self, name):
                return len(getattr(self, name))
        raise AttributeError(f"{type(self).__name__} has no prototypes before it is fitted")
