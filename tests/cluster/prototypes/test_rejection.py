"""Distance to the empty set from a share of outliers."""

import warnings

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import ECM, RECM, CatECM, MixedECM, MultiViewECM, delta_for_rejection_rate
from credalbench.cluster.prototypes.rejection import _next_delta, limits
from credalbench.datasets import load, make_t4

BUTTERFLY = load("butterfly").X
T4 = make_t4(200, random_state=0).X


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.3])
@pytest.mark.parametrize("focal_sets", ["full", "simple"])
@pytest.mark.parametrize("beta", [1.5, 2.0])
def test_given_share_of_objects_is_rejected(share, focal_sets, beta):
    estimator = ECM(4, beta=beta, focal_sets=focal_sets, delta=123.0, random_state=0)
    found = delta_for_rejection_rate(estimator, T4, share)
    assert abs(found.rate - share) <= 1 / len(T4)  # one object
    assert found.rate == found.fit.partition_.outliers().mean()
    assert found.fit.delta == found.delta
    assert estimator.delta == 123.0
    again = ECM(4, beta=beta, focal_sets=focal_sets, delta=found.delta, init=found.fit.cluster_centers_)
    assert again.fit(T4).partition_.outliers().mean() == pytest.approx(share, abs=3 / len(T4))
    # it goes on where `tol` stopped the other


@pytest.mark.parametrize("beta", [1.5, 2.0, 3.0])
def test_limit_of_an_object_is_where_it_becomes_an_outlier(beta):
    fit = ECM(2, delta=3.0, beta=beta, random_state=0).fit(BUTTERFLY)
    V = fit.cluster_centers_
    for i, limit in enumerate(limits(fit)):
        for factor, rejected in ((0.999, True), (1.001, False)):
            other = ECM(2, delta=factor * limit, beta=beta, init=V, max_iter=1).fit(BUTTERFLY)
            other.cluster_centers_ = V  # prototypes as they are
            assert other.predict_partition(BUTTERFLY[[i]]).outliers()[0] == rejected


@pytest.mark.parametrize("share", [0.0, 2 / 13, 0.4])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.filterwarnings("ignore:prototypes coincide")
def test_categories_too(share, normalize):
    """Which the cat-ECM paper recommends. Objects 12 and 13 of Cat-diamond are far from all."""
    X = load("cat_diamond").to_frame()
    found = delta_for_rejection_rate(CatECM(2, normalize=normalize, random_state=0), X, share)
    assert found.rate == found.fit.partition_.outliers().mean()
    assert abs(found.rate - share) <= 2 / 13  # objects of one kind are outliers together
    if share == 2 / 13:
        assert (found.fit.partition_.outliers().nonzero()[0] + 1).tolist() == [12, 13]


@pytest.mark.parametrize("share", [0.0, 0.05, 0.2])
def test_numbers_and_categories_too(share):
    table = pd.DataFrame(T4, columns=["u", "v"]).assign(colour=np.where(T4[:, 0] > 0, "red", "blue"))
    table.loc[::7, "colour"] = "green"  # prototypes may share the weight of a colour
    found = delta_for_rejection_rate(MixedECM(4, random_state=0), table, share)
    assert abs(found.rate - share) <= 2 / len(table)  # a share may jump by an object
    assert found.fit.delta == found.delta and found.fit.delta_ == found.delta


def test_a_share_means_the_nearest_whole_number_of_objects():
    """29 of 100, though 100 * 0.29 is 28.999999999999996: delta lies between limits 29 and 30 from above."""
    assert _next_delta(np.arange(1.0, 101.0), 0.29, 0.0, np.inf) == 71.5
    assert _next_delta(np.arange(1.0, 13.0), 1 / 12, 0.0, np.inf) == 11.5


@pytest.mark.filterwarnings("ignore:the covariance")
def test_share_that_jumps_gives_the_nearest_of_those_tried():
    """On twelve objects an adaptive metric collapses onto few of them all at once."""
    found = delta_for_rejection_rate(ECM(2, metric="mahalanobis", random_state=0), BUTTERFLY, 0.3)
    assert found.rate == found.fit.partition_.outliers().mean()
    assert abs(found.rate - 0.3) < 0.3


def test_warnings_are_those_of_the_fit_that_is_returned():
    X = np.column_stack([T4, np.ones(len(T4))])
    estimator = ECM(4, metric="mahalanobis", random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = delta_for_rejection_rate(estimator, X, 0.0)
    assert found.fit.ridged_.any()
    assert len([remark for remark in caught if "covariance" in str(remark.message)]) == 1


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({"share": -0.1}, BUTTERFLY, "share >= 0"),
        ({"share": 1.0}, BUTTERFLY, "share < 1"),
        ({"share": np.nan}, BUTTERFLY, "share"),
        ({"share": 0.1, "max_fits": 0}, BUTTERFLY, "max_fits"),
        ({"share": 0.1}, np.ones((5, 2)), "two different objects"),
        ({"share": 0.1}, np.where(BUTTERFLY == 10, np.nan, BUTTERFLY), "NaN"),
    ],
)
def test_bad_input_is_refused(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        delta_for_rejection_rate(ECM(2), X, **kwargs)


def test_focal_sets_without_the_empty_set_are_refused():
    with pytest.raises(ValueError, match="the empty set among"):
        delta_for_rejection_rate(ECM(2, focal_sets=FocalSets.full(2, empty=False)), BUTTERFLY, 0.1)


@pytest.mark.parametrize("estimator", [RECM(2), MultiViewECM(2)])
def test_methods_without_prototypes_are_refused_by_name(estimator):
    X = np.random.default_rng(0).normal(size=(30, 2)) + 6 * (np.arange(30) % 2)[:, None]
    with pytest.raises(ValueError, match=rf"prototypes, such as ECM, got '{type(estimator).__name__}'"):
        delta_for_rejection_rate(estimator, X, 0.1)
