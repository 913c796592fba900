"""Masses of new objects if prototypes are known only by dissimilarities, for RECM and MECM."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition
from credalbench.cluster.inputs.dissimilarities import DissimilarityInput
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, in_blocks
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs, objective
from credalbench.core.names import names_of
from credalbench.core.threads import one_blas_thread


class RelationalPredictions(DissimilarityInput, LabelsOfNewObjects):
    """`predict_partition` and `score` from squared dissimilarities to the focal sets. It has no `fit`.

    The `fit` of a subclass sets ``_objects`` (`FittedObjects`) and ``_setting`` (`mass_update.Setting`). The
    subclass has ``_squared_distances``: (b, n) dissimilarities -> (b, f').
    """

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects.

        This is the mass step of `fit` with fixed prototypes, in O(n (p + c) + f c^2) for each object.
        Objects of the fit get the same masses again.

        Parameters
        ----------
        X : (m, p) or (m, n) array or DataFrame; or data in blocks
            Attributes of new objects, or with ``metric="precomputed"`` their dissimilarities to the n
            objects of the fit.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the focal sets of the fit; for data in blocks, a
            `BlockwisePartition`.
        """
        masses = [masses_from_costs(costs, self._setting.beta) for costs in self._costs(X)]
        return CredalPartition(np.concatenate(masses), self._setting.focal_sets, names_of(X))

    def score(self, X: npt.ArrayLike, y: object = None) -> float:
        """Compute minus the mean objective of new objects.

        The masses are those of `predict_partition`. Use scores to compare fits with the same alpha, beta and
        ``delta_``; they mostly increase with the number of clusters.

        Parameters
        ----------
        X : (m, p) or (m, n) array or DataFrame
            Attributes of new objects, or with ``metric="precomputed"`` their dissimilarities to the n
            objects of the fit.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        float
            Minus the mean objective of the new objects: larger is better.
        """
        total, count = 0.0, 0
        for costs in self._costs(X):
            beta = self._setting.beta
            total += objective(masses_from_costs(costs, beta), costs, beta)
            count += len(costs)
        return -total / count

    def _costs(self, X: npt.ArrayLike) -> Iterator[np.ndarray]:
        """Yield the costs (b, f) of new objects, some at a time."""
        check_is_fitted(self)
        focal_sets, alpha, _, delta, _ = self._setting
        for D in self._objects.compared(self, X):
            with one_blas_thread():  # with several, the last bits would depend on their number
                costs = focal_costs(self._squared_distances(D), focal_sets, alpha, delta)
            yield costs
