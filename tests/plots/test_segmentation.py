"""Segmented images: shades, legends, regions."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from credalbench.belief import FocalSets
from credalbench.plots import focal_set_image, plain_image, region_image, to_png
from credalbench.plots.segmentation import SHADES, shaded

FULL = FocalSets.full(2)


def shown(ax):
    return np.asarray(ax.images[0].get_array())


def test_each_pixel_has_the_shade_of_its_focal_set(ax):
    chosen = np.array([[0, 1], [2, 3]])
    assert focal_set_image(ax, chosen, FULL) is ax
    expected = [to_rgb(SHADES[key]) for key in ((), (0,), (1,), (0, 1))]
    np.testing.assert_array_equal(shown(ax).reshape(4, 3), expected)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["∅", "{1}", "{2}", "Ω"]


def test_shades_of_two_clusters_differ_in_lightness_only():
    """You can distinguish them without colours."""
    lightness = sorted(np.mean(to_rgb(shade)) for shade in SHADES.values())
    assert np.diff(lightness).min() > 0.2
    assert all(len(set(to_rgb(shade))) == 1 for shade in SHADES.values())


def test_empty_set_is_in_the_legend_only_where_it_occurs(ax):
    focal_set_image(ax, np.array([[1, 2]]), FULL)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["{1}", "{2}", "Ω"]


def test_more_clusters_have_colours(ax):
    focal_sets = FocalSets.full(3)
    chosen = np.arange(8).reshape(2, 4)
    focal_set_image(ax, chosen, focal_sets, title="three")
    assert len({tuple(colour) for colour in shown(ax).reshape(-1, 3)}) == 8
    assert "{1,2}" in [text.get_text() for text in ax.get_legend().get_texts()]
    assert to_png(ax.figure).startswith(b"\x89PNG")


def test_not_all_sets_need_be_focal():
    sets = FocalSets.from_sets(2, [{0}, {1}])
    np.testing.assert_array_equal(shaded([[0, 1]], sets)[0], [to_rgb(SHADES[(0,)]), to_rgb(SHADES[(1,)])])


@pytest.mark.parametrize("shape", [(4, 5), (4, 5, 1), (4, 5, 3)])
def test_pictures_of_grey_levels_and_colours(ax, shape):
    plain_image(ax, np.linspace(0, 1, np.prod(shape)).reshape(shape), title="image")
    assert shown(ax).shape == ((4, 5, 3) if shape[-1] == 3 else (4, 5))
    assert ax.get_title(loc="left") == "image"


def test_regions_are_outlined_numbered_and_linked(ax):
    first, second = np.zeros((20, 30), dtype=bool), np.zeros((20, 30), dtype=bool)
    first[2:6, 2:6], second[12:18, 20:28] = True, True
    region_image(ax, np.full((20, 30), 0.5), first, second, title="regions")
    assert [text.get_text() for text in ax.texts] == ["1", "2"]
    assert len(ax.lines) == 2  # the dashed cannot-link and its pale edge
    (x0, x1), (y0, y1) = ax.lines[0].get_data()
    assert first[int(y0), int(x0)] and second[int(y1), int(x1)]
    assert ax.get_xlim() == (-0.5, 29.5) and ax.get_ylim() == (19.5, -0.5)
    outline = ax.collections[0].get_paths()[0].vertices
    assert outline[:, 0].min() == pytest.approx(1.5) and outline[:, 0].max() == pytest.approx(5.5)
    assert outline[:, 1].min() == pytest.approx(1.5) and outline[:, 1].max() == pytest.approx(5.5)


def test_one_region_has_no_cannot_link(ax):
    first = np.zeros((20, 30), dtype=bool)
    first[2:6, 2:6] = True
    region_image(ax, np.zeros((20, 30)), first, np.zeros_like(first), legend=False)
    assert len(ax.texts) == 1 and not ax.lines and ax.get_legend() is None


@pytest.mark.parametrize(
    "chosen", [np.array([1, 2]), np.array([[0.5, 1.0]]), np.array([[0, 4]]), np.array([[-1]])]
)
def test_bad_images_are_refused(ax, chosen):
    with pytest.raises(ValueError, match="expected"):
        focal_set_image(ax, chosen, FULL)
    with pytest.raises(ValueError, match="expected an image"):
        plain_image(ax, np.zeros((2, 2, 2)))
