"""ECM and CECM alike: scikit-learn's contract, prediction."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from credalbench.cluster import CECM, ECM
from credalbench.datasets import load

METRICS = ["euclidean", "mahalanobis"]
BUTTERFLY = load("butterfly").X
#: The classes, with what their fit takes beside the objects.
LINKS = {ECM: {}, CECM: {"must_link": [(0, 1)], "cannot_link": [(0, 10)]}}
ONE_CLUSTER = "sets n_clusters=1, which is refused: a credal partition needs two clusters; see the next test"
EXPECTED_FAILURES = dict.fromkeys(
    [
        "check_dont_overwrite_parameters",
        "check_methods_subset_invariance",
        "check_fit2d_1feature",
        "check_fit2d_predict1d",
    ],
    ONE_CLUSTER,
)


@parametrize_with_checks(
    [cls(n_clusters=3, metric=metric, random_state=0) for cls in LINKS for metric in METRICS],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
@pytest.mark.filterwarnings("ignore::UserWarning")  # tiny data: singular covariances, too many clusters
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", LINKS)
@pytest.mark.parametrize("metric", METRICS)
def test_what_the_expected_failures_check_holds_with_two_clusters(cls, metric):
    """Parameters are left alone, fit adds only names that end in an underscore, one attribute is enough,
    predictions depend neither on the company nor on the order."""
    estimator = cls(2, metric=metric, random_state=0)
    before = estimator.get_params()
    fit = estimator.fit(BUTTERFLY[:, :1], **LINKS[cls])
    assert estimator.get_params() == before
    assert all(name in before or name.endswith("_") or name.startswith("_") for name in vars(estimator))
    new = np.linspace(-5, 5, 50)[:, None]
    together = fit.predict_partition(new).masses
    alone = np.concatenate([fit.predict_partition(new[i : i + 1]).masses for i in range(50)])
    np.testing.assert_allclose(alone, together, rtol=1e-12)  # sums in another order
    np.testing.assert_allclose(fit.predict_partition(new[::-1]).masses[::-1], together, rtol=1e-12)
    with pytest.raises(ValueError, match="2D"):
        fit.predict(new[0])


@pytest.mark.parametrize("cls", LINKS)
def test_new_objects_need_the_attributes_of_the_fit(cls):
    fit = cls(2, random_state=0).fit(BUTTERFLY)
    with pytest.raises(ValueError, match="features"):
        fit.predict(BUTTERFLY[:, :1])
