"""The phantom: three areas of known grey level, and a lesion."""

import numpy as np
import pytest

from credalbench.datasets.phantom import FLUID, LESION, TISSUE, make_brain_phantom


def test_areas_have_their_grey_levels_without_blur_and_noise():
    data = make_brain_phantom(0, noise=0, blur=0)
    assert set(np.unique(data.X)) == {TISSUE, FLUID, LESION}
    assert (data.X[data.y == 0] == LESION).all() and (data.X[data.y == 1] < LESION).all()
    assert data.image_shape == (156, 141) and data.n_objects == 156 * 141


def test_noise_has_its_standard_deviation():
    plain, noisy = (make_brain_phantom(0, noise=noise).X for noise in (0, 0.02))
    # 21 996 pixels: standard error 0.0001
    assert (noisy - plain).std() == pytest.approx(0.02, abs=5e-4)


def test_lesion_is_the_brightest_area_and_no_small_one():
    data = make_brain_phantom(3)
    share = (data.y == 0).mean()
    assert 0.05 < share < 0.2
    assert data.X[data.y == 0].mean() > data.X[data.y == 1].max() - 0.2


def test_same_seed_same_bytes_and_another_seed_another_outline():
    assert make_brain_phantom(1).X.tobytes() == make_brain_phantom(1).X.tobytes()
    assert (make_brain_phantom(1).y != make_brain_phantom(2).y).any()


def test_other_shapes():
    assert make_brain_phantom(0, shape=(32, 48)).image_shape == (32, 48)


def test_it_is_a_substitute():
    data = make_brain_phantom(0)
    assert data.status == "substitute" and "private" in data.substitute_for
    assert data.class_names == ("pathology", "rest")


@pytest.mark.parametrize(
    "options", [{"shape": (8, 100)}, {"shape": (20,)}, {"shape": 20}, {"noise": -1}, {"blur": float("nan")}]
)
def test_bad_arguments_are_refused(options):
    with pytest.raises(ValueError, match="expected"):
        make_brain_phantom(0, **options)
