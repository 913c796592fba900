"""The evidence canvas without a browser: what it sends, what it passes on, and who knows the selection."""

import re

import numpy as np
import pytest
import traitlets as t

from credalbench.explore import explore_ecm, reading
from credalbench.explore.canvas import script
from credalbench.explore.canvas.evidence_canvas import EvidenceCanvas
from credalbench.explore.explorers.ecm import ECMModel, ecm_scene


@pytest.fixture(scope="module")
def fitted():
    return ECMModel("two_class:40:2").fitted


@pytest.fixture
def canvas(fitted):
    canvas = EvidenceCanvas(shortcuts="su")
    canvas.show(ecm_scene(fitted), "forty objects")
    return canvas


@pytest.fixture
def reported(canvas):
    """All that is passed on."""
    reported = []
    canvas.on("click", lambda *news: reported.append(("click", *news)))
    canvas.on("drag", lambda *news: reported.append(("drag", *news)))
    canvas.on("letter", lambda *news: reported.append(("letter", *news)))
    return reported


def report(canvas, content):
    """What the kernel does with a message of the browser."""
    canvas._handle_custom_msg(content, [])


def test_clicks_drags_and_letters_are_passed_on(canvas, reported):
    report(canvas, {"event": "click", "object": 39, "panel": "map", "x": 5, "y": 6.5})
    report(canvas, {"event": "click", "object": None, "panel": "", "x": 0, "y": 0})
    report(canvas, {"event": "drag", "handle": 1, "x": -1, "y": 2.5})
    report(canvas, {"event": "letter", "letter": "u"})
    expected = [("click", 39, "map", 5.0, 6.5), ("click", None, "", 0.0, 0.0), ("drag", 1, -1.0, 2.5)]
    assert reported == [*expected, ("letter", "u")]


@pytest.mark.parametrize(
    "content",
    [
        {"event": "click", "object": 40, "panel": "map", "x": 1, "y": 1},
        {"event": "click", "object": True, "panel": "map", "x": 1, "y": 1},
        {"event": "click", "object": 0, "panel": None, "x": 1, "y": 1},
        {"event": "click", "object": 0, "panel": "map", "x": "1", "y": 1},
        {"event": "click", "object": 0, "panel": "map"},
        {"event": "drag", "handle": 2, "x": 1, "y": 1},
        {"event": "drag", "handle": 0, "x": None, "y": 1},
        {"event": "letter", "letter": "z"},
        {"event": "letter", "letter": "su"},
        {"event": "letter", "letter": ["s"]},
        {"event": "other"},
        "click",
        None,
    ],
)
def test_what_makes_no_sense_is_dropped(canvas, reported, content):
    report(canvas, content)
    assert reported == []


def test_every_drag_is_answered_whatever_came_of_it(canvas):
    answers = []
    canvas.send = answers.append
    canvas.on("drag", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        canvas._receive(None, {"event": "drag", "handle": 0, "x": 1, "y": 1}, [])
    report(canvas, {"event": "drag", "handle": 7, "x": 1, "y": 1})
    assert answers == 2 * [{"event": "handled"}]


def test_names_and_nearest_objects_are_sent_once_for_a_subject(fitted):
    canvas, sent = EvidenceCanvas(), []
    canvas.observe(lambda change: sent.append(change["name"]), ["objects", "scene"])
    model = ECMModel("two_class:40:2")
    for beta in (2.0, 1.5):
        model.beta = beta
        canvas.show(ecm_scene(model.fitted), "")
    canvas.show(ecm_scene(fitted), "")  # of another subject, though of the same data
    assert sent.count("scene") == 3 and 1 <= sent.count("objects") <= 2


def test_the_scripts_ask_no_other_machine(canvas):
    """They travel with the package, and export a renderer."""
    script = canvas.get_state()["_esm"].replace("http://www.w3.org/2000/svg", "")  # a name, no address
    assert "export default { render }" in script
    for word in ("://", "fetch(", "XMLHttpRequest", "import(", "import ", "WebSocket", "innerHTML", "eval("):
        assert word not in script


def test_scripts_declare_no_name_twice(canvas):
    """They become one text, in which the second would not be read at all."""
    lines = canvas.get_state()["_esm"].splitlines()
    starts = ("function ", "class ", "const ", "let ")
    names = [line.split()[1].split("(")[0] for line in lines if line.startswith(starts)]
    assert len(names) > 40 and len(set(names)) == len(names)


def test_the_selection_stays_while_there_are_its_objects():
    explorer = explore_ecm("two_class:40:2")
    explorer.model.selected = 8
    explorer.model.beta = 1.5
    explorer.model.standardize = True  # the same objects
    assert explorer.image.selected == 8
    with pytest.raises(t.TraitError, match="0 to 39"):
        explorer.model.selected = 40
    explorer.image.set_state({"selected": 99})  # as of data that have gone meanwhile
    assert explorer.model.selected is explorer.image.selected is None
    explorer.model.selected = 3
    explorer.model.data = "butterfly"
    assert explorer.model.selected is explorer.image.selected is None


def test_nearest_objects_are_those_of_the_dissimilarities(fitted):
    D, near = fitted.subject.D, fitted.subject.nearest
    for i, row in enumerate(near):
        others = np.delete(D[i], i)
        assert D[i, row] == pytest.approx(np.sort(others)[:3], rel=1e-12)  # rounding
        assert i not in row


def test_a_dropped_file_is_passed_on_with_its_bytes(canvas):
    read = []
    canvas.on("file", lambda *news: read.append(news))
    canvas._handle_custom_msg({"event": "file", "name": "a.csv"}, [memoryview(b"1,2")])
    for content, buffers in (({"event": "file", "name": "a.csv"}, []), ({"event": "file", "name": 3}, [b""])):
        canvas._handle_custom_msg(content, buffers)
    assert read == [(b"1,2", "a.csv")]


def test_the_colours_of_the_script_are_those_of_the_light_theme():
    light, dark = reading.theme().split("@media (prefers-color-scheme: dark)")
    declared = dict(re.findall(r"--cb-(\w+): (#\w+)", light))
    assert declared.keys() == dict(re.findall(r"--cb-(\w+): (#\w+)", dark)).keys()
    block = script().split("const LIGHT = {")[1].split("}")[0]
    written = dict(re.findall(r'(\w+): "(#\w+)"', block))
    assert written == {name: declared[name] for name in written}
