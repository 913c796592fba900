r"""Expectation-maximisation for an evidential mixture, in the coordinates of a frame.

A pass over the objects, slice by slice, forms the masses of some thousand of them at a time, in the cache,
and adds up their log-likelihood and the moments of the components: this is all that the maximisation needs.
Besides the data, no array with n rows is stored.
"""

from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.mixture.covariance_types import Components, CovarianceType, Mixture, Moments
from credalbench.cluster.prototypes.prototype_step import barycentres, set_scatters
from credalbench.core.progress import track_iterations
from credalbench.core.threads import map_rows, one_blas_thread, sum_rows

SLICE_ELEMENTS = 2**16  # of the largest array of a slice: half a mebibyte, the quickest of those measured
LEAST_VARIANCE = 1e-10  # of a component in any direction, as a share of that of the data: less is singular
LEAST_OBJECTS = 1e-3  # that determine a mean of a cluster, or a difference of means, in any direction
SINGULAR = "a covariance became singular: a component shrank to objects in one place or on one line"
OPEN = "weights vanished, and what is left does not determine the mean of every cluster"


class Model(NamedTuple):
    """The parts of a fit that do not change between iterations."""

    focal_sets: FocalSets  # with the empty set if there is noise
    covariance_type: CovarianceType
    ridge: np.ndarray  # added to covariances in the densities
    sample_weight: np.ndarray | None = None  # (n,), of the objects of the fit
    log_noise: float = 0.0  # logarithm of the density of the noise


class Stopping(NamedTuple):
    """Rule that ends iterations: the last gain of log-likelihood is at most `tol`, or `tol` of all gains."""

    relative: bool
    tol: float
    max_iter: int

    def reached(self, trace: list[float]) -> bool:
        """Return whether the last step of a `trace` of log-likelihoods gained as little as that."""
        whole = trace[-1] - trace[0] if self.relative else 1.0
        return trace[-1] - trace[-2] <= self.tol * whole


class Run(NamedTuple):
    """Result of EM: parameters, log-likelihood after each iteration, and the flaw of the result, if any."""

    mixture: Mixture
    trace: list[float]
    converged: bool
    flaw: str


def ascend(X: np.ndarray, start: Mixture, model: Model, stopping: Stopping) -> Run:
    """Run expectation and maximisation in turn, from `start`, until the likelihood increases little.

    A step that would decrease the likelihood is not taken. Such steps are due to rounding or to the ridge,
    with which the updated covariances do not have the highest likelihood. The run ends with a flaw as soon as
    a covariance is singular: the likelihood would grow without end.
    """
    mixture, trace, converged = start, [], False
    with one_blas_thread():
        if is_singular(start, model):
            return Run(start, trace, converged, SINGULAR)
        now = moments(X, mixture, model)
        trace.append(now.log_likelihood)
        for _ in track_iterations(stopping.max_iter, "iteration"):
            following = maximised(now, mixture, model)
            if is_singular(following, model):
                return Run(mixture, trace, converged, SINGULAR)
            then = moments(X, following, model)
            converged = then.log_likelihood < now.log_likelihood
            if converged:
                break
            mixture, now = following, then
            trace.append(now.log_likelihood)
            converged = stopping.reached(trace)
            if converged:
                break
    return Run(mixture, trace, converged, "" if means_are_determined(now.weights, model.focal_sets) else OPEN)


# ---------------------------------------------------------------- expectation


def components(mixture: Mixture, model: Model) -> Components:
    """Return means [jiao2022_egmm (14)], roots and offsets of the components of a mixture with the ridge."""
    roots = model.covariance_type.roots(mixture.covariances + model.ridge)
    p = mixture.centers.shape[1]
    with np.errstate(divide="ignore"):  # a weight may underflow
        offsets, noise = np.log(mixture.weights), float(np.log(mixture.noise))
    offsets += model.covariance_type.log_determinants(roots, p) - 0.5 * p * np.log(2 * np.pi)
    return Components(barycentres(mixture.centers, model.focal_sets), roots, offsets, noise + model.log_noise)


def posterior(
    X: np.ndarray, parts: Components, covariance_type: CovarianceType
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the masses [jiao2022_egmm (23)] of some objects, those of noise, and logarithms of the density.

    The density is that of the mixture, [jiao2022_egmm (17)]. It is computed in logarithms, from the largest
    term on, so that no density over- or underflows. The masses are overwritten by those of the next objects
    in the same thread.

    (b, p) -> (f, b), (b,), (b,).
    """
    logs = covariance_type.joint_log_densities(X, parts)
    largest = np.maximum(logs.max(axis=0), parts.noise)
    logs -= largest
    masses, noise = np.exp(logs, out=logs), np.exp(parts.noise - largest)
    totals = masses.sum(axis=0) + noise
    masses *= 1 / totals
    return masses, noise / totals, largest + np.log(totals)


def moments(X: np.ndarray, mixture: Mixture, model: Model) -> Moments:
    """Return log-likelihood [jiao2022_egmm (18)] and moments of all objects at the masses of a mixture."""
    covariance_type, parts = model.covariance_type, components(mixture, model)

    def of_rows(rows: slice) -> Moments:
        masses, noise, log_densities = posterior(X[rows], parts, covariance_type)
        if model.sample_weight is not None:
            for of_objects in (masses, noise, log_densities):
                of_objects *= model.sample_weight[rows]
        weights = masses.sum(axis=1)
        sums = masses @ X[rows] - weights[:, None] * parts.means
        scatters = covariance_type.scatters(X[rows], masses, parts.means)
        return Moments(float(log_densities.sum()), float(noise.sum()), weights, sums, scatters)

    return reduce(add, map_rows(of_rows, len(X), slice_size(model, X.shape[1])))


def memberships(X: np.ndarray, mixture: Mixture, model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Return the masses and logarithms of the density of all objects: (n, p) -> (n, f), (n,)."""
    masses, log_densities = np.empty((len(X), len(model.focal_sets))), np.empty(len(X))
    first = int(model.focal_sets.has_empty)

    def fill(rows: slice) -> None:
        of_rows, noise, log_densities[rows] = posterior(X[rows], parts, model.covariance_type)
        masses[rows, :first] = noise[:, None]
        masses[rows, first:] = of_rows.T

    with one_blas_thread():
        parts = components(mixture, model)
        for _ in map_rows(fill, len(X), slice_size(model, X.shape[1])):
            pass
    return masses, log_densities


def slice_size(model: Model, p: int) -> int:
    """Return the number of objects in a slice of a pass."""
    return max(32, SLICE_ELEMENTS // model.covariance_type.width(len(model.focal_sets), p))


# ---------------------------------------------------------------- maximisation


def maximised(now: Moments, mixture: Mixture, model: Model) -> Mixture:
    """Return the parameters after a maximisation step, [jiao2022_egmm (25)] to [jiao2022_egmm (29)].

    `now` are the moments at the masses of `mixture`.
    """
    covariance_type, focal_sets = model.covariance_type, model.focal_sets
    move = covariance_type.move(now, mixture.covariances + model.ridge, focal_sets)
    means, shift = (barycentres(V, focal_sets) for V in (mixture.centers, move))
    covariances = covariance_type.updated(now, shift, means, mixture.covariances)
    total = now.weights.sum() + now.noise
    return Mixture(now.weights / total, mixture.centers + move, covariances, now.noise / total)


# ---------------------------------------------------------------- degenerate solutions


def is_singular(mixture: Mixture, model: Model) -> bool:
    """Return whether a component has next to no variance in some direction, compared with the data."""
    return not model.covariance_type.least_variance(mixture.covariances + model.ridge) >= LEAST_VARIANCE


def means_are_determined(weights: np.ndarray, focal_sets: FocalSets) -> bool:
    """Return whether components that hold so many objects, (f',), determine the means of all clusters.

    They do if the matrix of their system, [jiao2022_egmm (27)], is far enough from singular.
    """
    shares = barycentres(np.eye(focal_sets.n_clusters), focal_sets)
    return bool(np.linalg.eigvalsh((shares.T * weights) @ shares)[0] >= LEAST_OBJECTS)


# ---------------------------------------------------------------- start


def start_covariance(
    X: np.ndarray, labels: np.ndarray, n_clusters: int, sample_weight: np.ndarray | None = None
) -> np.ndarray:
    """Average the covariances of clusters of at least two objects: (n, p), (n,) in 0..c-1 -> (p, p).

    With weights, clusters whose weights sum to more than 1; the sum less 1 is the divisor.
    """
    clusters = range(n_clusters)
    counts = np.bincount(labels, sample_weight, n_clusters)

    def sums(X: np.ndarray, labels: np.ndarray, sample_weight: np.ndarray | None) -> np.ndarray:
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        return np.array([weights[labels == k] @ X[labels == k] for k in clusters])

    means = sum_rows(sums, X, labels, sample_weight) / np.where(counts > 0, counts, 1.0)[:, None]

    def scatters(X: np.ndarray, labels: np.ndarray, sample_weight: np.ndarray | None) -> np.ndarray:
        weights, differences = np.ones(len(X)) if sample_weight is None else sample_weight, X - means[labels]
        own = [(differences[labels == k], weights[labels == k]) for k in clusters]
        return np.array([d.T @ (w[:, None] * d) for d, w in own])

    found, many = sum_rows(scatters, X, labels, sample_weight), counts > 1
    covariances = found[many] / (counts[many] - 1)[:, None, None]
    return covariances.mean(axis=0) if many.any() else np.zeros((X.shape[1],) * 2)


def starting_mixture(centers: np.ndarray, covariance: np.ndarray, model: Model) -> Mixture:
    """Return a mixture of equal probabilities, means (c, p) and one `covariance` (p, p) for all."""
    share, noise = 1 / len(model.focal_sets), int(model.focal_sets.has_empty)
    f = len(model.focal_sets) - noise
    return Mixture(np.full(f, share), centers, model.covariance_type.like(covariance, f), noise * share)


# ---------------------------------------------------------------- misplaced sets


#: Probability of a single cluster above which an object is near this cluster alone.
SURE = 0.95
#: Shares of the objects of a cluster that lie nearer to its mean than what is near, and farther than far.
NEAR, FAR = 0.87, 0.01
#: Shares of the objects with most mass on several clusters, and of all objects, above which it is reported.
SHARE, LEAST = 0.4, 0.05


def misplaced_sets(
    X: np.ndarray,
    partition: CredalPartition,
    centers: np.ndarray,
    means: np.ndarray,
    sample_weight: np.ndarray | None = None,
) -> str:
    """Return a warning if many objects with most mass on several clusters are not between them; otherwise "".

    Objects (n, p), means of the clusters (c, p) and of the components (f, p). Distances are Mahalanobis
    distances with the average covariance of the components. O(n (f + c) p^2).
    """
    imprecise = partition.focal_sets.cardinality[partition.hard_credal()] > 1
    inner = partition.focal_sets.cardinality > 0
    M, cardinality = partition.masses[:, inner], partition.focal_sets.cardinality[inner]
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    total, between = float(weights.sum()), float(weights[imprecise].sum())
    if between < LEAST * total:
        return ""
    with one_blas_thread():
        scatters = set_scatters(X, (M if sample_weight is None else weights[:, None] * M).T, means)
    inverse = np.linalg.pinv(scatters.sum(axis=0) / total, hermitian=True)
    differences = (X[imprecise] - center for center in centers)
    nearest = np.min([((d @ inverse) * d).sum(axis=1) for d in differences], axis=0)
    single = M[imprecise][:, cardinality == 1]
    sure = single.max(axis=1) >= SURE * single.sum(axis=1)
    p = X.shape[1]
    near_one = sure & (nearest < chdtri(p, 1 - NEAR))
    misplaced = float(weights[imprecise][near_one | (nearest > chdtri(p, FAR))].sum())
    if misplaced < max(SHARE * between, LEAST * total):
        return ""
    return (
        f"{misplaced:.0f} of {between:.0f} objects with most mass on several clusters do not lie between "
        "clusters: they are near one cluster alone, or far from all. A class may lie where the component of "
        "a set has its mean; mass on that set does not indicate ambiguity. Try another number of clusters, "
        "focal_sets='simple', or another start"
    )
