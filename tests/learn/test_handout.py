"""Handouts: every lesson as one page that loads nothing and has feedback on each answer."""

import json
import re
from functools import cache

import pytest

from credalbench.core.glossary import GLOSSARY
from credalbench.explore import explore_evclus
from credalbench.learn import COURSE, Exploration, MassBoard, Number, lesson
from credalbench.learn.handout import page_html, write_handout
from credalbench.learn.handout.parts import Slider, board_frames, explorer_frames, page_question, parts_of
from credalbench.learn.source import read_lesson
from tests.learn.running import executed

MOST_BYTES = 3_000_000
ADDRESS = re.compile(
    r"(?:https?|ftp|wss?)://|\bsrc=\"(?!data:)|\bhref=\"(?![#$])|url\((?!#)|@import|\bfetch\(|import\s*\("
)
NAME_OF_SVG = "http://www.w3.org/2000/svg"  # a name by which browsers know SVG: nothing is asked there

every_lesson = pytest.mark.parametrize("name", COURSE)


@cache
def parts(name):
    return parts_of(read_lesson(name), executed(name)[1])


#: Words about controls that a handout does not have.
OF_NOTEBOOKS = re.compile(
    r"\b(?:Press|press|Undo|Clear|Suggest a pair|Use true classes|Most informative pair|JupyterLab)\b"
    r"|\btype \d|\blist \*|\bSet [αβδ] to|\bwait for\b"
)


def sliders(name):
    return [part.content for part in parts(name) if part.kind == "slider"]


def no_number(text):
    raise ValueError(f"{text} is no JSON")


@every_lesson
def test_a_handout_is_small_and_loads_nothing(name):
    page = page_html(read_lesson(name), parts(name))
    assert len(page.encode()) < MOST_BYTES
    assert ADDRESS.findall(page.replace(NAME_OF_SVG, "")) == []
    data, arrays = (
        json.loads(text, parse_constant=no_number)
        for text in re.findall(r'<script type="application/json" id="\w+">(.*?)</script>', page, re.DOTALL)
    )
    places = {int(place) for place in re.findall(r'"data": (\d+)', json.dumps(data))}
    assert places == set(range(len(arrays))) and len(set(arrays)) == len(arrays)


@every_lesson
def test_every_slider_changes_the_frame(name):
    assert sliders(name)
    for one in sliders(name):
        assert one.label and any(term.explanation in one.hint for term in GLOSSARY.values()), one.hint
        assert len(one.words) == len(one.frames) and one.start in range(len(one.frames))
        drawn = [json.dumps(frame, default=bytes.hex, sort_keys=True) for frame in one.frames]
        assert len(set(drawn)) == len(drawn), f"{one.label}: two frames are the same"


@every_lesson
def test_the_slider_of_every_exploration_has_right_and_wrong_frames(name):
    verdicts = {name: each for one in sliders(name) for name, each in one.verdicts.items()}
    expected = [one.name for one in lesson(name) if isinstance(one, Exploration)]
    assert sorted(verdicts) == sorted(expected)
    for exercise, each in verdicts.items():
        assert {right for right, _ in each} == {True, False}, exercise


@every_lesson
def test_a_question_has_the_feedback_of_its_exercise(name):
    for exercise in lesson(name):
        plain = page_question(exercise, None)
        if plain["kind"] == "options":
            count = len(plain["options"])
            assert len(plain["feedback"]) == (2**count if plain["several"] else count)
            assert [letters for letters, (right, _) in plain["feedback"].items() if right] == [
                exercise.reference
            ]
        elif isinstance(exercise, Number):
            assert [right for _, (right, _) in plain["known"]] == [True] + [False] * len(exercise.known)
            assert plain["otherwise"][1] == str(exercise.check(exercise.reference + 1234.5))
        else:
            assert plain["answer"] == exercise.describe(exercise.reference) and plain["explanation"]


@every_lesson
def test_texts_name_no_controls_that_only_a_notebook_has(name):
    for part in parts(name):
        texts = [part.content if isinstance(part.content, str) else part.source]
        if part.kind == "question" and part.content["kind"] != "shown":
            texts += part.content["hints"]
        if part.kind == "slider":
            texts += [text for each in part.content.verdicts.values() for _, text in each]
        if part.kind in ("text", "explanation", "question", "slider"):
            assert [text for text in texts if OF_NOTEBOOKS.search(text)] == []


def test_questions_that_a_handout_cannot_check_are_for_the_notebook():
    questions = [part for part in parts("mass_functions") if part.kind == "question"]
    shown = [part.content["name"] for part in questions if " In the notebook: " in part.source]
    assert shown == [part.content["name"] for part in questions if part.content["kind"] == "shown"] == ["ann"]


def test_outputs_are_those_of_a_notebook():
    shown = [part.content for part in parts("credal_partitions") if part.kind == "output"]
    kinds = ("<img src=", '<div class="wide">', "<pre ")
    assert [sum(content.startswith(kind) for content in shown) for kind in kinds] == [2, 2, 1]
    assert not any("None" in content for content in shown)


@every_lesson
def test_no_time_is_among_the_read_outs(name):
    tiles = "".join(frame.get("tiles", "") for one in sliders(name) for frame in one.frames)
    assert not re.search(r"\d ms<", tiles)


def test_the_state_of_an_explorer_is_restored():
    explorer = explore_evclus("butterfly", n_clusters=2, d0=11)
    before = explorer.model.state()
    frames = explorer_frames(explorer, Slider("alpha", [0.01, 0.1, 0.3]), {})
    assert explorer.model.state() == before
    assert frames.start == 0 and frames.words == ["0.01", "0.1", "0.3"]  # 0.05 is nearest to 0.01
    assert all(frame["scene"]["handles"] is None for frame in frames.frames)


def test_the_masses_of_a_board_are_restored():
    board = MassBoard(2, masses={"{1}": 0.25, "Ω": 0.75})
    frames = board_frames(board, Slider("{1}", [0.0, 0.25, 1.0]))
    assert frames.start == 1 and "Ω 0.75, {1} 0.25" in frames.frames[1]["html"]
    assert board.controls["{1}"].value == 0.25


@pytest.mark.parametrize(
    ("slider", "message"),
    [
        (("alpha", [0.1]), "expected several values of alpha"),
        (("alpha", [0.1, 0.2], ["one"]), "expected 2 words"),
        (("alhpa", [0.1, 0.2]), "expected a parameter of EVCLUSModel, got 'alhpa'"),
        (("alpha", [0.1, 2.0]), "alpha = 2.0: Expected"),
    ],
)
def test_invalid_sliders_are_rejected(slider, message):
    explorer = explore_evclus("butterfly", n_clusters=2)
    with pytest.raises(ValueError, match=message):
        explorer_frames(explorer, Slider(*slider), {})


def test_a_mass_that_is_not_available_is_rejected():
    board = MassBoard(2, masses={"{1}": 0.25, "{2}": 0.75})
    with pytest.raises(ValueError, match=r"expected masses of \{1\} that leave some for Ω, got 0.5"):
        board_frames(board, Slider("{1}", [0.0, 0.5]))


def test_a_file_that_cannot_be_written_is_rejected_first(tmp_path, monkeypatch):
    monkeypatch.setattr("credalbench.learn.handout.run_lesson", pytest.fail)
    with pytest.raises(FileNotFoundError, match="expected a path in an existing folder"):
        write_handout("mass_functions", tmp_path / "nowhere" / "page.html")
    with pytest.raises(ValueError, match="expected one of the lessons mass_functions, "):
        write_handout("mass", tmp_path / "page.html")


def test_frames_carry_the_views_of_the_map_and_the_explorer_keeps_its_own():
    explorer = explore_evclus("butterfly")
    slider = Slider("alpha", [0.05, 0.2], views=["sets", "masses", "plane"])
    frames = explorer_frames(explorer, slider, {})
    assert frames.views == ["set of largest mass", "all masses", "masses of the plane"]
    assert explorer.model.map_view == "sets"
    for frame in frames.frames:
        titles = [scene["panels"][0]["title"] for scene in frame["scenes"]]
        assert [title.split(": ")[1] for title in titles] == [
            "largest mass",
            "all masses",
            "masses of the plane",
        ]
        assert frame["scene"] == frame["scenes"][0]
    with pytest.raises(ValueError, match="two attributes"):
        explorer_frames(explore_evclus("iris"), Slider("alpha", [0.05, 0.2], views=["plane"]), {})
