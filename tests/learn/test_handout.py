"""Handouts: every lesson as one page that asks for nothing, and knows what to say to each answer."""

import json
import re
from functools import cache

import pytest

from credalbench.explore import explore_evclus
from credalbench.glossary import GLOSSARY
from credalbench.learn import COURSE, Exploration, MassBoard, Number, lesson
from credalbench.learn.handout.living import parts_of
from credalbench.learn.handout.moving import moving_board, moving_explorer, read_slider
from credalbench.learn.handout.questions import question
from credalbench.learn.handout.writing import page_html, write_handout
from credalbench.learn.source import read_lesson
from tests.learn.running import lived_through

MOST_BYTES = 3_000_000
ADDRESS = re.compile(
    r"(?:https?|ftp|wss?)://|\bsrc=\"(?!data:)|\bhref=\"(?![#$])|url\((?!#)|@import|\bfetch\(|import\s*\("
)
NAME_OF_SVG = "http://www.w3.org/2000/svg"  # a name by which browsers know SVG: nothing is asked there

every_lesson = pytest.mark.parametrize("name", COURSE)


@cache
def parts(name):
    return parts_of(read_lesson(name), lived_through(name)[1])


def moving(name):
    return [part.content for part in parts(name) if part.kind == "moving"]


def no_number(text):
    raise ValueError(f"{text} is no JSON")


@every_lesson
def test_a_handout_is_small_and_asks_for_nothing(name):
    page = page_html(read_lesson(name), parts(name))
    assert len(page.encode()) < MOST_BYTES
    assert ADDRESS.findall(page.replace(NAME_OF_SVG, "")) == []
    held, arrays = (
        json.loads(text, parse_constant=no_number)
        for text in re.findall(r'<script type="application/json" id="\w+">(.*?)</script>', page, re.DOTALL)
    )
    places = {int(place) for place in re.findall(r'"data": (\d+)', json.dumps(held))}
    assert places == set(range(len(arrays))) and len(set(arrays)) == len(arrays)


@every_lesson
def test_every_slider_moves_something(name):
    assert moving(name)
    for one in moving(name):
        assert one.label and any(term.explanation in one.hint for term in GLOSSARY.values()), one.hint
        assert len(one.words) == len(one.frames) and one.start in range(len(one.frames))
        drawn = [json.dumps(frame, default=bytes.hex, sort_keys=True) for frame in one.frames]
        assert len(set(drawn)) == len(drawn), f"{one.label}: two frames are the same"


@every_lesson
def test_every_exploration_is_judged_by_a_slider_that_finds_it_and_misses_it(name):
    verdicts = {task: said for one in moving(name) for task, said in one.verdicts.items()}
    wanted = [one.name for one in lesson(name) if isinstance(one, Exploration)]
    assert sorted(verdicts) == sorted(wanted)
    for task, said in verdicts.items():
        assert {right for right, _ in said} == {True, False}, task


@every_lesson
def test_a_question_knows_what_its_exercise_would_say(name):
    for exercise in lesson(name):
        plain = question(exercise, None)
        if plain["kind"] == "options":
            count = len(plain["options"])
            assert len(plain["said"]) == (2**count if plain["several"] else count)
            assert [letters for letters, (right, _) in plain["said"].items() if right] == [exercise.reference]
        elif isinstance(exercise, Number):
            assert [right for _, (right, _) in plain["known"]] == [True] + [False] * len(exercise.known)
            assert plain["otherwise"][1] == str(exercise.check(exercise.reference + 1234.5))
        else:
            assert plain["answer"] == exercise.said(exercise.reference) and plain["explanation"]


def test_cells_show_what_a_notebook_shows():
    shown = [part.content for part in parts("credal_partitions") if part.kind == "shown"]
    kinds = ("<img src=", '<div class="wide">', "<pre>")
    assert [sum(content.startswith(kind) for content in shown) for kind in kinds] == [2, 2, 1]
    assert not any("None" in content for content in shown)


@every_lesson
def test_no_time_is_among_the_read_outs(name):
    tiles = "".join(frame.get("tiles", "") for one in moving(name) for frame in one.frames)
    assert not re.search(r"\d ms<", tiles)


def test_an_explorer_ends_as_it_began():
    explorer = explore_evclus("butterfly", n_clusters=2, d0=11)
    before = explorer.model.state()
    found = moving_explorer(explorer, read_slider('slider = "alpha"\nvalues = [0.01, 0.1, 0.3]'), {})
    assert explorer.model.state() == before
    assert found.start == 0 and found.words == ["0.01", "0.1", "0.3"]  # 0.05 is nearest to 0.01
    assert all(frame["scene"]["handles"] is None for frame in found.frames)


def test_a_board_ends_as_it_began():
    board = MassBoard(2, masses={"{1}": 0.25, "Ω": 0.75})
    found = moving_board(board, read_slider('slider = "{1}"\nvalues = [0.0, 0.25, 1.0]'))
    assert found.start == 1 and "Ω 0.75, {1} 0.25" in found.frames[1]["html"]
    assert board.controls["{1}"].value == 0.25


@pytest.mark.parametrize(
    ("slider", "message"),
    [
        ('slider = "alpha"\nvalues = [0.1]', "expected several values of alpha"),
        ('slider = "alpha"\nvalues = [0.1, 0.2]\nwords = ["one"]', "expected 2 words"),
        ('slider = "alhpa"\nvalues = [0.1, 0.2]', "expected a parameter of EVCLUSModel, got 'alhpa'"),
        ('slider = "alpha"\nvalues = [0.1, 2.0]', "alpha = 2.0: Expected"),
    ],
)
def test_what_no_slider_can_show_is_refused(slider, message):
    explorer = explore_evclus("butterfly", n_clusters=2)
    with pytest.raises(ValueError, match=message):
        moving_explorer(explorer, read_slider(slider), {})


def test_a_mass_that_is_not_left_is_refused():
    board = MassBoard(2, masses={"{1}": 0.25, "{2}": 0.75})
    with pytest.raises(ValueError, match=r"expected masses of \{1\} that leave some for Ω, got 0.5"):
        moving_board(board, read_slider('slider = "{1}"\nvalues = [0.0, 0.5]'))


def test_a_file_that_cannot_be_written_is_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr("credalbench.learn.handout.writing.run_lesson", pytest.fail)
    with pytest.raises(FileNotFoundError, match="expected a file in a folder that exists"):
        write_handout("mass_functions", tmp_path / "nowhere" / "page.html")
    with pytest.raises(ValueError, match="expected a lesson out of mass_functions, "):
        write_handout("mass", tmp_path / "page.html")
