"""A hostile page, in a class or of one user: no message reads a file of the machine or says what is there."""

import json
import sys
from contextlib import suppress

import ipywidgets as w
import pytest
from ipywidgets.widgets.widget import _instances, _registry

from credalbench.explore.saving import EXPLORATIONS, FOR_CLASS
from credalbench.learn import COURSE
from credalbench.learn.source import read_lesson, run_lesson
from tests.explore.browser import send, upload
from tests.explore.declared import CSV, NAMES, model_class, open_explorer
from tests.explore.hostile import CANARY, ODD, hostile_files, hostile_state, machine_files, paths

N_STATES = 200
LOOKS = w.Layout | w.Style
#: Custom messages: of buttons, of the canvas, and some that mean nothing.
EVENTS = ("click", "drag", "draw", "stroke", "letter")
WATCHED = {"open", "os.listdir", "os.scandir", "glob.glob"}
_watch = {"folder": "", "opened": []}


def _audit(event, arguments):
    """Note what is opened in the watched folder, and each program that is started, but joblib's question."""
    folder = _watch["folder"]
    opened = event in WATCHED and folder in str(arguments[0])
    started = event == "subprocess.Popen" and arguments[0] != "lscpu"
    if folder and (opened or started):
        _watch["opened"].append((event, arguments[0]))


sys.addaudithook(_audit)


@pytest.fixture(params=["1", ""], ids=["class", "one user"])
def folder(request, tmp_path, monkeypatch):
    """A folder of the machine, which is the working directory and the home of the server, too."""
    folder = machine_files(tmp_path / "teacher")
    monkeypatch.setenv(FOR_CLASS, request.param)
    monkeypatch.setenv(EXPLORATIONS, str(tmp_path / "explorations"))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    _watch.update(folder=str(folder), opened=[])
    yield folder
    _watch["folder"] = ""
    assert _watch["opened"] == []


def update(widget, **state):
    """Handle an update of traits; what traits refuse changes nothing, as in a kernel, which prints it."""
    with suppress(Exception):
        widget.set_state(state)


def customs(numbers):
    """Yield custom messages."""
    yield from ("x", {"event": "click"}, {"event": ["click"]}, {"event": "letter", "letter": "r"})
    for event in EVENTS:
        for i in (None, 0, 10**9, "a"):
            for x in numbers:
                yield {"event": event, "object": i, "handle": i, "panel": "map", "x": x, "y": 0.5} | {
                    "tool": 1,
                    "radius": x,
                    "path": [[x, x]],
                }


def walk(widgets, names, odd):
    """Send values to every synchronised trait of widgets, and custom messages; return their number."""
    sent = 0
    for widget in widgets:
        values = [*names, *odd] if not isinstance(widget, LOOKS) else names[:1]
        states = [{key: value} for key in widget.keys for value in values]
        states += [{"max": value, "value": value} for value in odd if "max" in widget.keys]
        for state in states:
            update(widget, **state)
        for content in (messages := [*customs(odd)]):
            widget._handle_custom_msg(content, [])  # prints errors of callbacks, as in a kernel
        sent += len(states) + len(messages)
    return sent


def disclosed(explorer):
    """Return everything that a page shows."""
    shown = [widget.get_state() for widget in _instances.values()]
    return repr((explorer.model.message, explorer.image.scene, explorer.code.box.code, shown))


@pytest.mark.parametrize("name", NAMES)
def test_no_message_to_a_widget_reads_a_file(name, folder):
    before = set(_instances)
    explorer = open_explorer(name)
    widgets = [widget for key, widget in [*_instances.items()] if key not in before]
    assert walk(widgets, paths(folder)[:3], ODD) > 1000
    assert CANARY not in disclosed(explorer)


def test_no_widget_that_a_page_creates_reads_a_file(folder):
    for *_, kind in _registry.items():
        with suppress(Exception):  # some need arguments
            walk([kind()], paths(folder)[:2], ODD[:2])


@pytest.mark.long
@pytest.mark.parametrize("name", COURSE)
def test_no_message_to_a_lesson_reads_a_file(name, folder):
    before = set(_instances)
    _, outputs = run_lesson(read_lesson(name))
    for output in outputs:
        if hasattr(output, "_repr_mimebundle_"):  # an exercise makes its widgets when it is shown
            output._repr_mimebundle_()
    widgets = [widget for key, widget in [*_instances.items()] if key not in before]
    _watch["opened"].clear()  # its cells may read data
    assert walk(widgets, paths(folder)[:2], ODD[::4]) > 100


@pytest.mark.parametrize("name", NAMES)
def test_no_state_reads_a_file(name, folder):
    explorer = open_explorer(name)
    model, refused = explorer.model, 0
    first = json.dumps(model.state()).encode()
    for seed in range(N_STATES):
        fitted, contents = model.fitted, hostile_state(model, folder, seed)
        upload(explorer, "state.json", contents, "open")
        assert model.fitted is fitted or not model.is_error, contents[:300]
        refused += model.is_error
    assert refused > N_STATES / 2
    model.load_state(first)
    assert not model.is_error, model.message
    assert CANARY not in disclosed(explorer)


@pytest.mark.parametrize("name", NAMES)
def test_no_address_reads_a_file(name, folder):
    explorer = open_explorer(name)
    model, refused = explorer.model, 0
    first = model.state()
    for seed in range(N_STATES):
        fitted, state = model.fitted, json.loads(hostile_state(model, folder, seed))
        settings = {key: str(value) for key, value in state.items()} if isinstance(state, dict) else state
        own = settings.pop("own", "") if isinstance(settings, dict) else ""
        send(explorer.image, event="settings", settings=settings, own=json.dumps({"own": own}), selected=seed)
        assert model.fitted is fitted or not model.is_error, settings
        refused += model.is_error
    assert refused > N_STATES / 2
    model.set_state(first)
    assert not model.is_error, model.message
    assert CANARY not in disclosed(explorer)


@pytest.mark.parametrize("name", NAMES)
def test_no_upload_reads_a_file_and_its_name_is_only_a_name(name, folder):
    explorer = open_explorer(name)
    model = explorer.model
    for contents, file_name in hostile_files(folder):
        upload(explorer, file_name, contents)
        for control in ("standardize", "data"):  # what loads the data once more
            if control in explorer.controls:
                update(explorer.controls[control], value=True, index=0)
        model.n_clusters = 5 - model.n_clusters if model.n_clusters in (2, 3) else 2
        assert not model.is_error, model.message
    for content in (10**11, "x", [1], None):
        file = {"name": "mine.csv", "type": "", "size": 1, "content": content, "last_modified": 0}
        update(explorer.controls["upload"], value=[file])
    assert CANARY not in disclosed(explorer)


@pytest.mark.parametrize("for_class", ["1", ""])
@pytest.mark.parametrize("name", NAMES)
def test_a_path_in_a_state_is_refused_whether_it_exists_or_not(name, for_class, tmp_path, monkeypatch):
    monkeypatch.setenv(FOR_CLASS, for_class)
    model = model_class(name)()
    fitted, messages = model.fitted, []
    (tmp_path / "here.csv").write_bytes(CSV)
    for stem in ("here.csv", "gone.csv", "here.csv/gone.csv"):
        model.set_state({"data": str(tmp_path / stem)})
        assert model.is_error and model.fitted is fitted
        messages.append(model.message.replace(stem, ""))
    assert len(set(messages)) == 1 and "choose the file with the button" in messages[0]


def test_a_class_refuses_paths_from_programs_too_and_hides_its_folders(tmp_path, monkeypatch):
    monkeypatch.setenv(FOR_CLASS, "1")
    monkeypatch.setenv("CREDALBENCH_DATA", str(tmp_path))
    (tmp_path / "here.csv").write_bytes(CSV)
    model = model_class("evclus")()
    for data in (tmp_path / "here.csv", str(tmp_path / "here.csv"), "zongker"):
        model.set_data(data)
        assert model.is_error and str(tmp_path.parent) not in model.message.replace(str(data), "")
    assert "not available in this class" in model.message


def test_after_a_file_was_uploaded_a_state_names_it():
    model, twin = model_class("evclus")(), model_class("evclus")()
    for one in (model, twin):
        one.load_file(CSV, "mine.csv")
    model.n_clusters = 3
    twin.set_state({"data": "mine.csv", "n_clusters": 3})
    assert not twin.is_error and twin.fitted.partition.n_clusters == 3
