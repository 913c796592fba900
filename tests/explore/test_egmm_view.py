"""The EGMM explorer's widgets without a browser."""

import asyncio

import numpy as np
import pytest

from credalbench.explore import explore_egmm
from credalbench.explore.explorers.egmm.model import CURVE, EGMMModel
from credalbench.explore.explorers.egmm.scene import BEST, LISTED, REFUSED, SHOWN, egmm_scene
from credalbench.explore.scene.marks import DASHED, Bars, Line, Points, Text
from credalbench.explore.view import idle as when_idle
from credalbench.explore.view.idle import WhenIdle
from credalbench.plots.style import colour
from tests.explore.browser import shown
from tests.explore.test_egmm_model import OBJECTS


@pytest.fixture
def explorer():
    return explore_egmm(n_objects=90, overlap=0.1)


def panel_of(fitted, name):
    return next(panel for panel in egmm_scene(fitted).panels if panel.name == name)


def points_with(panel, look):
    """Where the points of one look are, (m, 2)."""
    return next(mark.positions for mark in panel.marks if isinstance(mark, Points) and mark.looks == [look])


def test_a_touched_object_stays_touched_while_the_overlap_moves(explorer):
    explorer.image.set_state({"selected": 7})
    assert explorer.model.selected == 7
    explorer.controls["overlap"].value = 0.5
    assert explorer.image.selected == 7


def test_the_curve_is_reported_as_it_grows_and_its_best_taken(explorer):
    assert "known for 1 of 6" in explorer.advice.value
    explorer.controls["n_clusters"].value = 6
    assert "known for 2 of 6" in explorer.advice.value
    before = shown(explorer)
    explorer.controls["best"].click()
    best = explorer.model.best_n_clusters
    assert f"highest at <b>c = {best}</b> (star)" in explorer.advice.value
    assert explorer.controls["n_clusters"].value == best < 6
    assert shown(explorer) != before


async def the_curve_of(explorer):
    """Wait until the curve is complete, or for some seconds."""
    for _ in range(300):
        await asyncio.sleep(0.01)
        if explorer.model.fitted.is_complete:
            return


def test_the_curve_grows_by_itself_where_an_event_loop_runs(monkeypatch):
    monkeypatch.setattr(when_idle, "REST_S", 0.01)

    async def open_draw_and_wait():
        explorer = explore_egmm(n_objects=60)
        await the_curve_of(explorer)
        for y in (0.0, 0.1, 0.2):
            explorer.model.drawing.add(0.0, y)
            assert "known for 1 of 6" in explorer.advice.value
            await the_curve_of(explorer)
        return explorer

    explorer = asyncio.run(open_draw_and_wait())
    assert [point.n_clusters for point in explorer.model.fitted.curve] == list(CURVE)
    assert "is highest at" in explorer.advice.value


def test_idle_work_rests_after_every_change_and_ends(monkeypatch):
    monkeypatch.setattr(when_idle, "REST_S", 0.05)
    calls = []

    async def change_often():
        loop = asyncio.get_running_loop()
        idle = WhenIdle(lambda: calls.append(loop.time()) or len(calls) < 3)
        for _ in range(3):
            last = loop.time()
            idle.restart()
        while len(calls) < 3:
            await asyncio.sleep(0.01)
        idle.restart()
        idle.stop()
        await asyncio.sleep(0.1)
        return calls[0] - last

    assert asyncio.run(change_often()) > 0.045  # s
    assert len(calls) == 3
    WhenIdle(lambda: calls.append(1)).restart()  # without a loop nothing happens
    assert len(calls) == 3


def test_gaps_are_reported_with_their_reason():
    explorer = explore_egmm(OBJECTS, covariance_type="spherical", n_clusters=2)
    explorer.model.complete_curve()
    refused = [point for point in explorer.model.fitted.curve if point.ebic is None]
    assert f"no fit at c = {', '.join(str(point.n_clusters) for point in refused)}: " in explorer.advice.value
    curve = panel_of(explorer.model.fitted, "ebic")
    assert points_with(curve, REFUSED)[:, 0].tolist() == [point.n_clusters for point in refused]
    assert (points_with(curve, REFUSED)[:, 1] > curve.y.low).all()


def test_sliders_of_the_mixture_are_off_for_other_data(explorer):
    generating = [explorer.controls[name] for name in EGMMModel.GENERATING]
    assert not any(control.disabled for control in generating)
    explorer.controls["data"].value = "iris"
    assert all(control.disabled for control in generating)
    explorer.controls["data"].value = "mixture"
    assert not any(control.disabled for control in generating)


def test_points_are_drawn_on_a_generated_mixture_and_taken_back(explorer):
    before = explorer.model.fitted.partition.masses
    explorer.data.drawing.controls["tool"].value = "add"
    explorer.image._handle_custom_msg({"event": "draw", "object": None, "x": 3.0, "y": 3.0}, [])
    assert not explorer.model.is_error
    assert explorer.model.subject.attributes[-1].tolist() == [3.0, 3.0]
    assert explorer.controls["overlap"].disabled  # the points are own data now
    explorer.data.drawing.controls["undo"].click()
    assert explorer.model.data == "mixture" and not explorer.controls["overlap"].disabled
    np.testing.assert_array_equal(explorer.model.fitted.partition.masses, before)


def test_a_ridge_of_zero_is_typed(explorer):
    explorer.controls["reg_covar_slider"].value = 0.1
    assert explorer.model.reg_covar == explorer.controls["reg_covar"].value == 0.1
    explorer.controls["reg_covar"].value = 0.0
    assert explorer.model.reg_covar == 0 and not explorer.model.is_error
    explorer.controls["reg_covar"].value = -1.0
    assert "0 &lt;= reg_covar" in explorer.message.value


# -- the scene -------------------------------------------------------------------------------------------


def test_ellipses_are_around_their_means_dashed_for_sets_of_several():
    model = EGMMModel(n_objects=90, overlap=0.1)
    fitted = model.fitted
    lines = [mark for mark in panel_of(fitted, "map").marks if isinstance(mark, Line)]
    heavy = fitted.weights * 90 >= 1
    sizes = fitted.partition.focal_sets.cardinality
    dashed = [line for line in lines if line.stroke.dash == DASHED]
    solid = [line for line in lines if line.stroke.dash == ()]
    assert len(solid) == (heavy & (sizes == 1)).sum() == 3
    assert len(dashed) == 2 * (heavy & (sizes > 1)).sum()  # an edge, and the colour
    for k, line in enumerate(solid):
        assert line.stroke.colour == colour(k).lower()
        assert line.path[:-1].mean(axis=0) == pytest.approx(fitted.centers_on_map[k])
        around = line.path - fitted.centers_on_map[k]
        squared = np.einsum("ip,ip->i", around, np.linalg.solve(fitted.covariances_on_map[k], around.T).T)
        assert np.exp(-squared / 2) == pytest.approx(0.5)  # the share outside


def test_bars_are_the_weights_of_the_heaviest_components():
    model = EGMMModel("iris", n_clusters=4)
    fitted, weights = model.fitted, panel_of(model.fitted, "weights")
    boxes = np.vstack([mark.boxes for mark in weights.marks if isinstance(mark, Bars)])
    assert len(boxes) == len(weights.y.ticks) == LISTED
    assert np.sort(boxes[:, 2]) == pytest.approx(np.sort(fitted.weights)[-LISTED:])
    labels, rows = fitted.partition.focal_sets.labels, boxes[:, [1, 3]].mean(axis=1)
    for row, label in weights.y.ticks:
        (box,) = boxes[np.isclose(rows, row)]
        assert box[2] == pytest.approx(fitted.weights[labels.index(label)])
    assert "and 7 smaller ones" in [mark.words for mark in weights.marks if isinstance(mark, Text)]


def test_the_curve_has_gaps_where_nothing_is_known_and_a_star_at_the_end(explorer):
    explorer.model.n_clusters = 5
    curve = panel_of(explorer.model.fitted, "ebic")
    line = curve.marks[0].path
    assert line[:, 0].tolist() == [1, 2, 3, 4, 5, 6]
    assert np.isnan(line[:, 1]).tolist() == [True, True, False, True, False, True]
    assert BEST not in [look for mark in curve.marks if isinstance(mark, Points) for look in mark.looks]
    assert points_with(curve, SHOWN).tolist() == [[5, explorer.model.fitted.ebic]]
    explorer.model.complete_curve()
    curve = panel_of(explorer.model.fitted, "ebic")
    assert not np.isnan(curve.marks[0].path).any()
    assert points_with(curve, BEST)[0, 0] == explorer.model.best_n_clusters


@pytest.mark.parametrize("data", ["mixture", "iris"])
def test_scenes_of_few_and_many_clusters_hold_all_their_points(data):
    model = EGMMModel(data, focal_sets="pairs", n_objects=90)
    for c in (1, 2, 5):
        model.n_clusters = c
        assert not model.is_error
        for panel in egmm_scene(model.fitted).panels:
            for mark in panel.marks:
                if isinstance(mark, Points) and len(mark.positions):
                    low, high = mark.positions.min(axis=0), mark.positions.max(axis=0)
                    assert (low >= [panel.x.low, panel.y.low]).all()
                    assert (high <= [panel.x.high, panel.y.high]).all()
