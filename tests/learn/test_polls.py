"""The questions of polls are those of the lessons with one right option, in their order, as plain text."""

from credalbench.learn import COURSE, Choice, lesson
from credalbench.learn.polls import poll_questions
from credalbench.learn.source import read_lesson


def test_every_choice_of_the_course_can_be_asked():
    questions, expected = poll_questions(), []
    for name in COURSE:
        text = read_lesson(name)
        exercises = [getattr(lesson(name), shown) for shown in text.shown]
        expected += [(text.title, one) for one in exercises if isinstance(one, Choice)]
    assert len(questions) == len(expected) > 20
    for question, (title, exercise) in zip(questions, expected):
        assert question["lesson"] == title
        letter = exercise.letters[question["right"]]
        assert letter == exercise.reference
        assert len(question["options"]) == len(exercise.options) >= 2
        assert not set("*`$\\") & set("".join([question["text"], *question["options"]]))
