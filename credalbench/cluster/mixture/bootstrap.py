r"""Gaussian mixtures by scikit-learn: chosen by BIC, refitted to resampled objects; intervals for pairs.

A *collapsed* mixture has a component that is flatter than the objects are: it sits on few objects, or on
equal values, and only the ridge keeps its likelihood finite. It contains no information about clusters, so
its likelihood must not decide.

Intervals are those of the probability that two objects belong to the same component. A refit with posterior
probabilities :math:`p_{ik}` gives the pair :math:`P_{ij} = \sum_k p_{ik} p_{jk}`, which does not depend on
the names of the components. Over all refits, these are a sample; the interval extends from its lower to its
upper quantile. Pairs are taken tile by tile, so that memory does not grow with B n^2: B numbers for each pair
of a tile, and two for each pair in the end.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.exceptions import ConvergenceWarning

from credalbench.core.progress import track
from credalbench.core.threads import one_thread

if TYPE_CHECKING:
    from sklearn.mixture import GaussianMixture

COVARIANCES = ("spherical", "diag", "tied", "full")  # types; of equal criteria, the first wins
EM_TOL = 1e-5  # of the mean log-likelihood; the refits start at a maximum, and with less would stay there
EM_ITERATIONS = 1000
ON_THE_RIDGE = 2.0  # ridges: a variance below them is the ridge itself


def fitted_mixture(
    X: np.ndarray, n_components: int, covariance_type: str, ridge: float, **options: object
) -> GaussianMixture:
    """Fit a mixture to `X` (n, p) by expectation and maximisation; `ridge` is added to its variances.

    Raises a ValueError if a covariance cannot be inverted.
    """
    from sklearn.mixture import GaussianMixture  # slow to import

    model = GaussianMixture(
        n_components,
        covariance_type=covariance_type,
        reg_covar=ridge,
        tol=EM_TOL,
        max_iter=EM_ITERATIONS,
        **options,
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # of EM, and of the k-means it starts from
            return model.fit(X)
    except (ValueError, np.linalg.LinAlgError) as error:
        raise ValueError(
            f"expected covariances that can be inverted (try fewer n_clusters or a larger ridge); "
            f"got from {n_components} components of the type {covariance_type!r}: {error}"
        ) from error


def component_covariances(model: GaussianMixture) -> np.ndarray:
    """Return the covariances of all components, whatever their type: (c, p, p)."""
    (c, p), covariances = model.means_.shape, model.covariances_
    if model.covariance_type == "full":
        return covariances
    if model.covariance_type == "tied":
        return np.broadcast_to(covariances, (c, p, p))
    return np.reshape(covariances, (c, -1, 1)) * np.eye(p)  # (c, p) and (c,)


def has_collapsed(model: GaussianMixture, X: np.ndarray, ridge: float) -> bool:
    """Return whether some component has more variances on the ridge than the objects `X` (n, p) together."""

    def flat(covariances: np.ndarray) -> np.ndarray:
        return (np.linalg.eigvalsh(covariances) < ON_THE_RIDGE * ridge).sum(axis=-1)

    p = X.shape[1]
    together = np.reshape(np.cov(X.T, bias=True), (p, p)) + ridge * np.eye(p)
    return bool((flat(component_covariances(model)) > flat(together)).any())


class Chosen(NamedTuple):
    """A mixture, its BIC, and whether it has collapsed."""

    mixture: GaussianMixture
    bic: float
    has_collapsed: bool


def mixture_by_bic(
    X: np.ndarray,
    numbers: Iterable[int],
    covariance_types: Sequence[str],
    ridge: float,
    n_init: int,
    rng: np.random.RandomState,
) -> Chosen:
    r"""Return the mixture of highest BIC among numbers of components and covariance types.

    BIC is :math:`\log L - (\upsilon / 2) \log n` for :math:`\upsilon` parameters: scikit-learn's is -2 times
    this. A collapsed mixture is chosen only if all mixtures have collapsed.
    """
    candidates = []
    for c in numbers:
        for covariance_type in covariance_types:
            model = fitted_mixture(X, c, covariance_type, ridge, n_init=n_init, random_state=rng)
            candidates.append(Chosen(model, -0.5 * float(model.bic(X)), has_collapsed(model, X, ridge)))
    return max(candidates, key=lambda chosen: (not chosen.has_collapsed, chosen.bic))


def bootstrapped(
    model: GaussianMixture, X: np.ndarray, seeds: np.ndarray, n_jobs: int | None
) -> tuple[list[GaussianMixture], np.ndarray]:
    """Refit a mixture to resampled objects, once for each of B seeds; return refits and posteriors (n, c, B).

    Nonparametric: each sample is n of the n objects, with replacement. Each refit starts at `model`.
    """
    n_shares = min(effective_n_jobs(n_jobs), len(seeds))
    shares = np.array_split(seeds, n_shares)
    done = Parallel(n_jobs=n_shares)(delayed(_refits)(model, X, share) for share in shares)
    refits = [refit for some, _ in done for refit in some]
    return refits, np.concatenate([posteriors for _, posteriors in done], axis=2)


def _refits(
    model: GaussianMixture, X: np.ndarray, seeds: np.ndarray
) -> tuple[list[GaussianMixture], np.ndarray]:
    start = {"weights_init": model.weights_, "means_init": model.means_, "precisions_init": model.precisions_}
    n, c = len(X), model.n_components
    refits, posteriors = [], np.empty((n, c, len(seeds)), np.float32)
    with one_thread():
        for b, seed in enumerate(track(seeds, "sample")):
            sample = X[np.random.RandomState(seed).randint(n, size=n)]
            refit = fitted_mixture(sample, c, model.covariance_type, model.reg_covar, **start)
            posteriors[:, :, b] = refit.predict_proba(X)
            refits.append(refit)
    return refits, posteriors


# ---------------------------------------------------------------------- intervals for pairs of objects


TILE = 1 << 17  # pair probabilities at a time: 512 KiB, which fits in a cache


def pair_quantiles(first: np.ndarray, second: np.ndarray, levels: tuple[float, float]) -> np.ndarray:
    """Return quantiles of the pair probabilities of two groups of objects: (a, c, B), (b, c, B) -> (2, a, b).

    The groups are float32 posteriors under B refits. Quantiles are interpolated linearly between ranks.
    """
    P = first[:, None, 0] * second[None, :, 0]  # (a, b, B)
    for k in range(1, first.shape[1]):
        P += first[:, None, k] * second[None, :, k]
    last = P.shape[2] - 1
    P.sort(axis=2)  # vectorised by numpy: quicker than a partition about four ranks
    found = []
    for level in levels:
        low = int(level * last)
        lower, upper = P[..., low], P[..., min(low + 1, last)]
        found.append(lower + np.float32(level * last - low) * (upper - lower))
    return np.minimum(found, np.float32(1.0))  # rounding of the sums


def interval_targets(
    posteriors: np.ndarray, levels: tuple[float, float], n_jobs: int | None = None
) -> np.ndarray:
    """Return the target masses of each pair: {s} lower end, {not s} one minus upper end.

    (n, c, B) posteriors -> (n, 2, n) float32, symmetric, zero where an object meets itself. O(n^2 B c).
    """
    n = len(posteriors)
    targets = np.empty((n, 2, n), np.float32)
    side = tile_side(posteriors)

    def fill(begin: int) -> None:
        rows = slice(begin, begin + side)
        for other in range(begin, n, side):
            columns = slice(other, other + side)
            tile = as_targets(pair_quantiles(posteriors[rows], posteriors[columns], levels))
            targets[rows, :, columns] = tile
            targets[columns, :, rows] = tile.transpose(2, 1, 0)

    Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(fill)(begin) for begin in range(0, n, side))
    targets[np.arange(n), :, np.arange(n)] = 0.0
    return targets


def targets_of_others(others: np.ndarray, posteriors: np.ndarray, levels: tuple[float, float]) -> np.ndarray:
    """Return the same for m other objects and these n: (m, c, B), (n, c, B) -> (m, 2, n) float32."""
    targets = np.empty((len(others), 2, len(posteriors)), np.float32)
    side = tile_side(posteriors)
    for begin in range(0, len(others), side):
        for other in range(0, len(posteriors), side):
            rows, columns = slice(begin, begin + side), slice(other, other + side)
            targets[rows, :, columns] = as_targets(pair_quantiles(others[rows], posteriors[columns], levels))
    return targets


def as_targets(quantiles: np.ndarray) -> np.ndarray:
    """Return lower ends, and one minus upper ends: (2, a, b) -> (a, 2, b)."""
    lower, upper = quantiles
    return np.stack([lower, 1.0 - upper], axis=1)


def tile_side(posteriors: np.ndarray) -> int:
    """Return the number of objects along either side of a tile."""
    return max(1, int((TILE / posteriors.shape[2]) ** 0.5))
