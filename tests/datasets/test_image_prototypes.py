"""Images are read, and their colours are quantised."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from credalbench.datasets.image_prototypes import METHODS, image_prototypes, read_picture

LEVELS = np.arange(12, dtype=np.uint8).reshape(3, 4) * 20


def as_file(pixels, kind="PNG"):
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def noisy():
    """An image with as many grey levels as pixels."""
    return np.random.default_rng(0).random((40, 30))


# ------------------------------------------------------------------------- laws


@settings(max_examples=30, deadline=None)
@given(arrays(float, (6, 5), elements=st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0])), st.integers(2, 8))
def test_every_pixel_is_with_its_nearest_prototype(image, n_prototypes):
    if len(np.unique(image)) < 2:
        image[0, 0] = 1.0 - image[0, 0] if image[0, 0] != 0.5 else 0.0
    found = image_prototypes(image, n_prototypes)
    gaps = np.abs(image[:, :, None] - found.prototypes.ravel())
    own = np.abs(image - found.prototypes[found.nearest][:, :, 0])
    assert (own <= gaps.min(axis=2) + 1e-15).all()  # one subtraction in doubles
    assert 2 <= len(found.prototypes) <= n_prototypes or found.exact
    assert set(np.unique(found.nearest)) == set(range(len(found.prototypes)))


@pytest.mark.parametrize("n_prototypes", [12, 13, 400])
def test_few_colours_are_their_own_prototypes(n_prototypes):
    image = read_picture(LEVELS)
    found = image_prototypes(image, n_prototypes)
    assert found.exact and found.n_colours == 12 and found.error == 0
    np.testing.assert_array_equal(found.to_pixels(found.prototypes), image)


@pytest.mark.parametrize("method", METHODS)
def test_quantising_many_levels(noisy, method):
    found = image_prototypes(noisy, 25, method=method)
    assert len(found.prototypes) <= 25 and not found.exact
    assert (np.diff(found.prototypes.ravel()) > 0).all()
    # 25 equal intervals of a uniform law have the error 1 / (25 * sqrt(12)); twice that is allowed
    assert found.error < 2 / (25 * np.sqrt(12))
    again = image_prototypes(noisy, 25, method=method)
    np.testing.assert_array_equal(again.prototypes, found.prototypes)


def test_k_means_has_the_smaller_error(noisy):
    errors = {method: image_prototypes(noisy, 25, method=method).error for method in METHODS}
    assert errors["k-means"] < errors["lvq"]


def test_colours_are_quantised_together():
    image = np.random.default_rng(1).random((12, 10, 3))
    found = image_prototypes(image, 8)
    assert found.prototypes.shape == (len(found.prototypes), 3) and found.shape == (12, 10)
    assert found.to_pixels(np.arange(len(found.prototypes))).shape == (12, 10)


# ----------------------------------------------------------------------- reading


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_files_bytes_and_arrays_agree(tmp_path, kind):
    content = as_file(LEVELS, kind)
    path = tmp_path / f"image.{kind.lower()}"
    path.write_bytes(content)
    expected = LEVELS[:, :, None] / 255
    for source in (content, path, str(path), LEVELS):
        np.testing.assert_array_equal(read_picture(source), expected)
    np.save(tmp_path / "image.npy", LEVELS)
    np.testing.assert_array_equal(read_picture(tmp_path / "image.npy"), expected)


def test_sixteen_bits_have_their_own_scale():
    pixels = np.array([[0, 65535], [32768, 257]], dtype=np.uint16)
    expected = pixels[:, :, None] / 65535
    np.testing.assert_array_equal(read_picture(as_file(pixels)), expected)
    np.testing.assert_array_equal(read_picture(pixels), expected)


def test_colours_become_grey_by_default():
    pixels = np.zeros((1, 3, 3), dtype=np.uint8)
    pixels[0, [0, 1, 2], [0, 1, 2]] = 255  # red, green, blue
    np.testing.assert_allclose(read_picture(pixels).ravel(), [0.299, 0.587, 0.114], rtol=1e-14)  # one product
    assert read_picture(pixels, colour=True).shape == (1, 3, 3)
    assert read_picture(LEVELS, colour=True).shape == (3, 4, 3)
    opaque = np.dstack([pixels, np.full((1, 3, 1), 255, dtype=np.uint8)])
    np.testing.assert_array_equal(read_picture(opaque), read_picture(pixels))


def test_floats_outside_the_unit_interval_are_mapped_onto_it():
    np.testing.assert_array_equal(
        read_picture(np.array([[-1.0, 1.0], [3.0, 1.0]]))[:, :, 0], [[0, 0.5], [1, 0.5]]
    )
    np.testing.assert_array_equal(read_picture(np.array([[0.2, 0.4]]))[0, :, 0], [0.2, 0.4])


def test_long_images_are_shrunk():
    pixels = np.random.default_rng(0).random((40, 100))
    small = read_picture(pixels, max_side=50)
    assert small.shape == (20, 50, 1)
    assert abs(small.mean() - pixels.mean()) < 1e-6  # boxes of 2 x 2 in single precision keep the mean
    assert read_picture(pixels, max_side=100).shape == (40, 100, 1)


# --------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (None, "a path, the bytes of a file, or an array"),
        (5, "a path, the bytes of a file, or an array"),
        (b"no image", "expected an image"),
        (np.zeros((3, 3, 2)), "expected an image of shape"),
        (np.zeros(5), "expected an image of shape"),
        (np.array([[np.nan, 1.0]]), "finite"),
        (np.array([["a", "b"]]), "numbers"),
    ],
)
def test_sources_that_are_not_images_are_refused(source, words):
    with pytest.raises(ValueError, match=words):
        read_picture(source)


def test_a_missing_file_is_named():
    with pytest.raises(FileNotFoundError, match="does not exist"):
        read_picture("absent.png")


@pytest.mark.parametrize(
    ("image", "options", "words"),
    [
        ([[0.0, 2.0]], {}, r"values in \[0, 1\]"),
        ([[0.0, np.nan]], {}, r"values in \[0, 1\]"),
        ([[0.5, 0.5]], {}, "two different colours"),
        ([0.0, 1.0], {}, "an image of shape"),
        ([[0.0, 1.0]], {"n_prototypes": 1}, "n_prototypes"),
        ([[0.0, 1.0]], {"method": "som"}, "method"),
    ],
)
def test_bad_arguments_are_refused(image, options, words):
    with pytest.raises(ValueError, match=words):
        image_prototypes(image, **options)


def test_values_for_other_prototypes_are_refused():
    with pytest.raises(ValueError, match="expected 2 values, got 3"):
        image_prototypes([[0.0, 1.0]]).to_pixels([1, 2, 3])


def test_representation_is_short():
    found = image_prototypes(np.array([[0.0, 0.5], [1.0, 0.25]]), 3)
    assert repr(found) == "ImagePrototypes(3 prototypes, of 4 colours, shape=(2, 2))"
