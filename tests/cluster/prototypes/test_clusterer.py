"""ECM and CECM alike: degenerate data."""

import warnings

import numpy as np
import pytest

from credalbench.cluster import CECM, ECM

#: The classes, with what their fit takes beside the objects.
LINKS = {ECM: {}, CECM: {"must_link": [(0, 1)], "cannot_link": [(0, 39)]}}


@pytest.mark.parametrize("cls", LINKS)
@pytest.mark.parametrize("kind", ["constant", "collinear"])
def test_singular_covariance_is_reported_and_survived(cls, kind):
    """The attribute that adds nothing changes nothing for the Euclidean metric, and gets a ridge."""
    rng = np.random.default_rng(0)
    plain = np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 6])
    extra = np.full(40, 7.0) if kind == "constant" else plain.sum(axis=1)
    X = np.column_stack([plain, extra])
    with pytest.warns(UserWarning, match="covariance of cluster 1, 2 is singular") as caught:
        fit = cls(2, metric="mahalanobis", random_state=0).fit(X, **LINKS[cls])
    assert len(caught) == 1
    assert fit.ridged_.all()
    assert np.isfinite(fit.partition_.masses).all()
    assert np.diff(fit.objective_trace_).max() <= 1e-9 * fit.objective_trace_[0]  # condition of the ridge
    assert len(np.unique(fit.labels_[:20])) == len(np.unique(fit.labels_[20:])) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not cls(2, random_state=0).fit(X, **LINKS[cls]).ridged_.any()


@pytest.mark.parametrize("cls", LINKS)
@pytest.mark.parametrize("init", ["k-means++", "random", [[0.0], [0.0], [4.0]]])
def test_coincident_prototypes_are_reported(cls, init):
    """Two places for three clusters: nothing is NaN, and the warning says so."""
    X = np.repeat([[0.0], [4.0]], 20, axis=0)
    with pytest.warns(UserWarning, match="prototypes coincide"):
        fit = cls(3, delta=1.0, init=init, random_state=0).fit(X, **LINKS[cls])
    assert np.isfinite(fit.partition_.masses).all()
    assert fit.labels_[0] != fit.labels_[39]
    if cls is ECM:  # constraints part objects at one place
        assert len(np.unique(fit.partition_.masses, axis=0)) == len(np.unique(fit.labels_)) == 2
