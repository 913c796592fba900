"""Warnings of fits that max_iter ended; `credalbench.cluster.testing` checks them for every estimator."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from credalbench.cluster import ECM


def test_a_fit_that_max_iter_ends_warns_at_the_line_that_called_it(recwarn):
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.warns(ConvergenceWarning, match="ECM stopped at max_iter=1 .*Use ") as warned:
        ECM(2, max_iter=1, random_state=0).fit(X)
    assert [warning.filename for warning in warned] == [__file__]
    ECM(2, n_init=3, random_state=0).fit(X)
    ECM(2, max_iter=0, random_state=0).fit(X)  # asks for the start
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        ECM(2, max_iter=1, random_state=0).fit(X)
    assert not recwarn
