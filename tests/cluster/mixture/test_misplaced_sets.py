"""EGMM warns when a separated class lies where a set of clusters must lie, and is silent about real doubt."""

import warnings

import numpy as np
import pytest

from credalbench.cluster import EGMM
from credalbench.explore import EGMMModel

WORDS = "do not lie between clusters"


def three_in_a_row(distance, rng):
    """Return three Gaussian classes of 80 objects on a line, `distance` standard deviations apart."""
    return np.vstack([rng.standard_normal((80, 2)) + [k * distance, 0] for k in range(3)])


@pytest.mark.parametrize("covariance_type", ["tied", "full", "diag", "spherical"])
def test_a_class_in_the_middle_of_two_others_is_reported(covariance_type):
    X = three_in_a_row(8.0, np.random.default_rng(0))
    outer = X[[0, 160]]  # one of each outer class: the set of both is in the middle
    with pytest.warns(UserWarning, match=r"of \d+ objects with most mass on several clusters " + WORDS):
        fit = EGMM(2, init=outer, covariance_type=covariance_type).fit(X)
    assert (fit.partition_.hard_credal()[80:160] == 3).mean() > 0.9  # Ω
    weighted = EGMM(2, init=outer, covariance_type=covariance_type)
    with pytest.warns(UserWarning, match=WORDS):
        weighted.fit(X, sample_weight=np.full(len(X), 2.0))


@pytest.mark.parametrize("distance", [2.0, 3.0])
def test_objects_between_overlapping_classes_are_not_reported(distance):
    rng = np.random.default_rng(1)
    X = np.vstack([rng.standard_normal((200, 2)) + [k * distance, 0] for k in range(2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        EGMM(2, random_state=0).fit(X)


@pytest.mark.parametrize("n_clusters", [3, 4])
def test_the_explorer_shows_the_warning_for_four_separated_classes(n_clusters):
    model = EGMMModel("mixture", n_classes=4, overlap=0.03, n_clusters=n_clusters)
    on_sets = model.fitted.partition.focal_sets.cardinality[model.fitted.partition.hard_credal()] > 1
    assert max(on_sets[model.subject.y == k].mean() for k in range(4)) > 0.7
    assert WORDS in model.message and not model.is_error
    model.n_classes = model.n_clusters = 3
    assert WORDS not in model.message
