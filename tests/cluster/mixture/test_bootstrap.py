"""Mixtures by BIC, collapsed ones, refits to samples; intervals of pairs, tile by tile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.mixture import GaussianMixture

from credalbench.cluster.mixture import bootstrap
from credalbench.cluster.mixture.bootstrap import (
    COVARIANCES,
    bootstrapped,
    component_covariances,
    fitted_mixture,
    has_collapsed,
    interval_targets,
    mixture_by_bic,
    targets_of_others,
)
from tests.oracles import bootgmm as literal

RIDGE = 1e-6


@pytest.fixture(scope="module")
def groups():
    """Two long groups of the same shape."""
    rng = np.random.default_rng(0)
    shape = np.array([[2.0, 1.5], [0.0, 0.4]])
    X = np.vstack([rng.normal(size=(60, 2)) @ shape, rng.normal(size=(60, 2)) @ shape + [0, 5]])
    return X - X.mean(axis=0)


@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_covariances_of_components_are_those_of_their_type(groups, covariance_type):
    model = fitted_mixture(groups, 2, covariance_type, RIDGE, random_state=0)
    found = component_covariances(model)
    full = GaussianMixture(2)
    full.weights_, full.means_ = model.weights_, model.means_
    full.precisions_cholesky_ = np.linalg.cholesky(np.linalg.inv(found))
    np.testing.assert_allclose(full.score_samples(groups), model.score_samples(groups), rtol=1e-9)


def test_bic_chooses_number_and_covariance_type(groups):
    """Both groups have the covariance that they were made with."""
    rng = np.random.RandomState(0)
    chosen = mixture_by_bic(groups, [1, 2, 3], COVARIANCES, RIDGE, 1, rng)
    assert (chosen.mixture.n_components, chosen.mixture.covariance_type) == (2, "tied")
    assert not chosen.has_collapsed
    n, n_parameters = len(groups), 1 + 4 + 3
    log_likelihood = chosen.mixture.score_samples(groups).sum()
    assert chosen.bic == pytest.approx(log_likelihood - n_parameters / 2 * np.log(n))


def test_a_mixture_that_sits_on_equal_values_does_not_win():
    """Twenty objects at one value: the likelihood of a component there is bounded by the ridge only."""
    X = np.r_[np.random.default_rng(0).normal(size=40), np.full(20, 3.0)][:, None]
    one, two = (fitted_mixture(X, c, "full", RIDGE, random_state=0) for c in (1, 2))
    assert two.bic(X) < one.bic(X) - 100  # scikit-learn's, to be minimised
    assert (has_collapsed(one, X, RIDGE), has_collapsed(two, X, RIDGE)) == (False, True)
    chosen = mixture_by_bic(X, (1, 2), ["full"], RIDGE, 1, np.random.RandomState(0))
    assert chosen.mixture.n_components == 1


def test_flat_data_have_not_collapsed():
    """A constant attribute is on the ridge in every mixture, and in the data themselves."""
    X = np.c_[np.random.default_rng(1).normal(size=(40, 2)) * [1, 3], np.zeros(40)]
    for covariance_type in COVARIANCES:
        assert not has_collapsed(fitted_mixture(X, 2, covariance_type, RIDGE, random_state=0), X, RIDGE)
    model = fitted_mixture(X, 2, "full", RIDGE, random_state=0)
    model.covariances_[1, 0] = model.covariances_[1, :, 0] = 0.0
    model.covariances_[1, 0, 0] = RIDGE
    assert has_collapsed(model, X, RIDGE)


def test_the_first_of_mixtures_that_have_all_collapsed_by_bic():
    X = np.repeat([[0.0], [1.0], [2.0]], 5, axis=0)
    chosen = mixture_by_bic(X, [3], COVARIANCES, RIDGE, 1, np.random.RandomState(0))
    assert chosen.has_collapsed


def test_covariances_that_cannot_be_inverted_are_named():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
    with pytest.raises(
        ValueError, match=r"^expected covariances that can be inverted.*got from 2 components"
    ):
        fitted_mixture(X, 2, "full", 0.0, random_state=0)


def test_refits_are_those_of_samples_from_the_fit(groups):
    model = fitted_mixture(groups, 2, "full", RIDGE, random_state=0)
    refits, posteriors = bootstrapped(model, groups, np.array([7, 8]), None)
    assert posteriors.shape == (120, 2, 2)
    assert posteriors.dtype == np.float32
    for b, seed in enumerate((7, 8)):
        sample = groups[np.random.RandomState(seed).randint(120, size=120)]
        start = {
            "weights_init": model.weights_,
            "means_init": model.means_,
            "precisions_init": model.precisions_,
        }
        expected = fitted_mixture(sample, 2, "full", RIDGE, **start)
        np.testing.assert_array_equal(refits[b].means_, expected.means_)
        np.testing.assert_allclose(posteriors[:, :, b], expected.predict_proba(groups), atol=1e-7)  # single


def test_refits_keep_the_names_of_components_and_do_not_stop_at_the_fit(groups):
    """With scikit-learn's own tolerance they would stay too near to it."""
    model = fitted_mixture(groups, 2, "tied", RIDGE, random_state=0)
    refits, _ = bootstrapped(model, groups, np.arange(200), None)
    means = np.array([refit.means_ for refit in refits])
    np.testing.assert_allclose(means.mean(axis=0), model.means_, atol=0.1)  # far less than between them
    spread = means.std(axis=0)
    expected = np.sqrt(np.diag(model.covariances_) / 60)  # of a mean of 60 objects
    np.testing.assert_allclose(spread, np.tile(expected, (2, 1)), rtol=0.25)  # of 200 samples, groups overlap


def posteriors(seed, n=7, c=3, B=9):
    drawn = np.random.default_rng(seed).dirichlet(np.full(c, 0.5), (n, B)).astype(np.float32)
    return np.ascontiguousarray(drawn.transpose(0, 2, 1))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 6),
    st.integers(1, 4),
    st.integers(1, 12),
    st.sampled_from([0.5, 0.9, 0.99]),
)
def test_targets_are_the_literal_quantiles_of_every_pair(seed, n, c, B, confidence):
    P = posteriors(seed, n, c, B)
    levels = (1 - confidence) / 2, (1 + confidence) / 2
    lower, upper = literal.intervals(P.transpose(2, 0, 1).astype(float), confidence)
    targets = interval_targets(P, levels)
    off = ~np.eye(n, dtype=bool)
    np.testing.assert_allclose(targets[:, 0], lower, atol=1e-6)  # single precision
    np.testing.assert_allclose(targets[:, 1][off], (1 - upper)[off], atol=1e-6)
    assert (targets[np.arange(n), :, np.arange(n)] == 0).all()
    assert (targets >= 0).all()
    assert (targets.sum(axis=1) <= 1 + 1e-6).all()  # lower end below upper one, in single precision


@pytest.mark.parametrize("tile", [1, 40, 10**6])
def test_tiles_and_threads_change_no_bit(tile, monkeypatch):
    P = posteriors(0, n=23)
    whole = interval_targets(P, (0.05, 0.95))
    monkeypatch.setattr(bootstrap, "TILE", tile)
    for n_jobs in (1, 2):
        assert interval_targets(P, (0.05, 0.95), n_jobs).tobytes() == whole.tobytes()
    assert targets_of_others(P[:5], P, (0.05, 0.95))[:, :, 5:].tobytes() == whole[:5, :, 5:].tobytes()
