"""The EGMM explorer's widgets without a browser."""

import asyncio
import io

import numpy as np
import pytest
from PIL import Image

from credalbench.explore import explore_egmm
from credalbench.explore.egmm.model import CURVE, EGMMModel
from credalbench.explore.egmm.picture import EgmmPicture, _runs
from credalbench.explore.egmm.view import sentence
from credalbench.explore.shared import when_idle
from credalbench.explore.shared.when_idle import WhenIdle
from tests.explore.browser import PNG, upload
from tests.explore.test_egmm_model import OBJECTS


@pytest.fixture
def explorer():
    return explore_egmm(n_objects=90, overlap=0.1)


def click(explorer, i):
    """What the kernel does when the browser reports a click on object `i`."""
    explorer.image._handle_custom_msg({"event": "click", "object": i, "x": 0, "y": 0}, [])


def test_slider_refits_and_redraws(explorer):
    before, fitted = explorer.image.value, explorer.model.fitted
    explorer.controls["overlap"].value = 0.3
    assert explorer.model.fitted is not fitted
    assert explorer.image.value[:8] == PNG
    assert explorer.image.value != before


def test_a_clicked_object_tells_its_masses(explorer):
    before = explorer.image.value
    assert "Click an object" in explorer.about_object.value
    click(explorer, 7)
    assert explorer.image.chosen == [7]
    assert explorer.image.value == before  # choosing needs no new picture
    told = explorer.about_object.value
    masses = explorer.model.fitted.partition.masses[7]
    assert "Object 7: " in told and f"{masses.max():.2f} on " in told
    explorer.controls["overlap"].value = 0.5
    assert "Object 7: " in explorer.about_object.value != told
    click(explorer, None)
    assert explorer.image.chosen == []


def test_a_sentence_names_the_largest_masses_in_order(explorer):
    explorer.model.overlap = 0.6
    fitted = explorer.model.fitted
    doubtful = int(fitted.partition.masses.max(axis=1).argmin())
    numbers = [float(part.split(" on ")[0]) for part in sentence(fitted, doubtful).split(": ")[1].split(", ")]
    assert 1 < len(numbers) <= 3
    assert numbers == sorted(numbers, reverse=True) and min(numbers) > 0


def test_the_curve_is_told_as_it_grows_and_its_best_taken(explorer):
    assert "known for 1 of 6" in explorer.advice.value
    explorer.controls["n_clusters"].value = 6
    assert "known for 2 of 6" in explorer.advice.value
    before = explorer.image.value
    explorer.controls["best"].click()
    best = explorer.model.best_n_clusters
    assert f"highest at <b>c = {best}</b> (star)" in explorer.advice.value
    assert explorer.controls["n_clusters"].value == best < 6
    assert explorer.image.value != before


def test_the_curve_grows_by_itself_where_an_event_loop_runs(monkeypatch):
    monkeypatch.setattr(when_idle, "REST_S", 0.01)

    async def open_and_wait():
        explorer = explore_egmm(n_objects=60)
        for _ in range(300):
            await asyncio.sleep(0.01)
            if explorer.model.fitted.is_complete:
                break
        return explorer

    explorer = asyncio.run(open_and_wait())
    assert [point.n_clusters for point in explorer.model.fitted.curve] == list(CURVE)
    assert "is highest at" in explorer.advice.value


def test_idle_work_rests_after_every_change_and_ends(monkeypatch):
    monkeypatch.setattr(when_idle, "REST_S", 0.05)
    calls = []

    async def change_twice():
        idle = WhenIdle(lambda: calls.append(1) or len(calls) < 3)
        for _ in range(3):
            idle.restart()
            await asyncio.sleep(0.01)
        before = len(calls)
        await asyncio.sleep(0.4)
        after = len(calls)
        idle.restart()
        idle.stop()
        await asyncio.sleep(0.1)
        return before, after

    assert asyncio.run(change_twice()) == (0, 3)
    assert len(calls) == 3
    WhenIdle(lambda: calls.append(1)).restart()  # without a loop nothing happens
    assert len(calls) == 3


def test_gaps_are_told_with_their_reason():
    explorer = explore_egmm(OBJECTS, covariance_type="spherical", n_clusters=2)
    explorer.model.complete_curve()
    refused = [point for point in explorer.model.fitted.curve if point.ebic is None]
    assert f"no fit at c = {', '.join(str(point.n_clusters) for point in refused)}: " in explorer.advice.value
    assert EgmmPicture().png(explorer.model.fitted)[:8] == PNG


def test_sliders_of_the_mixture_are_off_for_other_data(explorer):
    generating = [explorer.controls[name] for name in EGMMModel.GENERATING]
    assert not any(control.disabled for control in generating)
    explorer.controls["data"].value = "iris"
    assert all(control.disabled for control in generating)
    explorer.controls["data"].value = "mixture"
    assert not any(control.disabled for control in generating)


def test_a_ridge_of_zero_is_typed(explorer):
    explorer.controls["reg_covar_slider"].value = 0.1
    assert explorer.model.reg_covar == explorer.controls["reg_covar"].value == 0.1
    explorer.controls["reg_covar"].value = 0.0
    assert explorer.model.reg_covar == 0 and not explorer.model.is_error
    explorer.controls["reg_covar"].value = -1.0
    assert "0 &lt;= reg_covar" in explorer.message.value


def test_read_outs_name_what_they_show(explorer):
    names = ("ARI", "log-likelihood", "EBIC", "nonspecificity", "imprecise", "iterations", "fit + drawing")
    for name in names:
        assert f">{name}</div>" in explorer.readouts.value
    assert "Map of 90 objects of generated mixture in 3 clusters by EGMM" in explorer.readouts.value
    assert explorer.image.description in explorer.readouts.value


def test_uploaded_table_is_drawn(explorer):
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n8,7\n2,1\n")
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert len(explorer.image.positions) == 7


def test_picture_has_its_size_and_every_object_in_it(explorer):
    with Image.open(io.BytesIO(explorer.image.value)) as image:
        assert image.size == (explorer.image.width, explorer.image.height)
    places = np.array(explorer.image.positions)
    assert (places > 0).all()
    assert (places < [explorer.image.width, explorer.image.height]).all()


@pytest.mark.parametrize("data", ["mixture", "iris"])
def test_picture_draws_few_and_many_clusters(data):
    model, picture = EGMMModel(data, focal_sets="pairs", n_objects=90), EgmmPicture()
    for c in (1, 2, 5):
        model.n_clusters = c
        assert picture.png(model.fitted)[:8] == PNG


def test_lines_of_the_curve_leave_gaps():
    assert _runs([1, 2, 4, 5, 6, 9]) == [[0, 1], [2, 3, 4], [5]]
    assert _runs([]) == []
