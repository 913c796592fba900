"""Questions of the lessons that a class can answer together."""

import re

from .course import COURSE
from .kinds import Choice
from .source import read_lesson

#: Markdown characters that are removed from questions and options.
MARKUP = re.compile(r"[*`$\\]")


def poll_questions() -> list[dict[str, object]]:
    """Return the questions with one right option of all lessons, in their order, as plain values.

    Returns
    -------
    list of dict
        ``lesson`` is the title of the lesson, ``text`` the question and ``options`` its options as plain
        text, ``right`` the place of the right one, from 0.

    Examples
    --------
    >>> first = poll_questions()[0]
    >>> first["text"], first["options"][first["right"]]
    ('Use only what Ann says. How probable is "a blackbird"?', 'her statement does not determine it')
    """
    questions = []
    for lesson in map(read_lesson, COURSE):
        for exercise in (getattr(lesson.exercises, name) for name in lesson.shown):
            if isinstance(exercise, Choice):
                options = [MARKUP.sub("", option.text) for option in exercise.options]
                place = [option.is_right for option in exercise.options].index(True)
                text = MARKUP.sub("", exercise.question)
                questions.append({"lesson": lesson.title, "text": text, "options": options, "right": place})
    return questions
