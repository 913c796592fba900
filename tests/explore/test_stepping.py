"""Going through iterations, in every explorer that does: step, play, start, end."""

import json
from itertools import pairwise

import numpy as np
import pytest

from credalbench.belief import match_clusters
from credalbench.explore.model import LAST
from credalbench.explore.view.parts import FRAME_MS
from tests.explore.browser import press, shown, slide
from tests.explore.declared import NAMES, few_objects, open_explorer
from tests.explore.test_as_code import assert_same_as_shown
from tests.explore.test_every_explorer import masses_of

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # of empty clusters: early masses are vague


@pytest.fixture(params=NAMES)
def explorer(request):
    opened = open_explorer(request.param, **few_objects(request.param))
    assert not opened.model.is_error, opened.model.message
    return opened


@pytest.fixture
def model(explorer):
    return explorer.model


def steps_of(model):
    """Iteration and masses of each step, from the start to the end."""
    model.rewind()
    steps = [(model.fitted.iteration, masses_of(model.fitted))]
    while not model.fitted.ended:
        model.step()
        steps.append((model.fitted.iteration, masses_of(model.fitted)))
    return steps


def test_steps_lead_from_the_start_to_the_end_of_the_run(model):
    end, n_iter = masses_of(model.fitted), model.fitted.n_iter
    assert model.fitted.ended and n_iter > 1
    iterations, masses = zip(*steps_of(model))
    assert list(iterations) == list(range(n_iter + 1))
    np.testing.assert_array_equal(masses[-1], end)
    moved = [np.abs(after - before).max() for before, after in pairwise(masses)]
    assert max(moved[: n_iter // 2]) > 1e-3  # they are different pictures
    model.iteration = 1
    np.testing.assert_array_equal(masses_of(model.fitted), masses[1])


def test_a_step_after_the_end_reports_it(model):
    before = model.fitted
    model.step()
    assert "has ended after" in model.message and not model.is_error
    assert model.fitted is before


def test_stepping_leaves_the_run_as_it_is(model):
    model.rewind()
    runs = [model.fitted.run]
    model.step()
    model.finish()
    assert model.fitted.run is runs[0] is not None


def test_after_a_refusal_stepping_leaves_the_run_as_it_is(model, monkeypatch):
    """What was refused is not fitted again with each step."""

    def refuse(changed):
        raise ValueError("too much of it")

    run = model.fitted.run
    with monkeypatch.context() as patch:
        patch.setattr(model, "_run", refuse)
        model.n_clusters = 3 if model.n_clusters == 2 else 2
    assert model.message == "Too much of it."
    model.rewind()
    model.step()
    assert model.fitted.run is run


def test_any_iteration_is_written_as_code(model):
    for iteration in (0, 1, model.fitted.n_iter - 1):
        model.iteration = iteration
        assert_same_as_shown(model)


def test_a_state_keeps_the_iteration(explorer):
    model = explorer.model
    model.rewind()
    model.step()
    twin = type(model)()
    twin.load_state(json.dumps(model.state()).encode())
    assert not twin.is_error and twin.fitted.iteration == 1
    np.testing.assert_array_equal(masses_of(twin.fitted), masses_of(model.fitted))


def test_another_start_is_shown_at_its_end(model):
    model.iteration = 1
    model.n_clusters = 3 if model.n_clusters == 2 else 2
    assert model.fitted.ended and model.iteration == LAST


def test_playing_goes_through_all_iterations(explorer):
    """The browser counts up; each number is one more iteration in the picture."""
    explorer.controls["rewind"].click()
    play, slider, pictures = explorer.controls["play"], explorer.controls["iteration"], []
    for k in range(min(play.max, 6) + 1):
        slide(play, k)
        assert explorer.model.fitted.iteration == k == slider.value
        assert shown(explorer) not in pictures
        pictures.append(shown(explorer))
    play.playing = True
    explorer.controls["rewind"].click()
    assert explorer.model.fitted.iteration == 0 and not play.playing


def test_buttons_and_letters_go_through_the_iterations(explorer):
    explorer.controls["rewind"].click()
    assert explorer.model.fitted.iteration == 0
    explorer.controls["step"].click()
    press(explorer, "s")
    assert explorer.model.fitted.iteration == min(2, explorer.model.fitted.n_iter)
    press(explorer, "e")
    assert explorer.model.fitted.ended
    press(explorer, "r")
    assert explorer.model.fitted.iteration == 0
    explorer.controls["finish"].click()
    assert explorer.model.fitted.ended


def test_the_range_of_iterations_is_that_of_the_run(explorer):
    slider, play, n_iter = (*map(explorer.controls.get, ("iteration", "play")), explorer.model.fitted.n_iter)
    assert slider.max == slider.value == play.max == play.value == n_iter
    assert explorer.model.iteration == LAST  # following is not a wish


def test_a_player_waits_for_iterations_that_take_long(explorer):
    """And the slider of iterations follows the pointer where they are quick, whatever the run takes."""
    play, slider = explorer.controls["play"], explorer.controls["iteration"]
    assert play.interval >= FRAME_MS
    made = explorer.scene(explorer.model.fitted)
    explorer.scene = lambda fitted: made  # takes no time
    explorer.model.step_ms = 10 * FRAME_MS
    explorer._show_fit()
    assert play.interval > 10 * FRAME_MS and not slider.continuous_update
    explorer.model.step_ms = 1.0
    explorer._show_fit()
    assert play.interval == FRAME_MS and slider.continuous_update


def test_clusters_keep_their_numbers_when_a_slider_goes_there_and_back(model):
    first = model.fitted.partition
    for name, declared in model.parameters().items():
        if not declared.slider or name in ("iteration", "n_clusters") or name in model.PREPARING:
            continue
        before, (low, high, _) = getattr(model, name), declared.slider
        ends = (10**low, 10**high) if declared.logarithmic else (low, high)
        for end in ends:
            setattr(model, name, type(before or low)(end))
            setattr(model, name, before)
            if model.is_error:
                continue
            numbers = match_clusters(model.fitted.partition, [first])
            assert numbers.tolist() == sorted(numbers.tolist()), (name, end)


def test_numbers_return_after_nearly_all_objects_were_outliers():
    model = open_explorer("evclus", data="butterfly").model
    before = model.fitted.partition.labels()
    for quantile in (0.01, 0.9, 0.02, 0.05, 0.3, 0.9):
        model.d0_quantile = quantile
    np.testing.assert_array_equal(model.fitted.partition.labels(), before)
