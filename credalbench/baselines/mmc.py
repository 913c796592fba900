r"""Distance metric learning from pairwise constraints, by Xing and others [xing2002]; known as MMC.

The metric :math:`d_A(x, y)^2 = (x - y)^T A (x - y)` with A positive semi-definite that

.. math:: \text{maximises}\; g(A) = \sum_{(i,j) \in \mathcal{C}} d_A(x_i, x_j) \quad \text{subject to} \quad
          f(A) = \sum_{(i,j) \in \mathcal{M}} d_A(x_i, x_j)^2 \leq t:

cannot-linked objects are far apart, must-linked ones close. The problem is concave, and t only scales A. Here
:math:`t = f(I)`: the identity is feasible, and the learned metric has the scale of the Euclidean one.

Deviations
----------
D1. With :math:`f(A) = \operatorname{tr}(W A)`, t scaled to 1 and :math:`W^{1/2} A W^{1/2} = B = R R^T`, the
    feasible B are the positive semi-definite matrices of trace at most 1. Each distance
    :math:`\|R^T z\|` is at least its linear part at the present R, and equal to it there. The sum of the
    linear parts is largest at R proportional to :math:`G R`, with G the gradient of g in B. So

    .. math:: R \leftarrow G R \,/\, \|G R\|_F

    raises g in every step, stays feasible and needs no step length. It replaces the published gradient ascent
    with alternating projections. The problem and its optimum are unchanged, but that ascent may stop short of
    the optimum: on Iris and standardised Wine with 100 and 200 constraints it reaches, from a good step
    length, 0.91 to 0.998 of the optimum.
D2. The optimum exceeds g by at most :math:`\lambda_{max}(G) - \langle G, B \rangle`; iteration stops when
    this bound falls below `tol` times g.
D3. The problem is unbounded if must-links span fewer than p dimensions. W is therefore the sum of the outer
    products of their differences, plus `regularization` times its mean eigenvalue times I.
D4. The published diagonal version minimises :math:`f - \log g`. Up to scale, its solutions maximise g for
    :math:`f \leq t`; they are found by D1 with diagonal matrices.
"""

from typing import Annotated, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from credalbench.core.arguments import LARGEST, NonNegativeFloat, Number, PositiveInt, checked, expect
from credalbench.core.checks import read_attributes, warn_if_not_converged
from credalbench.core.constraints import PairwiseConstraints
from credalbench.core.estimators import Examples
from credalbench.core.names import names_of
from credalbench.core.progress import track_iterations

NEGLIGIBLE = 1e-100  # share of the largest distance


class MMC(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Linear transformation after which must-links are close and cannot-links far apart.

    Parameters
    ----------
    diagonal : bool, default False
        Whether to learn only one weight per attribute.
    regularization : float in [0, 1e10], default 1e-3
        Multiple of the mean eigenvalue that is added to the must-link matrix (D3).
    tol : float, default 1e-5
        Stop when the bound (D2) shows that g is within this share of its optimum.
    max_iter : int, default 1000
        Maximum number of steps.

    Attributes
    ----------
    metric_ : (p, p) array
        A, positive semi-definite. The identity if there are no must-links or no cannot-links, or if all
        constraints of one kind join equal objects.
    components_ : (p, p) array
        L, the symmetric square root of A; ``transform(X) = X L'``.
    objective_ : float
        g(A), the sum of the transformed distances of the cannot-links.
    objective_trace_ : (n_iter,) array
        g at the start, with A = I, and after each step; it never decreases.
    gap_ : float
        Upper bound on the excess of the optimum over `objective_`, as a share of `objective_`.
    n_iter_ : int
        Number of evaluations of g: at the start, and after each of at most `max_iter` steps.
    converged_ : bool
    constraints_ : PairwiseConstraints
    n_features_in_ : int

    Raises
    ------
    ValueError
        If values are NaN or infinite, values or the spread of `X` are out of range, a parameter is out of
        range, constraints are invalid (see `PairwiseConstraints`), or must-links do not span all dimensions
        and `regularization` is too small.

    Warns
    -----
    ConvergenceWarning
        If the fit stopped at `max_iter`.
    UserWarning
        In a cross-validation, constraints on objects that are not in `X` are ignored.

    Notes
    -----
    A step costs O(q p^2 + p^3) for q cannot-links, and O(q p) if `diagonal`. The optimum is often nearly of
    rank one: the transformed objects lie close to a line, and clusters that need two directions may be lost,
    in particular with few constraints.

    References
    ----------
    [xing2002]

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 5.0], [1.0, 0.0], [1.0, 5.0]]
    >>> A = MMC().fit(X, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)]).metric_
    >>> bool(A[0, 0] > 100 * A[1, 1])
    True
    """

    examples = Examples(variants=({"diagonal": True},))

    def __init__(
        self,
        *,
        diagonal: bool = False,
        regularization: Annotated[float, Number(low=0, high=1e10)] = 1e-3,
        tol: NonNegativeFloat = 1e-5,
        max_iter: PositiveInt = 1000,
    ) -> None:
        self.diagonal = diagonal
        self.regularization = regularization
        self.tol = tol
        self.max_iter = max_iter

    @checked
    def fit(
        self,
        X: npt.ArrayLike,
        y: object = None,
        *,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
    ) -> Self:
        """Learn the metric from pairs of objects.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.
        must_link : (m, 2) array, optional
            Pairs of objects, by rows or names, that belong together.
        cannot_link : (q, 2) array, optional
            Pairs of objects, by rows or names, that do not belong together.

        Returns
        -------
        MMC
            The fitted transformer.
        """
        names, X = names_of(X), read_attributes(self, X)
        constraints = PairwiseConstraints.of_fit(len(X), must_link, cannot_link, index=names)
        near, far = (
            X[pairs[:, 0]] - X[pairs[:, 1]] for pairs in (constraints.must_link, constraints.cannot_link)
        )
        if min(np.abs(near).max(initial=0.0), np.abs(far).max(initial=0.0)) > 1 / LARGEST:
            W = must_link_matrix(near, self.regularization, self.diagonal)
            problem = (Diagonal if self.diagonal else Full)(W, far)
            ascent = maximise(problem, self.tol, self.max_iter)
            factor = problem.factor(ascent.R)
        else:
            ascent = Ascent(None, [float(np.linalg.norm(far, axis=1).sum())], 0.0, True)
            factor = np.eye(X.shape[1])
        vectors, values, _ = np.linalg.svd(factor)
        self.components_ = (vectors * values) @ vectors.T
        self.metric_ = (vectors * values**2) @ vectors.T
        self.objective_ = ascent.objective[-1]
        self.objective_trace_ = np.array(ascent.objective)
        self.gap_ = ascent.gap
        self.n_iter_ = len(ascent.objective)
        self.converged_ = ascent.converged
        warn_if_not_converged(self)
        self.constraints_ = constraints
        return self

    def transform(self, X: npt.ArrayLike) -> np.ndarray:
        """Map objects into the space in which the learned metric is the Euclidean distance.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes of new objects.

        Returns
        -------
        (m, p) array
            Transformed attributes.
        """
        check_is_fitted(self)
        X = read_attributes(self, X, reset=False)
        with np.errstate(over="ignore", invalid="ignore"):
            moved = X @ self.components_.T
        expect(np.isfinite(moved).all(), "values of X whose transforms are finite", float(np.abs(X).max()))
        return moved

    @property
    def _n_features_out(self):
        return len(self.components_)


def must_link_matrix(near: np.ndarray, regularization: float, diagonal: bool) -> np.ndarray:
    """Return W of D3: (p, p), or its diagonal (p,), from the differences `near` (m, p) of the must-links."""
    squares = np.sum(near**2, axis=0)
    ridge = regularization * np.mean(squares)
    W = squares + ridge if diagonal else near.T @ near + ridge * np.eye(len(squares))
    values = W if diagonal else np.linalg.eigvalsh(W)
    rank = int(np.sum(values > len(values) * np.finfo(float).eps * values.max()))
    expected = f"must-links that span all {len(values)} dimensions, or a larger regularization"
    expect(rank == len(values), expected, rank)
    return W


class Full:
    """The problem in R with R R' = B = W^(1/2) A W^(1/2) / t, a (p, p) matrix of Frobenius norm 1.

    `W` (p, p) is positive definite; `far` (q, p) are the differences of the cannot-links.
    """

    def __init__(self, W: np.ndarray, far: np.ndarray) -> None:
        values, vectors = np.linalg.eigh(W)
        t = values.sum()
        self.whitening = (vectors * np.sqrt(t / values)) @ vectors.T
        self.far = far @ self.whitening
        self.start = (vectors * np.sqrt(values / t)) @ vectors.T  # A = I

    def distances(self, R: np.ndarray) -> np.ndarray:
        """Return distances (q,) of the cannot-links, whose sum is g."""
        return np.linalg.norm(self.far @ R, axis=1)

    def gradient(self, halves: np.ndarray) -> np.ndarray:
        """Return the gradient (p, p) of g in B; `halves` are one over twice the distances."""
        return (self.far * halves[:, None]).T @ self.far

    def highest(self, G: np.ndarray) -> float:
        """Return the largest value of <G, B> over the feasible B."""
        return float(np.linalg.eigvalsh(G)[-1])

    def product(self, G: np.ndarray, R: np.ndarray) -> np.ndarray:
        """Return G R."""
        return G @ R

    def factor(self, R: np.ndarray) -> np.ndarray:
        """Return a factor F (p, p) of A = F F'."""
        return self.whitening @ R


class Diagonal:
    """The same problem for diagonal matrices, given by their diagonals (p,)."""

    def __init__(self, W: np.ndarray, far: np.ndarray) -> None:
        self.whitening = np.sqrt(W.sum() / W)
        self.squares = (far * self.whitening) ** 2
        self.start = np.sqrt(W / W.sum())

    def distances(self, R: np.ndarray) -> np.ndarray:
        return np.sqrt(self.squares @ R**2)

    def gradient(self, halves: np.ndarray) -> np.ndarray:
        return halves @ self.squares

    def highest(self, G: np.ndarray) -> float:
        return float(G.max())

    def product(self, G: np.ndarray, R: np.ndarray) -> np.ndarray:
        return G * R

    def factor(self, R: np.ndarray) -> np.ndarray:
        return np.diag(self.whitening * R)


class Ascent(NamedTuple):
    """Result of the ascent, g after each step, and the bound on the missing part as a share of g."""

    R: np.ndarray | None
    objective: list
    gap: float
    converged: bool


def maximise(problem: Full | Diagonal, tol: float, max_iter: int) -> Ascent:
    """Raise g by D1 until it is within `tol` of the optimum by D2 -> Ascent."""
    R, trace = problem.start, []
    for _ in track_iterations(max_iter + 1, "iteration"):
        distances = problem.distances(R)
        trace.append(float(distances.sum()))
        # the linear part of a distance of 0 is 0; smaller distances count as 0
        counted = distances > NEGLIGIBLE * distances.max()
        halves = np.divide(0.5, distances, out=np.zeros_like(distances), where=counted)
        G = problem.gradient(halves)
        GR = problem.product(G, R)
        gap = float(problem.highest(G) - np.sum(GR * R)) / trace[-1]
        if gap <= tol or len(trace) > max_iter:
            break
        R = GR / np.linalg.norm(GR)
    return Ascent(R, trace, gap, gap <= tol)
