"""The image distortion model against a literal transcription of its formula, and its laws."""

import numpy as np
import pytest

from credalbench.datasets import load
from credalbench.datasets.image_distortion import (
    digit_dissimilarities,
    directed_distortion,
    first_of_each_class,
    image_distortion,
)
from tests.data_files import needs_files

SHIFTS = [(u, v) for u in (-1, 0, 1) for v in (-1, 0, 1)]


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
def test_kernel_is_the_formula(shape):
    images = np.random.default_rng(1).integers(0, 17, size=(5, *shape))
    expected = [[literal_distortion(one, other) for other in images] for one in images]
    assert np.array_equal(directed_distortion(images), expected)  # whole numbers: exact in single precision


def test_kernel_is_the_formula_for_any_grey_levels():
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
def test_what_is_no_stack_of_images_is_refused(images, message):
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


def test_a_smaller_stand_in_is_a_part_of_the_larger():
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
