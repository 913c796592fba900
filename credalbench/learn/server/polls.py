"""Anonymous polls in a class: a question with options, open until it is closed, in memory only.

A browser has one answer, which it can change until the answers are revealed. The server knows a browser by a
random number that it gave to the browser for this poll; nothing links this number to a user, to an address or
to another poll. The server forgets a poll when it is closed.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from unicodedata import category

from credalbench.learn.course import COURSE
from credalbench.learn.kinds import Choice
from credalbench.learn.source import read_lesson

#: Largest number of browsers that take part in a poll.
MOST_BROWSERS = 1000
#: Limits of a teacher's own question: characters of the text and of an option, number of options.
MOST_TEXT, MOST_OPTION, FEWEST, MOST_OPTIONS = 300, 100, 2, 6
#: Categories of characters that a text must not contain: control characters, halves of characters.
UNREADABLE = ("Cc", "Cs")
#: Markdown characters that are removed from questions and options.
MARKUP = re.compile(r"[*`$\\]")


def poll_questions() -> list[dict[str, object]]:
    """Return the questions of all lessons that have one right option, in order, as plain values.

    Returns
    -------
    list of dict
        ``lesson`` is the title of the lesson, ``text`` the question and ``options`` its options as plain
        text, and ``right`` the place of the right option, from 0.

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


class Refused(ValueError):
    """A refused request.

    Parameters
    ----------
    status : int
        HTTP status of the answer.
    reason : str
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass
class Poll:
    """A poll that is open or revealed.

    Parameters
    ----------
    number : int
        Number of the poll since the start of the server, from 1.
    question : mapping
        ``lesson``, ``text``, ``options`` and ``right``, as in `poll_questions`; in a question of the teacher,
        ``lesson`` is empty and ``right`` may be None.
    """

    number: int
    question: Mapping[str, object]
    revealed: bool = False
    browsers: set[str] = field(default_factory=set)
    answers: dict[str, int] = field(default_factory=dict)

    @property
    def counts(self) -> list[int]:
        """Number of answers for each option."""
        found = Counter(self.answers.values())
        return [found[place] for place in range(len(self.question["options"]))]


class Polls:
    """The polls of a class, one at a time.

    Parameters
    ----------
    questions : sequence of mapping
        The questions that can be asked.
    """

    def __init__(self, questions: Sequence[Mapping[str, object]]) -> None:
        self.questions = questions
        self._poll: Poll | None = None
        self._numbers = count(1)

    # -- of the teacher ---------------------------------------------------------------------------------

    def open(self, place: object) -> None:
        """Open a poll with the question at a place of `questions`, and forget an earlier poll."""
        self._poll = Poll(next(self._numbers), self.questions[_place(place, self.questions, "question")])

    def ask(self, text: object, options: object, right: object = None) -> None:
        """Open a poll with the teacher's own question and two to six options; forget an earlier poll.

        `right` is the place of the right option; None if there is none.
        """
        if not isinstance(options, list) or not FEWEST <= len(options) <= MOST_OPTIONS:
            raise Refused(400, f"expected {FEWEST} to {MOST_OPTIONS} answers")
        text = _line(text, "a question", MOST_TEXT)
        options = [_line(option, "each answer", MOST_OPTION) for option in options]
        if len(set(options)) < len(options):
            raise Refused(400, "expected answers that differ")
        if right is not None and (type(right) is not int or not 0 <= right < len(options)):
            raise Refused(400, "expected the right answer to be one of the answers")
        question = {"lesson": "", "text": text, "options": options, "right": right}
        self._poll = Poll(next(self._numbers), question)

    def reveal(self) -> None:
        """Show the answers and the right option to all, and accept no more answers."""
        self._open().revealed = True

    def close(self) -> None:
        """Forget the poll."""
        self._poll = None

    def for_teacher(self) -> dict[str, object]:
        """Return what the teacher sees: the number of answers so far for each option."""
        poll = self._poll
        if poll is None:
            return {"poll": None}
        return self._shown(poll) | {"counts": poll.counts, "right": poll.question["right"]}

    # -- of students ------------------------------------------------------------------------------------

    def joined(self, browser: str | None) -> str | None:
        """Return the number of a browser in the poll, a new one if it has none; None if no poll is open."""
        poll = self._poll
        if poll is None or browser in poll.browsers:
            return browser if poll else None
        if len(poll.browsers) >= MOST_BROWSERS:
            raise Refused(429, f"this poll already has the maximum number of browsers, {MOST_BROWSERS}")
        browser = secrets.token_urlsafe(16)
        poll.browsers.add(browser)
        return browser

    def answer(self, browser: str | None, number: object, place: object) -> None:
        """Store or change the answer of a browser to the poll with this number."""
        poll = self._open()
        if type(number) is not int or number != poll.number:
            raise Refused(409, "this question is no longer open")
        if poll.revealed:
            raise Refused(409, "the answers are already revealed")
        if browser not in poll.browsers:
            raise Refused(403, "this browser has not joined the poll: reload the page, and allow cookies")
        poll.answers[browser] = _place(place, poll.question["options"], "option")

    def for_student(self, browser: str | None) -> dict[str, object]:
        """Return what a student sees: their own answer, and all answers once they are revealed."""
        poll = self._poll
        if poll is None:
            return {"poll": None}
        shown = self._shown(poll) | {"mine": poll.answers.get(browser)}
        return shown | ({"counts": poll.counts, "right": poll.question["right"]} if poll.revealed else {})

    # ---------------------------------------------------------------------------------------------------

    def _open(self) -> Poll:
        if self._poll is None:
            raise Refused(409, "no poll is open")
        return self._poll

    @staticmethod
    def _shown(poll: Poll) -> dict[str, object]:
        asked = {name: poll.question[name] for name in ("lesson", "text", "options")}
        return asked | {"poll": poll.number, "revealed": poll.revealed}


def _place(place: object, among: Sequence[object], what: str) -> int:
    if type(place) is not int or not 0 <= place < len(among):
        raise Refused(400, f"expected {what} to be an integer from 0 to {len(among) - 1}")
    return place


def _line(text: object, what: str, most: int) -> str:
    """Return a text as one line of readable characters."""
    line = " ".join(text.split()) if isinstance(text, str) else ""
    if not 0 < len(line) <= most or any(category(one) in UNREADABLE for one in line):
        raise Refused(400, f"expected {what} to be a text of 1 to {most} readable characters")
    return line
