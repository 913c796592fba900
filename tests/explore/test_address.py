"""Settings in the address of a page: what a browser sends back opens the same, and nothing else gets in."""

import json

import numpy as np
import pytest

from tests.explore.browser import send, upload
from tests.explore.declared import NAMES, open_explorer, user_files
from tests.explore.settings import SETTINGS


def texts(settings):
    """Return settings as the address has them."""
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in settings.items()}


def reopened(explorer, name, own="", selected=None):
    """Return an explorer that has read the address of another."""
    other = open_explorer(name)
    send(other.image, event="settings", settings=texts(explorer.image.settings), own=own, selected=selected)
    return other


@pytest.mark.parametrize("name", NAMES)
def test_an_address_opens_the_same_picture(name):
    explorer = open_explorer(name, **SETTINGS[name].examples)
    explorer.controls["n_clusters"].value = 3
    other = reopened(explorer, name, selected=1)
    assert not other.model.is_error, other.model.message
    assert other.image.settings == explorer.image.settings
    found, expected = (np.sort(one.model.fitted.partition.masses) for one in (other, explorer))
    assert found == pytest.approx(expected)  # clusters may have other numbers: those of what was shown before
    assert other.image.selected == 1


@pytest.mark.parametrize("name", NAMES)
def test_own_data_come_back_from_the_tab(name):
    explorer, (file, contents, _) = open_explorer(name), user_files(name)
    assert explorer.image.own == ""
    upload(explorer, file, contents)
    assert not reopened(explorer, name, explorer.image.own).model.is_error
    back = reopened(explorer, name, explorer.image.own)
    assert back.model.state() == explorer.model.state()
    asked = reopened(explorer, name)  # as from a link on another machine
    assert asked.model.is_error and "choose the file with the button" in asked.model.message


def test_drawn_points_and_answers_come_back_from_the_tab():
    explorer = open_explorer("ecm", "two_class:40:2")
    explorer.model.drawing.add(1.5, 2.5)
    back = reopened(explorer, "ecm", explorer.image.own)
    assert back.model.subject.n_objects == 41 and back.model.state() == explorer.model.state()
    explorer.model.data = "iris"
    assert explorer.image.own == ""


def test_settings_are_those_of_the_fit_that_is_asked_for():
    explorer = open_explorer("ecm")
    explorer.controls["alpha"].value = 1.7
    assert explorer.image.settings["alpha"] == 1.7
    explorer.model.set_parameters({"beta": 0.5})  # refused
    assert explorer.model.is_error and explorer.image.settings["beta"] == explorer.model.beta == 2


@pytest.mark.parametrize(
    ("settings", "own"),
    [
        (None, ""),
        ("alpha=1", ""),
        ([["alpha", "1"]], ""),
        ({"alpha": 1}, ""),
        ({"alpha": "1"}, None),
        ({"alpha": "1"}, 7),
        ({"alpha": "one"}, ""),
        ({"alpha": "1e9"}, ""),
        ({"alpha": "NaN"}, ""),
        ({"alpha": "[" * 50_000}, ""),
        ({"alpha": "9" * 5000}, ""),
        ({"n_clusters": "2.5"}, ""),
        ({"focal_sets": "some"}, ""),
        ({"no_such": "1"}, ""),
        ({"model": "1"}, ""),
        ({"data": "no such set"}, ""),
        ({"data": "mine.csv"}, "no JSON"),
        ({"data": "mine.csv"}, '{"own": 5}'),
        ({"data": "mine.csv"}, '{"own": "u,v\\n1,2", "alpha": 2}'),
        ({"start": "[[1, 2]]"}, ""),
    ],
)
def test_what_is_no_address_is_refused_and_changes_nothing(settings, own):
    explorer = open_explorer("ecm")
    before = explorer.model.state()
    for selected in (None, 10**9, -1, "x", [0]):
        send(explorer.image, event="settings", settings=settings, own=own, selected=selected)
        assert explorer.model.is_error and explorer.model.message
        assert explorer.model.state() == before and explorer.image.selected is None
