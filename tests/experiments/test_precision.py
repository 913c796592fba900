"""When a study has run often enough: how often verdicts err, and where runs end."""

import numpy as np
import pytest

from credalbench.core.intervals import mean
from credalbench.papers.judging import Comparison
from experiments.precision import looks, may_end


def test_looks_are_taken_each_time_the_runs_have_doubled():
    assert looks(100, 300) == [100, 200]
    assert looks(100, 401) == [100, 200, 400]
    assert looks(100, 100) == looks(3, 2) == []


def decided(values: np.ndarray, limit: float) -> tuple[bool | None, int]:
    """Return whether the mean is above the limit, and after how many runs that was judged."""
    most = len(values)
    for n in [*looks(25, most), most]:
        one = Comparison(mean(values[:n]), low=limit)
        if n == most or may_end([one], n, most):
            return one.holds, n
    raise AssertionError


@pytest.mark.parametrize("distance", [0.0, 0.05])
def test_looks_hardly_add_to_the_errors_of_verdicts(distance):
    """The mean is below the limit, or at it. "Above" is wrong: in 2.5 of 100 cases, 0.5 more for a look."""
    rng = np.random.default_rng(0)
    found = [decided(rng.normal(-distance, 1.0, 100), 0.0) for _ in range(2000)]
    wrong = np.mean([holds is True for holds, _ in found])
    assert wrong < 0.035 + 3 * (0.035 * 0.965 / 2000) ** 0.5
    assert {n for _, n in found} == {25, 50, 100}


def test_means_far_from_the_limit_are_judged_at_once_and_those_at_it_are_left_open():
    noise = np.random.default_rng(1).normal(0.0, 1.0, 100)
    assert decided(2.0 + noise, 0.0) == (True, 25)
    assert decided(noise - noise[:25].mean(), 0.0) == (None, 25)
