"""When fits end: by themselves, or by max_iter, with a warning; see also `credalbench.cluster.testing`."""

import itertools
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import CECM, ECM, RECM, MixedECM
from credalbench.core.checks import at_rest


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


SETTINGS = [
    (model, alpha, beta, seed)
    for model in (ECM, CECM, MixedECM, RECM, FuzzyCMeans)
    for seed, (alpha, beta) in enumerate(itertools.product((-2.0, 1.0, 5.0), (1.1, 2.0, 5.0, 8.0)))
]


@pytest.mark.parametrize(("model", "alpha", "beta", "seed"), SETTINGS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_fit_stops_while_it_is_far_from_its_end(model, alpha, beta, seed):
    """From random objects with a large beta, the first move is tiny although the objective still falls."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 2)) + 5 * rng.integers(2, size=(120, 1))
    options = {"alpha": alpha, "beta": beta, "init": X[rng.choice(120, 3, replace=False)]}
    if model is FuzzyCMeans:
        options = {"m": beta, "init": options["init"]}
    elif model is CECM:
        options.pop("beta")
    elif model is RECM:
        options |= {"init": rng.dirichlet(np.ones(8), size=120)}
    fit = model(3, **options).fit(X)
    end = model(3, **options, **{"tol": 0.0, "max_iter": 1000}).fit(X)
    assert fit.objective_ - end.objective_ <= 2e-2 * end.objective_
    if fit.n_iter_ == 1:
        assert fit.objective_ - end.objective_ <= 1e-9 * end.objective_


def test_an_iteration_stops_when_its_moves_shrink():
    fall = [9.0, 5.0, 4.0, 3.5]
    assert not at_rest(fall, 0.1, [0.05])  # one small move
    assert not at_rest(fall, 0.1, [0.04, 0.05])  # moves that grow
    assert not at_rest(fall, 0.1, [0.09, 0.089])  # or hardly shrink: 8 are left
    assert not at_rest(fall, 0.1, [0.4, 0.2])
    assert at_rest(fall, 0.1, [0.1, 0.05])
    assert at_rest([9.0, 4.0, 4.0], 0.1, [0.05, 0.05])  # the objective is at its end
    assert at_rest([9.0, 4.0], 0.1, [0.0])
    assert at_rest([5.0, 4.1, 4.0], 0.2) and not at_rest([5.0, 4.1, 4.0], 0.05)
