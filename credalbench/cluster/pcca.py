r"""PCCA: a linear projection in which must-linked objects are close, and cannot-linked objects are far apart.

For constraints k between objects i and j, with :math:`y_k = 1` for must-links and -1 for cannot-links, the
matrix L of shape (d, p) minimises [mignon2012]

.. math:: E(L) = \sum_k \frac{w_k}{\beta}
          \log\big(1 + \exp(\beta\, y_k (\lVert L (x_i - x_j) \rVert^2 - 1))\big).

The distances of must-linked objects therefore become smaller than 1, and those of cannot-linked objects
larger than 1. After the projection, methods without constraints follow the constraints, and methods with
constraints need fewer of them. With the coordinates of `sklearn.decomposition.KernelPCA`, the method is
kernel PCCA: see the notes of `PCCA`.

Deviations and readings
-----------------------
D1. The paper uses gradient descent. Here, L-BFGS starts from the principal components and from random
    matrices. The run with the lowest loss is kept, because E has several minima if d < p.
D2. Constraints may be soft: the loss of each is multiplied by its certainty :math:`w_k`.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeResult, minimize
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.core.arguments import PositiveFloat, PositiveInt, Seed, checked, expect
from credalbench.core.checks import read_attributes, warn_if_not_converged
from credalbench.core.constraints import PairwiseConstraints, warn_of_contradictions
from credalbench.core.names import names_of


class PCCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Pairwise constrained component analysis: attributes projected so that distances follow constraints.

    Parameters
    ----------
    n_components : int, default 2
        Number d of projected attributes, between 1 and p.
    beta : float > 0, default 1.0
        Sharpness of the loss: larger values are closer to a hinge at distance 1.
    n_init : int, default 5
        Number of starts: the principal components, then random matrices. The run with the lowest loss is
        returned.
    tol : float > 0, default 1e-6
        Stop when no derivative of the mean loss exceeds this value, with attributes in the unit of `scale_`.
    max_iter : int, default 1000
        Maximum number of iterations of L-BFGS.
    random_state : int, RandomState instance or None
        Seed of the random matrices.

    Attributes
    ----------
    components_ : (d, p) array
        L, in inverse units of the data.
    loss_ : float
        E(L).
    scale_ : float
        Root mean square distance of constrained objects, in the units of the data.
    constraints_ : PairwiseConstraints
        The given constraints, each pair once.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    n_features_in_ : int

    See Also
    --------
    credalbench.cluster.CECM : Clustering under constraints.

    Notes
    -----
    An evaluation of the loss costs O(q d p) for q constraints. The minimum may be at infinity: if a matrix
    maps must-linked objects to the same place while cannot-linked ones stay apart, larger matrices always
    have a smaller loss. L-BFGS then stops when the loss decreases little.

    Kernel PCCA is a pipeline, because only the coordinates of kernel PCA depend on the kernel::

        make_pipeline(KernelPCA(kernel="rbf"), PCCA(2)).fit_transform(X, pcca__must_link=pairs)

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> from credalbench.cluster import PCCA
    >>> iris = load("iris")
    >>> pca = PCCA(1).fit(iris.X, must_link=[(50, 99), (100, 149)], cannot_link=[(50, 100), (0, 99)])
    >>> pca.transform(iris.X).shape
    (150, 1)
    """

    def __init__(
        self,
        n_components: PositiveInt = 2,
        *,
        beta: PositiveFloat = 1.0,
        n_init: PositiveInt = 5,
        tol: PositiveFloat = 1e-6,
        max_iter: PositiveInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.beta = beta
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(
        self,
        X: npt.ArrayLike,
        y: object = None,
        *,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        must_link_weights: npt.ArrayLike | None = None,
        cannot_link_weights: npt.ArrayLike | None = None,
    ) -> Self:
        """Compute the projection of `X` (n, p) from constraints.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.
        must_link, cannot_link : (m, 2) and (q, 2) arrays
            Pairs of objects, by their rows in `X`, or by the names in its index, if it is a DataFrame. At
            least one pair.
        must_link_weights, cannot_link_weights : (m,) and (q,) arrays, optional
            Certainty of each constraint in (0, 1]; 1 by default.

        Returns
        -------
        Self
            The estimator itself.

        Raises
        ------
        ValueError
            If there is no constraint between objects with different attributes, `n_components` exceeds p, or
            constraints are invalid (see `PairwiseConstraints`).
        """
        index = names_of(X)
        X = read_attributes(self, X, least=2)
        expect(self.n_components <= X.shape[1], f"n_components <= p = {X.shape[1]}", self.n_components)
        links = (must_link, cannot_link, must_link_weights, cannot_link_weights)
        self.constraints_ = one = PairwiseConstraints.of_fit(
            len(X), *links, index=index, allow_contradictions=True
        )
        warn_of_contradictions(one)
        pairs = np.vstack([one.must_link, one.cannot_link])
        signs = np.repeat([1.0, -1.0], [len(one.must_link), len(one.cannot_link)])
        weights = np.concatenate([one.must_link_weights, one.cannot_link_weights])
        steps = X[pairs[:, 0]] - X[pairs[:, 1]]
        largest = float(np.abs(steps).max(initial=0.0))  # squares stay in the range of floats
        expect(largest > 0, "constraints between objects with different attributes", f"{len(pairs)} pairs")
        self.scale_ = largest * float(np.sqrt(np.square(steps / largest).sum(axis=1).mean()))
        steps /= self.scale_
        runs = [self._descend(start, steps, signs, weights) for start in self._starts(X, steps)]
        best = min(runs, key=lambda run: run.fun)
        self.components_ = best.x.reshape(self.n_components, -1) / self.scale_
        self.loss_ = float(best.fun * weights.sum())
        self.n_iter_ = int(best.nit)
        self.converged_ = bool(best.success)
        warn_if_not_converged(self)
        return self

    def transform(self, X: npt.ArrayLike) -> np.ndarray:
        """Project objects.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes.

        Returns
        -------
        (m, d) array
            Projected objects. If the loss is small, the distances of must-linked objects are below 1.
        """
        check_is_fitted(self)
        return read_attributes(self, X, reset=False) @ self.components_.T

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _starts(self, X: np.ndarray, steps: np.ndarray) -> list[np.ndarray]:
        """Return starting matrices, with a mean squared distance of 1 between constrained objects."""
        rng, shape = check_random_state(self.random_state), (self.n_components, X.shape[1])
        principal = np.linalg.svd((X - X.mean(axis=0)) / self.scale_, full_matrices=True)[2]
        random = [rng.standard_normal(shape) for _ in range(self.n_init - 1)]
        starts = [principal[: self.n_components], *random]
        lengths = [np.square(steps @ start.T).sum(axis=1).mean() for start in starts]
        return [start / np.sqrt(length) if length > 0 else start for start, length in zip(starts, lengths)]

    def _descend(
        self, start: np.ndarray, steps: np.ndarray, signs: np.ndarray, weights: np.ndarray
    ) -> OptimizeResult:
        """Minimise the mean loss from a starting matrix."""

        def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
            L = flat.reshape(start.shape)
            projected = steps @ L.T
            excess = self.beta * signs * (np.square(projected).sum(axis=1) - 1)
            slope = weights * signs * expit(excess)
            value = weights @ np.logaddexp(0, excess) / self.beta
            gradient = 2 * (projected * slope[:, None]).T @ steps
            return value / weights.sum(), gradient.ravel() / weights.sum()

        options = {"maxiter": self.max_iter, "gtol": self.tol, "ftol": 0.0}
        return minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options=options)
