"""Warnings of fits that max_iter ended; `credalbench.testing` checks them for every estimator."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from credalbench.cluster import ECM
from credalbench.convergence import no_convergence_warnings


def test_a_fit_that_max_iter_ends_warns_at_the_line_that_called_it(recwarn):
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.warns(ConvergenceWarning, match="ECM stopped at max_iter=1 .*Instead: ") as warned:
        ECM(2, max_iter=1, random_state=0).fit(X)
    assert [warning.filename for warning in warned] == [__file__]
    ECM(2, n_init=3, random_state=0).fit(X)
    ECM(2, max_iter=0, random_state=0).fit(X)  # asks for the start
    with no_convergence_warnings():
        ECM(2, max_iter=1, random_state=0).fit(X)
    assert not recwarn
