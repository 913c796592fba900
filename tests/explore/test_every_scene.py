"""What holds for the scene of every explorer that has one."""

import json
import re

import numpy as np
import pytest

from credalbench.explore.canvas import script
from credalbench.explore.scene.marks import Bars, Image, Line, Points, Raster
from credalbench.explore.scene.scene import as_json
from tests.explore.declared import NAMES, open_explorer

SHAPES = script("pen.js").split("const SHAPES = {")[1].split("\n};")[0]
KNOWN = {"circle", *re.findall(r'^  "?([a-z ]+)"?:', SHAPES, re.MULTILINE)}


@pytest.fixture(
    scope="module",
    params=[(name, clusters) for name in NAMES for clusters in ("usual", "fewest", "many")],
    ids="-".join,
)
def explorer(request):
    """An explorer as it opens, with the fewest clusters that are legal, or with many."""
    name, clusters = request.param
    explorer = open_explorer(name)
    if clusters != "usual":
        declared = explorer.model.parameters()["n_clusters"]
        explorer.model.n_clusters = int(declared.low if clusters == "fewest" else min(declared.high, 6))
    assert not explorer.model.is_error, explorer.model.message
    return explorer


@pytest.fixture(scope="module")
def scene(explorer):
    return explorer.scene(explorer.model.fitted)


def test_panels_lie_on_the_picture_and_have_names_and_ranges(scene):
    names = [panel.name for panel in scene.panels]
    assert len(set(names)) == len(names)
    for panel in scene.panels:
        left, top, width, height = panel.place
        assert left >= 0 and top >= 0 and width > 0 and height > 0
        assert max(left + width, top + height) <= 1 + 1e-12  # rounding
        for axis in (panel.x, panel.y):
            assert np.isfinite([axis.low, axis.high]).all() and axis.low < axis.high
            assert axis.scale in ("linear", "log", "none")
            assert axis.scale != "log" or axis.low > 0
    assert scene.handles is None or scene.handles.panel in names


def test_every_set_of_the_partition_is_described(explorer, scene):
    fitted = explorer.model.fitted
    partition = getattr(fitted, "left", fitted).partition
    assert len(scene.evidence.membership) == len(scene.evidence.sets) == len(partition.focal_sets)
    assert len(scene.evidence.masses) == partition.n_objects


def test_prototypes_lie_on_the_map(explorer, scene):
    places = getattr(explorer.model.fitted, "centers_on_map", None)
    if places is None:
        pytest.skip("has no prototypes, or handles in their place")
    drawn = [mark.positions for mark in scene.panels[0].marks if isinstance(mark, Points)]
    assert any(at.shape == places.shape and np.allclose(at, places) for at in drawn)


def test_marks_have_the_shapes_that_the_browser_expects(scene):
    n = len(scene.evidence.masses)
    for panel, mark in ((at, mark) for at in scene.panels for mark in at.marks):
        if isinstance(mark, Points):
            assert mark.positions.shape == (len(mark.look_of), 2)
            assert np.isfinite(mark.positions).all()
            assert (mark.positions >= [panel.x.low, panel.y.low]).all(), panel.name
            assert (mark.positions <= [panel.x.high, panel.y.high]).all(), panel.name
            assert {look.shape for look in mark.looks} <= KNOWN
            assert not len(mark.look_of) or 0 <= mark.look_of.min() <= mark.look_of.max() < len(mark.looks)
            if mark.objects is not None:
                assert mark.objects.shape == mark.look_of.shape
                assert 0 <= mark.objects.min() <= mark.objects.max() < n
        elif isinstance(mark, Line):
            assert mark.path.ndim == 2 and mark.path.shape[1] == 2
        elif isinstance(mark, Bars):
            assert mark.boxes.shape == (len(mark.fill_of), 4)
        elif isinstance(mark, Raster):
            assert mark.pixels.dtype == np.uint8 and mark.pixels.shape[2:] == (4,)
        elif isinstance(mark, Image):
            assert mark.colours.dtype == np.uint8 and mark.colours.shape == (n, 4)
            assert 0 <= scene.objects.pixels.min() <= scene.objects.pixels.max() < n


def test_every_object_can_be_touched_on_the_first_panel_that_shows_some(scene):
    touched = [
        [mark.objects for mark in panel.marks if isinstance(mark, Points) and mark.objects is not None]
        for panel in scene.panels
    ]
    first = next(parts for parts in touched if parts)
    assert sorted(np.concatenate(first).tolist()) == list(range(len(scene.evidence.masses)))
    assert len(scene.objects.nearest) == len(scene.evidence.masses)


def test_a_scene_can_stand_in_a_page(scene):
    assert len(json.loads(as_json(scene))["panels"]) == len(scene.panels)


def test_an_object_is_selected_from_either_side(explorer):
    explorer.image.set_state({"selected": 1})
    assert explorer.model.selected == 1
    explorer.model.selected = 0
    assert explorer.image.selected == 0
