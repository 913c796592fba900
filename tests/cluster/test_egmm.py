"""EGMM: reductions, laws, published values, degenerate solutions."""

import warnings
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm
from sklearn.mixture import GaussianMixture

from credalbench.belief import FocalSets
from credalbench.cluster import EGMM, DegenerateMixture
from credalbench.cluster.mixture.covariance_types import COVARIANCE_TYPES
from credalbench.cluster.mixture.em import maximised, moments, start_covariance
from credalbench.datasets import load, make_egmm_four_class, make_egmm_two_class
from tests.cluster.mixture.problems import groups, matrices

DIAMOND = load("egmm_diamond").X
PAPER = {"focal_sets": "full", "noise": False, "init": "k-means", "reg_covar": 0.01}
every_type = pytest.mark.parametrize("covariance_type", list(COVARIANCE_TYPES))


# ---------------------------------------------------------------- reductions


@every_type
def test_singletons_are_the_gaussian_mixture_of_scikit_learn(covariance_type):
    """From the same start, iteration for iteration."""
    X = groups(2, 300)
    V = X[[0, 100, 200]]
    labels = np.linalg.norm(X[:, None] - V, axis=2).argmin(axis=1)
    S = start_covariance(X, labels, 3)
    precision = np.linalg.inv(COVARIANCE_TYPES["tied"].like(S, 3))
    precisions = {
        "tied": precision,
        "full": np.tile(precision, (3, 1, 1)),
        "diag": np.tile(1 / S.diagonal(), (3, 1)),
        "spherical": np.full(3, 1 / S.diagonal().mean()),
    }[covariance_type]
    singletons = FocalSets.from_sets(3, [[0], [1], [2]])
    model = EGMM(3, focal_sets=singletons, noise=False, covariance_type=covariance_type, init=V)
    ours = model.set_params(tol=0.0, max_iter=15).fit(X)
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
    fit = EGMM(1, noise=False, covariance_type=covariance_type).fit(X)
    np.testing.assert_allclose(fit.cluster_centers_[0], X.mean(axis=0), atol=1e-12)  # rounding
    S = np.cov(X.T, bias=True)
    expected = {"tied": S, "full": [S], "diag": [S.diagonal()], "spherical": [S.diagonal().mean()]}
    np.testing.assert_allclose(fit.covariances_, expected[covariance_type], atol=1e-12)
    assert (fit.partition_.masses == 1).all()


@every_type
def test_densities_are_those_of_scipy(covariance_type):
    """[jiao2022_egmm (5)], [jiao2022_egmm (13)], and [jiao2022_egmm (17)] in the units of the data.

    The noise is uniform in a cube, in coordinates in which the data have unit covariance.
    """
    data = groups(1, 200)
    fit = EGMM(3, covariance_type=covariance_type, random_state=0).fit(data)
    X, _ = fit.sample(20, random_state=1)
    X[0] = 1e6
    S = np.cov(data.T, bias=True)
    S = S if covariance_type in ("tied", "full") else np.diag(S.diagonal())
    S = S.trace() / 2 * np.eye(2) if covariance_type == "spherical" else S
    around = data - data.mean(axis=0)
    side = 4 * np.sqrt(np.einsum("ip,pq,iq->i", around, np.linalg.inv(S), around).max())
    each = matrices(fit.covariances_, len(fit.means_), 2)
    terms = [np.full(20, fit.weights_[0] / (side**2 * np.sqrt(np.linalg.det(S))))]
    for w, mean, S in zip(fit.weights_[1:], fit.means_, each):
        terms.append(w * multivariate_normal(mean, S).pdf(X))
    assert fit.predict_partition(X[:1]).masses[0, 0] == 1
    np.testing.assert_allclose(fit.score_samples(X), np.log(np.sum(terms, axis=0)), atol=1e-10)  # rounding
    np.testing.assert_allclose(fit.predict_partition(X).masses, (terms / np.sum(terms, axis=0)).T, atol=1e-10)
    assert fit.score(X) == pytest.approx(fit.score_samples(X).mean())


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
@pytest.mark.parametrize("noise", [False, True])
def test_linear_maps_of_the_data_map_the_result_along(covariance_type, T, noise):
    rng = np.random.default_rng(4)
    V, T = np.array([[0.0, 0], [7, 0], [0, 7]]), np.array(T)  # each group starts from the same means
    X = np.repeat(V, 30, axis=0) + rng.normal(size=(90, 2))
    here, there = (
        EGMM(3, noise=noise, covariance_type=covariance_type, init=start, stopping="relative").fit(data)
        for data, start in ((X, V), (X @ T + 7, V @ T + 7))
    )
    np.testing.assert_allclose(there.partition_.masses, here.partition_.masses, atol=1e-8)  # rounding
    np.testing.assert_allclose(there.means_, here.means_ @ T + 7, atol=1e-7)
    shift = -90 * np.log(np.linalg.det(T))
    assert there.log_likelihood_ == pytest.approx(here.log_likelihood_ + shift, rel=1e-9)
    assert there.ebic_ == pytest.approx(here.ebic_ + shift, rel=1e-9)
    assert there.n_iter_ == here.n_iter_


@every_type
def test_far_objects_are_noise(covariance_type):
    """Without noise they shift the means or are clusters; with it, means are those of the other objects."""
    X = np.random.default_rng(3).normal(size=(150, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 50, axis=0)
    far = np.array([[60.0, 70], [-80, 50], [40, -90]])
    alone, fit = (
        EGMM(3, covariance_type=covariance_type, random_state=0).fit(data)
        for data in (X, np.vstack([X, far]))
    )
    np.testing.assert_array_equal(fit.partition_.outliers(), np.arange(153) >= 150)
    np.testing.assert_allclose(
        fit.cluster_centers_, alone.cluster_centers_, atol=0.1
    )  # as of one object more
    assert fit.weights_[0] == pytest.approx(3 / 153, abs=1e-3)


@every_type
@pytest.mark.parametrize("noise", [False, True])
def test_fit_is_consistent(covariance_type, noise):
    """Without noise no mass on the empty set [jiao2022_egmm (1)]; parameters as in [jiao2022_egmm (33)]."""
    X = groups(6, 150)
    fit = EGMM(3, noise=noise, covariance_type=covariance_type, n_init=3, random_state=0).fit(X)
    own = {"tied": 3, "spherical": 7, "diag": 14, "full": 21}[covariance_type]
    assert fit.n_parameters_ == 6 + noise + 6 + own
    assert fit.ebic_ == pytest.approx(fit.log_likelihood_ - fit.n_parameters_ * np.log(150) / 2)
    assert fit.objective_ == fit.log_likelihood_ == fit.objective_trace_[-1]
    assert len(fit.objective_trace_) == fit.n_iter_ + 1 and fit.converged_
    assert fit.score_samples(X).sum() == pytest.approx(fit.log_likelihood_)
    assert (np.diff(fit.objective_trace_) >= 0).all()
    assert fit.partition_.focal_sets.has_empty == noise
    np.testing.assert_array_equal(fit.predict_partition(X).masses, fit.partition_.masses)
    assert len(fit.weights_) == len(fit.partition_.focal_sets) and fit.weights_.sum() == pytest.approx(1)


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
    fit = EGMM(2, noise=False, covariance_type=covariance_type, random_state=0).fit(groups(8, 200, c=2))
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


def test_the_highest_likelihood_is_what_a_search_from_everywhere_finds():
    """[jiao2022_egmm (19)] on a line, where nine objects and three components leave it bounded."""
    x = np.array([0.0, 0.4, 0.5, 1.3, 2.1, 3.0, 3.8, 4.1, 4.5])

    def loss(theta):
        logits, (first, second), log_deviation = theta[:3], theta[3:5], theta[5]
        means = np.array([first, second, (first + second) / 2])
        logs = logits - logsumexp(logits) + norm.logpdf(x[:, None], means, np.exp(log_deviation))
        return -logsumexp(logs, axis=1).sum()

    rng = np.random.default_rng(0)
    starts = np.column_stack([np.zeros((6, 3)), rng.choice(x, (6, 2)), rng.normal(-1, 1, 6)])
    found = min(minimize(loss, start).fun for start in starts + 0.01 * rng.normal(size=(6, 6)))
    model = EGMM(2, noise=False, init="random", n_init=12, tol=1e-8, max_iter=5000, random_state=0)
    assert model.fit(x[:, None]).log_likelihood_ == pytest.approx(-found, abs=1e-4)  # slow near a border


# ---------------------------------------------------------------- published values


@pytest.mark.parametrize(("c", "printed"), [(2, 55.9), (3, 63.1)])
def test_ebic_of_diamond_is_the_printed_one(c, printed):
    """Table 2, whose minus signs are lost: [jiao2022_egmm (33)] where most starts lead to."""
    fits = (EGMM(c, random_state=seed, **PAPER).fit(DIAMOND) for seed in range(15))
    modal, times = Counter(round(fit.ebic_, 1) for fit in fits).most_common(1)[0]
    assert modal == pytest.approx(-printed, abs=0.1)  # the bound
    assert times >= 8


def test_diamond_reads_as_it_should():
    """Object 6 lies between the wings; Figure 3."""
    fit = EGMM(2, random_state=0, **PAPER).fit(DIAMOND)
    decision = [fit.partition_.focal_sets.labels[j] for j in fit.partition_.hard_credal()]
    assert decision[5] == "Ω"
    assert len(set(decision[:4])) == len(set(decision[7:])) == 1
    np.testing.assert_allclose(np.sort(fit.cluster_centers_[:, 0]), [-4.1, 4.1], atol=0.02)  # found before


def test_long_classes_are_separated():
    """The substitutes for the two simulated sets, with the family of at most two clusters and Omega."""
    two, four = make_egmm_two_class(random_state=1), make_egmm_four_class(random_state=1)
    labels = EGMM(2, n_init=2, random_state=0).fit(two.X).labels_
    assert max(np.mean(labels == two.y), np.mean(labels != two.y)) > 0.99
    ebic = {c: EGMM(c, focal_sets="pairs", n_init=3, random_state=0).fit(four.X).ebic_ for c in (2, 3, 4, 5)}
    assert max(ebic, key=ebic.get) == 4


# ---------------------------------------------------------------- degenerate solutions


def test_degenerate_runs_never_win():
    """Eleven objects in four clusters: many starts run off; the best of the others is kept."""
    fits, degenerate = [], PAPER | {"reg_covar": 0.0}
    for seed in range(12):
        try:
            fits.append(EGMM(4, random_state=seed, **degenerate).fit(DIAMOND))
        except DegenerateMixture:
            continue
    assert 0 < len(fits) < 12
    fit = EGMM(4, n_init=12, random_state=0, **degenerate).fit(DIAMOND)
    assert 0 < fit.n_degenerate_ < 12
    values = np.linalg.eigvalsh(fit.covariances_)
    assert values[0] > 1e-10 and np.isfinite(fit.log_likelihood_)


def test_if_all_runs_are_degenerate_the_error_names_the_way_out():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 5, axis=0)
    with pytest.raises(DegenerateMixture, match=r"3 of 3 starts: a covariance .* Use fewer clusters"):
        EGMM(3, n_init=3, random_state=0).fit(X)
    fit = EGMM(3, reg_covar=0.01, random_state=0).fit(X)
    np.testing.assert_array_equal(np.bincount(fit.labels_), [5, 5, 5])


def test_means_that_nothing_determines_are_refused():
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
    fit = EGMM(2, noise=False, reg_covar=0.05, init=X[:2], tol=0.0, max_iter=5000).fit(X)
    assert fit.converged_ and fit.n_iter_ < 5000
    following = maximised(moments_of(fit, X), fit._mixture, fit._model)
    below = moments(fit._frame.transform(X), following, fit._model).log_likelihood
    assert below < moments_of(fit, X).log_likelihood


def moments_of(fit, X):
    return moments(fit._frame.transform(X), fit._mixture, fit._model)


def test_the_starting_covariance_is_that_of_clusters_of_two_objects_on():
    X = np.array([[0.0, 0], [1, 3], [5, 5], [6, 7], [9, 5], [20, 20]])
    labels = np.array([0, 0, 1, 1, 1, 2])
    expected = (np.cov(X[:2].T) + np.cov(X[2:5].T)) / 2
    np.testing.assert_allclose(start_covariance(X, labels, 3), expected)
