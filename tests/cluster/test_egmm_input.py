"""EGMM: what it refuses, by name, and what it survives."""

import warnings

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import EGMM, DegenerateMixture
from tests.cluster.mixture.problems import groups


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (np.arange(8.0).reshape(4, 2), {"n_clusters": 3}, "at least 5 objects, or reg_covar > 0, got 4"),
        (np.ones((9, 2)), {}, r"attributes that vary.* constant columns \[0, 1\]"),
        (np.ones((9, 2)), {"covariance_type": "spherical"}, r"constant columns \[0, 1\]"),
        (groups(), {"focal_sets": FocalSets.simple(2), "noise": False}, "focal sets without the empty set"),
        (groups(), {"focal_sets": FocalSets.from_sets(2, [[0, 1]])}, "means determine those of all clusters"),
        (groups(), {"init": [[0.0, 0.0], [1e200, 0.0]]}, r"finite numbers in init up to 1e\+100"),
        (groups(), {"reg_covar": 1e300}, "reg_covar <= 1e"),
    ],
)
def test_bad_input_is_refused(X, options, message):
    with pytest.raises(ValueError, match=message):
        EGMM(**{"n_clusters": 2} | options).fit(X)


@pytest.mark.parametrize("weights", [None, np.ones(16), np.arange(16) % 3])
def test_few_places_are_refused_whatever_the_weights(weights):
    X = np.repeat([[1.0, 3.0], [2.0, 1.0], [3.0, 3.0], [4.0, 1.0]], 4, axis=0)
    with pytest.raises(DegenerateMixture, match=r"1 of 1 starts: a covariance .* reg_covar > 0"):
        EGMM(2).fit(X, sample_weight=weights)
    assert np.isfinite(EGMM(2, reg_covar=0.01).fit(X, sample_weight=weights).objective_)


def test_objects_are_counted_by_their_weights():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match="at least 5 objects, or reg_covar > 0, got 4"):
        EGMM(3).fit(X, sample_weight=np.arange(40) < 4)
    with pytest.raises(DegenerateMixture):  # not refused by its number of objects
        EGMM(3).fit(X[:4], sample_weight=np.full(4, 2))


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
    with pytest.raises(ValueError, match=r"values of X up to 1e\+100"):
        fit.predict([[1e150, 0.0]])


@pytest.mark.parametrize("n", [30, 31])
def test_more_components_than_objects_are_warned_of_before_the_work(n, monkeypatch):
    """There are 31 of them; the warning comes before any start."""
    monkeypatch.setattr("credalbench.cluster.egmm.prototype_starts", lambda *given: iter(()))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(DegenerateMixture):  # of no start
            EGMM(5, focal_sets="full", noise=False, init="k-means").fit(
                np.random.default_rng(0).normal(size=(n, 2))
            )
    expected = [
        "31 components for 30 objects: most will describe no object. "
        "Use fewer focal sets, such as focal_sets="
    ]
    assert [str(one.message).partition('"')[0] for one in caught] == expected * (n == 30)
    assert all(one.filename == __file__ for one in caught)
