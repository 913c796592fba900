"""The stopping rule that the solvers of EVCLUS share."""

from itertools import pairwise

import numpy as np

from credalbench.cluster.conflict.solvers import Trajectory


def test_stopping_rule_is_the_printed_recursion():
    """[denoeux2016_evclus (21a)], [denoeux2016_evclus (21b)], term by term, and a stress of zero."""
    stress = [1.0, 0.5, 0.4, 0.4, 0.4, 0.4]
    expected, e = [], 1.0
    for previous, value in pairwise(stress):
        e = 0.5 * e + 0.5 * abs(value - previous) / previous
        expected.append(e)
    for tol in (0.6, 0.3, 0.1):
        trajectory = Trajectory(np.zeros((1, 1)))
        stopped = [trajectory.record(value, tol) for value in stress][1:]
        assert stopped == [e < tol for e in expected]
    assert Trajectory(np.zeros((1, 1))).record(0.0, 0.0)
