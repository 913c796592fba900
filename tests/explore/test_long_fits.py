"""Long fits: beside the page, interrupted by the next move, stopped, and never beside settings of another."""

import asyncio
from threading import Event, current_thread, main_thread

import pytest

from credalbench.cluster.conflict.solvers import Trajectory
from credalbench.core.progress import Cancelled
from credalbench.explore import EVCLUSModel, explore_cecm, explore_evclus
from credalbench.explore.explorers.cecm import CECMModel
from credalbench.explore.explorers.egmm import EGMMModel
from credalbench.explore.explorers.ensemble import EnsembleModel
from credalbench.explore.explorers.ensemble import fit as bases
from credalbench.explore.model import LAST
from credalbench.explore.view.parts import OUT_OF_DATE
from tests.explore.browser import SOON, held, on_a_page, slide, until
from tests.explore.declared import view_of


@pytest.fixture(autouse=True)
def short_moment(monkeypatch):
    """A page that waits for 5 ms, where the first fit has been slow."""
    monkeypatch.setattr("credalbench.explore.model.MOMENT_MS", 5)
    monkeypatch.setattr("credalbench.explore.model.LIVE_UP_TO_MS", 5)


@on_a_page
async def test_a_long_fit_runs_in_the_background_and_is_shown_when_it_ends():
    model, threads = held(EVCLUSModel()), []
    model.observe(lambda _: threads.append(current_thread()), ["fitted", "busy", "message", "progress"])
    before = model.fitted
    model.n_clusters = 3
    assert model.busy and model.fitted is before  # and this line was reached
    assert dict(model.unshown()) == {"n_clusters": 2}
    model.let.set()
    await until(lambda: not model.busy)
    assert model.fitted.partition.n_clusters == 3
    assert not model.unshown()
    assert set(threads) == {main_thread()}


@on_a_page
async def test_the_next_move_interrupts_and_is_fitted_with_what_was_not():
    model, changes = held(EVCLUSModel()), []
    take = model._take
    model._take = lambda fitted, changed: (changes.append(set(changed)), take(fitted, changed))
    model.n_clusters = 3
    await until(model.begun.is_set)
    model.alpha = 0.2
    assert model.left == [Cancelled]
    model.let.set()
    await until(lambda: not model.busy)
    assert changes == [{"n_clusters", "alpha"}]
    assert model.fitted.partition.n_clusters == 3


@on_a_page
async def test_stop_goes_back_to_the_settings_of_the_picture():
    model = held(EVCLUSModel())
    state, before = model.state(), model.fitted
    with model.batch():
        model.n_clusters, model.d0_quantile = 3, 0.5
    assert model.busy
    await until(model.begun.is_set)
    model.stop()
    assert model.left == [Cancelled] and not model.busy
    assert model.fitted is before and model.state() == state
    assert model.message == "Stopped: settings of the last fit restored."
    model.let.set()
    model.alpha = 0.2  # and everything goes on as before
    await until(lambda: not model.busy)
    assert model.fitted is not before and not model.is_error


@on_a_page
async def test_other_data_stay_when_their_fit_is_stopped_and_the_picture_reports_it():
    model = held(EVCLUSModel("butterfly"))
    model.data = "t4:100"
    assert model.busy
    model.stop()
    assert model.data == "t4:100" and model.is_out_of_date
    model.let.set()
    model.n_clusters = 3
    await until(lambda: not model.busy)
    assert model.fitted.subject.n_objects == 100 and not model.is_out_of_date


@on_a_page
async def test_errors_in_the_background_become_messages():
    model = held(EVCLUSModel())
    state = model.state()
    model.n_clusters = 13
    model.let.set()
    await until(lambda: model.is_error)
    assert "expected at most as many clusters as objects, 12; got 13" in model.message.lower()
    assert model.state() == state


@on_a_page
async def test_a_cell_waits_for_a_fit_that_a_page_began():
    model = held(EVCLUSModel())
    model.n_clusters = 3
    model.let.set()
    model.wait()
    assert not model.busy and model.fitted.partition.n_clusters == 3


@on_a_page
async def test_the_view_names_which_result_is_shown_and_stops():
    explorer = explore_evclus("butterfly")
    sign = explorer.status
    assert sign.layout.display == "none"
    slow = held(EVCLUSModel("butterfly"))
    explorer = view_of(slow)
    slow.page = asyncio.get_running_loop  # in place of a kernel's
    sign = explorer.status
    explorer.controls["n_clusters"].value = 3
    assert sign.layout.display == "flex" and sign.stop.layout.display is None
    words = sign.children[1].value
    assert "Computing" in words and "clusters c = 2" in words and 'role="status"' in words
    assert OUT_OF_DATE in explorer.widget._dom_classes
    explorer.controls["export"].click()
    assert "no result" in slow.message
    sign.stop.click()
    assert sign.layout.display == "none" and explorer.controls["n_clusters"].value == 2
    assert OUT_OF_DATE not in explorer.widget._dom_classes


@on_a_page
async def test_the_sign_names_the_iteration_that_is_shown():
    model = held(EVCLUSModel("butterfly"))
    sign = view_of(model).status
    model.page = asyncio.get_running_loop
    model.rewind()
    assert f"the last result (iteration = {model.fitted.n_iter})" in sign.children[1].value
    model.stop()
    assert model.iteration == LAST


@on_a_page
async def test_a_player_waits_for_the_first_iteration():
    model = held(EVCLUSModel("butterfly"))
    play = view_of(model).controls["play"]
    model.page = asyncio.get_running_loop
    model.rewind()
    for _ in range(3):
        slide(play, play.value + 1)  # the browser counts on
        assert model.busy and model.iteration == play.value == 0 and model.left == []
    model.let.set()
    await until(lambda: not model.busy)
    slide(play, 1)
    await until(lambda: not model.busy)
    assert model.fitted.iteration == play.value == 1
    model.let.clear()
    slide(play, 2)
    slide(play, 0)  # its button to the start
    assert model.busy and model.iteration == 0
    model.stop()


@on_a_page
async def test_the_status_names_which_start_and_iteration_a_fit_is_at(monkeypatch):
    model, let, record = EVCLUSModel("butterfly"), Event(), Trajectory.record
    sign = view_of(model).status
    model.page = asyncio.get_running_loop

    def waiting(trajectory, stress, tol):
        if len(trajectory.stress) == 2:  # of the start and of one iteration
            let.wait(SOON)
        return record(trajectory, stress, tol)

    monkeypatch.setattr(Trajectory, "record", waiting)
    monkeypatch.setattr("credalbench.explore.model.TICK_S", 0.01)
    model.n_clusters = 3
    await until(lambda: sign.children[2].value.endswith(" s, start 1 of 3, iteration 2"))
    let.set()
    await until(lambda: not model.busy)
    assert sign.children[2].value == ""


@on_a_page
async def test_an_ensemble_reports_which_base_partition_it_makes(monkeypatch):
    model, let, texts = EnsembleModel("half_rings:40", n_estimators=3), Event(), []
    model.page = asyncio.get_running_loop
    model.observe(lambda change: texts.append(change["new"]), "progress")
    one_base = bases.one_base

    def waiting(objects, k, seed, b):
        if b == 2:
            let.wait(SOON)
        return one_base(objects, k, seed, b)

    monkeypatch.setattr(bases, "one_base", waiting)
    monkeypatch.setattr("credalbench.explore.model.TICK_S", 0.01)
    model.seed = 1
    await until(lambda: any("base partition 3 of 3" in words for words in texts))
    let.set()
    await until(lambda: not model.busy)
    assert model.fitted.partition.n_objects == 40


@on_a_page
async def test_a_hand_points_at_what_the_picture_shows():
    """While it does not show the present points, whatever names one of them would hit another one."""

    model = held(EVCLUSModel("butterfly"))
    model.drawing.delete(3)
    assert model.busy and model.subject.n_objects == 11
    shown = model.subject
    for change in (
        lambda: model.drawing.delete(3),
        lambda: model.drawing.move(3, 0.0, 9.0),
        lambda: model.drawing.paint(3, 1),
    ):
        change()
        assert model.is_error and "the picture does not show" in model.message.lower()
        assert model.busy and model.subject is shown
    model.drawing.add(0.0, 9.0)  # wants none that is there
    model.drawing.delete(3)
    assert model.is_error and model.subject.n_objects == 12  # as many as in the picture, but others
    model.let.set()
    await until(lambda: not model.busy)
    model.let.clear()
    for y in (1.0, 2.0):  # a drag goes on
        model.drawing.move(0, -7.0, y)
    assert model.busy and model.subject.attributes[0].tolist() == [-7.0, 2.0]
    model.stop()
    model.data = "t4:100"
    model.drawing.add(0.0, 0.0)
    assert model.is_error and model.data == "t4:100"


@on_a_page
async def test_the_curve_of_other_data_is_not_added_to_the_fit_that_is_shown():
    model = held(EGMMModel(n_objects=60))
    model.data = "iris"
    model.stop()
    assert model.is_out_of_date and not model.extend_curve()
    assert len(model.fitted.curve) == 1


@on_a_page
async def test_undo_takes_back_the_link_that_is_not_fitted_yet_and_no_other():
    model = held(CECMModel("two_class:40:2", links=((0, 1, "must-link"),)))
    links = model.links
    model.choice.choose(0, 39)
    model.linking.link("cannot-link")
    model.linking.undo()
    assert model.busy and model.links == links
    model.let.set()
    await until(lambda: not model.busy)
    assert model.fitted.links == links and "between" not in model.message
    model.linking.undo()
    model.linking.undo()  # while the first goes on
    await until(lambda: not model.busy)
    assert model.links == () and not model.linking.can_undo


@on_a_page
async def test_the_button_takes_back_the_first_link_before_it_is_fitted():
    explorer = explore_cecm("two_class:40:2")
    model, undo = held(explorer.model), explorer.controls["undo"]
    for back in (undo.click, model.stop):
        model.choice.choose(0, 39)
        model.linking.link("cannot-link")
        assert not undo.disabled
        back()
        assert model.links == () and not model.linking.can_undo
    assert undo.disabled


@on_a_page
async def test_a_stopped_link_is_no_step_to_undo():
    model = CECMModel("two_class:40:2")
    model.choice.choose(0, 1)
    model.linking.link("must-link")
    links = held(model).links
    model.choice.choose(0, 39)
    model.linking.link("cannot-link")
    model.stop()
    assert model.links == links and "between" not in model.message
    model.let.set()
    model.linking.undo()
    await until(lambda: not model.busy)
    assert model.links == () and not model.linking.can_undo
    model.let.clear()
    model.choice.choose(0, 39)
    model.linking.link("cannot-link")
    assert model.busy and not model.message
    model.let.set()
    await until(lambda: not model.busy)
    assert model.message.startswith("Cannot-link between object 1 and object 40.")
