r"""Types of covariances of the components of a mixture: one for all, or one for each component.

A component is a focal set A with mean :math:`\bar\mu_A`, the average over its clusters, and covariance
:math:`\Sigma_A`. In the maximisation step the means are optimal for the masses, and the covariances for the
masses and the new means. If all components share one covariance, it cancels from the equation of the means,
and the step reaches the maximum at once. Otherwise the means are optimal for the covariances before the step:
this is conditional maximisation [meng1993], which does not decrease the likelihood either.

If each component has its own covariance, the likelihood is unbounded: it grows without limit when a component
shrinks to a few objects on a line. This often happens to an imprecise component, because its mean depends on
other components and may lie far from all others. A component that has too few objects to determine its
covariance therefore keeps its previous covariance.

All arrays are in the coordinates of a frame (``frame.py``). The type is closed under the map by its axes.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from scipy.linalg import solve_triangular

from credalbench.belief import FocalSets
from credalbench.cluster.prototypes.prototype_step import (
    prototypes_from_moments,
    prototypes_from_set_norms,
    set_scatters,
)
from credalbench.core.threads import room


class Mixture(NamedTuple):
    """The parameters: mixing probabilities, means of the clusters, covariances of the components."""

    weights: np.ndarray  # (f,)
    centers: np.ndarray  # (c, p)
    covariances: np.ndarray  # in the shape of the covariance type, without the ridge
    noise: float = 0.0  # mixing probability of the noise; with it, all sum to 1


class Components(NamedTuple):
    """The parts of a mixture that the densities of the components need."""

    means: np.ndarray  # (f, p)
    roots: np.ndarray  # R with R'R the inverse of the covariance, in the shape of the covariance type
    offsets: np.ndarray  # (f,): logarithm of mixing probability times density at the mean
    noise: float  # logarithm of mixing probability times density of the noise; without it, -inf


class Moments(NamedTuple):
    """Sums over objects: log-likelihood, masses, and masses times first and second powers about the means."""

    log_likelihood: float
    noise: float
    weights: np.ndarray  # (f,)
    sums: np.ndarray  # (f, p)
    scatters: np.ndarray  # in the shape of the covariance type; about the origin if it is common

    def __add__(self, other: Self) -> Self:
        return Moments(*(one + another for one, another in zip(self, other, strict=True)))


INDEPENDENT = 1e-10  # least eigenvalue of the correlations of attributes that do not depend on each other
INVOLVED = 1e-3  # least coefficient of an attribute in a dependence that is worth naming


class CovarianceType:
    """Covariance matrices (f, p, p), one for each component; base of the other types."""

    def expect_regular(self, covariance: np.ndarray, least: np.ndarray, names: Sequence[object]) -> None:
        """Raise an error that names constant or collinear attributes: (p, p), least spreads (p,), names."""
        spread = np.sqrt(covariance.diagonal())
        expect_spread(spread, least, names)
        values, vectors = np.linalg.eigh(covariance / np.outer(spread, spread))
        involved = np.linalg.norm(vectors[:, values < INDEPENDENT], axis=1) > INVOLVED
        if involved.any():
            raise ValueError(
                "expected attributes that do not depend on each other linearly, or reg_covar > 0, or "
                f'covariance_type="diag", got collinear columns {named(involved, names)}'
            )

    def axes(self, covariance: np.ndarray) -> np.ndarray:
        """Return the axes of the frame in which this `covariance` (p, p) is a unit one: (p, p), lower."""
        spread = np.sqrt(covariance.diagonal())
        return spread[:, None] * np.linalg.cholesky(covariance / np.outer(spread, spread))

    def ridge(self, reg_covar: float, axes: np.ndarray) -> np.ndarray:
        """Return a multiple of the identity outside, in the frame; to be added to covariances."""
        inverse = solve_triangular(axes, np.eye(len(axes)), lower=True)
        return reg_covar * inverse @ inverse.T

    def inverse_transform(self, covariances: np.ndarray, axes: np.ndarray) -> np.ndarray:
        """Return the covariances outside the frame, in the shapes of scikit-learn's mixtures."""
        return axes @ covariances @ axes.T

    def n_parameters(self, f: int, p: int) -> int:
        """Return the number of free parameters in the covariances of `f` components with `p` attributes."""
        return f * (p * (p + 1) // 2)

    def rank(self, p: int) -> int:
        """Return how many objects, in addition to one for each cluster, make a covariance regular."""
        return p

    def fewest(self, p: int) -> int:
        """Return how many objects a component needs to have its covariance estimated."""
        return p + 1

    def width(self, f: int, p: int) -> int:
        """Return how many numbers the largest array of a pass has for each object."""
        return f * p

    def like(self, covariance: np.ndarray, f: int) -> np.ndarray:
        """Return parameters with which every component has this `covariance` (p, p), or nearly."""
        return np.tile(covariance, (f, 1, 1))

    def least_variance(self, covariances: np.ndarray) -> float:
        """Return the smallest variance in any direction of any component."""
        return float(np.linalg.eigvalsh(covariances).min())

    def roots(self, covariances: np.ndarray) -> np.ndarray:
        """Return R with R'R the inverse of each covariance, in their shape."""
        return np.linalg.inv(np.linalg.cholesky(covariances))

    def log_determinants(self, roots: np.ndarray, p: int) -> np.ndarray:
        """Return the logarithm of the determinant of each root: (f,), or one number for all components."""
        return np.log(np.diagonal(roots, axis1=-2, axis2=-1)).sum(axis=-1)

    def joint_log_densities(self, X: np.ndarray, components: Components) -> np.ndarray:
        r"""Return the logarithms of :math:`\pi_A N(x; \bar\mu_A, \Sigma_A)`: (b, p) -> (f, b).

        The Gaussian density [jiao2022_egmm (5)] of each component [jiao2022_egmm (13)], times its mixing
        probability. The result is overwritten by that of the next call in the same thread.
        """
        differences = room("differences", (*components.means.shape, len(X)))
        np.subtract(X.T, components.means[:, :, None], out=differences)
        differences = self.scaled(differences, components.roots)
        logs = room("logs", (len(components.means), len(X)))
        np.einsum("apb,apb->ab", differences, differences, out=logs)
        logs *= -0.5
        logs += components.offsets[:, None]
        return logs

    def scaled(self, differences: np.ndarray, roots: np.ndarray) -> np.ndarray:
        """Divide differences from the means of components by their deviations: (f, p, b) -> (f, p, b)."""
        return np.matmul(roots, differences, out=room("scaled", differences.shape))

    def scatters(self, X: np.ndarray, masses: np.ndarray, means: np.ndarray) -> np.ndarray:
        """Return the sums of m (x - mean)(x - mean)': (b, p), (f, b), (f, p) -> in the shape of the type."""
        return set_scatters(X, masses, means)

    def move(self, now: Moments, covariances: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
        """Return the move from the present means of the clusters to the optimal ones: (c, p).

        The system of [jiao2022_egmm (26)] with the inverse covariances between: as in ECM with norms.
        """
        return prototypes_from_set_norms(now.weights, now.sums, np.linalg.inv(covariances), focal_sets, 0.0)

    def updated(self, now: Moments, shift: np.ndarray, means: np.ndarray, before: np.ndarray) -> np.ndarray:
        """Return covariances that are optimal for means moved by `shift`; `now` is about `means` before it.

        Components with few objects keep the covariances `before`.
        """
        weights = now.weights[:, None, None]
        cross = np.einsum("ap,aq->apq", now.sums, shift)
        scatters = (
            now.scatters - cross - cross.swapaxes(1, 2) + weights * np.einsum("ap,aq->apq", shift, shift)
        )
        return self._estimated(scatters, weights, before, means.shape[1])

    def _estimated(self, scatters: np.ndarray, weights: np.ndarray, before: np.ndarray, p: int):
        """Divide scatter by weight for components with enough objects; others keep `before`."""
        enough = weights >= self.fewest(p)
        return np.where(enough, scatters / np.where(enough, weights, 1.0), before)

    def deviations(self, noise: np.ndarray, roots: np.ndarray, j: int) -> np.ndarray:
        """Return deviates (m, p) of component `j` from standard normal ones (m, p)."""
        return solve_triangular(roots[j], noise.T, lower=True).T


class Tied(CovarianceType):
    """One covariance matrix (p, p) for all components: the type of the paper."""

    def n_parameters(self, f: int, p: int) -> int:
        return p * (p + 1) // 2

    def width(self, f: int, p: int) -> int:
        return f

    def deviations(self, noise: np.ndarray, roots: np.ndarray, j: int) -> np.ndarray:
        return super().deviations(noise, roots[None], 0)

    def like(self, covariance: np.ndarray, f: int) -> np.ndarray:
        return covariance

    def joint_log_densities(self, X: np.ndarray, components: Components) -> np.ndarray:
        """Compute as in the base; the objects are brought to unit covariance once, for all components."""
        Z = np.matmul(X, components.roots.T, out=room("scaled", X.shape))
        means = components.means @ components.roots.T
        logs = np.matmul(means, Z.T, out=room("logs", (len(means), len(X))))
        logs += (components.offsets - 0.5 * np.einsum("ap,ap->a", means, means))[:, None]
        logs -= 0.5 * np.einsum("bp,bp->b", Z, Z)
        return logs

    def scatters(self, X: np.ndarray, masses: np.ndarray, means: np.ndarray) -> np.ndarray:
        """Return the sum of m x x' over objects and components, about the origin: (p, p)."""
        return X.T @ (masses.sum(axis=0)[:, None] * X)

    def move(self, now: Moments, covariances: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
        r"""Return the move from the present means of the clusters to those of [jiao2022_egmm (26)]: (c, p).

        The matrix of the system sums :math:`m_{iA} / |A|^2` over the objects and the sets that contain both
        clusters, [jiao2022_egmm (27)], its right-hand side :math:`m_{iA} x_i / |A|` over the sets that
        contain the cluster, [jiao2022_egmm (28)]. It is the prototype step of ECM with exponents 0 and 1.
        """
        return prototypes_from_moments(now.weights, now.sums, focal_sets, 0.0)

    def updated(self, now: Moments, shift: np.ndarray, means: np.ndarray, before: np.ndarray) -> np.ndarray:
        """Return the common covariance, [jiao2022_egmm (29)], about the new means; arguments as in the base.

        From the moments about the origin: its relative error is that of rounding over `least_variance`.
        """
        after = means + shift
        sums = now.sums + now.weights[:, None] * means
        cross = after.T @ sums
        scatter = now.scatters - cross - cross.T + (after.T * now.weights) @ after
        return (scatter + scatter.T) / (2 * now.weights.sum())


class Diagonal(CovarianceType):
    """Variances (f, p) of the attributes for each component, without correlations."""

    def expect_regular(self, covariance: np.ndarray, least: np.ndarray, names: Sequence[object]) -> None:
        expect_spread(np.sqrt(covariance.diagonal()), least, names)

    def axes(self, covariance: np.ndarray) -> np.ndarray:
        return np.diag(np.sqrt(covariance.diagonal()))

    def ridge(self, reg_covar: float, axes: np.ndarray) -> np.ndarray:
        return reg_covar / axes.diagonal() ** 2

    def inverse_transform(self, covariances: np.ndarray, axes: np.ndarray) -> np.ndarray:
        return covariances * axes.diagonal() ** 2

    def n_parameters(self, f: int, p: int) -> int:
        return f * p

    def rank(self, p: int) -> int:
        return 1

    def like(self, covariance: np.ndarray, f: int) -> np.ndarray:
        return np.tile(covariance.diagonal(), (f, 1))

    def least_variance(self, covariances: np.ndarray) -> float:
        return float(covariances.min())

    def roots(self, covariances: np.ndarray) -> np.ndarray:
        return 1 / np.sqrt(covariances)

    def log_determinants(self, roots: np.ndarray, p: int) -> np.ndarray:
        return p * np.log(roots).mean(axis=1)

    def scaled(self, differences: np.ndarray, roots: np.ndarray) -> np.ndarray:
        differences *= roots[:, :, None]
        return differences

    def scatters(self, X: np.ndarray, masses: np.ndarray, means: np.ndarray) -> np.ndarray:
        differences = X.T - means[:, :, None]
        differences *= differences
        return (differences @ masses[:, :, None])[:, :, 0]

    def move(self, now: Moments, covariances: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
        """Compute as in the base; without correlations there is a system for each attribute."""
        weights, sums = now.weights[:, None] / covariances, now.sums / covariances
        systems = [
            prototypes_from_moments(weights[:, q], sums[:, q : q + 1], focal_sets, 0.0)
            for q in range(sums.shape[1])
        ]
        return np.hstack(systems)

    def updated(self, now: Moments, shift: np.ndarray, means: np.ndarray, before: np.ndarray) -> np.ndarray:
        weights = now.weights[:, None]
        scatters = now.scatters + self._pooled(shift * (weights * shift - 2 * now.sums))
        return self._estimated(scatters, weights, before, means.shape[1])

    def _pooled(self, squares: np.ndarray):
        """Average sums of squares (f, p) over the attributes if the type has one variance for all."""
        return squares

    def deviations(self, noise: np.ndarray, roots: np.ndarray, j: int) -> np.ndarray:
        return noise / roots[j]


class Spherical(Diagonal):
    """One variance for each component, the same in all directions: (f, 1) inside, (f,) outside."""

    def expect_regular(self, covariance: np.ndarray, least: np.ndarray, names: Sequence[object]) -> None:
        spread = np.sqrt(covariance.diagonal())
        if not (spread > least).any():
            expect_spread(spread, least, names)

    def axes(self, covariance: np.ndarray) -> np.ndarray:
        return np.sqrt(covariance.diagonal().mean()) * np.eye(len(covariance))

    def ridge(self, reg_covar: float, axes: np.ndarray) -> np.ndarray:
        return reg_covar / axes[:1, 0] ** 2

    def inverse_transform(self, covariances: np.ndarray, axes: np.ndarray) -> np.ndarray:
        return covariances[:, 0] * axes[0, 0] ** 2

    def n_parameters(self, f: int, p: int) -> int:
        return f

    def fewest(self, p: int) -> int:
        return 2

    def like(self, covariance: np.ndarray, f: int) -> np.ndarray:
        return np.full((f, 1), covariance.diagonal().mean())

    def scatters(self, X: np.ndarray, masses: np.ndarray, means: np.ndarray) -> np.ndarray:
        return self._pooled(super().scatters(X, masses, means))

    def move(self, now: Moments, covariances: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
        weights = now.weights / covariances[:, 0]  # one system for all attributes
        return prototypes_from_moments(weights, now.sums / covariances, focal_sets, 0.0)

    def _pooled(self, squares: np.ndarray):
        return squares.mean(axis=1, keepdims=True)


COVARIANCE_TYPES = {"tied": Tied(), "spherical": Spherical(), "diag": Diagonal(), "full": CovarianceType()}


def expect_spread(spread: np.ndarray, least: np.ndarray, names: Sequence[object]) -> None:
    """Raise an error that names attributes whose `spread` (p,) does not exceed the `least` (p,)."""
    constant = spread <= least
    if constant.any():
        columns = named(constant, names)
        raise ValueError(f"expected attributes that vary, or reg_covar > 0, got constant columns {columns}")


def named(chosen: np.ndarray, names: Sequence[object]) -> list:
    """Return the `names` of the columns `chosen` (p,) bool."""
    return [name for name, one in zip(names, chosen, strict=True) if one]
