"""Stand-ins: image distortion against its formula, time warping against all walks, and the laws of both."""

import numpy as np
import pytest

from credalbench.datasets import load
from credalbench.datasets.stand_ins import (
    digit_dissimilarities,
    directed_distortion,
    first_of_each_class,
    gesture_dissimilarities,
    image_distortion,
    time_warping,
)
from tests.data_files import needs_files

SHIFTS = [(u, v) for u in (-1, 0, 1) for v in (-1, 0, 1)]
STEPS = ((0, 1), (1, 0), (1, 1))


def literal_distortion(one, other):
    """d(i, j) as written: pixel by pixel, shift by shift, window by window."""
    one, other = np.pad(one.astype(float), 2), np.pad(other.astype(float), 2)
    total = 0.0
    for x in range(2, one.shape[0] - 2):
        for y in range(2, one.shape[1] - 2):
            window = one[x - 1 : x + 2, y - 1 : y + 2]
            total += min(
                np.sum((window - other[x + u - 1 : x + u + 2, y + v - 1 : y + v + 2]) ** 2) for u, v in SHIFTS
            )
    return total


@pytest.fixture
def images():
    return np.random.default_rng(0).integers(0, 17, size=(5, 6, 4))


@pytest.mark.parametrize("shape", [(6, 4), (1, 1), (2, 7)])
def test_distortion_is_its_formula(shape):
    images = np.random.default_rng(1).integers(0, 17, size=(5, *shape))
    expected = [[literal_distortion(one, other) for other in images] for one in images]
    assert np.array_equal(directed_distortion(images), expected)  # whole numbers: exact in single precision


def test_distortion_is_its_formula_for_any_grey_levels():
    images = np.random.default_rng(2).random((4, 8, 8))
    expected = [[literal_distortion(one, other) for other in images] for one in images]
    # sums of 576 terms in single precision
    assert np.allclose(directed_distortion(images), expected, rtol=1e-5)


def test_symmetric_form_is_the_root_of_the_mean_of_both_directions(images):
    directed = directed_distortion(images).astype(float)
    assert not np.array_equal(directed, directed.T)
    D = image_distortion(images)
    assert np.array_equal(D, D.T) and not np.diag(D).any()
    assert np.allclose(D**2, (directed + directed.T) / 2, rtol=1e-14)  # a root, squared again


def test_one_image_is_a_matrix_of_one_zero():
    assert image_distortion(np.ones((1, 2, 2))).tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (np.zeros((3, 4)), r"\(n, rows, columns\), got \(3, 4\)"),
        (np.zeros((0, 2, 2)), r"got \(0, 2, 2\)"),
        (np.full((2, 2, 2), np.nan), "NaN"),
    ],
)
def test_arrays_that_are_not_stacks_of_images_are_refused(images, message):
    with pytest.raises(ValueError, match=message):
        image_distortion(images)


def test_first_of_each_class_keeps_the_order():
    y = np.array([1, 0, 1, 0, 1, 2])
    assert first_of_each_class(y, 2).tolist() == [0, 1, 2, 3, 5]
    assert first_of_each_class(y, None).tolist() == list(range(6))
    with pytest.raises(ValueError, match="at least 1, got 0"):
        first_of_each_class(y, 0)


def gram_eigenvalues(D):
    centring = np.eye(len(D)) - 1 / len(D)
    return np.linalg.eigvalsh(-0.5 * centring @ D**2 @ centring)


def test_substitute_of_the_bundled_digits_is_not_euclidean_and_has_a_description():
    data = digit_dissimilarities(load("digits"), per_class=20)
    assert data.D.shape == (200, 200) and data.class_counts["0"] == 20
    assert data.status == "substitute" and "Zongker" in data.substitute_for and "Stand-in" in data.description
    eigenvalues = gram_eigenvalues(data.D)
    assert -eigenvalues[eigenvalues < 0].sum() > 0.05 * np.abs(eigenvalues).sum()  # 0.2 with all digits


def test_smaller_sets_of_digits_are_parts_of_larger_ones():
    small, large = (digit_dissimilarities(load("digits"), per_class) for per_class in (2, 4))
    rows = first_of_each_class(large.y, 2)
    assert np.array_equal(small.D, large.D[np.ix_(rows, rows)])


@pytest.mark.long
def test_nearest_neighbours_are_mostly_of_the_same_digit():
    data = load("digits_distortion")
    others = data.D + np.diag(np.full(data.n_objects, np.inf))
    errors = (data.y[others.argmin(axis=1)] != data.y).mean()
    assert round(100 * errors, 1) == 1.1  # percent, as measured independently


@needs_files
def test_stand_in_of_the_papers_size():
    data = digit_dissimilarities(load("mfeat_pix"), per_class=10)
    assert data.name == "mfeat_pix_distortion" and data.D.shape == (100, 100)
    image = load("mfeat_pix").X.reshape(-1, 16, 15)[first_of_each_class(load("mfeat_pix").y, 10)]
    expected = (literal_distortion(image[3], image[70]) + literal_distortion(image[70], image[3])) / 2
    assert data.D[3, 70] == np.sqrt(expected)  # whole numbers under one root


def test_another_data_set_is_refused():
    with pytest.raises(ValueError, match="expected one of the data sets digits, mfeat_pix, got 'iris'"):
        digit_dissimilarities(load("iris"))
    with pytest.raises(ValueError, match="'libras', got 'iris'"):
        gesture_dissimilarities(load("iris"))


# ---------------------------------------------------------------- time warping


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
def test_arrays_that_are_not_stacks_of_trajectories_are_refused(paths, message):
    with pytest.raises(ValueError, match=message):
        time_warping(paths)


@needs_files
def test_stand_in_for_the_gestures_is_not_a_metric():
    data = load("libras_warping")
    assert data.D.shape == (360, 360) and data.status == "substitute" and "Delft" in data.substitute_for
    D = data.D
    broken = sum(int((D[:, [k]] + D[[k], :] < D - 1e-9).sum()) for k in range(len(D)))
    assert round(100 * broken / (360 * 359 * 358), 2) == 0.47  # percent, as measured independently
    others = D + np.diag(np.full(360, np.inf))
    assert round(100 * (data.y[others.argmin(axis=1)] != data.y).mean(), 1) == 6.4


@needs_files
def test_smaller_sets_of_gestures_are_parts_of_larger_ones():
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
