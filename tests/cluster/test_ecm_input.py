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
        ({"alpha": np.nan}, BUTTERFLY, "alpha"),
        ({"alpha": "one"}, BUTTERFLY, "alpha"),
        ({"beta": 1.0}, BUTTERFLY, "beta > 1"),
        ({"beta": np.inf}, BUTTERFLY, "beta"),
        ({"delta": 0.0}, BUTTERFLY, "delta > 0"),
        ({"delta": -1.0}, BUTTERFLY, "delta > 0"),
        ({"delta": None}, BUTTERFLY, "delta"),
        ({"metric": "manhattan"}, BUTTERFLY, "metric to be one of"),
        ({"focal_sets": FocalSets.from_sets(2, [[], [0]])}, BUTTERFLY, "every cluster"),
        ({"init": "kmeans"}, BUTTERFLY, "init to be"),
        ({"init": np.zeros((3, 2))}, BUTTERFLY, r"init of shape \(2, 2\)"),
        ({"init": np.full((2, 2), np.nan)}, BUTTERFLY, "finite numbers in init"),
    ],
)
def test_bad_input_is_refused_before_work_starts(kwargs, X, message):
    with pytest.raises(ValueError, match=message):
        ECM(**{"n_clusters": 2, **kwargs}).fit(X)
