"""Expectation-maximisation for EGMM: certificates, oracles, rare cases."""

import numpy as np
import pytest
from scipy.optimize import minimize

from credalbench.belief import FocalSets
from credalbench.cluster.mixture import em
from credalbench.cluster.mixture.covariance_types import COVARIANCE_TYPES
from credalbench.cluster.mixture.em import is_singular, maximised, means_are_determined, memberships, moments
from tests.cluster.mixture.problems import SETS, exact, problem
from tests.oracles import egmm as literal

every_type = pytest.mark.parametrize("covariance_type", list(COVARIANCE_TYPES))


# ---------------------------------------------------------------- certificates


@every_type
def test_likelihood_never_falls_in_500_runs(covariance_type):
    """A fourth of them, from random parameters; the maximisation is exact, whatever the focal sets."""
    taken = 0
    for seed in range(125):
        sets = list(SETS)[seed % 3]
        size = {"c": 2 + seed % 2, "n": 25, "p": 1 + seed % 4}
        X, model, mixture = problem(seed, covariance_type, sets, **size, noise=seed % 5 < 2)
        now = moments(X, mixture, model)
        for _ in range(8):
            mixture = maximised(now, mixture, model)
            if is_singular(mixture, model):
                break
            then = moments(X, mixture, model)
            assert then.log_likelihood >= now.log_likelihood - 1e-10 * abs(now.log_likelihood)  # rounding
            now, taken = then, taken + 1
    assert taken > 900


def unpacked(theta, model, p, covariance_type):
    """Weights, means and covariances from free numbers: logits, coordinates, roots of covariances."""
    f, c = len(model.focal_sets), model.focal_sets.n_clusters
    logits, V, roots = np.split(theta, [f, f + c * p])
    weights = np.exp(logits - logits.max())
    if covariance_type in ("tied", "full"):
        L = np.tril(roots.reshape(-1, p, p))
        S = np.broadcast_to(L @ L.swapaxes(1, 2), (f, p, p))
    else:
        S = roots.reshape(f, -1)[:, :, None] ** 2 * np.eye(p)
    return weights / weights.sum(), V.reshape(c, p), S


def packed(mixture, covariance_type):
    roots = mixture.covariances
    roots = np.linalg.cholesky(roots) if covariance_type in ("tied", "full") else np.sqrt(roots)
    return np.concatenate([np.log(mixture.weights), mixture.centers.ravel(), roots.ravel()])


def slope(function, theta, steps=1e-5):
    """Central differences."""
    moves = steps * np.eye(len(theta))
    return np.array([(function(theta + h) - function(theta - h)) / (2 * steps) for h in moves])


@pytest.mark.parametrize("p", [1, 2])
def test_maximisation_step_is_the_joint_maximum_of_q(p):
    """Of [jiao2022_egmm (22)], by [jiao2022_egmm (24)]: no slope, and a search from elsewhere ends there."""
    X, model, mixture = problem(1, "tied", c=2, n=10, p=p)
    sets, M = model.focal_sets.sets, literal.masses(*exact(X, mixture, model))
    best = packed(maximised(moments(X, mixture, model), mixture, model), "tied")

    def q(theta):
        return literal.expected_log_likelihood(X, M, *unpacked(theta, model, p, "tied"), sets)

    assert np.abs(slope(q, best)).max() < 1e-5  # of differences, of a Q of about -50
    found = minimize(lambda theta: -q(theta), best + 0.5, jac=lambda theta: -slope(q, theta), tol=1e-8)
    assert -found.fun == pytest.approx(q(best), abs=1e-6)  # where the search stops


@every_type
def test_the_likelihood_has_no_slope_where_em_rests(covariance_type):
    """A stationary point of [jiao2022_egmm (18)] itself, by differences of the literal one."""
    X, model, mixture = problem(4, covariance_type, c=2, n=80)
    for _ in range(1500):
        mixture = maximised(moments(X, mixture, model), mixture, model)
    assert moments(X, mixture, model).weights.min() > 3  # components hold objects enough to be estimated

    def log_likelihood(theta):
        return literal.log_likelihood(X, *unpacked(theta, model, 2, covariance_type), model.focal_sets.sets)

    assert np.abs(slope(log_likelihood, packed(mixture, covariance_type))).max() < 1e-4  # slow convergence


@every_type
def test_conditional_steps_are_optimal(covariance_type):
    """Means for the covariances before, covariances for the means after: Q has no slope along either."""
    X, model, mixture = problem(2, covariance_type, c=2, n=30)
    sets, M = model.focal_sets.sets, literal.masses(*exact(X, mixture, model))
    after = maximised(moments(X, mixture, model), mixture, model)
    with_means = mixture._replace(centers=after.centers)
    first, last = len(sets), len(sets) + mixture.centers.size
    for at, part in ((with_means, slice(first, last)), (after, slice(last, None))):

        def q(theta):
            return literal.expected_log_likelihood(X, M, *unpacked(theta, model, 2, covariance_type), sets)

        slopes = slope(q, packed(at, covariance_type))[part]
        if covariance_type == "tied":
            slopes = slopes[[0, 2, 3]] if part.start == last else slopes  # the triangle above is not a root
        elif covariance_type == "full" and part.start == last:
            slopes = slopes.reshape(-1, 4)[:, [0, 2, 3]]
        assert np.abs(slopes).max() < 1e-5  # of differences, of a Q of about -60


# ---------------------------------------------------------------- oracles


@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("sets", list(SETS))
def test_steps_follow_the_equations(sets, noise):
    """Masses [jiao2022_egmm (23)] of means [jiao2022_egmm (14)] with [jiao2022_egmm (15)], the likelihood
    [jiao2022_egmm (18)], then [jiao2022_egmm (25)] to [jiao2022_egmm (29)], by way of the system
    [jiao2022_egmm (26)] with [jiao2022_egmm (27)] and [jiao2022_egmm (28)].
    """
    X, model, mixture = problem(3, "tied", sets, n=12, noise=noise)
    given = *exact(X, mixture, model), mixture.noise * np.exp(model.log_noise)
    M, log_densities = memberships(X, mixture, model)
    np.testing.assert_allclose(M[:, noise:], literal.masses(*given), atol=1e-12)  # rounding
    np.testing.assert_allclose(M.sum(axis=1), 1, atol=1e-12)
    now = moments(X, mixture, model)
    assert now.log_likelihood == pytest.approx(literal.log_likelihood(*given), rel=1e-12)
    assert log_densities.sum() == pytest.approx(now.log_likelihood, rel=1e-12)
    after, sets = maximised(now, mixture, model), model.focal_sets.sets[noise:]
    for ours, theirs in zip(after, literal.maximised(X, M[:, noise:], sets, 3)):
        np.testing.assert_allclose(ours, theirs, atol=1e-10)  # rounding of the system
    assert after.noise == pytest.approx(M[:, :noise].mean() if noise else 0.0)


@every_type
def test_blocks_add_up(covariance_type, monkeypatch):
    X, model, mixture = problem(6, covariance_type, n=500, p=3, noise=True)
    at_once, masses = moments(X, mixture, model), memberships(X, mixture, model)[0]
    monkeypatch.setattr(em, "SLICE_ELEMENTS", 1)  # so the least size, 32 rows
    for part, whole in zip(moments(X, mixture, model), at_once):
        np.testing.assert_allclose(part, whole, rtol=1e-9, atol=1e-9)  # sums in another order
    np.testing.assert_allclose(memberships(X, mixture, model)[0], masses, atol=1e-12)


# ---------------------------------------------------------------- rare cases


def test_weights_may_underflow():
    X, model, mixture = problem(7, "tied")
    weights = np.array([0.5, 0.5, 0, 0, 0, 0, 0])
    M, log_densities = memberships(X, mixture._replace(weights=weights), model)
    assert (M[:, 2:] == 0).all() and np.isfinite(log_densities).all()


def test_means_are_determined_by_enough_objects():
    """All mass on Omega: only the sum of the two means is known."""
    focal_sets = FocalSets.full(2, empty=False)
    assert not means_are_determined(np.array([0.0, 0.0, 20.0]), focal_sets)
    assert means_are_determined(np.array([1.0, 0.0, 20.0]), focal_sets)
    assert means_are_determined(np.array([0.02, 0.0, 20.0]), focal_sets)  # little is enough
    assert not means_are_determined(np.array([1e-4, 0.0, 20.0]), focal_sets)


@pytest.mark.parametrize("covariance_type", COVARIANCE_TYPES)
def test_a_component_is_singular_below_a_tiny_share_of_the_variance(covariance_type):
    _, model, mixture = problem(0, covariance_type)
    whole = mixture.covariances / model.covariance_type.least_variance(mixture.covariances)
    assert is_singular(mixture._replace(covariances=1e-12 * whole), model)
    assert not is_singular(mixture._replace(covariances=1e-8 * whole), model)


def test_a_step_that_lowers_the_likelihood_is_not_taken(monkeypatch):
    X, model, start = problem(0, "full")
    worse = start._replace(centers=start.centers + 50)
    monkeypatch.setattr(em, "maximised", lambda *_: worse)
    run = em.ascend(X, start, model, em.Stopping(False, 1e-6, 5))
    assert run.mixture is start and run.converged and len(run.trace) == 1
