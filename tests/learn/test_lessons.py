"""Every lesson: its text, its exercises, its notebook and the page for teachers."""

import re
from dataclasses import replace
from functools import cache

import pytest

from credalbench.learn import COURSE, Code, Exploration
from credalbench.learn.source import Cell, read_lesson, run_cell
from credalbench.learn.terms import TermLinks
from tests.learn.running import executed
from tests.test_house import LINE_LENGTH, tool

lessons_tool = tool("lessons")
LESSONS = {name: read_lesson(name) for name in COURSE}
EXERCISES = [(name, one.name) for name, lesson in LESSONS.items() for one in lesson.exercises]

#: Kinds of cells with text.
PROSE = ("text", "explanation", "notebook", "handout")

every_lesson = pytest.mark.parametrize("name", COURSE)
every_exercise = pytest.mark.parametrize(
    ("name", "exercise"), EXERCISES, ids=[": ".join(e) for e in EXERCISES]
)


def judged(name, exercise, answer):
    """Return the feedback on an answer: settings of the explorer, code after the cells, or a value."""
    namespace, _ = executed(name)
    found = getattr(namespace["exercises"], exercise)
    if isinstance(found, Code):
        answered = dict(namespace)
        run_cell(answer, answered)
        return found.check(answered["answer"])
    if not isinstance(found, Exploration):
        return found.check(answer)
    twin = twin_of(found.explorer.model)
    twin.set_state(found.explorer.model.state())
    twin.set_state(answer)
    assert not twin.is_error, twin.message
    return found.check(twin)


@cache
def twin_of(model):
    """Return a new model of an explorer, without a view."""
    return type(model)(model.data)


NUMBER = re.compile(r"(?<![\d{,.])\d+\.\d+|(?<![\d.])\d+(?= %)")


def untested_numbers(lesson):
    """Return the sentences of text and exercises with decimals or percentages that no cell or claim holds.

    Exercises may use numbers of the text, and of their own question; the tests compare their answers.
    """
    prose = [cell.source for cell in lesson.cells if cell.kind in PROSE]
    computed = numbers(" ".join(cell.source for cell in lesson.cells if cell.kind in ("code", "claim")))
    sentences = [(one, computed) for text in prose for one in re.split(r"(?<=[.?!])\s+", text)]
    for exercise in lesson.exercises:
        options = getattr(exercise, "options", ())
        known = " ".join([exercise.question, str(exercise.reference), *prose, *(one.text for one in options)])
        mistakes = getattr(exercise, "known", {}).values()
        texts = [exercise.explanation, *exercise.hints, *(one.reason for one in options), *mistakes]
        sentences += [(text, computed | numbers(known)) for text in texts]
    return [one for one, known in sentences if not {*map(float, NUMBER.findall(one))} <= known]


def numbers(text):
    """Return the numbers in a text, also as percentages."""
    found = {float(one) for one in re.findall(r"\d+(?:\.\d+)?", text)}
    return found | {round(100 * one, 9) for one in found}


@pytest.mark.parametrize("name", COURSE)
def test_the_claims_of_a_lesson_hold(name):
    assert executed(name)[0]["exercises"]


@every_lesson
def test_every_number_of_a_lesson_is_computed_or_checked(name):
    assert untested_numbers(LESSONS[name]) == []


def test_a_number_that_nothing_computes_is_found():
    text = Cell("text", "ARI is 0.87 here. The degree is 0.5, or 50 %.")
    one = replace(LESSONS["mixtures"], cells=[text, Cell("claim", "assert ari == 0.5")])
    found = untested_numbers(one)
    assert "ARI is 0.87 here." in found and "The degree is 0.5, or 50 %." not in found


@every_exercise
def test_the_reference_solution_is_accepted(name, exercise):
    found = getattr(LESSONS[name].exercises, exercise)
    feedback = judged(name, exercise, found.reference)
    assert feedback.right, feedback.text
    assert feedback.text, "nothing explains why it is right"


@every_exercise
def test_typical_mistakes_are_rejected_with_a_reason(name, exercise):
    mistakes = getattr(LESSONS[name].exercises, exercise).mistakes
    assert len(mistakes) >= 2
    for mistake in mistakes:
        feedback = judged(name, exercise, mistake)
        assert not feedback.right, mistake
        assert len(feedback.text.split()) > 3, f"{mistake}: {feedback.text!r} teaches nothing"


@every_lesson
def test_every_exercise_is_asked_once(name):
    assert sorted(LESSONS[name].shown) == sorted(one.name for one in LESSONS[name].exercises)


@every_lesson
def test_the_plan_names_the_sections_and_their_minutes(name):
    lesson = LESSONS[name]
    text = "\n".join(cell.source for cell in lesson.cells if cell.kind == "text")
    assert re.findall(r"^## (.*)$", text, flags=re.M) == [*lesson.plan]
    assert sum(lesson.plan.values()) == lesson.minutes and 10 <= lesson.minutes <= 20


@every_lesson
def test_a_lesson_has_goals_misconceptions_and_a_number(name):
    lesson = LESSONS[name]
    assert lesson.goals and lesson.misconceptions and lesson.title.startswith(f"{lesson.number} · ")


@every_lesson
def test_the_text_is_no_wider_than_code(name):
    wide = [
        line for cell in LESSONS[name].cells for line in cell.source.splitlines() if len(line) > LINE_LENGTH
    ]
    assert wide == []


@every_lesson
def test_the_notebook_holds_no_solution(name):
    text = lessons_tool.notebook_text(LESSONS[name])
    for exercise in LESSONS[name].exercises:
        assert not exercise.explanation or exercise.explanation not in text
        assert not isinstance(exercise, Code) or exercise.reference not in text
    assert "claim" not in text


@every_lesson
def test_notebooks_and_handouts_have_their_own_text(name):
    for medium in ("notebook", "handout"):
        for cell, text in LESSONS[name].explained(TermLinks(), medium):
            assert bool(text) == (bool(cell.exercise) or cell.kind in ("text", "explanation", medium))


def test_the_teachers_page_has_every_solution():
    page = " ".join(lessons_tool.teachers_page([*LESSONS.values()]).split())

    for lesson in LESSONS.values():
        for exercise in lesson.exercises:
            assert f"**{exercise.describe(exercise.reference)}**" in page


def test_notebooks_and_teachers_page_are_up_to_date():
    assert lessons_tool.outdated_files() == [], "run `python tools/lessons.py`"
