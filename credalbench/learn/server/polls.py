"""Anonymous polls in a class: a question with options, open until it is closed, in memory only.

A browser has one answer, which it can change until the answers are revealed. The server knows a browser by a
random number that it gave to the browser for this poll; nothing links this number to a user, to an address or
to another poll. The server forgets a poll when it is closed. A refused request raises an HTTPError with the
reason, which the page shows. Only the teacher has the address of the teacher's page.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from unicodedata import category

from jinja2 import Environment, PackageLoader, Template
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from credalbench.learn.kinds import Choice
from credalbench.learn.lessons import COURSE
from credalbench.learn.source import read_lesson

from .serving import POLL, START, TEACHER

#: Largest number of browsers that take part in a poll.
MOST_BROWSERS = 1000
#: Limits of a teacher's own question: characters of the text and of an option, number of options.
MOST_TEXT, MOST_OPTION, FEWEST, MOST_OPTIONS = 300, 100, 2, 6
#: Categories of characters that a text must not contain: control characters, halves of characters.
UNREADABLE = ("Cc", "Cs")
#: Markdown characters that are removed from questions and options.
MARKUP = re.compile(r"[*`$\\]")
#: The cookie with the number of a browser in a poll.
COOKIE = "credalbench-poll"
#: Largest number of bytes of a request by a student, and by the teacher, which may contain a question.
MOST_BYTES, MOST_TEACHER_BYTES = 1000, 5000


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


@dataclass
class Poll:
    """A poll that is open or revealed.

    Its question is one of `poll_questions`, or a question of the teacher; the ``lesson`` of the latter is
    empty, and ``right`` may be None.
    """

    number: int  # since the start of the server, from 1
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
    """The polls of a class, one at a time, with the questions that can be asked."""

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
            raise HTTPError(400, f"expected {FEWEST} to {MOST_OPTIONS} answers")
        text = _line(text, "a question", MOST_TEXT)
        options = [_line(option, "each answer", MOST_OPTION) for option in options]
        if len(set(options)) < len(options):
            raise HTTPError(400, "expected answers that differ")
        if right is not None and (type(right) is not int or not 0 <= right < len(options)):
            raise HTTPError(400, "expected the right answer to be one of the answers")
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
            raise HTTPError(429, f"this poll already has the maximum number of browsers, {MOST_BROWSERS}")
        browser = secrets.token_urlsafe(16)
        poll.browsers.add(browser)
        return browser

    def answer(self, browser: str | None, number: object, place: object) -> None:
        """Store or change the answer of a browser to the poll with this number."""
        poll = self._open()
        if type(number) is not int or number != poll.number:
            raise HTTPError(409, "this question is no longer open")
        if poll.revealed:
            raise HTTPError(409, "the answers are already revealed")
        if browser not in poll.browsers:
            raise HTTPError(403, "this browser has not joined the poll: reload the page, and allow cookies")
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
            raise HTTPError(409, "no poll is open")
        return self._poll

    @staticmethod
    def _shown(poll: Poll) -> dict[str, object]:
        asked = {name: poll.question[name] for name in ("lesson", "text", "options")}
        return asked | {"poll": poll.number, "revealed": poll.revealed}


def _place(place: object, among: Sequence[object], what: str) -> int:
    if type(place) is not int or not 0 <= place < len(among):
        raise HTTPError(400, f"expected {what} to be an integer from 0 to {len(among) - 1}")
    return place


def _line(text: object, what: str, most: int) -> str:
    """Return a text as one line of readable characters."""
    line = " ".join(text.split()) if isinstance(text, str) else ""
    if not 0 < len(line) <= most or any(category(one) in UNREADABLE for one in line):
        raise HTTPError(400, f"expected {what} to be a text of 1 to {most} readable characters")
    return line


# -- the pages, and what they ask the server -------------------------------------------------------------


def template(name: str) -> Template:
    """Return the template of a page, which escapes the values that it shows."""
    pages = Environment(autoescape=True, loader=PackageLoader(__package__, "pages"))
    return pages.get_template(f"{name}.html.j2")


class PollHandler(JupyterHandler):
    """Base class of the handlers of polls."""

    def initialize(self, polls: Polls, key: str) -> None:
        self.polls, self._key = polls, key

    def show(self, name: str, **values: object) -> None:
        """Write a page."""
        values |= {"start": url_path_join(self.base_url, START), "xsrf": self.xsrf_token.decode()}
        self.finish(template(name).render(**values))

    def send(self, values: dict[str, object]) -> None:
        """Write values as JSON."""
        self.set_header("Cache-Control", "no-store")
        self.finish(values)

    def received(self, most_bytes: int = MOST_BYTES) -> dict[str, object]:
        """Return the values of a request; raise an HTTPError unless it is a short JSON object."""
        try:
            values = json.loads(self.request.body) if len(self.request.body) <= most_bytes else None
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise HTTPError(400, f"expected a JSON object of at most {most_bytes} bytes")
        return values

    def expect_teacher(self, key: str) -> None:
        """Raise the error of a missing page unless the address contains the teacher's key."""
        if not hmac.compare_digest(key.encode(), self._key.encode()):
            raise HTTPError(404)


class StudentPage(PollHandler):
    """Handler of the page on which a class answers."""

    @authenticated
    def get(self) -> None:
        """Write the page."""
        self.show("poll", teacher=False, state=url_path_join(self.base_url, POLL, "state"))


class StudentState(PollHandler, APIHandler):
    """Handler of the poll as a student sees it, and of the answer of a browser."""

    @authenticated
    def get(self) -> None:
        """Write the open poll, and give a number to a browser that has none."""
        browser = self.polls.joined(self.get_cookie(COOKIE))
        if browser is not None and browser != self.get_cookie(COOKIE):
            path = url_path_join(self.base_url, POLL)
            self.set_cookie(COOKIE, browser, path=path, httponly=True, samesite="Strict")
        self.send(self.polls.for_student(browser))

    @authenticated
    def post(self) -> None:
        """Accept the answer of the browser, and write the poll."""
        browser, values = self.get_cookie(COOKIE), self.received()
        self.polls.answer(browser, values.get("poll"), values.get("option"))
        self.send(self.polls.for_student(browser))


class TeacherPage(PollHandler):
    """Handler of the teacher's page."""

    @authenticated
    def get(self, key: str) -> None:
        """Write the page with the questions."""
        self.expect_teacher(key)
        state = url_path_join(self.base_url, TEACHER, key, "state")
        lessons = groupby(enumerate(self.polls.questions), lambda numbered: numbered[1]["lesson"])
        limits = {"most_text": MOST_TEXT, "most_options": MOST_OPTIONS}
        self.show("poll", teacher=True, lessons=lessons, state=state, **limits)


class TeacherState(PollHandler, APIHandler):
    """Handler of the poll as the teacher sees and controls it."""

    @authenticated
    def get(self, key: str) -> None:
        """Write the poll with its answers so far."""
        self.expect_teacher(key)
        self.send(self.polls.for_teacher())

    @authenticated
    def post(self, key: str) -> None:
        """Open a poll with a question of a lesson or of the teacher, reveal it, or close it."""
        self.expect_teacher(key)
        values = self.received(MOST_TEACHER_BYTES)
        match values.get("act"):
            case "open":
                self.polls.open(values.get("question"))
            case "ask":
                self.polls.ask(values.get("text"), values.get("options"), values.get("right"))
            case "reveal":
                self.polls.reveal()
            case "close":
                self.polls.close()
            case _:
                raise HTTPError(400, "expected act to be open, ask, reveal or close")
        self.send(self.polls.for_teacher())
