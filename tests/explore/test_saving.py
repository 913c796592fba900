"""What is kept: a state that is saved and opened again, and the code of what is shown."""

import json

import numpy as np
import pytest

from credalbench.explore import CatECMModel, CompareModel, ECMModel, EVCLUSModel, explore_evclus
from credalbench.explore.explorers.compare import COMPARED
from credalbench.explore.explorers.compare.methods import METHODS
from tests.explore.browser import upload
from tests.explore.declared import CSV, NAMES, model_class
from tests.explore.settings import SETTINGS
from tests.explore.test_as_code import assert_same, assert_same_as_shown, computed

#: Files that are not saved states, or not of this explorer.
MALFORMED = (
    b"",
    b"\xff\xfe\x00",
    b"[" * 50_000,
    b"[1, 2]",
    b"null",
    b'{"explorer": "others"}',
    b'{"data": 5}',
    b'{"data": "butterfly", "own": 5}',
    b'{"data": "mine.csv", "own": "u,v\\n1,2", "answers": [3]}',
    b'{"n_clusters": "two"}',
    b'{"n_clusters": NaN}',
    b'{"n_clusters": -3}',
    b'{"no such parameter": 1}',
    b'{"data": "no such set"}',
)


#: Settings that are none of an explorer, and words of the reason.
REFUSED = [
    ("cecm", {"links": [[0, 1, "must-link"], [0, 1, "cannot-link"]]}, "but must-links 1 - 2"),
    ("evclus", {"data": "bad.csv", "own": "u,v\n1,\n2,3\n4,5\n", "n_clusters": 3}, "bad.csv: column 'v'"),
    ("segmentation", {"strokes": [{"tool": 7}]}, "xpected"),
    ("segmentation", {"data": "mine.png", "own": "no base 64"}, ""),
]


@pytest.fixture
def explorer():
    return explore_evclus("two_class:16:2")


def test_a_saved_state_is_opened_again(tmp_path, explorer):
    explorer.model.focal_sets = "full"
    upload(explorer, "mine.csv", CSV)
    _, path = explorer.model.export(tmp_path)
    other = explore_evclus("butterfly")
    upload(other, path.name, path.read_bytes(), "open")
    assert not other.model.is_error
    assert other.model.state() == explorer.model.state()
    assert other.controls["open"].value == ()


@pytest.mark.parametrize("name", NAMES)
def test_files_that_are_no_saved_state_change_nothing_and_are_explained(name):
    model = model_class(name)()
    before = model.state()
    for contents in MALFORMED:
        model.load_state(contents)
        assert model.is_error and ("xpected" in model.message or "no such" in model.message)
        assert model.state() == before
    model.load_state(json.dumps(before).encode())  # without the name of the explorer, as once
    assert not model.is_error


@pytest.mark.parametrize(("name", "settings", "words"), REFUSED)
def test_refused_settings_of_a_state_become_a_message_and_change_nothing(name, settings, words):
    model = model_class(name)(**SETTINGS[name].examples)
    before = model.state()
    model.set_state(settings)
    assert model.is_error and words in model.message
    assert model.state() == before


def test_a_state_of_another_explorer_is_named(explorer):
    explorer.model.load_state(b'{"explorer": "ecm"}')
    assert "'evclus'" in explorer.model.message and "'ecm'" in explorer.model.message


def test_code_is_shown_while_its_button_is_down_and_follows(explorer):
    """And neither the fit of now nor the next ones go on from the last masses."""
    assert explorer.code.widget.children == ()
    explorer.model.d0_quantile = 0.7
    assert explorer.model.fitted.warm
    explorer.controls["code"].value = True
    assert explorer.code.widget.children == (explorer.code.box,)
    for d0 in (0.7, 0.8, 0.6):
        explorer.model.d0_quantile = d0
        assert not explorer.model.fitted.warm
        assert_same(computed(explorer.code.box.code), explorer.model.fitted.partition)
    explorer.controls["code"].value = False
    explorer.model.d0_quantile = 0.7
    assert explorer.model.fitted.warm


def test_there_is_no_code_of_settings_without_a_result():
    explorer = explore_evclus("no such set")
    explorer.controls["code"].value = True
    assert explorer.code.box.code == "# There is no code yet: these settings have no result.\n"


@pytest.mark.parametrize("standardize", [False, True])
def test_code_of_an_own_table_reads_it_with_the_answers(tmp_path, monkeypatch, standardize):
    text = b"id;u;v;class\na;0,5;1;x\nb;;2;x\nc;1,5;2;x\nd;9;8,5;y\ne;8;9;y\nf;9;9;y\n"
    (tmp_path / "mine.csv").write_bytes(text)
    model = EVCLUSModel()
    model.load_file(text, "mine.csv")
    question = next(question for question in model.source.reading.open if question.about == "missing values")
    model.source.answer_question(question, {"missing": "rows"})
    model.standardize = standardize
    assert model.fitted.partition.n_objects == 5
    monkeypatch.chdir(tmp_path)
    assert_same(computed(model.as_code()), model.fitted.partition)


def test_code_holds_arrays_that_were_given_and_points_that_were_drawn():
    X = np.array([[0.1, 1], [1, 0], [0, 0], [9, 9], [8, 9], [9, 8]])
    model = EVCLUSModel(X)
    assert_same(computed(model.as_code()), model.fitted.partition)
    model.drawing.add(4.7, 5)
    model.standardize = True
    other = EVCLUSModel()
    other.set_state(model.state())
    for drawn in (model, other):
        assert drawn.fitted.partition.n_objects == 7
        assert_same(computed(drawn.as_code()), drawn.fitted.partition)


def test_code_of_large_arrays_names_them():
    X = np.random.default_rng(0).normal(size=(60, 100))
    model = ECMModel(X)
    assert "# X: the array of shape (60, 100)" in model.as_code()
    assert_same(computed(model.as_code(), X=X), model.fitted.partition)


def test_code_of_given_categories_holds_them():
    values = np.array([["a", "x"], ["a", "y"], ["b", "y"], ["b", "z"], ["b", "z"]])
    model = CatECMModel(values)
    assert_same(computed(model.as_code()), model.fitted.partition)


@pytest.mark.parametrize("comparing", COMPARED)
@pytest.mark.parametrize("method", METHODS)
def test_code_of_two_sides_has_both_and_what_both_need_once(method, comparing):
    methods = {"left_method": method, "right_method": method}
    model = CompareModel("two_class:16:2", comparing=comparing, **methods)
    assert_same_as_shown(model)
    without_start = method in ("evclus", "bpec", "nnevclus")
    needed = "X = " if without_start else "medoids = " if method == "ecmdd" else "start = "
    numbers = {model.fitted.left.number, model.fitted.right.number}
    assert model.as_code().count(needed) == (1 if without_start else len(numbers))
