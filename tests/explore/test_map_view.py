"""What a map shows: objects by their largest mass, pies of all masses, or the masses of the plane."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.datasets import load
from credalbench.explore import explore_ecm
from credalbench.explore.explorers.cecm import CECMModel, cecm_scene
from credalbench.explore.explorers.ecm import ECMModel, ecm_scene
from credalbench.explore.explorers.egmm import EGMMModel, egmm_scene
from credalbench.explore.explorers.evclus import EVCLUSModel, evclus_scene
from credalbench.explore.scene.marks import Pies, Points, Polygon, Raster
from credalbench.explore.stepping import SIDE
from credalbench.plots.mass_maps import SEEN, STRENGTH, corner_places, mass_colours
from credalbench.plots.overview import ShownFigure
from credalbench.plots.style import focal_colour

EXPLORERS = {
    "ecm": (ECMModel, ecm_scene),
    "cecm": (CECMModel, cecm_scene),
    "egmm": (EGMMModel, egmm_scene),
    "evclus": (EVCLUSModel, evclus_scene),
}


@pytest.fixture(params=EXPLORERS)
def shown(request):
    kind, scene = EXPLORERS[request.param]
    model = kind(np.random.RandomState(0).randn(40, 2) + 4 * np.repeat([[0, 0], [1, 1]], 20, axis=0))
    return model, lambda: scene(model.fitted)


def marks_of(scene, kind):
    return [mark for mark in scene.panels[0].marks if isinstance(mark, kind)]


def test_a_view_shows_the_same_run(shown):
    model, scene = shown
    run, hulls = model.fitted.run, len(marks_of(scene(), Polygon))
    for view in ("masses", "plane", "corners", "sets"):
        model.map_view = view
        assert model.fitted.run is run and not model.is_error
    assert len(marks_of(scene(), Polygon)) == hulls


def test_pies_have_the_masses_and_can_be_touched(shown):
    model, scene = shown
    model.map_view = "masses"
    (pies,) = marks_of(scene(), Pies)
    assert not marks_of(scene(), Polygon)
    np.testing.assert_allclose(pies.shares, model.fitted.partition.masses, atol=1e-6)
    assert pies.objects.tolist() == list(range(40)) and len(pies.fills) == pies.shares.shape[1]


def test_the_plane_has_the_masses_of_its_points(shown):
    model, scene = shown
    model.map_view = "plane"
    plane = model.fitted.plane
    (raster,) = marks_of(scene(), Raster)
    assert raster.pixels.shape == (SIDE, SIDE, 4) and raster.smooth
    assert any(isinstance(mark, Points) and mark.objects is not None for mark in scene().panels[0].marks)
    left, bottom, right, top = plane.box
    labels = plane.partition.labels().reshape(SIDE, SIDE)
    for i in (0, 39):  # an object has the cluster of its cell, unless it lies at a border
        x, y = model.subject.attributes[i]
        row, column = int((top - y) / (top - bottom) * SIDE), int((x - left) / (right - left) * SIDE)
        around = labels[row - 1 : row + 2, column - 1 : column + 2]
        assert model.fitted.partition.labels()[i] in around


def test_an_earlier_iteration_has_its_own_plane():
    model = ECMModel("t4:200", map_view="plane")
    end = model.fitted.plane.partition.masses
    model.iteration = 1
    assert np.abs(model.fitted.plane.partition.masses - end).max() > 0.05


def test_only_two_attributes_have_a_plane():
    model = ECMModel("iris")
    model.map_view = "plane"
    assert model.is_error and "two attributes" in model.message and model.map_view == "sets"
    model = EVCLUSModel("butterfly", map_view="plane")
    model.set_data("iris")
    assert model.map_view == "sets" and not model.is_error


def test_colours_of_certain_ignorant_and_conflicting_points():
    sets = FocalSets.full(2)
    partition = CredalPartition(np.eye(4), sets)
    expected = [1 - STRENGTH * (1 - np.array(focal_colour(members, 2))) for members in sets.sets]
    np.testing.assert_allclose(mass_colours(partition)[:, :3] / 255, expected, atol=0.003)


def test_objects_lie_between_the_sets_of_their_masses(shown):
    model, scene = shown
    model.map_view = "corners"
    panel = scene().panels[0]
    partition = model.fitted.partition
    places = corner_places(partition.focal_sets)
    (objects,) = [mark for mark in panel.marks if isinstance(mark, Points)]
    np.testing.assert_allclose(objects.positions, partition.masses @ places)
    assert scene().handles is None
    assert panel.x.low < objects.positions[:, 0].min() and objects.positions[:, 1].max() < panel.y.high


@pytest.mark.parametrize("c", [1, 2, 3, 5])
def test_each_cluster_and_the_empty_set_have_a_corner_of_their_own(c):
    sets = FocalSets.full(c)
    places = corner_places(sets)
    alone = places[(sets.cardinality <= 1) | (sets.cardinality == c)]
    apart = np.linalg.norm(alone[:, None] - alone, axis=2)[~np.eye(len(alone), dtype=bool)]
    assert len(alone) and apart.min() > 0.4


def test_no_points_are_drawn_between_sets():
    explorer = explore_ecm("t4:40", map_view="corners")
    explorer.drawing.controls["tool"].value = "add"
    explorer.image._receive(None, {"event": "draw", "object": None, "x": 0.0, "y": 0.0}, [])
    assert explorer.model.subject.n_objects == 40 and "map" in explorer.model.message


@pytest.mark.parametrize("view", ["masses", "plane", "corners"])
@pytest.mark.parametrize("iteration", [1, 1000])
def test_code_draws_the_view_that_is_shown(shown, view, iteration, monkeypatch):
    model, scene = shown
    model.map_view, model.iteration = view, iteration
    figures = []
    monkeypatch.setattr(ShownFigure, "show", lambda figure: figures.append(figure))
    exec(compile(model.as_code(), "copied", "exec"), {})
    [figure] = figures
    [ax] = figure.axes
    partition = model.fitted.partition
    if view == "masses":
        sectors = sum(len(part.get_paths()) for part in ax.collections)
        assert sectors == (partition.masses >= SEEN).sum()
    elif view == "corners":
        drawn = np.vstack([line.get_xydata() for line in ax.lines if line.get_linestyle() == "None"])
        (objects,) = [mark for mark in scene().panels[0].marks if isinstance(mark, Points)]
        np.testing.assert_allclose(np.sort(drawn, axis=0), np.sort(objects.positions, axis=0), atol=1e-6)
    else:
        [image] = ax.images
        left, right, bottom, top = image.get_extent()
        pixels, plane = image.get_array(), model.fitted.plane
        ours = mass_colours(plane.partition).reshape(SIDE, SIDE, 4)
        for x, y in model.subject.attributes[:5]:  # the same colours at the same places
            row, column = (
                int((top - y) / (top - bottom) * len(pixels)),
                int((x - left) / (right - left) * len(pixels)),
            )
            west, south, east, north = plane.box
            there = ours[int((north - y) / (north - south) * SIDE), int((x - west) / (east - west) * SIDE)]
            assert np.abs(pixels[row, column].astype(int) - there.astype(int)).max() < 60  # of other cells


@pytest.mark.parametrize(("kind", "data"), [(ECMModel, "iris"), (EVCLUSModel, "dissimilarities")])
def test_code_draws_pies_of_many_attributes_and_of_dissimilarities(kind, data, monkeypatch):
    figures = []
    monkeypatch.setattr(ShownFigure, "show", lambda figure: figures.append(figure))
    model = kind(
        load("butterfly").dissimilarities() if data == "dissimilarities" else data, map_view="masses"
    )
    exec(compile(model.as_code(), "copied", "exec"), {})
    [figure] = figures
    assert sum(len(part.get_paths()) for part in figure.axes[0].collections) >= model.subject.n_objects
