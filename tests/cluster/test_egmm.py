"""EGMM: certificates, laws, reductions, oracles, published values, degenerate solutions, bad input."""

import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EGMM, DegenerateMixture
from credalbench.cluster.egmm import start_covariance, starting_mixture
from credalbench.cluster.mixture import em
from credalbench.cluster.mixture.em import (
    Model,
    is_singular,
    maximised,
    means_are_determined,
    memberships,
    moments,
)
from credalbench.cluster.mixture.families import FAMILIES
from credalbench.cluster.mixture.parameters import Mixture
from credalbench.cluster.prototypes.prototype_step import prototypes
from credalbench.datasets import load, make_egmm_four_class, make_egmm_two_class
from tests.oracles import egmm as literal

DIAMOND = load("egmm_diamond").X
TYPES = list(FAMILIES)
SETS = {"full": FocalSets.full, "pairs": FocalSets.pairs, "simple": FocalSets.simple}
every_type = pytest.mark.parametrize("covariance_type", TYPES)


def groups(seed=0, n=60, p=2, c=3, apart=6.0):
    """Gaussian groups of one oblique covariance, with as many objects between them."""
    rng = np.random.default_rng(seed)
    centres = apart * rng.permutation(np.eye(max(c, p)))[:c, :p] + rng.normal(size=(c, p))
    shares = rng.dirichlet(np.full(c, 0.3), n)
    shares[::2] = np.eye(c)[rng.integers(c, size=len(shares[::2]))]
    return shares @ centres + rng.normal(size=(n, p)) @ (np.eye(p) + 0.3 * rng.normal(size=(p, p)))


def problem(seed, covariance_type, family="full", c=3, n=40, p=2):
    """Objects, a model and a mixture to start from, all at random."""
    rng = np.random.default_rng(seed)
    X = groups(seed, n, p, c, apart=4.0)
    focal_sets = SETS[family](c, empty=False)
    model = Model(focal_sets, FAMILIES[covariance_type], np.zeros(1), X.T @ X)
    start = starting_mixture(X[rng.choice(n, c, replace=False)], np.cov(X.T).reshape(p, p), model)
    return X, model, start._replace(weights=rng.dirichlet(np.ones(len(focal_sets))))


def matrices(covariances, f, p):
    """The covariance matrix (f, p, p) of each component."""
    if covariances.shape == (p, p):
        return np.tile(covariances, (f, 1, 1))
    if covariances.ndim == 3:
        return covariances
    return covariances.reshape(f, -1)[:, :, None] * np.eye(p)


def exact(X, mixture, model):
    """The arguments of the literal functions."""
    f, p = len(model.focal_sets), X.shape[1]
    return X, mixture.weights, mixture.centers, matrices(mixture.covariances, f, p), model.focal_sets.sets


# ---------------------------------------------------------------- certificates


@every_type
def test_likelihood_never_falls_in_500_runs(covariance_type):
    """A fourth of them, from random parameters; the maximisation is exact, whatever the family."""
    taken = 0
    for seed in range(125):
        family = list(SETS)[seed % 3]
        X, model, mixture = problem(seed, covariance_type, family, c=2 + seed % 2, n=25, p=1 + seed % 4)
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
            slopes = slopes[[0, 2, 3]] if part.start == last else slopes  # the triangle above is no root
        elif covariance_type == "full" and part.start == last:
            slopes = slopes.reshape(-1, 4)[:, [0, 2, 3]]
        assert np.abs(slopes).max() < 1e-5  # of differences, of a Q of about -60


# ---------------------------------------------------------------- oracles


@pytest.mark.parametrize("family", list(SETS))
def test_steps_follow_the_equations(family):
    """Masses [jiao2022_egmm (23)] of means [jiao2022_egmm (14)] with [jiao2022_egmm (15)], the likelihood
    [jiao2022_egmm (18)], then [jiao2022_egmm (25)] to [jiao2022_egmm (29)], by way of the system
    [jiao2022_egmm (26)] with [jiao2022_egmm (27)] and [jiao2022_egmm (28)].
    """
    X, model, mixture = problem(3, "tied", family, n=12)
    M, log_densities = memberships(X, mixture, model)
    np.testing.assert_allclose(M, literal.masses(*exact(X, mixture, model)), atol=1e-12)  # rounding
    now = moments(X, mixture, model)
    assert now.log_likelihood == pytest.approx(literal.log_likelihood(*exact(X, mixture, model)), rel=1e-12)
    assert log_densities.sum() == pytest.approx(now.log_likelihood, rel=1e-12)
    for ours, theirs in zip(
        maximised(now, mixture, model), literal.maximised(X, M, model.focal_sets.sets, 3)
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-10)  # rounding of the system


@every_type
def test_densities_are_those_of_scipy(covariance_type):
    """[jiao2022_egmm (5)], [jiao2022_egmm (13)], and [jiao2022_egmm (17)] in the units of the data."""
    fit = EGMM(3, covariance_type=covariance_type, random_state=0).fit(groups(1, 200))
    X = fit.sample(20, random_state=1)[0]
    each = matrices(fit.covariances_, len(fit.weights_), 2)
    terms = [w * multivariate_normal(mean, S).pdf(X) for w, mean, S in zip(fit.weights_, fit.means_, each)]
    np.testing.assert_allclose(fit.score_samples(X), np.log(np.sum(terms, axis=0)), atol=1e-10)  # rounding
    np.testing.assert_allclose(fit.predict_partition(X).masses, (terms / np.sum(terms, axis=0)).T, atol=1e-10)
    assert fit.score(X) == pytest.approx(fit.score_samples(X).mean())


def test_the_system_of_the_means_is_that_of_ecm():
    """[jiao2022_egmm (26)] is ECM's with the exponents 0 of cardinalities and 1 of masses."""
    X, model, mixture = problem(5, "tied", n=12)
    M = literal.masses(*exact(X, mixture, model))
    expected = literal.maximised(X, M, model.focal_sets.sets, 3)[1]
    np.testing.assert_allclose(prototypes(X, M, model.focal_sets, 0.0, 1.0), expected, atol=1e-10)  # rounding


@every_type
def test_blocks_add_up(covariance_type, monkeypatch):
    X, model, mixture = problem(6, covariance_type, n=500, p=3)
    at_once, masses = moments(X, mixture, model), memberships(X, mixture, model)[0]
    monkeypatch.setattr(em, "BLOCK_ELEMENTS", 1)  # so the least size, 32 rows
    for part, whole in zip(moments(X, mixture, model), at_once):
        np.testing.assert_allclose(part, whole, rtol=1e-9, atol=1e-9)  # sums in another order
    np.testing.assert_allclose(memberships(X, mixture, model)[0], masses, atol=1e-12)


# ---------------------------------------------------------------- reductions


@every_type
def test_singletons_are_the_gaussian_mixture_of_scikit_learn(covariance_type):
    """From the same start, iteration for iteration."""
    X = groups(2, 300)
    V = X[[0, 100, 200]]
    labels = np.linalg.norm(X[:, None] - V, axis=2).argmin(axis=1)
    S = start_covariance(X, labels, 3)
    precision = np.linalg.inv(FAMILIES["tied"].like(S, 3))
    precisions = {
        "tied": precision,
        "full": np.tile(precision, (3, 1, 1)),
        "diag": np.tile(1 / S.diagonal(), (3, 1)),
        "spherical": np.full(3, 1 / S.diagonal().mean()),
    }[covariance_type]
    singletons = FocalSets.from_sets(3, [[0], [1], [2]])
    ours = EGMM(3, focal_sets=singletons, covariance_type=covariance_type, init=V, tol=0.0, max_iter=15).fit(
        X
    )
    theirs = GaussianMixture(
        3,
        covariance_type=covariance_type,
        means_init=V,
        weights_init=np.full(3, 1 / 3),
        precisions_init=precisions,
        reg_covar=0.0,
        tol=0.0,
        max_iter=15,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 15 iterations are not convergence
        theirs.fit(X)
    assert ours.log_likelihood_ == pytest.approx(300 * theirs.score(X), abs=1e-6)  # what the project asks for
    np.testing.assert_allclose(ours.cluster_centers_, theirs.means_, atol=1e-8)  # rounding, 15 iterations
    np.testing.assert_allclose(ours.covariances_, theirs.covariances_, atol=1e-8)
    np.testing.assert_allclose(ours.partition_.masses, theirs.predict_proba(X), atol=1e-8)
    assert ours.ebic_ == pytest.approx(-theirs.bic(X) / 2, abs=1e-6)


@every_type
def test_one_cluster_is_one_gaussian(covariance_type):
    X = groups(3)
    fit = EGMM(1, covariance_type=covariance_type).fit(X)
    np.testing.assert_allclose(fit.cluster_centers_[0], X.mean(axis=0), atol=1e-12)  # rounding
    S = np.cov(X.T, bias=True)
    expected = {"tied": S, "full": [S], "diag": [S.diagonal()], "spherical": [S.diagonal().mean()]}
    np.testing.assert_allclose(fit.covariances_, expected[covariance_type], atol=1e-12)
    assert (fit.partition_.masses == 1).all()


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize(
    ("covariance_type", "T"),
    [
        ("tied", [[1.5, 0.3], [0.0, 0.9]]),
        ("full", [[1.5, 0.3], [0.0, 0.9]]),
        ("diag", [[1.5, 0.0], [0.0, 0.9]]),
        ("spherical", [[3.0, 0.0], [0.0, 3.0]]),
    ],
)
def test_linear_maps_of_the_data_map_the_result_along(covariance_type, T):
    rng = np.random.default_rng(4)
    V, T = np.array([[0.0, 0], [7, 0], [0, 7]]), np.array(T)  # each group starts from the same means
    X = np.repeat(V, 30, axis=0) + rng.normal(size=(90, 2))
    here, there = (
        EGMM(3, covariance_type=covariance_type, init=start, stopping="relative").fit(data)
        for data, start in ((X, V), (X @ T + 7, V @ T + 7))
    )
    np.testing.assert_allclose(there.partition_.masses, here.partition_.masses, atol=1e-8)  # rounding
    np.testing.assert_allclose(there.means_, here.means_ @ T + 7, atol=1e-7)
    shift = -90 * np.log(np.linalg.det(T))
    assert there.log_likelihood_ == pytest.approx(here.log_likelihood_ + shift, rel=1e-9)
    assert there.ebic_ == pytest.approx(here.ebic_ + shift, rel=1e-9)
    assert there.n_iter_ == here.n_iter_


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_unit_of_the_data_does_not_matter(unit):
    X = groups(5)
    here, there = (EGMM(3, random_state=0).fit(data) for data in (X, unit * X))
    np.testing.assert_allclose(there.partition_.masses, here.partition_.masses, atol=1e-7)  # rounding of X
    assert there.log_likelihood_ == pytest.approx(here.log_likelihood_ - X.size * np.log(unit), rel=1e-9)
    scale = (there.unit_ / unit) ** 2
    np.testing.assert_allclose(there.covariances_ * scale, here.covariances_, rtol=1e-6)
    np.testing.assert_allclose(there.means_ / unit, here.means_, atol=1e-6)
    np.testing.assert_allclose(
        there.score_samples(unit * X[:9]) + 2 * np.log(unit), here.score_samples(X[:9])
    )


@every_type
def test_fit_is_consistent(covariance_type):
    """No mass on the empty set, sums of one [jiao2022_egmm (1)]; parameters as in [jiao2022_egmm (33)]."""
    X = groups(6, 150)
    fit = EGMM(3, covariance_type=covariance_type, n_init=3, random_state=0).fit(X)
    own = {"tied": 3, "spherical": 7, "diag": 14, "full": 21}[covariance_type]
    assert fit.n_parameters_ == 6 + 6 + own
    assert fit.ebic_ == pytest.approx(fit.log_likelihood_ - fit.n_parameters_ * np.log(150) / 2)
    assert fit.objective_ == fit.log_likelihood_ == fit.objective_trace_[-1]
    assert len(fit.objective_trace_) == fit.n_iter_ + 1 and fit.converged_
    assert fit.score_samples(X).sum() == pytest.approx(fit.log_likelihood_)
    assert not fit.partition_.focal_sets.has_empty
    np.testing.assert_allclose(fit.partition_.masses.sum(axis=1), 1, rtol=1e-12)  # rounding
    np.testing.assert_array_equal(fit.predict_partition(X).masses, fit.partition_.masses)
    np.testing.assert_array_equal(fit.predict(X), fit.labels_)
    assert fit.weights_.sum() == pytest.approx(1)


def test_relative_stopping_goes_on_for_longer():
    X = groups(7, 150)
    loose, strict = (
        EGMM(3, stopping=rule, random_state=0, max_iter=100_000).fit(X) for rule in ("absolute", "relative")
    )
    assert np.diff(loose.objective_trace_)[-1] <= 1e-3 < np.diff(loose.objective_trace_)[-2]
    gains = np.diff(strict.objective_trace_)
    assert gains[-1] <= 1e-8 * gains.sum() and gains[-2] > 1e-8 * gains[:-1].sum()
    assert strict.n_iter_ > loose.n_iter_


@every_type
def test_samples_follow_the_mixture(covariance_type):
    fit = EGMM(2, covariance_type=covariance_type, random_state=0).fit(groups(8, 200, c=2))
    X, drawn = fit.sample(40_000, random_state=0)
    S = matrices(fit.covariances_, 3, 2)
    assert X.shape == (40_000, 2)
    np.testing.assert_allclose(np.bincount(drawn) / 40_000, fit.weights_, atol=0.01)  # four deviations
    for j in range(3):
        own = X[drawn == j]
        allowed = 5 * np.sqrt(S[j].max() / len(own))  # five deviations
        np.testing.assert_allclose(own.mean(axis=0), fit.means_[j], atol=allowed)
        np.testing.assert_allclose(np.cov(own.T), S[j], atol=8 * S[j].max() / np.sqrt(len(own)))
    assert np.array_equal(X, fit.sample(40_000, random_state=0)[0])


def test_masses_read_as_beliefs():
    """Table 1, from Bayesian to vacuous masses: [jiao2022_egmm (2)] and [jiao2022_egmm (3)]."""
    sets = [[0], [1], [0, 1], [2], [0, 2], [1, 2], [0, 1, 2]]
    rows = [
        [0.2, 0.3, 0, 0.5, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 1],
        [0, 0.1, 0, 0.2, 0, 0.4, 0.3],
    ]
    partition = CredalPartition(rows, FocalSets.from_sets(3, sets))
    np.testing.assert_allclose(partition.belief([1, 2]), [0.8, 1, 0, 0.7])
    np.testing.assert_allclose(partition.plausibility([1, 2]), [0.8, 1, 1, 1])
    np.testing.assert_allclose(partition.pignistic[3], [0.1, 0.4, 0.5])
    np.testing.assert_allclose(partition.pignistic[:2], [[0.2, 0.3, 0.5], [0, 0, 1]])


# ---------------------------------------------------------------- published values


@pytest.mark.parametrize(("c", "printed"), [(2, 55.9), (3, 63.1)])
def test_ebic_of_diamond_is_the_printed_one(c, printed):
    """Table 2, whose minus signs are lost: [jiao2022_egmm (33)] where most starts lead to."""
    fits = (EGMM(c, reg_covar=0.01, random_state=seed).fit(DIAMOND) for seed in range(15))
    modal, times = Counter(round(fit.ebic_, 1) for fit in fits).most_common(1)[0]
    assert modal == pytest.approx(-printed, abs=0.1)  # the bound
    assert times >= 8


def test_diamond_reads_as_it_should():
    """Object 6 lies between the wings; Figure 3."""
    fit = EGMM(2, reg_covar=0.01, random_state=0).fit(DIAMOND)
    decision = [fit.partition_.focal_sets.labels[j] for j in fit.partition_.hard_credal()]
    assert decision[5] == "Ω"
    assert len(set(decision[:4])) == len(set(decision[7:])) == 1
    np.testing.assert_allclose(np.sort(fit.cluster_centers_[:, 0]), [-4.1, 4.1], atol=0.02)  # found before


def test_long_classes_are_told_apart():
    """The substitutes for the two simulated sets, with the family of at most two clusters and Omega."""
    two, four = make_egmm_two_class(random_state=1), make_egmm_four_class(random_state=1)
    labels = EGMM(2, n_init=2, random_state=0).fit(two.X).labels_
    assert max(np.mean(labels == two.y), np.mean(labels != two.y)) > 0.99
    ebic = {c: EGMM(c, focal_sets="pairs", n_init=3, random_state=0).fit(four.X).ebic_ for c in (2, 3, 4, 5)}
    assert max(ebic, key=ebic.get) == 4


# ---------------------------------------------------------------- degenerate solutions


def test_degenerate_runs_never_win():
    """Eleven objects in four clusters: many starts run off; the best of the others is kept."""
    fits = []
    for seed in range(40):
        try:
            fits.append(EGMM(4, random_state=seed).fit(DIAMOND))
        except DegenerateMixture:
            continue
    assert 0 < len(fits) < 40
    fit = EGMM(4, n_init=40, random_state=0).fit(DIAMOND)
    assert 0 < fit.n_degenerate_ < 40
    values = np.linalg.eigvalsh(fit.covariances_)
    assert values[0] > 1e-10 and np.isfinite(fit.log_likelihood_)


def test_if_all_runs_are_degenerate_the_error_says_what_to_do():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 5, axis=0)
    with pytest.raises(DegenerateMixture, match=r"3 of 3 starts: a covariance .* Instead: fewer clusters"):
        EGMM(3, n_init=3, random_state=0).fit(X)
    fit = EGMM(3, reg_covar=0.01, random_state=0).fit(X)
    np.testing.assert_array_equal(np.bincount(fit.labels_), [5, 5, 5])


def test_means_that_nothing_determines_are_refused():
    """All mass on Omega: only the sum of the two means is known."""
    focal_sets = FocalSets.full(2, empty=False)
    assert not means_are_determined(np.array([0.0, 0.0, 20.0]), focal_sets)
    assert means_are_determined(np.array([1.0, 0.0, 20.0]), focal_sets)
    far = [[0.0, 0.0], [1e4, 0.0]]  # no object is anywhere near the second
    with pytest.raises(DegenerateMixture, match="weights vanished"):
        EGMM(2, init=far, focal_sets=FocalSets.from_sets(2, [[0], [1]])).fit(groups(9, c=2))


@pytest.mark.parametrize("covariance_type", ["spherical", "diag", "full"])
def test_component_without_objects_keeps_its_covariance(covariance_type):
    """Two groups far apart: nothing lies where Omega is, and the likelihood stays finite."""
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0, 0.0], [40.0, 0.0]], 30, axis=0) + rng.normal(size=(60, 2))
    fit = EGMM(2, covariance_type=covariance_type, random_state=0).fit(X)
    omega = fit.partition_.focal_sets.index({0, 1})
    assert fit.weights_[omega] < 0.05
    np.testing.assert_array_equal(np.bincount(fit.labels_), [30, 30])
    assert (np.linalg.eigvalsh(matrices(fit.covariances_, 3, 2)) > 0.1).all()


def test_a_step_that_lowers_the_likelihood_is_not_taken():
    """With the authors' ridge the maximisation is not exact; the trace ends at its highest value."""
    X = np.random.default_rng(1).normal(size=(30, 2)) * [1, 0.1]
    fit = EGMM(2, reg_covar=0.05, init=X[:2], tol=0.0, max_iter=5000).fit(X)
    assert fit.converged_ and fit.n_iter_ < 5000
    following = maximised(moments_of(fit, X), fit._mixture, fit._model)
    below = moments(fit._frame.inward(X), following, fit._model).log_likelihood
    assert below < moments_of(fit, X).log_likelihood


def moments_of(fit, X):
    return moments(fit._frame.inward(X), fit._mixture, fit._model)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (np.arange(8.0).reshape(4, 2), {"n_clusters": 3}, "at least 5 objects, or reg_covar > 0, got 4"),
        (np.arange(8.0).reshape(4, 2), {"n_clusters": 5}, "n_clusters <= n_samples = 4"),
        (np.ones((9, 2)), {}, r"attributes that vary.* constant columns \[0, 1\]"),
        (np.ones((9, 2)), {"covariance_type": "spherical"}, r"constant columns \[0, 1\]"),
        (np.full((9, 2), np.nan), {}, "NaN"),
        (groups(), {"focal_sets": FocalSets.simple(2)}, "focal sets without the empty set"),
        (groups(), {"focal_sets": FocalSets.from_sets(2, [[0, 1]])}, "means determine those of all clusters"),
        (groups(), {"focal_sets": FocalSets.from_sets(2, [[0]])}, "every cluster in some focal set"),
        (groups(), {"init": np.zeros((3, 2))}, r"init of shape \(2, 2\)"),
        (groups(), {"init": [[0.0, 0.0], [1e200, 0.0]]}, r"values of init within 1e\+100 times"),
        (groups(), {"covariance_type": "round"}, "covariance_type to be one of"),
        (groups(), {"reg_covar": -1.0}, "a finite reg_covar >= 0"),
        (groups(), {"reg_covar": 1e300}, "reg_covar between"),
        (groups(), {"stopping": "never"}, "stopping to be one of"),
    ],
)
def test_bad_input_is_refused(X, options, message):
    with pytest.raises(ValueError, match=message):
        EGMM(**{"n_clusters": 2} | options).fit(X)


def table(kind):
    """Two groups with a column that adds nothing, the last one."""
    X = groups(11, 80, c=2)
    extra = np.full(80, 0.1) if kind == "constant" else X @ [1.0, -2.0]
    return np.column_stack([X, extra])


@pytest.mark.parametrize(
    ("kind", "covariance_type", "message"),
    [
        ("constant", "tied", r"constant columns \['c'\]"),
        ("constant", "full", r"constant columns \['c'\]"),
        ("constant", "diag", r"constant columns \['c'\]"),
        ("collinear", "tied", r"collinear columns \['a', 'b', 'c'\]"),
        ("collinear", "full", r"collinear columns \['a', 'b', 'c'\]"),
    ],
)
def test_columns_that_add_nothing_are_named(kind, covariance_type, message):
    frame = pd.DataFrame(table(kind), columns=["a", "b", "c"])
    with pytest.raises(ValueError, match=message):
        EGMM(2, covariance_type=covariance_type).fit(frame)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("constant", {"reg_covar": 1e-3}),
        ("collinear", {"reg_covar": 1e-3}),
        ("constant", {"reg_covar": 1e-3, "covariance_type": "full"}),
        ("collinear", {"covariance_type": "diag"}),
        ("constant", {"covariance_type": "spherical"}),
    ],
)
def test_columns_that_add_nothing_are_survived(kind, options):
    fit = EGMM(2, random_state=0, **options).fit(table(kind))
    assert np.isfinite(fit.log_likelihood_) and np.isfinite(fit.covariances_).all()
    assert fit.labels_.max() == 1


def test_far_objects_have_masses_too():
    fit = EGMM(2, random_state=0).fit(groups(12, c=2))
    masses = fit.predict_partition([[1e90, -1e90], [0.0, 1e12]]).masses
    assert np.isfinite(masses).all()
    with pytest.raises(ValueError, match=r"within 1e\+100 times"):
        fit.predict([[1e150, 0.0]])


def test_weights_may_underflow():
    X, model, mixture = problem(7, "tied")
    weights = np.array([0.5, 0.5, 0, 0, 0, 0, 0])
    M, log_densities = memberships(X, Mixture(weights, *mixture[1:]), model)
    assert (M[:, 2:] == 0).all() and np.isfinite(log_densities).all()
