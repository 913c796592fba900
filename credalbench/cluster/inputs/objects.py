"""Validation of the objects that `fit` receives, and their names."""

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from credalbench.attributes import read_attributes
from credalbench.names import names_of


def read_objects(estimator: BaseEstimator, X: npt.ArrayLike) -> np.ndarray:
    """Check the objects `X` of a fit, and keep the names that a DataFrame has for them as ``_index``.

    Parameters
    ----------
    estimator : estimator
    X : (n, p) array or DataFrame of attributes, or of dissimilarities with ``metric="precomputed"``

    Returns
    -------
    (n, p) float array

    Raises
    ------
    ValueError
        NaN or infinite values, fewer than two objects, rows and columns of dissimilarities with different
        names.
    """
    metric = getattr(estimator, "metric", None)
    estimator._index = names_of(X, square=isinstance(metric, str) and metric == "precomputed")
    return read_attributes(estimator, X, least=2)
