"""Exercises of each kind, their forms, and the board for a mass function."""

import re

import pytest

from credalbench.belief import CredalPartition
from credalbench.explore import CECMModel
from credalbench.learn import (
    COURSE,
    Choice,
    Choices,
    Code,
    Exploration,
    Feedback,
    MassBoard,
    Masses,
    Number,
    lesson,
    right,
    wrong,
)
from credalbench.learn.exercise import exercise_form

COLOUR = Choice(
    "The sky is ...",
    (wrong("green", "Look up."), right("blue", "By day."), wrong("red", "Only at dusk.")),
    hints=("Look up.", "Blue."),
)
EVEN = Choices("Even are ...", (right("2", "1 + 1."), wrong("3", "2 + 1."), right("4", "2 + 2.")))
HALF = Number("1 / 2?", 0.5, {2.0: "That is 2 / 1.", 1.0: "That is 1 / 1."})
MANY = Number("999 times 1000 / 2?", 499_500)
CERTAIN = Masses("All on {1}.", lambda one: "" if one.mass({0}) == 1 else "Not all.", {"{1}": 1.0})


def click(widget, name):
    """Press the button of a form that has this name."""
    _, buttons, feedback, _ = widget.children
    next(button for button in buttons.children if button.description == name).click()
    return feedback.value


def test_a_choice_is_answered_by_its_letter():
    assert COLOUR.reference == "b" and COLOUR.mistakes == ("a", "c")
    assert COLOUR.check("b") and str(COLOUR.check("B")) == "Right. By day."
    assert str(COLOUR.check("a")) == "Not yet. Look up."


@pytest.mark.parametrize("answer", ["d", "", "ab", 2, None])
def test_feedback_on_an_answer_that_is_not_a_letter(answer):
    feedback = COLOUR.check(answer)
    assert not feedback and "one of the letters a, b, c" in feedback.text


def test_feedback_on_choices_names_an_option():
    assert EVEN.reference == "ac" and EVEN.check({"a", "c"}) and EVEN.check("ca")
    assert "a) is right" in EVEN.check("c").text and "b) is not right: 2 + 1." in EVEN.check("abc").text
    assert EVEN.mistakes == ("c", "abc", "a")


@pytest.mark.parametrize("name", COURSE)
def test_an_answer_without_thought_earns_nothing(name):
    """No option is named where nothing is ticked, no number of the solution for any other number."""
    for exercise in lesson(name):
        if isinstance(exercise, Choices):
            assert exercise.check(set()).text == "Nothing is ticked. One or more options are right."
        if isinstance(exercise, Number):
            assert not re.search(r"\d", exercise.check(exercise.reference + 1234.5).text)


def test_a_number_knows_usual_mistakes_and_its_tolerance():
    assert HALF.check(0.5) and HALF.check(0.504) and not HALF.check(0.51)
    assert HALF.check(2).text == "That is 2 / 1." and "not the right number" in HALF.check(7).text
    assert HALF.check("1/2") and HALF.check("0,5") and HALF.check(" 0.5 ")
    assert all(map(MANY.check, ("499,500", "499 500", "499500"))) and not MANY.check("499,5")
    assert "a number" in HALF.check("a half").text and "a number" in HALF.check("1/0").text
    assert not HALF.check(True) and not HALF.check(float("nan"))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"{1}": 0.5}, "add up to 1"),
        ({"{1}": 1.5, "Ω": -0.5}, "at least 0"),
        ({"{4}": 1.0}, "one of the sets"),
        ({"{1}": float("nan")}, "at least 0"),
        ([1, 0], "table of masses"),
    ],
)
def test_invalid_masses_are_rejected(answer, message):
    assert message in CERTAIN.check(answer).text


def test_masses_are_read_from_a_table_a_mass_function_or_a_board():
    assert CERTAIN.check({"{1}": 1}) and not CERTAIN.check({"Ω": 1})
    assert CERTAIN.check(CredalPartition.from_labels([0], 3)[0])
    assert CERTAIN.check(MassBoard(masses={"{1}": 1.0}).mass_function)


def test_three_dots_are_no_answer_yet():
    code = Code("Two?", lambda value: "" if value == 2 else "Not two.", "answer = 2", ("answer = 3",))
    assert "three dots" in code.check(...).text and code.check(2) and not code.check(3)


def test_feedback_on_constraints_names_outcomes_and_counts_answers():
    true = ((31, 129, "cannot-link"), (23, 31, "must-link"), (82, 123, "cannot-link"))
    model = CECMModel("two_class:200:0", metric="mahalanobis", n_init=5, links=true, xi=0.99)
    outcomes = "At ξ = 0.99, the outcomes of the 3 constraints are: 1 met, 0 violated, 2 met by an outlier."
    assert lesson("constraints").met_in_vain.check(model).text.startswith(outcomes)
    model.xi, model.links = 0.5, true[:1]
    text = lesson("constraints").true_answers.check(model).text
    assert re.fullmatch(r"ARI is (?!-0\.00)\S+ after 1 answer\. Add another pair\.", text), text


def test_an_explorer_without_a_fit_is_no_answer():
    class Broken:
        fitted, is_error, message = None, True, "No data."

    class Computing:
        fitted, is_error, message, busy = object(), False, "", True

    exercise = Exploration("?", lambda model: "")
    assert "still running" in exercise.check(Computing()).text
    assert "No data." in exercise.check(Broken()).text and "an explorer" in exercise.check(None).text


def test_hints_come_one_by_one_and_the_last_one_stays():
    colour = Choice(COLOUR.question, COLOUR.options, hints=COLOUR.hints)
    assert [colour.hint() for _ in range(3)] == ["Hint 1 of 2: Look up.", *["Hint 2 of 2: Blue."] * 2]
    assert "no hint" in EVEN.hint()


def test_the_form_checks_what_was_chosen_and_shows_hints():
    widget = exercise_form(Choice(COLOUR.question, COLOUR.options, hints=COLOUR.hints))
    shown = [click(widget, "Check")]
    for answer in "ab":
        widget.children[0].value = answer
        shown.append(click(widget, "Check"))
    shown += [click(widget, "Hint"), click(widget, "Show me")]
    words = (
        "Answer the question first",
        "Not yet. Look up.",
        "Right. By day.",
        "Hint 1 of 2",
        "Answer: b) blue. By day.",
    )
    assert all(text in html for text, html in zip(words, shown, strict=True))
    answers = [re.findall(r'data-answer="(\w+)"', html) for html in shown]
    assert answers == [[], ["wrong"], ["right"], [], ["shown"]]  # after an answer an explanation opens


def test_feedback_in_a_cell_is_framed_text():
    assert "Not yet. &lt;b&gt;" in Feedback(False, "<b>")._repr_html_()


def test_forms_of_the_other_kinds_hand_on_their_answer():
    numbers, boxes, masses = exercise_form(HALF), exercise_form(EVEN), exercise_form(CERTAIN)
    assert "Answer the question first" in click(numbers, "Check")
    numbers.children[0].value = "0.5"
    for place in (0, 2):
        boxes.children[0].children[place].value = True
    masses.children[0].children[0].children[1].value = 1.0  # the slider of {1}, after that of ∅
    assert [("Right." in click(widget, "Check")) for widget in (numbers, boxes, masses)] == [True] * 3


def test_feedback_is_escaped():
    rude = Choice("?", (right("a", "<b>&"), wrong("b", "no")))
    widget = exercise_form(rude)
    widget.children[0].value = "a"
    assert "&lt;b&gt;&amp;" in click(widget, "Check")


def test_an_exercise_shows_itself_as_a_form():
    assert "application/vnd.jupyter.widget-view+json" in COLOUR._repr_mimebundle_()


def test_the_board_puts_the_rest_on_omega_and_limits_the_masses():
    board = MassBoard(3)
    board.controls["{1,2}"].value = 0.7
    assert str(board.mass_function) == "{1,2} 0.70, Ω 0.30"
    board.controls["{3}"].value = 0.6
    assert board.controls["{3}"].value == 0.3
    assert "{3} can have at most 0.30. Lower another mass first." in board.rest.value
    board.controls["{3}"].value = 0.1
    assert "at most" not in board.rest.value
    board.controls["{3}"].value = 0.3
    assert str(board.mass_function) == "{1,2} 0.70, {3} 0.30"


def test_the_board_shows_belief_plausibility_and_decisions():
    words = MassBoard(3, ("a", "<b>", "c"), {"{1}": 0.4, "{2}": 0.1, "{2,3}": 0.5}).readings.value
    assert "most plausible: {2}" in words and "pignistic probability: {1}" in words
    assert "not ruled out: Ω" in words and "set of highest mass: {2,3}" in words
    assert "&lt;b&gt;" in words and 'aria-label="from 0.10 to 0.60"' in words
    assert "most plausible: {1} and {2}, equally" in MassBoard(3, masses={"{1,2}": 1.0}).readings.value
    torn = MassBoard(3, masses={"{1}": 0.5, "{2}": 0.5}).readings.value
    assert "set of highest mass: {1} and {2}, equally" in torn
    assert "outlier" in MassBoard(2, masses={"∅": 1.0}).readings.value


def test_unknown_lessons_and_exercises_are_rejected():
    with pytest.raises(ValueError, match=r"expected one of the lessons mass_functions.*got 'masses'"):
        lesson("masses")
    with pytest.raises(AttributeError, match="did you mean 'ann'"):
        _ = lesson("mass_functions").anne


def test_a_lesson_opened_twice_has_all_its_hints():
    first = lesson("mass_functions").ann
    first.hint()
    assert lesson("mass_functions").ann.hint().startswith("Hint 1")
