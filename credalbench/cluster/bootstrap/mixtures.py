"""Gaussian mixtures by scikit-learn: chosen by BIC, refitted to resampled objects.

A *collapsed* mixture has a component that is flatter than the objects are: it sits on few objects, or on
equal values, and only the ridge keeps its likelihood finite. It carries no information about clusters and
must not win by that likelihood.
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

COVARIANCES = ("spherical", "diag", "tied", "full")  # of covariances; of equal criteria the first wins
EM_TOL = 1e-5  # of the mean log-likelihood; the refits start at a maximum, and with less would stay there
EM_ITERATIONS = 1000
ON_THE_RIDGE = 2.0  # ridges: a variance below them is the ridge itself


def fitted_mixture(
    X: np.ndarray, n_components: int, covariance_type: str, ridge: float, **options: object
) -> GaussianMixture:
    """Fit a mixture to `X` (n, p) by expectation and maximisation; `ridge` is added to its variances.

    Raises
    ------
    ValueError
        A covariance cannot be inverted.
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
            f"expected covariances that can be inverted (else fewer n_clusters, or a larger ridge); "
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
    this. A mixture that has collapsed is taken only where all have.
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
    """Refit a mixture to resampled objects, once for each seed; return the posteriors of the objects, too.

    Nonparametric: each sample is n of the n objects, with replacement. Each refit starts at `model`.

    Returns
    -------
    refits : list of B mixtures
    posteriors : (n, c, B) float32 array
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
