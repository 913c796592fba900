"""Labels keep the numbers of the clusters; a cluster without objects leaves a gap, and is named."""

import warnings

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.decision import EmptyClusters, labels_of
from credalbench.cluster import ECM, EVCLUS
from credalbench.explore.stepping import without_numbers


def test_clusters_without_objects_are_named_as_they_print():
    subsets = FocalSets.simple(4)
    partition = CredalPartition.from_labels(np.array([1, 3, 3]), subsets)
    with pytest.warns(UserWarning, match=r"2 of 4 clusters have no object: \{1\}, \{3\}\. ") as warned:
        assert labels_of(partition).tolist() == [1, 3, 3]
    assert [warning.filename for warning in warned] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labels_of(CredalPartition.from_labels(np.arange(4), subsets), "pignistic")


def test_an_explorer_shows_how_many_without_their_numbers():
    """It shows clusters under numbers of its own."""
    with pytest.warns(EmptyClusters) as warned:
        labels_of(CredalPartition.from_labels(np.array([0, 2]), 3))
    assert str(warned[0].message).startswith("1 of 3 clusters has no object: {2}. ")
    assert without_numbers(warned[0].message) == "1 of 3 clusters has no object"
    assert without_numbers(UserWarning("cluster 1 is singular")) == "cluster 1 is singular"


@pytest.mark.parametrize(
    "estimator",
    [
        ECM(3, init=[[0.0, 0.0], [0.0, 0.0], [8.0, 8.0]]),  # two stay at one place
        EVCLUS(9, d0_quantile=0.9, init="random", random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_masses_and_prototypes_can_be_indexed_by_labels(estimator):
    """Two groups, and more clusters than that."""
    X = np.concatenate([np.random.default_rng(0).normal(size=(30, 2)) + at for at in (0.0, 8.0)])
    with pytest.warns(UserWarning, match="clusters ha(s|ve) no object") as warned:
        fit = estimator.fit(X)
    assert {warning.filename for warning in warned} == {__file__}
    rule = "plausibility" if isinstance(estimator, EVCLUS) else "pignistic"
    np.testing.assert_array_equal(fit.labels_, fit.partition_.labels(rule))
    assert len(np.unique(fit.labels_)) < fit.labels_.max() + 1  # a gap
    contour = fit.partition_.contour
    np.testing.assert_allclose(contour[np.arange(60), fit.labels_], contour.max(axis=1), atol=1e-12)  # ties
    if hasattr(fit, "cluster_centers_"):
        far = np.linalg.norm(X - fit.cluster_centers_[fit.labels_], axis=1)
        assert far.max() < 6  # each object is by its own prototype
        np.testing.assert_array_equal(fit.predict(X), fit.labels_)
