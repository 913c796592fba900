"""Shared parts of estimators: parameters for trying them, and `transform` to distances to prototypes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted


@dataclass(frozen=True)
class Examples:
    """Parameters for trying an estimator; the class attribute ``examples``.

    Parameters
    ----------
    quick : mapping
        Non-default parameters with which a fit takes seconds.
    variants : tuple of mappings
        Parameters of other paths through the estimator, which share little code with the defaults.
    start : {"objects", "medoids", "masses", "labels"}, optional
        Argument that `init` accepts: rows of the data, one for each cluster; their indices; masses (n, 4) on
        the empty set, two clusters and both; labels (n,). None: `init` accepts no start.
    rounding : float, default 1e-9
        Largest difference of masses computed twice; larger if some arithmetic is in single precision.
    """

    quick: Mapping[str, object] = field(default_factory=dict)
    variants: tuple[Mapping[str, object], ...] = ()
    start: str | None = None
    rounding: float = 1e-9


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
