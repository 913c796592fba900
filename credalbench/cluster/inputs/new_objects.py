"""Predictions for objects that were not in the fit."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial, wraps
from typing import NamedTuple, Never, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.cluster.inputs.dissimilarities import metric_errors, metric_parameters, non_negative
from credalbench.core.arguments import are_blocks, expect
from credalbench.core.blocks import Blocks
from credalbench.core.checks import as_attributes, near_zero, read_attributes
from credalbench.core.names import EXAMPLES, as_index, names_of

CHUNK = 1 << 22  # dissimilarities of new objects at a time: 32 MiB


class FittedObjects(NamedTuple):
    """The objects of a fit, with which new objects are compared.

    Attributes
    ----------
    n_objects : int
        n.
    metric : str or callable
    attributes : (n, p) array or None
        A copy of the attributes, about the origin; None if dissimilarities were given.
    parameters : dict
        Of a metric that takes them from the data.
    origin : (p,) array or float
        Subtracted from attributes.
    """

    n_objects: int
    metric: str | Callable
    attributes: np.ndarray | None
    parameters: dict
    origin: np.ndarray | float

    @classmethod
    def of(cls, X: np.ndarray, metric: str | Callable = "euclidean") -> Self:
        """Store what predictions need of a fit to `X`, (n, p) attributes or dissimilarities of n objects."""
        attributes, parameters, origin = None, {}, 0.0
        if not (isinstance(metric, str) and metric == "precomputed"):
            if metric == "euclidean":
                X, origin = near_zero(X)
            attributes = np.array(X, order="C")
            with metric_errors(metric):
                parameters = metric_parameters(attributes, metric)
        return cls(len(X), metric, attributes, parameters, origin)

    def read(self, estimator: BaseEstimator, X: npt.ArrayLike) -> np.ndarray:
        """Return new objects in the form for comparisons: (m, p) attributes, or (m, n) dissimilarities.

        Raises a ValueError if the number of columns differs from that in the fit, if the columns are in
        another order than the objects of the fit, or if dissimilarities are NaN, infinite, negative or beyond
        1e100.
        """
        if self.attributes is None and estimator.n_features_in_ != self.n_objects:  # fitted to sampled pairs
            numbers = as_attributes(X)
            expected = f"dissimilarities to each of the {self.n_objects} objects of the fit, in columns"
            expect(numbers.shape[1] == self.n_objects, expected, numbers.shape)
            self._expect_order(estimator, X)
            return non_negative(numbers)
        given, X = X, read_attributes(estimator, X, reset=False)
        if self.attributes is None:
            self._expect_order(estimator, given)
            return non_negative(X)
        return X - self.origin

    def _expect_order(self, estimator: BaseEstimator, X: npt.ArrayLike) -> None:
        """Refuse columns that name objects other than those of the fit; scikit-learn compares texts only."""
        fitted = getattr(estimator, "_index", None)
        columns = as_index(X.columns, self.n_objects) if hasattr(X, "iloc") else None
        if fitted is not None and columns is not None:
            # as text, which a file makes of numbers
            differ = [(a, b) for a, b in zip(columns, fitted) if str(a) != str(b)]
            expect(
                not differ, "columns that name the objects of the fit, in the same order", differ[:EXAMPLES]
            )

    def compared(self, estimator: BaseEstimator, X: npt.ArrayLike) -> Iterator[np.ndarray]:
        """Yield the dissimilarities (b, n) of new objects `X`, some at a time, checked by `read`.

        O(n p) for each object, if they are computed.
        """
        X = self.read(estimator, X)
        size = max(1, CHUNK // self.n_objects)
        for begin in range(0, len(X), size):
            yield self._dissimilarities(X[begin : begin + size])

    def _dissimilarities(self, X: np.ndarray):
        """Return the dissimilarities (b, n) of objects that were read."""
        if self.attributes is None:
            return X
        if self.metric == "euclidean":
            return cdist(X, self.attributes)  # of differences: duplicates are exactly 0 apart
        with metric_errors(self.metric):
            D = pairwise_distances(X, self.attributes, metric=self.metric, **self.parameters)
            return non_negative(D)


def in_blocks(predict_partition: Callable) -> Callable:
    """Decorate a method `predict_partition`: for data in blocks, it returns a `BlockwisePartition`."""

    @wraps(predict_partition)
    def predicted(self: BaseEstimator, X: object) -> CredalPartition | BlockwisePartition:
        if not are_blocks(X):
            return predict_partition(self, X)
        check_is_fitted(self)
        return BlockwisePartition(Blocks(X, partial(_predicted, self)), self.partition_.focal_sets)

    return predicted


def _predicted(estimator: BaseEstimator, block: npt.ArrayLike):
    return estimator.predict_partition(block)


def partition_in_blocks(
    X: object, n: int, read: Callable, masses: Callable, focal_sets: FocalSets
) -> BlockwisePartition:
    """Return the partition that ``masses(read(block))`` makes of n objects in blocks; both are picklable."""
    step = partial(_named_masses, read=read, masses=masses, focal_sets=focal_sets)
    return BlockwisePartition(Blocks(X, step), focal_sets, n)


def _named_masses(block: object, read: Callable, masses: Callable, focal_sets: FocalSets):
    return CredalPartition(masses(read(block)), focal_sets, names_of(block))


class LabelsOfNewObjects:
    """`predict` and `predict_proba` for estimators with `predict_partition`."""

    @cached_property
    def labels_(self) -> np.ndarray:
        """Labels of a fit to data in blocks, computed on first access; other fits set them."""
        if "partition_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no labels_ before it is fitted")
        return self.partition_.labels()

    def predict(self, X: npt.ArrayLike) -> np.ndarray:
        """Predict the clusters of new objects.

        Parameters
        ----------
        X : array or DataFrame
            New objects, in the form that `predict_partition` takes.

        Returns
        -------
        (m,) int array
            Labels, numbered as ``labels_``.
        """
        return self.predict_partition(X).labels()

    def predict_proba(self, X: npt.ArrayLike) -> np.ndarray:
        """Compute the pignistic probabilities of new objects.

        A mass on several clusters is shared equally among them. `predict` returns the most probable cluster.

        Parameters
        ----------
        X : array or DataFrame
            New objects, in the form that `predict_partition` takes.

        Returns
        -------
        (m, c) array
            Rows sum to 1; entries are 1/c if all mass is on the empty set. Columns are numbered as
            ``labels_``.
        """
        return self.predict_partition(X).pignistic.copy()


class UnsupportedMethod:
    """Descriptor of an unsupported method; access raises AttributeError with the reason.

    ``hasattr``, and so scikit-learn, finds no such method.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __set_name__(self, cls: type, name: str) -> None:
        self.name = name

    def __get__(self, estimator: object, cls: type) -> Never:
        raise AttributeError(f"{cls.__name__} has no {self.name!r}: {self.reason}")
