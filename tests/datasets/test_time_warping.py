"""Dynamic time warping against all walks, one by one, and its laws."""

import numpy as np
import pytest

from credalbench.datasets import load
from credalbench.datasets.time_warping import gesture_dissimilarities, time_warping
from tests.data_files import needs_files

STEPS = ((0, 1), (1, 0), (1, 1))


def cheapest_walk(one, other, s=0, t=0):
    """The least sum over every walk from points (s, t) to the last points, by trying all of them."""
    here = float(np.linalg.norm(one[s] - other[t]))
    if (s, t) == (len(one) - 1, len(other) - 1):
        return here
    ahead = ((s + a, t + b) for a, b in STEPS if s + a < len(one) and t + b < len(other))
    return here + min(cheapest_walk(one, other, *place) for place in ahead)


@pytest.mark.parametrize(("points", "dimensions"), [(1, 2), (5, 2), (4, 3)])
def test_kernel_finds_the_cheapest_walk(points, dimensions):
    paths = np.random.default_rng(0).random((6, points, dimensions))
    expected = [[cheapest_walk(one, other) if one is not other else 0 for other in paths] for one in paths]
    D = time_warping(paths)
    assert np.allclose(D, expected, rtol=1e-13)  # the same sums in another order
    assert np.array_equal(D, D.T)


@pytest.fixture(scope="module")
def paths():
    return np.random.default_rng(1).random((8, 20, 2))


def test_never_more_than_walking_in_step(paths):
    in_step = np.linalg.norm(paths[:, None] - paths, axis=3).sum(axis=2)
    assert (time_warping(paths) <= in_step + 1e-12).all()  # the walk in step, added up in another order


def test_waiting_costs_nothing():
    steady = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    waits = steady[[0, 0, 1, 3]]
    late = steady[[0, 1, 1, 3]]
    assert time_warping([waits, late])[0, 1] == 0


def test_reversed_walks_cost_the_same(paths):
    assert np.allclose(time_warping(paths), time_warping(paths[:, ::-1]), rtol=1e-13)  # sums backwards


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (np.zeros((3, 4)), r"\(n, points, dimensions\), got \(3, 4\)"),
        (np.zeros((2, 0, 2)), r"got \(2, 0, 2\)"),
        (np.full((2, 2, 2), np.inf), "infinite"),
    ],
)
def test_what_is_no_stack_of_trajectories_is_refused(paths, message):
    with pytest.raises(ValueError, match=message):
        time_warping(paths)


def test_another_data_set_is_refused():
    with pytest.raises(ValueError, match="'libras', got 'iris'"):
        gesture_dissimilarities(load("iris"))


@needs_files
def test_stand_in_for_the_gestures_is_no_metric():
    data = load("libras_warping")
    assert data.D.shape == (360, 360) and data.status == "substitute" and "Delft" in data.substitute_for
    D = data.D
    broken = sum(int((D[:, [k]] + D[[k], :] < D - 1e-9).sum()) for k in range(len(D)))
    assert round(100 * broken / (360 * 359 * 358), 2) == 0.47  # percent, as measured independently
    others = D + np.diag(np.full(360, np.inf))
    assert round(100 * (data.y[others.argmin(axis=1)] != data.y).mean(), 1) == 6.4


@needs_files
def test_a_smaller_stand_in_is_a_part_of_the_larger():
    small, large = gesture_dissimilarities(load("libras"), per_class=3), load("libras_warping")
    assert small.class_counts["1"] == 3
    rows = np.concatenate([np.flatnonzero(large.y == k)[:3] for k in range(15)])
    assert np.array_equal(small.D, large.D[np.ix_(np.sort(rows), np.sort(rows))])


@needs_files
def test_where_a_gesture_is_made_does_not_matter():
    libras = load("libras")
    moved = type(libras)("libras", X=libras.X + np.tile([3.0, -2.0], 45), y=libras.y)
    # coordinates move by rounding, distances add 90 of them
    assert np.allclose(gesture_dissimilarities(moved, 2).D, gesture_dissimilarities(libras, 2).D, atol=1e-11)
