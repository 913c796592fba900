"""The clickable picture without a browser: what it sends, and which reports it passes on."""

import pytest

from credalbench.explore.shared.widgets.clickable_picture import ClickablePicture


@pytest.fixture
def picture():
    return ClickablePicture(
        value=b"\x89PNG", width=20, height=10, positions=[[1.0, 2.0], [5.0, 6.0]], shortcuts="mu"
    )


@pytest.fixture
def drags(picture):
    heard = []
    picture.handles = [[3.0, 4.0]]
    picture.on_drag(lambda k, x, y: heard.append((k, x, y)))
    return heard


@pytest.fixture
def clicks(picture):
    heard = []
    picture.on_click(lambda i, x, y: heard.append((i, x, y)))
    return heard


def browser_says(picture, content):
    """What the kernel does with a message of the browser."""
    picture._handle_custom_msg(content, [])


def test_a_click_is_passed_on_with_its_object_and_place(picture, clicks):
    browser_says(picture, {"event": "click", "object": 1, "x": 5, "y": 6.5})
    browser_says(picture, {"event": "click", "object": None, "x": 15.0, "y": 9})
    assert clicks == [(1, 5.0, 6.5), (None, 15.0, 9.0)]


def test_a_drag_is_passed_on_with_its_handle_and_place(picture, clicks, drags):
    browser_says(picture, {"event": "drag", "handle": 0, "x": 5, "y": 6.5})
    assert drags == [(0, 5.0, 6.5)]
    assert clicks == []


@pytest.mark.parametrize(
    "content",
    [
        {"event": "click", "object": 2, "x": 1, "y": 1},
        {"event": "click", "object": -1, "x": 1, "y": 1},
        {"event": "click", "object": True, "x": 1, "y": 1},
        {"event": "click", "object": "0", "x": 1, "y": 1},
        {"event": "click", "object": 0, "x": None, "y": 1},
        {"event": "click", "object": 0},
        {"event": "drag", "handle": 1, "x": 1, "y": 1},
        {"event": "drag", "handle": None, "x": 1, "y": 1},
        {"event": "drag", "handle": True, "x": 1, "y": 1},
        {"event": "drag", "handle": 0, "x": "1", "y": 1},
        {"event": "drag", "object": 0, "x": 1, "y": 1},
        {"event": "hover"},
        {},
        "click",
    ],
)
def test_what_no_browser_should_say_is_dropped(picture, clicks, drags, content):
    browser_says(picture, content)
    assert clicks == drags == []


def test_only_letters_that_are_shortcuts_are_passed_on(picture):
    heard = []
    picture.on_letter(heard.append)
    for letter in ("m", "x", "mu", "", None, "u"):
        browser_says(picture, {"event": "letter", "letter": letter})
    assert heard == ["m", "u"]


def test_the_browser_gets_picture_places_and_script(picture):
    state = picture.get_state()
    assert bytes(state["value"]) == b"\x89PNG"
    assert state["positions"] == [[1.0, 2.0], [5.0, 6.0]]
    assert "export default" in state["_esm"]


def test_the_script_asks_no_other_machine(picture):
    script = picture.get_state()["_esm"].replace("http://www.w3.org/2000/svg", "")  # a name, no address
    for word in ("://", "fetch(", "XMLHttpRequest", "import(", "import ", "WebSocket", "innerHTML", "eval("):
        assert word not in script


def test_a_picture_is_shown_with_its_places_at_once(picture):
    sent = []
    picture.observe(lambda change: sent.append(change["name"]), ["value", "positions", "handles"])
    picture.show(b"\x89PNG new", "two objects", [[1.0, 2.0], [5.0, 6.0]], [[3.14, 4.0]])
    assert picture.handles == [[3.1, 4.0]]
    assert picture.description == "two objects"
    assert sorted(sent) == ["handles", "value"]  # places that stay are not sent again
