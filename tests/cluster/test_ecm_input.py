"""ECM: bad input is refused."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import ECM
from credalbench.datasets import load

BUTTERFLY = load("butterfly").X


@pytest.mark.parametrize(
    ("kwargs", "X", "message"),
    [
        ({}, np.where(BUTTERFLY == 10, np.nan, BUTTERFLY), "NaN"),
        ({}, np.where(BUTTERFLY == 10, np.inf, BUTTERFLY), "infinity"),
        ({"n_clusters": 1}, BUTTERFLY, "2 <= n_clusters"),
        ({"n_clusters": 13}, BUTTERFLY, "n_clusters <= n_samples = 12"),
        ({"n_clusters": 2.5}, BUTTERFLY, "integer n_clusters"),
        ({"alpha": np.nan}, BUTTERFLY, "alpha"),
        ({"alpha": "one"}, BUTTERFLY, "alpha"),
        ({"beta": 1.0}, BUTTERFLY, "beta > 1"),
        ({"beta": np.inf}, BUTTERFLY, "beta"),
        ({"delta": 0.0}, BUTTERFLY, "delta > 0"),
        ({"delta": -1.0}, BUTTERFLY, "delta > 0"),
        ({"delta": None}, BUTTERFLY, "delta"),
        ({"metric": "manhattan"}, BUTTERFLY, "metric to be one of"),
        ({"tol": -1.0}, BUTTERFLY, "tol"),
        ({"max_iter": 0}, BUTTERFLY, "max_iter"),
        ({"n_init": 0}, BUTTERFLY, "n_init"),
        ({"focal_sets": "some"}, BUTTERFLY, "focal_sets"),
        ({"focal_sets": FocalSets.simple(3)}, BUTTERFLY, "over 2 clusters"),
        ({"focal_sets": FocalSets.from_sets(2, [[], [0]])}, BUTTERFLY, "every cluster"),
        ({"init": "kmeans"}, BUTTERFLY, "init to be"),
        ({"init": np.zeros((3, 2))}, BUTTERFLY, r"init of shape \(2, 2\)"),
        ({"init": np.full((2, 2), np.nan)}, BUTTERFLY, "finite numbers in init"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        ECM(**{"n_clusters": 2, **kwargs}).fit(X)
