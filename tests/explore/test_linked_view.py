"""What all explorers do, without a browser: controls that follow, uploads, messages, saving."""

import ipywidgets as w
import numpy as np
import pytest

from credalbench.explore import explore_cecm, explore_evclus, explore_segmentation
from tests.explore.browser import PNG, slide, upload

OPEN = {"evclus": explore_evclus, "cecm": explore_cecm, "segmentation": explore_segmentation}
SMALL = {
    "evclus": ("butterfly", {}),
    "cecm": ("two_class:40:2", {}),
    "segmentation": ("phantom", {"n_prototypes": 60}),
}
CORE = (
    w.BoundedIntText,
    w.Button,
    w.Checkbox,
    w.Dropdown,
    w.FileUpload,
    w.FloatLogSlider,
    w.FloatSlider,
    w.FloatText,
    w.IntSlider,
    w.Text,
)


def small(name):
    data, parameters = SMALL[name]
    return OPEN[name](data, **parameters)


@pytest.fixture(params=SMALL)
def explorer(request):
    return small(request.param)


@pytest.mark.parametrize(
    ("name", "trait", "value", "control", "step"),
    [
        ("evclus", "d0", 11.0, "d0_quantile", None),
        ("evclus", "alpha", 0.0512, "alpha", 0.05),
        ("cecm", "xi", 0.333, "xi", 0.33),
        ("cecm", "delta", 31.6, "delta_slider", 10**1.5),
        ("segmentation", "xi", 0.333, "xi", 0.33),
        ("segmentation", "n_prototypes", 104, "n_prototypes", 100),
    ],
)
def test_a_slider_that_snaps_to_a_step_moves_nothing(name, trait, value, control, step):
    """In the browser a slider goes to its nearest step, and reports that as if somebody had moved it."""
    explorer = small(name)
    slider = explorer.controls[control]
    setattr(explorer.model, trait, value)
    fitted, state = explorer.model.fitted, explorer.model.state()
    if step is None:
        step = round(getattr(explorer.model, control), 2)
        assert step != getattr(explorer.model, control)  # else there is nothing to snap
    slide(slider, step)
    if isinstance(step, float):
        slide(slider, np.nextafter(step, 0))  # the browser's own rounding
    assert explorer.model.state() == state
    assert explorer.model.fitted is fitted
    slide(slider, type(step)(step + 2 * slider.step))  # but a move is a move
    assert explorer.model.state() != state
    assert not explorer.model.is_error


@pytest.mark.parametrize("name", SMALL)
def test_a_moving_slider_gets_no_answer(name):
    """An answer, even one that differs by rounding only, would pull it back from where it is by then."""
    explorer = small(name)
    slider, answers = explorer.controls["alpha"], []
    slider.observe(lambda change: answers.append(change["new"]), "value")
    place = np.nextafter(0.3, 1)
    slide(slider, place)
    assert answers == [place]
    assert explorer.model.alpha == place


def test_a_slider_grows_with_the_value(explorer):
    slider = explorer.controls["alpha"]
    most, step = slider.max, slider.step
    explorer.model.alpha = most + 0.4 * step
    assert (slider.value, slider.max) == (most, most + 0.4 * step)
    explorer.model.alpha = most + 2 * step
    assert slider.value == pytest.approx(most + 2 * step, rel=1e-12)  # rounding of a sum


def test_unknown_data_at_the_start_still_show_an_explorer_with_the_reason():
    for name, open_explorer in OPEN.items():
        explorer = open_explorer("no such set")
        assert "no such set" in explorer.message.value
        for control in explorer.controls.values():
            if isinstance(control, w.Button):
                control.click()
        explorer.controls["data"].value = SMALL[name][0] if name != "cecm" else "two_class:200:2"
        assert explorer.image.value[:8] == PNG


def test_bad_upload_gives_a_message_and_keeps_the_picture(explorer):
    before, data = explorer.image.value, explorer.model.data
    upload(explorer, "bad.csv", b"u,v\n0,zero\n0,1\n1,0\n9,9\n")
    assert "xpected" in explorer.message.value or "&#x27;zero&#x27;" in explorer.message.value
    assert explorer.model.is_error
    assert (explorer.image.value, explorer.model.data) == (before, data)
    assert explorer.controls["upload"].value == ()


def test_messages_are_text_and_never_markup(explorer):
    explorer.model.data = "<script>alert(1)</script>"
    assert explorer.model.is_error
    assert "<script>" not in explorer.message.value
    assert "&lt;script&gt;" in explorer.message.value


def test_buttons_restart_and_save(explorer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "restart" in explorer.controls:
        explorer.controls["restart"].click()
        assert explorer.model.seed == 1
    explorer.controls["export"].click()
    assert len(list(tmp_path.iterdir())) == 2
    assert "Saved" in explorer.message.value


def test_what_cannot_be_saved_is_a_message(explorer, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(explorer.model, "export", full)
    explorer.controls["export"].click()
    assert "Nothing was saved: no space left" in explorer.message.value


def test_keyboard_reaches_every_control(explorer):
    for name, control in explorer.controls.items():
        assert type(control) in CORE, name
        assert control.tabbable is not False
        assert (control.description or name == "delta") and control.tooltip, name  # beside its slider


def test_notebook_shows_the_widget(explorer):
    assert "application/vnd.jupyter.widget-view+json" in explorer._repr_mimebundle_()
