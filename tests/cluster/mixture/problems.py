"""Objects, models and mixtures to try EGMM on."""

import numpy as np

from credalbench.belief import FocalSets
from credalbench.cluster.mixture.covariance_types import COVARIANCE_TYPES
from credalbench.cluster.mixture.em import Model, starting_mixture

SETS = {"full": FocalSets.full, "pairs": FocalSets.pairs, "simple": FocalSets.simple}


def groups(seed=0, n=60, p=2, c=3, apart=6.0):
    """Gaussian groups of one oblique covariance, with as many objects between them."""
    rng = np.random.default_rng(seed)
    centres = apart * rng.permutation(np.eye(max(c, p)))[:c, :p] + rng.normal(size=(c, p))
    shares = rng.dirichlet(np.full(c, 0.3), n)
    shares[::2] = np.eye(c)[rng.integers(c, size=len(shares[::2]))]
    return shares @ centres + rng.normal(size=(n, p)) @ (np.eye(p) + 0.3 * rng.normal(size=(p, p)))


def problem(seed, covariance_type, sets="full", c=3, n=40, p=2, noise=False):
    """Objects, a model and a mixture to start from, all at random."""
    rng = np.random.default_rng(seed)
    X = groups(seed, n, p, c, apart=4.0)
    focal_sets = SETS[sets](c, empty=noise)
    model = Model(focal_sets, COVARIANCE_TYPES[covariance_type], np.zeros(1), log_noise=-p * np.log(9))
    start = starting_mixture(X[rng.choice(n, c, replace=False)], np.cov(X.T).reshape(p, p), model)
    weights = rng.dirichlet(np.ones(len(focal_sets)))
    outside, weights = np.split(weights, [int(noise)])
    return X, model, start._replace(weights=weights, noise=float(outside.sum()))


def matrices(covariances, f, p):
    """The covariance matrix (f, p, p) of each component."""
    if covariances.shape == (p, p):
        return np.tile(covariances, (f, 1, 1))
    if covariances.ndim == 3:
        return covariances
    return covariances.reshape(f, -1)[:, :, None] * np.eye(p)


def exact(X, mixture, model):
    """The arguments of the literal functions."""
    f, p = len(mixture.weights), X.shape[1]
    sets = model.focal_sets.sets[-f:]
    return X, mixture.weights, mixture.centers, matrices(mixture.covariances, f, p), sets
