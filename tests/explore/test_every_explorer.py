"""What holds for every explorer, whichever there are: a new one is covered by being there."""

import json
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from threading import Thread

import ipywidgets as w
import numpy as np
import pytest
import traitlets as t

from credalbench.explore import EVCLUSModel, list_explorers
from credalbench.explore.explorers import EXPLORERS, declaration
from credalbench.explore.parameter import parameter
from credalbench.explore.view.controls import SLIDER
from credalbench.explore.view.explorer_view import decimal, shown_value
from credalbench.explore.view.parts import MINOR
from tests.explore.browser import drawn, drawn_anew, shown, slide, upload
from tests.explore.declared import NAMES, SQUARE, few_objects, model_class, open_explorer, user_files
from tests.explore.settings import SETTINGS
from tests.listening import listened

NOTEBOOKS = Path(__file__).parents[2] / "notebooks" / "explore"
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
    w.Play,
    w.Text,
    w.ToggleButton,
)


#: Settings of the objects of a file of a user.
OF_A_USER = {
    "bpec": {"prototypes": (0, 3)},
    "cecm": {"links": ((0, 3, "cannot-link"),)},
    "ecm": {"start": ((4.0, 4.0), (1.0, 1.0)), "iteration": 1},
    "ensemble": {"base_from": 3, "base_to": 3},
    "segmentation": {"strokes": [{"tool": 1, "rectangle": [0, 0, 4, 4]}]},
}


@cache
def data_names(Model):
    """Names of data that need no download; those shown at first come last."""
    model = Model()
    names = [name for name, label in model.source.names().items() if "download" not in label]
    return sorted(names, key=model.data.__eq__)


def examples(Model):
    """Values of parameters without a range, or that others need."""
    return SETTINGS[Model.STEM].examples if Model.STEM in EXPLORERS else {}


def other_values(Model, name):
    """Values of a parameter other than its default, as its declaration gives them."""
    declared, trait = Model.parameters()[name], getattr(Model, name)
    if name == "data":
        values = data_names(Model)[:1]
    elif declared.choices:
        values = declared.choices
    elif isinstance(trait, t.Bool):
        values = [False, True]
    elif declared.slider:
        low, high, _ = (10.0**place if declared.logarithmic else place for place in declared.slider)
        values = [low, high, low + 0.4 * (high - low)]
    elif isinstance(trait, t.Int | t.Float):
        values = [2 * trait.default() + 1, trait.default() / 2]
    else:
        values = [examples(Model)[name]]  # one without an example needs one
    kind = int if isinstance(trait, t.Int) else lambda value: value
    return [kind(value) for value in values if kind(value) != trait.default()]


def refused_values(Model, name):
    """Values that a declaration says are not legal."""
    declared, trait = Model.parameters()[name], getattr(Model, name)
    if declared.choices:
        return ["no such word"]
    if not isinstance(trait, t.Int | t.Float):
        return []
    ends = [declared.low - 1, declared.high + 1, declared.above, declared.below]
    beyond = [end for end in ends if np.isfinite(end)]
    return [int(end) for end in beyond] if isinstance(trait, t.Int) else [*map(float, beyond), float("nan")]


def other_data(Model):
    """Name of data other than those shown at first; the test is skipped where all need a download."""
    name = data_names(Model)[0]
    if name == Model().data:
        pytest.skip(f"{Model.__name__} has no data but {name!r} on this machine")
    return name


def masses_of(fitted):
    """All masses that are shown: of two partitions those of both, side by side."""
    partitions = getattr(fitted, "partitions", (fitted.partition,))
    return np.hstack([partition.masses for partition in partitions])


def few(Model, **parameters):
    """A model of few objects."""
    return Model(**(few_objects(Model.STEM) | parameters))


def view_and_masses(Model, **parameters):
    """The view and the masses of a model, or None after an error."""
    model = few(Model, **parameters)
    return None if model.is_error else (getattr(model.fitted, "view", ""), masses_of(model.fitted).tobytes())


def moves(Model, name):
    """Whether some value changes masses or view: at first, with constraints, or with three clusters."""
    known, example = Model.parameters(), examples(Model)
    switched = {key: True for key in known if isinstance(getattr(Model, key), t.Bool)}
    for situation in ({}, example, example | switched | {"n_clusters": 3}):
        before = view_and_masses(Model, **situation)
        for value in other_values(Model, name):
            after = view_and_masses(Model, **(situation | {name: value}))
            if after not in (None, before):
                return True
    return False


@pytest.fixture(params=NAMES)
def explorer(request):
    return open_explorer(request.param, **few_objects(request.param))


@pytest.fixture(scope="module")
def opened():
    """All explorers, by name."""
    return {name: open_explorer(name, **few_objects(name)) for name in NAMES}


@pytest.fixture(params=NAMES)
def unchanged(request, opened):
    """An explorer that is only read."""
    return opened[request.param]


PARAMETERS = [(name, parameter) for name in NAMES for parameter in model_class(name).parameters()]
each_parameter = pytest.mark.parametrize(
    ("Model", "name"),
    [(model_class(explorer), name) for explorer, name in PARAMETERS],
    ids=["-".join(names) for names in PARAMETERS],
)


def settings(explorer):
    """For each control of a parameter its name, that of the parameter, and the declaration; data last."""
    declared = explorer.model.parameters()
    for control in sorted(explorer.controls, key="data".__eq__):
        if (name := control.removesuffix(SLIDER)) in declared:
            yield control, name, declared[name]


# -- what there is ---------------------------------------------------------------------------------------


def test_every_explorer_has_a_notebook_and_describes_it():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == NAMES
    assert all(list_explorers().values())


def test_names_and_models_load_no_widget():
    """The command line asks for the names; models are for programs, too."""
    models = [model_class(name).__module__ for name in NAMES]
    code = f"""
import importlib, sys
import credalbench.explore
credalbench.explore.list_explorers()
light = "numpy" not in sys.modules and "traitlets" not in sys.modules
for name in {models}:
    importlib.import_module(name)
print(light, "ipywidgets" in sys.modules or "anywidget" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True False\n", done.stderr


# -- parameters ------------------------------------------------------------------------------------------


@each_parameter
def test_every_parameter_moves_something(Model, name):
    if name == "data":
        other_data(Model)
    assert moves(Model, name)


def test_a_parameter_that_nothing_reads_moves_nothing():
    class Idle(EVCLUSModel):
        idle = parameter(
            t.Float(0.5), "idle", "Read by nothing", low=0, high=1, slider=(0, 1, 0.1), warm=True
        )

    assert not moves(Idle, "idle")


@each_parameter
def test_refused_values_become_a_message_and_go_back_to_those_of_the_last_fit(Model, name):
    model = few(Model)
    state, fitted = model.state(), model.fitted
    for value in refused_values(Model, name):
        setattr(model, name, value)
        assert model.is_error
        assert str(value) in model.message
        assert model.fitted is fitted
        assert model.state() == state
    model.n_clusters += 1
    assert not model.is_error


@each_parameter
def test_state_round_trip_through_json(Model, name):
    twin = Model(other_data(Model))
    models = (few(Model, **{name: value}) for value in other_values(Model, name))
    model = next(model for model in models if not model.is_error)
    state = json.loads(json.dumps(model.state()))
    assert set(state) == set(Model.parameters())
    twin.set_state(state)
    assert not twin.is_error
    assert json.loads(json.dumps(twin.state())) == state
    np.testing.assert_array_equal(masses_of(twin.fitted), masses_of(model.fitted))


def test_data_that_cannot_be_loaded_leave_those_shown(Model):
    model = Model()
    data, fitted = model.data, model.fitted
    for name in ("no such set", "absent.file"):
        model.data = name
        assert name in model.message and model.is_error
        assert model.data == data and model.fitted is fitted
    model.n_clusters += 1
    assert not model.is_error


def test_same_seed_same_masses_and_same_picture(explorer):
    again = type(explorer)(few(type(explorer.model)), declaration(explorer.model.STEM))
    np.testing.assert_array_equal(again.model.fitted.partition.masses, explorer.model.fitted.partition.masses)
    assert shown(again) == shown(explorer)


def test_unknown_parameters_are_named_with_a_suggestion(Model):
    name = next(name for name, declared in Model.parameters().items() if declared.slider)
    with pytest.raises(ValueError, match=f"did you mean '{name}'"):
        Model(**{f"{name}x": 1})
    model = Model()
    before = model.state()
    model.set_state({f"{name}x": 1})
    assert f"did you mean '{name}'" in model.message
    model.set_state({name: "many"})
    assert model.is_error and model.state() == before


def test_every_parameter_is_in_the_docstring(Model):
    for name in Model.parameters():
        assert f"\n{name} : " in Model.__doc__


@pytest.mark.parametrize("name", NAMES)
def test_every_change_and_a_batch_of_changes_refit_once(name):
    Model = model_class(name)
    model, fits = few(Model), []
    model.observe(lambda change: fits.append(change["new"]), "fitted")
    names = [name for name, declared in Model.parameters().items() if declared.slider][:2]
    with model.batch():
        for name in names:
            setattr(model, name, other_values(Model, name)[-1])
    assert len(fits) == 1 and not model.is_error
    for name in [name for name in Model.parameters() if name != "data"]:
        fits.clear()
        values = (*other_values(Model, name), getattr(Model, name).default())
        value = next(value for value in values if value != getattr(model, name))
        setattr(model, name, value)
        assert len(fits) == (not model.is_error), name


@pytest.mark.parametrize(
    ("name", "parameter_name", "value", "words"),
    [
        ("bpec", "prototypes", (0, 400), "from 0 to 399"),
        ("bpec", "prototypes", (3, 3), "different rows"),
        ("bpec", "prototypes", ((0.0, 1.0),), "from 0 to 399"),
        ("bpec", "n_neighbors", 400, "n_samples - 1 = 399"),
        ("bpec", "least_delta", 99.0, "largest are"),
        ("cecm", "data", "two_class:many", "two_class:400:2"),
        ("cecm", "links", ((0, 0, "must-link"),), "0 with itself"),
        ("cecm", "links", ((0, 9999, "must-link"),), "got 10000"),
        ("cecm", "links", ((0, 1, "maybe"),), "got 'maybe'"),
        ("cecm", "links", ((0, 1),), "unpack"),
        ("ecm", "start", ((0.0, 1.0),), "start of shape (4, 2)"),
        ("ecm", "start", ((0.0, 1.0),) * 3 + ((1.0, float("nan")),), "finite numbers in start"),
        ("ecm", "start", (("a", "b"),) * 4, "convert string"),
        ("evclus", "n_clusters", 50, "as many clusters as objects, 12; got 50"),
        ("evclus", "n_pairs", 12, "got 12"),
        ("segmentation", "data", "absent.png", "data set named"),
        ("segmentation", "data", "no such image", "data set named"),
        ("segmentation", "data", "iris", "is not an image"),
        ("segmentation", "data", "phantom:x", "number after the colon"),
    ],
)
def test_values_that_do_not_fit_the_data_are_refused_with_the_reason(name, parameter_name, value, words):
    Model = model_class(name)
    model = Model(**examples(Model))
    assert not model.is_error
    state, fitted = model.state(), model.fitted
    setattr(model, parameter_name, value)
    assert model.is_error and words in model.message
    assert model.fitted is fitted and model.state() == state
    model.n_clusters = 3
    assert not model.is_error


@pytest.mark.parametrize(
    ("name", "parameters", "count"),
    [
        ("bpec", {"n_clusters": 30}, 467),
        ("catecm", {"n_clusters": 9}, 512),
        ("cecm", {"n_clusters": 7}, 128),
        ("compare", {"right_focal_sets": "full", "n_clusters": 7}, 128),
        ("ecm", {"focal_sets": "full", "n_clusters": 7}, 128),
        ("egmm", {"n_clusters": 7}, 127),
        ("ensemble", {"focal_sets": "full", "n_clusters": 7}, 128),
        ("evclus", {"focal_sets": "full", "n_clusters": 12}, 4096),
    ],
)
def test_too_many_focal_sets_are_refused_with_their_number(name, parameters, count):
    model = model_class(name)()
    fitted = model.fitted
    with model.batch():
        for parameter_name, value in parameters.items():
            setattr(model, parameter_name, value)
    assert f"has {count}" in model.message and model.is_error
    assert model.fitted is fitted


@pytest.mark.parametrize("name", ["bpec", "cecm", "compare", "ecm", "egmm", "ensemble"])
def test_dissimilarities_are_neither_offered_nor_taken_where_attributes_are_needed(name):
    model = model_class(name)()
    before = model.data
    assert "protein" not in model.source.names()
    model.load_file(SQUARE, "square.csv")
    assert model.is_error and "needs attributes" in model.message
    assert model.data == before
    model.n_clusters += 1
    assert not model.is_error


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("cecm", {"data": "iris", "init": "k-means"}),
        ("ecm", {"data": "iris"}),
        ("egmm", {"n_objects": 90, "overlap": 0.03}),
        ("evclus", {"data": "t4:100"}),
    ],
)
def test_clusters_take_the_numbers_of_the_classes(name, parameters):
    """So they have the colours of the panel of true classes, from the first fit on."""
    for seed in range(3):
        model = model_class(name)(seed=seed, **parameters)
        for model.seed in (seed, seed + 1):
            agree = model.fitted.partition.labels("pignistic") == model.subject.y
            assert agree.mean() > 0.8  # numbered otherwise, one third agrees at most


@pytest.mark.parametrize("name", ["cecm", "ecm"])
def test_coincident_prototypes_are_reported(name):
    model = model_class(name)(np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0), n_clusters=3)
    assert not model.is_error and "coincide" in model.message


@pytest.mark.parametrize(("name", "too_many"), [("catecm", 14), ("cecm", 3), ("ensemble", 3)])
def test_objects_that_cannot_be_chosen_are_refused(name, too_many):
    model = model_class(name)()
    model.choice.choose(4)
    for objects in ((model.subject.n_objects,), (-1,), (1, 1), tuple(range(too_many))):
        model.choice.choose(*objects)
        assert model.is_error
        assert model.choice.objects == (4,)


# -- files of users --------------------------------------------------------------------------------------


def opened_by_a_user(Model):
    """A model with a file of a user, and settings that are of its objects."""
    name, contents, _ = user_files(Model.STEM)
    model = Model()
    model.load_file(contents, name)
    for parameter_name, value in OF_A_USER.get(Model.STEM, {}).items():
        setattr(model, parameter_name, value)
    assert not model.is_error, model.message
    assert model.data == name
    return model


def test_a_file_of_a_user_and_its_settings_are_part_of_the_state(Model):
    model, twin = opened_by_a_user(Model), Model()
    state = json.loads(json.dumps(model.state()))
    twin.set_state(state)
    assert not twin.is_error
    assert json.loads(json.dumps(twin.state())) == state
    assert twin.subject.note == model.subject.note
    assert getattr(twin.subject, "object_names", ()) == getattr(model.subject, "object_names", ())
    np.testing.assert_array_equal(masses_of(twin.fitted), masses_of(model.fitted))


def test_another_file_of_the_same_name_is_fitted_again(Model):
    model = opened_by_a_user(Model)
    before = masses_of(model.fitted)
    name, _, other = user_files(Model.STEM)
    model.load_file(other, name)
    assert not model.is_error and not np.array_equal(masses_of(model.fitted), before)


def test_unusable_arrays_become_a_message_and_other_data_can_follow(Model):
    image = getattr(SETTINGS[Model.STEM].small, "kind", "") == "image"
    model = Model(np.full((5, 5), 0.5) if image else [[1.0, 1.0]] * 5)
    assert ("two different colours" if image else "all objects coincide") in model.message.lower()
    assert model.is_error and model.fitted is None
    model.data = data_names(Model)[0]
    assert model.fitted is not None and not model.is_error


# -- controls --------------------------------------------------------------------------------------------


def test_keyboard_reaches_every_control_and_each_describes_it(unchanged):
    assert len(unchanged.controls) > 4
    for name, control in unchanged.controls.items():
        assert type(control) in CORE, name
        assert control.tabbable is not False
        assert control.tooltip, name
        assert control.description or name + SLIDER in unchanged.controls, name


def test_every_control_is_on_the_screen(unchanged):
    def inside(widget):
        yield widget
        for child in getattr(widget, "children", ()):
            yield from inside(child)

    assert {*unchanged.controls.values(), unchanged.image, unchanged.message} <= set(inside(unchanged.widget))


def test_every_control_reaches_the_model_and_the_picture_follows(explorer):
    for control, name, _ in settings(explorer):
        before, widget = getattr(explorer.model, name), explorer.controls[control]
        others = (shown_value(widget, value) for value in other_values(type(explorer.model), name)[::-1])
        other = next((value for value in others if value != widget.value), None)
        if other is None and name == "data":
            continue  # all other data are yet to be downloaded
        widget.value = other
        assert getattr(explorer.model, name) == decimal(widget.value)
        assert (widget.value == before) == explorer.model.is_error  # too much together with the others
        assert shown(explorer) == drawn_anew(explorer, explorer.model.fitted)


def test_a_slider_that_snaps_to_a_step_moves_nothing(explorer):
    """In the browser a slider goes to its nearest step, and reports that as if somebody had moved it."""
    model = explorer.model
    for name, trait, declared in settings(explorer):
        if not declared.slider or (declared.logarithmic and name == trait):
            continue
        slider, before = explorer.controls[name], getattr(model, trait)
        between = declared.slider[0] + 1.4 * declared.slider[2]
        value = 10**between if declared.logarithmic else between
        setattr(model, trait, int(value) if isinstance(slider, w.IntSlider) else value)
        fitted, state = model.fitted, model.state()
        slide(slider, slider.value)
        if isinstance(slider.value, float):
            slide(slider, np.nextafter(slider.value, 0))  # the browser's own rounding
        assert model.state() == state
        assert model.fitted is fitted
        slide(slider, slider.max)  # but a move is a move
        assert model.state() != state or model.is_error
        setattr(model, trait, before)


def test_a_moving_slider_gets_no_answer(explorer):
    """An answer, even one that differs by rounding only, would pull it back from where it is by then."""
    for name, trait, declared in settings(explorer):
        slider = explorer.controls[name]
        if isinstance(slider, w.FloatSlider):
            answers = []
            slider.observe(lambda change, answers=answers: answers.append(change["new"]), "value")
            place = np.nextafter(declared.slider[0] + 7 * declared.slider[2], 100)
            slide(slider, place)
            assert answers == [place]
            assert getattr(explorer.model, trait) == decimal(place)


def test_a_slider_grows_with_the_value_unless_the_legal_range_ends(explorer):
    for name, trait, declared in settings(explorer):
        slider = explorer.controls[name]
        if declared.slider and not declared.logarithmic:
            most = slider.max
            setattr(explorer.model, trait, most + 2 * slider.step)
            assert (slider.max > most) == (declared.grows and not explorer.model.is_error)
            setattr(explorer.model, trait, type(most)(declared.slider[0]))


def test_what_browsers_report_in_two_threads_waits_for_its_turn(explorer, monkeypatch):
    """As JupyterLab hands it on for a moment, when its second thread for widgets has just begun."""
    drawing, met = [], []
    draw = explorer.scene

    def slow(*fitted):
        met.extend(drawing)
        drawing.append("busy")
        time.sleep(0.02)  # s; long enough for the others to come in
        drawing.pop()
        return draw(*fitted)

    monkeypatch.setattr(explorer, "scene", slow)
    sliders = [control for control in explorer.controls.values() if isinstance(control, w.IntSlider)]
    values = [slider.min for slider in sliders] + [slider.max for slider in sliders]
    moves = [Thread(target=slide, args=move) for move in zip(2 * sliders, values)]
    for move in moves:
        move.start()
    for move in moves:
        move.join()
    assert met == []
    assert not explorer.model.is_error


# -- the view --------------------------------------------------------------------------------------------


def test_picture_is_the_same_from_a_reused_and_a_new_background(explorer):
    """Also with constraints, if there are any, and with more clusters, and back again."""
    model = explorer.model
    few = model.n_clusters
    changes = examples(type(model))
    for name, value in (*changes.items(), ("n_clusters", 4), ("n_clusters", few)):
        setattr(model, name, value)
        assert not model.is_error
        assert drawn(explorer, model.fitted) == drawn_anew(explorer, model.fitted)


def test_unknown_data_at_the_start_still_show_an_explorer_with_the_reason():
    for name in NAMES:
        explorer = open_explorer(name, "no such set")
        assert "no such set" in explorer.message.value
        for control in explorer.controls.values():
            if isinstance(control, w.Button):
                control.click()
        explorer.controls["data"].value = data_names(type(explorer.model))[0]
        assert shown(explorer)


def test_an_uploaded_file_is_shown_and_stays_in_the_list(explorer):
    before, first = shown(explorer), data_names(type(explorer.model))[-1]
    name, contents, _ = user_files(explorer.model.STEM)
    upload(explorer, name, contents)
    assert explorer.controls["data"].value == explorer.model.data == name
    assert shown(explorer) != before and explorer.controls["upload"].value == ()
    assert explorer.message.value
    explorer.controls["data"].value = first
    explorer.controls["data"].value = name
    assert explorer.model.fitted.subject.note == explorer.model.subject.note


def test_of_a_table_without_classes_objects_are_shown_and_nothing_that_needs_classes(explorer):
    if not explorer.model.DRAWABLE:
        pytest.skip("reads no table of numbers")
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n8,7\n2,1\n")
    fitted = explorer.model.fitted
    scene = explorer.scene(fitted)
    assert len(scene.evidence.masses) == explorer.model.subject.n_objects == 7
    assert "classes" not in [panel.name for panel in scene.panels]
    assert getattr(fitted, "ari", None) is None


def test_read_outs_are_named_and_explained_and_the_picture_is_described(unchanged):
    shown_html, fitted = unchanged.readouts.value, unchanged.model.fitted
    tiles = [*unchanged._read_outs(fitted)]
    assert len(tiles) >= 6 and "iteration" in [name for name, *_ in tiles]
    for name, _, meaning in tiles:
        assert f">{name} " in shown_html if name in MINOR else f">{name}</div>" in shown_html
        assert meaning
    description = unchanged.image.description
    assert description in shown_html and fitted.subject.name in description
    assert f"in {fitted.partition.n_clusters} clusters" in description


@pytest.mark.parametrize("contents", [b"u,v\n0,zero\n2,1\n1,0\n9,9\n", b"\xff\x00"])
def test_bad_upload_gives_a_message_and_keeps_the_picture(explorer, contents):
    before, data = shown(explorer), explorer.model.data
    upload(explorer, "bad.csv", contents)
    assert explorer.model.is_error
    assert explorer.message.value
    assert (shown(explorer), explorer.model.data) == (before, data)
    assert explorer.controls["upload"].value == ()


def test_messages_are_text_and_never_markup(explorer):
    explorer.model.data = "<script>alert(1)</script>"
    assert explorer.model.is_error
    assert "<script>" not in explorer.message.value
    assert "&lt;script&gt;" in explorer.message.value


def test_buttons_restart_and_save(explorer, tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_EXPLORATIONS", str(tmp_path))
    if "restart" in explorer.controls:
        explorer.controls["restart"].click()
        assert explorer.model.seed == 1
    explorer.controls["export"].click()
    assert "Saved" in explorer.message.value and str(tmp_path / "saved") in explorer.message.value
    kinds = {path.suffix: path for path in (tmp_path / "saved").iterdir()}
    assert set(kinds) == {".npz", ".json"}
    saved = json.loads(kinds[".json"].read_text())
    assert saved.pop("explorer") == explorer.model.STEM
    assert saved == json.loads(json.dumps(explorer.model.state()))


def test_in_a_class_the_browser_keeps_the_settings(explorer, tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_CLASS", "1")
    monkeypatch.setenv("CREDALBENCH_EXPLORATIONS", str(tmp_path))
    sent = []
    monkeypatch.setattr(explorer.image, "send", sent.append)
    explorer.controls["export"].click()
    [file] = sent
    assert file["event"] == "download" and file["name"].endswith("-state.json")
    assert f"saved {file['name']}" in explorer.message.value
    explorer.model.load_state(file["contents"].encode())
    assert not explorer.model.is_error and list(tmp_path.iterdir()) == []


def test_what_cannot_be_saved_is_a_message(explorer, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(explorer.model, "export", full)
    explorer.controls["export"].click()
    assert "Nothing was saved: no space left" in explorer.message.value


def test_the_view_needs_no_kernel(unchanged):
    """What a notebook would show, and the picture in words for those who hear it."""
    assert "application/vnd.jupyter.widget-view+json" in unchanged._repr_mimebundle_()
    assert shown(unchanged)
    assert 'role="status"' in unchanged.readouts.value


@pytest.mark.parametrize("name", NAMES)
def test_a_fit_reports_how_far_it_is(name):
    assert any("iteration 2" in words for words in listened(model_class(name))[1])
